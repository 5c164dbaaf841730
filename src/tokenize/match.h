// Matchers of the things that a data set switches on: each returns where a token that starts at `p`
// ends, or p when there is none. The work of each is bounded by a constant or by what it consumes.
#ifndef ON_TOKENIZE_MATCH_H
#define ON_TOKENIZE_MATCH_H

#include "tokenize/scan.h"

size_t on_match_url(const on_scan *scan, size_t p);      // scheme://..., www....
size_t on_match_host(const on_scan *scan, size_t p);     // example.com, example.com/path
size_t on_match_email(const on_scan *scan, size_t p);
size_t on_match_file(const on_scan *scan, size_t p);     // report-2.doc
size_t on_match_tag(const on_scan *scan, size_t p);      // #word, @name
size_t on_match_emoticon(const on_scan *scan, size_t p);
size_t on_match_pattern(const on_scan *scan, size_t p);  // [patterns]
size_t on_match_run(const on_scan *scan, size_t p);      // ..., !!!, ?!, ----
size_t on_match_acronym(const on_scan *scan, size_t p);  // U.S: without a last full stop

// The end of the grapheme cluster at p.
size_t on_match_cluster(const on_scan *scan, size_t p);
// The end of the UAX #29 segment that holds p, from p on.
size_t on_match_segment(const on_scan *scan, size_t p);

#endif

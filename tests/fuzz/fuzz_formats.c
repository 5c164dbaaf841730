// Conversions and scores of any bytes, without a pipeline. The first byte chooses the formats; a byte 0xFF, which no
// UTF-8 has, parts two files that are compared.
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "onenlp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static on_str contents(const onenlp_buffer *buffer) {
  on_str s;
  s.p = onenlp_buffer_data(buffer, &s.n);
  return s;
}

static onenlp_buffer *new_buffer(void) {
  onenlp_buffer *buffer = onenlp_buffer_new();
  if (!buffer) abort();
  return buffer;
}

static void check_error(const onenlp_error *error) {
  if (error->code != ONENLP_DATA_FORMAT || !strstr(error->text, "line ")) abort();
}

// What was converted converts to itself, and back. (JSON with U+0000 is written, but not read: format/json.h.)
static void convert(on_str bytes, onenlp_format from, onenlp_format to) {
  onenlp_buffer *once = new_buffer(), *twice = new_buffer(), *back = new_buffer();
  onenlp_error error;
  if (!onenlp_convert(bytes.p, bytes.n, from, to, once, &error)) {
    check_error(&error);
  } else if (to == ONENLP_CONLLU || (to == ONENLP_JSONL && !memchr(bytes.p, 0, bytes.n))) {
    const on_str first = contents(once);
    if (!onenlp_convert(first.p, first.n, to, to, twice, &error)) abort();
    if (to == ONENLP_CONLLU && !on_str_eq(first, contents(twice))) abort();
    if (!onenlp_convert(first.p, first.n, to, from, back, &error)) abort();
  }
  onenlp_buffer_free(once);
  onenlp_buffer_free(twice);
  onenlp_buffer_free(back);
}

static void compare(on_str gold, on_str system, bool lines) {
  onenlp_buffer *out = new_buffer();
  onenlp_error error;
  int ok = lines ? onenlp_compare_jsonl(gold.p, gold.n, system.p, system.n, ONENLP_JSON, out, &error)
                 : onenlp_evaluate(gold.p, gold.n, system.p, system.n, ONENLP_TABLE, out, &error);
  if (!ok && error.code == ONENLP_OK) abort();
  if (ok && contents(out).n == 0) abort();
  onenlp_buffer_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const on_str bytes = {(const char *)data + 1, size - 1};
  const bool lines = data[0] & 1;
  const char *split = bytes.n ? memchr(bytes.p, 0xFF, bytes.n) : NULL;
  if (split) {
    const size_t at = (size_t)(split - bytes.p);
    compare(on_str_sub(bytes, 0, at), on_str_sub(bytes, at + 1, bytes.n), lines);
  } else {
    convert(bytes, lines ? ONENLP_JSONL : ONENLP_CONLLU, (onenlp_format)(data[0] >> 1 & 3));
    compare(bytes, bytes, lines);
  }
  return 0;
}

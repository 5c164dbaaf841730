// A progress bar on standard error, drawn only when that is a terminal.
#ifndef ON_CLI_PROGRESS_H
#define ON_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct on_progress {
  bool terminal;      // standard error is one
  bool drawn;         // a line of the bar stands there
  const char *unit;   // what is counted: "words"
  double start, last; // seconds: of the beginning and of the last drawing
  char label[160];    // before the bar, may be empty
} on_progress;

// Monotonic seconds.
double on_now(void);

// `unit` (a literal) is what `count` of on_progress_update counts, for the rate; quiet: never draw.
void on_progress_start(on_progress *progress, const char *unit, bool quiet);
// Text before the bar, as "epoch 3/20 loss 0.1234"; shown at the next drawing.
void on_progress_label(on_progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Draws, at most ten times a second: done of total (total 0: not known, no bar and no time left), and the rate
// of `count`. The time left is reckoned from `done` since the start.
void on_progress_update(on_progress *progress, uint64_t done, uint64_t total, uint64_t count);
// A line that stays, on standard error: above the bar on a terminal, plain otherwise.
void on_progress_note(on_progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Takes the bar away.
void on_progress_end(on_progress *progress);

#endif

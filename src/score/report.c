#include "score/report.h"

#include "score/score.h"

static const char *const names[ON_METRICS] = {"Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags",
                                              "Lemmas", "UAS",       "LAS",   "CLAS", "MLAS", "BLEX"};

const char *on_metric_name(on_metric metric) { return (unsigned)metric < ON_METRICS ? names[metric] : ""; }

static double ratio(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : 0; }

double on_score_precision(const on_score *score) { return ratio(score->correct, score->system); }
double on_score_recall(const on_score *score) { return ratio(score->correct, score->gold); }
double on_score_f1(const on_score *score) { return ratio(2 * score->correct, score->system + score->gold); }

double on_score_aligned_accuracy(const on_score *score) {
  return score->on_aligned ? ratio(score->correct, score->aligned) : -1;
}

static void pad(on_buf *out, size_t n, int width) {
  for (; n < (size_t)width; n++) on_buf_char(out, ' ');
}

void on_write_right(on_buf *out, on_str s, int width) {
  pad(out, s.n, width);
  on_buf_str(out, s);
}

void on_write_left(on_buf *out, on_str s, int width) {
  on_buf_str(out, s);
  pad(out, s.n, width);
}

// Hundredths of `value`, which is at most 100. Works on the binary fraction, so the rounding is exact.
static uint64_t to_hundredths(double value) {
  uint64_t whole = (uint64_t)value;
  double fraction = value - (double)whole;
  if (fraction < 1.0 / 512) return 100 * whole;
  unsigned shift = 0;  // at most 61: 53 significant bits, the first of them no later than the ninth
  while (fraction != (double)(uint64_t)fraction) {
    fraction *= 2;  // exact: only the exponent moves
    shift++;
  }
  if (shift == 0) return 100 * whole;
  uint64_t product = 100 * (uint64_t)fraction, half = (uint64_t)1 << (shift - 1);
  uint64_t units = product >> shift, rest = product & (2 * half - 1);
  if (rest > half || (rest == half && (units & 1))) units++;
  return 100 * whole + units;
}

void on_write_percent(on_buf *out, double value, int width) {
  uint64_t units = to_hundredths(100 * value);
  char text[8];  // 100.00 is the longest
  size_t at = sizeof text;
  for (int i = 0; i < 3 || units; i++) {
    if (i == 2) text[--at] = '.';
    text[--at] = (char)('0' + units % 10);
    units /= 10;
    if (at == 0) break;
  }
  on_write_right(out, (on_str){text + at, sizeof text - at}, width);
}

void on_write_fraction(on_buf *out, double value) {
  if (value < 0) {
    on_buf_str(out, ON_STR("null"));
    return;
  }
  uint64_t units = (uint64_t)(value * 1000000 + 0.5);
  on_buf_u64(out, units / 1000000);
  on_buf_char(out, '.');
  for (uint64_t place = 100000; place > 0; place /= 10) on_buf_char(out, (char)('0' + units / place % 10));
}

static void write_key(on_buf *out, const char *key) {
  on_buf_str(out, ON_STR(",\""));
  on_buf_str(out, on_str_c(key));
  on_buf_str(out, ON_STR("\":"));
}

void on_write_count(on_buf *out, const char *key, uint64_t value) {
  write_key(out, key);
  on_buf_u64(out, value);
}

void on_write_member(on_buf *out, const char *key, double fraction) {
  write_key(out, key);
  on_write_fraction(out, fraction);
}

static void write_cell(on_buf *out, const on_score *score, double value) {
  if (score->present) {
    on_write_percent(out, value, 10);
  } else {
    on_write_right(out, ON_STR("-"), 10);
  }
}

void on_conll18_table(on_buf *out, const on_conll18 *scores) {
  on_buf_str(out, ON_STR("Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"));
  on_buf_str(out, ON_STR("-----------+-----------+-----------+-----------+-----------\n"));
  for (int m = 0; m < ON_METRICS; m++) {
    const on_score *score = &scores->metrics[m];
    on_write_left(out, on_str_c(names[m]), 11);
    on_buf_char(out, '|');
    write_cell(out, score, on_score_precision(score));
    on_buf_str(out, ON_STR(" |"));
    write_cell(out, score, on_score_recall(score));
    on_buf_str(out, ON_STR(" |"));
    write_cell(out, score, on_score_f1(score));
    on_buf_str(out, ON_STR(" |"));
    if (score->on_aligned) write_cell(out, score, on_score_aligned_accuracy(score));
    on_buf_char(out, '\n');
  }
}

void on_conll18_json(on_buf *out, const on_conll18 *scores) {
  for (int m = 0; m < ON_METRICS; m++) {
    const on_score *score = &scores->metrics[m];
    on_buf_str(out, m ? ON_STR(",\"") : ON_STR("{\""));
    on_buf_str(out, on_str_c(names[m]));
    if (!score->present) {
      on_buf_str(out, ON_STR("\":null"));
      continue;
    }
    on_buf_str(out, ON_STR("\":{\"precision\":"));
    on_write_fraction(out, on_score_precision(score));
    on_write_member(out, "recall", on_score_recall(score));
    on_write_member(out, "f1", on_score_f1(score));
    on_write_member(out, "alignedAccuracy", on_score_aligned_accuracy(score));
    on_write_count(out, "gold", score->gold);
    on_write_count(out, "system", score->system);
    on_write_count(out, "correct", score->correct);
    if (score->on_aligned) on_write_count(out, "aligned", score->aligned);
    on_buf_char(out, '}');
  }
  on_buf_char(out, '}');
}

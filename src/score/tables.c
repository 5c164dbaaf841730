// Tables and JSON of all scores.
#include "format/json.h"
#include "score/labelled.h"
#include "score/textcat.h"
#include "score/write.h"

enum { CELL = 10, LONGEST_LABEL = 40 };  // a longer label pushes its row out of line

static void write_percent(on_buf *out, bool present, double value) {
  if (present) {
    on_write_percent(out, value, CELL);
  } else {
    on_write_right(out, ON_STR("-"), CELL);
  }
  on_buf_char(out, ' ');
}

static void write_number(on_buf *out, uint64_t value) {
  on_buf digits = {0};
  on_buf_u64(&digits, value);
  on_write_right(out, on_buf_view(&digits), CELL);
  out->failed |= digits.failed;
  on_buf_free(&digits);
  on_buf_char(out, ' ');
}

// Precision, recall and F1, each behind a bar.
static void write_prf(on_buf *out, const on_score *score) {
  on_buf_char(out, '|');
  write_percent(out, score->present, on_score_precision(score));
  on_buf_char(out, '|');
  write_percent(out, score->present, on_score_recall(score));
  on_buf_char(out, '|');
  write_percent(out, score->present, on_score_f1(score));
}

static void write_prf_json(on_buf *out, const on_score *score) {
  on_buf_str(out, ON_STR("{\"precision\":"));
  on_write_fraction(out, on_score_precision(score));
  on_write_member(out, "recall", on_score_recall(score));
  on_write_member(out, "f1", on_score_f1(score));
}

// Lines end without blanks.
static void end_line(on_buf *out) {
  if (!out->failed) {
    while (out->n > 0 && out->p[out->n - 1] == ' ') out->n--;
  }
  on_buf_char(out, '\n');
}

void on_conll18_table(on_buf *out, const on_conll18 *scores) {
  on_buf_str(out, ON_STR("Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"));
  on_buf_str(out, ON_STR("-----------+-----------+-----------+-----------+-----------\n"));
  for (int m = 0; m < ON_METRICS; m++) {
    const on_score *score = &scores->metrics[m];
    on_write_left(out, on_str_c(on_metric_name((on_metric)m)), 11);
    write_prf(out, score);
    on_buf_char(out, '|');
    if (score->on_aligned) write_percent(out, score->present, on_score_aligned_accuracy(score));
    end_line(out);
  }
}

void on_conll18_json(on_buf *out, const on_conll18 *scores) {
  for (int m = 0; m < ON_METRICS; m++) {
    const on_score *score = &scores->metrics[m];
    on_buf_str(out, m ? ON_STR(",\"") : ON_STR("{\""));
    on_buf_str(out, on_str_c(on_metric_name((on_metric)m)));
    on_buf_str(out, ON_STR("\":"));
    if (!score->present) {
      on_buf_str(out, ON_STR("null"));
      continue;
    }
    write_prf_json(out, score);
    on_write_member(out, "alignedAccuracy", on_score_aligned_accuracy(score));
    on_write_count(out, "gold", score->gold);
    on_write_count(out, "system", score->system);
    on_write_count(out, "correct", score->correct);
    if (score->on_aligned) on_write_count(out, "aligned", score->aligned);
    on_buf_char(out, '}');
  }
  on_buf_char(out, '}');
}

// What a list of labels needs for its first column, given the longest of the other texts there.
static size_t label_width(size_t width, on_str label) {
  size_t n = on_count_characters(label);
  if (n > LONGEST_LABEL) n = LONGEST_LABEL;
  return n > width ? n : width;
}

static void write_head(on_buf *out, const char *first, size_t width, bool with_auc) {
  on_write_left(out, on_str_c(first), width);
  on_buf_str(out, ON_STR(" | Precision |    Recall |  F1 Score "));
  if (with_auc) on_buf_str(out, ON_STR("|   ROC AUC "));
  on_buf_str(out, ON_STR("|      Gold | Predicted |   Correct\n"));
  for (size_t i = 0; i <= width; i++) on_buf_char(out, '-');
  for (int column = 0; column < (with_auc ? 7 : 6); column++) on_buf_str(out, ON_STR("+-----------"));
  end_line(out);
}

static void write_counts(on_buf *out, const on_score *score) {
  on_buf_char(out, '|');
  write_number(out, score->gold);
  on_buf_char(out, '|');
  write_number(out, score->system);
  on_buf_char(out, '|');
  write_number(out, score->correct);
}

static void write_label_row(on_buf *out, on_str label, size_t width, const on_score *score) {
  on_write_left(out, label, width);
  on_buf_char(out, ' ');
  write_prf(out, score);
  write_counts(out, score);
  end_line(out);
}

void on_label_table(on_buf *out, const on_label_scores *scores) {
  size_t width = strlen("Label");
  for (size_t i = 0; i < scores->label_count; i++) width = label_width(width, scores->labels[i].label);
  write_head(out, "Label", width, false);
  write_label_row(out, ON_STR("all"), width, &scores->all);
  for (size_t i = 0; i < scores->label_count; i++) {
    write_label_row(out, scores->labels[i].label, width, &scores->labels[i].score);
  }
}

static void write_counts_json(on_buf *out, const on_score *score) {
  on_write_count(out, "gold", score->gold);
  on_write_count(out, "predicted", score->system);
  on_write_count(out, "correct", score->correct);
}

static void write_label_key(on_buf *out, size_t i, on_str label) {
  if (i) on_buf_char(out, ',');
  on_json_write_string(out, label);
  on_buf_char(out, ':');
}

void on_label_json(on_buf *out, const on_label_scores *scores) {
  write_prf_json(out, &scores->all);
  write_counts_json(out, &scores->all);
  on_buf_str(out, ON_STR(",\"labels\":{"));
  for (size_t i = 0; i < scores->label_count; i++) {
    write_label_key(out, i, scores->labels[i].label);
    write_prf_json(out, &scores->labels[i].score);
    write_counts_json(out, &scores->labels[i].score);
    on_buf_char(out, '}');
  }
  on_buf_str(out, ON_STR("}}"));
}

static void write_summary(on_buf *out, const char *name, double value) {
  on_write_left(out, on_str_c(name), 9);
  on_write_percent(out, value, CELL);
  on_buf_char(out, '\n');
}

void on_textcat_table(on_buf *out, const on_textcat_scores *scores, const on_str *labels,
                      const on_category_score *categories, size_t count) {
  bool with_auc = scores->roc_auc >= 0;
  size_t width = strlen("Category");
  for (size_t i = 0; i < count; i++) width = label_width(width, labels[i]);
  write_summary(out, "Accuracy", scores->accuracy);
  write_summary(out, "Micro F1", on_score_f1(&scores->all));
  write_summary(out, "Macro F1", scores->macro_f1);
  if (with_auc) write_summary(out, "ROC AUC", scores->roc_auc);
  on_buf_char(out, '\n');
  write_head(out, "Category", width, with_auc);
  for (size_t i = 0; i < count; i++) {
    on_write_left(out, labels[i], width);
    on_buf_char(out, ' ');
    write_prf(out, &categories[i].score);
    if (with_auc) {
      on_buf_char(out, '|');
      write_percent(out, categories[i].roc_auc >= 0, categories[i].roc_auc);
    }
    write_counts(out, &categories[i].score);
    end_line(out);
  }
}

void on_textcat_json(on_buf *out, const on_textcat_scores *scores, const on_str *labels,
                     const on_category_score *categories, size_t count) {
  write_prf_json(out, &scores->all);
  on_write_member(out, "accuracy", scores->accuracy);
  on_write_member(out, "macroF1", scores->macro_f1);
  on_write_member(out, "rocAuc", scores->roc_auc);
  on_write_count(out, "documents", scores->documents);
  on_write_count(out, "correct", scores->correct);
  on_buf_str(out, ON_STR(",\"categories\":{"));
  for (size_t i = 0; i < count; i++) {
    write_label_key(out, i, labels[i]);
    write_prf_json(out, &categories[i].score);
    on_write_member(out, "rocAuc", categories[i].roc_auc);
    write_counts_json(out, &categories[i].score);
    on_buf_char(out, '}');
  }
  on_buf_str(out, ON_STR("}}"));
}

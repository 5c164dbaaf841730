#include "score/textcat.h"

#include <math.h>

#include "base/alloc.h"
#include "base/sort.h"

static void clear(on_category_score *categories, size_t labels, on_textcat_scores *out) {
  for (size_t i = 0; i < labels; i++) categories[i] = (on_category_score){.score = {.present = true}, .roc_auc = -1};
  *out = (on_textcat_scores){.all = {.present = true}, .roc_auc = -1};
}

static void average(const on_category_score *categories, size_t labels, on_textcat_scores *out) {
  double f1 = 0, auc = 0;
  size_t seen = 0, curves = 0;
  for (size_t i = 0; i < labels; i++) {
    const on_category_score *category = &categories[i];
    if (category->score.gold || category->score.system) {
      f1 += on_score_f1(&category->score);
      seen++;
    }
    if (category->roc_auc >= 0) {
      auc += category->roc_auc;
      curves++;
    }
  }
  out->macro_f1 = seen ? f1 / (double)seen : 0;
  out->roc_auc = curves ? auc / (double)curves : -1;
  out->accuracy = out->documents ? (double)out->correct / (double)out->documents : 0;
}

bool on_textcat_single(const uint32_t *gold, const uint32_t *predicted, size_t documents, size_t labels,
                       on_category_score *categories, on_textcat_scores *out, on_error *error) {
  clear(categories, labels, out);
  for (size_t i = 0; i < documents; i++) {
    bool other = gold[i] == ON_TEXTCAT_OTHER;
    if (predicted[i] >= labels || (!other && gold[i] >= labels)) {
      return on_fail(error, ON_INVALID_ARGUMENT, -1, "document %lu: its category is not one of the %lu labels",
                     (unsigned long)i, (unsigned long)labels);
    }
    bool correct = gold[i] == predicted[i];
    categories[predicted[i]].score.system++;
    categories[predicted[i]].score.correct += correct;
    if (!other) categories[gold[i]].score.gold++;
    out->correct += correct;
  }
  out->documents = documents;
  out->all.gold = out->all.system = documents;
  out->all.correct = out->correct;
  average(categories, labels, out);
  return true;
}

typedef struct ranked {
  float score;
  bool positive;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  return (x->score > y->score) - (x->score < y->score);
}

// From the ranks of the positives (Mann and Whitney); equal scores share the mean of their ranks.
static double area(const ranked *list, size_t count) {
  uint64_t positives = 0, twice_ranks = 0;
  for (size_t from = 0, to; from < count; from = to) {
    uint64_t here = 0;
    for (to = from; to < count && list[to].score == list[from].score; to++) here += list[to].positive;
    positives += here;
    twice_ranks += here * ((uint64_t)from + 1 + (uint64_t)to);
  }
  uint64_t negatives = count - positives;
  if (positives == 0 || negatives == 0) return -1;
  uint64_t twice_wins = twice_ranks - positives * (positives + 1);
  return (double)twice_wins / (2.0 * (double)positives * (double)negatives);
}

static bool roc_auc(const uint8_t *gold, const float *scores, size_t count, size_t stride, ranked *list, double *auc,
                    on_error *error) {
  for (size_t i = 0; i < count; i++) {
    list[i] = (ranked){scores[i * stride], gold[i * stride] != 0};
    if (isnan(list[i].score)) {
      return on_fail(error, ON_INVALID_ARGUMENT, -1, "document %lu: a score is not a number", (unsigned long)i);
    }
  }
  if (!on_sort(list, count, sizeof *list, compare_ranked)) return on_fail_memory(error);
  *auc = area(list, count);
  return true;
}

static ranked *new_ranked(size_t count) {
  return count <= SIZE_MAX / 4 / sizeof(ranked) ? on_malloc((count ? count : 1) * sizeof(ranked)) : NULL;
}

bool on_roc_auc(const uint8_t *gold, const float *scores, size_t count, size_t stride, double *auc, on_error *error) {
  ranked *list = new_ranked(count);
  bool done = list ? roc_auc(gold, scores, count, stride, list, auc, error) : on_fail_memory(error);
  on_free(list);
  return done;
}

bool on_textcat_multi(const uint8_t *gold, const float *scores, size_t documents, size_t labels, float threshold,
                      on_category_score *categories, on_textcat_scores *out, on_error *error) {
  clear(categories, labels, out);
  ranked *list = new_ranked(documents);
  bool done = list || on_fail_memory(error);
  for (size_t c = 0; done && c < labels; c++) {
    done = roc_auc(gold + c, scores + c, documents, labels, list, &categories[c].roc_auc, error);
  }
  on_free(list);
  if (!done) return false;
  for (size_t i = 0; i < documents; i++) {
    const uint8_t *in = gold + i * labels;
    const float *of = scores + i * labels;
    bool right = true;
    for (size_t c = 0; c < labels; c++) {
      bool has = in[c] != 0, predicted = of[c] >= threshold;
      categories[c].score.gold += has;
      categories[c].score.system += predicted;
      categories[c].score.correct += has && predicted;
      right &= has == predicted;
    }
    out->correct += right;
  }
  out->documents = documents;
  for (size_t c = 0; c < labels; c++) {
    out->all.gold += categories[c].score.gold;
    out->all.system += categories[c].score.system;
    out->all.correct += categories[c].score.correct;
  }
  average(categories, labels, out);
  return true;
}

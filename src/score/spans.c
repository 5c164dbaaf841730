#include "score/spans.h"

#include "base/sort.h"

bool on_spans_of_doc(on_labelled_list *list, uint32_t document, const on_doc *doc, on_str group, on_error *error) {
  for (size_t g = 0; g < doc->group_count; g++) {
    if (!on_str_eq(doc->groups[g].name, group)) continue;
    for (size_t i = 0; i < doc->groups[g].count; i++) {
      const on_span *span = &doc->groups[g].spans[i];
      on_labelled item = {.document = document, .start = doc->source_start[span->first],
                          .end = doc->source_end[span->end - 1], .label = span->label, .score = span->score};
      if (!on_labelled_add(list, item, error)) return false;
    }
  }
  return true;
}

bool on_spans_evaluate(const on_labelled *gold, size_t gold_count, const on_labelled *candidates,
                       size_t candidate_count, float threshold, on_label_scores *out, on_error *error) {
  return on_labelled_score(gold, gold_count, candidates, candidate_count, threshold, out, error);
}

static int compare_scores(const void *a, const void *b) {
  const on_match *x = a, *y = b;
  return (x->score < y->score) - (x->score > y->score);  // highest first
}

// F1 of a above that of b; gold is the same, so no division is needed.
static bool is_better(const on_score *a, const on_score *b) {
  return a->correct * (b->system + b->gold) > b->correct * (a->system + a->gold);
}

static float between(float included, float excluded) {
  float middle = excluded + (included - excluded) / 2;
  return middle > excluded ? middle : included;
}

bool on_spans_best_threshold(const on_labelled *gold, size_t gold_count, const on_labelled *candidates,
                             size_t candidate_count, on_best_threshold *out, on_error *error) {
  for (size_t i = 0; i < candidate_count; i++) {
    if (!(candidates[i].score >= 0 && candidates[i].score <= 1)) {
      return on_fail(error, ON_INVALID_ARGUMENT, -1, "document %lu: the score of [%lu, %lu) is not a probability",
                     (unsigned long)candidates[i].document, (unsigned long)candidates[i].start,
                     (unsigned long)candidates[i].end);
    }
  }
  on_arena arena = {0};
  on_matched matched;
  bool done = on_labelled_match(gold, gold_count, candidates, candidate_count, &arena, &matched, error);
  if (done && !on_sort(matched.predicted, matched.predicted_count, sizeof *matched.predicted, compare_scores)) {
    done = on_fail_memory(error);
  }
  if (done) {
    const on_match *list = matched.predicted;
    size_t n = matched.predicted_count;
    on_score score = {.present = true, .gold = matched.gold_count};
    *out = (on_best_threshold){.threshold = 1, .score = score};
    for (size_t i = 0; i < n && list[i].score > 0; i++) {
      score.system++;
      score.correct += list[i].correct;
      if (i + 1 < n && list[i + 1].score == list[i].score) continue;  // no threshold parts equal scores
      if (is_better(&score, &out->score)) {
        *out = (on_best_threshold){
            .threshold = i + 1 < n ? between(list[i].score, list[i + 1].score) : list[i].score, .score = score};
      } else if (list[i].score == 1) {
        out->score = score;  // what the threshold 1 lets in
      }
    }
  }
  on_arena_free(&arena);
  return done;
}

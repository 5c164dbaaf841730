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

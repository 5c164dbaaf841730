#include "head/biluo.h"

bool on_biluo_follows(uint32_t before, uint32_t tag) {
  uint32_t was = on_biluo_which(before), is = on_biluo_which(tag);
  bool open = was == ON_BILUO_B || was == ON_BILUO_I, continues = is == ON_BILUO_I || is == ON_BILUO_L;
  if (open != continues) return false;
  return !open || on_biluo_label(before) == on_biluo_label(tag);
}

// Viterbi (1967). What is known after each token is the best sum of the sequences that leave no entity open, and
// for each label the best of those whose last tag is its B or its I. Every sentence ends with nothing open.
bool on_biluo_decode(const float *scores, size_t n, uint32_t labels, const uint8_t *sent_start, on_arena *scratch,
                     uint32_t *tags) {
  size_t width = on_biluo_tags(labels);
  // closed[i]: the best closed tag of token i; from_inside[i][k]: I was better than B before an I or L of k.
  uint32_t *closed = ON_NEW(scratch, uint32_t, n);
  uint8_t *from_inside = labels && n > SIZE_MAX / labels ? NULL : ON_NEW(scratch, uint8_t, n * labels);
  float *begun = ON_NEW(scratch, float, labels), *inside = ON_NEW(scratch, float, labels);
  if (!closed || !from_inside || !begun || !inside) return false;
  float sum = 0;        // of the best closed sequence up to the token before
  bool open = false;    // begun[] holds sums of the token before
  bool deeper = false;  // and so does inside[]
  for (size_t i = 0; i < n; i++) {
    const float *x = scores + i * width;
    if (i == 0 || sent_start[i]) open = deeper = false;
    float before = sum;
    uint32_t best = ON_BILUO_O;
    float best_sum = before + x[0];
    for (uint32_t k = 0; k < labels; k++) {
      if (open) {
        bool in = deeper && inside[k] > begun[k];
        float longest = in ? inside[k] : begun[k];
        from_inside[i * labels + k] = in;
        float last = longest + x[on_biluo_tag(k, ON_BILUO_L)];
        if (last > best_sum) {
          best_sum = last;
          best = on_biluo_tag(k, ON_BILUO_L);
        }
        inside[k] = longest + x[on_biluo_tag(k, ON_BILUO_I)];
      }
      float alone = before + x[on_biluo_tag(k, ON_BILUO_U)];
      if (alone > best_sum) {
        best_sum = alone;
        best = on_biluo_tag(k, ON_BILUO_U);
      }
      begun[k] = before + x[on_biluo_tag(k, ON_BILUO_B)];
    }
    deeper = open;
    open = true;
    closed[i] = best;
    sum = best_sum;
  }
  uint32_t next = ON_BILUO_O;  // the tag behind token i: what it must continue to, when that is an I or L
  for (size_t i = n; i-- > 0;) {
    uint32_t which = on_biluo_which(next);
    if (which == ON_BILUO_I || which == ON_BILUO_L) {
      uint32_t k = on_biluo_label(next);
      tags[i] = on_biluo_tag(k, from_inside[(i + 1) * labels + k] ? ON_BILUO_I : ON_BILUO_B);
    } else {
      tags[i] = closed[i];
    }
    next = tags[i];
  }
  return true;
}

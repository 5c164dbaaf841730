// Losses and their gradients.
#include <math.h>
#include <string.h>

#include "nn/kernels.h"
#include "nn/math.h"
#include "train/layers.h"

// One row that counts `times` times: adds to *loss and writes d[n] (may be x, or NULL).
static void cross_entropy_row(on_train_loss *loss, float *d, const float *x, size_t n, size_t target, float smoothing,
                              float times, float weight) {
  const on_kernels *kernels = on_kernels_best();
  const size_t top = kernels->argmax(x, n);
  const float most = x[top], wanted = x[target];
  double all = 0.0;
  if (smoothing > 0.0f) {
    for (size_t j = 0; j < n; j++) {
      all += (double)x[j];
    }
  }
  double total = 0.0;
  float part[256];
  for (size_t j = 0; j < n; j += 256) {
    const size_t here = n - j < 256 ? n - j : 256;
    float *e = d ? d + j : part;
    for (size_t i = 0; i < here; i++) {
      e[i] = x[j + i] - most;
    }
    kernels->exp(e, here);
    for (size_t i = 0; i < here; i++) {
      total += (double)e[i];
    }
  }
  const double log_total = (double)on_log((float)total) + (double)most;
  const double s = (double)smoothing;
  loss->sum += (double)times * (log_total - (1.0 - s) * (double)wanted - (s > 0.0 ? s / (double)n * all : 0.0));
  loss->count++;
  loss->correct += top == target;
  if (d) {
    weight *= times;
    const float scale = (float)((double)weight / total), even = weight * smoothing / (float)n;
    for (size_t j = 0; j < n; j++) {
      d[j] = d[j] * scale - even;
    }
    d[target] -= weight * (1.0f - smoothing);
  }
}

on_train_loss on_train_cross_entropy_of_rows(float *dlogits, const float *logits, size_t ld, const int32_t *target,
                                             const float *rows, size_t m, size_t n, float smoothing, float weight) {
  on_train_loss loss = {0.0, 0, 0};
  for (size_t i = 0; i < m; i++) {
    float *d = dlogits ? dlogits + i * ld : NULL;
    if (target[i] >= 0 && (size_t)target[i] < n) {
      cross_entropy_row(&loss, d, logits + i * ld, n, (size_t)target[i], smoothing, rows ? rows[i] : 1.0f, weight);
    } else if (d) {
      memset(d, 0, n * sizeof *d);
    }
  }
  return loss;
}

on_train_loss on_train_cross_entropy(float *dlogits, const float *logits, size_t ld, const int32_t *target, size_t m,
                                     size_t n, float smoothing, float weight) {
  return on_train_cross_entropy_of_rows(dlogits, logits, ld, target, NULL, m, n, smoothing, weight);
}

on_train_loss on_train_weighted_binary_cross_entropy(float *dlogits, const float *logits, const float *target,
                                                     const float *positive, size_t m, size_t n, float weight) {
  on_train_loss loss = {0.0, 0, 0};
  for (size_t i = 0; i < m * n; i++) {
    const float x = logits[i], t = target[i];
    if (t != t) {
      if (dlogits) {
        dlogits[i] = 0.0f;
      }
      continue;
    }
    // t -ln sigmoid(x) + (1 - t) -ln sigmoid(-x), with ln(1 + exp(-|x|)) in both: no overflow for any x
    const float there = positive ? t * positive[i % n] : t, absent = 1.0f - t;
    const double rest = (double)on_log(1.0f + on_exp(-fabsf(x)));
    loss.sum += (double)there * ((double)(x < 0.0f ? -x : 0.0f) + rest) +
                (double)absent * ((double)(x > 0.0f ? x : 0.0f) + rest);
    loss.count++;
    loss.correct += (x > 0.0f) == (t > 0.5f);
    if (dlogits) {
      const float p = on_sigmoid(x);
      dlogits[i] = weight * (absent * p - there * (1.0f - p));
    }
  }
  return loss;
}

on_train_loss on_train_binary_cross_entropy(float *dlogits, const float *logits, const float *target, size_t n,
                                            float weight) {
  return on_train_weighted_binary_cross_entropy(dlogits, logits, target, NULL, 1, n, weight);
}

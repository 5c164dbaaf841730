// Biaffine scores of labels.
#include <string.h>

#include "nn/fastmath.h"
#include "train/layers.h"

size_t on_train_label_scratch(size_t m, size_t labels, size_t k) { return m * labels * k; }

void on_train_label_forward(float *scores, const float *dep, const float *head, const float *u, const float *w_dep,
                            const float *w_head, const float *b, size_t m, size_t labels, size_t k, float *scratch) {
  on_train_linear_forward(scores, labels, dep, k, w_dep, b, m, labels, k);
  on_gemm_nt(scores, labels, head, k, w_head, k, m, labels, k, 1.0f);
  if (!u) {
    return;
  }
  // scratch[i][l][a] = u_l[a] . head[i]: one product for all labels
  const size_t row = labels * k;
  on_gemm_nt(scratch, row, head, k, u, k, m, row, k, 0.0f);
  for (size_t i = 0; i < m; i++) {
    on_gemv_t(scores + i * labels, scratch + i * row, k, dep + i * k, labels, k, 1.0f);
  }
}

void on_train_label_backward(float *ddep, float *dhead, float *du, float *dw_dep, float *dw_head, float *db,
                             const float *dscores, const float *dep, const float *head, const float *u,
                             const float *w_dep, const float *w_head, size_t m, size_t labels, size_t k,
                             float *scratch) {
  on_train_linear_backward(ddep, k, dw_dep, db, dscores, labels, dep, k, w_dep, m, labels, k);
  on_train_linear_backward(dhead, k, dw_head, NULL, dscores, labels, head, k, w_head, m, labels, k);
  if (!u) {
    return;
  }
  const size_t row = labels * k;
  for (size_t i = 0; i < m; i++) {
    const float *ds = dscores + i * labels;
    float *t = scratch + i * row;
    on_gemv_n(ddep + i * k, ds, t, k, labels, k, 1.0f);
    // From here on t is the gradient of itself: dscores[l] * dep[a].
    for (size_t l = 0; l < labels; l++) {
      for (size_t a = 0; a < k; a++) {
        t[l * k + a] = ds[l] * dep[i * k + a];
      }
    }
  }
  on_gemm_nn(dhead, k, scratch, row, u, k, m, k, row, 1.0f);
  on_gemm_tn(du, k, scratch, row, head, k, row, k, m, 1.0f);
}

// Our own elementary functions: the same bits on every platform (only IEEE add, multiply, divide, compare
// and integer operations). Accuracy is stated in docs/format.md and tested against double precision.
#ifndef ON_NN_MATH_H
#define ON_NN_MATH_H

float on_exp(float x);      // 0 below -87.33 (no denormals), finite: clamped above 88.72
float on_log(float x);      // x > 0, normal; for probabilities and losses
float on_tanh(float x);
float on_sigmoid(float x);
float on_erf(float x);
float on_gelu(float x);     // 0.5 * x * (1 + erf(x / sqrt(2)))
float on_sqrt(float x);     // correctly rounded (hardware)

#endif

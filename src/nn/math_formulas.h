// The formulas of exp, tanh, sigmoid, erf and gelu, written once for scalars (math.c) and for vectors of
// any lane count (kernels_lanes.h), so that they agree bit for bit. No include guard: the file that
// includes this one defines before
//   ON_F, ON_U           the float type, and the unsigned 32-bit type with the same lanes
//   ON_FN(name)          names of the functions made here
//   ON_INLINE            their storage class and attributes
//   ON_SPLAT(c)          the constant c as ON_F
//   ON_BITS(f), ON_FLOAT(u)   reinterpretation
//   ON_LESS(a, b)        all bits set where a < b, else 0 (false for NaN)
//   ON_IS_NAN(f)         all bits set where f is NaN
//   ON_AT_LEAST(f, c)    c where f < c, else f (NaN stays NaN)
//   ON_WITHOUT(f, mask)  0 where all bits of the mask are set, f where none is
// No branches, only add, multiply, divide and integer operations, each rounded by itself. NaN gives NaN.

ON_INLINE ON_F ON_FN(select)(ON_U mask, ON_F yes, ON_F no) {
  return ON_FLOAT((mask & ON_BITS(yes)) | (~mask & ON_BITS(no)));
}

// exp(x) = 2^n * exp(r), n = round(x / ln 2), |r| <= ln(2) / 2; exp(r) by a minimax polynomial. Adding
// 1.5 * 2^23 rounds to an integer that then stands in the low bits of the sum. Returns exp(r) and n in the exponent field.
ON_INLINE ON_F ON_FN(exp_parts)(ON_F x, ON_U *power) {
  const float shifter = 12582912.0f;
  const ON_F t = x * ON_SPLAT(1.44269504f) + ON_SPLAT(shifter);
  const ON_F n = t - ON_SPLAT(shifter);
  ON_F r = x - n * ON_SPLAT(0.693359375f);  // the first part of ln 2 has 9 bits: the product is exact
  r = r - n * ON_SPLAT(-2.12194440e-4f);
  ON_F p = ON_SPLAT(0.00139504788f);
  p = p * r + ON_SPLAT(0.00836888421f);
  p = p * r + ON_SPLAT(0.041666206f);
  p = p * r + ON_SPLAT(0.166665182f);
  p = p * r + ON_SPLAT(0.5f);
  p = p * (r * r) + r;
  *power = ON_BITS(t) << 23;
  return p + ON_SPLAT(1.0f);
}

ON_INLINE ON_F ON_FN(exp)(ON_F x) {
  const float low = -87.33f, high = 88.72f;
  const ON_U under = ON_LESS(x, ON_SPLAT(low));
  ON_F v = ON_FN(select)(under, ON_SPLAT(low), x);
  v = ON_FN(select)(ON_LESS(ON_SPLAT(high), v), ON_SPLAT(high), v);
  ON_U power;
  const ON_F p = ON_FN(exp_parts)(v, &power);
  // Times 2^n in the exponent field; n = -126 .. 128, and where it is 128, p < 1: never out of range.
  const ON_F scaled = ON_FLOAT((ON_BITS(p) + power) & ~under);
  return ON_FN(select)(ON_IS_NAN(x), x, scaled);
}

// exp(x) for x <= 0 and NaN, the same bits with fewer operations: there is no upper end, and the factor 2^n (always a
// normal number, since n = -126 .. 0) takes NaN along. Below -87.33, where exp is 0, this is still exp(-87.33), too
// little to change a number near 1.
#define ON_EXP_LOW (-87.33f)
ON_INLINE ON_F ON_FN(exp_limited)(ON_F x) {
  ON_U power;
  const ON_F p = ON_FN(exp_parts)(ON_AT_LEAST(x, ON_SPLAT(ON_EXP_LOW)), &power);
  return p * ON_FLOAT(power + 0x3F800000u);
}

ON_INLINE ON_F ON_FN(exp_negative)(ON_F x) {
  return ON_WITHOUT(ON_FN(exp_limited)(x), ON_LESS(x, ON_SPLAT(ON_EXP_LOW)));
}

ON_INLINE ON_F ON_FN(abs)(ON_F x) { return ON_FLOAT(ON_BITS(x) & 0x7FFFFFFFu); }

// With e = exp(-|x|): 1 / (1 + e), or e / (1 + e) for negative x; neither overflows nor cancels.
ON_INLINE ON_F ON_FN(sigmoid)(ON_F x) {
  const ON_F e = ON_FN(exp_limited)(ON_FLOAT(ON_BITS(x) | 0x80000000u));
  const ON_F one = ON_SPLAT(1.0f);
  // e is at most 1
  const ON_F above = ON_AT_LEAST(ON_WITHOUT(one, ON_LESS(x, ON_SPLAT(0.0f))),
                                 ON_WITHOUT(e, ON_LESS(x, ON_SPLAT(ON_EXP_LOW))));
  return above / (one + e);
}

// (1 - e) / (1 + e) with e = exp(-2|x|), and the sign of x.
ON_INLINE ON_F ON_FN(tanh)(ON_F x) {
  const ON_F e = ON_FN(exp_limited)(ON_FN(abs)(x) * ON_SPLAT(-2.0f));
  const ON_F one = ON_SPLAT(1.0f);
  const ON_F y = (one - e) / (one + e);
  return ON_FLOAT(ON_BITS(y) | (ON_BITS(x) & 0x80000000u));
}

// 1 - exp(-q(|x|)) with q a polynomial for -ln(erfc) on [0, 4], and the sign of x.
ON_INLINE ON_F ON_FN(erf)(ON_F x) {
  ON_F a = ON_FN(abs)(x);
  a = ON_FN(select)(ON_LESS(ON_SPLAT(4.0f), a), ON_SPLAT(4.0f), a);
  ON_F q = ON_SPLAT(3.14401332e-05f);
  q = q * a + ON_SPLAT(-0.000308801798f);
  q = q * a + ON_SPLAT(0.00103240006f);
  q = q * a + ON_SPLAT(0.000536936452f);
  q = q * a + ON_SPLAT(-0.0195839629f);
  q = q * a + ON_SPLAT(0.102919616f);
  q = q * a + ON_SPLAT(0.636597753f);
  q = q * a + ON_SPLAT(1.1283803f);
  q = q * a;
  const ON_F y = ON_SPLAT(1.0f) - ON_FN(exp_negative)(ON_SPLAT(0.0f) - q);
  return ON_FLOAT(ON_BITS(y) | (ON_BITS(x) & 0x80000000u));
}

ON_INLINE ON_F ON_FN(gelu)(ON_F x) {
  return ON_SPLAT(0.5f) * x * (ON_SPLAT(1.0f) + ON_FN(erf)(x * ON_SPLAT(0.707106781f)));
}

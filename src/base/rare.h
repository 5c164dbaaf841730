// Code that few texts and few files need: kept small, and out of the functions that all of them need, since an engine of
// WebAssembly compiles a function when it is first called.
#ifndef ON_BASE_RARE_H
#define ON_BASE_RARE_H

#define ON_APART __attribute__((noinline))  // the same, but as fast as it can be

// Before a loop of few rounds, which would only become longer.
#if defined(__clang__)
#define ON_AS_WRITTEN _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define ON_AS_WRITTEN _Pragma("GCC unroll 1")
#endif

#if defined(__clang__)
#define ON_RARE __attribute__((noinline, cold, minsize))
#else
#define ON_RARE __attribute__((noinline, cold))
#endif

#endif

// Prints hashes of what the characters are and become, of all code points: "<what> <hash>" a line. The modules have a
// part of utf8proc's tables (tools/cut-utf8proc.mjs), the native library has all; tests/js/bits.test.mjs compares them.
#include <inttypes.h>
#include <stdio.h>

#include "text/chars.h"
#include "text/fold.h"
#include "text/normalize.h"

enum { CODE_POINTS = 0x110000 };

static uint64_t add(uint64_t hash, const uint32_t *values, size_t n) {
  for (size_t i = 0; i < n; i++) hash = (hash ^ values[i]) * 0x100000001B3u;
  return hash;
}

static void print_decompositions(const char *name, bool compatibility) {
  uint64_t hash = 0;
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    uint32_t parts[ON_DECOMPOSE_MOST];
    hash = add(hash, parts, on_decompose(c, compatibility, parts));
  }
  printf("%s %016" PRIx64 "\n", name, hash);
}

// Each code point behind what many others compose with, and behind what it decomposes to.
static void print_compositions(void) {
  static const uint32_t firsts[] = {'A', 'u', 0xFC, 0x391, 0x415, 0x915, 0x1100, 0xAC00, 0xAC01, 0x11099, 0x30AB};
  uint64_t hash = 0;
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    uint32_t parts[ON_DECOMPOSE_MOST];
    const size_t n = on_decompose(c, false, parts);
    for (size_t i = 1; i < n; i++) hash = add(hash, &(uint32_t){on_compose(parts[i - 1], parts[i])}, 1);
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) hash = add(hash, &(uint32_t){on_compose(firsts[i], c)}, 1);
  }
  printf("composition %016" PRIx64 "\n", hash);
}

int main(void) {
  uint64_t classes = 0, characters = 0;
  for (uint32_t c = 0; c < CODE_POINTS; c++) {
    const uint32_t values[] = {on_category(c), on_lower(c), on_upper(c)};
    uint32_t folded[ON_FOLD_MOST];
    characters = add(add(characters, values, 3), folded, on_fold(c, folded));
    classes = add(classes, &(uint32_t){on_combining_class(c)}, 1);
  }
  printf("characters %016" PRIx64 "\nclasses %016" PRIx64 "\n", characters, classes);
  print_decompositions("canonical", false);
  print_decompositions("compatibility", true);
  print_compositions();
  return 0;
}

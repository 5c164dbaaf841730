/* Alignment of two tokenizations of one text. */
#include "test.h"

#include <time.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/random.h"
#include "doc/align.h"
#include "text/chars.h"
#include "text/fold.h"
#include "text/utf.h"

/* A Doc whose tokens stand in brackets: "[Ada] [met][.]". Text outside of brackets is no token's. */
static void make(on_doc *doc, const char *marked) {
  on_doc_init(doc);
  on_error error;
  on_str16 all;
  assert_true(on_utf16_from_utf8(&doc->arena, on_str_c(marked), &all, &error));
  uint16_t *text = ON_NEW(&doc->arena, uint16_t, all.n);
  size_t tokens = 0;
  for (size_t i = 0; i < all.n; i++) tokens += all.p[i] == '[';
  assert_true(on_doc_set_tokens(doc, tokens));
  size_t n = 0, token = 0;
  for (size_t i = 0; i < all.n; i++) {
    if (all.p[i] == '[') {
      doc->start[token] = doc->source_start[token] = (uint32_t)n;
    } else if (all.p[i] == ']') {
      doc->end[token] = doc->source_end[token] = (uint32_t)n;
      token++;
    } else {
      text[n++] = all.p[i];
    }
  }
  doc->text = doc->source = (on_str16){text, n};
  doc->unit_end = (uint32_t)n;
}

/* Predicted token by token what it is aligned to: "0 1-2 -" = overlaps token 0; tokens 1 to 2; none. */
static void assert_aligned(const char *predicted, const char *reference, const char *expected) {
  on_doc p, r;
  make(&p, predicted);
  make(&r, reference);
  on_alignment a;
  on_error error;
  if (!on_align(&a, &p, &r, &error)) fail_msg("%s | %s: %s", predicted, reference, error.text);
  on_buf got = {0};
  for (size_t i = 0; i < p.n; i++) {
    if (i) on_buf_char(&got, ' ');
    const uint32_t first = a.first[i], end = a.end[i];
    assert_true(first <= end && end <= a.reference.n);
    if (first == end) {
      on_buf_char(&got, '-');
      assert_int_equal(a.to_reference[i], ON_UNALIGNED);
    } else if (end == first + 1) {
      on_buf_u64(&got, a.reference.token[first]);
      assert_int_equal(a.to_reference[i], a.reference.token[first]);
    } else {
      on_buf_format(&got, "%u-%u", a.reference.token[first], a.reference.token[end - 1]);
      assert_int_equal(a.to_reference[i], ON_UNALIGNED);
    }
  }
  on_buf_char(&got, 0);
  if (strcmp(got.p, expected) != 0) fail_msg("%s | %s: got %s, expected %s", predicted, reference, got.p, expected);
  on_buf_free(&got);
  on_alignment_free(&a);
  on_doc_free(&p);
  on_doc_free(&r);
}

static void assert_differ(const char *predicted, const char *reference, int64_t at) {
  on_doc p, r;
  make(&p, predicted);
  make(&r, reference);
  on_alignment a;
  on_error error = {0};
  if (on_align(&a, &p, &r, &error)) fail_msg("%s | %s: aligned", predicted, reference);
  assert_false(on_align(&a, &p, &r, NULL));
  assert_int_equal(error.code, ON_INVALID_ARGUMENT);
  assert_int_equal(error.position, at);
  on_doc_free(&p);
  on_doc_free(&r);
}

static void tokens(void **state) {
  (void)state;
  assert_aligned("[a] [b] [c]", "[a] [b] [c]", "0 1 2");
  assert_aligned("[ab] [c]", "[a] [b] [c]", "0-1 2");
  assert_aligned("[a][b] [c]", "[ab] [c]", "0 0 1");
  assert_aligned("[ab][cd]", "[a][bc][d]", "0-1 1-2");
  assert_aligned("[don't]", "[do][n't]", "0-1");
  assert_aligned("[do] [n't]", "[don]['t]", "0 0-1");
  /* not every character needs a token, on either side */
  assert_aligned("[a], [b]", "[a][,] [b]", "0 2");
  assert_aligned("[a][,] [b]", "[a], [b]", "0 - 1");
  assert_aligned("a b", "[a] [b]", "");
  /* tokens with white space in them, or of nothing else */
  assert_aligned("[a b]", "[a] [b]", "0-1");
  assert_aligned("[a][ ][b]", "[a] [b]", "0 - 1");
  assert_aligned("[ab]", "[a][ ][b]", "0-2");
  assert_aligned("[a] [b]", "[a ][ ][ b]", "0 2");
}

static void white_space(void **state) {
  (void)state;
  assert_aligned("[ab] [c]", "[a] [b]  [c]", "0-1 2");
  assert_aligned("[a] [b]", "[a][b]", "0 1");
  assert_aligned("  [a]", "[a]\n\n", "0");
  /* every character with the property White_Space */
  assert_aligned("[a][b][c][d][e][f][g][h][i][j][k]",
                 "[a]\t[b]\v[c]\f\r\n[d]\xC2\x85[e]\xC2\xA0[f]\xE1\x9A\x80[g]\xE2\x80\x83[h]\xE2\x80\xA8[i]\xE2\x80\xA9"
                 "[j]\xE2\x80\xAF\xE2\x81\x9F\xE3\x80\x80[k]",
                 "0 1 2 3 4 5 6 7 8 9 10");
  /* U+200B and U+FEFF are characters */
  assert_differ("[ab]", "[a]\xE2\x80\x8B[b]", 1);
  assert_differ("[a]\xEF\xBB\xBF", "[a]", 1);
}

static void empty_texts(void **state) {
  (void)state;
  assert_aligned("", "", "");
  assert_aligned(" \n", "", "");
  assert_aligned("[ ]", "", "-");
  assert_differ("", "[a]", 0);
  assert_differ("[a]", "", 0);
  on_doc p = {0}, r;
  make(&r, "[a]");
  on_alignment a;
  on_error error;
  assert_false(on_align(&a, &p, &r, &error));
  assert_true(on_align(&a, &p, &p, &error));
  on_alignment_free(&a);
  on_doc_free(&r);
}

static void case_pairs(void **state) {
  (void)state;
  assert_aligned("[ADA] [Met]", "[Ada] [mET]", "0 1");
  assert_aligned("[STRASSE]", "[stra\xC3\x9F" "e]", "0");
  assert_aligned("[Stra\xC3\x9F" "e]", "[STRAS][SE]", "0-1");
  assert_aligned("[STRAS][SE]", "[Stra\xC3\x9F][e]", "0 0-1");
  assert_aligned("[\xE1\xBA\x9E]", "[ss]", "0");                       /* capital sharp s */
  assert_aligned("[\xEF\xAC\x81sh] [x]", "[fi][sh] [x]", "0-1 2");     /* fi ligature */
  assert_aligned("[f][i]", "[\xEF\xAC\x81]", "0 0");
  assert_aligned("[\xEF\xAC\x84]", "[F][F][L]", "0-2");                /* ffl ligature */
  assert_aligned("[\xC4\xB0stanbul]", "[i\xCC\x87stanbul]", "0");      /* dotted capital I */
  assert_aligned("[i][\xCC\x87s]", "[\xC4\xB0][S]", "0 0-1");
  assert_aligned("[\xCE\xA3\xCE\xA3]", "[\xCF\x83\xCF\x82]", "0");     /* final sigma */
  assert_aligned("[\xF0\x90\x90\x80] [a]", "[\xF0\x90\x90\xA8] [A]", "0 1");  /* Deseret: surrogate pairs */
  assert_aligned("[\xE1\x8F\xB8]", "[\xE1\x8F\xB0]", "0");             /* Cherokee folds to capitals */
  assert_aligned("[\xCE\x90]", "[\xCE\xB9\xCC\x88\xCC\x81]", "0");     /* one to three */
  assert_differ("[x\xC4\xB0]", "[xi]", 1);  /* the dot is missing */
  assert_differ("[\xC4\xB1]", "[i]", 0);    /* dotless i is another letter */
  assert_differ("[ab c]", "[ab d]", 3);
  assert_differ("[a\xC3\x9F]", "[as]", 1);
}

static void folding(void **state) {
  (void)state;
  uint32_t out[ON_FOLD_MOST];
  assert_int_equal(on_fold('A', out), 1);
  assert_int_equal(out[0], 'a');
  assert_int_equal(on_fold('[', out), 1);
  assert_int_equal(out[0], '[');
  assert_int_equal(on_fold(0xDF, out), 2);
  assert_int_equal(out[1], 's');
  assert_int_equal(on_fold(0x1FB7, out), 3);
  assert_int_equal(out[0], 0x3B1);
  assert_int_equal(out[1], 0x342);
  assert_int_equal(out[2], 0x3B9);
  assert_int_equal(on_fold(0xE9, out), 1);
  assert_int_equal(out[0], 0xE9);
  assert_int_equal(on_fold(0xD800, out), 1);
  assert_int_equal(out[0], 0xD800);
  /* folding is stable: what it gives folds to itself */
  for (uint32_t c = 0; c <= 0x10FFFF; c++) {
    const size_t n = on_fold(c, out);
    assert_in_range(n, 1, ON_FOLD_MOST);
    for (size_t i = 0; i < n; i++) {
      uint32_t again[ON_FOLD_MOST];
      if (on_fold(out[i], again) != 1 || again[0] != out[i]) fail_msg("U+%04X", (unsigned)c);
    }
  }
}

static void columns(void **state) {
  (void)state;
  on_doc p, r;
  make(&p, "[Ada][met] [Bob][.]");
  make(&r, "[Ada] [m][et] [Bo][b.]");
  on_alignment a;
  on_error error;
  assert_true(on_align(&a, &p, &r, &error));
  /* Ada: 0; met: 1, 2; Bob: 3, 4; ".": 4 */
  static on_str column[] = {{"A", 1}, {"B", 1}, {"C", 1}, {"D", 1}, {"E", 1}};
  on_str out[4];
  on_get_aligned(&a, &p, column, out);
  assert_true(on_str_eq(out[0], ON_STR("A")));
  assert_null(out[1].p);
  assert_null(out[2].p);
  assert_true(on_str_eq(out[3], ON_STR("E")));
  on_get_aligned(&a, &p, NULL, out);
  assert_null(out[0].p);
  /* heads: "." hangs on Ada, Ada is a root; then Ada on "b.", which two predicted tokens overlap */
  static const uint32_t heads[] = {0, 0, 0, 0, 0};
  uint32_t head[4];
  on_get_aligned_heads(&a, &p, heads, head);
  assert_int_equal(head[0], 0);
  assert_int_equal(head[1], ON_UNALIGNED);
  assert_int_equal(head[3], 0);
  static const uint32_t others[] = {4, 1, 2, 3, 4};
  on_get_aligned_heads(&a, &p, others, head);
  assert_int_equal(head[0], ON_UNALIGNED);
  assert_int_equal(head[3], 3);
  on_get_aligned_heads(&a, &p, NULL, head);
  assert_int_equal(head[0], ON_UNALIGNED);
  on_alignment_free(&a);
  on_doc_free(&p);
  on_doc_free(&r);
}

static void entities(void **state) {
  (void)state;
  static const struct {
    const char *predicted, *reference;
    on_span span, expected;  /* expected.end 0: not kept */
  } cases[] = {
      {"[New][York][.]", "[New] [York][.]", {0, 2, {"L", 1}, 1}, {0, 2, {"L", 1}, 1}},
      {"[NewYork][.]", "[New] [York][.]", {0, 2, {"L", 1}, 1}, {0, 1, {"L", 1}, 1}},
      {"[NewYork][.]", "[New] [York][.]", {0, 1, {"L", 1}, 1}, {0, 0, {NULL, 0}, 0}},
      {"[NewYork][.]", "[New] [York][.]", {1, 2, {"L", 1}, 1}, {0, 0, {NULL, 0}, 0}},
      {"[N][ew Y][or][k][.]", "[New] [York][.]", {0, 2, {"L", 1}, 1}, {0, 4, {"L", 1}, 1}},
      {"[N][ew Y][or][k.]", "[New] [York][.]", {0, 2, {"L", 1}, 1}, {0, 0, {NULL, 0}, 0}},
      {"[xNew][York]", "[x][New] [York]", {1, 3, {"L", 1}, 1}, {0, 0, {NULL, 0}, 0}},
      /* white-space tokens are no part of it */
      {"[a][ ][New][ ][York][ ]", "[a] [New] [York]", {1, 3, {"L", 1}, 1}, {2, 5, {"L", 1}, 1}},
      {"[a] [New] [York]", "[a][ ][New][ ][York][ ]", {1, 6, {"L", 1}, 1}, {1, 3, {"L", 1}, 1}},
      {"[a] [b]", "[a][ ][b]", {1, 2, {"L", 1}, 1}, {0, 0, {NULL, 0}, 0}},
      /* an edge where there is text but no token */
      {"[New] York[.]", "[New] [York][.]", {0, 2, {"L", 1}, 1}, {0, 0, {NULL, 0}, 0}},
      {"[STRASSE][N]", "[Stra\xC3\x9F][en]", {0, 2, {"L", 1}, 1}, {0, 2, {"L", 1}, 1}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_doc p, r;
    make(&p, cases[i].predicted);
    make(&r, cases[i].reference);
    on_alignment a;
    on_error error;
    if (!on_align(&a, &p, &r, &error)) fail_msg("case %zu: %s", i, error.text);
    on_span out[2];
    const on_span spans[2] = {cases[i].span, cases[i].span};  /* overlapping lists are lists too */
    const size_t n = on_get_aligned_spans(&a, spans, 2, out);
    assert_int_equal(n, cases[i].expected.end ? 2 : 0);
    for (size_t k = 0; k < n; k++) {
      if (out[k].first != cases[i].expected.first || out[k].end != cases[i].expected.end) {
        fail_msg("case %zu: got [%u, %u)", i, out[k].first, out[k].end);
      }
      assert_true(on_str_eq(out[k].label, ON_STR("L")));
    }
    on_alignment_free(&a);
    on_doc_free(&p);
    on_doc_free(&r);
  }
}

/* "à" spelled by its words on one side only: the sources decide. */
static void respelled(void **state) {
  (void)state;
  on_doc p, r;
  make(&p, "[vou] [\xC3\xA0] [casa]");
  make(&r, "[vou] [a] [a] [casa]");
  on_alignment a;
  on_error error;
  assert_false(on_align(&a, &p, &r, &error));
  r.respelled = true;
  r.source = p.source;
  r.unit_end = p.unit_end;
  static const uint32_t starts[] = {0, 4, 4, 6}, ends[] = {3, 5, 5, 10};
  memcpy(r.source_start, starts, sizeof starts);
  memcpy(r.source_end, ends, sizeof ends);
  assert_true(on_align(&a, &p, &r, &error));
  assert_int_equal(a.to_reference[0], 0);
  assert_int_equal(a.to_reference[1], ON_UNALIGNED);
  assert_int_equal(a.end[1] - a.first[1], 2);
  assert_int_equal(a.to_reference[2], 3);
  on_span span = {1, 3, {"X", 1}, 1}, out;
  assert_int_equal(on_get_aligned_spans(&a, &span, 1, &out), 1);
  assert_int_equal(out.first, 1);
  assert_int_equal(out.end, 2);
  on_alignment_free(&a);
  assert_true(on_align(&a, &r, &p, &error));
  assert_int_equal(a.to_reference[1], 1);
  assert_int_equal(a.to_reference[2], 1);
  span = (on_span){1, 2, {"X", 1}, 1};
  assert_int_equal(on_get_aligned_spans(&a, &span, 1, &out), 1);
  assert_int_equal(out.first, 1);
  assert_int_equal(out.end, 3);
  on_alignment_free(&a);
  on_doc_free(&p);
  on_doc_free(&r);
}

/* ---- against a plain definition, on random texts ---- */

/* What each folded character that is no white space belongs to, by Doc: the token or ON_UNALIGNED. */
static size_t owners(const on_doc *doc, uint32_t *owner) {
  size_t n = 0;
  for (size_t i = 0; i < doc->text.n;) {
    const size_t at = i;
    const uint32_t c = on_utf16_next(doc->text, &i);
    if (on_is_space(c)) continue;
    uint32_t token = ON_UNALIGNED;
    for (size_t t = 0; t < doc->n; t++) {
      if (doc->start[t] <= at && at < doc->end[t]) token = (uint32_t)t;
    }
    uint32_t folded[ON_FOLD_MOST];
    for (size_t k = on_fold(c, folded); k > 0; k--) owner[n++] = token;
  }
  return n;
}

static void random_doc(on_random *r, on_doc *doc, const uint32_t *points, size_t n) {
  on_doc_init(doc);
  static const uint32_t spaces[] = {' ', '\n', 0xA0, 0x3000};
  uint16_t *text = ON_NEW(&doc->arena, uint16_t, n * 8 + 8);
  uint32_t start[128], end[128];
  size_t units = 0, count = 0;
  bool open = false;
  for (size_t i = 0; i < n; i++) {
    if (open && on_random_below(r, 3) == 0) {
      end[count++] = (uint32_t)units;
      open = false;
    }
    if (on_random_below(r, 4) == 0) units += on_utf16_put(text + units, spaces[on_random_below(r, 4)]);
    if (!open && on_random_below(r, 6) != 0) {
      start[count] = (uint32_t)units;
      open = true;
    }
    const uint32_t c = points[i];
    /* spell it otherwise: upper or lower case, ß as ss */
    if (c == 0xDF && on_random_below(r, 2)) {
      units += on_utf16_put(text + units, 'S');
      units += on_utf16_put(text + units, 's');
    } else {
      units += on_utf16_put(text + units, on_random_below(r, 2) ? on_upper(c) : c);
    }
  }
  if (open) end[count++] = (uint32_t)units;
  assert_true(on_doc_set_tokens(doc, count));
  memcpy(doc->start, start, count * sizeof *start);
  memcpy(doc->end, end, count * sizeof *end);
  doc->text = (on_str16){text, units};
}

static void definition(void **state) {
  (void)state;
  on_random r;
  on_random_seed(&r, 7);
  static const uint32_t alphabet[] = {'a', 'b', 0xDF, 0xE9, 0x4E2D, 0x10428, '.', '1'};
  size_t many = 0, single = 0;
  for (size_t round = 0; round < 6000; round++) {
    uint32_t points[24];
    const size_t n = on_random_below(&r, 24);
    for (size_t i = 0; i < n; i++) points[i] = alphabet[on_random_below(&r, 8)];
    on_doc p, q;
    random_doc(&r, &p, points, n);
    random_doc(&r, &q, points, n);
    on_alignment a;
    on_error error;
    if (!on_align(&a, &p, &q, &error)) fail_msg("%s", error.text);
    uint32_t of_p[128], of_q[128];
    const size_t length = owners(&p, of_p);
    assert_int_equal(owners(&q, of_q), length);
    for (size_t t = 0; t < p.n; t++) {
      uint32_t low = ON_UNALIGNED, high = 0;
      for (size_t i = 0; i < length; i++) {
        if (of_p[i] != t || of_q[i] == ON_UNALIGNED) continue;
        if (low == ON_UNALIGNED) low = of_q[i];
        high = of_q[i];
      }
      if (low == ON_UNALIGNED) {
        assert_int_equal(a.first[t], a.end[t]);
        continue;
      }
      assert_int_equal(a.reference.token[a.first[t]], low);
      assert_int_equal(a.reference.token[a.end[t] - 1], high);
      assert_int_equal(a.to_reference[t], low == high ? low : ON_UNALIGNED);
      single += low == high;
      many += low != high;
    }
    /* every run of reference tokens as an entity */
    for (size_t first = 0; first < q.n; first++) {
      for (size_t end = first + 1; end <= q.n; end++) {
        size_t from = 0, to = length;
        while (of_q[from] != first) from++;
        while (of_q[to - 1] != end - 1) to--;
        const bool starts = of_p[from] != ON_UNALIGNED && (from == 0 || of_p[from - 1] != of_p[from]);
        const bool ends = of_p[to - 1] != ON_UNALIGNED && (to == length || of_p[to] != of_p[to - 1]);
        const on_span span = {(uint32_t)first, (uint32_t)end, {"X", 1}, 1};
        on_span out;
        const size_t kept = on_get_aligned_spans(&a, &span, 1, &out);
        assert_int_equal(kept, starts && ends);
        if (kept) assert_int_equal(out.first, of_p[from]);
        if (kept) assert_int_equal(out.end, of_p[to - 1] + 1);
      }
    }
    on_alignment_free(&a);
    on_doc_free(&p);
    on_doc_free(&q);
  }
  print_message("%zu single, %zu many\n", single, many);
  assert_true(single > 10000 && many > 1000);
}

/* ---- linear time ---- */

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* `units` characters; predicted tokens of one each, or one of all. */
static double time_of(size_t units, bool small_predicted, bool small_reference) {
  on_doc docs[2];
  for (size_t d = 0; d < 2; d++) {
    on_doc *doc = &docs[d];
    on_doc_init(doc);
    uint16_t *text = ON_NEW(&doc->arena, uint16_t, units);
    for (size_t i = 0; i < units; i++) text[i] = d ? 'a' : 'A';
    doc->text = (on_str16){text, units};
    const bool small = d ? small_reference : small_predicted;
    assert_true(on_doc_set_tokens(doc, small ? units : 1));
    for (size_t i = 0; i < doc->n; i++) {
      doc->start[i] = (uint32_t)i;
      doc->end[i] = small ? (uint32_t)i + 1 : (uint32_t)units;
    }
  }
  on_alignment a;
  on_error error;
  const double start = seconds();
  assert_true(on_align(&a, &docs[0], &docs[1], &error));
  const double took = seconds() - start;
  assert_int_equal(a.end[0], small_predicted || !small_reference ? 1 : units);
  on_alignment_free(&a);
  on_doc_free(&docs[0]);
  on_doc_free(&docs[1]);
  return took;
}

/* All words of both Docs share one range: 100,000 times 100,000 overlaps. */
static void check_shared(void) {
  enum { N = 100000 };
  on_doc p;
  make(&p, "[x]");
  const on_str16 source = p.source;
  on_doc docs[2];
  for (size_t d = 0; d < 2; d++) {
    on_doc_init(&docs[d]);
    assert_true(on_doc_set_tokens(&docs[d], N));
    for (size_t i = 0; i < N; i++) {
      docs[d].start[i] = docs[d].source_start[i] = 0;
      docs[d].end[i] = docs[d].source_end[i] = 1;
    }
    docs[d].source = source;
    docs[d].unit_end = 1;
    docs[d].text = source;
  }
  on_alignment a;
  on_error error;
  assert_true(on_align(&a, &docs[0], &docs[1], &error));
  assert_int_equal(a.end[N - 1] - a.first[N - 1], N);
  on_alignment_free(&a);
  on_doc_free(&docs[0]);
  on_doc_free(&docs[1]);
  on_doc_free(&p);
}

static void linear_time(void **state) {
  (void)state;
  /* A quadratic step would take hours; the bound only has to tell the two apart, also under sanitizers. */
  double took = 0;
  for (size_t i = 0; i < 4; i++) took += time_of(1000000, i & 1, i & 2);
  check_shared();
  assert_true(took < 20);
  print_message("4 times 1,000,000 characters: %.2f s\n", took);
}

static void out_of_memory(void **state) {
  (void)state;
  on_doc p, r;
  make(&p, "[ab] [c]");
  make(&r, "[a][b] [c]");
  bool worked = false;
  size_t failures = 0;
  for (size_t n = 1; n < 50 && !worked; n++) {
    on_alignment a;
    on_error error = {0};
    on_alloc_fail_at(n, 1);
    worked = on_align(&a, &p, &r, &error);
    on_alloc_fail_at(0, 0);
    if (!worked) {
      assert_int_equal(error.code, ON_OUT_OF_MEMORY);
      failures++;
    } else {
      on_alignment_free(&a);
    }
  }
  assert_true(worked && failures > 0);
  on_doc_free(&p);
  on_doc_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tokens),   cmocka_unit_test(white_space), cmocka_unit_test(empty_texts),
      cmocka_unit_test(case_pairs), cmocka_unit_test(folding),   cmocka_unit_test(columns),
      cmocka_unit_test(entities), cmocka_unit_test(respelled),   cmocka_unit_test(definition),
      cmocka_unit_test(linear_time), cmocka_unit_test(out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// The vectors of docs/format.md against the core. (tests/js/docs-format.test.mjs checks them against the
// reference reader, and that no block is left out.)
#include "test.h"

#include "base/half.h"
#include "encode/attributes.h"
#include "format/checkpoint.h"
#include "format/container.h"
#include "format/json.h"
#include "head/edit_tree.h"
#include "head/lemmatizer.h"
#include "nn/math.h"
#include "text/chars.h"
#include "text/utf.h"

enum { FIELDS = 9 };

typedef struct vectors {
  char *markdown, *at;
  char *fields[FIELDS];  // of the line at hand
  size_t lines;
  on_arena arena;
} vectors;

static void open_block(vectors *v, const char *name) {
  char path[1024], fence[64];
  *v = (vectors){.markdown = test_read_file(test_source_path(path, sizeof path, "docs/format.md"), NULL)};
  snprintf(fence, sizeof fence, "\n```vectors %s\n", name);
  v->at = strstr(v->markdown, fence);
  if (!v->at) fail_msg("docs/format.md has no vectors %s", name);
  v->at += strlen(fence);
}

// Splits the next line of the block into its fields; false at its end.
static bool next_line(vectors *v) {
  if (strncmp(v->at, "```", 3) == 0) return false;
  char *end = strchr(v->at, '\n');
  *end = 0;
  memset(v->fields, 0, sizeof v->fields);
  char *at = v->at;
  for (int i = 0; i < FIELDS && at; i++) {
    v->fields[i] = at;
    at = strchr(at, '\t');
    if (at) *at++ = 0;
  }
  v->at = end + 1;
  v->lines++;
  return true;
}

static void close_block(vectors *v) {
  assert_true(v->lines > 0);
  free(v->markdown);
  on_arena_free(&v->arena);
}

static uint64_t number(const vectors *v, int field) { return strtoull(v->fields[field], NULL, 0); }

static on_str string_of(vectors *v, const on_json *value) { return on_arena_str(&v->arena, on_json_string(value)); }

// A field that is a JSON string, or null (p NULL).
static on_str text(vectors *v, int field) {
  on_json *value = on_json_parse(on_str_c(v->fields[field]), 1, NULL);
  if (!value) fail_msg("not JSON: %s", v->fields[field]);
  on_str result = on_json_type(value) == ON_JSON_STRING ? string_of(v, value) : ON_STR_NONE;
  on_json_free(value);
  return result;
}

static on_str16 units_of(vectors *v, on_str s) {
  on_str16 out;
  assert_true(on_utf16_from_utf8(&v->arena, s, &out, NULL));
  return out;
}

static on_str16 units(vectors *v, int field) { return units_of(v, text(v, field)); }

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void file(void **state) {
  (void)state;
  vectors v;
  on_buf given = {0}, weights = {0}, written = {0};
  open_block(&v, "file");
  while (next_line(&v)) {
    for (const char *hex = v.fields[0]; *hex; hex += 2) {
      char byte[3] = {hex[0], hex[1], 0};
      on_buf_char(&given, (char)strtoul(byte, NULL, 16));
    }
  }
  on_container parts;
  on_checkpoint checkpoint;
  assert_true(on_container_read(on_buf_view(&given), &parts, NULL));
  assert_true(on_checkpoint_read(&v.arena, parts.weights, &checkpoint, NULL));
  assert_int_equal(checkpoint.count, 0);
  assert_true(on_checkpoint_write(&weights, &checkpoint, on_container_weights_offset(2), NULL));
  assert_true(on_container_write(&written, ON_STR("{}"), on_buf_view(&weights), NULL));
  assert_true(on_str_eq(on_buf_view(&given), on_buf_view(&written)));
  on_buf_free(&given);
  on_buf_free(&weights);
  on_buf_free(&written);
  close_block(&v);
}

static void json(void **state) {
  (void)state;
  vectors v;
  open_block(&v, "json");
  while (next_line(&v)) {
    on_error error = {0};
    on_json *root = on_json_parse(text(&v, 0), 32, &error);
    if (strcmp(v.fields[1], "ok") == 0) {
      if (!root) fail_msg("%s: %s", v.fields[0], error.text);
    } else {
      if (root) fail_msg("accepted: %s", v.fields[0]);
      assert_int_equal(error.position, number(&v, 1));
    }
    on_json_free(root);
  }
  close_block(&v);
}

static void half(void **state) {
  (void)state;
  vectors v;
  open_block(&v, "half");
  while (next_line(&v)) assert_int_equal(bits_of(on_half_to_float((uint16_t)number(&v, 0))), number(&v, 1));
  close_block(&v);
}

static void arithmetic(void **state) {
  (void)state;
  static const struct {
    const char *name;
    float (*function)(float);
  } functions[] = {{"exp", on_exp}, {"sigmoid", on_sigmoid}, {"tanh", on_tanh}, {"erf", on_erf}, {"gelu", on_gelu}};
  vectors v;
  open_block(&v, "arithmetic");
  while (next_line(&v)) {
    bool known = false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
      if (strcmp(v.fields[0], functions[i].name) != 0) continue;
      uint32_t bits = (uint32_t)number(&v, 1);
      float x;
      memcpy(&x, &bits, sizeof x);
      if (bits_of(functions[i].function(x)) != number(&v, 2)) fail_msg("%s(%s)", v.fields[0], v.fields[1]);
      known = true;
    }
    if (!known) fail_msg("%s", v.fields[0]);
  }
  close_block(&v);
}

static void splitmix64(void **state) {
  (void)state;
  vectors v;
  open_block(&v, "splitmix64");
  while (next_line(&v)) assert_true(on_splitmix64(number(&v, 0)) == number(&v, 1));
  close_block(&v);
}

// The text of a hash line, or for two texts their bigram.
static on_str16 hashed_text(vectors *v, int field) {
  if (v->fields[field][0] != '[') return units(v, field);
  on_json *pair = on_json_parse(on_str_c(v->fields[field]), 2, NULL);
  assert_non_null(pair);
  on_str16 first = units_of(v, string_of(v, on_json_first(pair)));
  on_str16 second = units_of(v, string_of(v, on_json_next(on_json_first(pair))));
  on_json_free(pair);
  uint16_t *joined = ON_NEW(&v->arena, uint16_t, 2 * (first.n + second.n) + 1);
  size_t n = on_lower_text(joined, first, false);
  joined[n++] = 0;
  n += on_lower_text(joined + n, second, false);
  return (on_str16){joined, n};
}

static void hash(void **state) {
  (void)state;
  vectors v;
  open_block(&v, "hash");
  while (next_line(&v)) {
    uint64_t value = on_attr_hash(on_attr_start(number(&v, 0), (unsigned)number(&v, 1)), hashed_text(&v, 2));
    if (value != number(&v, 3)) fail_msg("hash of %s", v.fields[2]);
    for (unsigned f = 0; f < 4; f++) {
      assert_int_equal(on_attr_row(value, f, (uint32_t)number(&v, 4)), number(&v, 5 + (int)f));
    }
  }
  close_block(&v);
}

static void attribute(void **state) {
  (void)state;
  vectors v;
  open_block(&v, "attribute");
  while (next_line(&v)) {
    const char *name = v.fields[0];
    on_str16 in = units(&v, 2), want = units(&v, 3), got = {NULL, 0};
    uint16_t *made = ON_NEW(&v.arena, uint16_t, 2 * in.n);
    if (strcmp(name, "lower") == 0) got = (on_str16){made, on_lower_text(made, in, false)};
    if (strcmp(name, "turkic") == 0) got = (on_str16){made, on_lower_text(made, in, true)};
    if (strcmp(name, "shape") == 0) got = (on_str16){made, on_attr_shape(made, in)};
    if (strcmp(name, "prefix") == 0) got = on_attr_prefix(in, (size_t)number(&v, 1));
    if (strcmp(name, "suffix") == 0) got = on_attr_suffix(in, (size_t)number(&v, 1));
    if (!got.p || !on_str16_eq(got, want)) fail_msg("%s %s %s", name, v.fields[1], v.fields[2]);
  }
  close_block(&v);
}

static void lemma(void **state) {
  (void)state;
  vectors v;
  open_block(&v, "lemma");
  while (next_line(&v)) {
    on_str label = text(&v, 0), want = text(&v, 2);
    on_lemma_class class = {.lower = label.p[0] == 'l'};
    on_error error = {0};
    if (!on_edit_tree_parse(&class.tree, &v.arena, on_str_sub(label, 1, label.n), &error)) fail_msg("%s", error.text);
    on_str got = on_lemma_class_apply(&class, units(&v, 1), &v.arena);
    if (!got.p != !want.p || !on_str_eq(got, want)) fail_msg("%s of %s: %.*s", v.fields[0], v.fields[1], ON_SHOW(got));
  }
  close_block(&v);
}

static void no_tree(void **state) {
  (void)state;
  vectors v;
  open_block(&v, "no-tree");
  while (next_line(&v)) {
    on_edit_tree tree;
    if (on_edit_tree_parse(&tree, &v.arena, text(&v, 0), NULL)) fail_msg("accepted: %s", v.fields[0]);
  }
  close_block(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(file),       cmocka_unit_test(json), cmocka_unit_test(half),
      cmocka_unit_test(arithmetic), cmocka_unit_test(splitmix64), cmocka_unit_test(hash),
      cmocka_unit_test(attribute),  cmocka_unit_test(lemma),      cmocka_unit_test(no_tree),
  };
  return cmocka_run_group_tests_name("docs/format.md", tests, NULL, NULL);
}

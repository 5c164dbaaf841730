#include "test.h"

#include "base/alloc.h"
#include "format/container.h"

static on_buf written(on_str config, on_str weights) {
  on_buf out = {0};
  on_error error = {0};
  if (!on_container_write(&out, config, weights, &error)) fail_msg("%s", error.text);
  return out;
}

static void writes_and_reads(void **state) {
  (void)state;
  on_buf file = written(ON_STR("{\"a\":1}"), ON_STR("weights"));
  assert_int_equal(file.n, 64 + 7);
  assert_memory_equal(file.p, "ONENLPPL\1\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0{\"a\":1} ", 40);
  on_container read;
  on_error error = {0};
  assert_true(on_container_read(on_buf_view(&file), &read, &error));
  assert_int_equal(read.config.n, 32);
  assert_memory_equal(read.config.p, "{\"a\":1}                         ", 32);
  assert_int_equal(read.weights.n, 7);
  assert_memory_equal(read.weights.p, "weights", 7);
  on_buf_free(&file);
}

static void places_weights_at_64(void **state) {
  (void)state;
  static const struct {
    size_t config, offset;
  } cases[] = {{0, 64}, {1, 64}, {32, 64}, {33, 128}, {96, 128}, {97, 192}, {16777184, 16777216}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(on_container_weights_offset(cases[i].config), cases[i].offset);
  }
}

static void reads_any_alignment(void **state) {
  (void)state;
  static const char file[] = "ONENLPPL\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0{}W";
  on_container read;
  assert_true(on_container_read((on_str){file, sizeof file - 1}, &read, NULL));
  assert_int_equal(read.config.n, 2);
  assert_memory_equal(read.weights.p, "W", 1);
}

// A header with one field changed: {offset of the field, its bytes, code, position, message}.
static void refuses_broken_headers(void **state) {
  (void)state;
  static const struct {
    size_t at, n;
    const char *bytes;
    on_code code;
    int position;
    const char *message;
  } cases[] = {
      {0, 1, "o", ON_INVALID_DATA, 0, "not a pipeline file"},
      {7, 1, "M", ON_INVALID_DATA, 0, "not a pipeline file"},
      {8, 1, "\2", ON_UNSUPPORTED, 8, "format version 2, this build reads version 1"},
      {8, 1, "\0", ON_UNSUPPORTED, 8, "format version 0, this build reads version 1"},
      {8, 4, "\1\0\0\x80", ON_UNSUPPORTED, 8, "format version 2147483649"},
      {12, 1, "\1", ON_UNSUPPORTED, 12, "flags 0x00000001"},
      {15, 1, "\x80", ON_UNSUPPORTED, 12, "flags 0x80000000"},
      {16, 1, "\x21", ON_INVALID_DATA, 16, "has 71 bytes, but its header declares 72"},
      {24, 1, "\6", ON_INVALID_DATA, 16, "has 71 bytes, but its header declares 70"},
      {16, 4, "\1\0\0\1", ON_INVALID_DATA, 16, "a config of 16777217 bytes, at most 16777216"},
      {16, 8, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", ON_INVALID_DATA, 16, "a config of 18446744073709551615"},
      {24, 4, "\1\0\0\x40", ON_INVALID_DATA, 24, "weights of 1073741825 bytes, at most 1073741824"},
      // The sum 32 + C + W is the file's length modulo 2^64.
      {16, 16, "\x28\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", ON_INVALID_DATA, 24, "18446744073709551615"},
      {16, 16, "\0\0\0\1\0\0\0\0\0\0\0\x40\0\0\0\0", ON_INVALID_DATA, 16, "declares 1090519072"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_buf file = written(ON_STR("{}"), ON_STR("weights"));
    memcpy(file.p + cases[i].at, cases[i].bytes, cases[i].n);
    on_container read;
    on_error error = {0};
    assert_false(on_container_read(on_buf_view(&file), &read, &error));
    if (error.code != cases[i].code || error.position != cases[i].position || !strstr(error.text, cases[i].message)) {
      fail_msg("case %zu: '%s' wanted; %s at %d: %s", i, cases[i].message, on_code_name(error.code),
               (int)error.position, error.text);
    }
    assert_null(read.config.p);
    on_buf_free(&file);
  }
}

static void refuses_every_truncation(void **state) {
  (void)state;
  on_buf file = written(ON_STR("{}"), ON_STR("weights"));
  for (size_t n = 0; n < file.n; n++) {
    char *copy = malloc(n ? n : 1);
    memcpy(copy, file.p, n);
    on_container read;
    on_error error = {0};
    assert_false(on_container_read((on_str){copy, n}, &read, &error));
    assert_int_equal(error.code, ON_INVALID_DATA);
    free(copy);
  }
  on_buf_char(&file, 'x');
  assert_false(on_container_read(on_buf_view(&file), &(on_container){0}, NULL));
  on_buf_free(&file);
}

static void writer_keeps_the_bounds(void **state) {
  (void)state;
  // Nothing is read of slices that are too long, so they may lie.
  on_buf out = {0};
  on_error error = {0};
  assert_false(on_container_write(&out, (on_str){"", ((size_t)16 << 20) - 31}, ON_STR(""), &error));
  assert_int_equal(error.code, ON_INVALID_ARGUMENT);
  assert_false(on_container_write(&out, ON_STR("{}"), (on_str){"", ((size_t)1 << 30) + 1}, &error));
  assert_int_equal(error.code, ON_INVALID_ARGUMENT);
  assert_int_equal(out.n, 0);
  on_alloc_fail_at(1, 1);
  assert_false(on_container_write(&out, ON_STR("{}"), ON_STR(""), &error));
  on_alloc_fail_at(0, 0);
  assert_int_equal(error.code, ON_OUT_OF_MEMORY);
  on_buf_free(&out);
  assert_int_equal(on_alloc_used(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_and_reads),
      cmocka_unit_test(places_weights_at_64),
      cmocka_unit_test(reads_any_alignment),
      cmocka_unit_test(refuses_broken_headers),
      cmocka_unit_test(refuses_every_truncation),
      cmocka_unit_test(writer_keeps_the_bounds),
  };
  return cmocka_run_group_tests_name("container", tests, NULL, NULL);
}

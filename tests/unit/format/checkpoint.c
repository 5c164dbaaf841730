#include "test.h"

#include "base/alloc.h"
#include "format/checkpoint.h"

static on_str image_of(on_buf *out, const char *header, size_t data_size) {
  on_buf_clear(out);
  on_buf_u64le(out, strlen(header));
  on_buf_str(out, on_str_c(header));
  for (size_t i = 0; i < data_size; i++) on_buf_char(out, (char)i);
  return on_buf_view(out);
}

static void reads_tensors_in_the_order_of_their_data(void **state) {
  (void)state;
  // Header order differs from data order; blanks follow the header; the data is not aligned.
  static const char header[] =
      "{\"q.scale\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]},"
      "\"__metadata__\":{\"name\":\"a\\u00e9\",\"licence\":\"\"},"
      "\"q\":{\"data_offsets\":[28,34],\"dtype\":\"I8\",\"shape\":[2,3]},"
      "\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
      "\"h\":{\"dtype\":\"F16\",\"shape\":[3,2],\"data_offsets\":[16,28]}}  ";
  on_buf image = {0};
  on_arena arena = {0};
  on_checkpoint read;
  on_error error = {0};
  on_str bytes = image_of(&image, header, 34);
  if (!on_checkpoint_read(&arena, bytes, &read, &error)) fail_msg("%s", error.text);
  assert_int_equal(read.count, 4);
  static const char *names[] = {"v", "q.scale", "h", "q"};
  static const on_dtype types[] = {ON_F32, ON_F32, ON_F16, ON_I8};
  static const unsigned begin[] = {0, 8, 16, 28, 34};
  for (size_t i = 0; i < 4; i++) {
    const on_tensor *tensor = &read.tensors[i];
    assert_true(on_str_eq(tensor->name, on_str_c(names[i])));
    assert_int_equal(tensor->type, types[i]);
    assert_int_equal(tensor->size, begin[i + 1] - begin[i]);
    assert_ptr_equal(tensor->data, bytes.p + 8 + strlen(header) + begin[i]);
    assert_ptr_equal(on_checkpoint_find(&read, tensor->name), tensor);
  }
  assert_int_equal(read.tensors[0].rank, 1);
  assert_int_equal(read.tensors[2].rank, 2);
  assert_int_equal(read.tensors[2].shape[0], 3);
  assert_int_equal(read.tensors[2].shape[1], 2);
  assert_null(on_checkpoint_find(&read, ON_STR("w")));
  assert_null(on_checkpoint_find(&read, ON_STR("")));
  assert_int_equal(read.meta_count, 2);
  assert_true(on_str_eq(read.meta[0].value, ON_STR("a\xC3\xA9")));
  on_arena_free(&arena);
  on_buf_free(&image);
  assert_int_equal(on_alloc_used(), 0);
}

#define V "\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}"
#define LONG64 "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"

static const struct {
  const char *header;
  size_t data_size;
  const char *message;
} broken[] = {
    {"", 0, "checkpoint header: JSON: ends where a value"},
    {"[]", 0, "checkpoint: the header is not a JSON object"},
    {"{" V "} x", 8, "checkpoint header: JSON: 'x' stands where the end"},
    {"{" V "," V "}", 8, "the key \"v\" stands twice"},
    {"{}", 1, "checkpoint: 1 bytes follow the last tensor"},
    {"{" V "}", 9, "checkpoint: 1 bytes follow the last tensor"},
    {"{" V "}", 7, "tensor v: data_offsets [0, 8] do not lie in the 7 bytes of data"},
    {"{\"v\":[]}", 0, "tensor v: its entry is not an object"},
    {"{\"v\":{}}", 0, "tensor v: dtype is missing"},
    {"{\"v\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8, "tensor v: shape is missing"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8, "tensor v: data_offsets is missing"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}}", 8, "tensor v: unknown property \"x\""},
    {"{\"v\":{\"dtype\":32,\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "tensor v: dtype is not a string"},
    {"{\"v\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}", 8, "tensor v: unknown dtype \"F64\""},
    {"{\"v\":{\"dtype\":\"f32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "tensor v: unknown dtype \"f32\""},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":2,\"data_offsets\":[0,8]}}", 8, "tensor v: shape must have 1 or 2"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4, "tensor v: shape must have 1 or 2"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[1,1,1],\"data_offsets\":[0,4]}}", 4, "tensor v: shape must have 1 or 2"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0, "tensor v: a dimension of the shape is not"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,6]}}", 6, "tensor v: a dimension of the shape"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[4294967296],\"data_offsets\":[0,0]}}", 0, "tensor v: a dimension"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[\"2\"],\"data_offsets\":[0,8]}}", 8, "tensor v: a dimension"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}", 8, "tensor v: data_offsets must be"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8,8]}}", 8, "tensor v: data_offsets has more"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-1,7]}}", 8, "tensor v: data_offsets must be"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8.5]}}", 8, "tensor v: data_offsets must be"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,9007199254740992]}}", 8, "tensor v: data_offsets must"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":8}}", 8, "tensor v: data_offsets must be"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 8, "tensor v: data_offsets [8, 0] do not lie"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", 8,
     "tensor v: 8 bytes of data, want 3 values of F32 for the shape [3]"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[4294967295,4294967295],\"data_offsets\":[0,8]}}", 8,
     "tensor v: 8 bytes of data, want 18446744065119617025 values of F32 for the shape [4294967295, 4294967295]"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[2147483648,2147483648],\"data_offsets\":[0,0]}}", 0, "tensor v: 0 bytes"},
    {"{\"v\":{\"dtype\":\"F16\",\"shape\":[4],\"data_offsets\":[0,8]}}", 8, "tensor v: a vector must be F32, it is F16"},
    {"{\"v\":{\"dtype\":\"I8\",\"shape\":[8],\"data_offsets\":[0,8]}}", 8, "tensor v: a vector must be F32, it is I8"},
    {"{" V ",\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[12,16]}}", 16,
     "tensor w: data begins at 12, want 8: there is a gap"},
    {"{" V ",\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", 8,
     "tensor w: data begins at 4, want 8: there is an overlap"},
    {"{" V ",\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
     "tensor w: data begins at 0, want 8: there is an overlap"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", 8, "tensor v: data begins at 4, want 0"},
    {"{\"h\":{\"dtype\":\"F16\",\"shape\":[1,2],\"data_offsets\":[0,4]},"
     "\"v\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}", 8,
     "tensor v: F32 data lies behind F16 data (the order is F32, F16, I8)"},
    {"{\"\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "tensor : its name has 0 bytes"},
    {"{\"" LONG64 LONG64 LONG64 LONG64 "n\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
     "its name has 257 bytes, 1 to 256 are allowed"},
    {"{\"q\":{\"dtype\":\"I8\",\"shape\":[2,2],\"data_offsets\":[0,4]}}", 4,
     "tensor q: is I8, but its scale \"<name>.scale\" is missing"},
    {"{\"v.scale\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
     "tensor v.scale: there is no I8 tensor that it scales"},
    {"{" V ",\"v.scale\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}", 16,
     "tensor v.scale: there is no I8 tensor that it scales"},
    {"{\"q.scale\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
     "\"q\":{\"dtype\":\"I8\",\"shape\":[2,2],\"data_offsets\":[4,8]}}", 8,
     "tensor q.scale: the scale of an I8 tensor must be F32 with the shape [2]"},
    {"{\"q.scale\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
     "\"q\":{\"dtype\":\"I8\",\"shape\":[2,2],\"data_offsets\":[8,12]}}", 12, "tensor q.scale: the scale of"},
    {"{\"q.scale\":{\"dtype\":\"F16\",\"shape\":[2,1],\"data_offsets\":[0,4]},"
     "\"q\":{\"dtype\":\"I8\",\"shape\":[2,2],\"data_offsets\":[4,8]}}", 8, "tensor q.scale: the scale of"},
    {"{\"__metadata__\":[]}", 0, "checkpoint: __metadata__ is not an object"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "checkpoint: __metadata__.a is not a string"},
    {"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0, "the key \"a\" stands twice"},
    {"{\"v\":{\"dtype\":\"F32\",\"shape\":[[2]],\"data_offsets\":[0,8]}}", 8, "nested deeper than 3"},
};

static void refuses_broken_images(void **state) {
  (void)state;
  on_buf image = {0};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    on_arena arena = {0};
    on_checkpoint read;
    on_error error = {0};
    on_str bytes = image_of(&image, broken[i].header, broken[i].data_size);
    if (on_checkpoint_read(&arena, bytes, &read, &error)) fail_msg("accepted: %s", broken[i].header);
    if (!strstr(error.text, broken[i].message) || error.code != ON_INVALID_DATA) {
      fail_msg("%s:\n'%s' wanted\n'%s' got", broken[i].header, broken[i].message, error.text);
    }
    assert_null(read.tensors);
    on_arena_free(&arena);
  }
  on_buf_free(&image);
  assert_int_equal(on_alloc_used(), 0);
}

static void positions_count_from_the_image(void **state) {
  (void)state;
  on_buf image = {0};
  on_arena arena = {0};
  on_checkpoint read;
  on_error error = {0};
  assert_false(on_checkpoint_read(&arena, image_of(&image, "{\"v\":x}", 0), &read, &error));
  assert_int_equal(error.position, 8 + 5);
  on_buf_free(&image);
  on_arena_free(&arena);
}

static void refuses_header_lengths(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    size_t n;
    const char *message;
  } cases[] = {
      {"", 0, "has 0 bytes, at least 8"},
      {"\2\0\0\0\0\0\0", 7, "has 7 bytes, at least 8"},
      {"\2\0\0\0\0\0\0\0{", 9, "a header of 2 bytes, but 1 follow"},
      {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}", 10, "a header of 18446744073709551615 bytes, but 2 follow"},
      {"\0\0\0\0\0\0\0\0", 8, "ends where a value"},
  };
  on_arena arena = {0};
  on_checkpoint read;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_error error = {0};
    char *copy = malloc(cases[i].n ? cases[i].n : 1);
    memcpy(copy, cases[i].bytes, cases[i].n);
    assert_false(on_checkpoint_read(&arena, (on_str){copy, cases[i].n}, &read, &error));
    free(copy);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s' wanted: %s", cases[i].message, error.text);
  }
  size_t big = ((size_t)16 << 20) + 9;
  char *image = calloc(big, 1);
  memcpy(image, "\1\0\0\1\0\0\0\0{}", 10);
  on_error error = {0};
  assert_false(on_checkpoint_read(&arena, (on_str){image, big}, &read, &error));
  assert_non_null(strstr(error.text, "16777217 bytes, at most 16777216"));
  free(image);
  on_arena_free(&arena);
}

static const float vector[2] = {1, -2};
static const float scale[2] = {0.5f, 0.25f};
static const uint8_t halves[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const uint8_t bytes[6] = {255, 1, 2, 3, 4, 128};

static const on_tensor given[] = {
    {{NULL, 0}, ON_I8, 2, {2, 3}, bytes, sizeof bytes},
    {{NULL, 0}, ON_F16, 2, {3, 2}, halves, sizeof halves},
    {{NULL, 0}, ON_F32, 1, {2, 0}, (const uint8_t *)vector, sizeof vector},
    {{NULL, 0}, ON_F32, 1, {2, 0}, (const uint8_t *)scale, sizeof scale},
};
static const char *const given_names[] = {"head0.q", "h\"\xC3\xA9", "b", "head0.q.scale"};

static void fill(on_tensor *tensors) {
  memcpy(tensors, given, sizeof given);
  for (size_t i = 0; i < 4; i++) tensors[i].name = on_str_c(given_names[i]);
}

static void writes_and_reads(void **state) {
  (void)state;
  on_tensor tensors[4];
  fill(tensors);
  on_meta meta[] = {{ON_STR("name"), ON_STR("a \"b\"\n")}, {ON_STR(""), ON_STR("")}};
  const on_checkpoint checkpoint = {.tensors = tensors, .count = 4, .meta = meta, .meta_count = 2};
  static const size_t order[] = {2, 3, 1, 0};
  for (uint64_t offset = 0; offset < 130; offset += 13) {
    on_buf out = {0};
    on_arena arena = {0};
    on_checkpoint read;
    on_error error = {0};
    if (!on_checkpoint_write(&out, &checkpoint, offset, &error)) fail_msg("%s", error.text);
    if (!on_checkpoint_read(&arena, on_buf_view(&out), &read, &error)) fail_msg("%s", error.text);
    assert_int_equal(read.count, 4);
    assert_int_equal((offset + (uint64_t)((const char *)read.tensors[0].data - out.p)) % 64, 0);
    for (size_t i = 0; i < 4; i++) {
      const on_tensor *want = &tensors[order[i]], *got = &read.tensors[i];
      assert_true(on_str_eq(got->name, want->name));
      assert_int_equal(got->type, want->type);
      assert_int_equal(got->rank, want->rank);
      assert_int_equal(got->shape[0], want->shape[0]);
      if (want->rank == 2) assert_int_equal(got->shape[1], want->shape[1]);
      assert_int_equal(got->size, want->size);
      assert_memory_equal(got->data, want->data, want->size);
    }
    assert_int_equal(read.meta_count, 2);
    assert_true(on_str_eq(read.meta[0].value, meta[0].value));
    assert_true(on_str_eq(read.meta[1].key, meta[1].key));
    on_arena_free(&arena);
    on_buf_free(&out);
  }
  on_buf out = {0};
  assert_true(on_checkpoint_write(&out, &(on_checkpoint){0}, 0, NULL));
  on_arena arena = {0};
  on_checkpoint read;
  assert_true(on_checkpoint_read(&arena, on_buf_view(&out), &read, NULL));
  assert_int_equal(read.count, 0);
  assert_int_equal(out.n, 64);
  on_arena_free(&arena);
  on_buf_free(&out);
  assert_int_equal(on_alloc_used(), 0);
}

static void refuse_to_write(const on_checkpoint *checkpoint, const char *message) {
  on_buf out = {0};
  on_error error = {0};
  assert_false(on_checkpoint_write(&out, checkpoint, 0, &error));
  if (!strstr(error.text, message)) fail_msg("'%s' wanted: %s", message, error.text);
  assert_int_equal(error.code, ON_INVALID_ARGUMENT);
  assert_int_equal(out.n, 0);
  on_buf_free(&out);
  assert_int_equal(on_alloc_used(), 0);
}

static void writes_nothing_it_would_not_read(void **state) {
  (void)state;
  on_tensor tensors[4];
  on_meta meta[] = {{ON_STR("a"), ON_STR("1")}, {ON_STR("a"), ON_STR("2")}};
  on_checkpoint checkpoint = {.tensors = tensors, .count = 4, .meta = meta};
  fill(tensors);
  tensors[2].name = tensors[1].name;
  refuse_to_write(&checkpoint, "the name stands twice");
  fill(tensors);
  tensors[2].name = ON_STR("__metadata__");
  refuse_to_write(&checkpoint, "cannot be a tensor's name");
  fill(tensors);
  tensors[2].name = ON_STR("a\xFF");
  refuse_to_write(&checkpoint, "cannot be a tensor's name");
  fill(tensors);
  tensors[2].size = 4;
  refuse_to_write(&checkpoint, "tensor b: 4 bytes of data, want 2 values");
  fill(tensors);
  tensors[1].rank = 1;
  refuse_to_write(&checkpoint, "a vector must be F32");
  fill(tensors);
  tensors[2].rank = 3;
  refuse_to_write(&checkpoint, "1 or 2 dimensions");
  fill(tensors);
  tensors[2].shape[0] = 0;
  refuse_to_write(&checkpoint, "a dimension of the shape is 0");
  fill(tensors);
  tensors[3].name = ON_STR("a.scale");
  refuse_to_write(&checkpoint, "is missing");
  fill(tensors);
  tensors[2].name = ON_STR("a.scale");
  refuse_to_write(&checkpoint, "tensor a.scale: there is no I8 tensor");
  fill(tensors);
  checkpoint.count = 3;
  refuse_to_write(&checkpoint, "is missing");
  checkpoint.count = 4;
  checkpoint.meta_count = 2;
  refuse_to_write(&checkpoint, "__metadata__.a stands twice");
  meta[1] = (on_meta){ON_STR("b"), ON_STR("x\0y")};
  refuse_to_write(&checkpoint, "__metadata__.b is not text");
}

static void survives_failing_allocations(void **state) {
  (void)state;
  on_tensor tensors[4];
  fill(tensors);
  on_meta meta[] = {{ON_STR("b"), ON_STR("1")}, {ON_STR("a"), ON_STR("2")}};
  const on_checkpoint checkpoint = {.tensors = tensors, .count = 4, .meta = meta, .meta_count = 2};
  bool done = false;
  for (size_t n = 1; !done; n++) {
    on_buf out = {0};
    on_arena arena = {.first_size = 32};
    on_checkpoint read;
    on_error error = {0};
    on_alloc_fail_at(n, 0);
    done = on_checkpoint_write(&out, &checkpoint, 0, &error) &&
           on_checkpoint_read(&arena, on_buf_view(&out), &read, &error);
    on_alloc_fail_at(0, 0);
    if (!done) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    if (done) assert_true(n > 20);
    on_arena_free(&arena);
    on_buf_free(&out);
    assert_int_equal(on_alloc_used(), 0);
  }
}

static void every_flipped_bit_is_survived(void **state) {
  (void)state;
  on_tensor tensors[4];
  fill(tensors);
  on_meta meta[] = {{ON_STR("b"), ON_STR("1")}};
  const on_checkpoint checkpoint = {.tensors = tensors, .count = 4, .meta = meta, .meta_count = 1};
  on_buf out = {0};
  assert_true(on_checkpoint_write(&out, &checkpoint, 0, NULL));
  size_t refused = 0;
  for (size_t bit = 0; bit < out.n * 8; bit++) {
    out.p[bit / 8] = (char)(out.p[bit / 8] ^ 1 << bit % 8);
    on_arena arena = {0};
    on_checkpoint read;
    on_error error = {0};
    if (!on_checkpoint_read(&arena, on_buf_view(&out), &read, &error)) {
      refused++;
      assert_true(error.code == ON_INVALID_DATA && error.text[0]);
    }
    on_arena_free(&arena);
    out.p[bit / 8] = (char)(out.p[bit / 8] ^ 1 << bit % 8);
  }
  assert_true(refused > out.n);  // most bits of the header
  on_buf_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_tensors_in_the_order_of_their_data),
      cmocka_unit_test(refuses_broken_images),
      cmocka_unit_test(positions_count_from_the_image),
      cmocka_unit_test(refuses_header_lengths),
      cmocka_unit_test(writes_and_reads),
      cmocka_unit_test(writes_nothing_it_would_not_read),
      cmocka_unit_test(survives_failing_allocations),
      cmocka_unit_test(every_flipped_bit_is_survived),
  };
  return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}

// The examples of FIPS 180-4, and every way to cut the bytes.
#include "base/sha256.h"

#include "test.h"

static void check(const char *text, size_t n, const char *want) {
  for (size_t step = 1; step <= n + 1; step += step < 70 ? 1 : 1000) {
    on_sha256 hash;
    char hex[65];
    on_sha256_init(&hash);
    for (size_t at = 0; at < n; at += step) on_sha256_add(&hash, text + at, n - at < step ? n - at : step);
    on_sha256_hex(&hash, hex);
    assert_string_equal(hex, want);
  }
}

static void examples(void **state) {
  (void)state;
  check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  check(two, strlen(two), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  char *million = malloc(1000000);
  memset(million, 'a', 1000000);
  on_sha256 hash;
  char hex[65];
  on_sha256_init(&hash);
  on_sha256_add(&hash, million, 1000000);
  on_sha256_hex(&hash, hex);
  assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(million);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// Conversions, alignments and scores of any bytes, without a pipeline. The first byte chooses the formats, and the size of
// pieces; a byte 0xFF, which no UTF-8 has, parts two files that are compared.
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "onenlp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static on_str contents(const onenlp_buffer *buffer) {
  on_str s;
  s.p = onenlp_buffer_data(buffer, &s.n);
  return s;
}

static onenlp_buffer *new_buffer(void) {
  onenlp_buffer *buffer = onenlp_buffer_new();
  if (!buffer) abort();
  return buffer;
}

static void check_error(const onenlp_error *error) {
  if (error->code != ONENLP_DATA_FORMAT || !strstr(error->text, "line ")) abort();
}

// What comes in pieces gives what the whole gives, or the same error.
static void convert_pieces(on_str bytes, size_t size, onenlp_format from, onenlp_format to, on_str want,
                           const onenlp_error *failed) {
  onenlp_buffer *out = new_buffer();
  onenlp_error error = {ONENLP_OK, -1, ""};
  onenlp_converter *converter = onenlp_converter_new(from, to, 0, NULL);
  if (!converter) abort();
  int got = 0;
  for (size_t at = 0; got == 0; at += size) {
    const bool last = bytes.n - at <= size;
    if (!onenlp_converter_push(converter, bytes.p + at, last ? bytes.n - at : size, last, NULL)) abort();
    do got = onenlp_converter_next(converter, out, &error);
    while (got == 1);
    if (last) break;
  }
  if (got < 0 ? !failed || strcmp(error.text, failed->text) || error.position != failed->position
              : failed || !on_str_eq(contents(out), want)) {
    abort();
  }
  onenlp_converter_free(converter);
  onenlp_buffer_free(out);
}

// What was converted converts to itself, and back.
static void convert(on_str bytes, size_t piece, onenlp_format from, onenlp_format to) {
  onenlp_buffer *once = new_buffer(), *twice = new_buffer(), *back = new_buffer();
  onenlp_error error;
  const bool ok = onenlp_convert(bytes.p, bytes.n, from, to, once, &error);
  if (!ok) check_error(&error);
  convert_pieces(bytes, piece, from, to, contents(once), ok ? NULL : &error);
  if (!ok) {
    // told above
  } else if (to == ONENLP_CONLLU || to == ONENLP_JSONL) {
    const on_str first = contents(once);
    if (!onenlp_convert(first.p, first.n, to, to, twice, &error)) abort();
    if (to == ONENLP_CONLLU && !on_str_eq(first, contents(twice))) abort();
    if (!onenlp_convert(first.p, first.n, to, from, back, &error)) abort();
  }
  onenlp_buffer_free(once);
  onenlp_buffer_free(twice);
  onenlp_buffer_free(back);
}

static void align(on_str predicted, on_str reference, onenlp_format format) {
  onenlp_buffer *out = new_buffer();
  onenlp_error error;
  if (onenlp_align(predicted.p, predicted.n, format, reference.p, reference.n, format, out, &error)) {
    if (contents(out).n == 0) abort();
  } else if (error.code != ONENLP_DATA_FORMAT && error.code != ONENLP_INVALID_ARGUMENT && error.code != ONENLP_LIMIT) {
    abort();
  }
  onenlp_buffer_free(out);
}

static void compare(on_str gold, on_str system, bool lines) {
  align(gold, system, lines ? ONENLP_JSONL : ONENLP_CONLLU);
  onenlp_buffer *out = new_buffer();
  onenlp_error error;
  int ok = lines ? onenlp_compare_jsonl(gold.p, gold.n, system.p, system.n, ONENLP_JSON, out, &error)
                 : onenlp_evaluate(gold.p, gold.n, system.p, system.n, ONENLP_TABLE, out, &error);
  if (!ok && error.code == ONENLP_OK) abort();
  if (ok && contents(out).n == 0) abort();
  onenlp_buffer_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const on_str bytes = {(const char *)data + 1, size - 1};
  const bool lines = data[0] & 1;
  const char *split = bytes.n ? memchr(bytes.p, 0xFF, bytes.n) : NULL;
  if (split) {
    const size_t at = (size_t)(split - bytes.p);
    compare(on_str_sub(bytes, 0, at), on_str_sub(bytes, at + 1, bytes.n), lines);
  } else {
    convert(bytes, (size_t)(data[0] >> 3) + 1, lines ? ONENLP_JSONL : ONENLP_CONLLU, (onenlp_format)(data[0] >> 1 & 3));
    compare(bytes, bytes, lines);
  }
  return 0;
}

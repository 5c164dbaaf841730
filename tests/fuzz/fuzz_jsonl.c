// JSON Lines of any bytes: what is read is written so that it reads and writes the same, and offsets hold.
#include <stdlib.h>

#include "format/jsonl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
  if (!condition) abort();
}

// One token of the whole text.
static bool whole_text(void *context, on_doc *doc, on_error *error) {
  (void)context;
  if (!on_doc_set_tokens(doc, 1)) return on_fail_memory(error);
  doc->start[0] = doc->source_start[0] = 0;
  doc->end[0] = doc->source_end[0] = (uint32_t)doc->text.n;
  return true;
}

static void check_spans(const on_doc *doc, const on_span *spans, size_t count) {
  for (size_t i = 0; i < count; i++) {
    require(spans[i].first < spans[i].end && spans[i].end <= doc->n && spans[i].label.n > 0);
  }
}

static void check_doc(const on_doc *doc) {
  for (size_t i = 0; i < doc->n; i++) {
    require(doc->start[i] < doc->end[i] && doc->end[i] <= doc->text.n && (i == 0 || doc->start[i] >= doc->end[i - 1]));
  }
  check_spans(doc, doc->ents, doc->ent_count);
  for (size_t i = 1; i < doc->ent_count; i++) require(doc->ents[i].first >= doc->ents[i - 1].end);
  for (size_t i = 0; i < doc->group_count; i++) check_spans(doc, doc->groups[i].spans, doc->groups[i].count);
  for (size_t i = 0; i < doc->cat_count; i++) require(doc->cats[i].score >= 0 && doc->cats[i].score <= 1);
}

// Writes what can be read; the number of errors.
static size_t copy(on_str bytes, on_misaligned misaligned, on_buf *out) {
  const on_jsonl_options options = {.misaligned = misaligned, .tokenizer = whole_text};
  on_jsonl_reader *reader = on_jsonl_open(bytes, &options);
  on_doc doc;
  on_doc_init(&doc);
  on_error error = {0};
  size_t errors = 0;
  for (int got; reader && (got = on_jsonl_next(reader, &doc, &error)) != 0;) {
    if (got < 0) {
      require(error.code == ON_DATA_FORMAT && strncmp(error.text, "line ", 5) == 0);
      require(error.position == on_jsonl_line(reader));
      errors++;
    } else {
      check_doc(&doc);
      require(on_jsonl_write_doc(out, &doc, NULL));
    }
  }
  on_doc_free(&doc);
  on_jsonl_close(reader);
  return errors;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const on_str bytes = {(const char *)data, size};
  on_buf once = {0}, twice = {0};
  copy(bytes, ON_MISALIGNED_ERROR, &once);
  on_buf_clear(&once);
  copy(bytes, ON_MISALIGNED_SKIP, &once);
  require(copy(on_buf_view(&once), ON_MISALIGNED_ERROR, &twice) == 0);
  require(on_str_eq(on_buf_view(&once), on_buf_view(&twice)));
  on_buf_free(&once);
  on_buf_free(&twice);
  return 0;
}

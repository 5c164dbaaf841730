#include "cli/blocks.h"

#include "base/alloc.h"
#include "cli/files.h"
#include "doc/unit.h"
#include "pipeline/text_sums.h"
#include "text/utf.h"

enum { BLOCK_UNITS = 65536 };  // of UTF-16; a block ends at the first paragraph's end behind that

static onenlp_input input_of(const on_block_reader *reader, const char *path) {
  on_str name = on_str_c(path);
  on_file_kind kind = reader->kind;
  if (kind == ON_FILE_AUTO && (on_str_ends(name, ON_STR(".conllu")) || on_str_ends(name, ON_STR(".conll")))) {
    kind = ON_FILE_CONLLU;
  }
  if (kind == ON_FILE_AUTO && on_str_ends(name, ON_STR(".jsonl"))) kind = ON_FILE_JSONL;
  return kind == ON_FILE_CONLLU ? ONENLP_FROM_CONLLU : kind == ON_FILE_JSONL ? ONENLP_FROM_JSONL : ONENLP_FROM_TEXT;
}

static bool is_text(const on_source *source) { return source->input == ONENLP_FROM_TEXT; }

static void free_source(on_source *source) {
  on_buf_free(&source->bytes);
  on_arena_free(&source->arena);
  on_json_doc_free(&source->json);
  on_text_sums_free(&source->sums);
  on_free(source);
}

void on_block_reader_free(on_block_reader *reader) {
  if (reader->source) free_source(reader->source);
  reader->source = NULL;
}

static bool read_source(on_source *source, on_error *error) {
  if (!on_file_read(source->path, &source->bytes, error)) return false;
  on_str bytes = on_buf_view(&source->bytes);
  if (bytes.n > UINT32_MAX) return on_fail(error, ON_LIMIT, -1, "the file is larger than 4,294,967,295 bytes");
  if (!is_text(source)) return true;
  // A byte-order mark is no part of the text.
  if (on_str_starts(bytes, ON_STR("\xEF\xBB\xBF"))) bytes = on_str_sub(bytes, 3, bytes.n);
  if (on_utf16_from_utf8(&source->arena, bytes, &source->text, error)) return true;
  if (error->position >= 0) error->position += bytes.p - source->bytes.p;
  return false;
}

static void open_source(on_block_reader *reader, on_block *block) {
  on_source *source = on_calloc(1, sizeof *source);
  if (!source) {
    block->failed = true;
    on_fail_memory(&block->error);
    reader->next++;
    return;
  }
  source->path = reader->paths[reader->next++];
  source->input = input_of(reader, source->path);
  source->writer.next_sentence = 1;
  block->source = source;
  block->failed = !read_source(source, &block->error);
  reader->source = source;
}

bool on_block_next(on_block_reader *reader, on_block *block) {
  if (!reader->source) {
    if (reader->next == reader->count) return false;
    open_source(reader, block);
    if (!block->source) return true;
  }
  on_source *source = block->source = reader->source;
  block->start = block->end = source->at;
  size_t n = source->text.n;
  if (!block->failed && is_text(source)) {
    while (block->end < n && block->end - block->start < BLOCK_UNITS) {
      block->end = on_next_paragraph(source->text, block->end);
    }
  }
  block->last = block->failed || !is_text(source) || block->end == n;
  uint64_t bytes = source->bytes.n;
  block->bytes = block->last ? bytes - (n ? bytes * block->start / n : 0)
                             : bytes * block->end / n - bytes * block->start / n;
  source->at = block->end;
  if (block->last) reader->source = NULL;
  return true;
}

static on_doc *next_doc(on_block *block) {
  size_t before = block->doc_cap;
  void *docs = block->docs, *starts = block->paragraph_start;
  if (!on_grow(&docs, &block->doc_cap, block->count + 1, sizeof *block->docs)) return NULL;
  block->docs = docs;
  for (size_t i = before; i < block->doc_cap; i++) on_doc_init(&block->docs[i]);
  if (!on_grow(&starts, &block->start_cap, block->count + 1, 1)) return NULL;
  block->paragraph_start = starts;
  return &block->docs[block->count];
}

static bool annotate_text(on_block *block, onenlp_annotator *annotator) {
  on_text_run run;
  on_str16 text = on_str16_sub(block->source->text, 0, block->end);
  on_text_begin(&run, &annotator->pipeline->pipeline, &annotator->workspace, annotator->wanted, text);
  run.at = run.paragraph_end = block->start;
  int got;
  do {
    on_doc *doc = next_doc(block);
    if (!doc) {
      on_fail_memory(&block->error);
      got = -1;
      break;
    }
    got = on_text_next(&run, doc, &block->error);
    if (got == 1) {
      block->paragraph_start[block->count++] = run.paragraph_start;
      block->words += doc->n;
    }
  } while (got == 1);
  on_text_end(&run);
  return got == 0;
}

static bool annotate_file(on_block *block, onenlp_annotator *annotator, onenlp_output_format format) {
  onenlp_error error;
  on_str bytes = on_buf_view(&block->source->bytes);
  if (onenlp_annotate(annotator, block->source->input, bytes.p, bytes.n, format, NULL, NULL, &error)) {
    onenlp_progress(annotator, NULL, NULL, &block->words);
    return true;
  }
  return on_fail(&block->error, (on_code)error.code, error.position, "%s", error.text);
}

void on_block_annotate(on_block *block, onenlp_annotator *annotator, onenlp_output_format format) {
  if (block->failed) return;
  block->annotator = annotator;
  bool text = is_text(block->source);
  block->failed = text ? !annotate_text(block, annotator) : !annotate_file(block, annotator, format);
}

void on_block_write(on_block *block, onenlp_output_format format, on_buf *out) {
  on_source *source = block->source;
  if (!is_text(source)) {
    on_buf_str(out, on_buf_view(&block->annotator->out.buf));
    return;
  }
  onenlp_annotator *annotator = block->annotator;
  for (size_t i = 0; i < block->count && !block->failed; i++) {
    block->failed = !on_text_sums_add(&source->sums, &annotator->pipeline->pipeline, &annotator->workspace,
                                      annotator->wanted, &block->docs[i], &block->error);
    if (block->failed) break;
    if (format == ONENLP_TO_CONLLU) {
      source->writer.new_paragraph = block->paragraph_start[i];
      block->failed = !on_conllu_write_doc(out, &block->docs[i], &source->writer, &block->error);
    } else {
      on_json_doc_add(&source->json, &block->docs[i], 0);
    }
  }
  if (format == ONENLP_TO_CONLLU || !block->last || block->failed) return;
  on_str bytes = on_buf_view(&source->bytes);
  if (on_str_starts(bytes, ON_STR("\xEF\xBB\xBF"))) bytes = on_str_sub(bytes, 3, bytes.n);
  block->failed = !on_json_doc_finish(&source->json, bytes, format == ONENLP_TO_JSON, out);
  on_buf_char(out, '\n');
  if (block->failed) on_fail_memory(&block->error);
}

void on_block_done(on_block *block) {
  if (block->source && block->last) free_source(block->source);
  for (size_t i = 0; i < block->count; i++) on_doc_reset(&block->docs[i]);
  on_block kept = *block;
  *block = (on_block){.docs = kept.docs, .paragraph_start = kept.paragraph_start, .doc_cap = kept.doc_cap,
                      .start_cap = kept.start_cap};
}

void on_block_free(on_block *block) {
  for (size_t i = 0; i < block->doc_cap; i++) on_doc_free(&block->docs[i]);
  on_free(block->docs);
  on_free(block->paragraph_start);
  *block = (on_block){0};
}

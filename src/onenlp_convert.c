// Conversions of the public interface.
#include "format/json_conllu.h"
#include "format/jsonl.h"
#include "onenlp_internal.h"
#include "pipeline/tokenize_doc.h"
#include "text/utf.h"

static bool write_sentence(const on_conllu_sentence *sentence, onenlp_format to, bool first, on_doc *doc, on_buf *out,
                           on_error *error) {
  switch (to) {
    case ONENLP_CONLLU: on_conllu_write(out, sentence); return true;
    case ONENLP_PLAIN_TEXT: on_conllu_rebuild_text(out, sentence); return true;
    case ONENLP_TREEBANK_TEXT: on_conllu_raw_text(out, sentence, first); return true;
    case ONENLP_JSONL: break;
  }
  on_doc_reset(doc);
  return on_doc_from_conllu(doc, &sentence, 1, error) && on_json_from_conllu(out, sentence, doc, error);
}

static bool convert_conllu(on_str bytes, onenlp_format to, on_buf *out, on_error *error) {
  on_conllu_reader *reader = on_conllu_open(bytes, NULL);
  if (!reader) return on_fail_memory(error);
  on_conllu_sentence sentence = {0};
  on_doc doc;
  on_doc_init(&doc);
  size_t start = out->n;
  int got;
  while ((got = on_conllu_next(reader, &sentence, error)) == 1) {
    if (write_sentence(&sentence, to, out->n == start, &doc, out, error)) continue;
    got = -1;
    break;
  }
  on_doc_free(&doc);
  on_conllu_sentence_free(&sentence);
  on_conllu_close(reader);
  return got == 0 && (!out->failed || on_fail_memory(error));
}

// The sentence that a line was made of, where it was (json_conllu.h); *done tells.
static bool write_columns(const on_jsonl_reader *reader, on_buf *out, bool *done, on_error *error) {
  int got = on_conllu_from_json(out, on_jsonl_line_text(reader), error);
  *done = got == 1;
  if (got >= 0 || !error || error->code == ON_OUT_OF_MEMORY) return got >= 0;
  error->position = on_jsonl_line(reader);
  return on_fail_context(error, "line %lld", (long long)on_jsonl_line(reader));
}

static bool write_example(const on_doc *doc, const on_jsonl_reader *reader, onenlp_format to, on_conllu_writer *writer,
                          on_buf *out, on_error *error) {
  if (to == ONENLP_JSONL) return on_jsonl_write_doc(out, doc, error);
  if (to == ONENLP_CONLLU) {
    bool done;
    if (!write_columns(reader, out, &done, error)) return false;
    if (done) return true;
    if (doc->n) on_buf_str(out, ON_STR("# newdoc\n"));
    return on_conllu_write_doc(out, doc, writer, error);
  }
  on_utf8_append(out, doc->source);
  on_buf_char(out, '\n');
  return true;
}

static bool convert_examples(on_str bytes, onenlp_format to, const on_pipeline *blank, on_buf *out, on_error *error) {
  on_workspace workspace;
  on_doc_tokenizer tokenizer = {blank, &workspace};
  on_jsonl_options options = {.tokenizer = on_tokenize_doc, .context = &tokenizer};
  on_conllu_writer writer = {.next_sentence = 1};
  on_doc doc;
  on_doc_init(&doc);
  on_jsonl_reader *reader = on_jsonl_open(bytes, &options);
  bool ok = (on_workspace_init(&workspace, blank->encoder_count, NULL) && reader) || on_fail_memory(error);
  int got = 0;
  while (ok && (got = on_jsonl_next(reader, &doc, error)) == 1) {
    ok = write_example(&doc, reader, to, &writer, out, error);
  }
  if (reader) on_jsonl_close(reader);
  on_doc_free(&doc);
  on_workspace_free(&workspace);
  return ok && got == 0 && (!out->failed || on_fail_memory(error));
}

static bool convert_jsonl(on_str bytes, onenlp_format to, on_buf *out, on_error *error) {
  on_pipeline blank;
  if (!on_pipeline_blank(&blank, ON_STR(""), NULL, error)) return false;
  bool ok = convert_examples(bytes, to, &blank, out, error);
  on_pipeline_free(&blank);
  return ok;
}

int onenlp_convert(const void *bytes, size_t size, onenlp_format from, onenlp_format to, onenlp_buffer *out,
                   onenlp_error *error) {
  on_error inner = {0};
  on_str input = {bytes, size};
  bool ok;
  if (from == ONENLP_CONLLU) {
    ok = convert_conllu(input, to, &out->buf, &inner);
  } else if (from == ONENLP_JSONL) {
    ok = convert_jsonl(input, to, &out->buf, &inner);
  } else {
    ok = on_fail(&inner, ON_INVALID_ARGUMENT, -1, "only CoNLL-U and JSON Lines can be converted");
  }
  return ok ? 1 : onenlp_report(error, &inner);
}

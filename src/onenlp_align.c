// Alignment of the public interface: two documents of one text, tokenized differently.
#include "base/alloc.h"
#include "doc/align.h"
#include "format/json.h"
#include "format/json_conllu.h"
#include "format/jsonl.h"
#include "onenlp_internal.h"
#include "pipeline/tokenize_doc.h"

static bool doc_of_conllu(on_doc *doc, on_str bytes, on_error *error) {
  onenlp_sentences sentences = {0};
  bool ok = onenlp_read_sentences(&sentences, bytes, error);
  const on_conllu_sentence **list = ok ? on_malloc((sentences.n + 1) * sizeof *list) : NULL;
  if (ok && !list) ok = on_fail_memory(error);
  for (size_t i = 0; ok && i < sentences.n; i++) list[i] = &sentences.list[i];
  ok = ok && on_doc_from_conllu(doc, list, sentences.n, error);
  on_free(list);
  onenlp_free_sentences(&sentences);
  return ok;
}

// The one document of `bytes`, and its line.
static bool read_line(on_doc *doc, on_str bytes, const on_pipeline *blank, on_str *line, on_error *error) {
  on_workspace workspace;
  on_doc_tokenizer tokenizer = {blank, &workspace};
  on_jsonl_options options = {.tokenizer = on_tokenize_doc, .context = &tokenizer};
  on_jsonl_reader *reader = on_jsonl_open(bytes, &options);
  bool ok = (on_workspace_init(&workspace, blank->encoder_count, NULL) && reader) || on_fail_memory(error);
  if (ok) {
    int got = on_jsonl_next(reader, doc, error);
    ok = got == 1;
    *line = on_jsonl_line_text(reader);
    if (got == 0) on_fail(error, ON_DATA_FORMAT, -1, "there is no document");
    for (size_t at = ok ? on_jsonl_offset(reader) : bytes.n; ok && at < bytes.n; at++) {
      ok = memchr(" \t\r\n", bytes.p[at], 4) || on_fail(error, ON_DATA_FORMAT, -1, "there is more than one document");
    }
  }
  if (reader) on_jsonl_close(reader);
  on_workspace_free(&workspace);
  return ok;
}

// A line that has the columns of a sentence is that sentence.
static bool doc_of_jsonl(on_doc *doc, on_str bytes, on_error *error) {
  on_pipeline blank;
  if (!on_pipeline_blank(&blank, ON_STR(""), NULL, error)) return false;
  on_buf conllu = {0};
  on_str line = ON_STR_NONE;
  bool ok = read_line(doc, bytes, &blank, &line, error);
  on_json *root = ok ? on_json_parse_line(line, error) : NULL;
  int got = root ? on_conllu_from_json(&conllu, root, error) : -1;
  if (got == 1) {
    on_doc_reset(doc);
    ok = doc_of_conllu(doc, on_buf_view(&conllu), error);
  }
  on_json_free(root);
  on_buf_free(&conllu);
  on_pipeline_free(&blank);
  return ok && got >= 0;
}

static bool read_doc(on_doc *doc, on_str bytes, onenlp_format format, const char *which, on_error *error) {
  on_doc_init(doc);
  if (format != ONENLP_CONLLU && format != ONENLP_JSONL) {
    return on_fail(error, ON_INVALID_ARGUMENT, -1, "only CoNLL-U and JSON Lines can be aligned");
  }
  bool ok = format == ONENLP_CONLLU ? doc_of_conllu(doc, bytes, error) : doc_of_jsonl(doc, bytes, error);
  return ok || on_fail_context(error, "%s", which);
}

// ---- Writing

static void add_number(on_buf *out, size_t i, uint32_t value) {
  if (i) on_buf_str(out, ON_STR(", "));
  if (value == ON_UNALIGNED) on_buf_str(out, ON_STR("null"));
  else on_buf_u64(out, value);
}

static void add_numbers(on_buf *out, const char *name, const uint32_t *values, size_t n) {
  on_buf_format(out, "\"%s\": [", name);
  for (size_t i = 0; i < n; i++) add_number(out, i, values[i]);
  on_buf_char(out, ']');
}

static void add_overlaps(on_buf *out, const on_alignment *alignment, size_t n) {
  const uint32_t *token = alignment->reference.token;
  on_buf_str(out, ON_STR(", \"overlaps\": ["));
  for (size_t i = 0; i < n; i++) {
    uint32_t first = alignment->first[i], end = alignment->end[i];
    if (i) on_buf_str(out, ON_STR(", "));
    if (first < end) on_buf_format(out, "[%u, %u]", token[first], token[end - 1] + 1);
    else on_buf_str(out, ON_STR("null"));
  }
  on_buf_char(out, ']');
}

static bool add_spans(on_buf *out, const on_alignment *alignment, const on_span *spans, size_t count) {
  on_span *list = on_malloc((count + 1) * sizeof *list);
  if (!list) return false;
  size_t kept = on_get_aligned_spans(alignment, spans, count, list);
  on_buf_char(out, '[');
  for (size_t i = 0; i < kept; i++) {
    on_buf_format(out, "%s[%u, %u, ", i ? ", " : "", list[i].first, list[i].end);
    on_json_write_string(out, list[i].label);
    on_buf_char(out, ']');
  }
  on_buf_char(out, ']');
  on_free(list);
  return true;
}

static bool write_alignment(on_buf *out, const on_alignment *alignment, const on_doc *predicted,
                            const on_doc *reference) {
  on_buf_char(out, '{');
  add_numbers(out, "to_reference", alignment->to_reference, predicted->n);
  on_buf_str(out, ON_STR(", "));
  add_numbers(out, "to_predicted", alignment->to_predicted, reference->n);
  add_overlaps(out, alignment, predicted->n);
  if (reference->head) {
    uint32_t *heads = on_malloc((predicted->n + 1) * sizeof *heads);
    if (!heads) return false;
    on_get_aligned_heads(alignment, predicted, reference->head, heads);
    on_buf_str(out, ON_STR(", "));
    add_numbers(out, "head", heads, predicted->n);
    on_free(heads);
  }
  if (reference->has_ents) {
    on_buf_str(out, ON_STR(", \"entities\": "));
    if (!add_spans(out, alignment, reference->ents, reference->ent_count)) return false;
  }
  if (reference->groups) on_buf_str(out, ON_STR(", \"spans\": {"));
  for (size_t i = 0; i < reference->group_count; i++) {
    const on_span_group *group = &reference->groups[i];
    if (i) on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, group->name);
    on_buf_str(out, ON_STR(": "));
    if (!add_spans(out, alignment, group->spans, group->count)) return false;
  }
  on_buf_str(out, reference->groups ? ON_STR("}}\n") : ON_STR("}\n"));
  return !out->failed;
}

int onenlp_align(const void *predicted, size_t predicted_size, onenlp_format predicted_format, const void *reference,
                 size_t reference_size, onenlp_format reference_format, onenlp_buffer *out, onenlp_error *error) {
  on_error inner = {0};
  on_doc docs[2] = {0};
  on_alignment alignment;
  bool ok = read_doc(&docs[0], (on_str){predicted, predicted_size}, predicted_format, "predicted", &inner) &&
            read_doc(&docs[1], (on_str){reference, reference_size}, reference_format, "reference", &inner);
  if (ok && (ok = on_align(&alignment, &docs[0], &docs[1], &inner))) {
    ok = write_alignment(&out->buf, &alignment, &docs[0], &docs[1]) || on_fail_memory(&inner);
    on_alignment_free(&alignment);
  }
  on_doc_free(&docs[0]);
  on_doc_free(&docs[1]);
  return ok ? 1 : onenlp_report(error, &inner);
}

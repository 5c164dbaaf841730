// Conversions of the public interface, of whole files and of files that come in pieces.
#include "base/alloc.h"
#include "format/conllu_internal.h"
#include "format/json_columns.h"
#include "format/json_conllu.h"
#include "format/jsonl.h"
#include "onenlp_internal.h"
#include "pipeline/compact.h"
#include "pipeline/tokenize_doc.h"
#include "text/utf.h"

enum {
  // More bytes than a line that is allowed can have: three for each UTF-16 unit, and a little.
  LONGEST_CONLLU_LINE = 3 * (1048576 + 4),
  LONGEST_JSONL_LINE = 3 * (16777216 + 4),
  CHECK_AT = 1 << 20  // pending bytes from which on an item that does not end is checked as far as it is there
};

struct onenlp_converter {
  onenlp_format from, to;
  bool failed;
  on_error error;  // that it failed with

  // What was pushed and not read yet.
  on_buf pending;
  size_t line_start;  // where the last line starts, which may go on
  size_t complete;    // bytes that make whole items: sentences with the empty line behind them, or lines
  size_t check_at;
  bool ended;         // nothing more comes
  int64_t lines;      // before `pending`

  // One reader is open while items of the first `opened` bytes are left (of the caller's, if that is 0).
  size_t opened;
  on_conllu_reader *conllu;
  on_conllu_sentence sentence;
  on_jsonl_reader *jsonl;
  on_jsonl_options options;
  on_pipeline blank;  // makes tokens where a line gives none
  bool has_blank;
  on_workspace workspace;
  on_doc_tokenizer tokenizer;
  on_doc doc;

  on_conllu_writer writer;
  on_buf text;     // the end of the text so far, for the formats that look back at it
  size_t emitted;  // of that
  bool any;        // there was a sentence
};

static bool start(onenlp_converter *c, onenlp_format from, onenlp_format to, int skip_misaligned, on_error *error) {
  *c = (onenlp_converter){.from = from, .to = to, .check_at = CHECK_AT, .writer = {.next_sentence = 1}};
  if (from != ONENLP_CONLLU && from != ONENLP_JSONL) {
    return on_fail(error, ON_INVALID_ARGUMENT, -1, "only CoNLL-U and JSON Lines can be converted");
  }
  if (from == ONENLP_CONLLU) return true;
  c->has_blank = on_pipeline_blank(&c->blank, ON_STR(""), NULL, error);
  if (!c->has_blank) return false;
  c->tokenizer = (on_doc_tokenizer){&c->blank, &c->workspace};
  c->options.tokenizer = on_tokenize_doc;
  c->options.context = &c->tokenizer;
  c->options.misaligned = skip_misaligned ? ON_MISALIGNED_SKIP : ON_MISALIGNED_ERROR;
  return on_workspace_init(&c->workspace, c->blank.encoder_count, NULL) || on_fail_memory(error);
}

static bool open_reader(onenlp_converter *c, on_str bytes, bool partial) {
  if (c->from == ONENLP_CONLLU) {
    c->conllu = on_conllu_open(bytes, &(on_conllu_options){.lines = c->lines, .partial = partial});
  } else {
    c->options.lines = c->lines;
    c->jsonl = on_jsonl_open(bytes, &c->options);
  }
  return c->conllu || c->jsonl;
}

static int64_t reader_line(const onenlp_converter *c) {
  return c->conllu ? on_conllu_line(c->conllu) : on_jsonl_line(c->jsonl);
}

static void close_reader(onenlp_converter *c) {
  if (c->conllu) on_conllu_close(c->conllu);
  if (c->jsonl) on_jsonl_close(c->jsonl);
  c->conllu = NULL;
  c->jsonl = NULL;
}

static void finish(onenlp_converter *c) {
  close_reader(c);
  on_conllu_sentence_free(&c->sentence);
  on_doc_free(&c->doc);
  on_workspace_free(&c->workspace);
  if (c->has_blank) on_pipeline_free(&c->blank);
  on_buf_free(&c->pending);
  on_buf_free(&c->text);
}

// ---- Writing one item

// Hands on the text but for the white space at its end, which the next sentence may still change.
static void emit_text(onenlp_converter *c, on_buf *out, bool all) {
  on_buf *text = &c->text;
  size_t space = 0;
  if (!all) on_conllu_trailing_breaks(text, &space);
  size_t end = text->n - space;
  if (end > c->emitted) {
    on_buf_add(out, text->p + c->emitted, end - c->emitted);
    c->emitted = end;
  }
  // The character before the white space stays, so that the text is seen not to be empty.
  size_t from = end;
  if (from > 0) from--;
  while (from > 0 && ((unsigned char)text->p[from] & 0xC0) == 0x80) from--;
  if (from == 0) return;
  memmove(text->p, text->p + from, text->n - from);
  text->n -= from;
  c->emitted -= from;
}

static bool write_sentence(onenlp_converter *c, on_buf *out, on_error *error) {
  const on_conllu_sentence *sentence = &c->sentence;
  bool first = !c->any;
  c->any = true;
  switch (c->to) {
    case ONENLP_CONLLU: on_conllu_write(out, sentence); return true;
    case ONENLP_PLAIN_TEXT: on_conllu_rebuild_text(&c->text, sentence); break;
    case ONENLP_TREEBANK_TEXT: on_conllu_raw_text(&c->text, sentence, first); break;
    case ONENLP_JSONL:
      on_doc_reset(&c->doc);
      return on_doc_from_conllu(&c->doc, &sentence, 1, error) && on_json_from_conllu(out, sentence, &c->doc, error);
  }
  if (c->text.failed) return on_fail_memory(error);
  emit_text(c, out, false);
  return true;
}

// A line as CoNLL-U: the sentence that it was made of, where it was (json_conllu.h); else what the line says of its
// tokens, with its columns where it has some (json_columns.h).
static bool write_line(onenlp_converter *c, on_buf *out, on_error *error) {
  int64_t line = on_jsonl_line(c->jsonl);
  const on_json *root = on_jsonl_line_json(c->jsonl);
  int sentence = on_conllu_from_json(out, root, error);
  int columns = sentence == 0 ? on_doc_columns_from_json(&c->doc, root, error) : 0;
  if (sentence < 0 || columns < 0) {
    if (!error || error->code == ON_OUT_OF_MEMORY) return false;
    error->position = line;
    return on_fail_context(error, "line %lld", (long long)line);
  }
  if (sentence == 1) return true;
  if (c->doc.n) on_buf_str(out, ON_STR("# newdoc\n"));
  c->writer.paragraphs = columns == 1;
  c->writer.paragraph_end = 0;
  return on_conllu_write_doc(out, &c->doc, &c->writer, error);
}

// The line's members that the Doc does not have, into the object that was just written.
static void write_other_members(const on_jsonl_reader *reader, on_buf *out) {
  static const char *const known[] = {"text", "tokens", "entities", "spans", "cats"};
  const on_json *root = on_jsonl_line_json(reader);
  out->n -= 2;  // "}\n", which comes at the end
  for (const on_json *member = on_json_first(root); member; member = on_json_next(member)) {
    on_str key = on_json_key(member);
    bool written = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) written |= on_str_eq(key, on_str_c(known[i]));
    if (written) continue;
    on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, key);
    on_buf_str(out, ON_STR(": "));
    on_json_write(out, member);
  }
  on_buf_str(out, ON_STR("}\n"));
}

static bool write_example(onenlp_converter *c, on_buf *out, on_error *error) {
  if (c->to == ONENLP_JSONL) {
    if (!on_jsonl_write_doc(out, &c->doc, error)) return false;
    write_other_members(c->jsonl, out);
    return true;
  }
  if (c->to == ONENLP_CONLLU) return write_line(c, out, error);
  on_utf8_append(out, c->doc.source);
  on_buf_char(out, '\n');
  return true;
}

// ---- Reading

// An item that does not end must not be waited for without a bound: what is there of it is checked now and then,
// each time when twice as much has come.
static bool check_pending(onenlp_converter *c, on_error *error) {
  on_buf *pending = &c->pending;
  if (c->ended || pending->n < c->check_at) return true;
  // A line of JSON Lines that is blank so far is not kept.
  size_t blank = 0;
  while (c->from == ONENLP_JSONL && blank < pending->n && memchr(" \t\r", pending->p[blank], 3)) blank++;
  if (blank == pending->n) pending->n = 0;
  size_t n = c->line_start;
  size_t longest = c->from == ONENLP_CONLLU ? LONGEST_CONLLU_LINE : LONGEST_JSONL_LINE;
  if (pending->n > n && pending->n - n > longest) {
    n = pending->n - 1;
    while (n > c->line_start && ((unsigned char)pending->p[n] & 0xC0) == 0x80) n--;
  }
  if (n > 0) {
    if (!open_reader(c, (on_str){pending->p, n}, true)) return on_fail_memory(error);
    int got = c->conllu ? on_conllu_next(c->conllu, &c->sentence, error) : on_jsonl_next(c->jsonl, &c->doc, error);
    close_reader(c);
    if (got < 0) return false;
  }
  c->check_at = pending->n < CHECK_AT / 2 ? CHECK_AT : pending->n * 2;
  size_t too_long = c->line_start + longest + 1;
  if (pending->n < too_long && too_long < c->check_at) c->check_at = too_long;
  return true;
}

// Reads the next item: 1, 0 where none is complete, or -1.
static int read_item(onenlp_converter *c, on_error *error) {
  for (;;) {
    if (c->conllu || c->jsonl) {
      int got = c->conllu ? on_conllu_next(c->conllu, &c->sentence, error) : on_jsonl_next(c->jsonl, &c->doc, error);
      if (got != 0) return got;
      c->lines = reader_line(c);
      close_reader(c);
      size_t left = c->pending.n - c->opened;
      if (left) memmove(c->pending.p, c->pending.p + c->opened, left);
      c->line_start = c->line_start > c->opened ? c->line_start - c->opened : 0;
      c->pending.n = left;
      c->complete = c->opened = 0;
    }
    c->opened = c->ended ? c->pending.n : c->complete;
    if (c->opened == 0) return check_pending(c, error) ? 0 : -1;
    if (!open_reader(c, (on_str){c->pending.p, c->opened}, false)) {
      on_fail_memory(error);
      return -1;
    }
    c->check_at = CHECK_AT;
  }
}

static int next(onenlp_converter *c, on_buf *out, on_error *error) {
  int got = read_item(c, error);
  if (got == 1 && !(c->conllu ? write_sentence(c, out, error) : write_example(c, out, error))) got = -1;
  if (got == 0 && c->ended) emit_text(c, out, true);
  if (got >= 0 && out->failed) {
    on_fail_memory(error);
    got = -1;
  }
  return got;
}

// Notes where the lines of the last `size` bytes end, and whether one ends an item.
static void find_items(onenlp_converter *c, size_t size) {
  const char *p = c->pending.p;
  for (size_t at = c->pending.n - size; at < c->pending.n;) {
    const char *newline = memchr(p + at, '\n', c->pending.n - at);
    if (!newline) return;
    size_t end = (size_t)(newline - p), line = c->line_start;
    while (line < end && p[line] == '\r') line++;
    // (The JSON Lines reader skips blank lines itself.)
    if (line == end || c->from == ONENLP_JSONL) c->complete = end + 1;
    c->line_start = at = end + 1;
  }
}

// ---- The public functions

onenlp_converter *onenlp_converter_new(onenlp_format from, onenlp_format to, int skip_misaligned,
                                       onenlp_error *error) {
  on_error inner = {0};
  onenlp_converter *c = on_malloc(sizeof *c);
  if (!c) {
    on_fail_memory(&inner);
  } else if (start(c, from, to, skip_misaligned, &inner)) {
    return c;
  }
  onenlp_converter_free(c);
  onenlp_report(error, &inner);
  return NULL;
}

void onenlp_converter_free(onenlp_converter *converter) {
  if (!converter) return;
  finish(converter);
  on_free(converter);
}

int onenlp_converter_push(onenlp_converter *c, const void *bytes, size_t size, int last, onenlp_error *error) {
  on_error inner = {0};
  if (c->ended || c->conllu || c->jsonl) {
    on_fail(&inner, ON_INVALID_ARGUMENT, -1, "what was pushed before is not read yet, or was the last");
    return onenlp_report(error, &inner);
  }
  on_buf_add(&c->pending, bytes, size);
  if (c->pending.failed) {
    c->pending.failed = false;
    on_fail_memory(&inner);
    return onenlp_report(error, &inner);
  }
  find_items(c, size);
  c->ended = last != 0;
  return 1;
}

int onenlp_converter_next(onenlp_converter *c, onenlp_buffer *out, onenlp_error *error) {
  if (!c->failed) {
    int got = next(c, &out->buf, &c->error);
    if (got >= 0) return got;
    c->failed = true;
  }
  onenlp_report(error, &c->error);
  return -1;
}

int onenlp_convert(const void *bytes, size_t size, onenlp_format from, onenlp_format to, onenlp_buffer *out,
                   onenlp_error *error) {
  on_error inner = {0};
  onenlp_converter c;
  bool ok = start(&c, from, to, 0, &inner);
  c.ended = true;
  ok = ok && (open_reader(&c, (on_str){bytes, size}, false) || on_fail_memory(&inner));
  int got = ok ? 1 : -1;
  while (got == 1) got = next(&c, &out->buf, &inner);
  finish(&c);
  return got == 0 ? 1 : onenlp_report(error, &inner);
}

int onenlp_compact(const void *bytes, size_t size, onenlp_storage storage, onenlp_buffer *out, onenlp_error *error) {
  static const on_dtype types[] = {[ONENLP_F32] = ON_F32, [ONENLP_F16] = ON_F16, [ONENLP_I8] = ON_I8};
  on_error inner = {0};
  on_pipeline pipeline;
  bool ok = (unsigned)storage <= ONENLP_I8 || on_fail(&inner, ON_INVALID_ARGUMENT, -1, "there is no such storage");
  if (ok && (ok = on_pipeline_load(&pipeline, (on_str){bytes, size}, &inner))) {
    ok = on_pipeline_compact(&pipeline, types[storage], &inner) &&
         on_pipeline_save(&pipeline, pipeline.meta, pipeline.meta_count, &out->buf, &inner);
    on_pipeline_free(&pipeline);
  }
  return ok ? 1 : onenlp_report(error, &inner);
}

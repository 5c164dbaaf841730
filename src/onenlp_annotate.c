// Annotators: a text, unit by unit, to CoNLL-U, JSON or columns.
#include "base/alloc.h"
#include "base/rare.h"
#include "onenlp_internal.h"
#include "text/utf.h"

onenlp_annotator *onenlp_annotator_new(const onenlp_pipeline *pipeline, onenlp_error *error) {
  onenlp_annotator *annotator = on_calloc(1, sizeof *annotator);
  size_t count = pipeline->pipeline.component_count;
  if (annotator) {
    annotator->pipeline = pipeline;
    annotator->wanted = on_malloc(count + 1);
    annotator->active = on_malloc(count + 1);
    if (on_workspace_init(&annotator->workspace, pipeline->pipeline.encoder_count, NULL) && annotator->wanted &&
        annotator->active) {
      memset(annotator->wanted, 1, count + 1);
      return annotator;
    }
  }
  onenlp_annotator_free(annotator);
  on_error inner;
  on_fail_memory(&inner);
  onenlp_report(error, &inner);
  return NULL;
}

// Ends the text that is being annotated; the output and the text of gold sentences stay. Memory for texts and
// their words is kept for the next one.
static void end_text(onenlp_annotator *annotator) {
  if (annotator->text.pipeline) {
    annotator->words_arena = annotator->text.arena;
    on_arena_reset(&annotator->words_arena);
    annotator->text.arena = (on_arena){0};
  }
  on_text_end(&annotator->text);
  on_gold_end(&annotator->gold);
  on_example_end(&annotator->examples);
  on_arena_reset(&annotator->arena);
  on_json_doc_free(&annotator->json);
  annotator->running = false;
}

void onenlp_annotator_free(onenlp_annotator *annotator) {
  if (!annotator) return;
  end_text(annotator);
  on_arena_free(&annotator->arena);
  on_arena_free(&annotator->words_arena);
  onenlp_free_columns(annotator);
  on_buf_free(&annotator->gold_text);
  on_workspace_free(&annotator->workspace);
  on_doc_free(&annotator->doc);
  on_buf_free(&annotator->out.buf);
  on_free(annotator->wanted);
  on_free(annotator->active);
  on_free(annotator);
}

int onenlp_set_component(onenlp_annotator *annotator, size_t component, int on) {
  if (component >= annotator->pipeline->pipeline.component_count) return 0;
  annotator->wanted[component] = on != 0;
  return 1;
}

static bool is_gold(onenlp_input input) {
  return input == ONENLP_FROM_CONLLU || input == ONENLP_FROM_CONLLU_TOKENS;
}

static bool is_columns(onenlp_output_format format) { return format >= ONENLP_TO_COLUMNS; }

static bool is_json(onenlp_output_format format) { return format == ONENLP_TO_JSON || format == ONENLP_TO_JSONL; }

static bool begin(onenlp_annotator *annotator, on_error *error) {
  const on_pipeline *pipeline = &annotator->pipeline->pipeline;
  memcpy(annotator->active, annotator->wanted, pipeline->component_count);
  if (annotator->bytes.n > UINT32_MAX) {
    return on_fail(error, ON_LIMIT, -1, "the input is longer than 4,294,967,295 bytes");
  }
  if (is_gold(annotator->input)) {
    return on_gold_begin(&annotator->gold, pipeline, &annotator->workspace, annotator->active, annotator->bytes, error);
  }
  if (annotator->input == ONENLP_FROM_JSONL) {
    return on_example_begin(&annotator->examples, pipeline, &annotator->workspace, annotator->active, annotator->bytes,
                            error);
  }
  on_str16 text;
  if (!on_utf16_from_utf8(&annotator->arena, annotator->bytes, &text, error)) return false;
  on_text_begin(&annotator->text, pipeline, &annotator->workspace, annotator->active, text);
  annotator->text.arena = annotator->words_arena;
  return true;
}

int onenlp_begin(onenlp_annotator *annotator, onenlp_input input, const void *bytes, size_t size,
                 onenlp_output_format format, onenlp_error *error) {
  end_text(annotator);
  onenlp_clear_columns(annotator);
  onenlp_clear_strings(annotator);
  on_buf_clear(&annotator->out.buf);
  on_buf_free(&annotator->gold_text);
  annotator->input = input;
  annotator->format = format;
  annotator->bytes = (on_str){bytes, size};
  annotator->done = annotator->words = 0;
  annotator->base = 0;
  annotator->writer = (on_conllu_writer){.next_sentence = 1};
  on_error inner = {0};
  annotator->running = begin(annotator, &inner);
  if (annotator->running) return 1;
  end_text(annotator);
  return onenlp_report(error, &inner);
}

// Adds the unit's raw text to that of the units before it, set off as on_conllu_raw_text sets off sentences,
// and notes where it starts.
ON_RARE static bool add_gold_text(onenlp_annotator *annotator, on_error *error) {
  on_buf *text = &annotator->gold_text;
  const on_doc *doc = &annotator->doc;
  size_t before = text->n, breaks = 0;
  if (before > 0) {
    bool space = false;
    for (size_t i = before; i > 0 && strchr(" \t\r\n", text->p[i - 1]); i--) {
      space = true;
      breaks += text->p[i - 1] == '\n';
    }
    if (annotator->gold.paragraph_start) {
      for (; breaks < 2; breaks++) on_buf_char(text, '\n');
    } else if (!space) {
      on_buf_char(text, ' ');
    }
    annotator->base += (uint32_t)(text->n - before);
  }
  on_utf8_append(text, on_str16_sub(doc->source, doc->unit_start, doc->unit_end));
  if (text->failed) return on_fail_memory(error);
  if (text->n > UINT32_MAX) return on_fail(error, ON_LIMIT, -1, "the text is longer than 4,294,967,295 bytes");
  return true;
}

// Puts the pipeline's columns into the sentences, and then the sentences' own into the Doc where it has none.
ON_RARE static bool merge_gold(onenlp_annotator *annotator, on_error *error) {
  bool only_tokens = annotator->input == ONENLP_FROM_CONLLU_TOKENS;
  if (!on_gold_fill(&annotator->gold, &annotator->doc, only_tokens, error)) return false;
  if (!only_tokens) on_gold_keep(&annotator->gold, &annotator->doc);
  return true;
}

ON_RARE static void write_gold(onenlp_annotator *annotator) {
  const on_gold_run *run = &annotator->gold;
  for (size_t i = 0; i < run->count; i++) on_conllu_write(&annotator->out.buf, &run->list[i]);
}

ON_RARE static bool write_conllu(onenlp_annotator *annotator, bool paragraph_start, on_error *error) {
  bool new_document = annotator->input == ONENLP_FROM_JSONL && annotator->examples.first && annotator->doc.n;
  if (new_document) on_buf_str(&annotator->out.buf, ON_STR("# newdoc\n"));
  if (is_gold(annotator->input)) {
    write_gold(annotator);
    return true;
  }
  annotator->writer.new_paragraph = paragraph_start;
  return on_conllu_write_doc(&annotator->out.buf, &annotator->doc, &annotator->writer, error);
}

static bool starts_paragraph(const onenlp_annotator *annotator) {
  if (annotator->input == ONENLP_FROM_JSONL) return annotator->examples.paragraph_start;
  return is_gold(annotator->input) ? annotator->gold.paragraph_start : annotator->text.paragraph_start;
}

static bool write_unit(onenlp_annotator *annotator, on_error *error) {
  onenlp_output_format format = annotator->format;
  bool gold = is_gold(annotator->input);
  bool paragraph_start = starts_paragraph(annotator);
  bool ok = !gold || merge_gold(annotator, error);
  if (ok && format != ONENLP_TO_CONLLU) {
    ok = !gold || add_gold_text(annotator, error);
    if (ok && is_columns(format)) {
      ok = onenlp_make_columns(annotator, paragraph_start, error);
    } else if (ok) {
      on_json_doc_add(&annotator->json, &annotator->doc, annotator->base);
    }
    if (gold) annotator->base += annotator->doc.unit_end - annotator->doc.unit_start;
  }
  if (ok && (format == ONENLP_TO_CONLLU || format == ONENLP_TO_COLUMNS_CONLLU)) {
    ok = write_conllu(annotator, paragraph_start, error);
  }
  return ok && (!annotator->out.buf.failed || on_fail_memory(error));
}

static void note_progress(onenlp_annotator *annotator) {
  annotator->words += annotator->doc.n;
  if (is_gold(annotator->input)) {
    const on_gold_run *run = &annotator->gold;
    const on_conllu_sentence *last = &run->list[run->count - 1];
    if (last->word_count) {
      annotator->done = (uint64_t)(last->words[last->word_count - 1].form.p - annotator->bytes.p);
    }
  } else if (annotator->input == ONENLP_FROM_JSONL) {
    annotator->done = on_jsonl_offset(annotator->examples.reader);
  } else {
    annotator->done = (uint64_t)annotator->bytes.n * annotator->text.done / annotator->text.text.n;
  }
}

// Writes the JSON object of a text that has ended.
ON_RARE static bool write_json(onenlp_annotator *annotator, on_str text, on_error *error) {
  on_buf *out = &annotator->out.buf;
  if (!on_json_doc_finish(&annotator->json, text, annotator->format == ONENLP_TO_JSON, out)) return on_fail_memory(error);
  on_buf_char(out, '\n');
  return !out->failed || on_fail_memory(error);
}

static bool finish(onenlp_annotator *annotator, on_error *error) {
  annotator->done = annotator->bytes.n;
  if (annotator->input == ONENLP_FROM_JSONL || !is_json(annotator->format)) return true;
  on_str text = is_gold(annotator->input) ? on_buf_view(&annotator->gold_text) : annotator->bytes;
  return write_json(annotator, text, error);
}

// The next unit of JSON Lines; texts that end on the way are written.
ON_RARE static int next_of_examples(onenlp_annotator *annotator, on_error *error) {
  on_example_run *run = &annotator->examples;
  on_buf *text = &annotator->gold_text;
  for (;;) {
    on_example_step step = on_example_next(run, &annotator->doc, error);
    if (step == ON_EXAMPLE_ERROR || step == ON_EXAMPLES_END) return step;
    if (run->first) {
      on_buf_clear(text);
      on_utf8_append(text, run->example.source);
    }
    bool ok = !text->failed || on_fail_memory(error);
    if (ok && step == ON_EXAMPLE_UNIT) return 1;
    ok = ok && (!is_json(annotator->format) || write_json(annotator, on_buf_view(text), error));
    on_json_doc_free(&annotator->json);
    if (!ok) return -1;
  }
}

static int next_unit(onenlp_annotator *annotator, on_error *error) {
  if (annotator->input == ONENLP_FROM_JSONL) return next_of_examples(annotator, error);
  return is_gold(annotator->input) ? on_gold_next(&annotator->gold, &annotator->doc, error)
                                   : on_text_next(&annotator->text, &annotator->doc, error);
}

enum { BLOCK_WORDS = 1024 };

// Whether the unit that was made is followed by others in the same call.
static bool goes_on(const onenlp_annotator *annotator) {
  return annotator->format == ONENLP_TO_COLUMN_BLOCKS && annotator->input == ONENLP_FROM_TEXT &&
         annotator->unit.words < BLOCK_WORDS;
}

int onenlp_next(onenlp_annotator *annotator, onenlp_error *error) {
  onenlp_clear_columns(annotator);
  if (!annotator->running) return 0;
  on_error inner = {0};
  int got;
  do {
    got = next_unit(annotator, &inner);
    if (got == 1) note_progress(annotator);
    if (got == 1 && !write_unit(annotator, &inner)) got = -1;
  } while (got == 1 && goes_on(annotator));
  // What stands behind a block comes with the next call.
  const bool waiting = got < 0 && annotator->workspace.waiting, some = annotator->unit.counts[ONENLP_UNIT] > 0;
  if (some && (got == 0 || waiting)) got = 1;
  if (got == 0 && !finish(annotator, &inner)) got = -1;
  if (got <= 0 && !waiting) end_text(annotator);
  annotator->workspace.waiting = false;
  if (got < 0) onenlp_report(error, &inner);
  return got;
}

void onenlp_progress(const onenlp_annotator *annotator, uint64_t *done, uint64_t *total, uint64_t *words) {
  if (done) *done = annotator->done;
  if (total) *total = annotator->bytes.n;
  if (words) *words = annotator->words;
}

onenlp_buffer *onenlp_output(onenlp_annotator *annotator) { return &annotator->out; }

const char *onenlp_text(const onenlp_annotator *annotator, size_t *size) {
  bool given = annotator->input == ONENLP_FROM_TEXT;
  return onenlp_slice(given ? annotator->bytes : on_buf_view(&annotator->gold_text), size);
}

int onenlp_annotate(onenlp_annotator *annotator, onenlp_input input, const void *bytes, size_t size,
                    onenlp_output_format format, onenlp_progress_callback *progress, void *context,
                    onenlp_error *error) {
  if (!onenlp_begin(annotator, input, bytes, size, format, error)) return 0;
  for (;;) {
    int got = onenlp_next(annotator, error);
    if (got <= 0) return got == 0;
    if (progress && progress(context, annotator->done, annotator->bytes.n)) {
      end_text(annotator);
      on_error inner;
      on_fail(&inner, ON_CANCELLED, -1, "annotating was cancelled");
      return onenlp_report(error, &inner);
    }
  }
}

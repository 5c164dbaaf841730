#include "pipeline/examples.h"

#include "pipeline/text_sums.h"
#include "pipeline/tokenize_doc.h"

bool on_example_begin(on_example_run *run, const on_pipeline *pipeline, on_workspace *workspace,
                      const uint8_t *components, on_str bytes, on_error *error) {
  *run = (on_example_run){.pipeline = pipeline, .workspace = workspace, .components = components};
  // Tokens that are not given are made by on_text_next; until then every character is one, so that nothing in
  // the line is misaligned.
  on_jsonl_options options = {
      .misaligned = ON_MISALIGNED_SKIP, .tokenizer = on_tokenize_characters, .context = &run->no_tokens};
  on_doc_init(&run->example);
  run->reader = on_jsonl_open(bytes, &options);
  return run->reader || on_fail_memory(error);
}

static void close_example(on_example_run *run) {
  on_text_sums_free(&run->sums);
  on_text_end(&run->text);
  run->open = false;
}

void on_example_end(on_example_run *run) {
  close_example(run);
  if (run->reader) on_jsonl_close(run->reader);
  on_doc_free(&run->example);
  *run = (on_example_run){0};
}

static int open_example(on_example_run *run, on_error *error) {
  run->no_tokens = false;
  int got = on_jsonl_next(run->reader, &run->example, error);
  if (got != 1) return got;
  on_doc_clear_labels(&run->example);
  run->open = run->first = true;
  run->cut = (on_doc_cut){.doc = &run->example};
  if (run->no_tokens) {
    on_text_begin(&run->text, run->pipeline, run->workspace, run->components, run->example.source);
  }
  return 1;
}

static int next_of_tokens(on_example_run *run, on_doc *doc, on_error *error) {
  const on_doc_cut cut = run->cut;
  size_t first, end;
  if (!on_doc_cut_next(&run->cut, &first, &end)) return 0;
  run->paragraph_start = run->cut.paragraph_end != cut.paragraph_end;
  bool ok = (on_doc_part(&run->example, first, end, doc) || on_fail_memory(error)) &&
            on_pipeline_run(run->pipeline, run->workspace, run->components, doc, error) &&
            on_text_sums_add(&run->sums, run->pipeline, run->workspace, run->components, doc, error);
  if (!ok) run->cut = cut;
  return ok ? 1 : -1;
}

on_example_step on_example_next(on_example_run *run, on_doc *doc, on_error *error) {
  int got = 1;
  if (run->open) {
    run->first = run->first && run->again;
  } else {
    got = open_example(run, error);
    if (got <= 0) return (on_example_step)got;
  }
  if (run->no_tokens) {
    got = on_text_next(&run->text, doc, error);
    run->paragraph_start = run->text.paragraph_start;
  } else {
    got = next_of_tokens(run, doc, error);
  }
  run->again = got < 0;
  if (got < 0) return ON_EXAMPLE_ERROR;
  if (got == 1) return ON_EXAMPLE_UNIT;
  close_example(run);
  return ON_EXAMPLE_DONE;
}

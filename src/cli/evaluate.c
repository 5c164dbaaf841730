// onenlp evaluate: the scores of the CoNLL 2018 shared task; entities, categories and spans.
#include <stdio.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "onenlp_internal.h"

enum { MODEL, MODELS, GOLD_TOKENS, JSON, SYSTEM, QUIET };

static const on_option options[] = {
    [MODEL] = {'m', "model", "FILE", "The pipeline that annotates the gold file's text."},
    [MODELS] = ON_MODELS_OPTION,
    [GOLD_TOKENS] = {'g', "gold-tokens", NULL, "Give the pipeline the gold tokens and sentences instead of raw text."},
    [JSON] = {0, "json", NULL, "One JSON object instead of the table."},
    [SYSTEM] = {0, "system", "FILE", "Also write what the pipeline made of the text, as CoNLL-U."},
    [QUIET] = {'q', "quiet", NULL, "No progress bar."},
    {0, NULL, NULL, NULL},
};

static int run(int argc, char **argv);

const on_command on_command_evaluate = {
    "evaluate", "score a pipeline, or one file against another", "-m FILE [OPTION...] GOLD\n"
    "       onenlp evaluate [--json] GOLD SYSTEM",
    "Compares the CoNLL-U file GOLD with what a pipeline makes of its raw text (or of its tokens), or with the CoNLL-U "
    "file SYSTEM, by the metrics of the CoNLL 2018 shared task. A metric whose column is missing in either is '-'. A "
    "GOLD named *.jsonl is JSON Lines: entities are scored by exact span and label, categories by accuracy and F1, "
    "spans at the pipeline's threshold and at the best one.",
    options, run,
};

typedef struct watch {
  on_progress progress;
  onenlp_annotator *annotator;
} watch;

static int show_progress(void *context, uint64_t done, uint64_t total) {
  watch *w = context;
  uint64_t words;
  onenlp_progress(w->annotator, NULL, NULL, &words);
  on_progress_update(&w->progress, done, total, words);
  return 0;
}

// Annotates the gold file's text or tokens into the annotator's output.
static bool annotate(onenlp_annotator *annotator, const char *path, on_str gold, bool tokens, bool quiet) {
  watch w = {.annotator = annotator};
  onenlp_buffer text = {{0}};
  onenlp_error error;
  on_progress_start(&w.progress, "words", quiet);
  bool ok = tokens || onenlp_convert(gold.p, gold.n, ONENLP_CONLLU, ONENLP_TREEBANK_TEXT, &text, &error);
  if (ok && !tokens) gold = on_buf_view(&text.buf);
  ok = ok && onenlp_annotate(annotator, tokens ? ONENLP_FROM_CONLLU_TOKENS : ONENLP_FROM_TEXT, gold.p, gold.n,
                             ONENLP_TO_CONLLU, show_progress, &w, &error);
  on_progress_end(&w.progress);
  on_buf_free(&text.buf);
  if (!ok) on_say_public_error(path, &error);
  return ok;
}

// Writes what was found to standard output.
static int print(onenlp_buffer *out) {
  on_output output;
  on_error error;
  on_output_open(&output, NULL, NULL);
  if (on_output_write(&output, on_buf_view(&out->buf), &error)) return ON_EXIT_OK;
  return on_say_error(NULL, ON_STR_NONE, &error);
}

static int compare(const char *path, on_str gold, on_str system, onenlp_style style) {
  onenlp_buffer out = {{0}};
  onenlp_error error;
  int code = onenlp_evaluate(gold.p, gold.n, system.p, system.n, style, &out, &error) ? print(&out)
                                                                                       : on_say_public_error(path, &error);
  on_buf_free(&out.buf);
  return code;
}

static int show_bytes(void *context, uint64_t done, uint64_t total) {
  on_progress_update(context, done, total, done);
  return 0;
}

// JSON Lines: entities, categories and spans.
static int evaluate_examples(const char *model_path, const char *models, const char *path, on_str gold, on_str system,
                             bool tokens, bool quiet, onenlp_style style) {
  onenlp_buffer out = {{0}};
  onenlp_error error;
  on_model model = {0};
  if (model_path && !on_model_open(&model, model_path, models)) return ON_EXIT_FAILED;
  bool ok;
  if (model_path) {
    on_progress progress;
    on_progress_start(&progress, "bytes", quiet);
    ok = onenlp_evaluate_jsonl(model.pipeline, gold.p, gold.n, tokens, style, &out, show_bytes, &progress, &error);
    on_progress_end(&progress);
  } else {
    ok = onenlp_compare_jsonl(gold.p, gold.n, system.p, system.n, style, &out, &error);
  }
  int code = ok ? print(&out) : on_say_public_error(model_path ? path : NULL, &error);
  on_buf_free(&out.buf);
  if (model_path) on_model_close(&model);
  return code;
}

static int evaluate_pipeline(const char *model_path, const char *models, const char *path, on_str gold, bool tokens,
                             bool quiet, const char *system_path, onenlp_style style) {
  on_model model;
  if (!on_model_open(&model, model_path, models)) return ON_EXIT_FAILED;
  onenlp_error error;
  on_error write_error;
  int code = ON_EXIT_FAILED;
  onenlp_annotator *annotator = onenlp_annotator_new(model.pipeline, &error);
  if (!annotator) {
    on_say_public_error(NULL, &error);
  } else if (annotate(annotator, path, gold, tokens, quiet)) {
    on_str system = on_buf_view(&annotator->out.buf);
    code = ON_EXIT_OK;
    if (system_path && !on_file_write(system_path, system, &write_error)) {
      code = on_say_error(NULL, ON_STR_NONE, &write_error);
    }
    if (code == ON_EXIT_OK) code = compare(path, gold, system, style);
  }
  onenlp_annotator_free(annotator);
  on_model_close(&model);
  return code;
}

static int run(int argc, char **argv) {
  on_args args = {&on_command_evaluate, argc, argv};
  const char *value, *model = NULL, *models = NULL, *system_path = NULL;
  bool tokens = false, quiet = false;
  onenlp_style style = ONENLP_TABLE;
  int option, count;
  while ((option = on_args_next(&args, &value)) != ON_ARGS_END) {
    switch (option) {
      case MODEL: model = value; break;
      case MODELS: models = value; break;
      case GOLD_TOKENS: tokens = true; break;
      case JSON: style = ONENLP_JSON; break;
      case SYSTEM: system_path = value; break;
      case QUIET: quiet = true; break;
      default: return on_args_exit(option);
    }
  }
  char **paths = on_args_operands(&args, &count);
  if (model && count != 1) return on_args_fail(&args, "with -m one gold file is wanted, not %d", count);
  if (!model && count != 2) return on_args_fail(&args, "want a pipeline (-m FILE) and a gold file, or two files");
  if (!model && (tokens || system_path)) return on_args_fail(&args, "--gold-tokens and --system need -m");
  bool lines = on_str_ends(on_str_c(paths[0]), ON_STR(".jsonl"));
  if (lines && system_path) return on_args_fail(&args, "--system is for CoNLL-U (annotate -o jsonl writes JSON Lines)");
  on_buf gold = {0}, system = {0};
  on_error error;
  int code;
  if (!on_file_read(paths[0], &gold, &error) || (!model && !on_file_read(paths[1], &system, &error))) {
    code = on_say_error(NULL, ON_STR_NONE, &error);
  } else if (lines) {
    code = evaluate_examples(model, models, paths[0], on_buf_view(&gold), on_buf_view(&system), tokens, quiet, style);
  } else if (model) {
    code = evaluate_pipeline(model, models, paths[0], on_buf_view(&gold), tokens, quiet, system_path, style);
  } else {
    code = compare(NULL, on_buf_view(&gold), on_buf_view(&system), style);
  }
  on_buf_free(&gold);
  on_buf_free(&system);
  return code;
}

// onenlp annotate: texts, CoNLL-U or JSON Lines in, annotations out.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/blocks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"

enum { MODEL, MODELS, FORMAT, INPUT, OUT, COMPONENTS, JOBS, QUIET };
enum { MAX_JOBS = 256 };

static const on_option options[] = {
    [MODEL] = {'m', "model", "FILE", "The pipeline file. Required."},
    [MODELS] = ON_MODELS_OPTION,
    [FORMAT] = {'o', "output", "FORMAT", "conllu (the default), json (an object for each input, with all columns) or "
                                         "jsonl (the same with text, tokens, entities, spans and cats alone)."},
    [INPUT] = {'i', "input", "FORMAT", "auto (the default: files named *.conllu are CoNLL-U, *.jsonl JSON Lines, "
                                       "everything else is text), text, conllu or jsonl."},
    [OUT] = {0, "out", "FILE", "Write to this file instead of standard output; it appears when it is complete."},
    [COMPONENTS] = {'c', "components", "NAMES", "Run only these components, by name, separated by commas."},
    [JOBS] = {'j', "jobs", "N", "Threads, 1 by default; 0 for one a processor. The output does not depend on it."},
    [QUIET] = {'q', "quiet", NULL, "No progress bar (there is none anyway unless standard error is a terminal)."},
    {0, NULL, NULL, NULL},
};

static int run(int argc, char **argv);

const on_command on_command_annotate = {
    "annotate", "annotate text, CoNLL-U or JSON Lines with a pipeline", "-m FILE [OPTION...] [INPUT...]",
    "Annotates each INPUT (standard input where there is none, or for '-') and writes the annotations to standard "
    "output. Text is UTF-8; an empty line ends a paragraph. CoNLL-U keeps its tokens, sentences, comments and MISC; "
    "the pipeline's columns are filled in. JSON Lines keeps the tokens of lines that give some. An "
    "input that fails is told on standard error, and the next one follows.",
    options, run,
};

typedef struct job {
  onenlp_pipeline *pipeline;
  uint8_t components[ON_MAX_COMPONENTS];  // 1: it is on
  onenlp_output_format format;
  on_block_reader reader;
  on_output output;
  on_progress progress;
  uint64_t total, done, words;
  int exit_code;
  // Blocks are numbered as they are read; that one is written whose number is `turn`.
  pthread_mutex_t lock;
  pthread_cond_t turned;
  uint64_t next, turn;
  bool stop;
} job;

// Writes a block whose turn it is; false when nothing more can be written. Only one thread is here at a time.
static bool write_block(job *j, on_block *block, on_buf *out) {
  bool go_on = true;
  on_buf_clear(out);
  if (!block->failed) on_block_write(block, j->format, out);
  if (!block->failed && out->failed) block->failed = !on_fail_memory(&block->error);
  if (!block->failed && !on_output_write(&j->output, on_buf_view(out), &block->error)) {
    block->failed = true;
    go_on = false;
  }
  if (j->output.closed) go_on = false;
  if (block->failed) {
    on_progress_end(&j->progress);
    const on_source *source = block->source;
    on_say_error(source && block->error.code != ON_IO ? source->path : NULL,
                 source ? on_buf_view(&source->bytes) : ON_STR_NONE, &block->error);
    j->exit_code = ON_EXIT_FAILED;
  }
  j->done += block->bytes;
  j->words += block->words;
  on_progress_update(&j->progress, j->done, j->total, j->words);
  return go_on;
}

static onenlp_annotator *new_annotator(job *j) {
  onenlp_error error;
  onenlp_annotator *annotator = onenlp_annotator_new(j->pipeline, &error);
  if (!annotator) return NULL;
  for (size_t i = 0; i < onenlp_component_count(j->pipeline); i++) {
    onenlp_set_component(annotator, i, j->components[i]);
  }
  return annotator;
}

static void *work(void *context) {
  job *j = context;
  onenlp_annotator *annotator = new_annotator(j);
  on_block block = {0};
  on_buf out = {0};
  pthread_mutex_lock(&j->lock);
  if (!annotator) {
    on_error error;
    on_fail_memory(&error);
    j->exit_code = on_say_error(NULL, ON_STR_NONE, &error);
    j->stop = true;
  }
  while (!j->stop && on_block_next(&j->reader, &block)) {
    uint64_t number = j->next++;
    pthread_mutex_unlock(&j->lock);
    on_block_annotate(&block, annotator, j->format);
    pthread_mutex_lock(&j->lock);
    while (j->turn != number) pthread_cond_wait(&j->turned, &j->lock);
    bool stopped = j->stop;
    pthread_mutex_unlock(&j->lock);
    if (!stopped) stopped = !write_block(j, &block, &out);
    on_block_done(&block);
    pthread_mutex_lock(&j->lock);
    j->stop = j->stop || stopped;
    j->turn++;
    pthread_cond_broadcast(&j->turned);
  }
  pthread_mutex_unlock(&j->lock);
  on_block_free(&block);
  on_buf_free(&out);
  onenlp_annotator_free(annotator);
  return NULL;
}

static void run_threads(job *j, int64_t count) {
  pthread_t threads[MAX_JOBS];
  int started = 0;
  pthread_mutex_init(&j->lock, NULL);
  pthread_cond_init(&j->turned, NULL);
  while (started < count - 1 && pthread_create(&threads[started], NULL, work, j) == 0) started++;
  work(j);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  on_block_reader_free(&j->reader);
  pthread_cond_destroy(&j->turned);
  pthread_mutex_destroy(&j->lock);
}

// The sum of the files' sizes, 0 when one has none (standard input).
static uint64_t size_of(char **paths, int count) {
  uint64_t total = 0;
  for (int i = 0; i < count; i++) {
    struct stat info;
    if (stat(paths[i], &info) != 0 || !S_ISREG(info.st_mode)) return 0;
    total += (uint64_t)info.st_size;
  }
  return total;
}

// Switches on the components that are named, in on[component]; NULL: all.
static bool choose(const onenlp_pipeline *pipeline, const char *names, uint8_t *on) {
  size_t count = onenlp_component_count(pipeline);
  for (size_t i = 0; i < count; i++) on[i] = names == NULL;
  for (const char *at = names; at && *at;) {
    size_t n = strcspn(at, ",");
    bool found = n == 0;
    for (size_t i = 0; i < count; i++) {
      on_str name = {NULL, 0};
      name.p = onenlp_component_name(pipeline, i, &name.n);
      if (!on_str_eq(name, (on_str){at, n})) continue;
      on[i] = 1;
      found = true;
    }
    if (!found) {
      fprintf(stderr, "onenlp annotate: the pipeline has no component '%.*s'; it has", (int)n, at);
      for (size_t i = 0; i < count; i++) {
        size_t size;
        const char *name = onenlp_component_name(pipeline, i, &size);
        fprintf(stderr, " %.*s", (int)size, name);
      }
      fputc('\n', stderr);
      return false;
    }
    at += n + (at[n] == ',');
  }
  return true;
}

static int annotate(job *j, const char *names, const char *out, int64_t jobs, bool quiet) {
  on_error error;
  if (!choose(j->pipeline, names, j->components)) return ON_EXIT_USAGE;
  if (!on_output_open(&j->output, out, &error)) return on_say_error(NULL, ON_STR_NONE, &error);
  j->total = size_of(j->reader.paths, j->reader.count);
  on_progress_start(&j->progress, "words", quiet);
  run_threads(j, jobs);
  on_progress_end(&j->progress);
  if (j->exit_code == ON_EXIT_OK && !on_output_commit(&j->output, &error)) {
    j->exit_code = on_say_error(NULL, ON_STR_NONE, &error);
  }
  on_output_discard(&j->output);
  return j->exit_code;
}

static int run(int argc, char **argv) {
  static const char *const formats[] = {"conllu", "json", "jsonl", NULL};
  static const onenlp_output_format format_of[] = {ONENLP_TO_CONLLU, ONENLP_TO_JSON, ONENLP_TO_JSONL};
  static const char *const inputs[] = {"auto", "text", "conllu", "jsonl", NULL};
  static char standard_input[] = "-";
  char *only_input[] = {standard_input};
  on_args args = {&on_command_annotate, argc, argv};
  const char *value, *model = NULL, *models = NULL, *out = NULL, *names = NULL;
  int format = 0, input = 0, option;
  int64_t jobs = 1;
  bool quiet = false;
  while ((option = on_args_next(&args, &value)) != ON_ARGS_END) {
    switch (option) {
      case MODEL: model = value; break;
      case MODELS: models = value; break;
      case OUT: out = value; break;
      case COMPONENTS: names = value; break;
      case QUIET: quiet = true; break;
      case FORMAT:
        if ((format = on_args_choice(&args, "output", value, formats)) < 0) return ON_EXIT_USAGE;
        break;
      case INPUT:
        if ((input = on_args_choice(&args, "input", value, inputs)) < 0) return ON_EXIT_USAGE;
        break;
      case JOBS:
        if (!on_args_number(&args, "jobs", value, 0, MAX_JOBS, &jobs)) return ON_EXIT_USAGE;
        break;
      default: return on_args_exit(option);
    }
  }
  if (!model) return on_args_fail(&args, "a pipeline is needed: -m FILE");
  if (jobs == 0) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = processors < 1 ? 1 : processors > MAX_JOBS ? MAX_JOBS : processors;
  }
  job j = {.format = format_of[format]};
  j.reader.paths = on_args_operands(&args, &j.reader.count);
  j.reader.kind = (on_file_kind)input;
  if (j.reader.count == 0) {
    j.reader.paths = only_input;
    j.reader.count = 1;
  }
  on_model opened;
  if (!on_model_open(&opened, model, models)) return ON_EXIT_FAILED;
  j.pipeline = opened.pipeline;
  int code = annotate(&j, names, out, jobs, quiet);
  on_model_close(&opened);
  return code;
}

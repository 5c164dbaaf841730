// onenlp train: a recipe and treebanks in, a pipeline file out.
#include "train/join.h"
#include "train/train.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/save_pipeline.h"
#include "cli/treebank.h"
#include "pipeline/tokenize_doc.h"
#include "train/hold_out.h"
#include "train/word_lists.h"

enum { OUT, DATA, MODELS, FROM, EPOCHS, QUIET, TREEBANK, LANGUAGE, SAVE_RECIPE };

static const on_option options[] = {
    [OUT] = {'o', "out", "FILE", "The pipeline file to write. Required, but with --save-recipe. It is replaced at each "
                                 "better epoch and is never half-written."},
    [DATA] = {'d', "data", "DIR", "The folder that the recipe's data paths start from; $ONENLP_DATA or 'data' by "
                                  "default (tools/get-data brings the treebanks)."},
    [MODELS] = ON_MODELS_OPTION,
    [FROM] = {'f', "from", "FILE", "Start from the weights of this pipeline instead of random ones. Encoders must be "
                                   "the same, and so must the labels of components of the same name."},
    [EPOCHS] = {'e', "epochs", "N", "Train so many epochs instead of what the recipe says."},
    [QUIET] = {'q', "quiet", NULL, "No progress bar (there is none anyway unless standard error is a terminal)."},
    [TREEBANK] = {'t', "treebank", "DIR", "Choose the recipe for the treebank in this folder (train.conllu or "
                                          "*-train.conllu, and such a dev set if there is one) and say why, instead "
                                          "of reading one."},
    [LANGUAGE] = {0, "language", "CODE", "With --treebank: the treebank's language."},
    [SAVE_RECIPE] = {0, "save-recipe", "FILE", "With --treebank: write the recipe to this file, too. Without --out "
                                               "that is all that is done."},
    {0, NULL, NULL, NULL},
};

static int run(int argc, char **argv);

const on_command on_command_train = {
    "train", "train a pipeline from treebanks by a recipe", "(RECIPE | --treebank DIR) --out FILE [OPTION...]",
    "Trains the pipeline that the RECIPE (a JSON file, see docs/training.md) describes, scores it on the dev set "
    "after each epoch and keeps the best one. Ctrl-C ends the training early: the file then holds the best epoch so "
    "far, or the weights of that moment when none was scored yet.",
    options, run,
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
  (void)signal_number;
  if (interrupted++) signal(SIGINT, SIG_DFL);  // a third Ctrl-C ends the process at once
}

// The files that a recipe names, and the corpora read from them.
typedef struct inputs {
  on_recipe recipe;
  on_buf recipe_text;
  on_buf *files;
  size_t file_count;
  on_pipeline tokenizer;
  on_corpus train, dev;
} inputs;

// Adds the file, of names for `label` where one is given, or of words; what it borrows stays in in->files.
static bool add_file(inputs *in, const char *path, on_str label, bool words, on_corpus *corpus, on_error *error) {
  on_buf *file = &in->files[in->file_count];
  if (!on_file_read(path, file, error)) return false;
  in->file_count++;
  if (words) return on_word_lists_add(corpus, on_buf_view(file), error);
  if (label.p) return on_names_add(&corpus->names, label, on_buf_view(file), error);
  if (!on_str_ends(on_str_c(path), ON_STR(".jsonl"))) return on_corpus_add(corpus, on_buf_view(file), error);
  return on_corpus_add_jsonl(corpus, on_buf_view(file), &in->tokenizer, error);
}

static bool read_files(inputs *in, const on_json *files, on_str label, const char *folder, on_corpus *corpus) {
  const bool words = files == in->recipe.words;
  for (const on_json *item = on_json_first(files); item; item = on_json_next(item)) {
    on_buf path = {0};
    float share;
    on_str name = on_recipe_file(item, &share);
    size_t first = corpus->example_count;
    if (name.n == 0 || name.p[0] != '/') on_buf_format(&path, "%s/", folder);
    on_buf_str(&path, name);
    on_buf_char(&path, 0);
    on_error error;
    bool ok = !path.failed ? add_file(in, path.p, label, words, corpus, &error) : on_fail_memory(&error);
    if (!ok) on_say_error(error.code == ON_IO ? NULL : path.p, ON_STR_NONE, &error);
    on_buf_free(&path);
    if (!ok) return false;
    if (share < 1) on_corpus_share(corpus, first, share);
  }
  return true;
}

// The recipe's tokenizer, for texts of JSON Lines that come without tokens; where it is trained, that of the
// language.
static bool make_tokenizer(inputs *in, on_error *error) {
  const on_json *config = in->recipe.pipeline;
  on_str language = ON_STR(""), kind = ON_STR_NONE;
  on_json_text(config, "pipeline", "language", false, 4096, &language, NULL);
  const on_json *tokenizer = on_json_get(config, "tokenizer");
  bool plain = tokenizer && on_json_type(tokenizer) == ON_JSON_OBJECT &&
               on_json_text(tokenizer, "tokenizer", "kind", true, 64, &kind, NULL) &&
               (on_str_eq(kind, ON_STR("rule")) || on_str_eq(kind, ON_STR("uax")));
  return on_pipeline_blank(&in->tokenizer, language.p ? language : ON_STR(""), plain ? tokenizer : NULL, error) ||
         on_fail_context(error, "recipe");
}

static bool read_inputs(inputs *in, const char *recipe_path, const char *folder) {
  on_error error;
  // The recipe of a treebank has been chosen already.
  if (in->recipe_text.n == 0 && !on_file_read(recipe_path, &in->recipe_text, &error)) {
    on_say_error(NULL, ON_STR_NONE, &error);
    return false;
  }
  if (!on_recipe_parse(&in->recipe, on_buf_view(&in->recipe_text), &error)) {
    on_say_error(recipe_path, on_buf_view(&in->recipe_text), &error);
    return false;
  }
  if (!make_tokenizer(in, &error)) {
    on_say_error(recipe_path, ON_STR_NONE, &error);
    return false;
  }
  size_t count = on_json_count(in->recipe.train) + (in->recipe.dev ? on_json_count(in->recipe.dev) : 0);
  const on_json *names = in->recipe.names ? on_json_first(in->recipe.names) : NULL;
  for (const on_json *list = names; list; list = on_json_next(list)) count += on_json_count(list);
  if (in->recipe.words) count += on_json_count(in->recipe.words);
  in->files = on_calloc(count, sizeof *in->files);
  if (!in->files) {
    on_fail_memory(&error);
    on_say_error(NULL, ON_STR_NONE, &error);
    return false;
  }
  if (!read_files(in, in->recipe.train, ON_STR_NONE, folder, &in->train)) return false;
  for (const on_json *list = names; list; list = on_json_next(list)) {
    if (!read_files(in, list, on_json_key(list), folder, &in->train)) return false;
  }
  if (in->recipe.words && !read_files(in, in->recipe.words, ON_STR_NONE, folder, &in->train)) return false;
  if (in->recipe.dev) {
    if (!read_files(in, in->recipe.dev, ON_STR_NONE, folder, &in->dev)) return false;
  } else if (!on_corpus_hold_out(&in->train, &in->dev, in->recipe.hyper.seed, &error)) {
    on_say_error(recipe_path, ON_STR_NONE, &error);
    return false;
  }
  size_t joined;
  if (!on_corpus_join(&in->train, &joined, &error) || !on_corpus_join(&in->dev, &joined, &error)) {
    on_say_error(NULL, ON_STR_NONE, &error);
    return false;
  }
  return true;
}

static void free_inputs(inputs *in) {
  on_corpus_free(&in->train);
  on_corpus_free(&in->dev);
  on_pipeline_free(&in->tokenizer);
  for (size_t i = 0; i < in->file_count; i++) on_buf_free(&in->files[i]);
  on_free(in->files);
  on_recipe_free(&in->recipe);
  on_buf_free(&in->recipe_text);
}

// ---- what the training tells ----------------------------------------------------------------------

typedef struct session {
  const char *out;
  on_progress progress;
  double start, scored;  // seconds; `scored`: spent on dev so far
  bool saved;
  uint32_t best;         // the epoch that is saved
  uint64_t misaligned;
  const on_files *files;
  bool inside;           // fine-tuned encoders stay in the pipeline file
} session;

// "ner: 3 labels: PER ORG LOC", with the first few of them, and the sizes of spans.
static void note_component(session *s, const on_json *component) {
  const on_json *config = on_json_get(component, "config");
  const on_json *labels = config ? on_json_get(config, "labels") : NULL;
  const on_json *sizes = config ? on_json_get(config, "sizes") : NULL;
  if (!labels || on_json_type(labels) != ON_JSON_ARRAY) return;
  size_t count = on_json_count(labels), shown = 0;
  on_buf text = {0};
  on_buf_str(&text, on_json_string(on_json_get(component, "name")));
  on_buf_format(&text, ": %zu label%s:", count, count == 1 ? "" : "s");
  for (const on_json *label = on_json_first(labels); label && shown < 8; label = on_json_next(label), shown++) {
    on_buf_format(&text, " %.*s", ON_SHOW(on_shorten(on_json_string(label), 40)));
  }
  if (shown < count) on_buf_str(&text, ON_STR(" ..."));
  if (sizes && on_json_type(sizes) == ON_JSON_ARRAY) {
    on_buf_str(&text, ON_STR("; spans of"));
    for (const on_json *size = on_json_first(sizes); size; size = on_json_next(size)) {
      on_buf_format(&text, " %.0f", on_json_number(size));
    }
    on_buf_str(&text, ON_STR(" tokens"));
  }
  on_buf_char(&text, 0);
  if (!text.failed) on_progress_note(&s->progress, "%s", text.p);
  on_buf_free(&text);
}

static void on_started(void *context, on_str config, size_t weights, uint64_t words) {
  session *s = context;
  on_json *root = on_json_parse(config, ON_MAX_CONFIG_DEPTH, NULL);
  const on_json *components = root ? on_json_get(root, "components") : NULL;
  for (const on_json *c = components ? on_json_first(components) : NULL; c; c = on_json_next(c)) note_component(s, c);
  on_json_free(root);
  if (s->misaligned) {
    on_progress_note(&s->progress, "%llu entities or spans whose edges are not those of tokens are left out",
                     (unsigned long long)s->misaligned);
  }
  on_progress_note(&s->progress, "%.2f million weights, %llu words to train on", (double)weights / 1e6,
                   (unsigned long long)words);
}

static void note_epoch(session *s, const on_train_progress *p) {
  char scores[256] = "";
  size_t n = 0;
  for (int m = 0; p->dev && m < ON_DEV_METRICS; m++) {
    if (p->dev->value[m] < 0) continue;
    n += (size_t)snprintf(scores + n, sizeof scores - n, "  %s %.2f", on_dev_metric_names[m], p->dev->value[m]);
  }
  on_progress_note(&s->progress, "epoch %u/%u  loss %.4f%s%s%s  %.0f s", p->epoch, p->epochs, p->loss,
                   p->dev ? "  dev" : "", scores, p->dev && p->best ? "  *" : "", on_now() - s->start);
}

static void on_progress_told(void *context, const on_train_progress *p) {
  session *s = context;
  if (p->best) s->best = p->epoch;
  if (p->epoch_done) {
    note_epoch(s, p);
    return;
  }
  on_progress_label(&s->progress, "epoch %u/%u  loss %.3f", p->epoch, p->epochs, p->loss);
  on_progress_update(&s->progress, p->step, p->steps, p->words);
}

static bool on_better(void *context, on_str file, const on_dev_scores *dev, on_error *error) {
  (void)dev;
  session *s = context;
  if (!on_pipeline_file_write(s->out, file, s->files, s->inside, error)) return false;
  s->saved = true;
  return true;
}

static bool on_stop(void *context) {
  (void)context;
  return interrupted != 0;
}

// What the command line says.
typedef struct wishes {
  const char *out, *folder, *models, *from;  // the last two may be NULL
  int64_t epochs;                            // 0: the recipe's
  bool quiet;
} wishes;

// The pipeline to start from; `file` is borrowed by it. False after a message.
static bool read_start(const char *path, on_buf *file, const on_files *files, on_pipeline *pipeline) {
  on_error error;
  bool ok = on_file_read(path, file, &error) && on_pipeline_load_with(pipeline, on_buf_view(file), files, &error);
  if (!ok) on_say_error(error.code == ON_IO ? NULL : path, ON_STR_NONE, &error);
  return ok;
}

// A file that cannot be written is found out before the training, not at its end.
static bool can_write(const char *path) {
  on_error error;
  on_output output;
  if (on_output_open(&output, path, &error)) {
    on_output_discard(&output);
    return true;
  }
  on_say_error(NULL, ON_STR_NONE, &error);
  return false;
}

static int train(const char *recipe_path, on_buf recipe, const wishes *w) {
  inputs in = {.recipe_text = recipe};
  on_model_files files, start_files;
  on_model_files_init(&files, w->models, w->out);
  on_model_files_init(&start_files, w->models, w->from);
  session s = {.out = w->out, .start = on_now()};
  on_buf start = {0};
  on_pipeline from = {0};
  int code = ON_EXIT_FAILED;
  if (can_write(w->out) && read_inputs(&in, recipe_path, w->folder) &&
      (!w->from || read_start(w->from, &start, &start_files.inner, &from))) {
    if (w->epochs > 0) in.recipe.hyper.epochs = (uint32_t)w->epochs;
    in.recipe.files = &files.inner;
    in.recipe.from = w->from ? &from : NULL;
    s.files = &files.inner;
    s.inside = !in.recipe.hyper.export_graphs;
    s.misaligned = in.train.misaligned;
    on_progress_start(&s.progress, "words", w->quiet);
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    on_train_listener listener = {&s, on_started, on_progress_told, on_better, on_stop};
    on_error error;
    bool scored = !in.recipe.dev || on_json_first(in.recipe.dev);
    if (!scored) on_progress_note(&s.progress, "no dev set: no epoch is scored, the last one is kept");
    bool ok = on_train(&in.recipe, &in.train, scored ? &in.dev : NULL, &listener, &error);
    on_progress_end(&s.progress);
    if (!ok) on_say_error(NULL, ON_STR_NONE, &error);
    else code = ON_EXIT_OK;
    if (interrupted && ok) {
      const char *what = scored ? "best epoch so far" : "weights of that moment";
      fprintf(stderr, "onenlp: stopped; %s holds the %s\n", w->out, what);
    } else if (ok) {
      fprintf(stderr, "onenlp: %s holds epoch %u, the %s\n", w->out, s.best, scored ? "best on dev" : "last one");
    }
  }
  on_pipeline_free(&from);
  free_inputs(&in);
  on_buf_free(&start);
  on_model_files_close(&start_files);
  on_model_files_close(&files);
  return code;
}

static int run(int argc, char **argv) {
  on_args args = {&on_command_train, argc, argv};
  wishes w = {.folder = getenv("ONENLP_DATA")};
  const char *treebank = NULL, *language = NULL, *save = NULL, *value;
  int option;
  if (!w.folder || !*w.folder) w.folder = "data";
  while ((option = on_args_next(&args, &value)) >= 0) {
    if (option == OUT) w.out = value;
    else if (option == DATA) w.folder = value;
    else if (option == MODELS) w.models = value;
    else if (option == FROM) w.from = value;
    else if (option == QUIET) w.quiet = true;
    else if (option == TREEBANK) treebank = value;
    else if (option == LANGUAGE) language = value;
    else if (option == SAVE_RECIPE) save = value;
    else if (!on_args_number(&args, "epochs", value, 1, 10000, &w.epochs)) return ON_EXIT_USAGE;
  }
  if (option != ON_ARGS_END) return on_args_exit(option);
  int count;
  char **operands = on_args_operands(&args, &count);
  if (treebank && count > 0) return on_args_fail(&args, "want a recipe or --treebank, not both");
  if (!treebank && count != 1) return on_args_fail(&args, "want one recipe");
  if (!treebank && (language || save)) return on_args_fail(&args, "--language and --save-recipe need --treebank");
  if (!w.out && !save) return on_args_fail(&args, "--out FILE is missing");
  on_buf recipe = {0};
  if (!treebank) return train(operands[0], recipe, &w);
  on_error error;
  bool ok = on_treebank_recipe(treebank, language, &recipe);
  if (ok && save && !on_file_write(save, on_buf_view(&recipe), &error)) {
    on_say_error(NULL, ON_STR_NONE, &error);
    ok = false;
  }
  if (ok && w.out) return train("the chosen recipe", recipe, &w);
  on_buf_free(&recipe);
  return ok ? ON_EXIT_OK : ON_EXIT_FAILED;
}

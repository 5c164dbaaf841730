#include "train/train.h"

#include <string.h>

#include "base/alloc.h"
#include "encode/fast.h"
#include "train/char_docs.h"
#include "pipeline/compact.h"
#include "train/config.h"
#include "train/kinds.h"
#include "train/optimizer.h"
#include "train/parallel.h"
#include "train/start_from.h"

typedef struct trained_head {
  const on_component *component;
  const on_head_trainer *trainer;
  void *state;
  float weight;
} trained_head;

// One thread's share of a batch.
typedef struct shard {
  on_train_step step;
  on_sample *units;
  size_t unit_count, doc_cap, words;
  on_char_docs chars;       // what a trained tokenizer learns from
  uint32_t *char_starts;
  size_t char_starts_cap;
  double loss;
  bool failed;
} shard;

typedef struct training {
  const on_recipe *recipe;
  const on_corpus *train, *dev;
  const on_train_listener *listener;
  on_pipeline pipeline;
  on_buf config;
  on_optimizer optimizer;
  const on_encoder_trainer **encoders;
  trained_head heads[ON_TRAIN_MAX_HEADS];
  size_t head_count;
  trained_head tokenizer;   // trainer NULL: it is not trained. component NULL
  double chars_per_word;    // that it learns from, on average
  on_arena arena;
  on_vector_cache *cache;   // or NULL
  on_word_counts word_counts;  // of encoders with word lists
  shard shards[ON_TRAIN_MAX_SHARDS];
  on_sample *units;
  size_t unit_count;
  uint32_t epoch;
  uint64_t words;
  size_t batch_words;
  double epoch_loss;
  uint64_t epoch_words;
  double best;
  bool have_best;
} training;

// ---- set-up ---------------------------------------------------------------------------------------

// The tokenizer's head learns from characters; its loss is a mean over them, as that of other heads over words.
static bool find_tokenizer_trainer(training *t, on_random *random, on_error *error) {
  const on_tokenizer *tokenizer = &t->pipeline.tokenizer;
  if (!tokenizer->trained) return true;
  trained_head *head = &t->tokenizer;
  head->trainer = on_head_trainer_find(tokenizer->head.kind->name);
  head->weight = on_recipe_loss(t->recipe, ON_STR("tokenizer"));
  head->trainer->init(&tokenizer->head, random);
  head->state = head->trainer->start(&tokenizer->head, &t->arena);
  if (!head->state) return on_fail_memory(error);
  size_t count = on_corpus_size(t->train);
  if (count > 2000) count = 2000;
  uint64_t words = 0, characters = 0;
  on_doc doc;
  on_char_docs docs = {0};
  on_doc_init(&doc);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    ok = on_corpus_doc(t->train, i, i + 1, &doc, error);
    if (!ok) break;
    on_char_docs_clear(&docs);
    ok = on_char_docs_add(&docs, &t->pipeline, &doc) || on_fail_memory(error);
    words += doc.n;
    characters += docs.characters;
  }
  on_char_docs_free(&docs);
  on_doc_free(&doc);
  if (ok && characters == 0) ok = on_fail(error, ON_INVALID_DATA, -1, "recipe: nothing to train the tokenizer on");
  t->chars_per_word = ok ? (double)characters / (double)words : 1;
  return ok;
}

static bool find_trainers(training *t, on_error *error) {
  on_pipeline *p = &t->pipeline;
  on_random random;
  on_random_seed(&random, t->recipe->hyper.seed);
  t->encoders = ON_NEW(&t->arena, const on_encoder_trainer *, p->encoder_count);
  if (!t->encoders) return on_fail_memory(error);
  for (size_t i = 0; i < p->encoder_count; i++) {
    t->encoders[i] = on_encoder_trainer_find(p->encoders[i].kind->name);
    if (!t->encoders[i]) {
      return on_fail(error, ON_UNSUPPORTED, -1, "encoders of kind '%s' cannot be trained", p->encoders[i].kind->name);
    }
    t->encoders[i]->init(&p->encoders[i], &random);
    if (t->encoders[i]->load && !t->encoders[i]->load(&p->encoders[i], error)) return false;
  }
  for (size_t i = 0; i < p->component_count; i++) {
    const on_component *component = &p->components[i];
    if (component->type != ON_COMPONENT_HEAD) continue;
    if (t->head_count == ON_TRAIN_MAX_HEADS) {
      return on_fail(error, ON_LIMIT, -1, "at most %d heads can be trained together", ON_TRAIN_MAX_HEADS);
    }
    trained_head *head = &t->heads[t->head_count++];
    head->component = component;
    head->trainer = on_head_trainer_find(component->head.kind->name);
    head->weight = on_recipe_loss(t->recipe, component->name);
    head->trainer->init(&component->head, &random);
    head->state = head->trainer->start(&component->head, &t->arena);
    if (!head->state) return on_fail_memory(error);
    const on_json *config = on_pipeline_head_config(p, i);
    if (head->trainer->configure && !head->trainer->configure(&component->head, head->state, config, error)) {
      return false;
    }
  }
  if (t->head_count == 0 && !p->tokenizer.trained) {
    return on_fail(error, ON_INVALID_DATA, -1, "recipe: no component to train");
  }
  return find_tokenizer_trainer(t, &random, error);
}

static uint64_t count_steps(training *t);

// All encoders with word lists have the same ones, which config.c made of the same data.
static bool count_words(training *t, on_error *error) {
  const on_words *words = NULL;
  for (size_t i = 0; i < t->pipeline.encoder_count && !words; i++) {
    const on_encoder *encoder = &t->pipeline.encoders[i];
    if (encoder->kind != &on_fast_kind) continue;
    const on_fast *fast = encoder->state;
    if (fast->words.tokens) words = &fast->words;
  }
  if (!words) return true;
  t->word_counts.whole = ON_NEW0(&t->arena, uint32_t, words->n);
  t->word_counts.divided = ON_NEW0(&t->arena, uint32_t, words->n);
  if (!t->word_counts.whole || !t->word_counts.divided) return on_fail_memory(error);
  on_doc doc;
  on_doc_init(&doc);
  bool ok = true;
  for (size_t i = 0; ok && i < on_corpus_size(t->train); i++) {
    ok = on_corpus_doc(t->train, i, i + 1, &doc, error);
    if (ok) on_word_counts_add(&t->word_counts, words, &doc);
  }
  on_doc_free(&doc);
  return ok;
}

static bool start_weights(training *t, on_error *error) {
  bool share = t->recipe->hyper.start_share > 0;
  if (!t->recipe->from) {
    return !share || on_fail(error, ON_INVALID_DATA, -1, "training.startShare: no pipeline to start from is given");
  }
  return on_train_start_from(&t->pipeline, t->recipe->from, share, error) &&
         (!share || on_optimizer_keep_start(&t->optimizer, error));
}

static bool set_up(training *t, on_error *error) {
  const on_hyper *hyper = &t->recipe->hyper;
  size_t most_units = on_corpus_size(t->train);
  if (most_units == 0) return on_fail(error, ON_INVALID_DATA, -1, "no training sentences");
  if (!on_train_config(t->recipe, t->train, &t->config, error) ||
      !on_pipeline_from_config_with(&t->pipeline, on_buf_view(&t->config), t->recipe->files, error) ||
      !on_train_check_encoders(&t->pipeline, error)) {
    return false;
  }
  if (!on_optimizer_init(&t->optimizer, &t->pipeline, hyper, 1, error) || !find_trainers(t, error)) return false;
  if (!start_weights(t, error)) return false;
  if (!count_words(t, error)) return false;
  t->units = ON_NEW(&t->arena, on_sample, most_units);
  if (hyper->unit_rounds) t->cache = on_vector_cache_new((size_t)hyper->cache_megabytes << 20);
  if (!t->units || (hyper->unit_rounds && !t->cache)) return on_fail_memory(error);
  for (uint32_t s = 0; s < hyper->shards; s++) {
    shard *sh = &t->shards[s];
    sh->units = ON_NEW(&t->arena, on_sample, most_units);
    if (!sh->units) return on_fail_memory(error);
    sh->step.rates = &hyper->rates;
    sh->step.names = &t->train->names;
    sh->step.words = t->word_counts.whole ? &t->word_counts : NULL;
    sh->step.cache = t->cache;
    sh->step.values = t->optimizer.values;
    sh->step.grads = t->optimizer.grads[s];
  }
  t->optimizer.total_steps = count_steps(t);
  return true;
}

static void tear_down(training *t) {
  for (size_t i = 0; i < t->head_count; i++) {
    // heads keep maps from labels to targets, which own memory beside the arena
    if (t->heads[i].state && t->heads[i].trainer->stop) t->heads[i].trainer->stop(t->heads[i].state);
  }
  if (t->tokenizer.state) t->tokenizer.trainer->stop(t->tokenizer.state);
  for (int s = 0; s < ON_TRAIN_MAX_SHARDS; s++) {
    on_char_docs_free(&t->shards[s].chars);
    on_free(t->shards[s].char_starts);
    for (size_t d = 0; d < t->shards[s].doc_cap; d++) on_doc_free(&t->shards[s].step.docs[d]);
    on_free(t->shards[s].step.docs);
    on_free(t->shards[s].step.starts);
    on_arena_free(&t->shards[s].step.arena);
  }
  on_vector_cache_free(t->cache);
  on_optimizer_free(&t->optimizer);
  on_pipeline_free(&t->pipeline);
  on_arena_free(&t->arena);
  on_buf_free(&t->config);
}

// ---- one step -------------------------------------------------------------------------------------

// `count` is not 0.
static bool make_docs(training *t, shard *s, const on_sample *units, size_t count) {
  on_train_step *step = &s->step;
  if (count > s->doc_cap) {
    on_doc *docs = on_realloc(step->docs, count * sizeof *docs);
    if (!docs) return false;
    step->docs = docs;
    for (size_t d = s->doc_cap; d < count; d++) on_doc_init(&docs[d]);
    s->doc_cap = count;
    uint32_t *starts = on_realloc(step->starts, (count + 1) * sizeof *starts);
    if (!starts) return false;
    step->starts = starts;
  }
  step->doc_count = count;
  step->m = 0;
  for (size_t d = 0; d < count; d++) {
    if (!on_corpus_doc(t->train, units[d].first, units[d].end, &step->docs[d], NULL)) return false;
    step->starts[d] = (uint32_t)step->m;
    step->m += step->docs[d].n;
  }
  step->starts[count] = (uint32_t)step->m;
  return true;
}

static bool is_read(const training *t, size_t encoder) {
  for (size_t i = 0; i < t->head_count; i++) {
    if (t->heads[i].component->encoder == encoder && t->heads[i].weight > 0) return true;
  }
  return false;
}

static bool run_encoder(training *t, shard *s, size_t index) {
  if (!is_read(t, index)) return true;
  on_train_step *step = &s->step;
  const on_encoder *encoder = &t->pipeline.encoders[index];
  float *h, *dh = ON_NEW0(&step->arena, float, step->m * encoder->width);
  void *kept;
  if (!dh || !t->encoders[index]->forward(encoder, step, &h, &kept)) return false;
  for (size_t i = 0; i < t->head_count; i++) {
    const trained_head *head = &t->heads[i];
    if (head->component->encoder != index || head->weight <= 0) continue;
    on_train_loss loss = {0};
    float scale = head->weight / (float)t->batch_words;
    if (!on_head_trainer_step(head->trainer, &head->component->head, head->state, step, h, dh, scale, &loss)) {
      return false;
    }
    s->loss += (double)head->weight * loss.sum;
  }
  return t->encoders[index]->backward(encoder, step, kept, dh);
}

// The Docs of the step are the characters that the tokenizer sees.
static bool run_chars(training *t, shard *s) {
  on_train_step *step = &s->step;
  const on_tokenizer *tokenizer = &t->pipeline.tokenizer;
  const on_encoder *encoder = &t->pipeline.encoders[tokenizer->encoder];
  float *h, *dh = ON_NEW0(&step->arena, float, step->m * encoder->width);
  void *kept;
  on_train_loss loss = {0};
  const on_encoder_trainer *trainer = t->encoders[tokenizer->encoder];
  if (!dh || !trainer->forward(encoder, step, &h, &kept)) return false;
  float scale = t->tokenizer.weight / (float)((double)t->batch_words * t->chars_per_word);
  if (!t->tokenizer.trainer->step(&tokenizer->head, t->tokenizer.state, step, h, dh, scale, &loss)) return false;
  s->loss += (double)t->tokenizer.weight * loss.sum / t->chars_per_word;
  return trainer->backward(encoder, step, kept, dh);
}

static bool run_tokenizer(training *t, shard *s) {
  if (!t->tokenizer.trainer || t->tokenizer.weight <= 0) return true;
  on_train_step *step = &s->step;
  on_char_docs *chars = &s->chars;
  on_char_docs_clear(chars);
  for (size_t d = 0; d < step->doc_count; d++) {
    if (!on_char_docs_add(chars, &t->pipeline, &step->docs[d])) return false;
  }
  if (chars->characters == 0) return true;
  if (!on_grow((void **)&s->char_starts, &s->char_starts_cap, chars->n + 1, sizeof *s->char_starts)) return false;
  on_doc *docs = step->docs;
  uint32_t *starts = step->starts;
  size_t doc_count = step->doc_count, m = step->m;
  step->docs = chars->list;
  step->doc_count = chars->n;
  step->starts = s->char_starts;
  step->m = 0;
  for (size_t d = 0; d < chars->n; d++) {
    step->starts[d] = (uint32_t)step->m;
    step->m += chars->list[d].n;
  }
  step->starts[chars->n] = (uint32_t)step->m;
  step->characters = true;
  bool ok = run_chars(t, s);
  step->characters = false;
  step->docs = docs;
  step->doc_count = doc_count;
  step->starts = starts;
  step->m = m;
  return ok;
}

static bool run_pass(training *t, shard *s, const on_sample *units, size_t count) {
  on_arena_reset(&s->step.arena);
  bool ok = make_docs(t, s, units, count);
  for (size_t e = 0; ok && s->step.m > 0 && e < t->pipeline.encoder_count; e++) ok = run_encoder(t, s, e);
  return ok && run_tokenizer(t, s);
}

static void run_shard(void *context, size_t part) {
  training *t = context;
  shard *s = &t->shards[part];
  s->loss = 0;
  s->failed = false;
  const size_t passes = t->recipe->hyper.accumulate;
  size_t at = 0, words = 0;
  for (size_t pass = 1; pass <= passes && !s->failed; pass++) {
    const size_t from = at, until = s->words * pass / passes;
    for (; at < s->unit_count && words < until; at++) words += s->units[at].words;
    if (at > from) s->failed = !run_pass(t, s, s->units + from, at - from);
  }
}

// Units from t->units[*at] on, up to batch_words, longest first, each to the shard that has the fewest words.
static void fill_batch(training *t, size_t *at) {
  const on_hyper *hyper = &t->recipe->hyper;
  on_sample *batch = t->units + *at;
  size_t n = 0;
  t->batch_words = 0;
  for (; *at < t->unit_count && (n == 0 || t->batch_words + batch[n].words <= hyper->batch_words); n++, ++*at) {
    const on_sample unit = batch[n];
    t->batch_words += unit.words;
    size_t place = n;
    for (; place > 0 && batch[place - 1].words < unit.words; place--) batch[place] = batch[place - 1];
    batch[place] = unit;
  }
  for (uint32_t s = 0; s < hyper->shards; s++) t->shards[s].unit_count = t->shards[s].words = 0;
  for (size_t i = 0; i < n; i++) {
    shard *least = &t->shards[0];
    for (uint32_t s = 1; s < hyper->shards; s++) {
      if (t->shards[s].words < least->words) least = &t->shards[s];
    }
    least->units[least->unit_count++] = batch[i];
    least->words += batch[i].words;
  }
}

static bool step_failed(const on_train_step *step, on_error *error) {
  if (step->error.code == ON_OK) return on_fail_memory(error);
  if (error) *error = step->error;
  return false;
}

static bool run_step(training *t, size_t *at, on_error *error) {
  const on_hyper *hyper = &t->recipe->hyper;
  fill_batch(t, at);
  for (uint32_t s = 0; s < hyper->shards; s++) {
    on_random_seed(&t->shards[s].step.random, hyper->seed * 1000003 + t->optimizer.step * ON_TRAIN_MAX_SHARDS + s);
  }
  on_parallel(hyper->shards, run_shard, t);
  for (uint32_t s = 0; s < hyper->shards; s++) {
    if (t->shards[s].failed) return step_failed(&t->shards[s].step, error);
    t->epoch_loss += t->shards[s].loss;
  }
  on_optimizer_step(&t->optimizer);
  t->words += t->batch_words;
  t->epoch_words += t->batch_words;
  return true;
}

// ---- epochs ---------------------------------------------------------------------------------------

static void report(training *t, const on_dev_scores *dev, bool epoch_done, bool best) {
  if (!t->listener->progress) return;
  on_train_progress p = {.epoch = t->epoch,
                         .epochs = t->recipe->hyper.epochs,
                         .step = t->optimizer.step,
                         .steps = t->optimizer.total_steps,
                         .words = t->words,
                         .rate = t->optimizer.rate,
                         .loss = t->epoch_words ? t->epoch_loss / (double)t->epoch_words : 0,
                         .epoch_done = epoch_done,
                         .dev = dev,
                         .best = best};
  t->listener->progress(t->listener->context, &p);
}

static bool stop_asked(const training *t) { return t->listener->stop && t->listener->stop(t->listener->context); }

// What the recipe says, and the scores if there are any.
static bool metadata(const training *t, const on_dev_scores *dev, on_arena *arena, on_meta **out, size_t *count) {
  const on_json *given = t->recipe->metadata;
  size_t n = 0, most = (given ? on_json_count(given) : 0) + 1;
  on_meta *meta = ON_NEW(arena, on_meta, most);
  if (!meta) return false;
  for (const on_json *m = given ? on_json_first(given) : NULL; m; m = on_json_next(m)) {
    if (on_json_type(m) == ON_JSON_STRING) meta[n++] = (on_meta){on_json_key(m), on_json_string(m)};
  }
  if (dev) {
    on_buf text = {0};
    for (int i = 0; i < ON_DEV_METRICS; i++) {
      if (dev->value[i] < 0) continue;
      on_buf_format(&text, "%s%s %.2f", text.n ? ", " : "", on_dev_metric_names[i], dev->value[i]);
    }
    meta[n++] = (on_meta){ON_STR("dev_scores"), on_arena_str(arena, on_buf_view(&text))};
    on_buf_free(&text);
  }
  *out = meta;
  *count = n;
  return true;
}

// The pipeline's file with matrices stored as the recipe says.
static bool make_file(const training *t, const on_meta *meta, size_t meta_count, on_buf *out, on_error *error) {
  on_dtype store = t->recipe->hyper.store;
  on_buf_clear(out);
  if (!on_pipeline_save(&t->pipeline, meta, meta_count, out, error)) return false;
  if (store == ON_F32) return true;
  on_pipeline copy;
  on_buf compact = {0};
  if (!on_pipeline_load_with(&copy, on_buf_view(out), t->recipe->files, error)) return false;
  bool ok = on_pipeline_compact(&copy, store, error) && on_pipeline_save(&copy, meta, meta_count, &compact, error);
  on_pipeline_free(&copy);
  on_buf_free(out);
  *out = compact;
  return ok;
}

// Saves the weights as they are now (averaged where wanted), scores them, hands them on when they are better or cannot
// be compared.
static bool score_epoch(training *t, on_error *error) {
  on_buf file = {0};
  on_arena arena = {0};
  on_dev_scores scores = {0};
  const on_dev_scores *dev = t->dev ? &scores : NULL;
  on_optimizer_use_saved(&t->optimizer, &t->pipeline, true);
  bool ok = !dev ||
            (make_file(t, NULL, 0, &file, error) &&
             on_dev_score(on_buf_view(&file), t->recipe->files, t->dev, t->recipe->hyper.shards, &scores, error));
  bool best = ok && (!dev || !t->have_best || scores.mean > t->best);
  if (best) {
    t->best = scores.mean;
    t->have_best = true;
    on_meta *meta = NULL;
    size_t n = 0;
    ok = (metadata(t, dev, &arena, &meta, &n) || on_fail_memory(error)) && make_file(t, meta, n, &file, error);
    if (ok && t->listener->better) ok = t->listener->better(t->listener->context, on_buf_view(&file), dev, error);
  }
  on_optimizer_use_saved(&t->optimizer, &t->pipeline, false);
  if (ok) report(t, dev, true, best);
  on_arena_free(&arena);
  on_buf_free(&file);
  return ok;
}

static void draw_units(training *t, uint32_t epoch) {
  const on_hyper *hyper = &t->recipe->hyper;
  on_random random, order;
  on_random_seed(&random, hyper->seed + 7919 * (uint64_t)(hyper->unit_rounds ? epoch % hyper->unit_rounds : epoch));
  t->unit_count = on_corpus_sample(t->train, hyper, &random, t->units);
  if (!hyper->unit_rounds) return;
  on_random_seed(&order, hyper->seed + 7919 * (uint64_t)epoch);
  on_samples_shuffle(t->units, t->unit_count, &order);
}

// Of the whole training. A unit may be longer than a batch is meant to be, so that words alone do not tell; and a
// learning rate that does not come down to its end costs a point and more.
static uint64_t count_steps(training *t) {
  uint64_t steps = 0;
  for (uint32_t epoch = 1; epoch <= t->recipe->hyper.epochs; epoch++) {
    draw_units(t, epoch);
    for (size_t at = 0; at < t->unit_count; steps++) fill_batch(t, &at);
  }
  return steps;
}

static bool run_epoch(training *t, bool *stopped, on_error *error) {
  draw_units(t, t->epoch);
  t->epoch_loss = 0;
  t->epoch_words = 0;
  for (size_t at = 0; at < t->unit_count && !*stopped;) {
    if (!run_step(t, &at, error)) return false;
    report(t, NULL, false, false);
    *stopped = stop_asked(t);
  }
  return true;
}

static bool run_epochs(training *t, on_error *error) {
  const on_hyper *hyper = &t->recipe->hyper;
  bool stopped = false;
  for (t->epoch = 1; t->epoch <= hyper->epochs && !stopped; t->epoch++) {
    if (!run_epoch(t, &stopped, error)) return false;
    bool due = (t->dev && t->epoch >= hyper->evaluate_from) || t->epoch == hyper->epochs;
    if (stopped ? !t->have_best : due) {
      if (!score_epoch(t, error)) return false;
    } else if (!stopped) {
      report(t, NULL, true, false);
    }
  }
  return true;
}

bool on_train(const on_recipe *recipe, const on_corpus *train, const on_corpus *dev, const on_train_listener *listener,
              on_error *error) {
  training t = {.recipe = recipe, .train = train, .dev = dev, .listener = listener};
  bool ok = set_up(&t, error);
  if (ok && listener->started) {
    listener->started(listener->context, on_buf_view(&t.config), t.optimizer.n, on_corpus_words(train));
  }
  ok = ok && run_epochs(&t, error);
  tear_down(&t);
  return ok;
}

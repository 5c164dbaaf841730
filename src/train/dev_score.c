#include "train/dev_score.h"

#include <string.h>

#include "base/alloc.h"
#include "pipeline/builtin.h"
#include "pipeline/text_sums.h"
#include "pipeline/tokenizer.h"
#include "pipeline/units.h"
#include "train/dev_labels.h"
#include "train/parallel.h"

const char *const on_dev_metric_names[ON_DEV_METRICS] = {"UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "Sents",
                                                        "Words", "NER", "Cats", "Spans"};

typedef struct counts {
  uint64_t right[ON_DEV_METRICS], all[ON_DEV_METRICS];  // sentences: right, and gold + system
  bool predicted[ON_DEV_METRICS];
} counts;

typedef struct scoring {
  const on_pipeline *pipeline;
  const on_corpus *corpus;
  const on_unit *units;
  size_t unit_count;
  uint8_t *annotators, *senters;  // component masks
  bool has_senter;
  counts counts[ON_TRAIN_MAX_SHARDS];
  bool failed[ON_TRAIN_MAX_SHARDS];
  size_t parts;
} scoring;

static bool sets_sentences(const on_component *component) {
  if (component->type == ON_COMPONENT_BUILTIN) return component->builtin->sets_sentences;
  return strcmp(component->head.kind->name, "senter") == 0;
}

static void compare(counts *c, on_dev_metric metric, const on_str *gold, const on_str *system, size_t n) {
  if (!gold || !system) return;
  c->predicted[metric] = true;
  for (size_t i = 0; i < n; i++) {
    c->right[metric] += on_str_eq(gold[i], system[i]) && !gold[i].p == !system[i].p;
    c->all[metric]++;
  }
}

// Relations are compared up to the colon, as the shared task does.
static bool same_relation(on_str a, on_str b) {
  const char *colon_a = a.n ? memchr(a.p, ':', a.n) : NULL, *colon_b = b.n ? memchr(b.p, ':', b.n) : NULL;
  if (colon_a) a.n = (size_t)(colon_a - a.p);
  if (colon_b) b.n = (size_t)(colon_b - b.p);
  return on_str_eq(a, b);
}

static void compare_trees(counts *c, const on_doc *gold, const on_doc *system) {
  if (!gold->head || !system->head || !gold->dep || !system->dep) return;
  c->predicted[ON_DEV_UAS] = c->predicted[ON_DEV_LAS] = true;
  for (size_t i = 0; i < gold->n; i++) {
    bool head = gold->head[i] == system->head[i];
    c->right[ON_DEV_UAS] += head;
    c->right[ON_DEV_LAS] += head && same_relation(gold->dep[i], system->dep[i]);
  }
  c->all[ON_DEV_UAS] += gold->n;
  c->all[ON_DEV_LAS] += gold->n;
}

static void compare_sentences(counts *c, const on_doc *gold, const uint8_t *system) {
  c->predicted[ON_DEV_SENTENCES] = true;
  bool open = true;  // both sentences started at the same token
  for (size_t i = 1; i <= gold->n; i++) {
    bool gold_ends = i == gold->n || gold->sent_start[i], system_ends = i == gold->n || system[i];
    c->right[ON_DEV_SENTENCES] += gold_ends && system_ends && open ? 2 : 0;
    c->all[ON_DEV_SENTENCES] += (uint64_t)gold_ends + system_ends;
    if (gold_ends || system_ends) open = gold_ends && system_ends;
  }
}

// The tokens of a gold Doc without its annotation, sharing its memory.
static on_doc bare(const on_doc *gold) {
  on_doc doc = *gold;
  doc.arena = (on_arena){0};
  on_doc_clear_labels(&doc);
  return doc;
}

// Words by their place in the text, as the raw text is tokenized.
static bool score_words(const scoring *s, counts *c, on_workspace *workspace, const on_doc *gold) {
  on_arena arena = {0};
  on_pieces pieces = {0};
  on_doc system;
  on_doc_init(&system);
  uint32_t from = gold->unit_start, to = gold->unit_end;
  bool ok = s->pipeline->tokenizer.kind->split(s->pipeline, workspace, &arena, gold->source, from, to, &pieces, NULL) &&
            on_doc_from_pieces(&system, gold->source, from, to, pieces.list, pieces.n, NULL);
  for (size_t i = 0, k = 0; ok && i < gold->n && k < system.n;) {
    uint32_t a = gold->source_start[i], b = system.source_start[k];
    uint32_t a_end = gold->source_end[i], b_end = system.source_end[k];
    c->right[ON_DEV_WORDS] += a == b && a_end == b_end ? 2 : 0;
    bool forward = a < b || (a == b && a_end <= b_end), back = b < a || (a == b && b_end <= a_end);
    i += forward;
    k += back;
  }
  c->all[ON_DEV_WORDS] += gold->n + system.n;
  on_doc_free(&system);
  on_arena_free(&arena);
  return ok;
}

static on_dev_count count_of(counts *c, on_dev_metric metric) {
  return (on_dev_count){&c->right[metric], &c->all[metric]};
}

// One text of the examples [first, end), its units.
static bool score_text(const scoring *s, counts *c, on_workspace *workspace, size_t first, size_t end) {
  on_text_sums sums = {0};
  bool ok = true;
  for (size_t i = first; ok && i < end; i++) {
    const on_doc *gold = &s->corpus->examples[i].doc;
    on_doc system = bare(gold);
    ok = on_pipeline_run(s->pipeline, workspace, s->annotators, &system, NULL) &&
         on_text_sums_add(&sums, s->pipeline, workspace, s->annotators, &system, NULL);
    if (ok) {
      on_dev_compare_entities(gold, &system, count_of(c, ON_DEV_ENTITIES));
      on_dev_compare_spans(gold, &system, count_of(c, ON_DEV_SPANS));
      if (i + 1 == end) on_dev_compare_cats(gold, &system, count_of(c, ON_DEV_CATS));
    }
    on_arena_free(&system.arena);
    if (ok && s->pipeline->tokenizer.trained) ok = score_words(s, c, workspace, gold);
  }
  on_text_sums_free(&sums);
  return ok;
}

// Every `parts`-th text from the one with number `part` on.
static bool score_examples(const scoring *s, counts *c, on_workspace *workspace, size_t part) {
  const on_corpus *corpus = s->corpus;
  size_t text = 0;
  for (size_t first = 0, end; first < corpus->example_count; first = end, text++) {
    for (end = first + 1; end < corpus->example_count && corpus->examples[end].continues;) end++;
    if (text % s->parts == part && !score_text(s, c, workspace, first, end)) return false;
  }
  return true;
}

static bool score_unit(scoring *s, counts *c, on_workspace *workspace, const on_unit *unit, on_doc *gold) {
  if (!on_corpus_doc(s->corpus, unit->first, unit->end, gold, NULL)) return false;
  on_doc system = bare(gold);
  bool ok = on_pipeline_run(s->pipeline, workspace, s->annotators, &system, NULL);
  if (ok) {
    compare(c, ON_DEV_UPOS, gold->pos, system.pos, gold->n);
    compare(c, ON_DEV_XPOS, gold->tag, system.tag, gold->n);
    compare(c, ON_DEV_FEATS, gold->morph, system.morph, gold->n);
    compare(c, ON_DEV_LEMMA, gold->lemma, system.lemma, gold->n);
    compare_trees(c, gold, &system);
    on_dev_compare_entities(gold, &system, count_of(c, ON_DEV_ENTITIES));
  }
  on_arena_free(&system.arena);
  if (ok && s->pipeline->tokenizer.trained) ok = score_words(s, c, workspace, gold);
  if (!ok || !s->has_senter) return ok;
  on_doc split = bare(gold);
  split.sent_start = ON_NEW0(&split.arena, uint8_t, gold->n);
  ok = split.sent_start && on_pipeline_run(s->pipeline, workspace, s->senters, &split, NULL);
  if (ok) compare_sentences(c, gold, split.sent_start);
  on_arena_free(&split.arena);
  return ok;
}

static void score_part(void *context, size_t part) {
  scoring *s = context;
  on_workspace workspace;
  on_doc gold;
  on_doc_init(&gold);
  s->failed[part] = !on_workspace_init(&workspace, s->pipeline->encoder_count, NULL);
  for (size_t u = part; !s->failed[part] && u < s->unit_count; u += s->parts) {
    s->failed[part] = !score_unit(s, &s->counts[part], &workspace, &s->units[u], &gold);
  }
  if (!s->failed[part]) s->failed[part] = !score_examples(s, &s->counts[part], &workspace, part);
  on_doc_free(&gold);
  on_workspace_free(&workspace);
}

static void sum_up(const scoring *s, on_dev_scores *out) {
  double sum = 0;
  int used = 0;
  for (int metric = 0; metric < ON_DEV_METRICS; metric++) {
    uint64_t right = 0, all = 0;
    for (size_t part = 0; part < s->parts; part++) {
      right += s->counts[part].right[metric];
      all += s->counts[part].all[metric];
    }
    out->value[metric] = all ? 100.0 * (double)right / (double)all : -1;
    if (all && metric != ON_DEV_UAS) {
      sum += out->value[metric];
      used++;
    }
  }
  out->mean = used ? sum / used : 0;
}

bool on_dev_score(on_str file, const on_files *files, const on_corpus *corpus, uint32_t threads, on_dev_scores *out,
                  on_error *error) {
  on_pipeline pipeline;
  if (!on_pipeline_load_with(&pipeline, file, files, error)) return false;
  scoring s = {.pipeline = &pipeline, .corpus = corpus, .parts = threads};
  on_arena arena = {0};
  on_unit *units;
  bool ok = on_units_from_sentences(&arena, corpus->pointers, corpus->count, 0, &units, &s.unit_count, error);
  s.annotators = ON_NEW0(&arena, uint8_t, pipeline.component_count);
  s.senters = ON_NEW0(&arena, uint8_t, pipeline.component_count);
  if (ok && (!s.annotators || !s.senters)) ok = on_fail_memory(error);
  if (ok) {
    s.units = units;
    for (size_t i = 0; i < pipeline.component_count; i++) {
      const on_component *component = &pipeline.components[i];
      bool sentences = sets_sentences(component);
      s.annotators[i] = !sentences;
      s.senters[i] = sentences && component->type == ON_COMPONENT_HEAD;
      s.has_senter = s.has_senter || s.senters[i];
    }
    on_parallel(s.parts, score_part, &s);
    for (size_t part = 0; part < s.parts; part++) ok = ok && !s.failed[part];
    if (!ok) on_fail_memory(error);
    else sum_up(&s, out);
  }
  on_arena_free(&arena);
  on_pipeline_free(&pipeline);
  return ok;
}

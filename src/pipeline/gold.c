#include "pipeline/gold.h"

#include "base/alloc.h"
#include "format/conllu_internal.h"
#include "pipeline/text_sums.h"
#include "pipeline/units.h"

bool on_gold_begin(on_gold_run *run, const on_pipeline *pipeline, on_workspace *workspace, const uint8_t *components,
                   on_str bytes, on_error *error) {
  *run = (on_gold_run){.pipeline = pipeline, .workspace = workspace};
  run->components = on_malloc(pipeline->component_count + 1);
  run->reader = on_conllu_open(bytes, NULL);
  if (!run->components || !run->reader) return on_fail_memory(error);
  for (size_t i = 0; i < pipeline->component_count; i++) {
    bool on = !components || components[i];
    run->components[i] = on && !on_component_sets_sentences(&pipeline->components[i]);
  }
  return true;
}

void on_gold_end(on_gold_run *run) {
  for (size_t i = 0; i < run->cap; i++) on_conllu_sentence_free(&run->list[i]);
  on_free(run->list);
  if (run->reader) on_conllu_close(run->reader);
  on_free(run->components);
  on_text_sums_free(&run->sums);
  *run = (on_gold_run){0};
}

// Reads a sentence into list[at]; as on_conllu_next.
static int read_sentence(on_gold_run *run, size_t at, on_error *error) {
  size_t before = run->cap;
  void *list = run->list;
  if (!on_grow(&list, &run->cap, at + 1, sizeof *run->list)) {
    on_fail_memory(error);
    return -1;
  }
  run->list = list;
  for (size_t i = before; i < run->cap; i++) run->list[i] = (on_conllu_sentence){0};
  return on_conllu_next(run->reader, &run->list[at], error);
}

// The sentences of the next unit: 1, 0 or -1.
static int read_unit(on_gold_run *run, on_error *error) {
  if (run->ahead) {
    on_conllu_sentence first = run->list[run->count];
    run->list[run->count] = run->list[0];
    run->list[0] = first;
    run->ahead = false;
    run->count = 1;
  } else {
    run->count = 0;
  }
  size_t words = run->count ? run->list[0].word_count : 0;
  while (!run->ended) {
    int read = read_sentence(run, run->count, error);
    if (read < 0) return -1;
    run->ended = read == 0;
    if (run->ended) break;
    if (!on_unit_takes(words, &run->list[run->count], 0)) {
      run->ahead = true;
      break;
    }
    words += run->list[run->count++].word_count;
  }
  return run->count > 0;
}

static bool doc_of_unit(on_gold_run *run, on_doc *doc, on_error *error) {
  const on_conllu_sentence **sentences = on_malloc(run->count * sizeof *sentences);
  if (!sentences) return on_fail_memory(error);
  for (size_t i = 0; i < run->count; i++) sentences[i] = &run->list[i];
  bool ok = on_doc_from_conllu(doc, sentences, run->count, error);
  on_free(sentences);
  run->columns = (on_gold_columns){doc->lemma, doc->pos,      doc->tag,  doc->morph,    doc->dep,
                                   doc->head,  doc->has_ents, doc->ents, doc->ent_count};
  on_doc_clear_labels(doc);  // what the treebank says is not the pipeline's to read, nor its output
  return ok;
}

int on_gold_next(on_gold_run *run, on_doc *doc, on_error *error) {
  on_doc_reset(doc);
  if (!run->again) {
    bool first = run->count == 0;
    int read = read_unit(run, error);
    if (read <= 0) return read;
    run->paragraph_start = first || on_sentence_starts_paragraph(&run->list[0]);
  }
  run->again = true;
  if (!doc_of_unit(run, doc, error) ||
      !on_pipeline_run(run->pipeline, run->workspace, run->components, doc, error) ||
      !on_text_sums_add(&run->sums, run->pipeline, run->workspace, run->components, doc, error)) {
    return -1;
  }
  run->again = false;
  return 1;
}

void on_gold_keep(const on_gold_run *run, on_doc *doc) {
  const on_gold_columns *file = &run->columns;
  if (!doc->lemma) doc->lemma = file->lemma;
  if (!doc->pos) doc->pos = file->pos;
  if (!doc->tag) doc->tag = file->tag;
  if (!doc->morph) doc->morph = file->morph;
  if (!doc->dep) doc->dep = file->dep;
  if (!doc->head) doc->head = file->head;
  if (doc->has_ents) return;
  doc->has_ents = file->has_ents;
  doc->ents = file->ents;
  doc->ent_count = file->ent_count;
}

static void fill_string(on_str *value, const on_str *column, size_t token, bool only_tokens) {
  if (column) {
    *value = column[token].n ? column[token] : ON_STR_NONE;
  } else if (only_tokens) {
    *value = ON_STR_NONE;
  }
}

static bool is_entity_mark(on_str item) {
  return on_str_starts(item, ON_STR("NER=")) || on_str_starts(item, ON_STR("ner="));
}

// MISC without its entity marks, and with the one of this token (span NULL: none).
static bool fill_misc(on_conllu_sentence *sentence, on_conllu_word *word, const on_span *span, bool begins,
                      on_buf *misc) {
  on_buf_clear(misc);
  on_str old = word->misc;
  for (size_t at = 0; at < old.n;) {
    const char *bar = memchr(old.p + at, '|', old.n - at);
    size_t end = bar ? (size_t)(bar - old.p) : old.n;
    on_str item = on_str_sub(old, at, end);
    if (!is_entity_mark(item)) {
      if (misc->n) on_buf_char(misc, '|');
      on_buf_str(misc, item);
    }
    at = end + 1;
  }
  if (span) {
    if (misc->n) on_buf_char(misc, '|');
    on_buf_str(misc, begins ? ON_STR("NER=B-") : ON_STR("NER=I-"));
    on_conllu_escape(misc, span->label);
  }
  if (misc->failed) return false;
  word->misc = misc->n ? on_arena_str(&sentence->arena, on_buf_view(misc)) : ON_STR_NONE;
  return misc->n == 0 || word->misc.p;
}

static bool fill_entities(on_gold_run *run, const on_doc *doc) {
  on_buf misc = {0};
  bool ok = true;
  size_t token = 0, ent = 0;
  for (size_t s = 0; s < run->count && ok; s++) {
    on_conllu_sentence *sentence = &run->list[s];
    for (size_t i = 0; i < sentence->word_count && ok; i++, token++) {
      while (ent < doc->ent_count && token >= doc->ents[ent].end) ent++;
      const on_span *span = ent < doc->ent_count && token >= doc->ents[ent].first ? &doc->ents[ent] : NULL;
      ok = fill_misc(sentence, &sentence->words[i], span, span && token == span->first, &misc);
    }
  }
  on_buf_free(&misc);
  return ok;
}

bool on_gold_fill(on_gold_run *run, const on_doc *doc, bool only_tokens, on_error *error) {
  size_t base = 0;
  for (size_t s = 0; s < run->count; s++) {
    on_conllu_sentence *sentence = &run->list[s];
    for (size_t i = 0; i < sentence->word_count; i++) {
      on_conllu_word *word = &sentence->words[i];
      size_t token = base + i;
      fill_string(&word->lemma, doc->lemma, token, only_tokens);
      fill_string(&word->upos, doc->pos, token, only_tokens);
      fill_string(&word->xpos, doc->tag, token, only_tokens);
      fill_string(&word->feats, doc->morph, token, only_tokens);
      fill_string(&word->deprel, doc->dep, token, only_tokens);
      fill_string(&word->deps, NULL, token, only_tokens);
      if (doc->head) {
        word->head = doc->head[token] == token ? 0 : (int32_t)(doc->head[token] - base + 1);
      } else if (only_tokens) {
        word->head = -1;
      }
    }
    base += sentence->word_count;
  }
  return !doc->has_ents || fill_entities(run, doc) || on_fail_memory(error);
}

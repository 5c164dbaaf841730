#include "train/corpus.h"

#include "base/alloc.h"
#include "doc/unit.h"
#include "pipeline/units.h"

static bool make_room(on_corpus *corpus) {
  size_t need = corpus->count + 1;
  return on_grow((void **)&corpus->sentences, &corpus->cap, need, sizeof *corpus->sentences) &&
         on_grow((void **)&corpus->pointers, &corpus->pointer_cap, need, sizeof *corpus->pointers) &&
         on_grow((void **)&corpus->paragraph, &corpus->paragraph_cap, need, sizeof *corpus->paragraph);
}

bool on_corpus_add(on_corpus *corpus, on_str conllu, on_error *error) {
  on_conllu_reader *reader = on_conllu_open(conllu, NULL);
  if (!reader) return on_fail_memory(error);
  size_t file_start = corpus->count;
  int got = 1;
  while (got > 0) {
    if (!make_room(corpus)) {
      on_conllu_close(reader);
      return on_fail_memory(error);
    }
    on_conllu_sentence *sentence = &corpus->sentences[corpus->count];
    *sentence = (on_conllu_sentence){0};
    got = on_conllu_next(reader, sentence, error);
    if (got <= 0) {
      on_conllu_sentence_free(sentence);
      break;
    }
    corpus->paragraph[corpus->count] = corpus->count == file_start || on_sentence_starts_paragraph(sentence);
    corpus->count++;
  }
  on_conllu_close(reader);
  for (size_t i = 0; i < corpus->count; i++) corpus->pointers[i] = &corpus->sentences[i];
  return got == 0;
}

void on_corpus_share(on_corpus *corpus, size_t first, float share) {
  for (size_t i = first; i < corpus->example_count; i++) corpus->examples[i].share = share;
}

uint64_t on_corpus_words(const on_corpus *corpus) {
  double words = 0;
  for (size_t i = 0; i < corpus->count; i++) words += (double)corpus->sentences[i].word_count;
  for (size_t i = 0; i < corpus->example_count; i++) {
    words += (double)corpus->examples[i].share * (double)corpus->examples[i].doc.n;
  }
  return (uint64_t)words;
}

void on_corpus_free(on_corpus *corpus) {
  for (size_t i = 0; i < corpus->count; i++) on_conllu_sentence_free(&corpus->sentences[i]);
  on_free(corpus->sentences);
  on_free((void *)corpus->pointers);
  on_free(corpus->paragraph);
  on_free(corpus->entities);
  for (size_t i = 0; i < corpus->example_count; i++) on_doc_free(&corpus->examples[i].doc);
  on_free(corpus->examples);
  for (size_t i = 0; i < corpus->text_count; i++) {
    on_doc_free(corpus->texts[i]);
    on_free(corpus->texts[i]);
  }
  on_free(corpus->texts);
  on_names_free(&corpus->names);
  *corpus = (on_corpus){0};
}

void on_samples_shuffle(on_sample *units, size_t n, on_random *random) {
  for (size_t i = n; i > 1; i--) {
    size_t j = on_random_below(random, (uint32_t)i);
    on_sample swap = units[i - 1];
    units[i - 1] = units[j];
    units[j] = swap;
  }
}

size_t on_corpus_sample(const on_corpus *corpus, const on_hyper *hyper, on_random *random, on_sample *units) {
  size_t n = 0;
  for (size_t at = 0; at < corpus->count;) {
    float mode = on_random_unit(random);
    bool single = mode < hyper->unit_single;
    bool paragraph = !single && mode < hyper->unit_single + hyper->unit_paragraph;
    uint32_t most = paragraph ? ON_UNIT_WORDS : single ? 0 : 1 + on_random_below(random, hyper->unit_join_words);
    on_sample unit = {(uint32_t)at, (uint32_t)at, 0};
    do {
      unit.words += (uint32_t)corpus->sentences[unit.end++].word_count;
    } while (unit.end < corpus->count && unit.words + corpus->sentences[unit.end].word_count <= most &&
             !(paragraph && corpus->paragraph[unit.end]));
    units[n++] = unit;
    at = unit.end;
  }
  for (size_t i = 0; i < corpus->example_count; i++) {
    float share = corpus->examples[i].share;
    if (share < 1 && on_random_unit(random) >= share) continue;
    uint32_t number = (uint32_t)(corpus->count + i);
    units[n++] = (on_sample){number, number + 1, (uint32_t)corpus->examples[i].doc.n};
  }
  on_samples_shuffle(units, n, random);
  return n;
}

bool on_corpus_doc(const on_corpus *corpus, size_t first, size_t end, on_doc *doc, on_error *error) {
  on_doc_reset(doc);
  if (first >= corpus->count) {
    on_arena arena = doc->arena;
    *doc = corpus->examples[first - corpus->count].doc;
    doc->arena = arena;
    return true;
  }
  if (!on_doc_from_conllu(doc, corpus->pointers + first, end - first, error)) return false;
  if (corpus->entities) {
    doc->has_ents = true;
    for (size_t i = first; i < end; i++) doc->has_ents = doc->has_ents && corpus->entities[i];
  }
  return true;
}

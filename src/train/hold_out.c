#include "train/hold_out.h"

#include "base/alloc.h"

static bool make_room(on_corpus *corpus, size_t count) {
  return on_grow((void **)&corpus->sentences, &corpus->cap, count, sizeof *corpus->sentences) &&
         on_grow((void **)&corpus->pointers, &corpus->pointer_cap, count, sizeof *corpus->pointers) &&
         on_grow((void **)&corpus->paragraph, &corpus->paragraph_cap, count, sizeof *corpus->paragraph);
}

static void add(on_corpus *to, const on_conllu_sentence *sentence, bool paragraph) {
  to->sentences[to->count] = *sentence;
  to->paragraph[to->count++] = paragraph;
}

// Moves `left` of the texts of examples, drawn one by one, with all their units.
static bool hold_out_examples(on_corpus *corpus, on_corpus *held, size_t texts, size_t left, on_random *random) {
  held->examples = on_calloc(corpus->example_count + 1, sizeof *held->examples);
  if (!held->examples) return false;
  held->example_cap = corpus->example_count;
  size_t all = corpus->example_count, text = 0;
  bool out = false;
  corpus->example_count = 0;
  for (size_t i = 0; i < all; i++) {
    on_example example = corpus->examples[i];
    if (!example.continues) {
      out = on_random_below(random, (uint32_t)(texts - text++)) < left;
      left -= out;
    }
    on_corpus *to = out ? held : corpus;
    to->examples[to->example_count++] = example;
  }
  return true;
}

static void hold_out_sentences(on_corpus *corpus, on_corpus *held, size_t left, on_random *random) {
  bool opens[2] = {false, false};  // a paragraph started at a sentence that went to the other side
  size_t all = corpus->count;
  corpus->count = 0;
  for (size_t i = 0; i < all; i++) {
    // Each sentence is drawn with the share that is still missing (selection sampling).
    bool out = on_random_below(random, (uint32_t)(all - i)) < left;
    left -= out;
    if (corpus->paragraph[i]) opens[0] = opens[1] = true;
    on_conllu_sentence sentence = corpus->sentences[i];
    add(out ? held : corpus, &sentence, opens[out]);
    opens[out] = false;
  }
  for (size_t i = 0; i < corpus->count; i++) corpus->pointers[i] = &corpus->sentences[i];
  for (size_t i = 0; i < held->count; i++) held->pointers[i] = &held->sentences[i];
}

// A tenth, at least one where there are two.
static size_t share_of(size_t all) { return all < 2 ? 0 : all < ON_HOLD_OUT_SHARE ? 1 : all / ON_HOLD_OUT_SHARE; }

bool on_corpus_hold_out(on_corpus *corpus, on_corpus *held, uint64_t seed, on_error *error) {
  size_t texts = 0;
  for (size_t i = 0; i < corpus->example_count; i++) texts += !corpus->examples[i].continues;
  size_t sentences = share_of(corpus->count), examples = share_of(texts);
  if (sentences + examples == 0) return on_fail(error, ON_INVALID_DATA, -1, "too few sentences to hold some out");
  if (!make_room(held, sentences)) return on_fail_memory(error);
  on_random random;
  on_random_seed(&random, seed);
  hold_out_sentences(corpus, held, sentences, &random);
  return hold_out_examples(corpus, held, texts, examples, &random) || on_fail_memory(error);
}

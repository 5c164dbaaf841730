#include "train/join.h"

#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "text/chars.h"
#include "text/utf.h"

// A text without white space, and where things lie in it (byte offsets).
typedef struct key {
  on_buf text;
  uint32_t *start, *end;  // of words, or of UTF-16 units (start only)
  size_t cap_start, cap_end;
} key;

static void free_key(key *k) {
  on_buf_free(&k->text);
  on_free(k->start);
  on_free(k->end);
}

static bool has_room(key *k, size_t n) {
  return on_grow((void **)&k->start, &k->cap_start, n, sizeof *k->start) &&
         on_grow((void **)&k->end, &k->cap_end, n, sizeof *k->end);
}

static void add_form(on_buf *out, on_str form) {
  for (size_t i = 0; i < form.n;) {
    size_t from = i;
    if (!on_is_space(on_utf8_next(form, &i))) on_buf_add(out, form.p + from, i - from);
  }
}

// The key of an example: start[u] is the place of UTF-16 unit u of the Doc's text.
static bool example_key(const on_doc *doc, key *k) {
  on_buf_clear(&k->text);
  if (!has_room(k, doc->text.n + 1)) return false;
  for (size_t i = 0; i < doc->text.n;) {
    size_t from = i;
    uint32_t c = on_utf16_next(doc->text, &i);
    for (size_t u = from; u < i; u++) k->start[u] = (uint32_t)k->text.n;
    if (!on_is_space(c)) on_buf_codepoint(&k->text, c);
  }
  k->start[doc->text.n] = (uint32_t)k->text.n;
  return !k->text.failed;
}

// The key of a sentence: start[w] and end[w] are those of word w. The words of a range have their own places when
// they spell its form, else all have the whole of it.
static bool sentence_key(const on_conllu_sentence *s, key *k) {
  on_buf_clear(&k->text);
  if (!has_room(k, s->word_count + 1)) return false;
  size_t r = 0;
  for (size_t w = 0; w < s->word_count;) {
    bool range = r < s->range_count && s->ranges[r].first == w + 1;
    size_t end = range ? s->ranges[r].last : w + 1, from = k->text.n;
    for (size_t i = w; i < end; i++) {
      k->start[i] = (uint32_t)k->text.n;
      add_form(&k->text, s->words[i].form);
      k->end[i] = (uint32_t)k->text.n;
    }
    if (range) {
      on_buf surface = {0};
      add_form(&surface, s->ranges[r].form);
      bool spelled = on_str_eq(on_buf_view(&surface), on_str_sub(on_buf_view(&k->text), from, k->text.n));
      if (!spelled && !surface.failed) {
        k->text.n = from;
        on_buf_str(&k->text, on_buf_view(&surface));
        for (size_t i = w; i < end; i++) {
          k->start[i] = (uint32_t)from;
          k->end[i] = (uint32_t)k->text.n;
        }
      }
      if (surface.failed) k->text.failed = true;
      on_buf_free(&surface);
      r++;
    }
    w = end;
  }
  return !k->text.failed;
}

// The words [*first, *end) that an entity at the given place covers exactly.
static bool words_of(const key *sentence, size_t words, uint32_t start, uint32_t end, size_t *first, size_t *last) {
  size_t w = 0;
  while (w < words && sentence->start[w] < start) w++;
  if (w == words || sentence->start[w] != start) return false;
  *first = w;
  while (w < words && sentence->end[w] < end) w++;
  if (w == words || sentence->end[w] != end) return false;
  *last = w + 1;
  return true;
}

static bool mark(on_conllu_sentence *s, size_t first, size_t end, on_str label) {
  on_buf misc = {0};
  bool ok = true;
  for (size_t w = first; ok && w < end; w++) {
    on_buf_clear(&misc);
    if (s->words[w].misc.p) {
      on_buf_str(&misc, s->words[w].misc);
      on_buf_char(&misc, '|');
    }
    on_buf_str(&misc, w == first ? ON_STR("NER=B-") : ON_STR("NER=I-"));
    on_buf_str(&misc, label);
    on_str kept = on_arena_str(&s->arena, on_buf_view(&misc));
    ok = !misc.failed && kept.p;
    s->words[w].misc = kept;
  }
  on_buf_free(&misc);
  return ok;
}

static bool give(on_corpus *corpus, on_conllu_sentence *s, const key *sentence, const on_doc *doc, const key *example) {
  for (size_t e = 0; e < doc->ent_count; e++) {
    uint32_t start = example->start[doc->start[doc->ents[e].first]];
    uint32_t end = example->start[doc->end[doc->ents[e].end - 1]];
    size_t first, last;
    if (!words_of(sentence, s->word_count, start, end, &first, &last)) corpus->misaligned++;
    else if (!mark(s, first, last, doc->ents[e].label)) return false;
  }
  return true;
}

// keys: text without white space to the number of the first example that has it.
static bool collect(const on_corpus *corpus, on_map *keys, on_arena *arena, key *example) {
  for (size_t i = 0; i < corpus->example_count; i++) {
    const on_doc *doc = &corpus->examples[i].doc;
    if (!doc->has_ents || corpus->examples[i].continues) continue;
    if (!example_key(doc, example)) return false;
    on_str text = on_arena_str(arena, on_buf_view(&example->text));
    if (!text.p || !on_map_put(keys, text, (uint32_t)i, NULL)) return false;
  }
  return true;
}

// used[e]: a sentence has the text of example e.
static bool join_sentences(on_corpus *corpus, const on_map *keys, bool *used, key *sentence, key *example,
                           size_t *joined) {
  for (size_t i = 0; i < corpus->count; i++) {
    on_conllu_sentence *s = &corpus->sentences[i];
    if (!sentence_key(s, sentence)) return false;
    const uint32_t *found = on_map_get(keys, on_buf_view(&sentence->text));
    if (!found) continue;
    const on_doc *doc = &corpus->examples[*found].doc;
    if (!example_key(doc, example) || !give(corpus, s, sentence, doc, example)) return false;
    corpus->entities[i] = used[*found] = true;
    ++*joined;
  }
  return true;
}

// Takes out the examples whose text a sentence has, unless they say more than entities.
static bool drop_joined(on_corpus *corpus, const on_map *keys, const bool *used, key *example) {
  size_t kept = 0;
  for (size_t i = 0; i < corpus->example_count; i++) {
    on_example *e = &corpus->examples[i];
    const uint32_t *first = NULL;
    if (e->doc.has_ents && !e->continues && !e->doc.cat_count && !e->doc.group_count) {
      if (!example_key(&e->doc, example)) return false;
      first = on_map_get(keys, on_buf_view(&example->text));
    }
    if (first && used[*first]) {
      on_doc_free(&e->doc);
      e->doc.has_ents = false;
    } else {
      on_example moved = *e;
      on_doc_init(&e->doc);
      corpus->examples[kept++] = moved;
    }
  }
  corpus->example_count = kept;
  return true;
}

bool on_corpus_join(on_corpus *corpus, size_t *joined, on_error *error) {
  *joined = 0;
  if (corpus->count == 0 || corpus->example_count == 0) return true;
  on_map keys = {0};
  on_arena arena = {0};
  key sentence = {{0}, NULL, NULL, 0, 0}, example = {{0}, NULL, NULL, 0, 0};
  corpus->entities = on_calloc(corpus->count, sizeof *corpus->entities);
  bool *used = ON_NEW0(&arena, bool, corpus->example_count);
  bool ok = corpus->entities && used && collect(corpus, &keys, &arena, &example) &&
            join_sentences(corpus, &keys, used, &sentence, &example, joined) &&
            drop_joined(corpus, &keys, used, &example);
  free_key(&sentence);
  free_key(&example);
  on_map_free(&keys);
  on_arena_free(&arena);
  return ok || on_fail_memory(error);
}

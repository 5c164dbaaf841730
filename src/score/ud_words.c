#include "score/ud_words.h"

#include "base/alloc.h"
#include "base/sort.h"

static const char *const content_relations[] = {
    "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse", "dislocated",
    "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl", "orphan",
    "parataxis", "reparandum", "root", "vocative", "xcomp", NULL};
static const char *const function_relations[] = {
    "aux", "case", "cc", "clf", "cop", "det", "mark", NULL};
// The inventory of UD version 2 at the time of the shared task; later additions do not count.
static const char *const universal_features[] = {
    "Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender", "Mood", "Number",
    "NumType", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice", NULL};

static bool is_one_of(on_str s, const char *const *names) {
  for (; *names; names++) {
    if (strlen(*names) == s.n && memcmp(*names, s.p, s.n) == 0) return true;
  }
  return false;
}

// A column that is not set counts as the "_" that stands in the file.
static on_str as_written(on_str s) { return s.p ? s : ON_STR("_"); }

static on_str before(on_str s, char stop) {
  const char *at = s.n ? memchr(s.p, stop, s.n) : NULL;
  return at ? on_str_sub(s, 0, (size_t)(at - s.p)) : s;
}

static int compare_items(const void *a, const void *b) {
  const on_str *x = a, *y = b;
  return on_str_cmp(*x, *y);
}

void on_ud_features_free(on_ud_features *features) {
  on_map_free(&features->written);
  on_map_free(&features->normal);
  on_buf_free(&features->text);
  on_free(features->items);
  on_arena_free(&features->arena);
}

// Writes the universal ones of the features, in order and separated by '|', to features->text.
static bool normalize(on_ud_features *features, on_str feats) {
  size_t count = 0;
  for (size_t from = 0; from <= feats.n;) {
    on_str item = before(on_str_sub(feats, from, feats.n), '|');
    from += item.n + 1;
    if (!is_one_of(before(item, '='), universal_features)) continue;
    if (!on_grow((void **)&features->items, &features->item_room, count + 1, sizeof *features->items)) return false;
    features->items[count++] = item;
  }
  if (!on_sort(features->items, count, sizeof *features->items, compare_items)) return false;
  on_buf_clear(&features->text);
  for (size_t i = 0; i < count; i++) {
    if (i > 0) on_buf_char(&features->text, '|');
    on_buf_str(&features->text, features->items[i]);
  }
  return !features->text.failed;
}

static bool number_of_features(on_ud_features *features, on_str feats, uint32_t *number) {
  const uint32_t *known = on_map_get(&features->written, feats);
  if (!known) {
    if (!normalize(features, feats)) return false;
    known = on_map_get(&features->normal, on_buf_view(&features->text));
    if (!known) {
      on_str copy = on_arena_str(&features->arena, on_buf_view(&features->text));
      known = copy.p ? on_map_put(&features->normal, copy, (uint32_t)features->normal.count, NULL) : NULL;
      if (!known) return false;
    }
    known = on_map_put(&features->written, feats, *known, NULL);
    if (!known) return false;
  }
  *number = *known;
  return true;
}

// Bytes of the character of category Zs that s begins with, or 0.
static size_t blank_length(on_str s) {
  const unsigned char *p = (const unsigned char *)s.p;
  if (s.n >= 1 && p[0] == 0x20) return 1;
  if (s.n >= 2 && p[0] == 0xC2 && p[1] == 0xA0) return 2;
  if (s.n < 3) return 0;
  bool blank = (p[0] == 0xE1 && p[1] == 0x9A && p[2] == 0x80)                    // U+1680
               || (p[0] == 0xE2 && p[1] == 0x80 && p[2] >= 0x80 && p[2] <= 0x8A)  // U+2000 to U+200A
               || (p[0] == 0xE2 && p[1] == 0x80 && p[2] == 0xAF)                  // U+202F
               || (p[0] == 0xE2 && p[1] == 0x81 && p[2] == 0x9F)                  // U+205F
               || (p[0] == 0xE3 && p[1] == 0x80 && p[2] == 0x80);                 // U+3000
  return blank ? 3 : 0;
}

static void add_without_blanks(on_buf *out, on_str form) {
  size_t from = 0;
  for (size_t at = 0; at < form.n;) {
    size_t blank = blank_length(on_str_sub(form, at, form.n));
    if (blank) {
      on_buf_add(out, form.p + from, at - from);
      from = at + blank;
    }
    at += blank ? blank : 1;
  }
  on_buf_add(out, form.p + from, form.n - from);
}

static int64_t line_of_range(const on_conllu_sentence *sentence, const on_conllu_range *range) {
  return on_conllu_word_line(sentence, range->first - 1) - 1;
}

int64_t on_ud_line_at(const on_ud_file *file, size_t offset) {
  if (file->sentence_count == 0) return 1;
  size_t at = 0;
  while (at + 1 < file->sentence_count && file->sentences[at].end <= offset) at++;
  const on_conllu_sentence *sentence = file->source[at];
  size_t first = 0;
  for (size_t i = 0; i < at; i++) first += file->source[i]->word_count;
  size_t word = 0;
  while (word + 1 < sentence->word_count && file->words[first + word].extent.end <= offset) word++;
  for (size_t i = 0; i < sentence->range_count; i++) {
    const on_conllu_range *range = &sentence->ranges[i];
    if (range->first <= word + 1 && word + 1 <= range->last) return line_of_range(sentence, range);
  }
  return on_conllu_word_line(sentence, word);
}

static bool count_all(on_ud_file *file, const on_conllu_sentence *const *sentences, size_t count, on_error *error) {
  uint64_t words = 0, tokens = 0;
  for (size_t i = 0; i < count; i++) {
    words += sentences[i]->word_count;
    tokens += sentences[i]->word_count + sentences[i]->range_count;
    if (tokens >= ON_UD_NONE) {
      return on_fail(error, ON_LIMIT, sentences[i]->line, "%s line %lld: more than %lu words", file->name,
                     (long long)sentences[i]->line, (unsigned long)ON_UD_NONE - 1);
    }
  }
  file->sentences = ON_NEW(&file->arena, on_ud_extent, count);
  file->words = ON_NEW0(&file->arena, on_ud_word, (size_t)words);
  file->tokens = ON_NEW(&file->arena, on_ud_extent, (size_t)tokens);
  return !file->arena.failed || on_fail_memory(error);
}

static bool add_token(on_ud_file *file, on_str form) {
  size_t start = file->characters.n;
  if (form.p) add_without_blanks(&file->characters, form);
  file->tokens[file->token_count++] = (on_ud_extent){start, file->characters.n};
  return !file->characters.failed;
}

static bool add_word(on_ud_file *file, const on_conllu_word *columns, bool in_range, on_ud_features *features,
                     on_error *error) {
  on_ud_word *word = &file->words[file->word_count++];
  word->columns = columns;
  word->extent = file->tokens[file->token_count - 1];
  word->in_range = in_range;
  word->deprel = before(as_written(columns->deprel), ':');
  word->is_content = is_one_of(word->deprel, content_relations);
  word->is_function = is_one_of(word->deprel, function_relations);
  word->parent = word->first_function = word->next_function = ON_UD_NONE;
  if (!number_of_features(features, as_written(columns->feats), &word->features)) return on_fail_memory(error);
  file->has[ON_UD_LEMMA] |= columns->lemma.p != NULL;
  file->has[ON_UD_UPOS] |= columns->upos.p != NULL;
  file->has[ON_UD_XPOS] |= columns->xpos.p != NULL;
  file->has[ON_UD_FEATS] |= columns->feats.p != NULL;
  file->has[ON_UD_HEAD] |= columns->head >= 0;
  file->has[ON_UD_DEPREL] |= columns->deprel.p != NULL;
  return true;
}

static bool add_sentence(on_ud_file *file, const on_conllu_sentence *sentence, on_ud_features *features,
                         on_error *error) {
  size_t next_range = 0;
  for (size_t i = 0; i < sentence->word_count;) {
    size_t end = i + 1;
    on_str form = sentence->words[i].form;
    const on_conllu_range *range = NULL;
    bool in_range = next_range < sentence->range_count && sentence->ranges[next_range].first <= i + 1;
    if (in_range) {
      range = &sentence->ranges[next_range++];
      if (range->first != i + 1 || range->last < range->first || range->last > sentence->word_count) {
        int64_t line = line_of_range(sentence, range);
        return on_fail(error, ON_DATA_FORMAT, line,
                       "%s line %lld: range %lu-%lu does not fit its sentence of %lu words", file->name,
                       (long long)line, (unsigned long)range->first, (unsigned long)range->last,
                       (unsigned long)sentence->word_count);
      }
      end = range->last;
      form = range->form;
    }
    if (!add_token(file, form)) return on_fail_memory(error);
    const on_ud_extent *token = &file->tokens[file->token_count - 1];
    if (token->start == token->end) {
      int64_t line = range ? line_of_range(sentence, range) : on_conllu_word_line(sentence, i);
      return on_fail(error, ON_DATA_FORMAT, line, "%s line %lld: FORM holds nothing but blanks", file->name,
                     (long long)line);
    }
    for (; i < end; i++) {
      if (!add_word(file, &sentence->words[i], in_range, features, error)) return false;
    }
  }
  return true;
}

bool on_ud_load(on_ud_file *file, const char *name, const on_conllu_sentence *const *sentences, size_t count,
                on_ud_features *features, on_error *error) {
  file->name = name;
  file->source = sentences;
  if (!count_all(file, sentences, count, error)) return false;
  for (size_t i = 0; i < count; i++) {
    size_t start = file->characters.n;
    if (!add_sentence(file, sentences[i], features, error)) return false;
    file->sentences[file->sentence_count++] = (on_ud_extent){start, file->characters.n};
  }
  return true;
}

void on_ud_free(on_ud_file *file) {
  on_buf_free(&file->characters);
  on_arena_free(&file->arena);
}

static bool check_heads(const on_ud_file *file, const on_conllu_sentence *sentence, on_error *error) {
  size_t root = sentence->word_count;
  for (size_t i = 0; i < sentence->word_count; i++) {
    int32_t head = sentence->words[i].head;
    const char *wrong = head < 0                                      ? "HEAD is not set, though other words have one"
                        : (uint32_t)head > sentence->word_count       ? "HEAD lies outside the sentence"
                        : head == 0 && root < sentence->word_count    ? "a second root in the sentence"
                                                                      : NULL;
    if (wrong) {
      int64_t line = on_conllu_word_line(sentence, i);
      return on_fail(error, ON_DATA_FORMAT, line, "%s line %lld: %s", file->name, (long long)line, wrong);
    }
    if (head == 0) root = i;
  }
  return true;
}

// Walks up from every word until a word that was seen; one seen on the same walk closes a cycle. Without
// cycles there is a root, so a missing root needs no test of its own.
static bool check_cycles(const on_ud_file *file, const on_conllu_sentence *sentence, uint32_t *seen, on_error *error) {
  memset(seen, 0, sentence->word_count * sizeof *seen);
  for (size_t i = 0; i < sentence->word_count; i++) {
    size_t at = i;
    while (!seen[at]) {
      seen[at] = (uint32_t)i + 1;
      if (sentence->words[at].head == 0) break;
      at = (size_t)sentence->words[at].head - 1;
      if (seen[at] == i + 1) {
        int64_t line = on_conllu_word_line(sentence, at);
        return on_fail(error, ON_DATA_FORMAT, line, "%s line %lld: the heads form a cycle through word %lu", file->name,
                       (long long)line, (unsigned long)at + 1);
      }
    }
  }
  return true;
}

bool on_ud_link(on_ud_file *file, on_error *error) {
  size_t longest = 0;
  for (size_t i = 0; i < file->sentence_count; i++) {
    if (file->source[i]->word_count > longest) longest = file->source[i]->word_count;
  }
  uint32_t *seen = ON_NEW(&file->arena, uint32_t, longest);
  if (!seen) return on_fail_memory(error);
  size_t first = 0;
  for (size_t i = 0; i < file->sentence_count; i++) {
    const on_conllu_sentence *sentence = file->source[i];
    if (!check_heads(file, sentence, error) || !check_cycles(file, sentence, seen, error)) return false;
    on_ud_word *words = file->words + first;
    for (size_t w = sentence->word_count; w-- > 0;) {
      int32_t head = sentence->words[w].head;
      if (head == 0) continue;
      words[w].parent = (uint32_t)(first + (size_t)head - 1);
      if (words[w].is_function) {
        words[w].next_function = words[head - 1].first_function;
        words[head - 1].first_function = (uint32_t)(first + w);
      }
    }
    first += sentence->word_count;
  }
  return true;
}

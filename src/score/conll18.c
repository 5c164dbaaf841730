#include "score/score.h"

#include "base/alloc.h"
#include "score/ud_align.h"

// What the correct ones of the pairs of aligned words are counted from.
typedef struct comparison {
  const on_ud_file *gold, *system;
  const uint32_t *gold_of;  // per system word, see on_ud_align
} comparison;

static bool same(on_str a, on_str b) {
  if (!a.p) a = ON_STR("_");
  if (!b.p) b = ON_STR("_");
  return on_str_eq(a, b);
}

static bool same_upos(const on_ud_word *g, const on_ud_word *s) { return same(g->columns->upos, s->columns->upos); }
static bool same_xpos(const on_ud_word *g, const on_ud_word *s) { return same(g->columns->xpos, s->columns->xpos); }
static bool same_features(const on_ud_word *g, const on_ud_word *s) { return g->features == s->features; }
static bool same_deprel(const on_ud_word *g, const on_ud_word *s) { return on_str_eq(g->deprel, s->deprel); }

static bool same_lemma(const on_ud_word *g, const on_ud_word *s) {
  return !g->columns->lemma.p || same(g->columns->lemma, s->columns->lemma);
}

// Both are roots, or their parents are aligned with each other.
static bool same_parent(const comparison *c, const on_ud_word *g, const on_ud_word *s) {
  if (g->parent == ON_UD_NONE || s->parent == ON_UD_NONE) return g->parent == s->parent;
  return c->gold_of[s->parent] == g->parent;
}

// The function words in order: aligned with each other and alike in relation, UPOS and features.
static bool same_function_words(const comparison *c, const on_ud_word *g, const on_ud_word *s) {
  uint32_t i = g->first_function, j = s->first_function;
  while (i != ON_UD_NONE && j != ON_UD_NONE) {
    const on_ud_word *x = &c->gold->words[i], *y = &c->system->words[j];
    if (c->gold_of[j] != i || !same_deprel(x, y) || !same_upos(x, y) || !same_features(x, y)) return false;
    i = x->next_function;
    j = y->next_function;
  }
  return i == j;
}

// Extents that both files have. Starts rise in both, so one walk finds them.
static on_score score_extents(const on_ud_extent *gold, size_t gold_count, const on_ud_extent *system,
                              size_t system_count) {
  on_score score = {.present = true, .gold = gold_count, .system = system_count};
  for (size_t g = 0, s = 0; g < gold_count && s < system_count;) {
    if (gold[g].start == system[s].start) {
      score.correct += gold[g++].end == system[s++].end;
    } else if (gold[g].start < system[s].start) {
      g++;
    } else {
      s++;
    }
  }
  return score;
}

// For each metric over words, the totals, which the pairs are then counted into.
static void count_words(const comparison *c, on_score *metrics) {
  uint64_t gold_content = 0, system_content = 0;
  for (size_t i = 0; i < c->gold->word_count; i++) gold_content += c->gold->words[i].is_content;
  for (size_t i = 0; i < c->system->word_count; i++) system_content += c->system->words[i].is_content;
  for (int m = ON_WORDS; m < ON_METRICS; m++) {
    bool content = m >= ON_CLAS;
    metrics[m].on_aligned = m != ON_WORDS;
    metrics[m].gold = content ? gold_content : c->gold->word_count;
    metrics[m].system = content ? system_content : c->system->word_count;
  }
}

static void count_pair(const comparison *c, const on_ud_word *g, const on_ud_word *s, on_score *metrics) {
  bool upos = same_upos(g, s), xpos = same_xpos(g, s), features = same_features(g, s), lemma = same_lemma(g, s);
  bool head = same_parent(c, g, s), relation = head && same_deprel(g, s);
  metrics[ON_WORDS].correct++;
  metrics[ON_UPOS].correct += upos;
  metrics[ON_XPOS].correct += xpos;
  metrics[ON_UFEATS].correct += features;
  metrics[ON_ALLTAGS].correct += upos && xpos && features;
  metrics[ON_LEMMAS].correct += lemma;
  metrics[ON_UAS].correct += head;
  metrics[ON_LAS].correct += relation;
  for (int m = ON_UPOS; m < ON_METRICS; m++) metrics[m].aligned += m < ON_CLAS || g->is_content;
  if (!g->is_content) return;
  metrics[ON_CLAS].correct += relation;
  metrics[ON_MLAS].correct += relation && upos && features && same_function_words(c, g, s);
  metrics[ON_BLEX].correct += relation && lemma;
}

// A tag that only one file has cannot be compared; one that neither has agrees everywhere.
static bool comparable(const on_ud_file *gold, const on_ud_file *system, const on_ud_column *columns, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    if (gold->has[columns[i]] != system->has[columns[i]]) return false;
    any |= gold->has[columns[i]];
  }
  return any;
}

static void set_present(const on_ud_file *gold, const on_ud_file *system, on_score *metrics) {
  static const on_ud_column tags[] = {ON_UD_UPOS, ON_UD_FEATS, ON_UD_XPOS};
  bool has[ON_UD_COLUMNS];
  for (int i = 0; i < ON_UD_COLUMNS; i++) has[i] = gold->has[i] && system->has[i];
  bool tree = has[ON_UD_HEAD] && has[ON_UD_DEPREL];
  metrics[ON_WORDS].present = true;
  metrics[ON_UPOS].present = has[ON_UD_UPOS];
  metrics[ON_XPOS].present = has[ON_UD_XPOS];
  metrics[ON_UFEATS].present = has[ON_UD_FEATS];
  metrics[ON_ALLTAGS].present = comparable(gold, system, tags, 3);
  metrics[ON_LEMMAS].present = has[ON_UD_LEMMA];
  metrics[ON_UAS].present = has[ON_UD_HEAD];
  metrics[ON_LAS].present = metrics[ON_CLAS].present = tree;
  metrics[ON_MLAS].present = tree && comparable(gold, system, tags, 2);
  metrics[ON_BLEX].present = tree && has[ON_UD_LEMMA];
  for (int m = ON_WORDS; m < ON_METRICS; m++) {
    if (!metrics[m].present) metrics[m] = (on_score){.on_aligned = metrics[m].on_aligned};
  }
}

static bool is_inside_character(on_str s, size_t at) {
  return at < s.n && ((unsigned char)s.p[at] & 0xC0) == 0x80;
}

// At most 20 characters.
static on_str context(on_str s, size_t at) {
  size_t end = at;
  for (int n = 0; n < 20 && end < s.n; n++) {
    do end++;
    while (is_inside_character(s, end));
  }
  return on_str_sub(s, at, end);
}

static bool check_characters(const on_ud_file *gold, const on_ud_file *system, on_error *error) {
  on_str g = on_buf_view(&gold->characters), s = on_buf_view(&system->characters);
  if (on_str_eq(g, s)) return true;
  size_t at = 0;
  while (at < g.n && at < s.n && g.p[at] == s.p[at]) at++;
  while (at > 0 && (is_inside_character(g, at) || is_inside_character(s, at))) at--;
  on_str g_next = context(g, at), s_next = context(s, at);
  int64_t line = on_ud_line_at(gold, at);
  return on_fail(error, ON_DATA_FORMAT, line,
                 "gold line %lld: the texts differ (system line %lld): gold %s\"%.*s\", system %s\"%.*s\"",
                 (long long)line, (long long)on_ud_line_at(system, at), g_next.n ? "goes on with " : "ends: ",
                 ON_SHOW(g_next), s_next.n ? "goes on with " : "ends: ", ON_SHOW(s_next));
}

static bool compare(const on_ud_file *gold, const on_ud_file *system, on_conll18 *out, on_error *error) {
  uint32_t *gold_of = on_malloc((system->word_count ? system->word_count : 1) * sizeof *gold_of);
  if (!gold_of) return on_fail_memory(error);
  bool aligned = on_ud_align(gold, system, gold_of, error);
  if (aligned) {
    comparison c = {gold, system, gold_of};
    out->metrics[ON_TOKENS] = score_extents(gold->tokens, gold->token_count, system->tokens, system->token_count);
    out->metrics[ON_SENTENCES] =
        score_extents(gold->sentences, gold->sentence_count, system->sentences, system->sentence_count);
    count_words(&c, out->metrics);
    for (size_t i = 0; i < system->word_count; i++) {
      if (gold_of[i] != ON_UD_NONE) count_pair(&c, &gold->words[gold_of[i]], &system->words[i], out->metrics);
    }
    set_present(gold, system, out->metrics);
  }
  on_free(gold_of);
  return aligned;
}

bool on_conll18_evaluate(const on_conllu_sentence *const *gold, size_t gold_count,
                         const on_conllu_sentence *const *system, size_t system_count, on_conll18 *out,
                         on_error *error) {
  *out = (on_conll18){0};
  on_ud_features features = {0};
  on_ud_file g = {0}, s = {0};
  bool done = on_ud_load(&g, "gold", gold, gold_count, &features, error) &&
              on_ud_load(&s, "system", system, system_count, &features, error) && check_characters(&g, &s, error);
  if (done && g.has[ON_UD_HEAD] && s.has[ON_UD_HEAD]) done = on_ud_link(&g, error) && on_ud_link(&s, error);
  done = done && compare(&g, &s, out, error);
  on_ud_free(&g);
  on_ud_free(&s);
  on_ud_features_free(&features);
  return done;
}

#include "train/choose.h"

#include <math.h>
#include <stdio.h>

#include "pipeline/tokenizer.h"
#include "pipeline/tokenize_doc.h"
#include "segment/mwt.h"
#include "text/chars.h"
#include "text/utf.h"
#include "tokenize/segmentation.h"

typedef struct facts {
  uint64_t words;
  uint64_t touching, letters_touch;  // pairs of tokens of letters side by side; those without white space between
  uint64_t blanks;                   // words with white space inside
  uint64_t letter_words, letters;    // words of letters, and the characters in them
  uint32_t characters;               // that differ
  uint32_t seen[0x10000 / 32];       // the characters, as a set; those beyond the BMP count as their surrogates
  bool xpos, feats, lemmas, trees, entities;
} facts;

// What the facts make of the settings.
typedef struct settings {
  bool segmenter, mwt, turkic;
  bool words;  // the segmenter has lists of words
  const on_segmentation *data;
  double f1, mwt_f1;  // of the dev set's words, found by the best set alone, or at best by mwt
  uint32_t rows, char_rows;
  bool short_words;
  uint32_t epochs, batch;
  double word_dropout;
} settings;

static bool is_letters(on_str16 text) {
  for (size_t i = 0; i < text.n;) {
    uint32_t c = on_utf16_next(text, &i);
    if (!on_is_letter(c) && !on_is_mark(c)) return false;
  }
  return text.n > 0;
}

static bool has_space(on_str16 text) {
  for (size_t i = 0; i < text.n; i++) {
    if (on_is_space(text.p[i])) return true;
  }
  return false;
}

static bool has_values(const on_str *column, const on_str *other, size_t n) {
  size_t own = 0;
  for (size_t i = 0; column && i < n; i++) own += column[i].p && !(other && on_str_eq(column[i], other[i]));
  return own * 10 > n;
}

static bool pieces_of_surface(const on_doc *doc, const on_mwt *range) {
  for (size_t k = range->first; k < range->first + range->count; k++) {
    if (doc->form && doc->form[k].p) return false;
    if (k > range->first && doc->source_start[k] != doc->source_end[k - 1]) return false;
  }
  return true;
}

static void count_letters(facts *f, on_str16 word) {
  if (is_letters(word)) {
    f->letter_words++;
    f->letters += word.n;
  }
  for (size_t i = 0; i < word.n; i++) {
    uint32_t bit = 1u << (word.p[i] & 31);
    f->characters += !(f->seen[word.p[i] >> 5] & bit);
    f->seen[word.p[i] >> 5] |= bit;
  }
}

static void count_doc(facts *f, const on_doc *doc) {
  f->words += doc->n;
  for (size_t i = 0; i < doc->n; i++) {
    on_str16 word = on_str16_sub(doc->source, doc->source_start[i], doc->source_end[i]);
    f->blanks += has_space(word);
    count_letters(f, word);
    bool side = i > 0 && doc->source_start[i] >= doc->source_end[i - 1] && is_letters(word) &&
                is_letters(on_str16_sub(doc->source, doc->source_start[i - 1], doc->source_end[i - 1]));
    bool same = side && doc->mwt_count > 0;
    for (size_t r = 0; same && r < doc->mwt_count; r++) {
      const on_mwt *range = &doc->mwts[r];
      if (i > range->first && i < range->first + range->count) side = false;
    }
    f->touching += side;
    f->letters_touch += side && doc->source_start[i] == doc->source_end[i - 1];
  }
  f->xpos = f->xpos || has_values(doc->tag, doc->pos, doc->n);
  f->feats = f->feats || has_values(doc->morph, NULL, doc->n);
  f->lemmas = f->lemmas || has_values(doc->lemma, NULL, doc->n);
  f->trees = f->trees || doc->dep != NULL;
  f->entities = f->entities || doc->ent_count > 0;
}

// Words of a Doc by their place, and their forms where they have their own.
static uint64_t same_words(const on_doc *gold, const on_doc *system) {
  uint64_t same = 0;
  for (size_t i = 0, k = 0; i < gold->n && k < system->n;) {
    uint32_t a = gold->source_start[i], b = system->source_start[k];
    uint32_t a_end = gold->source_end[i], b_end = system->source_end[k];
    on_str own = gold->form ? gold->form[i] : ON_STR_NONE, other = system->form ? system->form[k] : ON_STR_NONE;
    same += a == b && a_end == b_end && on_str_eq(own, other);
    bool forward = a < b || (a == b && a_end <= b_end), back = b < a || (a == b && b_end <= a_end);
    i += forward;
    k += back;
  }
  return same;
}

// Words that mwt could make of surface tokens that the system leaves one word; *tokens is how many tokens these are.
static uint64_t could_divide(const on_doc *gold, const on_doc *system, uint64_t *tokens) {
  uint64_t words = 0;
  *tokens = 0;
  for (size_t r = 0, k = 0; r < gold->mwt_count; r++) {
    const on_mwt *range = &gold->mwts[r];
    on_str16 surface = on_str16_sub(gold->source, range->source_start, range->source_end);
    if (range->count < 2 || !on_mwt_takes(surface) || !pieces_of_surface(gold, range)) continue;
    while (k < system->n && system->source_start[k] < range->source_start) k++;
    bool whole = k < system->n && system->source_start[k] == range->source_start &&
                 system->source_end[k] == range->source_end && !(system->form && system->form[k].p);
    if (!whole) continue;
    words += range->count;
    ++*tokens;
  }
  return words;
}

// F1 of the words that the data set finds: alone, and at best with mwt over it.
typedef struct found {
  double alone, with_mwt;
} found;

static bool score(const on_segmentation *data, const on_corpus *dev, found *f1, on_error *error) {
  on_doc gold, system;
  on_arena arena = {0};
  uint64_t same = 0, all = 0, divided = 0, divided_tokens = 0;
  bool ok = true;
  on_doc_init(&gold);
  on_doc_init(&system);
  for (size_t i = 0; ok && i < dev->count; i++) {
    on_pieces pieces;
    on_arena_reset(&arena);
    on_doc_reset(&system);
    ok = on_corpus_doc(dev, i, i + 1, &gold, error) &&
         on_tokenize_uax(&arena, data, NULL, gold.source, gold.unit_start, gold.unit_end, &pieces, error) &&
         on_doc_from_pieces(&system, gold.source, gold.unit_start, gold.unit_end, pieces.list, pieces.n, error);
    if (!ok) break;
    uint64_t tokens;
    same += same_words(&gold, &system);
    all += gold.n + system.n;
    divided += could_divide(&gold, &system, &tokens);
    divided_tokens += tokens;
  }
  f1->alone = all ? 200.0 * (double)same / (double)all : 0;
  f1->with_mwt = all ? 200.0 * (double)(same + divided) / (double)(all + divided - divided_tokens) : 0;
  on_doc_free(&system);
  on_doc_free(&gold);
  on_arena_free(&arena);
  return ok;
}

typedef struct candidate {
  const on_segmentation *data;
  double f1;
} candidate;

static void consider(candidate *best, const on_segmentation *data, double f1, double margin) {
  if (best->data && f1 <= best->f1 + margin) return;
  best->data = data;
  best->f1 = f1;
}

// The data set that finds the most of the dev set's words; those of the language win a tie. With mwt, if that could
// find more.
static bool choose_data(settings *c, const on_choice *choice, const on_corpus *dev, on_error *error) {
  const on_segmentation *own = choice->language.p ? on_segmentation_for_language(choice->language) : NULL;
  double margin = own ? 0.1 : 0;
  candidate alone = {NULL, 0}, with_mwt = {NULL, 0};
  found f1;
  if (!own) own = on_segmentation_find(ON_STR("neutral"));
  if (!score(own, dev, &f1, error)) return false;
  consider(&alone, own, f1.alone, 0);
  consider(&with_mwt, own, f1.with_mwt, 0);
  for (size_t i = 0; on_segmentation_at(i); i++) {
    if (!score(on_segmentation_at(i), dev, &f1, error)) return false;
    consider(&alone, on_segmentation_at(i), f1.alone, margin);
    consider(&with_mwt, on_segmentation_at(i), f1.with_mwt, margin);
  }
  c->mwt = !c->segmenter && with_mwt.f1 > alone.f1 + 0.3;
  c->data = c->mwt ? with_mwt.data : alone.data;
  c->f1 = alone.f1;
  c->mwt_f1 = with_mwt.f1;
  return true;
}

static uint32_t clamp(double value, double low, double high) {
  return (uint32_t)lrint(value < low ? low : value > high ? high : value);
}

// The next power of two, so that recipes look alike.
static uint32_t rows_for(double wanted, uint32_t low, uint32_t high) {
  uint32_t rows = low;
  while (rows < high && rows < wanted) rows *= 2;
  return rows;
}

static void write_tokenizer(on_buf *out, const settings *c) {
  if (c->segmenter) {
    on_buf_str(out, ON_STR("{\"kind\": \"segmenter\", \"encoder\": 0}"));
    return;
  }
  if (c->mwt) on_buf_str(out, ON_STR("{\"kind\": \"mwt\", \"inner\": "));
  on_buf_str(out, ON_STR("{\"kind\": \"uax\", \"data\": "));
  on_json_write_string(out, on_segmentation_name(c->data));
  on_buf_str(out, c->mwt ? ON_STR("}, \"encoder\": 0}") : ON_STR("}"));
}

static void write_encoders(on_buf *out, const settings *c) {
  const char *turkic = c->turkic ? " \"turkicCase\": 1," : "";
  if (c->segmenter) {
    on_buf_format(out,
                  "      {\"kind\": \"fast\", \"settings\": {\n"
                  "        \"width\": 128, \"embedWidth\": 32, \"depth\": 1, \"seed\": 1,%s\n"
                  "        \"normRows\": %u, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 64,\n"
                  "        \"neighbourRows\": %u, \"contextRows\": %u, \"bigramRows\": 16384, "
                  "\"recurrentLayers\": 1, \"recurrentSize\": 112%s}},\n",
                  turkic, c->char_rows, c->char_rows, c->char_rows, c->words ? ", \"wordTokens\": 16" : "");
  }
  if (c->mwt) {
    on_buf_format(out,
                  "      {\"kind\": \"fast\", \"settings\": {\n"
                  "        \"width\": 64, \"embedWidth\": 32, \"depth\": 1, \"seed\": 1,%s\n"
                  "        \"normRows\": 1024, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 64,\n"
                  "        \"neighbourRows\": 1024, \"bigramRows\": 4096, "
                  "\"recurrentLayers\": 1, \"recurrentSize\": 64}},\n",
                  turkic);
  }
  // In words of a few characters a syllable is what an ending of three letters is elsewhere.
  uint32_t n = c->short_words ? 1 : 2;
  on_buf_format(out,
                "      {\"kind\": \"fast\", \"settings\": {\n"
                "        \"width\": 128, \"embedWidth\": 64, \"depth\": 1, \"seed\": 1,%s\n"
                "        \"normRows\": %u, \"prefixRows\": 2048, \"suffixRows\": 2048, \"shapeRows\": 512,\n"
                "        \"prefixLength\": %u, \"suffixLength\": %u, \"prefix2Length\": %u, \"prefix2Rows\": 1024,\n"
                "        \"suffix2Length\": %u, \"suffix2Rows\": 1024, \"suffix3Length\": %u, \"suffix3Rows\": 4096,\n"
                "        \"ngramRows\": 8192, \"ngramMin\": %u, \"ngramMax\": %u, \"recurrentLayers\": 2, "
                "\"recurrentSize\": 128}}\n",
                turkic, c->rows, n + 1, n + 1, n, n, n + 2, n + 1, n + 3);
}

static void write_component(on_buf *out, const char *name, const char *kind, int encoder, const char *config,
                            bool first) {
  on_buf_format(out, "%s      {\"name\": \"%s\", \"type\": \"head\", \"kind\": \"%s\", \"encoder\": %d%s}",
                first ? "" : ",\n", name, kind, encoder, config);
}

static void write_recipe(const on_choice *choice, const facts *f, on_str language, const settings *c, on_buf *out) {
  int encoder = c->segmenter || c->mwt;
  on_buf_str(out, ON_STR("{\n  \"pipeline\": {\n    \"language\": "));
  on_json_write_string(out, language);
  on_buf_str(out, ON_STR(",\n    \"tokenizer\": "));
  write_tokenizer(out, c);
  on_buf_str(out, ON_STR(",\n    \"encoders\": [\n"));
  write_encoders(out, c);
  on_buf_str(out, ON_STR("    ],\n    \"components\": [\n"));
  write_component(out, "senter", "senter", encoder, "", true);
  if (f->xpos) {
    write_component(out, "tagger", "tagger", encoder, ", \"config\": {\"column\": \"Tag\"}", false);
  }
  write_component(out, "morphologizer", "morphologizer", encoder, "", false);
  // Of many combinations with features none may be likely although their part of speech is.
  if (f->feats) write_component(out, "pos", "tagger", encoder, ", \"config\": {\"column\": \"Pos\"}", false);
  if (f->lemmas) {
    write_component(out, "lemmatizer", "lemmatizer", encoder,
                    c->turkic ? ", \"config\": {\"minCount\": 2, \"lexiconBelow\": 50, \"turkicCase\": 1}"
                              : ", \"config\": {\"minCount\": 2, \"lexiconBelow\": 50}", false);
  }
  if (f->trees) {
    write_component(out, "parser", "parser", encoder, ", \"config\": {\"arcWidth\": 128, \"labelWidth\": 48}",
                    false);
  }
  if (f->entities) write_component(out, "ner", "ner", encoder, "", false);
  on_buf_str(out, ON_STR("\n    ]\n  },\n  \"data\": {\n    \"train\": ["));
  on_json_write_string(out, choice->train);
  on_buf_char(out, ']');
  if (choice->dev.p) {
    on_buf_str(out, ON_STR(",\n    \"dev\": ["));
    on_json_write_string(out, choice->dev);
    on_buf_char(out, ']');
  }
  on_buf_str(out, ON_STR("\n  },\n  \"metadata\": {\"name\": "));
  on_json_write_string(out, choice->name.p ? choice->name : language);
  on_buf_str(out, ON_STR(", \"version\": \"0.1.0\"},\n"));
  on_buf_format(out,
                "  \"training\": {\n"
                "    \"store\": \"i8\", \"seed\": 1, \"epochs\": %u, \"evaluateFrom\": %u, \"batchWords\": %u,\n"
                "    \"learningRate\": 0.003, \"weightDecay\": 0.02, \"average\": 0.998, \"wordDropout\": %g,\n"
                "    \"inputDropout\": 0.08, \"encoderDropout\": 0.1, \"recurrentDropout\": 0.08, "
                "\"headDropout\": 0.2,\n"
                "    \"projectionDropout\": 0.1, \"labelSmoothing\": 0.03%s\n  }\n}\n",
                c->epochs, c->epochs - 2, c->batch, c->word_dropout,
                f->lemmas ? ", \"loss\": {\"lemmatizer\": 0.5}" : "");
}

static double percent(uint64_t part, uint64_t all) { return all ? 100.0 * (double)part / (double)all : 0; }

static void choose_settings(settings *c, const facts *f, on_str language) {
  c->turkic = on_str_eq(language, ON_STR("tr")) || on_str_eq(language, ON_STR("az"));
  c->rows = rows_for((double)f->words / 8, 4096, 8192);
  c->char_rows = rows_for(4.0 * f->characters, 1024, 4096);
  c->short_words = f->letters < 4 * f->letter_words;
  c->epochs = clamp(1.1e6 / (double)f->words, 8, 40);
  c->batch = f->words < 60000 ? 50 : 100;
  // the fewer words were seen, the more of a new text are unknown
  c->word_dropout = f->words < 60000 ? 0.2 : 0.12;
}

static bool explain(const on_choice *choice, const facts *f, const settings *c, on_buf *why) {
  if (c->segmenter) {
    on_buf_format(why,
                  "tokenizer: segmenter, since %.1f %% of the words have blanks in them and %.1f %% of neighbouring "
                  "words of letters stand together\n",
                  percent(f->blanks, f->words), percent(f->letters_touch, f->touching));
    on_buf_str(why, c->words ? ON_STR("word lists: the words of train of at most 16 characters, since words stand together\n")
                             : ON_STR("word lists: none, since blanks part the syllables of words\n"));
  } else {
    on_buf_format(why, "data set: %s%s; the best one alone finds the dev set's words with F1 %.2f\n", c->data->name,
                  c->mwt ? ", with mwt over it" : "", c->f1);
    on_buf_format(why, "tokenizer: %s, since mwt could raise that to %.2f\n", c->mwt ? "mwt" : "uax alone", c->mwt_f1);
  }
  on_buf_format(why, "components: senter%s, morphologizer%s%s%s%s\n", f->xpos ? ", tagger (XPOS)" : "",
                f->feats ? ", pos" : " (no FEATS there)", f->lemmas ? ", lemmatizer" : "", f->trees ? ", parser" : "",
                f->entities ? ", ner" : "");
  on_buf_format(why, "affixes: of %s characters, since words of letters have %.1f on average\n",
                c->short_words ? "1 to 3" : "2 to 4",
                f->letter_words ? (double)f->letters / (double)f->letter_words : 0);
  on_buf_format(why, "training: %llu words, so %u epochs of batches of %u words, of which %.0f %% are hidden\n",
                (unsigned long long)f->words, c->epochs, c->batch, 100 * c->word_dropout);
  if (!choice->dev.p) on_buf_str(why, ON_STR("dev set: a tenth of train, drawn by the seed, since there is none\n"));
  return !why->failed;
}

static bool count_all(facts *f, const on_corpus *train, on_error *error) {
  on_doc doc;
  on_doc_init(&doc);
  bool ok = true;
  for (size_t i = 0; ok && i < train->count; i++) {
    ok = on_corpus_doc(train, i, i + 1, &doc, error);
    if (ok) count_doc(f, &doc);
  }
  on_doc_free(&doc);
  return ok;
}

bool on_choose_recipe(const on_choice *choice, const on_corpus *train, const on_corpus *dev, on_buf *recipe,
                      on_buf *why, on_error *error) {
  if (train->count == 0 || dev->count == 0) return on_fail(error, ON_INVALID_DATA, -1, "no sentences to choose by");
  facts f = {0};
  settings c = {0};
  if (!count_all(&f, train, error)) return false;
  c.segmenter = percent(f.blanks, f.words) > 2 || percent(f.letters_touch, f.touching) > 20;
  c.words = c.segmenter && percent(f.blanks, f.words) <= 2;
  if (!choose_data(&c, choice, dev, error)) return false;
  on_str language = choice->language;
  if (!language.p) language = c.data->languages ? on_str_c(c.data->languages[0]) : ON_STR("und");
  choose_settings(&c, &f, language);
  write_recipe(choice, &f, language, &c, recipe);
  if (!explain(choice, &f, &c, why) || recipe->failed) return on_fail_memory(error);
  return true;
}

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
  uint64_t words, tokens;
  uint64_t touching, letters_touch;  // pairs of tokens of letters side by side; those without white space between
  uint64_t blanks;                   // words with white space inside
  uint64_t ranges, splits;           // multiword tokens; those that mwt could make
  uint64_t undecided;                // splits that the chosen data set does not make
  bool xpos, feats, lemmas, trees, entities;
} facts;

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

static void count_doc(facts *f, const on_doc *doc) {
  f->words += doc->n;
  f->tokens += doc->n;
  for (size_t r = 0; r < doc->mwt_count; r++) {
    const on_mwt *range = &doc->mwts[r];
    if (range->count < 2) continue;
    f->tokens -= range->count - 1;
    f->ranges++;
    on_str16 surface = on_str16_sub(doc->source, range->source_start, range->source_end);
    f->splits += on_mwt_takes(surface) && pieces_of_surface(doc, range);
  }
  for (size_t i = 0; i < doc->n; i++) {
    on_str16 word = on_str16_sub(doc->source, doc->source_start[i], doc->source_end[i]);
    f->blanks += has_space(word);
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

// Surface tokens that the data set leaves one word, and the treebank divides into pieces that mwt could make.
static bool count_undecided(facts *f, const on_segmentation *data, const on_doc *doc, on_error *error) {
  on_arena arena = {0};
  bool ok = true;
  for (size_t r = 0; ok && r < doc->mwt_count; r++) {
    const on_mwt *range = &doc->mwts[r];
    on_str16 surface = on_str16_sub(doc->source, range->source_start, range->source_end);
    if (range->count < 2 || !on_mwt_takes(surface) || !pieces_of_surface(doc, range)) continue;
    on_pieces pieces;
    on_arena_reset(&arena);
    ok = on_tokenize_uax(&arena, data, surface, 0, surface.n, &pieces, error);
    f->undecided += ok && pieces.n == 1 && !pieces.list[0].form.p;
  }
  on_arena_free(&arena);
  return ok;
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

static bool score(const on_segmentation *data, const on_corpus *dev, double *f1, on_error *error) {
  on_doc gold, system;
  on_arena arena = {0};
  uint64_t same = 0, all = 0;
  bool ok = true;
  on_doc_init(&gold);
  on_doc_init(&system);
  for (size_t i = 0; ok && i < dev->count; i++) {
    on_pieces pieces;
    on_arena_reset(&arena);
    on_doc_reset(&system);
    ok = on_corpus_doc(dev, i, i + 1, &gold, error) &&
         on_tokenize_uax(&arena, data, gold.source, gold.unit_start, gold.unit_end, &pieces, error) &&
         on_doc_from_pieces(&system, gold.source, gold.unit_start, gold.unit_end, pieces.list, pieces.n, error);
    if (!ok) break;
    same += same_words(&gold, &system);
    all += gold.n + system.n;
  }
  *f1 = all ? 200.0 * (double)same / (double)all : 0;
  on_doc_free(&system);
  on_doc_free(&gold);
  on_arena_free(&arena);
  return ok;
}

// The data set that finds the most of the dev set's words; those of the language win a tie.
static bool choose_data(const on_choice *choice, const on_corpus *dev, const on_segmentation **best, double *best_f1,
                        on_error *error) {
  const on_segmentation *own = choice->language.p ? on_segmentation_for_language(choice->language) : NULL;
  *best = own ? own : on_segmentation_find(ON_STR("neutral"));
  if (!score(*best, dev, best_f1, error)) return false;
  for (size_t i = 0; on_segmentation_at(i); i++) {
    double f1;
    if (!score(on_segmentation_at(i), dev, &f1, error)) return false;
    if (f1 <= *best_f1 + (own ? 0.1 : 0)) continue;
    *best = on_segmentation_at(i);
    *best_f1 = f1;
  }
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

static void write_tokenizer(on_buf *out, bool segmenter, bool mwt, const on_segmentation *data) {
  if (segmenter) {
    on_buf_str(out, ON_STR("{\"kind\": \"segmenter\", \"encoder\": 0}"));
    return;
  }
  if (mwt) on_buf_str(out, ON_STR("{\"kind\": \"mwt\", \"inner\": "));
  on_buf_str(out, ON_STR("{\"kind\": \"uax\", \"data\": "));
  on_json_write_string(out, on_segmentation_name(data));
  on_buf_str(out, mwt ? ON_STR("}, \"encoder\": 0}") : ON_STR("}"));
}

static void write_encoders(on_buf *out, const facts *f, bool segmenter, bool mwt, bool turkic) {
  if (segmenter || mwt) {
    on_buf_format(out,
                  "      {\"kind\": \"fast\", \"settings\": {\n"
                  "        \"width\": %u, \"embedWidth\": 32, \"depth\": 1, \"seed\": 1,\n"
                  "        \"normRows\": 4096, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 256,\n"
                  "        \"neighbourRows\": %u, \"bigramRows\": %u, \"recurrentLayers\": 1, \"recurrentSize\": 64}},\n",
                  segmenter ? 96 : 64, segmenter ? 4096 : 1024, segmenter ? 16384 : 4096);
  }
  uint32_t rows = rows_for((double)f->words / 8, 4096, 8192);
  on_buf_format(out,
                "      {\"kind\": \"fast\", \"settings\": {\n"
                "        \"width\": 128, \"embedWidth\": 48, \"depth\": 1, \"seed\": 1,%s\n"
                "        \"normRows\": %u, \"prefixRows\": 2048, \"suffixRows\": 2048, \"shapeRows\": 512,\n"
                "        \"prefixLength\": 3, \"suffixLength\": 3, \"suffix2Length\": 2, \"suffix2Rows\": 1024,\n"
                "        \"suffix3Length\": 4, \"suffix3Rows\": 4096,\n"
                "        \"recurrentLayers\": 2, \"recurrentSize\": 128}}\n",
                turkic ? " \"turkicCase\": 1," : "", rows);
}

static void write_component(on_buf *out, const char *name, int encoder, const char *config, bool first) {
  on_buf_format(out, "%s      {\"name\": \"%s\", \"type\": \"head\", \"kind\": \"%s\", \"encoder\": %d%s}", first ? "" : ",\n",
                name, name, encoder, config);
}

static void write_recipe(const on_choice *choice, const facts *f, on_str language, bool segmenter, bool mwt,
                         const on_segmentation *data, uint32_t epochs, uint32_t batch, on_buf *out) {
  bool turkic = on_str_eq(language, ON_STR("tr")) || on_str_eq(language, ON_STR("az"));
  int encoder = segmenter || mwt;
  on_buf_str(out, ON_STR("{\n  \"pipeline\": {\n    \"language\": "));
  on_json_write_string(out, language);
  on_buf_str(out, ON_STR(",\n    \"tokenizer\": "));
  write_tokenizer(out, segmenter, mwt, data);
  on_buf_str(out, ON_STR(",\n    \"encoders\": [\n"));
  write_encoders(out, f, segmenter, mwt, turkic);
  on_buf_str(out, ON_STR("    ],\n    \"components\": [\n"));
  write_component(out, "senter", encoder, "", true);
  if (f->xpos) write_component(out, "tagger", encoder, ", \"config\": {\"column\": \"Tag\"}", false);
  write_component(out, "morphologizer", encoder, "", false);
  if (f->lemmas) write_component(out, "lemmatizer", encoder, "", false);
  if (f->trees) {
    write_component(out, "parser", encoder, ", \"config\": {\"arcWidth\": 128, \"labelWidth\": 48}", false);
  }
  if (f->entities) write_component(out, "ner", encoder, "", false);
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
                "    \"store\": \"i8\", \"seed\": 1, \"epochs\": %u, \"batchWords\": %u, \"learningRate\": 0.003, \"weightDecay\": 0.02,\n"
                "    \"wordDropout\": 0.12, \"inputDropout\": 0.1, \"encoderDropout\": 0.12, \"recurrentDropout\": 0.1,\n"
                "    \"headDropout\": 0.3, \"evaluateFrom\": %u%s\n  }\n}\n",
                epochs, batch, epochs / 2, f->lemmas ? ", \"loss\": {\"lemmatizer\": 0.5}" : "");
}

static double percent(uint64_t part, uint64_t all) { return all ? 100.0 * (double)part / (double)all : 0; }

static bool explain(const on_choice *choice, const facts *f, bool segmenter, bool mwt, const on_segmentation *data,
                    double f1, uint32_t epochs, uint32_t batch, on_buf *why) {
  if (segmenter) {
    on_buf_format(why,
                  "tokenizer: segmenter, since %.1f %% of the words have blanks in them and %.1f %% of neighbouring words "
                  "of letters stand together\n", percent(f->blanks, f->words), percent(f->letters_touch, f->touching));
  } else {
    on_buf_format(why, "data set: %s, which finds the dev set's words with F1 %.2f\n", data->name, f1);
    if (mwt) {
      on_buf_format(why, "tokenizer: mwt over it, since %.2f %% of the tokens are several words that it leaves one\n",
                    percent(f->undecided, f->tokens));
    } else {
      on_buf_format(why, "tokenizer: uax alone, since only %.2f %% of the tokens are several words that it leaves one\n",
                    percent(f->undecided, f->tokens));
    }
  }
  on_buf_format(why, "components: senter%s, morphologizer%s%s%s%s\n", f->xpos ? ", tagger (XPOS)" : "",
                f->feats ? "" : " (no FEATS there)", f->lemmas ? ", lemmatizer" : "", f->trees ? ", parser" : "",
                f->entities ? ", ner" : "");
  on_buf_format(why, "training: %llu words, so %u epochs of batches of %u words\n", (unsigned long long)f->words, epochs,
                batch);
  if (!choice->dev.p) on_buf_str(why, ON_STR("dev set: a tenth of train, drawn by the seed, since there is none\n"));
  return !why->failed;
}

bool on_choose_recipe(const on_choice *choice, const on_corpus *train, const on_corpus *dev, on_buf *recipe,
                      on_buf *why, on_error *error) {
  if (train->count == 0 || dev->count == 0) return on_fail(error, ON_INVALID_DATA, -1, "no sentences to choose by");
  facts f = {0};
  on_doc doc;
  on_doc_init(&doc);
  bool ok = true;
  for (size_t i = 0; ok && i < train->count; i++) {
    ok = on_corpus_doc(train, i, i + 1, &doc, error);
    if (ok) count_doc(&f, &doc);
  }
  const on_segmentation *data = NULL;
  double f1 = 0;
  bool segmenter = percent(f.blanks, f.words) > 2 || percent(f.letters_touch, f.touching) > 20;
  ok = ok && choose_data(choice, dev, &data, &f1, error);
  for (size_t i = 0; ok && i < train->count; i++) {
    ok = on_corpus_doc(train, i, i + 1, &doc, error) && count_undecided(&f, data, &doc, error);
  }
  on_doc_free(&doc);
  if (!ok) return false;
  bool mwt = !segmenter && percent(f.undecided, f.tokens) > 0.3;
  on_str language = choice->language;
  if (!language.p) language = data->languages ? on_str_c(data->languages[0]) : ON_STR("und");
  uint32_t epochs = clamp(1.6e6 / (double)f.words, 8, 40), batch = f.words < 60000 ? 200 : 300;
  write_recipe(choice, &f, language, segmenter, mwt, data, epochs, batch, recipe);
  if (!explain(choice, &f, segmenter, mwt, data, f1, epochs, batch, why) || recipe->failed) return on_fail_memory(error);
  return true;
}

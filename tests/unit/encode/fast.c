// The fast encoder: its settings, its rows, and its output against a plain computation in double precision.
#include "encode/fast.h"

#include <math.h>

#include "base/alloc.h"
#include "base/random.h"
#include "encode/attributes.h"
#include "test.h"
#include "text/utf.h"

typedef struct fixture {
  on_arena arena;
  on_json *json;
  on_encoder encoder;
} fixture;

static bool create(fixture *f, const char *settings, on_error *error) {
  *f = (fixture){0};
  f->json = on_json_parse(on_str_c(settings), 8, error);
  if (!f->json) fail_msg("%s", error->text);
  f->encoder.kind = &on_fast_kind;
  return on_fast_kind.create(&f->encoder, &f->arena, f->json, "encoders[0].settings", error);
}

static void destroy(fixture *f) {
  on_json_free(f->json);
  on_free(f->encoder.params.list);
  on_arena_free(&f->arena);
}

static void fill(fixture *f, uint64_t seed) {
  on_random random;
  on_random_seed(&random, seed);
  for (size_t i = 0; i < f->encoder.params.n; i++) {
    on_param *p = f->encoder.params.list[i];
    size_t n = on_param_count(p);
    float *w = ON_NEW(&f->arena, float, n);
    for (size_t k = 0; k < n; k++) w[k] = 0.3f * on_random_normal(&random);
    p->data = (const uint8_t *)w;
  }
}

// Tokens split at blanks.
static void make_doc(on_doc *doc, const char *text) {
  on_doc_init(doc);
  assert_true(on_utf16_from_utf8(&doc->arena, on_str_c(text), &doc->text, NULL));
  size_t n = 0;
  uint32_t start[64], end[64];
  for (size_t i = 0; i < doc->text.n;) {
    while (i < doc->text.n && doc->text.p[i] == ' ') i++;
    start[n] = (uint32_t)i;
    while (i < doc->text.n && doc->text.p[i] != ' ') i++;
    end[n++] = (uint32_t)i;
  }
  assert_true(on_doc_set_tokens(doc, n));
  memcpy(doc->start, start, n * sizeof *start);
  memcpy(doc->end, end, n * sizeof *end);
}

#define BASE "\"width\": 8, \"depth\": 1, \"normRows\": 50, \"prefixRows\": 20, \"suffixRows\": 20, \"shapeRows\": 10, \"seed\": 5"

static void declares(void **state) {
  (void)state;
  static const char *const names[] = {
      "embed_norm.weight",        "embed_prefix.weight",      "embed_suffix.weight",      "embed_shape.weight",
      "embed_cased.weight",       "embed_prev_norm.weight",   "embed_next_norm.weight",   "embed_prev_suffix.weight",
      "embed_next_suffix.weight", "embed_prev2_norm.weight",  "embed_next2_norm.weight",  "embed_prev_shape.weight",
      "embed_next_shape.weight",  "embed_bigram_prev.weight", "embed_bigram_next.weight", "mix.weight",
      "mix.bias",                 "mix_norm.weight",          "mix_norm.bias",            "window0.weight",
      "window0.bias",             "window_norm0.weight",      "window_norm0.bias",        "lstm.weight_ih_l0",
      "lstm.weight_hh_l0",        "lstm.bias_l0",             "lstm.weight_ih_l0_reverse", "lstm.weight_hh_l0_reverse",
      "lstm.bias_l0_reverse",     "lstm_out.weight",          "lstm_out.bias",
  };
  fixture f;
  on_error error;
  assert_true(create(&f, "{" BASE ", \"casedRows\": 9, \"neighbourRows\": 8, \"contextRows\": 7, \"bigramRows\": 6,"
                         " \"embedWidth\": 16, \"recurrentLayers\": 1, \"recurrentSize\": 3}", &error));
  assert_int_equal(f.encoder.params.n, sizeof names / sizeof *names);
  for (size_t i = 0; i < f.encoder.params.n; i++) assert_string_equal(f.encoder.params.list[i]->name, names[i]);
  assert_int_equal(f.encoder.params.list[15]->shape[0], 8);
  assert_int_equal(f.encoder.params.list[15]->shape[1], 15 * 16);
  assert_int_equal(f.encoder.params.list[29]->shape[1], 6);
  destroy(&f);
}

static void check_written(const char *settings, const char *expected) {
  fixture f;
  on_error error;
  if (!create(&f, settings, &error)) fail_msg("%s", error.text);
  on_buf out = {0};
  on_fast_kind.write_settings(&f.encoder, &out);
  on_buf_char(&out, 0);
  assert_string_equal(out.p, expected);
  on_buf_free(&out);
  destroy(&f);
}

#define FIRST "{\"width\": 8, \"depth\": 1, \"normRows\": 50, \"prefixRows\": 20, \"suffixRows\": 20, \"shapeRows\": 10"

static void writes_only_what_differs(void **state) {
  (void)state;
  check_written("{" BASE "}", FIRST ", \"seed\": 5}");
  check_written("{" BASE ", \"prefixLength\": 1, \"suffixLength\": 3, \"casedRows\": 0, \"embedWidth\": 8, \"hashes\": 2,"
                " \"plain\": 0, \"relu\": 0, \"neighbourRows\": 0, \"contextRows\": 0, \"bigramRows\": 0, \"turkicCase\": 0,"
                " \"recurrentLayers\": 0, \"recurrentSize\": 0, \"unknown\": [1]}",
                FIRST ", \"seed\": 5}");
  check_written("{" BASE ", \"hashes\": 1, \"plain\": 1, \"relu\": 1, \"turkicCase\": 1}",
                FIRST ", \"hashes\": 1, \"seed\": 5, \"plain\": 1, \"relu\": 1, \"turkicCase\": 1}");
}

static void bounds(void **state) {
  (void)state;
  static const struct {
    const char *settings, *part;  // of the message; NULL: accepted
  } cases[] = {
      {"{" BASE ", \"hashes\": 4}", NULL},
      {"{" BASE ", \"hashes\": 5}", "hashes"},
      {"{" BASE ", \"hashes\": 0}", "hashes"},
      {"{" BASE ", \"prefixLength\": 8}", NULL},
      {"{" BASE ", \"prefixLength\": 9}", "prefixLength"},
      {"{" BASE ", \"casedRows\": 4194305}", "casedRows"},
      {"{" BASE ", \"casedRows\": 4194205}", "values"},  // 4194305 rows of 8 together: one too many
      {"{" BASE ", \"casedRows\": 4194204}", NULL},
      {"{" BASE ", \"plain\": 2}", "plain"},
      {"{" BASE ", \"recurrentLayers\": 5}", "recurrentLayers"},
      {"{" BASE ", \"recurrentSize\": 2049}", "recurrentSize"},
      {"{" BASE ", \"embedWidth\": 7}", "embedWidth"},
      {"{\"width\": 7, \"depth\": 0, \"normRows\": 1, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 1, \"seed\": 0}", "width"},
      {"{\"width\": 8, \"depth\": 33, \"normRows\": 1, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 1, \"seed\": 0}", "depth"},
      {"{\"width\": 8, \"depth\": 0, \"normRows\": 0, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 1, \"seed\": 0}", "normRows"},
      {"{\"width\": 8, \"depth\": 0, \"normRows\": 1, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 1}", "seed"},
      {"{\"width\": 8, \"depth\": 0, \"normRows\": 1, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 1, \"seed\": 9007199254740992}", "seed"},
      {"{\"width\": 8, \"depth\": 0, \"normRows\": 1, \"prefixRows\": 1, \"suffixRows\": 1, \"shapeRows\": 1, \"seed\": 9007199254740991}", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fixture f;
    on_error error = {0};
    bool ok = create(&f, cases[i].settings, &error);
    if (ok != !cases[i].part) fail_msg("%s: %s", cases[i].settings, ok ? "accepted" : error.text);
    if (!ok && !strstr(error.text, cases[i].part)) fail_msg("%s: %s", cases[i].settings, error.text);
    if (!ok) assert_int_equal(error.code, ON_INVALID_DATA);
    destroy(&f);
  }
}

// ---- the whole encoder, computed plainly in double precision --------------------------------------

static double value(const on_param *p, size_t row, size_t col) {
  return (double)((const float *)(const void *)p->data)[row * p->shape[1] + col];
}

static void norm(double *x, size_t width, const on_param *gain, const on_param *shift) {
  double mean = 0, variance = 0;
  for (size_t j = 0; j < width; j++) mean += x[j] / (double)width;
  for (size_t j = 0; j < width; j++) variance += (x[j] - mean) * (x[j] - mean) / (double)width;
  for (size_t j = 0; j < width; j++) {
    x[j] = (x[j] - mean) / sqrt(variance + 1e-5) * value(gain, j, 0) + value(shift, j, 0);
  }
}

static double act(const on_fast *fast, double x) {
  return fast->relu ? fmax(x, 0) : 0.5 * x * (1 + erf(x / sqrt(2.0)));
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static void plain_lstm(const on_lstm *lstm, const double *x, size_t n, double *y) {
  size_t input = lstm->input, size = lstm->size;
  const double *from = x;
  double *layer = NULL;
  for (uint32_t k = 0; k < lstm->layers; k++) {
    double *out = calloc(n * 2 * size, sizeof *out);
    for (int d = 0; d < 2; d++) {
      double h[64] = {0}, c[64] = {0};
      for (size_t s = 0; s < n; s++) {
        size_t t = d ? n - 1 - s : s;
        double gate[4 * 64], next[64];
        for (size_t g = 0; g < 4 * size; g++) {
          gate[g] = value(lstm->bias[k][d], g, 0);
          for (size_t j = 0; j < input; j++) gate[g] += value(lstm->weight_ih[k][d], g, j) * from[t * input + j];
          for (size_t j = 0; j < size; j++) gate[g] += value(lstm->weight_hh[k][d], g, j) * h[j];
        }
        for (size_t j = 0; j < size; j++) {
          c[j] = sigmoid(gate[size + j]) * c[j] + sigmoid(gate[j]) * tanh(gate[2 * size + j]);
          next[j] = sigmoid(gate[3 * size + j]) * tanh(c[j]);
          out[t * 2 * size + (size_t)d * size + j] = next[j];
        }
        memcpy(h, next, size * sizeof *h);
      }
    }
    free(layer);
    layer = out;
    from = out;
    input = 2 * size;
  }
  memcpy(y, layer, n * 2 * size * sizeof *y);
  free(layer);
}

// Every stretch of tokens around token i that is a word of a list, however it is found.
static size_t plain_words(const on_fast *fast, const on_doc *doc, size_t i, double *sum) {
  size_t count = 0;
  for (size_t first = 0; first <= i; first++) {
    for (size_t end = i + 1; end <= doc->n && end - first <= fast->words.tokens; end++) {
      on_str16 text = on_str16_sub(doc->text, doc->start[first], doc->end[end - 1]);
      for (uint32_t w = 0; w < fast->words.n; w++) {
        if (!on_str16_eq(fast->words.list[w].text, text)) continue;
        size_t place = i == first ? 0 : i + 1 == end ? 1 : 2;
        size_t row = (fast->words.list[w].list * 3 + place) * fast->words.tokens + end - first - 1;
        for (size_t j = 0; j < fast->embed_width; j++) sum[j] += value(fast->word_param, row, j);
        count++;
      }
    }
  }
  return count;
}

static void plain_encoder(const on_fast *fast, const on_doc *doc, double *h) {
  size_t width = fast->width, n = doc->n, e = fast->embed_width;
  on_arena scratch = {0};
  uint32_t *rows = ON_NEW(&scratch, uint32_t, n * fast->table_count * fast->hashes);
  assert_true(on_fast_rows(fast, doc, &scratch, rows));
  for (size_t i = 0; i < n; i++) {
    uint32_t ngrams[ON_NGRAM_MOST];
    size_t count = 0;
    if (fast->ngrams.rows) assert_true(on_fast_ngram_rows(fast, on_doc_token(doc, i), &scratch, ngrams, &count));
    for (size_t o = 0; o < width; o++) {
      double sum = value(fast->mix_bias, o, 0);
      for (uint32_t t = 0; t < fast->table_count; t++) {
        for (size_t j = 0; j < e; j++) {
          double x = 0;
          for (uint32_t f = 0; f < fast->hashes; f++) {
            x += value(fast->tables[t].param, rows[(i * fast->table_count + t) * fast->hashes + f], j);
          }
          sum += x * value(fast->mix_weight, o, t * e + j);
        }
      }
      for (size_t j = 0; fast->ngrams.rows && j < e; j++) {
        double x = 0;
        for (size_t g = 0; g < count; g++) x += value(fast->ngram_param, ngrams[g], j);
        sum += x / sqrt((double)count) * value(fast->mix_weight, o, fast->table_count * e + j);
      }
      double words[64] = {0};
      size_t matches = plain_words(fast, doc, i, words);
      for (size_t j = 0; matches && j < e; j++) {
        sum += words[j] / sqrt((double)matches) * value(fast->mix_weight, o, fast->joined - e + j);
      }
      h[i * width + o] = fast->plain ? fmax(sum, 0) : act(fast, sum);
    }
    if (!fast->plain) norm(h + i * width, width, fast->mix_gain, fast->mix_shift);
  }
  double *next = malloc(n * width * sizeof *next);
  for (uint32_t k = 0; k < fast->depth; k++) {
    for (size_t i = 0; i < n; i++) {
      for (size_t o = 0; o < width; o++) {
        double sum = value(fast->window_bias[k], o, 0);
        for (int step = 0; step < 3; step++) {
          if (i + (size_t)step < 1 || i + (size_t)step > n) continue;
          const double *x = h + (i + (size_t)step - 1) * width;
          for (size_t j = 0; j < width; j++) sum += value(fast->window_weight[k], o, (size_t)step * width + j) * x[j];
        }
        next[i * width + o] = act(fast, sum);
      }
      norm(next + i * width, width, fast->window_gain[k], fast->window_shift[k]);
    }
    for (size_t i = 0; i < n * width; i++) h[i] += next[i];
  }
  if (fast->recurrent_layers) {
    size_t both = 2 * fast->recurrent.lstm.size;
    double *y = malloc(n * both * sizeof *y);
    plain_lstm(&fast->recurrent.lstm, h, n, y);
    for (size_t i = 0; i < n; i++) {
      for (size_t o = 0; o < width; o++) {
        double sum = fast->recurrent.out_weight ? value(fast->recurrent.out_bias, o, 0) : y[i * both + o];
        for (size_t j = 0; fast->recurrent.out_weight && j < both; j++) sum += value(fast->recurrent.out_weight, o, j) * y[i * both + j];
        next[i * width + o] = sum;
      }
    }
    for (size_t i = 0; i < n * width; i++) h[i] += next[i];
    free(y);
  }
  free(next);
  on_arena_free(&scratch);
}

static void check_output(const char *settings) {
  fixture f;
  on_error error;
  if (!create(&f, settings, &error)) fail_msg("%s", error.text);
  fill(&f, 9);
  assert_true(on_fast_kind.prepare(&f.encoder, &f.arena, &error));
  on_doc doc;
  make_doc(&doc, "The İstanbul cat sat sat on on Mats in 2001 😀 !");
  float out[64 * 8], scalar[64 * 8];
  double plain[64 * 8];
  for (int round = 0; round < 2; round++) {  // the second round reads rows made in the first
    on_workspace workspace;
    assert_true(on_workspace_init(&workspace, 1, NULL));
    for (int again = 0; again < 2; again++) {
      assert_true(on_fast_kind.run(&f.encoder, &workspace, &workspace.encoder_cache[0], &doc, out, &error));
    }
    on_workspace_free(&workspace);
    assert_true(on_workspace_init(&workspace, 1, on_kernels_scalar()));
    assert_true(on_fast_kind.run(&f.encoder, &workspace, &workspace.encoder_cache[0], &doc, scalar, &error));
    on_workspace_free(&workspace);
    assert_memory_equal(out, scalar, doc.n * 8 * sizeof *out);
  }
  plain_encoder(f.encoder.state, &doc, plain);
  for (size_t i = 0; i < doc.n * 8; i++) assert_true(fabs((double)out[i] - plain[i]) < 2e-5);
  on_doc_free(&doc);
  destroy(&f);
}

static void outputs(void **state) {
  (void)state;
  check_output("{" BASE "}");
  check_output("{" BASE ", \"plain\": 1, \"relu\": 1, \"hashes\": 1}");
  check_output("{" BASE ", \"relu\": 1, \"hashes\": 4, \"casedRows\": 30, \"neighbourRows\": 20, \"contextRows\": 20,"
               " \"bigramRows\": 20, \"embedWidth\": 16, \"turkicCase\": 1, \"prefix2Rows\": 9, \"suffix2Rows\": 9,"
               " \"suffix3Rows\": 9}");
  check_output("{" BASE ", \"recurrentLayers\": 2}");
  check_output("{" BASE ", \"ngramRows\": 60}");
  check_output("{" BASE ", \"ngramRows\": 60, \"ngramMin\": 1, \"ngramMax\": 8, \"turkicCase\": 1, \"bigramRows\": 9,"
               " \"contextRows\": 9}");
  check_output("{" BASE ", \"recurrentLayers\": 3, \"recurrentSize\": 5, \"plain\": 1}");
  check_output("{" BASE ", \"wordTokens\": 4, \"wordLists\": [\"cat\\nsat sat on on\", \"\", \"on Mats\\nsat\\nThe\\n!\"]}");
  check_output("{" BASE ", \"wordTokens\": 1, \"ngramRows\": 60, \"bigramRows\": 9, \"wordLists\": [\"cat\\non on\"]}");
}

// Two tokens that differ only in what turkicCase changes.
static void turkic_case(void **state) {
  (void)state;
  for (int turkic = 0; turkic < 2; turkic++) {
    fixture f;
    on_error error;
    assert_true(create(&f, turkic ? "{" BASE ", \"turkicCase\": 1}" : "{" BASE "}", &error));
    on_doc doc;
    make_doc(&doc, "IRMAK irmak ırmak");
    uint32_t rows[3 * 8];
    assert_true(on_fast_rows(f.encoder.state, &doc, &f.arena, rows));
    bool as_i = rows[0] == rows[8], as_dotless = rows[0] == rows[16];  // of embed_norm
    assert_int_equal(as_i, !turkic);
    assert_int_equal(as_dotless, turkic);
    on_doc_free(&doc);
    destroy(&f);
  }
}

// Words of two letters, a few of them long ones, from the `first` of a text on whose every third word is one of twenty.
static void make_words(on_doc *doc, uint32_t first, uint32_t n) {
  enum { LONG = 30 };
  on_doc_init(doc);
  uint16_t *units = ON_NEW(&doc->arena, uint16_t, n * (size_t)LONG);
  assert_non_null(units);
  assert_true(on_doc_set_tokens(doc, n));
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t at_all = first + i, number = at_all % 3 ? at_all : at_all % 60;
    doc->start[i] = (uint32_t)at;
    units[at++] = (uint16_t)('a' + number / 26);
    units[at++] = (uint16_t)('a' + number % 26);
    for (int k = 2; k < LONG && number % 50 == 7; k++) units[at++] = 'x';
    doc->end[i] = (uint32_t)at;
  }
  doc->text = (on_str16){units, at};
}

// The vectors are so large that the store has room for 384 forms: it is emptied on the way, or holds less than a Doc.
// The words in the middle of five are as in a Doc of these five.
static void more_forms_than_the_store_keeps(void **state) {
  (void)state;
  enum { WIDTH = 2048, MOST = 620 };
  fixture f;
  on_error error;
  assert_true(create(&f, "{\"width\": 2048, \"depth\": 0, \"normRows\": 50, \"prefixRows\": 20, \"suffixRows\": 20,"
                         " \"shapeRows\": 10, \"seed\": 5, \"neighbourRows\": 20, \"contextRows\": 20, \"plain\": 1,"
                         " \"embedWidth\": 8, \"hashes\": 1}", &error));
  fill(&f, 3);
  assert_true(on_fast_kind.prepare(&f.encoder, &f.arena, &error));
  on_workspace workspace, other;
  assert_true(on_workspace_init(&workspace, 1, NULL));
  float *out = ON_NEW(&f.arena, float, (size_t)MOST * WIDTH), *part = ON_NEW(&f.arena, float, 5 * WIDTH);
  assert_true(out && part);
  static const uint32_t docs[][2] = {{0, 300}, {150, 300}, {40, MOST}, {140, 20}, {0, MOST}};
  for (size_t d = 0; d < sizeof docs / sizeof *docs; d++) {
    on_doc doc;
    make_words(&doc, docs[d][0], docs[d][1]);
    on_arena_reset(&workspace.scratch);
    assert_true(on_fast_kind.run(&f.encoder, &workspace, &workspace.encoder_cache[0], &doc, out, &error));
    on_doc_free(&doc);
    assert_true(on_workspace_init(&other, 1, NULL));
    for (uint32_t i = 2; i + 2 < docs[d][1]; i += 1 + i % 7) {
      make_words(&doc, docs[d][0] + i - 2, 5);
      on_arena_reset(&other.scratch);
      assert_true(on_fast_kind.run(&f.encoder, &other, &other.encoder_cache[0], &doc, part, &error));
      assert_memory_equal(part + 2 * WIDTH, out + (size_t)i * WIDTH, WIDTH * sizeof *out);
      on_doc_free(&doc);
    }
    on_workspace_free(&other);
  }
  on_workspace_free(&workspace);
  destroy(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(declares), cmocka_unit_test(writes_only_what_differs), cmocka_unit_test(bounds),
      cmocka_unit_test(outputs),  cmocka_unit_test(turkic_case),
      cmocka_unit_test(more_forms_than_the_store_keeps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

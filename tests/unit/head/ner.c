// The ner head: valid tag sequences only, the best of them, and what they say as entities.
#include "head/ner.h"

#include <math.h>

#include "heads.h"

// ---- the decoder against all sequences ----------------------------------------------------------------

// The rule as it is written: an entity begins, goes on with its label, and ends, within one sentence.
static bool is_valid(const uint32_t *tags, size_t n, const uint8_t *sent_start) {
  uint32_t open = 0;  // 1 + label of the entity that is open
  for (size_t i = 0; i < n; i++) {
    if (open && sent_start[i]) return false;
    uint32_t tag = tags[i], label = tag ? (tag - 1) / 4 + 1 : 0;
    switch (tag ? (tag - 1) % 4 : 4) {
      case 0: if (open) return false; open = label; break;
      case 1: if (open != label) return false; break;
      case 2: if (open != label) return false; open = 0; break;
      case 3: if (open) return false; break;
      default: if (open) return false;
    }
  }
  return !open;
}

static double best_of_all(const float *scores, size_t n, uint32_t tags, const uint8_t *sent_start, size_t *valid) {
  double best = -1e30;
  uint32_t sequence[6] = {0};
  *valid = 0;
  for (;;) {
    if (is_valid(sequence, n, sent_start)) {
      double sum = 0;
      for (size_t i = 0; i < n; i++) sum += (double)scores[i * tags + sequence[i]];
      if (sum > best) best = sum;
      ++*valid;
    }
    size_t i = 0;
    while (i < n && ++sequence[i] == tags) sequence[i++] = 0;
    if (i == n) return best;
  }
}

static void decoder_finds_the_best_valid_sequence(void **state) {
  (void)state;
  on_random random;
  on_random_seed(&random, 3);
  on_arena scratch = {0};
  size_t with_entities = 0;
  for (int round = 0; round < 400; round++) {
    uint32_t labels = 1 + on_random_below(&random, 2), width = on_biluo_tags(labels);
    size_t n = 1 + on_random_below(&random, labels == 1 ? 6 : 4);
    float scores[6 * 9];
    uint8_t starts[6];
    for (size_t i = 0; i < n; i++) starts[i] = i == 0 || on_random_below(&random, 4) == 0;
    // whole numbers in half of the rounds, so that there are ties
    for (size_t i = 0; i < n * width; i++) {
      scores[i] = round % 2 ? on_random_normal(&random) : (float)on_random_below(&random, 4);
    }
    uint32_t tags[6];
    assert_true(on_biluo_decode(scores, n, labels, starts, &scratch, tags));
    assert_true(is_valid(tags, n, starts));
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
      sum += (double)scores[i * width + tags[i]];
      with_entities += tags[i] != 0;
    }
    size_t valid;
    double best = best_of_all(scores, n, width, starts, &valid);
    if (fabs(best - sum) > 1e-5) fail_msg("round %d: %g, best is %g of %zu", round, sum, best, valid);
    on_arena_reset(&scratch);
  }
  assert_true(with_entities > 400);
  on_arena_free(&scratch);
}

static void follows_is_the_same_rule(void **state) {
  (void)state;
  static const uint8_t starts[4] = {1};
  for (uint32_t before = 0; before < on_biluo_tags(3); before++) {
    for (uint32_t tag = 0; tag < on_biluo_tags(3); tag++) {
      // made whole: what is open before begins, what is open behind ends
      uint32_t sequence[4], n = 0, was = on_biluo_which(before), is = on_biluo_which(tag);
      if (was == ON_BILUO_I || was == ON_BILUO_L) sequence[n++] = on_biluo_tag(on_biluo_label(before), ON_BILUO_B);
      sequence[n++] = before;
      sequence[n++] = tag;
      if (is == ON_BILUO_B || is == ON_BILUO_I) sequence[n++] = on_biluo_tag(on_biluo_label(tag), ON_BILUO_L);
      assert_int_equal(on_biluo_follows(before, tag), is_valid(sequence, n, starts));
    }
  }
}

// ---- the head -----------------------------------------------------------------------------------------

enum { WIDTH = 20 };
static const char CONFIG[] = "{\"labels\": [\"PER\", \"ORG\", \"LOC\"], \"unknown\": 1}";

static double probability(const on_ner *ner, const float *h, uint32_t tag) {
  const float *w = weights_of(ner->output.weight[0]), *b = weights_of(ner->output.bias[0]);
  uint32_t tags = on_biluo_tags(ner->labels.n);
  double x[64], total = 0;
  for (uint32_t t = 0; t < tags; t++) {
    x[t] = (double)b[t];
    for (int j = 0; j < WIDTH; j++) x[t] += (double)w[t * WIDTH + j] * (double)h[j];
    total += exp(x[t]);
  }
  return exp(x[tag]) / total;
}

static void entities_and_their_scores(void **state) {
  (void)state;
  enum { N = 300 };
  made_head made;
  assert_true(make_head(&made, "ner", CONFIG, WIDTH, NULL));
  fill_head(&made, 0.4f, 11);
  const on_ner *ner = made.head.state;
  assert_int_equal(ner->output.weight[0]->shape[0], 13);
  float h[N * WIDTH];
  on_random random;
  on_random_seed(&random, 8);
  for (int i = 0; i < N * WIDTH; i++) h[i] = on_random_normal(&random);
  on_doc first, doc;
  make_doc(&first, N);
  for (size_t i = 0; i < N; i += 7) first.sent_start[i] = 1;
  on_workspace workspace;
  assert_true(on_workspace_init(&workspace, 0, on_kernels_scalar()));
  assert_true(made.head.kind->run(&made.head, &workspace, h, &first, NULL));
  assert_true(first.has_ents);
  assert_true(first.ent_count > 40);
  size_t longer = 0;
  for (size_t e = 0; e < first.ent_count; e++) {
    const on_span *ent = &first.ents[e];
    assert_true(ent->first < ent->end && ent->end <= N);
    assert_true(e == 0 || ent->first >= first.ents[e - 1].end);
    uint32_t label = 0;
    while (!on_str_eq(ner->labels.list[label], ent->label)) label++;
    double product = 1;
    for (uint32_t i = ent->first; i < ent->end; i++) {
      assert_true(i == ent->first || !first.sent_start[i]);
      uint32_t which = i == ent->first ? (i + 1 == ent->end ? ON_BILUO_U : ON_BILUO_B)
                                       : (i + 1 == ent->end ? ON_BILUO_L : ON_BILUO_I);
      product *= probability(ner, h + i * WIDTH, on_biluo_tag(label, which));
    }
    double mean = pow(product, 1.0 / (ent->end - ent->first));
    if (fabs(mean - (double)ent->score) > 1e-4) fail_msg("score %g, want %g", (double)ent->score, mean);
    longer += ent->end - ent->first > 1;
  }
  assert_true(longer > 10);
  // the other kernels give the same bits
  for (size_t k = 1; on_kernels_at(k); k++) {
    make_doc(&doc, N);
    memcpy(doc.sent_start, first.sent_start, N);
    workspace.kernels = on_kernels_at(k);
    assert_true(made.head.kind->run(&made.head, &workspace, h, &doc, NULL));
    assert_int_equal(doc.ent_count, first.ent_count);
    same_spans(doc.ents, first.ents, doc.ent_count);
    on_doc_free(&doc);
  }
  on_doc_free(&first);
  on_workspace_free(&workspace);
  free_head(&made);
}

static void configs(void **state) {
  (void)state;
  round_trip("ner", CONFIG, WIDTH);
  refuses("ner", "{}", 8, "components[0].config.labels");
  refuses("ner", "{\"labels\": []}", 8, "0 labels, want 1");
  refuses("ner", "{\"labels\": [\"A\", \"B\", \"A\"]}", 8, "labels[2]: \"A\" stands at labels[0] already");
  refuses("ner", "{\"labels\": [\"A\", \"\"]}", 8, "labels[1]: empty");
  refuses("ner", "{\"labels\": [1]}", 8, "labels[0]: not a string");
  // 1 + 4 * 8192 tags times a width of 2048 are more weights than a head may have
  on_buf many = {0};
  on_buf_str(&many, ON_STR("{\"labels\": ["));
  for (int i = 0; i < 8192; i++) on_buf_format(&many, "%s\"L%d\"", i ? ", " : "", i);
  on_buf_str(&many, ON_STR("]}"));
  on_buf_char(&many, 0);
  takes("ner", many.p, 2047);
  refuses("ner", many.p, 2048, "more than 67108864 weights");
  on_buf_free(&many);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decoder_finds_the_best_valid_sequence),
      cmocka_unit_test(follows_is_the_same_rule),
      cmocka_unit_test(entities_and_their_scores),
      cmocka_unit_test(configs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

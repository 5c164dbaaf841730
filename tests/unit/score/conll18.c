// What each metric counts, which ones are absent, the files that are refused, table and JSON.
#include "treebank.h"

#include "format/json.h"

#define GOLD                                                    \
  "1 The the DET DT Definite=Def|PronType=Art 2 det _ _\n"      \
  "2 cats cat NOUN NNS Number=Plur 4 nsubj:outer _ _\n"         \
  "3 were be AUX VBD Mood=Ind|Tense=Past 4 aux _ _\n"           \
  "4 fed feed VERB VBN VerbForm=Part 0 root _ _\n"              \
  "5 by by ADP IN _ 6 case _ _\n"                               \
  "6 Eve Eve PROPN NNP Number=Sing 4 obl:agent _ _\n"           \
  "7 . . PUNCT . _ 4 punct _ _\n\n"

static on_conll18 score(const char *gold, const char *system) {
  treebank g, s;
  treebank_conllu(&g, gold);
  treebank_conllu(&s, system);
  return treebank_scores(&g, &s);
}

static void a_file_equals_itself(void **state) {
  (void)state;
  on_conll18 scores = score(GOLD, GOLD);
  for (int m = 0; m < ON_METRICS; m++) {
    const on_score *s = &scores.metrics[m];
    assert_true(s->present);
    assert_int_equal(s->correct, m == ON_SENTENCES ? 1 : m >= ON_CLAS ? 3 : 7);
    assert_true(on_score_f1(s) == 1 && on_score_precision(s) == 1 && on_score_recall(s) == 1);
    assert_true(on_score_aligned_accuracy(s) == (m <= ON_WORDS ? -1 : 1));
  }
}

// One change per word: which metrics see it is worked out by hand.
static void each_metric_sees_its_columns(void **state) {
  (void)state;
  on_conll18 s = score(GOLD,
                       "1 The The DET DT PronType=Art|Definite=Def 2 det _ _\n"  // lemma; order of features is free
                       "2 cats cat NOUN NN Number=Plur|Typo=Yes 4 nsubj _ _\n"   // XPOS; Typo is not universal
                       "3 were be VERB VBD Mood=Ind|Tense=Past 4 aux:pass _ _\n"  // UPOS
                       "4 fed feed VERB VBN VerbForm=Fin 0 root _ _\n"           // features
                       "5 by by ADP IN _ 4 case _ _\n"                           // head
                       "6 Eve eve PROPN NNP Number=Sing 4 nsubj _ _\n"           // lemma, relation
                       "7 . . PUNCT . _ 4 punct _ _\n\n");
  assert_counts(&s, ON_TOKENS, 7, 7, 7);
  assert_counts(&s, ON_SENTENCES, 1, 1, 1);
  assert_counts(&s, ON_WORDS, 7, 7, 7);
  assert_counts(&s, ON_UPOS, 6, 7, 7);
  assert_counts(&s, ON_XPOS, 6, 7, 7);
  assert_counts(&s, ON_UFEATS, 6, 7, 7);
  assert_counts(&s, ON_ALLTAGS, 4, 7, 7);
  assert_counts(&s, ON_LEMMAS, 5, 7, 7);
  assert_counts(&s, ON_UAS, 6, 7, 7);
  assert_counts(&s, ON_LAS, 5, 7, 7);
  assert_counts(&s, ON_CLAS, 2, 3, 3);  // cats, fed
  assert_counts(&s, ON_MLAS, 1, 3, 3);  // cats: its article agrees; fed has other features and an auxiliary verb
  assert_counts(&s, ON_BLEX, 2, 3, 3);
}

static void function_words_decide_mlas(void **state) {
  (void)state;
  const char *without = "1 The the DET DT _ 2 det _ _\n2 cats cat NOUN NNS _ 0 root _ _\n\n";
  const char *moved = "1 The the DET DT _ 0 root _ _\n2 cats cat NOUN NNS _ 1 nsubj _ _\n\n";
  const char *other = "1 The the DET DT _ 2 case _ _\n2 cats cat NOUN NNS _ 0 root _ _\n\n";
  const char *tagged = "1 The the PRON DT _ 2 det _ _\n2 cats cat NOUN NNS _ 0 root _ _\n\n";
  const char *split = "1 T the DET DT _ 3 det _ _\n2 he he DET DT _ 3 det _ _\n3 cats cat NOUN NNS _ 0 root _ _\n\n";
  const char *content = "1 The the DET DT _ 2 nmod _ _\n2 cats cat NOUN NNS _ 0 root _ _\n\n";
  on_conll18 s = score(without, without);
  assert_counts(&s, ON_MLAS, 1, 1, 1);
  s = score(without, moved);
  assert_counts(&s, ON_MLAS, 0, 1, 2);
  s = score(without, other);
  assert_counts(&s, ON_CLAS, 1, 1, 1);
  assert_counts(&s, ON_MLAS, 0, 1, 1);
  s = score(without, tagged);
  assert_counts(&s, ON_MLAS, 0, 1, 1);
  s = score(without, split);  // function words that are not aligned
  assert_counts(&s, ON_CLAS, 1, 1, 1);
  assert_counts(&s, ON_MLAS, 0, 1, 1);
  s = score(without, "1 T the DET DT _ 3 det _ _\n2 he he DET DT _ 3 nmod _ _\n3 cats cat NOUN NNS _ 0 root _ _\n\n");
  assert_counts(&s, ON_CLAS, 1, 1, 2);
  assert_counts(&s, ON_MLAS, 0, 1, 2);  // as many, but not the same
  s = score(without, content);  // one function word less
  assert_counts(&s, ON_CLAS, 1, 1, 2);
  assert_counts(&s, ON_MLAS, 0, 1, 2);
  s = score(content, without);  // one more
  assert_counts(&s, ON_CLAS, 1, 2, 1);
  assert_counts(&s, ON_MLAS, 0, 2, 1);
}

// The names as the guidelines of UD 2 list them; "punct" and what is no relation of UD 2 count as neither.
static void relations_and_features_by_name(void **state) {
  (void)state;
  static const char *const names[] = {
      "acl", "advcl", "advmod", "amod", "appos", "ccomp", "clf!", "compound", "conj", "csubj", "dep", "discourse",
      "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl",
      "orphan", "parataxis", "reparandum", "vocative", "xcomp", "root", "aux!", "case!", "cc!", "cop!", "det!", "mark!",
      "punct?", "dobj?", "Nsubj?", "nsub?", "nsubjs?", "auxpass?", "_?"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int n = (int)strcspn(names[i], "!?");
    bool content = names[i][n] == 0, function = names[i][n] == '!';
    char gold[200], system[200];
    const char *form = "1 a a X _ _ 0 root _ _\n2 b b %s _ _ 1 %.*s:x _ _\n\n";
    snprintf(gold, sizeof gold, form, "X", n, names[i]);
    snprintf(system, sizeof system, form, "Y", n, names[i]);
    on_conll18 s = score(gold, system);
    assert_counts(&s, ON_CLAS, 1 + content, 1 + content, 1 + content);
    assert_counts(&s, ON_MLAS, !function, 1 + content, 1 + content);  // another UPOS
  }
  static const char *const features[] = {
      "Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender", "Mood", "Number",
      "NumType", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice",
      "Typo?", "Clusivity?", "Number[psor]?", "NumForm?", "abbr?", "Tens?", "Tenses?"};
  for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
    int n = (int)strcspn(features[i], "?");
    char gold[200], system[200];
    snprintf(gold, sizeof gold, "1 a _ _ _ %.*s=A|Zz=1 _ _ _ _\n\n", n, features[i]);
    snprintf(system, sizeof system, "1 a _ _ _ %.*s=B _ _ _ _\n\n", n, features[i]);
    on_conll18 s = score(gold, system);
    assert_counts(&s, ON_UFEATS, features[i][n] == '?', 1, 1);
  }
}

static void gold_lemma_unset_matches_anything(void **state) {
  (void)state;
  on_conll18 s = score("1 a _ X _ _ 0 root _ _\n2 b b X _ _ 1 nsubj _ _\n\n",
                       "1 a z X _ _ 0 root _ _\n2 b _ X _ _ 1 nsubj _ _\n\n");
  assert_counts(&s, ON_LEMMAS, 1, 2, 2);
  assert_counts(&s, ON_BLEX, 1, 2, 2);
}

// A head counts when the heads are aligned; a head that is split is aligned with nothing.
static void heads_are_compared_through_the_alignment(void **state) {
  (void)state;
  on_conll18 s = score("1 x _ _ _ _ 2 _ _ _\n2 don't _ _ _ _ 0 _ _ _\n3 go _ _ _ _ 2 _ _ _\n4 now _ _ _ _ 3 _ _ _\n\n",
                       "1 x _ _ _ _ 2 _ _ _\n2 do _ _ _ _ 0 _ _ _\n3 n't _ _ _ _ 2 _ _ _\n4 go _ _ _ _ 2 _ _ _\n"
                       "5 now _ _ _ _ 4 _ _ _\n\n");
  assert_counts(&s, ON_WORDS, 3, 4, 5);
  assert_counts(&s, ON_UAS, 1, 4, 5);
  assert_int_equal(s.metrics[ON_UAS].aligned, 3);
  assert_true(on_score_precision(&s.metrics[ON_UAS]) == 1 / 5.0);
  assert_true(on_score_recall(&s.metrics[ON_UAS]) == 1 / 4.0);
  assert_true(on_score_f1(&s.metrics[ON_UAS]) == 2 / 9.0);
  assert_true(on_score_aligned_accuracy(&s.metrics[ON_UAS]) == 1 / 3.0);
}

static void sentences_and_tokens_are_extents(void **state) {
  (void)state;
  treebank gold, system;
  treebank_words(&gold, "a b / cd(c d) e / f g");
  treebank_words(&system, "a b / c d / e f / g");
  on_conll18 s = treebank_scores(&gold, &system);
  assert_counts(&s, ON_TOKENS, 5, 6, 7);
  assert_counts(&s, ON_SENTENCES, 1, 3, 4);
  assert_counts(&s, ON_WORDS, 7, 7, 7);
}

static void blanks_are_no_characters(void **state) {
  (void)state;
  on_conll18 s = score("1 10␣000 _ NUM _ _ _ _ _ _\n2 x\xC2\xA0y\xE3\x80\x80z\xE2\x80\x83 _ X _ _ _ _ _ _\n\n",
                       "1 10000 _ NUM _ _ _ _ _ _\n2 xy _ X _ _ _ _ _ _\n3 z _ X _ _ _ _ _ _\n\n");
  assert_counts(&s, ON_TOKENS, 1, 2, 3);
  treebank gold, system;
  on_conll18 scores;
  on_error error;
  // A zero-width space is of category Cf.
  treebank_conllu(&gold, "1 a\xE2\x80\x8B _ X _ _ _ _ _ _\n\n");
  treebank_conllu(&system, "1 a _ X _ _ _ _ _ _\n\n");
  assert_false(treebank_evaluate(&gold, &system, &scores, &error));
  treebank_free(&gold);
  treebank_free(&system);
}

static void missing_columns_are_not_scored(void **state) {
  (void)state;
  const char *bare = "1 a _ _ _ _ _ _ _ _\n\n";
  on_conll18 s = score(bare, bare);
  for (int m = 0; m < ON_METRICS; m++) assert_int_equal(s.metrics[m].present, m <= ON_WORDS);
  s = score(GOLD, GOLD);
  struct {
    const char *line;
    const char *absent;  // when the other file has everything
    const char *both;    // when neither file has it
  } cases[] = {
      {"1 a _ X x Case=Nom 0 root _ _\n\n", " Lemmas BLEX ", " Lemmas BLEX "},
      {"1 a a _ x Case=Nom 0 root _ _\n\n", " UPOS AllTags MLAS ", " UPOS "},
      {"1 a a X _ Case=Nom 0 root _ _\n\n", " XPOS AllTags ", " XPOS "},
      {"1 a a X x _ 0 root _ _\n\n", " UFeats AllTags MLAS ", " UFeats "},
      {"1 a a X x Case=Nom _ root _ _\n\n", " UAS LAS CLAS MLAS BLEX ", " UAS LAS CLAS MLAS BLEX "},
      {"1 a a X x Case=Nom 0 _ _ _\n\n", " LAS CLAS MLAS BLEX ", " LAS CLAS MLAS BLEX "},
      {"1 a a _ _ _ 0 root _ _\n\n", " UPOS XPOS UFeats AllTags MLAS ", " UPOS XPOS UFeats AllTags MLAS "},
  };
  const char *full = "1 a a X x Case=Nom 0 root _ _\n\n";
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int way = 0; way < 3; way++) {
      s = score(way == 0 ? full : cases[i].line, way == 1 ? full : cases[i].line);
      for (int m = 0; m < ON_METRICS; m++) {
        char name[16];
        snprintf(name, sizeof name, " %s ", on_metric_name((on_metric)m));
        bool absent = strstr(way == 2 ? cases[i].both : cases[i].absent, name) != NULL;
        if (s.metrics[m].present == absent) fail_msg("case %d.%d: %s", (int)i, way, name);
        if (!absent) assert_int_equal(s.metrics[m].correct, 1);
        if (absent) assert_int_equal(s.metrics[m].gold + s.metrics[m].system + s.metrics[m].correct, 0);
      }
    }
  }
}

static void refused(const char *gold, const char *system, int64_t line, const char *message) {
  treebank g, s;
  treebank_conllu(&g, gold);
  treebank_conllu(&s, system);
  size_t used = on_alloc_used();
  on_conll18 scores;
  on_error error = {0};
  assert_false(treebank_evaluate(&g, &s, &scores, &error));
  assert_int_equal(on_alloc_used(), used);
  assert_int_equal(error.code, ON_DATA_FORMAT);
  assert_string_equal(error.text, message);
  assert_int_equal(error.position, line);
  assert_false(treebank_evaluate(&g, &s, &scores, NULL));
  treebank_free(&g);
  treebank_free(&s);
}

static void texts_must_be_the_same(void **state) {
  (void)state;
  refused("# x\n1 a _ X _ _ _ _ _ _\n\n"
          "# y\n1-2 bc\xC3\xA4z _ _ _ _ _ _ _ _\n1 b _ X _ _ _ _ _ _\n2 c _ X _ _ _ _ _ _\n\n",
          "1 ab _ X _ _ _ _ _ _\n\n\n1 c\xC3\xB6z _ X _ _ _ _ _ _\n\n", 5,
          "gold line 5: the texts differ (system line 4): gold goes on with \"\xC3\xA4z\", "
          "system goes on with \"\xC3\xB6z\"");
  refused("1 ab _ X _ _ _ _ _ _\n\n", "1 a _ X _ _ _ _ _ _\n\n", 1,
          "gold line 1: the texts differ (system line 1): gold goes on with \"b\", system ends: \"\"");
  refused("1 a _ X _ _ _ _ _ _\n2 b _ X _ _ _ _ _ _\n\n",
          "1 abcdefghijklmnopqrstuvwxyz _ X _ _ _ _ _ _\n\n", 2,
          "gold line 2: the texts differ (system line 1): gold ends: \"\", "
          "system goes on with \"cdefghijklmnopqrstuv\"");
  refused("", "1 a _ X _ _ _ _ _ _\n\n", 1,
          "gold line 1: the texts differ (system line 1): gold ends: \"\", system goes on with \"a\"");
}

static void trees_must_be_trees(void **state) {
  (void)state;
  const char *ok = "1 a _ _ _ _ 0 _ _ _\n2 b _ _ _ _ 1 _ _ _\n3 c _ _ _ _ 1 _ _ _\n\n";
  const char *roots = "1 a _ _ _ _ 0 _ _ _\n2-3 bc _ _ _ _ _ _ _ _\n2 b _ _ _ _ 1 _ _ _\n3 c _ _ _ _ 0 _ _ _\n\n";
  const char *cycle = "# x\n1 a _ _ _ _ 0 _ _ _\n2 b _ _ _ _ 3 _ _ _\n3 c _ _ _ _ 2 _ _ _\n\n";
  const char *unset = "1 a _ _ _ _ 0 _ _ _\n2 b _ _ _ _ _ _ _ _\n3 c _ _ _ _ 1 _ _ _\n\n";
  const char *all = "1 a _ _ _ _ 2 _ _ _\n2 b _ _ _ _ 3 _ _ _\n3 c _ _ _ _ 1 _ _ _\n\n";
  refused(roots, ok, 4, "gold line 4: a second root in the sentence");
  refused(ok, roots, 4, "system line 4: a second root in the sentence");
  refused(cycle, ok, 3, "gold line 3: the heads form a cycle through word 2");
  refused(all, ok, 1, "gold line 1: the heads form a cycle through word 1");
  refused(unset, ok, 2, "gold line 2: HEAD is not set, though other words have one");
  // Nothing to refuse where no trees are compared.
  on_conll18 s = score(roots, "1 a _ _ _ _ _ _ _ _\n2 b _ _ _ _ _ _ _ _\n3 c _ _ _ _ _ _ _ _\n\n");
  assert_counts(&s, ON_WORDS, 3, 3, 3);
  assert_false(s.metrics[ON_UAS].present);
}

static void hostile_sentences_are_refused(void **state) {
  (void)state;
  on_error error;
  on_conll18 scores;
  on_conllu_word words[2] = {{.form = ON_STR("a"), .head = 0}, {.form = ON_STR("b"), .head = 9}};
  on_conllu_range range = {.first = 1, .last = 3, .form = ON_STR("ab")};
  on_conllu_sentence sentence = {.line = 7, .words = words, .word_count = 2};
  const on_conllu_sentence *list[] = {&sentence};
  assert_false(on_conll18_evaluate(list, 1, list, 1, &scores, &error));
  assert_string_equal(error.text, "gold line 8: HEAD lies outside the sentence");
  sentence.ranges = &range;
  sentence.range_count = 1;
  assert_false(on_conll18_evaluate(list, 1, list, 1, &scores, &error));
  assert_string_equal(error.text, "gold line 7: range 1-3 does not fit its sentence of 2 words");
  sentence.range_count = 0;
  words[1].head = 1;
  words[1].form = ON_STR("\xC2\xA0 ");
  assert_false(on_conll18_evaluate(list, 1, list, 1, &scores, &error));
  assert_string_equal(error.text, "gold line 8: FORM holds nothing but blanks");
  words[1].form = ON_STR("\xE2\x80");  // cut off: bytes like any other
  assert_true(on_conll18_evaluate(list, 1, list, 1, &scores, &error));
  assert_counts(&scores, ON_UAS, 2, 2, 2);
}

static void nothing_against_nothing(void **state) {
  (void)state;
  on_conll18 scores;
  assert_true(on_conll18_evaluate(NULL, 0, NULL, 0, &scores, NULL));
  assert_counts(&scores, ON_WORDS, 0, 0, 0);
  assert_true(on_score_f1(&scores.metrics[ON_WORDS]) == 0);
  assert_false(scores.metrics[ON_UPOS].present);
}

static void every_failed_allocation_is_an_error(void **state) {
  (void)state;
  treebank gold, system;
  treebank_words(&gold, "ab(a b) c def(d e f) / g");
  treebank_words(&system, "abc(a c b) d e f / g");
  size_t used = on_alloc_used();
  bool done = false;
  int failures = 0;
  for (size_t n = 1; !done; n++) {
    on_conll18 scores;
    on_error error = {0};
    on_alloc_fail_at(n, 0);
    done = treebank_evaluate(&gold, &system, &scores, &error);
    on_alloc_fail_at(0, 0);
    if (!done) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    failures += !done;
    assert_int_equal(on_alloc_used(), used);
  }
  assert_true(failures > 10);
  treebank_free(&gold);
  treebank_free(&system);
}

static void table_is_the_shared_tasks(void **state) {
  (void)state;
  on_conll18 scores = {0};
  for (int m = 0; m < ON_METRICS; m++) {
    scores.metrics[m] = (on_score){.present = m != ON_XPOS, .on_aligned = m > ON_WORDS};
    if (m != ON_XPOS) {
      scores.metrics[m].gold = 16;
      scores.metrics[m].system = 64;
      scores.metrics[m].correct = (uint64_t)m;
      scores.metrics[m].aligned = 13;
    }
  }
  scores.metrics[ON_BLEX] = (on_score){.present = true, .on_aligned = true};
  // 1/64 is 1.5625 %, 3/64 4.6875 %, 10/16 62.50 %; halves go to the even digit: 2/64 is 3.125 %.
  const char *expected =
      "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
      "-----------+-----------+-----------+-----------+-----------\n"
      "Tokens     |      0.00 |      0.00 |      0.00 |\n"
      "Sentences  |      1.56 |      6.25 |      2.50 |\n"
      "Words      |      3.12 |     12.50 |      5.00 |\n"
      "UPOS       |      4.69 |     18.75 |      7.50 |     23.08\n"
      "XPOS       |         - |         - |         - |         -\n"
      "UFeats     |      7.81 |     31.25 |     12.50 |     38.46\n"
      "AllTags    |      9.38 |     37.50 |     15.00 |     46.15\n"
      "Lemmas     |     10.94 |     43.75 |     17.50 |     53.85\n"
      "UAS        |     12.50 |     50.00 |     20.00 |     61.54\n"
      "LAS        |     14.06 |     56.25 |     22.50 |     69.23\n"
      "CLAS       |     15.62 |     62.50 |     25.00 |     76.92\n"
      "MLAS       |     17.19 |     68.75 |     27.50 |     84.62\n"
      "BLEX       |      0.00 |      0.00 |      0.00 |      0.00\n";
  on_buf out = {0};
  on_conll18_table(&out, &scores);
  on_buf_char(&out, 0);
  assert_string_equal(out.p, expected);
  on_buf_free(&out);
}

static void percentages_are_rounded_as_printf_does(void **state) {
  (void)state;
  on_conll18 scores = {0};
  on_buf out = {0};
  for (uint64_t system = 1; system < 2000; system += 7) {
    for (uint64_t correct = 0; correct <= system; correct += 1 + system / 97) {
      scores.metrics[ON_TOKENS] = (on_score){.present = true, .gold = 1, .system = system, .correct = correct};
      on_buf_clear(&out);
      on_conll18_table(&out, &scores);
      char expected[32];
      snprintf(expected, sizeof expected, "Tokens     |%10.2f |", 100 * ((double)correct / (double)system));
      on_buf_char(&out, 0);
      const char *row = strstr(out.p, "Tokens");
      assert_non_null(row);
      if (strncmp(row, expected, strlen(expected)) != 0) fail_msg("%.40s, expected %s", row, expected);
    }
  }
  on_buf_free(&out);
}

static void json_has_every_metric(void **state) {
  (void)state;
  on_conll18 s = score("1 a _ X _ _ _ _ _ _\n2 b _ Y _ _ _ _ _ _\n3 cd _ Y _ _ _ _ _ _\n\n",
                       "1 a _ X _ _ _ _ _ _\n2 b _ Z _ _ _ _ _ _\n3 c _ Y _ _ _ _ _ _\n4 d _ Y _ _ _ _ _ _\n\n");
  on_buf out = {0};
  on_conll18_json(&out, &s);
  on_error error;
  on_json *root = on_json_parse(on_buf_view(&out), 4, &error);
  if (!root) fail_msg("%s", error.text);
  assert_int_equal(on_json_count(root), ON_METRICS);
  assert_int_equal(on_json_type(on_json_get(root, "XPOS")), ON_JSON_NULL);
  const on_json *upos = on_json_get(root, "UPOS");
  assert_true(on_json_number(on_json_get(upos, "precision")) == 0.25);
  assert_true(on_json_number(on_json_get(upos, "recall")) == 0.333333);
  assert_true(on_json_number(on_json_get(upos, "f1")) == 0.285714);
  assert_true(on_json_number(on_json_get(upos, "alignedAccuracy")) == 0.5);
  assert_int_equal((int)on_json_number(on_json_get(upos, "correct")), 1);
  assert_int_equal((int)on_json_number(on_json_get(upos, "gold")), 3);
  assert_int_equal((int)on_json_number(on_json_get(upos, "system")), 4);
  assert_int_equal((int)on_json_number(on_json_get(upos, "aligned")), 2);
  const on_json *words = on_json_get(root, "Words");
  assert_int_equal(on_json_type(on_json_get(words, "alignedAccuracy")), ON_JSON_NULL);
  assert_true(on_json_number(on_json_get(words, "precision")) == 0.5);
  on_json_free(root);
  on_buf_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_equals_itself),
      cmocka_unit_test(each_metric_sees_its_columns),
      cmocka_unit_test(function_words_decide_mlas),
      cmocka_unit_test(relations_and_features_by_name),
      cmocka_unit_test(gold_lemma_unset_matches_anything),
      cmocka_unit_test(heads_are_compared_through_the_alignment),
      cmocka_unit_test(sentences_and_tokens_are_extents),
      cmocka_unit_test(blanks_are_no_characters),
      cmocka_unit_test(missing_columns_are_not_scored),
      cmocka_unit_test(texts_must_be_the_same),
      cmocka_unit_test(trees_must_be_trees),
      cmocka_unit_test(hostile_sentences_are_refused),
      cmocka_unit_test(nothing_against_nothing),
      cmocka_unit_test(every_failed_allocation_is_an_error),
      cmocka_unit_test(table_is_the_shared_tasks),
      cmocka_unit_test(percentages_are_rounded_as_printf_does),
      cmocka_unit_test(json_has_every_metric),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

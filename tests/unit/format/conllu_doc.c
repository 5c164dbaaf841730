/* From sentences to a Doc: Doc.Text, multiword tokens, columns, offsets, entities; the raw text. */
#include "conllu_helper.h"

static on_str text8(on_doc *doc, on_str16 s) { return on_utf8_from_utf16(&doc->arena, s); }

static void make(on_doc *doc, parsed *p, const char *text) {
  parse(p, text);
  if (p->failed) fail_msg("%s", p->error.text);
  on_doc_init(doc);
  on_error error;
  if (!on_doc_from_conllu(doc, p->pointers, p->count, &error)) fail_msg("%s", error.text);
}

static void done(on_doc *doc, parsed *p) {
  on_doc_free(doc);
  parsed_free(p);
}

/* The words of the Doc as "slice/form/source" joined by blanks. */
static void assert_words(on_doc *doc, const char *expected) {
  on_buf out = {0};
  for (size_t i = 0; i < doc->n; i++) {
    if (i) on_buf_char(&out, ' ');
    on_buf_str(&out, text8(doc, on_doc_token(doc, i)));
    on_buf_char(&out, '/');
    on_buf_str(&out, on_doc_form(doc, i, &doc->arena));
    on_buf_char(&out, '/');
    on_buf_str(&out, text8(doc, on_str16_sub(doc->source, doc->source_start[i], doc->source_end[i])));
  }
  assert_str(on_buf_view(&out), expected);
  on_buf_free(&out);
}

static void columns(void **state) {
  (void)state;
  parsed p;
  on_doc doc;
  make(&doc, &p,
       "1 Ada Ada PROPN NNP Number=Sing 2 nsubj _ _\n"
       "2 slept sleep VERB _ _ 0 root _ SpaceAfter=No\n"
       "3 . . PUNCT _ _ _ _ _ _\n\n"
       "1 So so ADV _ _ 2 advmod _ _\n"
       "2 what _ _ _ _ 0 root _ _\n\n");
  assert_str(text8(&doc, doc.text), "Ada slept. So what");
  assert_false(doc.respelled);
  assert_ptr_equal(doc.source.p, doc.text.p);
  assert_int_equal(doc.unit_end, doc.text.n);
  assert_int_equal(doc.n, 5);
  assert_words(&doc, "Ada/Ada/Ada slept/slept/slept ././. So/So/So what/what/what");
  assert_null(doc.form);
  static const uint8_t starts[] = {1, 0, 0, 1, 0};
  assert_memory_equal(doc.sent_start, starts, 5);
  static const uint32_t heads[] = {1, 1, 2, 4, 4};
  assert_memory_equal(doc.head, heads, sizeof heads);
  assert_str(doc.lemma[1], "sleep");
  assert_null(doc.lemma[4].p);
  assert_str(doc.pos[3], "ADV");
  assert_str(doc.tag[0], "NNP");
  assert_null(doc.tag[1].p);
  assert_str(doc.morph[0], "Number=Sing");
  assert_str(doc.dep[0], "nsubj");
  assert_null(doc.dep[2].p);
  assert_false(doc.has_ents);
  /* nothing points into the sentences or their bytes */
  memset(p.bytes.p, 'x', p.bytes.n);
  assert_str(doc.lemma[1], "sleep");
  done(&doc, &p);

  make(&doc, &p, "1 a _ _ _ _ _ _ _ _\n\n");
  assert_null(doc.lemma);
  assert_null(doc.pos);
  assert_null(doc.tag);
  assert_null(doc.morph);
  assert_null(doc.dep);
  assert_null(doc.head);
  done(&doc, &p);

  make(&doc, &p, "");
  assert_int_equal(doc.n, 0);
  assert_int_equal(doc.text.n, 0);
  done(&doc, &p);
}

#define WORD(id, form) id " " form " _ _ _ _ _ _ _ _\n"
#define RANGE(id, form, misc) id " " form " _ _ _ _ _ _ _ " misc "\n"

static const struct {
  const char *sentences, *text, *source, *words;
} multiword[] = {
    /* the words make up the surface form */
    {RANGE("1-2", "don't", "_") WORD("1", "do") WORD("2", "n't") WORD("3", "go"), "don't go", "don't go",
     "do/do/do n't/n't/n't go/go/go"},
    /* SpaceAfter=No counts on the range line, not on its words */
    {RANGE("1-2", "don't", "SpaceAfter=No") WORD("1", "do") WORD("2", "n't") WORD("3", "!"), "don't!", "don't!",
     "do/do/do n't/n't/n't !/!/!"},
    {RANGE("1-2", "don't", "_") WORD("1", "do") "2 n't _ _ _ _ _ _ _ SpaceAfter=No\n" WORD("3", "!"), "don't !",
     "don't !", "do/do/do n't/n't/n't !/!/!"},
    /* pieces of nearly equal length, longer ones first */
    {RANGE("1-2", "del", "_") WORD("1", "de") WORD("2", "el"), "del", "del", "de/de/de l/el/l"},
    {RANGE("1-3", "abcdefgh", "_") WORD("1", "x") WORD("2", "y") WORD("3", "z"), "abcdefgh", "abcdefgh",
     "abc/x/abc def/y/def gh/z/gh"},
    {RANGE("1-2", "au", "_") WORD("1", "\xC3\xA0") WORD("2", "le"), "au", "au", "a/\xC3\xA0/a u/le/u"},
    /* the forms make up a part of the surface form, or more than it */
    {RANGE("1-2", "abcd", "_") WORD("1", "ab") WORD("2", "c"), "abcd", "abcd", "ab/ab/ab cd/c/cd"},
    {RANGE("1-2", "abc", "_") WORD("1", "ab") WORD("2", "cd"), "abc", "abc", "ab/ab/ab c/cd/c"},
    /* case counts */
    {RANGE("1-2", "Del", "_") WORD("1", "de") WORD("2", "l"), "Del", "Del", "De/de/De l/l/l"},
    /* as many characters as words */
    {RANGE("1-3", "abc", "_") WORD("1", "x") WORD("2", "y") WORD("3", "z"), "abc", "abc", "a/x/a b/y/b c/z/c"},
    /* fewer: the word forms stand in the text, the source keeps the surface form */
    {WORD("1", "vou") RANGE("2-3", "\xC3\xA0", "SpaceAfter=No") WORD("2", "a") WORD("3", "a") WORD("4", "."),
     "vou a a.", "vou \xC3\xA0.", "vou/vou/vou a/a/\xC3\xA0 a/a/\xC3\xA0 ././."},
    {RANGE("1-3", "ab", "_") WORD("1", "xx") WORD("2", "yy") WORD("3", "zz") WORD("4", "end"), "xx yy zz end",
     "ab end", "xx/xx/ab yy/yy/ab zz/zz/ab end/end/end"},
    /* no cut inside a surrogate pair; one pair is one character */
    {RANGE("1-2", "a\xF0\x9F\x98\x80", "_") WORD("1", "x") WORD("2", "y"), "a\xF0\x9F\x98\x80", "a\xF0\x9F\x98\x80",
     "a/x/a \xF0\x9F\x98\x80/y/\xF0\x9F\x98\x80"},
    {RANGE("1-2", "\xF0\x9F\x98\x80", "_") WORD("1", "x") WORD("2", "y"), "x y", "\xF0\x9F\x98\x80",
     "x/x/\xF0\x9F\x98\x80 y/y/\xF0\x9F\x98\x80"},
    /* words with blanks */
    {WORD("1", "tr\xE1\xBA\xA3␣l\xE1\xBB\x9Di") WORD("2", "x"), "tr\xE1\xBA\xA3 l\xE1\xBB\x9Di x",
     "tr\xE1\xBA\xA3 l\xE1\xBB\x9Di x",
     "tr\xE1\xBA\xA3 l\xE1\xBB\x9Di/tr\xE1\xBA\xA3 l\xE1\xBB\x9Di/tr\xE1\xBA\xA3 l\xE1\xBB\x9Di x/x/x"},
    /* white space other than one blank: in the source only */
    {"1 a _ _ _ _ _ _ _ SpacesBefore=\\s\\t|SpacesAfter=\\s\\n\n" WORD("2", "b"), "a b", " \ta \nb", "a/a/a b/b/b"},
    {"1 a _ _ _ _ _ _ _ SpacesAfter=\\n\n\n" WORD("1", "b"), "a b", "a\nb", "a/a/a b/b/b"},
    {RANGE("1-2", "dont", "SpacesInToken=do\\snt") WORD("1", "do") WORD("2", "nt"), "dont", "do nt",
     "do/do/do nt nt/nt/do nt"},
    /* slips of treebanks */
    {"1 a _ _ _ _ _ _ _ SpacesAfter=No\n" WORD("2", "b"), "a b", "ab", "a/a/a b/b/b"},
    {"1 a _ _ _ _ _ _ _ SpacesAfter=\\u00A0\n" WORD("2", "b"), "a b", "a\xC2\xA0" "b", "a/a/a b/b/b"},
    /* between sentences; paragraphs */
    {"1 a _ _ _ _ _ _ _ SpaceAfter=No\n\n" WORD("1", "b"), "a b", "a b", "a/a/a b/b/b"},
    {WORD("1", "a") "\n#␣newpar\n" WORD("1", "b"), "a b", "a\n\nb", "a/a/a b/b/b"},
    {"1 a _ _ _ _ _ _ _ SpacesAfter=\\n\n\n#␣newdoc␣id␣=␣x\n" WORD("1", "b"), "a b", "a\n\nb", "a/a/a b/b/b"},
    {"1 a _ _ _ _ _ _ _ SpacesAfter=\\n\\n\\s\n\n#␣newpar\n" WORD("1", "b"), "a b", "a\n\n b", "a/a/a b/b/b"},
    {"#␣newpar\n" WORD("1", "a") "\n#␣newparagraph\n" WORD("1", "b"), "a b", "a b", "a/a/a b/b/b"},
};

static void multiword_tokens(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof multiword / sizeof *multiword; i++) {
    parsed p;
    on_doc doc;
    make(&doc, &p, multiword[i].sentences);
    assert_str(text8(&doc, doc.text), multiword[i].text);
    assert_str(text8(&doc, doc.source), multiword[i].source);
    assert_int_equal(doc.respelled, strcmp(multiword[i].text, multiword[i].source) != 0);
    assert_words(&doc, multiword[i].words);
    on_buf raw = {0};
    for (size_t k = 0; k < p.count; k++) on_conllu_raw_text(&raw, &p.list[k], k == 0);
    assert_str(on_buf_view(&raw), multiword[i].source);
    on_buf_free(&raw);
    done(&doc, &p);
  }
}

static void ranges(void **state) {
  (void)state;
  parsed p;
  on_doc doc;
  make(&doc, &p,
       WORD("1", "vou") RANGE("2-3", "\xC3\xA0", "_") WORD("2", "a") WORD("3", "a") "\n" RANGE("1-2", "del", "_")
           WORD("1", "de") WORD("2", "el"));
  assert_int_equal(doc.mwt_count, 2);
  assert_int_equal(doc.mwts[0].first, 1);
  assert_int_equal(doc.mwts[0].count, 2);
  assert_int_equal(doc.mwts[0].source_start, 4);
  assert_int_equal(doc.mwts[0].source_end, 5);
  assert_str(doc.mwts[0].form, "\xC3\xA0");
  assert_int_equal(doc.mwts[1].first, 3);
  assert_int_equal(doc.mwts[1].source_start, 6);
  assert_int_equal(doc.mwts[1].source_end, 9);
  done(&doc, &p);
}

static const struct {
  const char *tags;  /* one per word; "-" none */
  const char *entities;
  bool annotated;
} entity_cases[] = {
    {"NER=B-PER NER=I-PER - NER=B-LOC", "0-2 PER, 3-4 LOC", true},
    {"ner=S-PER ner=B-ORG ner=I-ORG ner=E-ORG ner=O", "0-1 PER, 1-4 ORG", true},
    {"NER=U-PER NER=B-ORG NER=L-ORG NER=B-ORG NER=I-ORG", "0-1 PER, 1-3 ORG, 3-5 ORG", true},
    {"NER=I-PER NER=I-PER NER=I-LOC NER=O NER=I-LOC", "0-2 PER, 2-3 LOC, 4-5 LOC", true},
    {"NER=B-PER NER=B-PER", "0-1 PER, 1-2 PER", true},
    {"NER=L-PER NER=I-PER", "0-1 PER, 1-2 PER", true},
    {"NER=O NER=O", "", true},
    {"- -", "", false},
    {"A=b|NER=B-PER|SpaceAfter=No NER=I-PER", "0-2 PER", true},
    {"NER=B-a\\pb NER=X-Y NER=B- NER=PER", "0-1 a|b", true},
};

static void entities(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof entity_cases / sizeof *entity_cases; i++) {
    on_buf text = {0};
    char tags[256];
    snprintf(tags, sizeof tags, "%s", entity_cases[i].tags);
    size_t n = 0;
    char *rest = tags;
    for (char *tag; (tag = strtok_r(rest, " ", &rest)) != NULL;) {
      on_buf_format(&text, "%zu w _ _ _ _ _ _ _ %s\n", ++n, strcmp(tag, "-") == 0 ? "_" : tag);
    }
    on_buf_char(&text, '\0');
    parsed p;
    on_doc doc;
    make(&doc, &p, text.p);
    on_buf got = {0};
    for (size_t k = 0; k < doc.ent_count; k++) {
      on_buf_format(&got, "%s%u-%u %.*s", k ? ", " : "", doc.ents[k].first, doc.ents[k].end,
                    ON_SHOW(doc.ents[k].label));
      assert_true(doc.ents[k].score == 1.0f);
    }
    assert_str(((on_str){got.p ? got.p : "", got.n}), entity_cases[i].entities);
    assert_int_equal(doc.has_ents, entity_cases[i].annotated);
    on_buf_free(&got);
    on_buf_free(&text);
    done(&doc, &p);
  }
}

static void out_of_memory(void **state) {
  (void)state;
  parsed p;
  parse(&p, "1-2 del _ _ _ _ _ _ _ SpacesAfter=\\n\n1 de de A B C 0 d _ NER=B-X\n2 el _ _ _ _ _ _ _ _\n\n"
            "1-2 x _ _ _ _ _ _ _ _\n1 a _ _ _ _ _ _ _ _\n2 a _ _ _ _ _ _ _ _\n\n");
  bool worked = false;
  for (size_t n = 1; n < 100 && !worked; n++) {
    on_doc doc;
    on_doc_init(&doc);
    doc.arena.first_size = 16;  /* so that the arena asks often */
    on_error error = {0};
    on_alloc_fail_at(n, 0);
    worked = on_doc_from_conllu(&doc, p.pointers, p.count, &error);
    on_alloc_fail_at(0, 0);
    if (!worked) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    if (worked) assert_true(n > 5);
    on_doc_free(&doc);
  }
  assert_true(worked);
  parsed_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns),  cmocka_unit_test(multiword_tokens), cmocka_unit_test(ranges),
      cmocka_unit_test(entities), cmocka_unit_test(out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

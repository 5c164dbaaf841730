/* Docs written as CoNLL-U: the lines themselves, and that the text can be rebuilt from them. */
#include "conllu_helper.h"

#include "base/random.h"
#include "doc/unit.h"
#include "text/chars.h"

/* A Doc over the whole of `text`, one token for each run between white space; sentences end at ".". */
static void split_at_spaces(on_doc *doc, const char *text) {
  on_doc_init(doc);
  on_error error;
  assert_true(on_utf16_from_utf8(&doc->arena, on_str_c(text), &doc->source, &error));
  doc->text = doc->source;
  doc->unit_end = (uint32_t)doc->source.n;
  size_t n = 0;
  for (size_t pass = 0; pass < 2; pass++) {
    n = 0;
    for (size_t i = 0; i < doc->source.n;) {
      if (on_is_space(doc->source.p[i])) {
        i++;
        continue;
      }
      const size_t start = i;
      while (i < doc->source.n && !on_is_space(doc->source.p[i])) i++;
      if (pass == 1) {
        doc->start[n] = doc->source_start[n] = (uint32_t)start;
        doc->end[n] = doc->source_end[n] = (uint32_t)i;
        if (n > 0 && doc->source.p[doc->end[n - 1] - 1] == '.') doc->sent_start[n] = 1;
      }
      n++;
    }
    if (pass == 0) assert_true(on_doc_set_tokens(doc, n));
  }
}

static void assert_written(const on_doc *doc, bool paragraph, const char *expected) {
  on_buf out = {0}, want = {0};
  on_conllu_writer state = {.next_sentence = 1, .new_paragraph = paragraph};
  on_error error;
  assert_true(on_conllu_write_doc(&out, doc, &state, &error));
  /* comments of the expectation are written as they are, word lines with blanks for tabs */
  for (const char *line = expected; *line;) {
    const char *end = strchr(line, '\n') + 1;
    on_str s = {line, (size_t)(end - line)};
    if (*line == '#') {
      on_buf_str(&want, s);
    } else {
      char copy[512];
      assert_true(s.n < sizeof copy);
      memcpy(copy, line, s.n);
      copy[s.n] = 0;
      tabbed(&want, copy);
    }
    line = end;
  }
  on_buf_char(&want, 0);
  assert_str(on_buf_view(&out), want.p);
  on_buf_free(&out);
  on_buf_free(&want);
}

static void white_space(void **state) {
  (void)state;
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"a b", "# sent_id = 1\n# text = a b\n1 a _ _ _ _ _ _ _ _\n2 b _ _ _ _ _ _ _ SpaceAfter=No\n\n"},
      {"a b\n", "# sent_id = 1\n# text = a b\n1 a _ _ _ _ _ _ _ _\n2 b _ _ _ _ _ _ _ SpacesAfter=\\n\n\n"},
      {"a b ", "# sent_id = 1\n# text = a b\n1 a _ _ _ _ _ _ _ _\n2 b _ _ _ _ _ _ _ _\n\n"},
      {" \t\r\na", "# sent_id = 1\n# text = a\n1 a _ _ _ _ _ _ _ SpacesBefore=\\s\\t\\r\\n|SpaceAfter=No\n\n"},
      {"a\r\nb\n\n",
       "# sent_id = 1\n# text = a b\n1 a _ _ _ _ _ _ _ SpacesAfter=\\r\\n\n2 b _ _ _ _ _ _ _ SpacesAfter=\\n\\n\n\n"},
      {"a  b", "# sent_id = 1\n# text = a  b\n1 a _ _ _ _ _ _ _ SpacesAfter=\\s\\s\n2 b _ _ _ _ _ _ _ SpaceAfter=No\n\n"},
      /* NBSP and the line separator stand as they are; `# text` stays one line */
      {"a\xC2\xA0"
       "b\xE2\x80\xA8"
       "c",
       "# sent_id = 1\n# text = a\xC2\xA0"
       "b c\n1 a _ _ _ _ _ _ _ SpacesAfter=\xC2\xA0\n"
       "2 b _ _ _ _ _ _ _ SpacesAfter=\xE2\x80\xA8\n3 c _ _ _ _ _ _ _ SpaceAfter=No\n\n"},
      {"a. b",
       "# sent_id = 1\n# text = a.\n1 a. _ _ _ _ _ _ _ _\n\n"
       "# sent_id = 2\n# text = b\n1 b _ _ _ _ _ _ _ SpaceAfter=No\n\n"},
      {"_ |\\#", "# sent_id = 1\n# text = _ |\\#\n1 _ _ _ _ _ _ _ _ _\n2 |\\# _ _ _ _ _ _ _ SpaceAfter=No\n\n"},
      {"", ""},
      {" \n", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    on_doc doc;
    split_at_spaces(&doc, cases[i].text);
    assert_written(&doc, false, cases[i].expected);
    on_doc_free(&doc);
  }
}

static void columns_and_entities(void **state) {
  (void)state;
  on_doc doc;
  split_at_spaces(&doc, "_ saw Ada. Lovelace there.");
  static on_str lemma[] = {{"_", 1}, {"see", 3}, {"", 0}, {"a\tb\nc\xC2\x85", 7}, {NULL, 0}};
  static on_str pos[] = {{"PUNCT", 5}, {"VERB", 4}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
  static on_str dep[] = {{"x", 1}, {"root", 4}, {"obj", 3}, {"root", 4}, {"y", 1}};
  static uint32_t head[] = {1, 1, 1, 3, 0};
  static on_span ents[] = {{2, 4, {"PER", 3}, 1}, {4, 5, {"a|b c\\", 6}, 1}};
  doc.lemma = lemma;
  doc.pos = pos;
  doc.dep = dep;
  doc.head = head;
  doc.ents = ents;
  doc.ent_count = 2;
  assert_written(&doc, true,
                 "# newpar\n# sent_id = 1\n# text = _ saw Ada.\n"
                 "1 _ _ PUNCT _ _ 2 x _ _\n"
                 "2 saw see VERB _ _ 0 root _ _\n"
                 "3 Ada. _ _ _ _ 2 obj _ NER=B-PER\n\n"
                 "# sent_id = 2\n# text = Lovelace there.\n"
                 "1 Lovelace a␣b␣c␣ _ _ _ 0 root _ NER=I-PER\n"
                 /* a head outside of the sentence cannot be written: a root */
                 "2 there. _ _ _ _ 0 y _ SpaceAfter=No|NER=B-a\\pb\\sc\\\\\n\n");
  on_doc_free(&doc);
}

static void ranges_and_forms(void **state) {
  (void)state;
  on_doc doc;
  on_doc_init(&doc);
  on_error error;
  /* "don't" = do + n't; "x\ty" written with a tab inside; "teh" for "the" */
  assert_true(on_utf16_from_utf8(&doc.arena, ON_STR("don't x\ty teh"), &doc.source, &error));
  doc.text = doc.source;
  doc.unit_end = (uint32_t)doc.source.n;
  assert_true(on_doc_set_tokens(&doc, 4));
  static const uint32_t starts[] = {0, 2, 6, 10}, ends[] = {2, 5, 9, 13};
  memcpy(doc.start, starts, sizeof starts);
  memcpy(doc.end, ends, sizeof ends);
  memcpy(doc.source_start, starts, sizeof starts);
  memcpy(doc.source_end, ends, sizeof ends);
  static on_mwt mwts[] = {{0, 2, 0, 5, {"don't", 5}}, {3, 1, 10, 13, {"teh", 3}}};
  doc.mwts = mwts;
  doc.mwt_count = 2;
  static on_str form[] = {{NULL, 0}, {"not", 3}, {NULL, 0}, {"the", 3}};
  doc.form = form;
  static on_span ents[] = {{0, 1, {"X", 1}, 1}};
  doc.ents = ents;
  doc.ent_count = 1;
  assert_written(&doc, false,
                 "# sent_id = 1\n# text = don't x\ty teh\n"
                 "1-2 don't _ _ _ _ _ _ _ _\n"
                 "1 do _ _ _ _ _ _ _ NER=B-X\n"
                 "2 not _ _ _ _ _ _ _ _\n"
                 "3 x␣y _ _ _ _ _ _ _ SpacesInToken=x\\ty\n"
                 "4 the _ _ _ _ _ _ _ SpacesInToken=teh|SpaceAfter=No\n\n");
  on_doc_free(&doc);
}

/* ---- property: the text comes back ---- */

static const uint32_t spaces[] = {'\t',   '\n',   0x0B,   '\f',   '\r',   ' ',    0x85,   0xA0,   0x1680,
                                  0x2000, 0x2003, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
static const uint32_t others[] = {0,      1,      0x7F,   '|',    '\\',   '_',    '#',     '=',     'N',    'o',
                                  's',    'n',    'a',    'b',    '.',    0xDF,   0x200B,  0xFEFF,  0x301,  0x4E2D,
                                  0x1F600, 0x10FFFF, 0xE000, 0x200D};

#define PICK(random, list) ((list)[on_random_below((random), (uint32_t)(sizeof(list) / sizeof *(list)))])

static size_t random_text(on_random *r, uint16_t *out, size_t max) {
  size_t n = 0;
  const size_t length = on_random_below(r, 40);
  for (size_t i = 0; i < length && n + 8 < max; i++) {
    switch (on_random_below(r, 8)) {
      case 0: case 1: n += on_utf16_put(out + n, ' '); break;
      case 2: n += on_utf16_put(out + n, PICK(r, spaces)); break;
      case 3:
        n += on_utf16_put(out + n, '\n');
        if (on_random_below(r, 2)) n += on_utf16_put(out + n, '\n');
        break;
      case 4: n += on_utf16_put(out + n, PICK(r, others)); break;
      case 5: {
        /* any scalar value at all */
        uint32_t c = on_random_below(r, 0x110000 - 0x800);
        n += on_utf16_put(out + n, c < 0xD800 ? c : c + 0x800);
        break;
      }
      default: n += on_utf16_put(out + n, 'a' + on_random_below(r, 4));
    }
  }
  return n;
}

/* Tokens of text[from, to) as the tests mean them: runs without white space, now and then cut in two; with
 * `gaps` some are left out; some made ranges or given other forms. */
static void random_doc(on_random *r, on_doc *doc, on_str16 text, size_t from, size_t to, bool gaps) {
  enum { MOST = 400 };
  uint32_t start[MOST], end[MOST], count[MOST];
  size_t surfaces = 0, words = 0;
  for (size_t i = from; i < to;) {
    size_t next = i;
    if (on_is_space(on_utf16_next(text, &next))) {
      i = next;
      continue;
    }
    const size_t begin = i;
    while (i < to) {
      next = i;
      if (on_is_space(on_utf16_next(text, &next))) break;
      i = next;
      if (on_random_below(r, 4) == 0) break;
    }
    if (gaps && on_random_below(r, 3) == 0) continue;
    start[surfaces] = (uint32_t)begin;
    end[surfaces] = (uint32_t)i;
    count[surfaces] = on_random_below(r, 4) == 0 ? 1 + on_random_below(r, 3) : 0;
    words += count[surfaces] ? count[surfaces] : 1;
    surfaces++;
  }
  on_doc_reset(doc);
  doc->source = text;
  doc->unit_start = (uint32_t)from;
  doc->unit_end = (uint32_t)to;
  assert_true(on_doc_set_tokens(doc, words));
  assert_true(on_doc_column(doc, &doc->form));
  doc->mwts = ON_NEW(&doc->arena, on_mwt, surfaces);
  uint16_t *own = ON_NEW(&doc->arena, uint16_t, (to - from) + words * 4);
  static const char *const forms[] = {"x", "y z", "a\tb", "\xF0\x9F\x98\x80"};
  size_t n = 0, at = from, token = 0;
  for (size_t i = 0; i < surfaces; i++) {
    for (; at < start[i]; at++) own[n++] = text.p[at];
    at = end[i];
    const uint32_t k = count[i];
    if (k) {
      on_buf surface = {0};
      on_utf8_append(&surface, on_str16_sub(text, start[i], end[i]));
      doc->mwts[doc->mwt_count++] =
          (on_mwt){(uint32_t)token, k, start[i], end[i], on_arena_str(&doc->arena, on_buf_view(&surface))};
      on_buf_free(&surface);
      doc->respelled |= k > 1;
      for (uint32_t j = 0; j < k; j++) {
        doc->source_start[token] = start[i];
        doc->source_end[token] = end[i];
        doc->start[token] = (uint32_t)n;
        if (k > 1) {
          own[n++] = 'w';
        } else {
          for (size_t u = start[i]; u < end[i]; u++) own[n++] = text.p[u];
        }
        doc->end[token] = (uint32_t)n;
        doc->form[token] = on_str_c(PICK(r, forms));
        doc->sent_start[token] |= j == 0 && on_random_below(r, 3) == 0;
        token++;
      }
      continue;
    }
    doc->source_start[token] = start[i];
    doc->source_end[token] = end[i];
    doc->start[token] = (uint32_t)n;
    for (size_t u = start[i]; u < end[i]; u++) own[n++] = text.p[u];
    doc->end[token] = (uint32_t)n;
    doc->sent_start[token] |= on_random_below(r, 3) == 0;
    token++;
  }
  for (; at < to; at++) own[n++] = text.p[at];
  doc->text = (on_str16){own, n};
}

static void text_comes_back(void **state) {
  (void)state;
  on_random r;
  on_random_seed(&r, 20240607);
  on_doc doc;
  on_doc_init(&doc);
  on_buf file = {0}, original = {0}, rebuilt = {0};
  size_t tried = 0;
  for (size_t round = 0; round < 40000; round++) {
    uint16_t units[128];
    const on_str16 text = {units, random_text(&r, units, 128)};
    const bool gaps = on_random_below(&r, 4) == 0;
    on_buf_clear(&file);
    on_buf_clear(&original);
    on_buf_clear(&rebuilt);
    on_conllu_writer writer = {.next_sentence = 1};
    for (size_t from = 0; from < text.n;) {
      const size_t to = gaps ? text.n : on_next_paragraph(text, from);
      random_doc(&r, &doc, text, from, to, gaps);
      writer.new_paragraph = from > 0;
      on_error error;
      assert_true(on_conllu_write_doc(&file, &doc, &writer, &error));
      from = to;
    }
    if (writer.next_sentence == 1) continue;
    tried++;
    on_utf8_append(&original, text);
    on_conllu_reader *reader = on_conllu_open(on_buf_view(&file), NULL);
    on_conllu_sentence sentence = {0};
    on_error error;
    int got;
    while ((got = on_conllu_next(reader, &sentence, &error)) > 0) on_conllu_rebuild_text(&rebuilt, &sentence);
    if (got < 0) fail_msg("round %zu: %s\n%.*s", round, error.text, (int)file.n, file.p);
    if (!on_str_eq(on_buf_view(&original), on_buf_view(&rebuilt))) {
      fail_msg("round %zu: text '%.*s' came back as '%.*s' from\n%.*s", round, (int)original.n, original.p,
               (int)rebuilt.n, rebuilt.p, (int)file.n, file.p);
    }
    on_conllu_sentence_free(&sentence);
    on_conllu_close(reader);
  }
  assert_true(tried > 30000);
  on_doc_free(&doc);
  on_buf_free(&file);
  on_buf_free(&original);
  on_buf_free(&rebuilt);
}

/* The same on a text with the conventions of treebanks: nothing said of paragraphs. */
static void treebank_paragraphs(void **state) {
  (void)state;
  parsed p;
  parse(&p,
        "#␣newpar\n1 a _ _ _ _ _ _ _ _\n\n#␣sent_id␣=␣2\n1 b _ _ _ _ _ _ _ SpaceAfter=No\n\n"
        "1 c _ _ _ _ _ _ _ _\n\n#␣newdoc\n1-2 dx _ _ _ _ _ _ _ SpaceAfter=No\n1 d _ _ _ _ _ _ _ _\n"
        "2 x _ _ _ _ _ _ _ _\n\n#␣newpar\n1 e _ _ _ _ _ _ _ SpacesAfter=No\n2 f _ _ _ _ _ _ _ SpacesAfter=\\n\n\n"
        "#␣newpar\n1 g _ _ _ _ _ _ _ _\n\n");
  on_buf text = {0};
  for (size_t i = 0; i < p.count; i++) on_conllu_rebuild_text(&text, &p.list[i]);
  assert_str(on_buf_view(&text), "a bc\n\ndx\n\nef\ng ");
  on_buf_clear(&text);
  for (size_t i = 0; i < p.count; i++) on_conllu_raw_text(&text, &p.list[i], i == 0);
  assert_str(on_buf_view(&text), "a b c\n\ndx\n\nef\n\ng");
  on_buf_free(&text);
  parsed_free(&p);
}

static void out_of_memory(void **state) {
  (void)state;
  on_doc doc;
  split_at_spaces(&doc, "a b\tc");
  static on_str form[] = {{"x", 1}, {NULL, 0}, {NULL, 0}};
  doc.form = form;
  size_t failures = 0;
  for (size_t n = 1; n < 50; n++) {
    on_buf out = {0};
    on_conllu_writer writer = {.next_sentence = 1};
    on_error error = {0};
    on_alloc_fail_at(n, 1);
    const bool ok = on_conllu_write_doc(&out, &doc, &writer, &error);
    on_alloc_fail_at(0, 0);
    if (!ok) assert_int_equal(error.code, ON_OUT_OF_MEMORY);
    failures += !ok;
    on_buf_free(&out);
  }
  assert_in_range(failures, 2, 48);
  on_doc_free(&doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(white_space),         cmocka_unit_test(columns_and_entities),
      cmocka_unit_test(ranges_and_forms),    cmocka_unit_test(text_comes_back),
      cmocka_unit_test(treebank_paragraphs), cmocka_unit_test(out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

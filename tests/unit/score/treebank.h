/* What the tests of the scores share: lists of sentences, from CoNLL-U or from a short notation. */
#ifndef ONENLP_TESTS_SCORE_TREEBANK_H
#define ONENLP_TESTS_SCORE_TREEBANK_H

#include "test.h"

#include "base/alloc.h"
#include "score/score.h"

typedef struct treebank {
  on_buf bytes;
  on_conllu_sentence **list;
  size_t count, room;
} treebank;

/* Reads the sentences of t->bytes. */
static inline void treebank_parse(treebank *t) {
  on_error error;
  on_conllu_reader *reader = on_conllu_open(on_buf_view(&t->bytes), NULL);
  assert_non_null(reader);
  for (;;) {
    on_conllu_sentence *sentence = calloc(1, sizeof *sentence);
    assert_non_null(sentence);
    int got = on_conllu_next(reader, sentence, &error);
    if (got < 0) fail_msg("%s", error.text);
    if (got == 0) {
      on_conllu_sentence_free(sentence);
      free(sentence);
      break;
    }
    assert_true(on_grow((void **)&t->list, &t->room, t->count + 1, sizeof *t->list));
    t->list[t->count++] = sentence;
  }
  on_conllu_close(reader);
}

/* CoNLL-U with blanks instead of tabs; "␣" (U+2423) stands for a blank. */
static inline void treebank_conllu(treebank *t, const char *text) {
  *t = (treebank){0};
  for (const char *p = text; *p; p++) {
    if (strncmp(p, "\xE2\x90\xA3", 3) == 0) {
      on_buf_char(&t->bytes, ' ');
      p += 2;
    } else {
      on_buf_char(&t->bytes, *p == ' ' ? '\t' : *p);
    }
  }
  assert_false(t->bytes.failed);
  treebank_parse(t);
}

/* Words separated by blanks; "abc(a b)" is the range abc of the words a and b; "/" ends a sentence. The first
 * word of a sentence is its root and the head of the others. */
static inline void treebank_words(treebank *t, const char *text) {
  *t = (treebank){0};
  int number = 0, inside = 0;
  for (const char *p = text; *p;) {
    size_t n = strcspn(p, " ()/");
    if (n > 0 && p[n] == '(') {
      int count = 1;
      for (const char *q = p + n; *q != ')'; q++) count += *q == ' ';
      on_buf_format(&t->bytes, "%d-%d\t%.*s\t_\t_\t_\t_\t_\t_\t_\t_\n", number + 1, number + count, (int)n, p);
      inside = 1;
    } else if (n > 0) {
      number++;
      on_buf_format(&t->bytes, "%d\t%.*s\t_\tX\t_\t_\t%d\t_\t_\t_\n", number, (int)n, p, number > 1);
    }
    p += n;
    if (*p == '/') {
      on_buf_char(&t->bytes, '\n');
      number = 0;
    }
    if (*p == ')') inside = 0;
    if (*p) p++;
  }
  assert_false(inside || t->bytes.failed);
  treebank_parse(t);
}

static inline void treebank_free(treebank *t) {
  for (size_t i = 0; i < t->count; i++) {
    on_conllu_sentence_free(t->list[i]);
    free(t->list[i]);
  }
  on_free(t->list);
  on_buf_free(&t->bytes);
  *t = (treebank){0};
}

static inline bool treebank_evaluate(const treebank *gold, const treebank *system, on_conll18 *out, on_error *error) {
  return on_conll18_evaluate((const on_conllu_sentence *const *)gold->list, gold->count,
                             (const on_conllu_sentence *const *)system->list, system->count, out, error);
}

/* Frees both. */
static inline on_conll18 treebank_scores(treebank *gold, treebank *system) {
  on_conll18 scores;
  on_error error = {0};
  if (!treebank_evaluate(gold, system, &scores, &error)) fail_msg("%s", error.text);
  treebank_free(gold);
  treebank_free(system);
  return scores;
}

static inline void assert_counts(const on_conll18 *scores, on_metric metric, int correct, int gold, int system) {
  const on_score *s = &scores->metrics[metric];
  if (s->correct != (uint64_t)correct || s->gold != (uint64_t)gold || s->system != (uint64_t)system) {
    fail_msg("%s: %d correct, %d gold, %d system; expected %d, %d, %d", on_metric_name(metric), (int)s->correct,
             (int)s->gold, (int)s->system, correct, gold, system);
  }
}

#endif

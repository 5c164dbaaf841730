// Scores. The CoNLL 2018 shared-task metrics (Zeman et al. 2018) over CoNLL-U sentences.
#ifndef ON_SCORE_SCORE_H
#define ON_SCORE_SCORE_H

#include "base/buffer.h"
#include "base/error.h"
#include "format/conllu.h"

typedef enum on_metric {
  ON_TOKENS, ON_SENTENCES, ON_WORDS, ON_UPOS, ON_XPOS, ON_UFEATS, ON_ALLTAGS, ON_LEMMAS,
  ON_UAS, ON_LAS, ON_CLAS, ON_MLAS, ON_BLEX, ON_METRICS
} on_metric;

const char *on_metric_name(on_metric metric);  // "Tokens", ...

typedef struct on_score {
  bool present;     // both files have the column; else the table prints "-" and the counts are 0
  bool on_aligned;  // the metric compares aligned words: all but Tokens, Sentences and Words
  uint64_t gold, system, correct, aligned;
} on_score;

// 0 where nothing is counted.
double on_score_precision(const on_score *score);         // correct / system, 0..1
double on_score_recall(const on_score *score);            // correct / gold
double on_score_f1(const on_score *score);
double on_score_aligned_accuracy(const on_score *score);  // correct / aligned words; < 0: not defined

typedef struct on_conll18 {
  on_score metrics[ON_METRICS];
} on_conll18;

// Compares two annotations of the same text (open point 15). Sentences are taken one after another from
// the two lists. The concatenated forms without white space (Unicode category Zs) must be equal: else
// ON_DATA_FORMAT with the gold line where they part and both contexts in the message.
//
// A column is missing where no word of a file sets it. UPOS, XPOS, UFeats, Lemmas, UAS and LAS need theirs
// in both files, as do CLAS, MLAS and BLEX the tree (HEAD and DEPREL) and BLEX the LEMMA. Of the tags that
// AllTags and MLAS combine, one that only one file has makes the metric absent; one that neither has is
// left out of the comparison, as long as another is left.
//
// Where trees are compared, every sentence of both files must be one: each word with a HEAD, exactly one
// root, no cycle; else ON_DATA_FORMAT, as the shared task refuses such a file.
//
// Linear time but for the alignment inside multiword regions: see ud_align.h for its bound.
bool on_conll18_evaluate(const on_conllu_sentence *const *gold, size_t gold_count,
                         const on_conllu_sentence *const *system, size_t system_count, on_conll18 *out,
                         on_error *error);

// The layout of the shared task's verbose table, every line with its line end.
void on_conll18_table(on_buf *out, const on_conll18 *scores);
// One object, without a line end: a member per metric, null where the metric is not present, else an object
// of precision, recall, f1 and alignedAccuracy (null where not defined) from 0 to 1 and of the counts gold,
// system, correct and (where the metric compares aligned words) aligned.
void on_conll18_json(on_buf *out, const on_conll18 *scores);

#endif

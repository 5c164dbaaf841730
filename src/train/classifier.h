// Training of an output layer (head/output.h), one level or two, by softmax cross entropy; and the label
// counts from which label sets are made.
#ifndef ON_TRAIN_CLASSIFIER_H
#define ON_TRAIN_CLASSIFIER_H

#include "base/map.h"
#include "head/labels.h"
#include "head/output.h"
#include "train/kinds.h"

void on_classifier_init(const on_output *output, on_random *random);

// target[m]: a label, or -1 for a row that does not count; rows[m]: how many times each counts (NULL: once). Adds
// scale times the gradient to dh and to the parameters' gradients; head dropout is applied inside. False: out of
// memory.
bool on_classifier_step(const on_output *output, on_train_step *step, const float *h, float *dh, const int32_t *target,
                        const float *rows, float scale, on_train_loss *loss);

// Counts of label strings; keys are copied.
typedef struct on_label_counts {
  on_arena arena;
  on_map map;       // key to index
  on_str *keys;
  uint64_t *counts;
  size_t n, key_cap, count_cap;
} on_label_counts;

bool on_label_count(on_label_counts *counts, on_str label);
// Appends `"labels": [...]` in falling order of frequency, ties in byte order; those seen fewer than
// `min_count` times are left out.
bool on_label_counts_write(on_label_counts *counts, uint64_t min_count, on_buf *out);
void on_label_counts_free(on_label_counts *counts);
// The end of `infer` of a head whose labels alone are found in the data: appends the config and frees the counts.
// ok: false when counting ran out of memory, which is then what fails.
bool on_label_counts_end(on_label_counts *counts, bool ok, const on_json *given, on_buf *out, on_error *error);

// A head trainer's state that is a map from label to index (labels borrowed), and its end. NULL: out of memory.
void *on_label_map_start(const on_labels *labels, on_arena *arena);
void on_label_map_stop(void *state);
// The label's index, or -1 when it is not in the map or p NULL.
int32_t on_label_target(const on_map *map, on_str label);

// Copies the members of the recipe's config other than `labels` into an object that the caller goes on with:
// appends `{` and those members, each followed by ", ". given may be NULL.
void on_config_begin(on_buf *out, const on_json *given);

#endif

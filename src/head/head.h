// Heads: from token vectors to columns of the Doc. A kind is one file and one row of the registry; its
// training half stands in src/train under the same file name. No head knows another.
#ifndef ON_HEAD_HEAD_H
#define ON_HEAD_HEAD_H

#include "doc/doc.h"
#include "format/json.h"
#include "nn/param.h"
#include "nn/workspace.h"

typedef struct on_head on_head;

typedef struct on_head_kind {
  const char *name;
  // Reads the config of a component (errors name `path`, e.g. "components[2].config"), declares the
  // parameters in file order. `width` is that of the encoder it reads. All memory is the arena's; label
  // strings may be borrowed from `config`, which lives as long as the head.
  bool (*create)(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                 on_error *error);
  void (*write_config)(const on_head *head, on_buf *out);  // appends the config as a JSON object
  bool (*prepare)(on_head *head, on_arena *arena, on_error *error);
  // Reads vectors h[doc->n][width], writes columns of the Doc. Label strings in the Doc are borrowed from
  // the head. Fails only without memory.
  bool (*run)(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, on_error *error);
  // A kind that judges a whole text, which comes in units, has these instead of `run` (NULL):
  size_t (*sum_count)(const on_head *head);  // how many numbers it sums up over the units
  void (*sum_up)(const on_head *head, const float *h, const on_doc *doc, double *sums);  // adds the unit's
  // Adds what the sums of all units say to the Doc, which is the text's last unit so far.
  bool (*conclude)(const on_head *head, on_workspace *workspace, const double *sums, on_doc *doc, on_error *error);
} on_head_kind;

struct on_head {
  const on_head_kind *kind;
  uint32_t width;
  on_params params;
  void *state;
};

const on_head_kind *on_head_kind_find(on_str name);
const on_head_kind *on_head_kind_at(size_t i);  // NULL at the end

#endif

// A workspace: everything that changes while a pipeline annotates. One per thread; the pipeline itself
// is immutable and shared.
#ifndef ON_NN_WORKSPACE_H
#define ON_NN_WORKSPACE_H

#include "base/arena.h"
#include "nn/kernels.h"

struct on_vectors;

typedef struct on_workspace {
  const on_kernels *kernels;
  on_arena scratch;        // reset for every annotation unit
  on_arena kept;           // caches that live as long as the workspace
  void **encoder_cache;    // one slot per encoder of the pipeline; each encoder kind fills its own
  size_t encoder_count;
  bool waiting;            // set by an encoder that failed because its vectors come later: the unit can be tried again
  struct on_vectors *vectors;  // those that the head now running reads (vectors.h), or NULL
  const struct on_vectors *ahead;  // one for each encoder: vectors of the Doc that is annotated next, as far as they are
                                   // there already (h not NULL); or NULL
  float span_floor;        // for evaluations: spans of at least this score are kept instead of those that reach
                           // their head's threshold; 0: the threshold
} on_workspace;

// False: out of memory. kernels NULL: the best of this machine.
bool on_workspace_init(on_workspace *workspace, size_t encoder_count, const on_kernels *kernels);
void on_workspace_free(on_workspace *workspace);

#endif

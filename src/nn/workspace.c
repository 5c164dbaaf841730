#include "nn/workspace.h"

#include "base/alloc.h"

bool on_workspace_init(on_workspace *workspace, size_t encoder_count, const on_kernels *kernels) {
  *workspace = (on_workspace){.kernels = kernels ? kernels : on_kernels_best(), .encoder_count = encoder_count};
  workspace->encoder_cache = on_calloc(encoder_count + 1, sizeof *workspace->encoder_cache);
  return workspace->encoder_cache != NULL;
}

void on_workspace_free(on_workspace *workspace) {
  on_arena_free(&workspace->scratch);
  on_arena_free(&workspace->kept);
  on_free(workspace->encoder_cache);
  *workspace = (on_workspace){0};
}

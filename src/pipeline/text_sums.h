// Heads that judge a whole text (open point 9), which comes in units: what they sum up over them.
#ifndef ON_PIPELINE_TEXT_SUMS_H
#define ON_PIPELINE_TEXT_SUMS_H

#include "pipeline/pipeline.h"

// To be called after on_pipeline_run for every unit of a text, in order: makes what these heads say of the unit
// alone what they say of the text up to the unit's end. Sums run in the order of units whoever annotated them,
// so that blocks of a text that threads annotate give the same bits.
bool on_text_sums_add(on_text_sums *sums, const on_pipeline *pipeline, on_workspace *workspace,
                      const uint8_t *components, on_doc *doc, on_error *error);
void on_text_sums_free(on_text_sums *sums);

#endif

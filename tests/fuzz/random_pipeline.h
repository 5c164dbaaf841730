// Pipelines whose weights are as good as random, for targets that need one that works.
#ifndef ON_FUZZ_RANDOM_PIPELINE_H
#define ON_FUZZ_RANDOM_PIPELINE_H

#include "base/buffer.h"
#include "onenlp.h"
#include "pipeline/pipeline.h"

// Gives a pipeline that was made from a config its weights.
void random_weights(on_pipeline *pipeline, uint64_t seed);
// Appends the file of a config and such weights. Aborts where it cannot.
void random_pipeline(const char *config, uint64_t seed, on_buf *file);
// The same, loaded; it lives until the program ends, so call it once.
const onenlp_pipeline *random_pipeline_loaded(const char *config, uint64_t seed);
// An annotator of it, or of any pipeline. Aborts where there is none.
onenlp_annotator *new_annotator(const onenlp_pipeline *pipeline);
// Its output so far.
on_str output_of(onenlp_annotator *annotator);

// English from text to trees and entities, small enough for thousands of runs a second.
extern const char english_config[];

#endif

// A pipeline file of arbitrary bytes: an error that says something, or a pipeline that annotates a text and is
// saved and loaded as the same bytes.
#include <stdlib.h>

#include "onenlp.h"
#include "pipeline/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void annotate(const void *file, size_t size) {
  static const char text[] = "Ada doesn't know. \xF0\x9F\x98\x80 \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D\n\nNo. 2";
  onenlp_pipeline *pipeline = onenlp_load(file, size, ONENLP_BORROW, NULL);
  onenlp_annotator *annotator = pipeline ? onenlp_annotator_new(pipeline, NULL) : NULL;
  if (!annotator) abort();
  for (int format = 0; format <= ONENLP_TO_COLUMN_BLOCKS; format++) {
    if (!onenlp_annotate(annotator, ONENLP_FROM_TEXT, text, sizeof text - 1, (onenlp_output_format)format, NULL, NULL,
                         NULL)) {
      abort();
    }
  }
  onenlp_annotator_free(annotator);
  onenlp_pipeline_free(pipeline);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  on_pipeline pipeline, again;
  on_error error = {0};
  if (!on_pipeline_load(&pipeline, (on_str){(const char *)data, size}, &error)) {
    if (error.code == ON_OK || !error.text[0] || error.position < -1 || error.position > (int64_t)size) abort();
    return 0;
  }
  on_buf first = {0}, second = {0};
  if (!on_pipeline_save(&pipeline, pipeline.meta, pipeline.meta_count, &first, &error)) abort();
  if (!on_pipeline_load(&again, on_buf_view(&first), &error)) abort();
  if (!on_pipeline_save(&again, again.meta, again.meta_count, &second, &error)) abort();
  if (!on_str_eq(on_buf_view(&first), on_buf_view(&second))) abort();
  on_pipeline_free(&again);
  on_pipeline_free(&pipeline);
  annotate(first.p, first.n);
  on_buf_free(&first);
  on_buf_free(&second);
  return 0;
}

// CoNLL-U and JSON Lines of any bytes through a whole pipeline, into every output: an error of the format, or
// CoNLL-U and JSON that our readers take. The first byte chooses the input and the output.
#include <stdlib.h>

#include "format/conllu.h"
#include "format/json.h"
#include "random_pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUTS = 3, OUTPUTS = 5 };

static void check_conllu(on_str conllu) {
  on_conllu_reader *reader = on_conllu_open(conllu, NULL);
  on_conllu_sentence sentence = {0};
  int got;
  while ((got = on_conllu_next(reader, &sentence, NULL)) == 1) continue;
  if (got != 0) abort();
  on_conllu_sentence_free(&sentence);
  on_conllu_close(reader);
}

static void check_lines(on_str lines) {
  for (size_t from = 0, to; from < lines.n; from = to + 1) {
    to = from;
    while (to < lines.n && lines.p[to] != '\n') to++;
    on_json *line = on_json_parse_line(on_str_sub(lines, from, to), NULL);
    if (!line) abort();
    on_json_free(line);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const onenlp_pipeline *pipeline;
  static onenlp_annotator *annotator;
  if (!pipeline) pipeline = random_pipeline_loaded(english_config, 5);
  if (!annotator) annotator = new_annotator(pipeline);
  if (size == 0) return 0;
  static const onenlp_input inputs[INPUTS] = {ONENLP_FROM_CONLLU, ONENLP_FROM_CONLLU_TOKENS, ONENLP_FROM_JSONL};
  const onenlp_input input = inputs[data[0] % INPUTS];
  const onenlp_output_format format = (onenlp_output_format)(data[0] / INPUTS % OUTPUTS);
  onenlp_error error;
  if (!onenlp_annotate(annotator, input, data + 1, size - 1, format, NULL, NULL, &error)) {
    if (error.code != ONENLP_DATA_FORMAT || error.position < 1 || strncmp(error.text, "line ", 5) != 0) abort();
  } else if (format == ONENLP_TO_CONLLU || format == ONENLP_TO_COLUMNS_CONLLU) {
    check_conllu(output_of(annotator));
  } else if (format != ONENLP_TO_COLUMNS) {
    check_lines(output_of(annotator));
  }
  onenlp_buffer *scores = onenlp_buffer_new();
  if (!scores) abort();
  if (input == ONENLP_FROM_JSONL) {
    onenlp_evaluate_jsonl(pipeline, data + 1, size - 1, data[0] >> 7, ONENLP_JSON, scores, NULL, NULL, NULL);
  }
  onenlp_buffer_free(scores);
  return 0;
}

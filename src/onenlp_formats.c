// Formats and scores of the public interface, without a pipeline.
#include "base/alloc.h"
#include "onenlp_internal.h"
#include "score/evaluate.h"
#include "score/score.h"

void onenlp_free_sentences(onenlp_sentences *sentences) {
  for (size_t i = 0; i < sentences->cap; i++) on_conllu_sentence_free(&sentences->list[i]);
  on_free(sentences->list);
}

bool onenlp_read_sentences(onenlp_sentences *sentences, on_str bytes, on_error *error) {
  on_conllu_reader *reader = on_conllu_open(bytes, NULL);
  if (!reader) return on_fail_memory(error);
  int got;
  do {
    size_t before = sentences->cap;
    void *list = sentences->list;
    if (!on_grow(&list, &sentences->cap, sentences->n + 1, sizeof *sentences->list)) {
      on_conllu_close(reader);
      return on_fail_memory(error);
    }
    sentences->list = list;
    for (size_t i = before; i < sentences->cap; i++) sentences->list[i] = (on_conllu_sentence){0};
    got = on_conllu_next(reader, &sentences->list[sentences->n], error);
    if (got == 1) sentences->n++;
  } while (got == 1);
  on_conllu_close(reader);
  return got == 0;
}

static bool evaluate(const onenlp_sentences *gold, const onenlp_sentences *system, on_conll18 *scores,
                     on_error *error) {
  const on_conllu_sentence **lists = on_malloc((gold->n + system->n + 1) * sizeof *lists);
  if (!lists) return on_fail_memory(error);
  for (size_t i = 0; i < gold->n; i++) lists[i] = &gold->list[i];
  for (size_t i = 0; i < system->n; i++) lists[gold->n + i] = &system->list[i];
  bool ok = on_conll18_evaluate(lists, gold->n, lists + gold->n, system->n, scores, error);
  on_free(lists);
  return ok;
}

int onenlp_evaluate(const void *gold, size_t gold_size, const void *system, size_t system_size, onenlp_style style,
                    onenlp_buffer *out, onenlp_error *error) {
  onenlp_sentences golds = {0}, systems = {0};
  on_conll18 scores;
  on_error inner = {0};
  bool ok = onenlp_read_sentences(&golds, (on_str){gold, gold_size}, &inner) || on_fail_context(&inner, "gold");
  ok = ok && (onenlp_read_sentences(&systems, (on_str){system, system_size}, &inner) ||
              on_fail_context(&inner, "system"));
  ok = ok && evaluate(&golds, &systems, &scores, &inner);
  onenlp_free_sentences(&golds);
  onenlp_free_sentences(&systems);
  if (!ok) return onenlp_report(error, &inner);
  if (style == ONENLP_JSON) {
    on_conll18_json(&out->buf, &scores);
    on_buf_char(&out->buf, '\n');
  } else {
    on_conll18_table(&out->buf, &scores);
  }
  if (!out->buf.failed) return 1;
  on_fail_memory(&inner);
  return onenlp_report(error, &inner);
}

static int write_examples(bool ok, on_example_scores *scores, onenlp_style style, onenlp_buffer *out,
                          onenlp_error *error, on_error *inner) {
  ok = ok && on_example_scores_write(scores, style == ONENLP_JSON, &out->buf, inner);
  on_example_scores_free(scores);
  return ok ? 1 : onenlp_report(error, inner);
}

typedef struct watch {
  onenlp_progress_callback *call;
  void *context;
} watch;

static int tell(void *context, uint64_t done, uint64_t total, uint64_t words) {
  (void)words;
  const watch *w = context;
  return w->call(w->context, done, total);
}

int onenlp_evaluate_jsonl(const onenlp_pipeline *pipeline, const void *gold, size_t gold_size, int gold_tokens,
                          onenlp_style style, onenlp_buffer *out, onenlp_progress_callback *progress, void *context,
                          onenlp_error *error) {
  watch w = {progress, context};
  on_evaluation how = {.pipeline = &pipeline->pipeline, .gold_tokens = gold_tokens != 0,
                       .progress = progress ? tell : NULL, .context = &w};
  on_example_scores scores = {0};
  on_error inner = {0};
  bool ok = on_evaluate_jsonl(&how, (on_str){gold, gold_size}, &scores, &inner);
  return write_examples(ok, &scores, style, out, error, &inner);
}

int onenlp_compare_jsonl(const void *gold, size_t gold_size, const void *system, size_t system_size, onenlp_style style,
                         onenlp_buffer *out, onenlp_error *error) {
  on_example_scores scores = {0};
  on_error inner = {0};
  bool ok = on_compare_jsonl((on_str){gold, gold_size}, (on_str){system, system_size}, &scores, &inner);
  return write_examples(ok, &scores, style, out, error, &inner);
}

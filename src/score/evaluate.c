#include "score/evaluate.h"

#include "doc/cut.h"
#include "format/jsonl.h"
#include "head/spancat.h"
#include "head/textcat.h"
#include "pipeline/text_sums.h"
#include "pipeline/tokenize_doc.h"

// Spans below their head's threshold are wanted, too, to find the best one; those below this are not worth it.
static const float SPAN_FLOOR = 0.02f;

typedef struct evaluator {
  const on_evaluation *how;
  on_workspace workspace;
  on_example_scores *scores;
  on_doc gold, unit;
  uint64_t words;
} evaluator;

static bool read_heads(evaluator *e, on_error *error) {
  const on_pipeline *pipeline = e->how->pipeline;
  for (size_t i = 0; i < pipeline->component_count; i++) {
    const on_component *component = &pipeline->components[i];
    if (component->type != ON_COMPONENT_HEAD) continue;
    if (component->head.kind == &on_spancat_kind) {
      const on_spancat *spancat = component->head.state;
      if (!on_example_scores_threshold(e->scores, spancat->key, spancat->threshold, error)) return false;
    } else if (component->head.kind == &on_textcat_kind) {
      const on_textcat *textcat = component->head.state;
      if (textcat->multi_label) e->scores->multi_label = true;
    }
  }
  return true;
}

static bool run_text(evaluator *e, on_error *error) {
  on_text_run run;
  on_text_begin(&run, e->how->pipeline, &e->workspace, NULL, e->gold.source);
  int got;
  while ((got = on_text_next(&run, &e->unit, error)) == 1) {
    e->words += e->unit.n;
    if (on_example_scores_system(e->scores, &e->gold, &e->unit, error)) continue;
    got = -1;
    break;
  }
  on_text_end(&run);
  return got == 0;
}

static bool run_tokens(evaluator *e, on_error *error) {
  on_doc_cut cut = {.doc = &e->gold};
  on_text_sums sums = {0};
  size_t first, end;
  bool ok = true;
  while (ok && on_doc_cut_next(&cut, &first, &end)) {
    ok = on_doc_part(&e->gold, first, end, &e->unit) || on_fail_memory(error);
    on_doc_clear_labels(&e->unit);
    ok = ok && on_pipeline_run(e->how->pipeline, &e->workspace, NULL, &e->unit, error) &&
         on_text_sums_add(&sums, e->how->pipeline, &e->workspace, NULL, &e->unit, error) &&
         on_example_scores_system(e->scores, &e->gold, &e->unit, error);
    e->words += e->unit.n;
  }
  on_text_sums_free(&sums);
  return ok;
}

// *no_tokens becomes true when a line gives no tokens.
static bool run_all(evaluator *e, on_jsonl_reader *reader, bool *no_tokens, uint64_t total, on_error *error) {
  for (;;) {
    *no_tokens = false;
    int got = on_jsonl_next(reader, &e->gold, error);
    if (got <= 0) return got == 0;
    if (!on_example_scores_gold(e->scores, &e->gold, error)) return false;
    bool tokens = e->how->gold_tokens && !*no_tokens;
    if (!(tokens ? run_tokens : run_text)(e, error)) return false;
    if (e->how->progress && e->how->progress(e->how->context, on_jsonl_offset(reader), total, e->words)) {
      return on_fail(error, ON_CANCELLED, -1, "evaluating was cancelled");
    }
  }
}

bool on_evaluate_jsonl(const on_evaluation *evaluation, on_str gold, on_example_scores *scores, on_error *error) {
  bool no_tokens = false;
  on_jsonl_options options = {.tokenizer = on_tokenize_characters, .context = &no_tokens};
  evaluator e = {.how = evaluation, .scores = scores};
  on_jsonl_reader *reader = on_jsonl_open(gold, &options);
  bool ok = on_workspace_init(&e.workspace, evaluation->pipeline->encoder_count, NULL) && reader;
  e.workspace.span_floor = SPAN_FLOOR;
  on_doc_init(&e.gold);
  on_doc_init(&e.unit);
  ok = ok ? read_heads(&e, error) && run_all(&e, reader, &no_tokens, gold.n, error) : on_fail_memory(error);
  on_doc_free(&e.unit);
  on_doc_free(&e.gold);
  if (reader) on_jsonl_close(reader);
  on_workspace_free(&e.workspace);
  return ok;
}

bool on_compare_jsonl(on_str gold, on_str system, on_example_scores *scores, on_error *error) {
  on_jsonl_options options = {.tokenizer = on_tokenize_characters};
  on_jsonl_reader *readers[2] = {on_jsonl_open(gold, &options), on_jsonl_open(system, &options)};
  on_doc docs[2] = {0};
  bool ok = (readers[0] && readers[1]) || on_fail_memory(error);
  while (ok) {
    int got = on_jsonl_next(readers[0], &docs[0], error);
    if (got < 0) ok = on_fail_context(error, "gold");
    int got_system = ok ? on_jsonl_next(readers[1], &docs[1], error) : -1;
    if (ok && got_system < 0) ok = on_fail_context(error, "system");
    if (!ok || (got == 0 && got_system == 0)) break;
    if (got != got_system) {
      ok = on_fail(error, ON_DATA_FORMAT, on_jsonl_line(readers[0]), "%s has more lines than %s",
                   got ? "gold" : "system", got ? "system" : "gold");
    } else if (!on_str16_eq(docs[0].source, docs[1].source)) {
      ok = on_fail(error, ON_DATA_FORMAT, on_jsonl_line(readers[0]),
                   "line %lld of gold and line %lld of system have different texts",
                   (long long)on_jsonl_line(readers[0]), (long long)on_jsonl_line(readers[1]));
    } else {
      ok = on_example_scores_gold(scores, &docs[0], error) &&
           on_example_scores_system(scores, &docs[0], &docs[1], error);
    }
  }
  for (int i = 0; i < 2; i++) {
    on_doc_free(&docs[i]);
    if (readers[i]) on_jsonl_close(readers[i]);
  }
  return ok;
}

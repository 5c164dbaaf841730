#include "head/spancat.h"

#include "head/textcat.h"

static bool read_sizes(on_spancat *spancat, const on_json *config, const char *path, on_error *error) {
  const on_json *array = on_json_get(config, "sizes");
  if (!array || on_json_type(array) != ON_JSON_ARRAY) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.sizes: an array of span lengths is required", path);
  }
  size_t count = on_json_count(array);
  if (count < 1 || count > ON_MAX_SPAN_SIZES) {
    return on_fail(error, ON_INVALID_DATA, -1, "%s.sizes: %zu sizes, want 1 to %d", path, count, ON_MAX_SPAN_SIZES);
  }
  uint8_t seen[ON_MAX_SPAN_SIZE + 1] = {0};
  for (const on_json *item = on_json_first(array); item; item = on_json_next(item)) {
    int64_t size;
    if (!on_json_as_int(item, 1, ON_MAX_SPAN_SIZE, &size)) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.sizes[%u]: want a whole number from 1 to %d", path,
                     spancat->size_count, ON_MAX_SPAN_SIZE);
    }
    if (seen[size]++) {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.sizes[%u]: %d is there already", path, spancat->size_count,
                     (int)size);
    }
    spancat->sizes[spancat->size_count++] = (uint32_t)size;
  }
  uint32_t sorted = 0;
  for (uint32_t size = 1; size <= ON_MAX_SPAN_SIZE; size++) {
    if (seen[size]) spancat->sorted[sorted++] = size;
  }
  return true;
}

static bool read_threshold(on_spancat *spancat, const on_json *config, const char *path, on_error *error) {
  const on_json *value = on_json_get(config, "threshold");
  double threshold = value && on_json_type(value) == ON_JSON_NUMBER ? on_json_number(value) : 0;
  spancat->threshold = (float)threshold;
  if (threshold > 0 && threshold <= 1 && spancat->threshold > 0) return true;
  return on_fail(error, ON_INVALID_DATA, -1, "%s.threshold: want a number above 0, at most 1", path);
}

static bool declare(on_head *head, on_spancat *s, on_arena *arena, const char *path, on_error *error) {
  uint32_t width = head->width * 3;
  if (s->hidden) {
    s->weight = on_params_add(&head->params, arena, false, s->hidden, width, "hidden.weight");
    s->bias = on_params_add(&head->params, arena, false, s->hidden, 0, "hidden.bias");
    if (!s->weight || !s->bias) return on_fail_memory(error);
  }
  if (!on_output_declare(&s->output, &head->params, arena, s->hidden ? s->hidden : width, s->labels.n, 0, path,
                         error)) {
    return false;
  }
  if (!s->hidden) {
    s->weight = s->output.weight[0];
    s->bias = s->output.bias[0];
  }
  s->rows = s->weight->shape[0];
  return true;
}

static bool create(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                   on_error *error) {
  on_spancat *s = ON_NEW0(arena, on_spancat, 1);
  if (!s) return on_fail_memory(error);
  head->state = s;
  head->width = width;
  return on_json_text(config, path, "spans_key", true, ON_MAX_SPANS_KEY_UNITS, &s->key, error) &&
         read_sizes(s, config, path, error) && read_threshold(s, config, path, error) &&
         on_hidden_read(config, path, &s->hidden, error) &&
         on_labels_read(&s->labels, arena, config, path, 1, ON_MAX_SPANCAT_LABELS, false, error) &&
         declare(head, s, arena, path, error);
}

static void write_config(const on_head *head, on_buf *out) {
  const on_spancat *s = head->state;
  on_buf_str(out, ON_STR("{\"spans_key\": "));
  on_json_write_string(out, s->key);
  for (uint32_t i = 0; i < s->size_count; i++) {
    on_buf_str(out, i ? ON_STR(", ") : ON_STR(", \"sizes\": ["));
    on_buf_u64(out, s->sizes[i]);
  }
  on_buf_str(out, ON_STR("], \"threshold\": "));
  on_buf_f32(out, s->threshold);
  on_buf_format(out, ", \"hidden\": %u, \"labels\": ", s->hidden);
  on_labels_write(&s->labels, out);
  on_buf_char(out, '}');
}

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_spancat *s = head->state;
  for (uint32_t i = 0; i < 3; i++) {
    s->part[i] = on_param_pack(s->weight, arena, i * head->width, (i + 1) * head->width);
    if (!on_is_packed(&s->part[i])) return on_fail_memory(error);
  }
  s->b = on_param_vector(s->bias, arena);
  if (!s->b) return on_fail_memory(error);
  return !s->hidden || on_output_prepare(&s->output, arena) || on_fail_memory(error);
}

// The layer is linear, so W [mean; first; last] + b is the mean of Wm h over the n-gram's tokens, plus Wf h + b of
// its first and Wl h of its last token: three products per token, and only sums per n-gram. Tokens are taken in
// blocks, n-grams in groups, so that memory does not grow with the Doc or with the number of its n-grams.
enum { STARTS = 512, GROUP = 64 };

typedef struct scorer {
  const on_spancat *s;
  on_workspace *workspace;
  on_doc *doc;
  float least;             // the score that is enough
  float *mean, *first, *last;  // [STARTS + ON_MAX_SPAN_SIZE][rows], of tokens from `from` on
  float *sum;              // [rows]
  float *layer;            // [GROUP][rows]
  float *scores;           // [GROUP][labels]; the same as `layer` without a hidden layer
  uint32_t begins[GROUP], ends[GROUP];
  size_t waiting;          // n-grams in the group
  on_span *spans;
  size_t count, room;
} scorer;

static bool add_span(scorer *c, uint32_t first, uint32_t end, on_str label, float score) {
  if (c->count == c->room) {
    size_t room = c->room ? c->room * 2 : 32;
    on_span *spans = ON_NEW(&c->doc->arena, on_span, room);
    if (!spans) return false;
    if (c->count) memcpy(spans, c->spans, c->count * sizeof *spans);
    c->spans = spans;
    c->room = room;
  }
  c->spans[c->count++] = (on_span){first, end, label, score};
  return true;
}

// Scores the waiting n-grams and keeps what is enough.
static bool flush(scorer *c) {
  const on_spancat *s = c->s;
  const on_kernels *k = c->workspace->kernels;
  size_t labels = s->labels.n, n = c->waiting;
  c->waiting = 0;
  if (s->hidden) {
    k->relu(c->layer, n * s->rows);
    on_linear(k, c->scores, labels, c->layer, s->rows, n, &s->output.packed[0], s->output.b[0], false);
  }
  k->sigmoid(c->scores, n * labels);
  for (size_t i = 0; i < n; i++) {
    for (size_t l = 0; l < labels; l++) {
      float score = c->scores[i * labels + l];
      if (score >= c->least && !add_span(c, c->begins[i], c->ends[i], s->labels.list[l], score)) return false;
    }
  }
  return true;
}

// The n-grams that start at token `from + start`.
static bool add_ngrams(scorer *c, size_t from, size_t start) {
  const on_spancat *s = c->s;
  size_t rows = s->rows, done = 0;
  for (size_t r = 0; r < rows; r++) c->sum[r] = 0;
  for (uint32_t i = 0; i < s->size_count; i++) {
    size_t size = s->sorted[i];
    if (size > c->doc->n - from - start) break;
    for (; done < size; done++) {
      const float *mean = c->mean + (start + done) * rows;
      for (size_t r = 0; r < rows; r++) c->sum[r] += mean[r];
    }
    float *out = c->layer + c->waiting * rows, count = (float)size;
    const float *first = c->first + start * rows, *last = c->last + (start + size - 1) * rows;
    for (size_t r = 0; r < rows; r++) out[r] = c->sum[r] / count + first[r] + last[r];
    c->begins[c->waiting] = (uint32_t)(from + start);
    c->ends[c->waiting++] = (uint32_t)(from + start + size);
    if (c->waiting == GROUP && !flush(c)) return false;
  }
  return true;
}

static bool score_all(scorer *c, const float *h, size_t width) {
  const on_spancat *s = c->s;
  const on_kernels *k = c->workspace->kernels;
  size_t n = c->doc->n, rows = s->rows, longest = s->sorted[s->size_count - 1];
  for (size_t from = 0; from < n; from += STARTS) {
    size_t starts = n - from < STARTS ? n - from : STARTS;
    size_t tokens = n - from < starts + longest - 1 ? n - from : starts + longest - 1;
    const float *x = h + from * width;
    on_linear(k, c->mean, rows, x, width, tokens, &s->part[0], NULL, false);
    on_linear(k, c->first, rows, x, width, starts, &s->part[1], s->b, false);
    on_linear(k, c->last, rows, x, width, tokens, &s->part[2], NULL, false);
    for (size_t start = 0; start < starts; start++) {
      if (!add_ngrams(c, from, start)) return false;
    }
  }
  return c->waiting == 0 || flush(c);
}

static bool run(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, on_error *error) {
  const on_spancat *s = head->state;
  scorer c = {.s = s, .workspace = workspace, .doc = doc};
  c.least = workspace->span_floor > 0 ? workspace->span_floor : s->threshold;
  on_arena *scratch = &workspace->scratch;
  size_t tokens = doc->n < STARTS + ON_MAX_SPAN_SIZE ? doc->n : STARTS + ON_MAX_SPAN_SIZE, rows = s->rows;
  c.mean = ON_NEW(scratch, float, tokens * rows);
  c.first = ON_NEW(scratch, float, tokens * rows);
  c.last = ON_NEW(scratch, float, tokens * rows);
  c.sum = ON_NEW(scratch, float, rows);
  c.layer = ON_NEW(scratch, float, GROUP * rows);
  c.scores = s->hidden ? ON_NEW(scratch, float, GROUP * (size_t)s->labels.n) : c.layer;
  if (!c.mean || !c.first || !c.last || !c.sum || !c.layer || !c.scores) return on_fail_memory(error);
  on_span_group *group = on_doc_group(doc, s->key);
  if (!group) group = on_doc_add_group(doc, s->key);
  if (!group || !score_all(&c, h, head->width)) return on_fail_memory(error);
  // Another head may have filled the group: its spans stand before these.
  if (group->count) {
    on_span *all = ON_NEW(&doc->arena, on_span, group->count + c.count);
    if (!all) return on_fail_memory(error);
    memcpy(all, group->spans, group->count * sizeof *all);
    if (c.count) memcpy(all + group->count, c.spans, c.count * sizeof *all);
    c.spans = all;
    c.count += group->count;
  }
  group->spans = c.spans;
  group->count = c.count;
  return true;
}

const on_head_kind on_spancat_kind = {.name = "spancat", .create = create, .write_config = write_config,
                                      .prepare = prepare, .run = run};

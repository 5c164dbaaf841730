#include "pipeline/inspect.h"

#include "pipeline/tokenizer.h"

typedef struct totals {
  on_buf *out;
  bool json;
  uint64_t tensors, values, bytes;
} totals;

static uint64_t bytes_of(const on_param *param) {
  uint64_t size = (uint64_t)on_param_count(param) * on_dtype_size(param->type);
  return param->type == ON_I8 ? size + (uint64_t)param->shape[0] * 4 : size;  // with its scales
}

static bool show_tensor(void *context, const char *name, on_param *param) {
  totals *t = context;
  on_buf *out = t->out;
  if (t->json) {
    if (t->tensors) on_buf_str(out, ON_STR(", "));
    on_buf_format(out, "{\"name\": \"%s\", \"type\": \"%s\", \"shape\": [%u", name, on_dtype_name(param->type),
                  param->shape[0]);
    if (param->rank == 2) on_buf_format(out, ", %u", param->shape[1]);
    on_buf_format(out, "], \"bytes\": %llu}", (unsigned long long)bytes_of(param));
  } else {
    on_buf shape = {0};
    on_buf_format(&shape, param->rank == 2 ? "[%u, %u]" : "[%u]", param->shape[0], param->shape[1]);
    on_buf_format(out, "  %-40s %-4s %-16.*s %12llu\n", name, on_dtype_name(param->type), (int)shape.n,
                  on_buf_view(&shape).p, (unsigned long long)bytes_of(param));
    out->failed = out->failed || shape.failed;
    on_buf_free(&shape);
  }
  t->tensors++;
  t->values += on_param_count(param);
  t->bytes += bytes_of(param);
  return true;
}

// Text of the file for a terminal: control characters become "?", so that a file cannot speak to it.
static void add_shown(on_buf *out, on_str s) {
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.p[i];
    // U+0080 to U+009F are the control characters that UTF-8 writes as C2 80 to C2 9F.
    bool high_control = c == 0xC2 && i + 1 < s.n && (unsigned char)s.p[i + 1] < 0xA0;
    on_buf_char(out, c < 0x20 || c == 0x7F || high_control ? '?' : (char)c);
    if (high_control) i++;
  }
}

static void show_labels(const on_pipeline *pipeline, size_t component, on_buf *out) {
  enum { SHOWN = 8 };
  const on_json *config = on_pipeline_head_config(pipeline, component);
  const on_json *labels = config ? on_json_get(config, "labels") : NULL;
  if (!labels || on_json_type(labels) != ON_JSON_ARRAY) return;
  size_t count = on_json_count(labels), shown = 0;
  on_buf_format(out, ", %zu label%s:", count, count == 1 ? "" : "s");
  for (const on_json *label = on_json_first(labels); label && shown < SHOWN; label = on_json_next(label), shown++) {
    on_buf_char(out, ' ');
    add_shown(out, on_shorten(on_json_string(label), 40));
  }
  if (count > shown) on_buf_str(out, ON_STR(" ..."));
}

static void show_component(const on_pipeline *pipeline, size_t i, on_buf *out) {
  const on_component *component = &pipeline->components[i];
  on_buf_str(out, ON_STR("  "));
  add_shown(out, component->name);
  if (component->type == ON_COMPONENT_HEAD) {
    on_buf_format(out, ": head %s over encoder %u", component->head.kind->name, component->encoder);
    show_labels(pipeline, i, out);
  } else {
    on_buf_str(out, ON_STR(": builtin"));
    if (component->data) {
      on_buf_str(out, ON_STR(", data "));
      on_buf_str(out, on_segmentation_name(component->data));
    }
  }
  on_buf_char(out, '\n');
}

void on_inspect_table(const on_pipeline *pipeline, size_t file_size, on_buf *out) {
  const on_tokenizer *tokenizer = &pipeline->tokenizer;
  if (file_size) on_buf_format(out, "size: %zu bytes\n", file_size);
  on_buf_str(out, ON_STR("language: "));
  add_shown(out, pipeline->language.p ? pipeline->language : ON_STR("not said"));
  on_buf_format(out, "\ntokenizer: %s", tokenizer->kind->name);
  if (tokenizer->data) {
    on_buf_str(out, ON_STR(", data "));
    on_buf_str(out, on_segmentation_name(tokenizer->data));
  }
  on_buf_format(out, "\nencoders: %zu\n", pipeline->encoder_count);
  for (size_t i = 0; i < pipeline->encoder_count; i++) {
    const on_encoder *encoder = &pipeline->encoders[i];
    on_buf_format(out, "  %zu: %s ", i, encoder->kind->name);
    on_buf settings = {0};
    encoder->kind->write_settings(encoder, &settings);
    // word lists are long, and stand at the end
    on_str shown = on_shorten(on_buf_view(&settings), 1000);
    add_shown(out, shown);
    if (shown.n < settings.n) on_buf_str(out, ON_STR(" ..."));
    out->failed = out->failed || settings.failed;
    on_buf_free(&settings);
    on_buf_char(out, '\n');
  }
  on_buf_format(out, "components: %zu\n", pipeline->component_count);
  for (size_t i = 0; i < pipeline->component_count; i++) show_component(pipeline, i, out);
  on_buf_str(out, ON_STR("tensors:\n"));
  totals t = {.out = out};
  on_pipeline_each_param(pipeline, show_tensor, &t);
  on_buf_format(out, "  %llu tensors, %llu values, %llu bytes\n", (unsigned long long)t.tensors,
                (unsigned long long)t.values, (unsigned long long)t.bytes);
  if (pipeline->meta_count) on_buf_str(out, ON_STR("metadata:\n"));
  for (size_t i = 0; i < pipeline->meta_count; i++) {
    on_buf_str(out, ON_STR("  "));
    add_shown(out, pipeline->meta[i].key);
    on_buf_str(out, ON_STR(": "));
    add_shown(out, pipeline->meta[i].value);
    on_buf_char(out, '\n');
  }
}

void on_inspect_json(const on_pipeline *pipeline, size_t file_size, on_buf *out) {
  on_buf_format(out, "{\"size\": %zu, \"config\": ", file_size);
  on_pipeline_write_config(pipeline, out);
  on_buf_str(out, ON_STR(", \"tensors\": ["));
  totals t = {.out = out, .json = true};
  on_pipeline_each_param(pipeline, show_tensor, &t);
  on_buf_format(out, "], \"values\": %llu, \"bytes\": %llu, \"metadata\": {", (unsigned long long)t.values,
                (unsigned long long)t.bytes);
  for (size_t i = 0; i < pipeline->meta_count; i++) {
    if (i) on_buf_str(out, ON_STR(", "));
    on_json_write_string(out, pipeline->meta[i].key);
    on_buf_str(out, ON_STR(": "));
    on_json_write_string(out, pipeline->meta[i].value);
  }
  on_buf_str(out, ON_STR("}}\n"));
}

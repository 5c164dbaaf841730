// Errors, memory, buffers and pipelines of the public interface.
#include "base/alloc.h"
#include "base/hash.h"
#include "onenlp_internal.h"
#include "pipeline/inspect.h"

_Static_assert((int)ONENLP_OK == (int)ON_OK && (int)ONENLP_OUT_OF_MEMORY == (int)ON_OUT_OF_MEMORY &&
                   (int)ONENLP_INVALID_ARGUMENT == (int)ON_INVALID_ARGUMENT &&
                   (int)ONENLP_INVALID_UTF8 == (int)ON_INVALID_UTF8 && (int)ONENLP_DATA_FORMAT == (int)ON_DATA_FORMAT &&
                   (int)ONENLP_INVALID_DATA == (int)ON_INVALID_DATA && (int)ONENLP_UNSUPPORTED == (int)ON_UNSUPPORTED &&
                   (int)ONENLP_LIMIT == (int)ON_LIMIT && (int)ONENLP_IO == (int)ON_IO &&
                   (int)ONENLP_CANCELLED == (int)ON_CANCELLED && (int)ONENLP_CLOSED == (int)ON_CLOSED &&
                   (int)ONENLP_INTERNAL == (int)ON_INTERNAL && (int)ONENLP_NO_WORKERS == (int)ON_NO_WORKERS,
               "the public codes are the inner ones");
_Static_assert(sizeof ((onenlp_error *)0)->text == sizeof ((on_error *)0)->text, "messages have the same room");

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *onenlp_version(void) {
  return VERSION_TEXT(ONENLP_VERSION_MAJOR, ONENLP_VERSION_MINOR, ONENLP_VERSION_PATCH);
}

const char *onenlp_code_name(onenlp_code code) { return on_code_name((on_code)code); }

int onenlp_report(onenlp_error *out, const on_error *error) {
  if (out) {
    out->code = (onenlp_code)error->code;
    out->position = error->position;
    memcpy(out->text, error->text, sizeof out->text);
  }
  return 0;
}

void *onenlp_alloc(size_t size) { return on_malloc(size); }

void onenlp_free(void *block) { on_free(block); }

void onenlp_set_memory_limit(size_t bytes) { on_alloc_set_limit(bytes); }

size_t onenlp_memory_used(void) { return on_alloc_used(); }

int onenlp_seed_hashes(uint32_t low, uint32_t high) {
  if (on_alloc_used() > 0) return 0;
  on_hash_set_seed((uint64_t)high << 32 | low);
  return 1;
}

onenlp_buffer *onenlp_buffer_new(void) { return on_calloc(1, sizeof(onenlp_buffer)); }

const char *onenlp_buffer_data(const onenlp_buffer *buffer, size_t *size) {
  return onenlp_slice(on_buf_view(&buffer->buf), size);
}

void onenlp_buffer_clear(onenlp_buffer *buffer) { on_buf_clear(&buffer->buf); }

void onenlp_buffer_free(onenlp_buffer *buffer) {
  if (!buffer) return;
  on_buf_free(&buffer->buf);
  on_free(buffer);
}

static bool open_named(void *context, on_str name, bool beside, on_data_source *out, on_error *error) {
  const onenlp_files *files = context;
  onenlp_file file = {0};
  if (!files->open(files->context, name.p, name.n, beside, &file) || !file.read) {
    return on_fail(error, ON_IO, -1, "there is no file '%.*s'%s", ON_SHOW(name), beside ? " beside the pipeline" : "");
  }
  *out = (on_data_source){.size = file.size, .context = file.context, .read = file.read};
  return true;
}

static uint32_t engine_width(void *context, on_str name, bool beside) {
  const onenlp_files *files = context;
  return files->engine && files->encode ? files->engine(files->context, name.p, name.n, beside) : 0;
}

static int encode_named(void *context, on_str name, bool beside, const uint32_t *ids, const uint32_t *windows,
                        size_t count, float *out) {
  const onenlp_files *files = context;
  return files->encode(files->context, name.p, name.n, beside, ids, windows, count, out);
}

onenlp_pipeline *onenlp_load(const void *bytes, size_t size, onenlp_ownership ownership, onenlp_error *error) {
  return onenlp_load_with_files(bytes, size, ownership, NULL, error);
}

onenlp_pipeline *onenlp_load_with_files(const void *bytes, size_t size, onenlp_ownership ownership,
                                        const onenlp_files *files, onenlp_error *error) {
  // The only place where the bytes stop being the caller's: nothing writes to them, here or later.
  void *taken = ownership == ONENLP_TAKE ? (void *)(uintptr_t)bytes : NULL;
  on_error inner = {0};
  onenlp_pipeline *pipeline = on_calloc(1, sizeof *pipeline);
  if (pipeline) {
    pipeline->files = (on_files){
        .context = (void *)(uintptr_t)files, .open = open_named, .engine = engine_width, .encode = encode_named};
  }
  if (!pipeline) {
    on_fail_memory(&inner);
  } else if (on_pipeline_load_with(&pipeline->pipeline, (on_str){bytes, size}, files ? &pipeline->files : NULL,
                                   &inner)) {
    pipeline->taken = taken;
    pipeline->file_size = size;
    return pipeline;
  }
  on_free(pipeline);
  on_free(taken);
  onenlp_report(error, &inner);
  return NULL;
}

void onenlp_pipeline_free(onenlp_pipeline *pipeline) {
  if (!pipeline) return;
  on_pipeline_free(&pipeline->pipeline);
  on_free(pipeline->taken);
  on_free(pipeline);
}

int onenlp_verify_files(const onenlp_pipeline *pipeline, onenlp_error *error) {
  on_error inner = {0};
  return on_pipeline_verify_files(&pipeline->pipeline, &inner) ? 1 : onenlp_report(error, &inner);
}

const char *onenlp_language(const onenlp_pipeline *pipeline, size_t *size) {
  on_str language = pipeline->pipeline.language;
  return onenlp_slice(language.p ? language : ON_STR(""), size);
}

size_t onenlp_component_count(const onenlp_pipeline *pipeline) { return pipeline->pipeline.component_count; }

static const on_component *component_at(const onenlp_pipeline *pipeline, size_t i) {
  return i < pipeline->pipeline.component_count ? &pipeline->pipeline.components[i] : NULL;
}

const char *onenlp_component_name(const onenlp_pipeline *pipeline, size_t component, size_t *size) {
  const on_component *c = component_at(pipeline, component);
  return onenlp_slice(c ? c->name : ON_STR_NONE, size);
}

const char *onenlp_component_kind(const onenlp_pipeline *pipeline, size_t component, size_t *size) {
  const on_component *c = component_at(pipeline, component);
  return onenlp_slice(c ? on_component_kind_name(c) : ON_STR_NONE, size);
}

static const on_json *labels_of(const onenlp_pipeline *pipeline, size_t component) {
  const on_json *config = on_pipeline_head_config(&pipeline->pipeline, component);
  const on_json *labels = config ? on_json_get(config, "labels") : NULL;
  return labels && on_json_type(labels) == ON_JSON_ARRAY ? labels : NULL;
}

size_t onenlp_label_count(const onenlp_pipeline *pipeline, size_t component) {
  const on_json *labels = labels_of(pipeline, component);
  return labels ? on_json_count(labels) : 0;
}

const char *onenlp_label(const onenlp_pipeline *pipeline, size_t component, size_t label, size_t *size) {
  const on_json *labels = labels_of(pipeline, component);
  const on_json *value = labels ? on_json_first(labels) : NULL;
  for (size_t i = 0; i < label && value; i++) value = on_json_next(value);
  return onenlp_slice(value ? on_json_string(value) : ON_STR_NONE, size);
}

size_t onenlp_metadata_count(const onenlp_pipeline *pipeline) { return pipeline->pipeline.meta_count; }

const char *onenlp_metadata_key(const onenlp_pipeline *pipeline, size_t i, size_t *size) {
  bool there = i < pipeline->pipeline.meta_count;
  return onenlp_slice(there ? pipeline->pipeline.meta[i].key : ON_STR_NONE, size);
}

const char *onenlp_metadata_value(const onenlp_pipeline *pipeline, size_t i, size_t *size) {
  bool there = i < pipeline->pipeline.meta_count;
  return onenlp_slice(there ? pipeline->pipeline.meta[i].value : ON_STR_NONE, size);
}

int onenlp_inspect(const onenlp_pipeline *pipeline, onenlp_style style, onenlp_buffer *out, onenlp_error *error) {
  if (style == ONENLP_JSON) {
    on_inspect_json(&pipeline->pipeline, pipeline->file_size, &out->buf);
  } else {
    on_inspect_table(&pipeline->pipeline, pipeline->file_size, &out->buf);
  }
  if (!out->buf.failed) return 1;
  on_error inner;
  on_fail_memory(&inner);
  return onenlp_report(error, &inner);
}

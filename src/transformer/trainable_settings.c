#include "transformer/trainable_settings.h"

enum {
  MAX_HEADS = 1024, MAX_EVERY = 1024, MAX_WINDOW = 65536, DEFAULT_WINDOW = 128, MAX_OFFSET = 65535,
  MAX_PIECES = 1 << 20, DEFAULT_PIECES = 1024, SHORT = 64
};

static double distance(double a, double b) { return a < b ? b - a : a - b; }

// ---- what the model says ----------------------------------------------------------------------------

// Theta with angles theta^(-2 i / size): a round number where one is near enough for the float32 of the graph. False:
// the angles follow another law.
static bool theta_of(const float *inv_freq, uint32_t half, double *theta) {
  *theta = 10000;
  if (half < 2) return half == 0 || distance((double)inv_freq[0], 1) < 1e-5;
  const double step = (double)inv_freq[1];
  double power = 1;
  for (uint32_t i = 0; i < half; i++) {
    if (!(distance((double)inv_freq[i], power) <= 2e-4 * power)) return false;
    power *= step;
  }
  *theta = 1 / power;
  if (!(*theta >= 1 && *theta < 1e12)) return false;
  for (int unit = 1000; unit >= 1; unit /= 10) {
    const double round = (double)(int64_t)(*theta / unit + 0.5) * unit;
    if (distance(round, *theta) <= 1e-4 * *theta) return *theta = round, true;
  }
  return true;
}

static bool same_epsilon(const on_transformer *model, float epsilon) {
  bool same = epsilon >= 0 && epsilon <= 1;
  for (uint32_t i = 0; i < model->layer_count; i++) {
    const on_transformer_layer *layer = &model->layers[i];
    // The first layer of ModernBERT does not normalize what it reads.
    bool first = i == 0 && model->family == ON_MODERNBERT;
    same = same && (first || layer->attention_norm.epsilon == epsilon) && layer->feed_norm.epsilon == epsilon;
  }
  return same && (model->family != ON_MODERNBERT || model->final_norm.epsilon == epsilon);
}

// Which layers are global: the first and every so many-th.
static bool find_windows(on_trainable_settings *out, const on_transformer *model) {
  uint32_t n = model->layer_count, every = 1, window = 0;
  while (every < n && model->layers[every].window) every++;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t here = model->layers[i].window;
    if ((here == 0) != (i % every == 0) || (here && window && here != window)) return false;
    if (here) window = here;
  }
  out->global_every = every;
  out->local_window = window ? 2 * window : DEFAULT_WINDOW;
  return every <= MAX_EVERY && out->local_window <= MAX_WINDOW;
}

static bool find_thetas(on_trainable_settings *out, const on_transformer *model) {
  const float *of[2] = {NULL, NULL};  // global, local
  for (uint32_t i = 0; i < model->layer_count; i++) {
    const on_transformer_layer *layer = &model->layers[i];
    const float **kind = &of[layer->window != 0];
    if (*kind && *kind != layer->inv_freq) return false;
    *kind = layer->inv_freq;
  }
  const uint32_t half = model->head_size / 2;
  if (!theta_of(of[0], half, &out->theta_global)) return false;
  out->theta_local = out->theta_global;
  return !of[1] || theta_of(of[1], half, &out->theta_local);
}

static bool describe(on_trainable_settings *out, const on_transformer *model, uint32_t position_offset,
                     const char *path, on_error *error) {
  *out = (on_trainable_settings){.family = model->family, .heads = model->heads, .max_pieces = DEFAULT_PIECES,
                                 .epsilon = model->embedding_norm.epsilon, .position_offset = position_offset};
  const char *what = NULL;
  if (model->heads > MAX_HEADS) what = "number of heads";
  else if (!same_epsilon(model, out->epsilon)) what = "normalizations";
  else if (position_offset > MAX_OFFSET) what = "positions";
  else if (model->family == ON_MODERNBERT && !find_windows(out, model)) what = "windows";
  else if (model->family == ON_MODERNBERT && !find_thetas(out, model)) what = "rotary angles";
  return !what || on_fail(error, ON_UNSUPPORTED, -1, "%s: there are no settings for the model's %s", path, what);
}

// ---- what the settings say --------------------------------------------------------------------------

typedef struct reader {
  const on_json *settings;
  const char *path;
  on_error *error;
} reader;

static bool read_family(const reader *r, on_transformer_family family) {
  const char *name = family == ON_MODERNBERT ? "modernbert" : "postnorm";
  on_str given;
  if (!on_json_text(r->settings, r->path, "family", false, SHORT, &given, r->error)) return false;
  return !given.p || on_str_eq(given, on_str_c(name)) ||
         on_fail(r->error, ON_INVALID_DATA, -1, "%s.family is '%.*s', the model has '%s'", r->path, ON_SHOW(given),
                 name);
}

static bool differs(const reader *r, const char *key, double given, double model) {
  return on_fail(r->error, ON_INVALID_DATA, -1, "%s.%s is %g, the model has %g", r->path, key, given, model);
}

// A number that must be the model's; `known`: the model's family has it.
static bool read_whole(const reader *r, const char *key, bool known, uint32_t min, uint32_t max, uint32_t model) {
  int64_t given;
  if (!on_json_int(r->settings, r->path, key, false, min, max, model, &given, r->error)) return false;
  return !known || given == (int64_t)model || differs(r, key, (double)given, model);
}

static bool read_real(const reader *r, const char *key, bool known, double max, double tolerance, double model) {
  const on_json *value = on_json_get(r->settings, key);
  if (!value) return true;
  const double given = on_json_type(value) == ON_JSON_NUMBER ? on_json_number(value) : -1;
  if (!(given >= 0 && given <= max)) {
    return on_fail(r->error, ON_INVALID_DATA, -1, "%s.%s must be a number from 0 to %g", r->path, key, max);
  }
  return !known || distance(given, model) <= tolerance * model || differs(r, key, given, model);
}

bool on_trainable_settings_read(on_trainable_settings *out, const on_json *settings, const on_transformer *model,
                                uint32_t position_offset, const char *path, on_error *error) {
  const reader r = {settings, path, error};
  if (!describe(out, model, position_offset, path, error)) return false;
  const bool rotary = out->family == ON_MODERNBERT, local = rotary && out->global_every < model->layer_count;
  int64_t pieces;
  return read_family(&r, out->family) && read_whole(&r, "heads", true, 1, MAX_HEADS, out->heads) &&
         read_whole(&r, "globalEvery", rotary, 1, MAX_EVERY, out->global_every) &&
         read_whole(&r, "localWindow", local, 2, MAX_WINDOW, out->local_window) &&
         read_real(&r, "ropeThetaGlobal", rotary, 1e12, 1e-3, out->theta_global) &&
         read_real(&r, "ropeThetaLocal", local, 1e12, 1e-3, out->theta_local) &&
         read_real(&r, "normEpsilon", true, 1, 1e-6, (double)out->epsilon) &&
         read_whole(&r, "positionOffset", !rotary, 0, MAX_OFFSET, out->position_offset) &&
         on_json_int(settings, path, "maxBatchPieces", false, 1, MAX_PIECES, DEFAULT_PIECES, &pieces, error) &&
         (out->max_pieces = (uint32_t)pieces, true);
}

void on_trainable_settings_write_family(const on_trainable_settings *settings, on_buf *out) {
  on_buf_str(out, settings->family == ON_MODERNBERT ? ON_STR("\"family\": \"modernbert\", ")
                                                    : ON_STR("\"family\": \"postnorm\", "));
}

void on_trainable_settings_write(const on_trainable_settings *settings, on_buf *out) {
  on_buf_format(out, ", \"heads\": %u", settings->heads);
  if (settings->family == ON_MODERNBERT) {
    on_buf_format(out, ", \"globalEvery\": %u, \"localWindow\": %u, \"ropeThetaGlobal\": ", settings->global_every,
                  settings->local_window);
    on_buf_f64(out, settings->theta_global);
    on_buf_str(out, ON_STR(", \"ropeThetaLocal\": "));
    on_buf_f64(out, settings->theta_local);
  }
  on_buf_str(out, ON_STR(", \"normEpsilon\": "));
  on_buf_f32(out, settings->epsilon);
  if (settings->family == ON_POSTNORM) on_buf_format(out, ", \"positionOffset\": %u", settings->position_offset);
  on_buf_format(out, ", \"maxBatchPieces\": %u", settings->max_pieces);
}

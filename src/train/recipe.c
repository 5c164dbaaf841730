#include "train/recipe.h"

#include <stddef.h>

typedef struct number {
  const char *key;
  double min, max, absent;
  size_t offset;
  bool whole;  // a uint32_t, else a float
} number;

#define F(field) offsetof(on_hyper, field), false
#define U(field) offsetof(on_hyper, field), true

static const number NUMBERS[] = {
    {"epochs", 1, 10000, 20, U(epochs)},
    {"batchWords", 1, 1000000, 400, U(batch_words)},
    {"shards", 1, ON_TRAIN_MAX_SHARDS, 2, U(shards)},
    {"learningRate", 1e-8, 10, 3e-3, F(learning_rate)},
    {"finalRate", 0, 1, 0.01, F(final_rate)},
    {"warmup", 0, 1, 0.06, F(warmup)},
    {"encoderRate", 0, 1000, 0.05, F(encoder_rate)},
    {"layerDecay", 0.01, 1, 0.9, F(layer_decay)},
    {"accumulate", 1, 64, 1, U(accumulate)},
    {"weightDecay", 0, 1, 0.02, F(weight_decay)},
    {"tableDecay", 0, 1, 0, F(table_decay)},
    {"clip", 0, 1e6, 2, F(clip)},
    {"beta1", 0, 0.9999, 0.9, F(beta1)},
    {"beta2", 0, 0.99999, 0.98, F(beta2)},
    {"average", 0, 0.999999, 0, F(average)},
    {"averageFrom", 0, 1, 0.2, F(average_from)},
    {"startShare", 0, 1, 0, F(start_share)},
    {"unitSingle", 0, 1, 0.25, F(unit_single)},
    {"unitParagraph", 0, 1, 0.5, F(unit_paragraph)},
    {"unitJoinWords", 1, 512, 200, U(unit_join_words)},
    {"unitRounds", 0, 10000, 0, U(unit_rounds)},
    {"cacheMegabytes", 0, 1000000, 1024, U(cache_megabytes)},
    {"exportEncoderGraphs", 0, 1, 1, U(export_graphs)},
    {"evaluateFrom", 0, 10000, 0, U(evaluate_from)},
    {"wordDropout", 0, 0.99, 0.1, F(rates.word)},
    {"lowerCase", 0, 1, 0, F(rates.lower)},
    {"nameSwap", 0, 1, 0, F(rates.names)},
    {"inputDropout", 0, 0.99, 0.1, F(rates.input)},
    {"encoderDropout", 0, 0.99, 0.1, F(rates.encoder)},
    {"recurrentDropout", 0, 0.99, 0.1, F(rates.recurrent)},
    {"headDropout", 0, 0.99, 0.3, F(rates.head)},
    {"projectionDropout", 0, 0.99, 0.3, F(rates.projection)},
    {"labelSmoothing", 0, 0.5, 0, F(rates.smoothing)},
};

enum { NUMBER_COUNT = sizeof NUMBERS / sizeof *NUMBERS };

static const number *find_number(on_str key) {
  for (size_t i = 0; i < NUMBER_COUNT; i++) {
    if (on_str_eq(key, on_str_c(NUMBERS[i].key))) return &NUMBERS[i];
  }
  return NULL;
}

static void set_number(on_hyper *hyper, const number *n, double value) {
  char *at = (char *)hyper + n->offset;
  if (n->whole) *(uint32_t *)(void *)at = (uint32_t)value;
  else *(float *)(void *)at = (float)value;
}

static bool read_store(const on_json *object, on_dtype *store, on_error *error) {
  static const on_dtype types[] = {ON_F32, ON_F16, ON_I8};
  static const char *const names[] = {"f32", "f16", "i8"};
  on_str name;
  if (!on_json_text(object, "training", "store", true, 16, &name, error)) return false;
  for (int i = 0; i < 3; i++) {
    if (!on_str_eq(name, on_str_c(names[i]))) continue;
    *store = types[i];
    return true;
  }
  return on_fail(error, ON_INVALID_DATA, -1, "training.store: \"%.*s\", want f32, f16 or i8", ON_SHOW(name));
}

static bool read_training(on_recipe *recipe, const on_json *object, on_error *error) {
  on_hyper *hyper = &recipe->hyper;
  for (size_t i = 0; i < NUMBER_COUNT; i++) set_number(hyper, &NUMBERS[i], NUMBERS[i].absent);
  hyper->seed = 1;
  if (!object) return true;
  for (const on_json *member = on_json_first(object); member; member = on_json_next(member)) {
    on_str key = on_json_key(member);
    if (on_str_eq(key, ON_STR("seed"))) {
      int64_t seed;
      if (!on_json_int(object, "training", "seed", true, 0, (int64_t)1 << 52, 0, &seed, error)) return false;
      hyper->seed = (uint64_t)seed;
      continue;
    }
    if (on_str_eq(key, ON_STR("store"))) {
      if (!read_store(object, &hyper->store, error)) return false;
      continue;
    }
    if (on_str_eq(key, ON_STR("loss"))) {
      recipe->loss = member;
      continue;
    }
    const number *n = find_number(key);
    if (!n) return on_fail(error, ON_INVALID_DATA, -1, "training.%.*s: no such setting", ON_SHOW(key));
    double value = on_json_type(member) == ON_JSON_NUMBER ? on_json_number(member) : -1;
    if (on_json_type(member) != ON_JSON_NUMBER || !(value >= n->min && value <= n->max) ||
        (n->whole && value != (double)(uint32_t)value)) {
      return on_fail(error, ON_INVALID_DATA, -1, "training.%s: want a%s number from %g to %g", n->key,
                     n->whole ? " whole" : "", n->min, n->max);
    }
    set_number(hyper, n, value);
  }
  return true;
}

static bool check_loss(const on_json *loss, on_error *error) {
  if (!loss) return true;
  if (on_json_type(loss) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, -1, "training.loss: want an object of component name to weight");
  }
  for (const on_json *member = on_json_first(loss); member; member = on_json_next(member)) {
    if (on_json_type(member) != ON_JSON_NUMBER || !(on_json_number(member) >= 0)) {
      return on_fail(error, ON_INVALID_DATA, -1, "training.loss.%.*s: want a number of at least 0",
                     ON_SHOW(on_json_key(member)));
    }
  }
  return true;
}

// {"file": NAME, "share": NUMBER}
static bool check_share(const on_json *item, const char *path, on_error *error) {
  on_str file;
  if (!on_json_text(item, path, "file", true, 4096, &file, error)) return false;
  const on_json *share = on_json_get(item, "share");
  double value = share && on_json_type(share) == ON_JSON_NUMBER ? on_json_number(share) : 0;
  return (on_json_count(item) == 2 && value > 0 && value <= 1 && on_str_ends(file, ON_STR(".jsonl"))) ||
         on_fail(error, ON_INVALID_DATA, -1,
                 "%s: \"%.*s\": want an object of \"file\" (*.jsonl) and \"share\" (above 0, at most 1)", path,
                 ON_SHOW(file));
}

// An array of names, and, where `shares`, of objects.
static bool check_files(const on_json *files, const char *path, bool shares, on_error *error) {
  bool ok = files && on_json_type(files) == ON_JSON_ARRAY && on_json_first(files);
  for (const on_json *file = ok ? on_json_first(files) : NULL; file; file = on_json_next(file)) {
    if (shares && on_json_type(file) == ON_JSON_OBJECT) {
      if (!check_share(file, path, error)) return false;
    } else if (on_json_type(file) != ON_JSON_STRING) {
      ok = false;
    }
  }
  return ok || on_fail(error, ON_INVALID_DATA, -1, "%s: want an array of file names", path);
}

// An object: label to an array of file names.
static bool check_names(const on_json *names, on_error *error) {
  if (!names) return true;
  if (on_json_type(names) != ON_JSON_OBJECT) {
    return on_fail(error, ON_INVALID_DATA, -1, "data.names: want an object of label to file names");
  }
  for (const on_json *member = on_json_first(names); member; member = on_json_next(member)) {
    if (!check_files(member, "data.names", false, error)) return false;
  }
  return true;
}

static bool read_members(on_recipe *recipe, on_error *error) {
  const on_json *training = NULL, *data = NULL;
  for (const on_json *member = on_json_first(recipe->root); member; member = on_json_next(member)) {
    on_str key = on_json_key(member);
    const on_json **slot = on_str_eq(key, ON_STR("pipeline"))   ? &recipe->pipeline
                           : on_str_eq(key, ON_STR("data"))     ? &data
                           : on_str_eq(key, ON_STR("metadata")) ? &recipe->metadata
                           : on_str_eq(key, ON_STR("training")) ? &training
                                                                : NULL;
    if (!slot) return on_fail(error, ON_INVALID_DATA, -1, "%.*s: a recipe has no such member", ON_SHOW(key));
    if (on_json_type(member) != ON_JSON_OBJECT) {
      return on_fail(error, ON_INVALID_DATA, -1, "%.*s: must be an object", ON_SHOW(key));
    }
    *slot = member;
  }
  if (!recipe->pipeline) return on_fail(error, ON_INVALID_DATA, -1, "pipeline: missing");
  if (!data) return on_fail(error, ON_INVALID_DATA, -1, "data: missing");
  recipe->train = on_json_get(data, "train");
  recipe->dev = on_json_get(data, "dev");
  recipe->names = on_json_get(data, "names");
  recipe->words = on_json_get(data, "words");
  // Without `dev` a tenth of train is held out (hold_out.h); an empty one is none at all.
  bool none = recipe->dev && on_json_type(recipe->dev) == ON_JSON_ARRAY && !on_json_first(recipe->dev);
  return check_files(recipe->train, "data.train", true, error) &&
         (!recipe->dev || none || check_files(recipe->dev, "data.dev", false, error)) &&
         check_names(recipe->names, error) && (!recipe->words || check_files(recipe->words, "data.words", false, error)) &&
         read_training(recipe, training, error) && check_loss(recipe->loss, error);
}

bool on_recipe_parse(on_recipe *recipe, on_str text, on_error *error) {
  *recipe = (on_recipe){0};
  recipe->root = on_json_parse(text, 32, error);
  if (!recipe->root) return on_fail_context(error, "recipe");
  bool ok = on_json_type(recipe->root) == ON_JSON_OBJECT ? read_members(recipe, error)
                                                         : on_fail(error, ON_INVALID_DATA, -1, "not an object");
  if (!ok) {
    on_recipe_free(recipe);
    return on_fail_context(error, "recipe");
  }
  return true;
}

void on_recipe_free(on_recipe *recipe) {
  on_json_free(recipe->root);
  *recipe = (on_recipe){0};
}

float on_recipe_loss(const on_recipe *recipe, on_str component) {
  for (const on_json *member = recipe->loss ? on_json_first(recipe->loss) : NULL; member;
       member = on_json_next(member)) {
    if (on_str_eq(on_json_key(member), component)) return (float)on_json_number(member);
  }
  return 1;
}

on_str on_recipe_file(const on_json *item, float *share) {
  bool object = on_json_type(item) == ON_JSON_OBJECT;
  *share = object ? (float)on_json_number(on_json_get(item, "share")) : 1;
  return on_json_string(object ? on_json_get(item, "file") : item);
}

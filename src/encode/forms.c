#include "encode/forms.h"

#include <string.h>

#include "base/places.h"
#include "base/rare.h"

enum { BLOCK = 32, FIRST_PLACES = 128 };  // forms of a block; places of the table at first, a power of two
static const uint32_t NOT_THERE = UINT32_MAX;  // a form's number; an empty place's, counted from 0

struct on_forms {
  size_t floats;
  uint32_t most, used, capacity, emptied;
  uint32_t place_count;  // at least twice the capacity
  on_place *places;
  uint64_t seed;
  on_place missed;  // what a form that was not found would have in its place
  uint16_t (*units[ON_FORMS_MOST / BLOCK])[ON_FORM_UNITS];
  float *vectors[ON_FORMS_MOST / BLOCK];
};

on_forms *on_forms_new(on_arena *arena, size_t floats) {
  on_forms *forms = ON_NEW0(arena, on_forms, 1);
  if (!forms) return NULL;
  forms->floats = floats;
  forms->seed = on_hash_bytes(NULL, 0);
  forms->place_count = FIRST_PLACES;
  forms->places = ON_NEW0(arena, on_place, FIRST_PLACES);
  if (!forms->places) return NULL;
  size_t fit = ON_FORMS_BYTES / sizeof(float) / (floats ? floats : 1) / BLOCK * BLOCK;
  forms->most = fit > ON_FORMS_MOST ? ON_FORMS_MOST : fit < BLOCK ? BLOCK : (uint32_t)fit;
  return forms;
}

// A table of twice as many places; the smaller one stays in the arena until that is freed.
static bool grow_table(on_forms *forms, on_arena *arena) {
  uint32_t count = 2 * forms->place_count;
  on_place *places = ON_NEW0(arena, on_place, count);
  if (!places) return false;
  on_places_move(places, count, forms->places, forms->place_count);
  forms->places = places;
  forms->place_count = count;
  return true;
}

ON_RARE static bool add_block(on_forms *forms, on_arena *arena) {
  bool failed = arena->failed;
  uint32_t block = forms->capacity / BLOCK;
  bool ok = 2 * (forms->capacity + BLOCK) <= forms->place_count || grow_table(forms, arena);
  if (ok && !forms->units[block]) forms->units[block] = on_arena_alloc(arena, BLOCK, sizeof *forms->units[block]);
  if (ok && forms->units[block]) forms->vectors[block] = ON_NEW(arena, float, BLOCK * forms->floats);
  arena->failed = failed;
  if (!ok || !forms->units[block] || !forms->vectors[block]) return false;
  forms->capacity += BLOCK;
  return true;
}

void on_forms_clear(on_forms *forms) {
  memset(forms->places, 0, forms->place_count * sizeof *forms->places);
  forms->used = 0;
  forms->emptied++;
}

uint32_t on_forms_emptied(const on_forms *forms) { return forms->emptied; }

static float *vector_of(const on_forms *forms, uint32_t number) {
  return forms->vectors[number / BLOCK] + number % BLOCK * forms->floats;
}

// The number of a form, or NOT_THERE.
static uint32_t find(const on_forms *forms, const on_place *key, const uint16_t *units, size_t bytes) {
  uint32_t mask = forms->place_count - 1, at = on_place_first(key->tag, forms->place_count);
  for (;; at = (at + 1) & mask) {
    const on_place *place = &forms->places[at];
    uint32_t number = place->number - 1;
    if (number == NOT_THERE) return NOT_THERE;
    if (place->tag != key->tag || place->head != key->head) continue;
    if (on_place_rest(forms->units[number / BLOCK][number % BLOCK], units, bytes)) return number;
  }
}

size_t on_forms_find(on_forms *forms, const uint16_t *text, const uint32_t *start, const uint32_t *end, size_t n,
                     const float **of) {
  size_t i = 0;
  for (; i < n; i++) {
    const uint16_t *units = text + start[i];
    size_t length = end[i] - start[i];
    if (length > ON_FORM_UNITS) break;
    on_place key = on_place_of(forms->seed, units, length * sizeof *units, (uint32_t)length);
    uint32_t number = find(forms, &key, units, length * sizeof *units);
    if (number == NOT_THERE) {
      forms->missed = key;
      break;
    }
    of[i] = vector_of(forms, number);
  }
  return i;
}

ON_RARE float *on_forms_add(on_forms *forms, on_arena *arena, on_str16 form) {
  if (form.n > ON_FORM_UNITS) return NULL;
  if (forms->used == forms->capacity && (forms->used == forms->most || !add_block(forms, arena))) {
    if (forms->used == 0) return NULL;
    on_forms_clear(forms);
  }
  uint32_t number = forms->used++;
  on_place *place = on_place_free(forms->places, forms->place_count, forms->missed.tag);
  *place = (on_place){forms->missed.head, forms->missed.tag, number + 1};
  if (form.n > 0) memcpy(forms->units[number / BLOCK][number % BLOCK], form.p, form.n * sizeof *form.p);
  return vector_of(forms, number);
}

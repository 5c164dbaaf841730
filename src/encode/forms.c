#include "encode/forms.h"

#include <string.h>

#include "base/places.h"
#include "base/rare.h"

enum { BLOCK = 32, FIRST_PLACES = 128 };  // forms of a block; places of the table at first, a power of two

struct on_forms {
  size_t floats;
  uint32_t most, used, capacity, emptied;
  uint32_t place_count;  // at least twice the capacity
  on_place *places;
  uint64_t seed;
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

// The place of a form, or the empty one where it belongs.
static on_place *find(const on_forms *forms, const on_place *key, on_str16 form) {
  uint32_t at = on_place_first(key->tag, forms->place_count);
  for (;; at = (at + 1) & (forms->place_count - 1)) {
    on_place *place = &forms->places[at];
    if (!place->number) return place;
    if (place->tag != key->tag || place->head != key->head) continue;
    size_t n = form.n * sizeof *form.p, number = place->number - 1;
    if (on_place_rest(forms->units[number / BLOCK][number % BLOCK], form.p, n)) return place;
  }
}

float *on_forms_find(on_forms *forms, on_arena *arena, on_str16 form, bool *fresh) {
  if (form.n > ON_FORM_UNITS) return NULL;
  const on_place key = on_place_of(forms->seed, form.p, form.n * sizeof *form.p, (uint32_t)form.n);
  on_place *place;
  while (place = find(forms, &key, form), !place->number && forms->used == forms->capacity) {
    if (forms->used == forms->most || !add_block(forms, arena)) {
      if (forms->used == 0) return NULL;
      on_forms_clear(forms);
    }
  }
  *fresh = !place->number;
  if (*fresh) {
    uint32_t number = forms->used++;
    if (form.n > 0) memcpy(forms->units[number / BLOCK][number % BLOCK], form.p, form.n * sizeof *form.p);
    *place = (on_place){key.head, key.tag, number + 1};
  }
  uint32_t number = place->number - 1;
  return forms->vectors[number / BLOCK] + number % BLOCK * forms->floats;
}

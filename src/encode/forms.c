#include "encode/forms.h"

#include <string.h>

#include "base/hash.h"

enum { BLOCK = 32, FIRST_PLACES = 128 };  // forms of a block; places of the table at first, a power of two

typedef struct key {
  uint16_t n, units[ON_FORM_UNITS];
} key;

typedef struct place {
  uint32_t hash, form;  // number + 1; 0: empty
} place;

struct on_forms {
  size_t floats;
  uint32_t most, used, capacity, emptied;
  uint32_t place_count;  // at least twice the capacity
  place *places;
  key *keys[ON_FORMS_MOST / BLOCK];
  float *vectors[ON_FORMS_MOST / BLOCK];
};

on_forms *on_forms_new(on_arena *arena, size_t floats) {
  on_forms *forms = ON_NEW0(arena, on_forms, 1);
  if (!forms) return NULL;
  forms->floats = floats;
  forms->place_count = FIRST_PLACES;
  forms->places = ON_NEW0(arena, place, FIRST_PLACES);
  if (!forms->places) return NULL;
  size_t fit = ON_FORMS_BYTES / sizeof(float) / (floats ? floats : 1) / BLOCK * BLOCK;
  forms->most = fit > ON_FORMS_MOST ? ON_FORMS_MOST : fit < BLOCK ? BLOCK : (uint32_t)fit;
  return forms;
}

static uint32_t hash_of(on_str16 form) { return (uint32_t)on_hash_bytes(form.p, form.n * sizeof *form.p); }

static bool is_form(const key *k, on_str16 form) {
  return k->n == form.n && on_same_bytes(k->units, form.p, form.n * sizeof *form.p);
}

// A table of twice as many places; the smaller one stays in the arena until that is freed.
static bool grow_table(on_forms *forms, on_arena *arena) {
  uint32_t count = 2 * forms->place_count;
  place *places = ON_NEW0(arena, place, count);
  if (!places) return false;
  for (uint32_t i = 0; i < forms->place_count; i++) {
    if (!forms->places[i].form) continue;
    uint32_t at = forms->places[i].hash & (count - 1);
    while (places[at].form) at = (at + 1) & (count - 1);
    places[at] = forms->places[i];
  }
  forms->places = places;
  forms->place_count = count;
  return true;
}

static bool add_block(on_forms *forms, on_arena *arena) {
  bool failed = arena->failed;
  uint32_t block = forms->capacity / BLOCK;
  bool ok = 2 * (forms->capacity + BLOCK) <= forms->place_count || grow_table(forms, arena);
  if (ok && !forms->keys[block]) forms->keys[block] = ON_NEW(arena, key, BLOCK);
  if (ok && forms->keys[block]) forms->vectors[block] = ON_NEW(arena, float, BLOCK * forms->floats);
  arena->failed = failed;
  if (!ok || !forms->keys[block] || !forms->vectors[block]) return false;
  forms->capacity += BLOCK;
  return true;
}

void on_forms_clear(on_forms *forms) {
  memset(forms->places, 0, forms->place_count * sizeof *forms->places);
  forms->used = 0;
  forms->emptied++;
}

uint32_t on_forms_emptied(const on_forms *forms) { return forms->emptied; }

static uint32_t find(const on_forms *forms, on_str16 form, uint32_t hash) {
  uint32_t mask = forms->place_count - 1, at = hash & mask;
  for (; forms->places[at].form; at = (at + 1) & mask) {
    uint32_t number = forms->places[at].form - 1;
    if (forms->places[at].hash == hash && is_form(&forms->keys[number / BLOCK][number % BLOCK], form)) break;
  }
  return at;
}

float *on_forms_find(on_forms *forms, on_arena *arena, on_str16 form, bool *fresh) {
  if (form.n > ON_FORM_UNITS) return NULL;
  uint32_t hash = hash_of(form), at = find(forms, form, hash);
  *fresh = !forms->places[at].form;
  if (*fresh) {
    if (forms->used == forms->capacity) {
      if (forms->used == forms->most || !add_block(forms, arena)) {
        if (forms->used == 0) return NULL;
        on_forms_clear(forms);
      }
      at = find(forms, form, hash);
    }
    uint32_t number = forms->used++;
    key *k = &forms->keys[number / BLOCK][number % BLOCK];
    k->n = (uint16_t)form.n;
    if (form.n > 0) memcpy(k->units, form.p, form.n * sizeof *form.p);
    forms->places[at] = (place){hash, number + 1};
  }
  uint32_t number = forms->places[at].form - 1;
  return forms->vectors[number / BLOCK] + number % BLOCK * forms->floats;
}

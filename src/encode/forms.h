// A bounded store of what an encoder computes from the form of a word alone, kept in the workspace from unit to unit
// and call to call. When it is full it is emptied and fills again from the text at hand.
#ifndef ON_ENCODE_FORMS_H
#define ON_ENCODE_FORMS_H

#include "base/arena.h"
#include "base/slice.h"

enum {
  ON_FORM_UNITS = 23,              // longer forms are not kept
  ON_FORMS_MOST = 8192,            // forms
  ON_FORMS_BYTES = 16 * 1024 * 1024  // of their vectors
};

typedef struct on_forms on_forms;

// Vectors of `floats` floats, in the arena; blocks of them are added as forms come. NULL: out of memory.
on_forms *on_forms_new(on_arena *arena, size_t floats);
void on_forms_clear(on_forms *forms);
// How often the store was emptied: vectors that were found before stay valid as long as this stays the same.
uint32_t on_forms_emptied(const on_forms *forms);
// The vectors of forms, text[start[i], end[i]), up to the first one that is not in the store: of[i], valid until the
// store is emptied. Returns how many of the n those are.
size_t on_forms_find(on_forms *forms, const uint16_t *text, const uint32_t *start, const uint32_t *end, size_t n,
                     const float **of);
// Adds the form that on_forms_find stopped at just before; its vector is for the caller to fill. NULL: a form that is
// not kept, or no memory for it (the arena's `failed` is left as it was).
float *on_forms_add(on_forms *forms, on_arena *arena, on_str16 form);

#endif

#include "train/view.h"

#include <string.h>

#include "text/chars.h"
#include "text/utf.h"

// Characters whose lower case is of another length stay as they are, so that the tokens' places hold.
static bool lower(on_train_step *step, on_doc *view) {
  uint16_t *text = ON_NEW(&step->arena, uint16_t, view->text.n);
  if (!text) return false;
  for (size_t i = 0; i < view->text.n; i++) {
    uint32_t mapped = on_lower(view->text.p[i]);
    text[i] = mapped <= UINT16_MAX ? (uint16_t)mapped : view->text.p[i];
  }
  view->text.p = text;
  return true;
}

// Which tokens are written otherwise, and how (n 0: as they are). A name of one word is replaced by any other, of a
// longer one only the words that are names themselves ("Anna" in "Anna of the Hills", not "Hills"); one in capitals
// by one in capitals.
static bool draw_names(on_train_step *step, const on_doc *doc, on_str16 *instead, bool *any) {
  for (size_t e = 0; e < doc->ent_count; e++) {
    const on_span *ent = &doc->ents[e];
    const on_name_list *list = ent->label.p ? on_names_find(step->names, ent->label) : NULL;
    if (!list || on_random_unit(&step->random) >= step->rates->names) continue;
    for (uint32_t i = ent->first; i < ent->end; i++) {
      on_name_case written = on_name_case_of(on_doc_token(doc, i));
      size_t count = list->written[written].count;
      if (written == ON_NAME_OTHER || count == 0) continue;
      if (ent->end - ent->first > 1) {
        on_str form = on_doc_form(doc, i, &step->arena);
        if (!form.p) return false;
        if (!on_map_get(&list->known, form)) continue;
      }
      instead[i] = list->written[written].names[on_random_below(&step->random, (uint32_t)count)];
      *any = true;
    }
  }
  return true;
}

// Writes the text anew, tokens one blank apart.
static bool swap_names(on_train_step *step, const on_doc *doc, on_doc *view) {
  on_str16 *instead = ON_NEW0(&step->arena, on_str16, doc->n);
  bool any = false;
  if (!instead || !draw_names(step, doc, instead, &any)) return false;
  if (!any) return true;
  size_t length = 0;
  for (size_t i = 0; i < doc->n; i++) length += (instead[i].n ? instead[i].n : on_doc_token(doc, i).n) + 1;
  uint16_t *text = ON_NEW(&step->arena, uint16_t, length);
  view->start = ON_NEW(&step->arena, uint32_t, doc->n);
  view->end = ON_NEW(&step->arena, uint32_t, doc->n);
  if (!text || !view->start || !view->end) return false;
  size_t at = 0;
  for (size_t i = 0; i < doc->n; i++) {
    on_str16 token = instead[i].n ? instead[i] : on_doc_token(doc, i);
    memcpy(text + at, token.p, token.n * sizeof *text);
    view->start[i] = (uint32_t)at;
    view->end[i] = (uint32_t)(at += token.n);
    text[at++] = ' ';
  }
  view->text = (on_str16){text, at};
  return true;
}

bool on_train_view(on_train_step *step, const on_doc *doc, on_doc *view) {
  *view = *doc;
  const on_regularization *rates = step->rates;
  if (rates->names > 0 && step->names && doc->has_ents && !swap_names(step, doc, view)) return false;
  return rates->lower <= 0 || on_random_unit(&step->random) >= rates->lower || lower(step, view);
}

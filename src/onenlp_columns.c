// Units as flat arrays of 32-bit numbers, with a table of their strings.
#include "base/alloc.h"
#include "base/rare.h"
#include "onenlp_internal.h"
#include "text/utf.h"

// MOST_STRINGS, MOST_BYTES: of a table that is kept for the next unit, so that memory does not grow with the text and 32
// bits hold where strings end. More places than MOST_PLACES are not kept for the next text: emptying them would cost
// more than a short one.
enum { MOST_STRINGS = 4096, MOST_BYTES = 1 << 20, FIRST_PLACES = 64, MOST_PLACES = 512 };

void onenlp_clear_columns(onenlp_annotator *annotator) {
  onenlp_unit_columns *unit = &annotator->unit;
  on_arena_reset(&unit->arena);
  memset(unit->columns, 0, sizeof unit->columns);
  memset(unit->counts, 0, sizeof unit->counts);
  memset(unit->room, 0, sizeof unit->room);
  unit->words = 0;
  if (unit->string_count > MOST_STRINGS || unit->strings.n > MOST_BYTES) onenlp_clear_strings(annotator);
  unit->strings_kept = unit->string_count;
}

void onenlp_clear_strings(onenlp_annotator *annotator) {
  onenlp_unit_columns *unit = &annotator->unit;
  on_buf_clear(&unit->strings);
  unit->string_count = unit->strings_kept = 0;
  if (unit->place_count > MOST_PLACES) {
    on_free(unit->places);
    unit->places = NULL;
    unit->place_count = 0;
  }
  if (unit->places) memset(unit->places, 0, unit->place_count * sizeof *unit->places);
}

void onenlp_free_columns(onenlp_annotator *annotator) {
  onenlp_unit_columns *unit = &annotator->unit;
  on_arena_free(&unit->arena);
  on_buf_free(&unit->strings);
  on_free(unit->places);
  on_free(unit->ends);
  *unit = (onenlp_unit_columns){0};
}

typedef struct maker {
  onenlp_unit_columns *unit;
  const on_doc *doc;
  uint32_t base, words;  // units of the text and words before the unit
  uint64_t seed;  // of the strings' hashes
  bool failed;
} maker;

// `count` more numbers behind those that a column has; they are the caller's to fill.
ON_APART static uint32_t *add_numbers(maker *m, onenlp_columns which, size_t count) {
  onenlp_unit_columns *unit = m->unit;
  size_t before = unit->counts[which], all = before + count;
  uint32_t *column = unit->columns[which];
  if (!column || all > unit->room[which]) {
    size_t room = all > 2 * before ? all : 2 * before;
    column = ON_NEW(&unit->arena, uint32_t, room);
    if (!column) {
      m->failed = true;
      return NULL;
    }
    if (before > 0) memcpy(column, unit->columns[which], before * sizeof *column);
    unit->columns[which] = column;
    unit->room[which] = room;
  }
  unit->counts[which] = all;
  return column + before;
}

// The place of the unit's words in a column of words; words of units before that did not have it get 0, "not set".
ON_APART static uint32_t *add_words(maker *m, onenlp_columns which) {
  size_t missing = m->unit->words - m->unit->counts[which];
  uint32_t *column = add_numbers(m, which, missing + m->doc->n);
  if (!column) return NULL;
  if (missing > 0) memset(column, 0, missing * sizeof *column);
  return column + missing;
}

// The unit has been added: columns of words that it does not have get 0.
static void end_unit(maker *m) {
  m->unit->words += m->doc->n;
  for (int which = ONENLP_START; which <= ONENLP_DEPREL && !m->failed; which++) {
    size_t missing = m->unit->words - m->unit->counts[which];
    if (!m->unit->columns[which] || missing == 0) continue;
    uint32_t *column = add_numbers(m, (onenlp_columns)which, missing);
    if (column) memset(column, 0, missing * sizeof *column);
  }
}

static on_str string_at(const onenlp_unit_columns *unit, uint32_t number) {
  uint32_t start = number > 1 ? unit->ends[number - 2] : 0;
  return (on_str){unit->strings.p + start, unit->ends[number - 1] - start};
}

// Twice as many places.
ON_RARE static void add_places(maker *m) {
  onenlp_unit_columns *unit = m->unit;
  uint32_t count = unit->places ? 2 * unit->place_count : FIRST_PLACES;
  on_place *places = on_calloc(count, sizeof *places);
  if (!places) {
    m->failed = true;
    return;
  }
  if (unit->places) on_places_move(places, count, unit->places, unit->place_count);
  on_free(unit->places);
  unit->places = places;
  unit->place_count = count;
}

ON_RARE static uint32_t add_string(maker *m, on_str s, on_place *place) {
  onenlp_unit_columns *unit = m->unit;
  on_buf_str(&unit->strings, s);
  if (unit->strings.failed ||
      !on_grow((void **)&unit->ends, &unit->ends_cap, unit->string_count + 1, sizeof *unit->ends)) {
    m->failed = true;
    return 0;
  }
  unit->ends[unit->string_count++] = (uint32_t)unit->strings.n;
  place->number = (uint32_t)unit->string_count;
  if (2 * unit->string_count >= unit->place_count) add_places(m);
  return (uint32_t)unit->string_count;
}

// The numbers of strings in the table, counted from 1; 0 for those that are not set.
ON_APART static void find_numbers(maker *m, const on_str *strings, size_t n, uint32_t *numbers) {
  const onenlp_unit_columns *unit = m->unit;
  for (size_t i = 0; i < n && !m->failed; i++) {
    const on_str s = strings[i];
    numbers[i] = 0;
    if (!s.p) continue;
    const on_place key = on_place_of(m->seed, s.p, s.n, s.n < ON_PLACE_LENGTH ? (uint32_t)s.n : ON_PLACE_LENGTH);
    uint32_t at = on_place_first(key.tag, unit->place_count);
    for (;; at = (at + 1) & (unit->place_count - 1)) {
      on_place *place = &unit->places[at];
      if (!place->number) {
        *place = key;
        numbers[i] = add_string(m, s, place);
        break;
      }
      if (place->tag != key.tag || place->head != key.head) continue;
      if (s.n > 8) {
        const on_str known = string_at(unit, place->number);
        if (known.n != s.n || !on_place_rest(known.p, s.p, s.n)) continue;
      }
      numbers[i] = place->number;
      break;
    }
  }
}

ON_RARE static uint32_t number_of(maker *m, const on_str *s) {
  uint32_t number = 0;
  find_numbers(m, s, 1, &number);
  return number;
}

ON_APART static void add_strings(maker *m, onenlp_columns which, const on_str *values) {
  if (!values) return;
  uint32_t *column = add_words(m, which);
  if (column) find_numbers(m, values, m->doc->n, column);
}

static void add_tokens(maker *m) {
  const on_doc *doc = m->doc;
  uint32_t *start = add_words(m, ONENLP_START), *end = add_words(m, ONENLP_END);
  uint32_t *sentence = add_words(m, ONENLP_SENTENCE_START);
  if (m->failed) return;
  for (size_t i = 0; i < doc->n; i++) {
    start[i] = m->base + doc->source_start[i];
    end[i] = m->base + doc->source_end[i];
    sentence[i] = doc->sent_start[i];
  }
}

// Doc.form says where a form is not the word's slice of Doc.Text; a respelled word's slice is no part of the
// source, nor is a piece of a surface form that the words share.
static void add_forms(maker *m) {
  const on_doc *doc = m->doc;
  uint32_t *column = add_words(m, ONENLP_FORM);
  for (size_t i = 0; i < doc->n && !m->failed; i++) {
    column[i] = 0;
    on_str16 slice = on_doc_token(doc, i);
    on_str16 source = on_str16_sub(doc->source, doc->source_start[i], doc->source_end[i]);
    if (doc->form && doc->form[i].p) {
      column[i] = number_of(m, &doc->form[i]);
    } else if ((slice.p != source.p || slice.n != source.n) && !on_str16_eq(slice, source)) {
      on_str form = on_utf8_from_utf16(&m->unit->arena, slice);
      if (!form.p) m->failed = true;
      column[i] = number_of(m, &form);
    }
  }
}

// A head outside of the sentence (where sentences were cut after parsing) is none.
ON_RARE static void add_heads(maker *m) {
  const on_doc *doc = m->doc;
  uint32_t *column = add_words(m, ONENLP_HEAD);
  for (size_t first = 0; first < doc->n && !m->failed;) {
    size_t end = on_doc_sentence_end(doc, first);
    for (size_t i = first; i < end; i++) {
      bool inside = doc->head[i] != i && doc->head[i] >= first && doc->head[i] < end;
      column[i] = inside ? (uint32_t)(doc->head[i] - first + 1) : 0;
    }
    first = end;
  }
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

ON_APART static void add_ranges(maker *m) {
  const on_doc *doc = m->doc;
  uint32_t *column = add_numbers(m, ONENLP_RANGES, doc->mwt_count * ONENLP_RANGE_ROW);
  for (size_t i = 0; i < doc->mwt_count && !m->failed; i++) {
    const on_mwt *mwt = &doc->mwts[i];
    uint32_t *row = column + i * ONENLP_RANGE_ROW;
    row[ONENLP_RANGE_FIRST] = m->words + mwt->first;
    row[ONENLP_RANGE_LAST] = m->words + mwt->first + mwt->count;
    row[ONENLP_RANGE_START] = m->base + mwt->source_start;
    row[ONENLP_RANGE_END] = m->base + mwt->source_end;
    row[ONENLP_RANGE_FORM] = number_of(m, &mwt->form);
  }
}

ON_RARE static void add_entities(maker *m) {
  const on_doc *doc = m->doc;
  uint32_t *column = add_numbers(m, ONENLP_ENTITIES, doc->ent_count * ONENLP_ENTITY_ROW);
  for (size_t i = 0; i < doc->ent_count && !m->failed; i++) {
    const on_span *span = &doc->ents[i];
    uint32_t *row = column + i * ONENLP_ENTITY_ROW;
    row[ONENLP_ENTITY_FIRST] = m->words + span->first;
    row[ONENLP_ENTITY_LAST] = m->words + span->end;
    row[ONENLP_ENTITY_LABEL] = number_of(m, &span->label);
    row[ONENLP_ENTITY_SCORE] = bits_of(span->score);
  }
}

ON_RARE static void add_spans(maker *m) {
  const on_doc *doc = m->doc;
  size_t count = 0;
  for (size_t i = 0; i < doc->group_count; i++) count += doc->groups[i].count;
  uint32_t *row = add_numbers(m, ONENLP_SPANS, count * ONENLP_SPAN_ROW);
  for (size_t i = 0; i < doc->group_count && !m->failed; i++) {
    const on_span_group *group = &doc->groups[i];
    for (size_t k = 0; k < group->count; k++, row += ONENLP_SPAN_ROW) {
      const on_span *span = &group->spans[k];
      row[ONENLP_SPAN_GROUP] = number_of(m, &group->name);
      row[ONENLP_SPAN_FIRST] = m->words + span->first;
      row[ONENLP_SPAN_LAST] = m->words + span->end;
      row[ONENLP_SPAN_LABEL] = number_of(m, &span->label);
      row[ONENLP_SPAN_SCORE] = bits_of(span->score);
    }
  }
}

ON_RARE static void add_cats(maker *m) {
  const on_doc *doc = m->doc;
  m->unit->counts[ONENLP_CATS] = 0;  // those of the text so far
  uint32_t *column = add_numbers(m, ONENLP_CATS, doc->cat_count * ONENLP_CAT_ROW);
  for (size_t i = 0; i < doc->cat_count && !m->failed; i++) {
    column[i * ONENLP_CAT_ROW + ONENLP_CAT_LABEL] = number_of(m, &doc->cats[i].label);
    column[i * ONENLP_CAT_ROW + ONENLP_CAT_SCORE] = bits_of(doc->cats[i].score);
  }
}

bool onenlp_make_columns(onenlp_annotator *annotator, bool paragraph_start, on_error *error) {
  const on_doc *doc = &annotator->doc;
  maker m;
  m.unit = &annotator->unit;
  m.doc = doc;
  m.base = annotator->base;
  m.words = (uint32_t)annotator->unit.words;
  m.seed = on_hash_bytes(NULL, 0);
  m.failed = false;
  if (!m.unit->places) add_places(&m);
  uint32_t *unit = add_numbers(&m, ONENLP_UNIT, ONENLP_UNIT_ROW);
  if (unit) {
    unit[ONENLP_UNIT_START] = m.base + doc->unit_start;
    unit[ONENLP_UNIT_END] = m.base + doc->unit_end;
    unit[ONENLP_UNIT_PARAGRAPH] = paragraph_start;
    unit[ONENLP_UNIT_STRINGS_KEPT] = (uint32_t)m.unit->strings_kept;
    unit[ONENLP_UNIT_LAST] = annotator->input == ONENLP_FROM_TEXT && annotator->text.done == annotator->text.text.n;
    unit[ONENLP_UNIT_WORDS] = m.words + (uint32_t)doc->n;
  }
  add_tokens(&m);
  add_forms(&m);
  add_strings(&m, ONENLP_LEMMA, doc->lemma);
  add_strings(&m, ONENLP_UPOS, doc->pos);
  add_strings(&m, ONENLP_XPOS, doc->tag);
  add_strings(&m, ONENLP_FEATS, doc->morph);
  if (doc->head) add_heads(&m);
  add_strings(&m, ONENLP_DEPREL, doc->dep);
  add_ranges(&m);
  if (doc->has_ents) add_entities(&m);
  if (doc->group_count) add_spans(&m);
  if (doc->cat_count) add_cats(&m);
  end_unit(&m);
  if (!m.failed && !m.unit->strings.failed) return true;
  onenlp_clear_columns(annotator);
  onenlp_clear_strings(annotator);
  return on_fail_memory(error);
}

const uint32_t *onenlp_column(onenlp_annotator *annotator, onenlp_columns column, size_t *count) {
  bool there = (unsigned)column <= ONENLP_UNIT && annotator->unit.columns[column];
  if (count) *count = there ? annotator->unit.counts[column] : 0;
  return there ? annotator->unit.columns[column] : NULL;
}

const uint32_t *const *onenlp_column_table(const onenlp_annotator *annotator, const size_t **counts) {
  if (counts) *counts = annotator->unit.counts;
  return (const uint32_t *const *)annotator->unit.columns;
}

const char *onenlp_strings(onenlp_annotator *annotator, const uint32_t **ends, size_t *count) {
  if (ends) *ends = annotator->unit.ends;
  if (count) *count = annotator->unit.string_count;
  return on_buf_view(&annotator->unit.strings).p;
}

#include "head/lemmatizer.h"

#include <string.h>

#include "text/chars.h"
#include "text/utf.h"

static bool parse_classes(on_lemmatizer *lemmatizer, on_arena *arena, const char *path, on_error *error) {
  lemmatizer->classes = ON_NEW(arena, on_lemma_class, lemmatizer->labels.n);
  if (!lemmatizer->classes) return on_fail_memory(error);
  for (uint32_t i = 0; i < lemmatizer->labels.n; i++) {
    on_str label = lemmatizer->labels.list[i];
    if (label.p[0] != 'l' && label.p[0] != 'r') {
      return on_fail(error, ON_INVALID_DATA, -1, "%s.labels[%u]: \"%.*s\" does not start with l or r", path, i,
                     ON_SHOW(label));
    }
    lemmatizer->classes[i].lower = label.p[0] == 'l';
    lemmatizer->classes[i].turkic = lemmatizer->turkic_case;
    if (!on_edit_tree_parse(&lemmatizer->classes[i].tree, arena, on_str_sub(label, 1, label.n), error)) {
      return on_fail_context(error, "%s.labels[%u]", path, i);
    }
  }
  return true;
}

static bool create(on_head *head, on_arena *arena, const on_json *config, uint32_t width, const char *path,
                   on_error *error) {
  on_lemmatizer *lemmatizer = ON_NEW0(arena, on_lemmatizer, 1);
  if (!lemmatizer) return on_fail_memory(error);
  head->state = lemmatizer;
  uint32_t head_classes;
  int64_t turkic;
  if (!on_json_int(config, path, "turkicCase", false, 0, 1, 0, &turkic, error)) return false;
  lemmatizer->turkic_case = turkic != 0;
  return on_labels_read(&lemmatizer->labels, arena, config, path, 1, ON_MAX_LEMMATIZER_LABELS, true, error) &&
         parse_classes(lemmatizer, arena, path, error) &&
         on_lexicon_read(&lemmatizer->lexicon, arena, config, path, error) &&
         on_output_read_classes(config, path, &head_classes, error) &&
         on_output_declare(&lemmatizer->output, &head->params, arena, width, lemmatizer->labels.n, head_classes, path,
                           error);
}

static void write_config(const on_head *head, on_buf *out) {
  const on_lemmatizer *lemmatizer = head->state;
  on_buf_char(out, '{');
  if (lemmatizer->output.head_classes) on_buf_format(out, "\"headClasses\": %u, ", lemmatizer->output.head_classes);
  if (lemmatizer->turkic_case) on_buf_str(out, ON_STR("\"turkicCase\": 1, "));
  on_buf_str(out, ON_STR("\"labels\": "));
  on_labels_write(&lemmatizer->labels, out);
  if (lemmatizer->lexicon.n) {
    on_buf_str(out, ON_STR(", \"lexicon\": "));
    on_lexicon_write(&lemmatizer->lexicon, out);
  }
  on_buf_char(out, '}');
}

static bool prepare(on_head *head, on_arena *arena, on_error *error) {
  on_lemmatizer *lemmatizer = head->state;
  return on_output_prepare(&lemmatizer->output, arena) || on_fail_memory(error);
}

// What most classes do to most forms, at once: a tree that changes at most the ending, of a form in ASCII. False: apply
// it as any other.
static bool apply_in_ascii(const on_lemma_class *lemma_class, on_str16 form, on_arena *arena, on_str *lemma) {
  static const on_edit_node nothing = {0};
  const on_edit_node *root = lemma_class->tree.nodes;
  const on_edit_node *ending = root->right < 0 ? &nothing : &root[root->right];
  if (!root->match || root->left >= 0 || ending->match || ending->original.n != root->suffix) return false;
  if (form.n <= root->suffix || form.p[0] >= 0x80) return false;
  const size_t kept = form.n - root->suffix, n = kept + ending->replacement.n;
  char *out = ON_NEW(arena, char, n);
  if (!out) return false;
  for (size_t i = 0; i < form.n; i++) {
    uint16_t unit = form.p[i];
    if (unit >= 0x80 || (lemma_class->turkic && unit == 'I')) return false;
    if (lemma_class->lower && unit >= 'A' && unit <= 'Z') unit |= 32;
    if (i < kept) out[i] = (char)unit;
    else if (unit != ending->original.p[i - kept]) return false;
  }
  for (size_t i = kept; i < n; i++) {
    const uint16_t unit = ending->replacement.p[i - kept];
    if (unit >= 0x80) return false;
    out[i] = (char)unit;
  }
  *lemma = (on_str){out, n};
  return true;
}

on_str on_lemma_class_apply(const on_lemma_class *lemma_class, on_str16 form, on_arena *arena) {
  on_str ascii;
  if (apply_in_ascii(lemma_class, form, arena, &ascii)) return ascii;
  size_t room = form.n + lemma_class->tree.added, length;
  uint16_t *units = ON_NEW(arena, uint16_t, form.n + room);
  if (!units) return ON_STR_NONE;
  if (lemma_class->lower) form = (on_str16){units, on_lower_text(units, form, lemma_class->turkic)};
  uint16_t *lemma = units + form.n;
  if (!on_edit_tree_apply(&lemma_class->tree, form, lemma, room, &length)) return ON_STR_NONE;
  return on_utf8_from_utf16(arena, (on_str16){lemma, length});
}

enum { TRIES = 8 };  // classes tried before the form itself is taken

// The best class does not fit the form: the lemma by the best of the next ones, else the form as it is.
static on_str next_best(const on_lemmatizer *lemmatizer, on_workspace *workspace, const float *h, on_str16 form,
                        on_arena *arena) {
  uint32_t n = lemmatizer->labels.n;
  float *scores = ON_NEW(&workspace->scratch, float, n);
  if (!scores || !on_output_scores(&lemmatizer->output, workspace, h, scores)) return ON_STR_NONE;
  for (int try = 0; try < TRIES; try++) {
    size_t best = workspace->kernels->argmax(scores, n);
    on_str lemma = on_lemma_class_apply(&lemmatizer->classes[best], form, arena);
    if (lemma.p || arena->failed) return lemma;
    scores[best] = -3e38f;
  }
  return on_utf8_from_utf16(arena, form);
}

on_str on_lemma_tag(const on_doc *doc, size_t i) {
  if (doc->tag && doc->tag[i].p) return doc->tag[i];
  return doc->pos && doc->pos[i].p ? doc->pos[i] : ON_STR("");
}

// The lemmas of the tokens which[count] that the lexicon does not have.
static bool by_class(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, const uint32_t *which,
                     size_t count) {
  const on_lemmatizer *lemmatizer = head->state;
  size_t width = head->width;
  uint32_t *best = ON_NEW(&workspace->scratch, uint32_t, count);
  const uint32_t *chosen = count < doc->n ? which : NULL;  // all as they lie
  if (!best || !on_output_classify(&lemmatizer->output, workspace, h, chosen, count, best)) return false;
  for (size_t i = 0; i < count; i++) {
    on_str16 form = on_doc_token(doc, which[i]);
    on_str lemma = on_lemma_class_apply(&lemmatizer->classes[best[i]], form, &doc->arena);
    if (!lemma.p) lemma = next_best(lemmatizer, workspace, h + which[i] * width, form, &doc->arena);
    if (!lemma.p) return false;
    doc->lemma[which[i]] = lemma;
  }
  return true;
}

static bool run(const on_head *head, on_workspace *workspace, const float *h, on_doc *doc, on_error *error) {
  const on_lemmatizer *lemmatizer = head->state;
  uint32_t *which = ON_NEW(&workspace->scratch, uint32_t, doc->n);
  size_t count = 0;
  if (!which || !on_doc_column(doc, &doc->lemma)) return on_fail_memory(error);
  for (size_t i = 0; i < doc->n; i++) {
    doc->lemma[i] = on_lexicon_find(&lemmatizer->lexicon, on_doc_token(doc, i), on_lemma_tag(doc, i));
    if (!doc->lemma[i].p) which[count++] = (uint32_t)i;
  }
  return by_class(head, workspace, h, doc, which, count) || on_fail_memory(error);
}

bool on_lemma_class_build(on_buf *out, on_str16 form, on_str16 lemma, bool turkic) {
  on_arena arena = {0};
  on_buf as_is = {0}, lowered = {0};
  uint16_t *units = ON_NEW(&arena, uint16_t, 2 * form.n);
  bool ok = units != NULL;
  bool fits_as_is = ok && on_edit_tree_build(&as_is, form, lemma);
  bool fits_lowered =
      ok && on_edit_tree_build(&lowered, (on_str16){units, on_lower_text(units, form, turkic)}, lemma);
  if (!ok || as_is.failed || lowered.failed) out->failed = true;
  if (fits_lowered && (!fits_as_is || lowered.n <= as_is.n)) {
    on_buf_char(out, 'l');
    on_buf_str(out, on_buf_view(&lowered));
  } else if (fits_as_is) {
    on_buf_char(out, 'r');
    on_buf_str(out, on_buf_view(&as_is));
  }
  on_buf_free(&as_is);
  on_buf_free(&lowered);
  on_arena_free(&arena);
  return (fits_as_is || fits_lowered) && !out->failed;
}

const on_head_kind on_lemmatizer_kind = {.name = "lemmatizer", .create = create, .write_config = write_config,
                                      .prepare = prepare, .run = run};

// Examples of JSON Lines in a corpus.
#include "base/alloc.h"
#include "doc/cut.h"
#include "format/jsonl.h"
#include "pipeline/tokenize_doc.h"
#include "train/corpus.h"

enum { TEXT_MEMORY = 512 };  // first block of a text's arena: most texts are short

static on_doc *new_text(on_corpus *corpus) {
  if (!on_grow((void **)&corpus->texts, &corpus->text_cap, corpus->text_count + 1, sizeof *corpus->texts)) return NULL;
  on_doc *text = on_calloc(1, sizeof *text);
  if (!text) return NULL;
  on_arena_init(&text->arena, TEXT_MEMORY);
  corpus->texts[corpus->text_count++] = text;
  return text;
}

static bool add_units(on_corpus *corpus, const on_doc *text) {
  on_doc_cut cut = {.doc = text};
  size_t first, end;
  for (bool continues = false; on_doc_cut_next(&cut, &first, &end); continues = true) {
    if (!on_grow((void **)&corpus->examples, &corpus->example_cap, corpus->example_count + 1,
                 sizeof *corpus->examples)) {
      return false;
    }
    on_example *example = &corpus->examples[corpus->example_count++];
    *example = (on_example){.continues = continues, .share = 1};
    on_arena_init(&example->doc.arena, TEXT_MEMORY);
    if (!on_doc_part(text, first, end, &example->doc)) return false;
  }
  return true;
}

static uint64_t labelled(const on_doc *doc) {
  uint64_t n = 0;
  for (size_t i = 0; i < doc->ent_count; i++) n += doc->ents[i].label.p != NULL;
  for (size_t i = 0; i < doc->group_count; i++) n += doc->groups[i].count;
  return n;
}

// A text that came without tokens, and so was read with one for every character.
static bool add_tokenized(on_corpus *corpus, const on_doc *read, on_doc_tokenizer *tokenizer, on_error *error) {
  on_doc *text = new_text(corpus);
  if (!text) return on_fail_memory(error);
  text->source = text->text = read->source;
  text->unit_end = read->unit_end;
  bool ok = read->source.n ? on_tokenize_doc(tokenizer, text, error)
                           : on_doc_set_tokens(text, 0) || on_fail_memory(error);
  if (!ok) return false;
  if (!on_move_labels(text, read, true) || !add_units(corpus, text)) return on_fail_memory(error);
  corpus->misaligned += labelled(read) - labelled(text);
  return true;
}

bool on_corpus_add_jsonl(on_corpus *corpus, on_str jsonl, const on_pipeline *pipeline, on_error *error) {
  bool bare;
  on_jsonl_options options = {.tokenizer = on_tokenize_characters, .context = &bare};
  on_workspace workspace;
  if (!on_workspace_init(&workspace, pipeline->encoder_count, NULL)) return on_fail_memory(error);
  on_doc_tokenizer tokenizer = {pipeline, &workspace};
  on_jsonl_reader *reader = on_jsonl_open(jsonl, &options);
  bool ok = reader || on_fail_memory(error);
  while (ok) {
    on_doc *text = new_text(corpus);
    bare = false;
    int got = text ? on_jsonl_next(reader, text, error) : -1;
    if (!text) on_fail_memory(error);
    if (got == 0) break;
    ok = got > 0;
    if (!ok) break;
    if (bare) ok = add_tokenized(corpus, text, &tokenizer, error);
    else ok = add_units(corpus, text) || on_fail_memory(error);
  }
  if (reader) on_jsonl_close(reader);
  on_workspace_free(&workspace);
  return ok;
}

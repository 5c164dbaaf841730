#include "train/corpus_jsonl.h"

#include "format/conllu.h"
#include "format/jsonl.h"

bool on_conllu_from_jsonl(on_str jsonl, on_buf *out, on_error *error) {
  on_jsonl_reader *reader = on_jsonl_open(jsonl, NULL);
  if (!reader) return on_fail_memory(error);
  on_conllu_writer state = {.next_sentence = 1};
  on_doc doc;
  on_doc_init(&doc);
  bool ok = true;
  int got;
  while (ok && (got = on_jsonl_next(reader, &doc, error)) != 0) {
    state.new_paragraph = true;
    ok = got > 0 && on_conllu_write_doc(out, &doc, &state, error);
  }
  on_doc_free(&doc);
  on_jsonl_close(reader);
  return ok;
}

// A tokenizer.json and a text. Input that starts with '{' is the file up to a NUL, and then the text; any other input
// chooses a file of the parts below by its first bytes. Whatever loads must give pieces inside the text with ids that
// the token table has, and windows that hold them all.
#include <stdlib.h>

#include "pieces/pieces.h"
#include "text/utf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const normalizers[] = {
    "null",
    "{\"type\":\"NFC\"}",
    "{\"type\":\"NFKD\"}",
    "{\"type\":\"BertNormalizer\"}",
    "{\"type\":\"Nmt\"}",
    "{\"type\":\"Strip\"}",
    "{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFD\"},{\"type\":\"StripAccents\"}]}",
    "{\"type\":\"Prepend\",\"prepend\":\"xy\"}",
    "{\"type\":\"ByteLevel\"}",
    "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\" {2,}|a+?b\"},\"content\":\"_\"}",
    "{\"type\":\"Replace\",\"pattern\":{\"String\":\"ab\"},\"content\":\"\"}",
};
static const char *const pretokenizers[] = {
    "null",
    "{\"type\":\"BertPreTokenizer\"}",
    "{\"type\":\"ByteLevel\"}",
    "{\"type\":\"Whitespace\"}",
    "{\"type\":\"Metaspace\",\"replacement\":\"_\"}",
    "{\"type\":\"Digits\",\"individual_digits\":true}",
    ("{\"type\":\"Split\",\"pattern\":{\"Regex\":\"(?:a|b)+(?=c)|\\\\s+(?!\\\\S)|[^\\\\s]\"},"
     "\"behavior\":\"MergedWithNext\"}"),
    ("{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"WhitespaceSplit\"},{\"type\":\"Punctuation\","
     "\"behavior\":\"Contiguous\"},{\"type\":\"Metaspace\",\"replacement\":\"_\",\"prepend_scheme\":\"first\","
     "\"split\":false}]}"),
};
static const char *const models[] = {
    ("{\"type\":\"WordPiece\",\"unk_token\":\"u\",\"continuing_subword_prefix\":\"##\",\"vocab\":{\"u\":0,"
     "\"a\":1,\"##b\":2,\"ab\":3,\"##bc\":4}}"),
    ("{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2,\"abab\":3,\"\\u0120\":4},\"merges\":[\"a b\","
     "\"ab ab\"]}"),
    ("{\"type\":\"BPE\",\"unk_token\":\"b\",\"fuse_unk\":true,\"byte_fallback\":true,\"vocab\":{\"a\":0,"
     "\"b\":1,\"aa\":2,\"<0xC3>\":3,\"<0xA9>\":4},\"merges\":[[\"a\",\"a\"]]}"),
    ("{\"type\":\"Unigram\",\"unk_id\":0,\"byte_fallback\":true,\"vocab\":[[\"u\",0],[\"a\",-1],[\"ab\","
     "-1.5],[\"_a\",-2],[\"<0x62>\",-3]]}"),
};
static const char *const others[] = {
    "",
    (",\"added_tokens\":[{\"content\":\"<m>\",\"lstrip\":true,\"normalized\":false},{\"content\":\"aB\","
     "\"single_word\":true},{\"content\":\"  \",\"rstrip\":true}],\"post_processor\":{\"type\":\"RobertaProcessing\","
     "\"cls\":[\"c\",0],\"sep\":[\"s\",1]}"),
};

#define CHOOSE(list, byte) (list)[(byte) % (sizeof(list) / sizeof *(list))]

static void check(const on_piece_model *model, on_str16 text, on_arena *scratch) {
  on_piece_list list;
  on_piece_windows windows;
  uint32_t start[3] = {0, 1, 4}, end[3] = {1, 4, 9}, first[3], last[3];
  if (!on_piece_encode(model, text, scratch, &list, NULL)) return;
  for (size_t i = 0; i < list.n; i++) {
    if (list.ids[i] >= on_piece_model_size(model) || list.start[i] > list.end[i] || list.end[i] > text.n) abort();
  }
  on_piece_words(&list, start, end, 3, first, last);
  for (size_t w = 0; w < 3; w++) {
    if (first[w] > last[w] || last[w] > list.n) abort();
  }
  if (!on_piece_windows_make(model, &list, first, last, 3, 5, scratch, &windows, NULL)) return;
  size_t before, after;
  on_piece_before(model, &before);
  on_piece_after(model, &after);
  if (windows.id_count != list.n + windows.count * (before + after)) abort();
  for (size_t w = 0; w < 3; w++) {
    if (windows.first[w] + windows.pieces[w] > windows.id_count) abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  on_arena arena = {0};
  on_buf made = {0};
  on_str16 text;
  on_piece_model *model;
  if (size < 5) return 0;
  on_str json = {(const char *)data, size}, utf8 = ON_STR_NONE;
  if (data[0] == '{') {
    const uint8_t *end = memchr(data, 0, size);
    if (end) json.n = (size_t)(end - data);
    if (end) utf8 = (on_str){(const char *)end + 1, size - json.n - 1};
  } else {
    on_buf_str(&made, ON_STR("{\"normalizer\":"));
    on_buf_str(&made, on_str_c(CHOOSE(normalizers, data[0])));
    on_buf_str(&made, ON_STR(",\"pre_tokenizer\":"));
    on_buf_str(&made, on_str_c(CHOOSE(pretokenizers, data[1])));
    on_buf_str(&made, ON_STR(",\"model\":"));
    on_buf_str(&made, on_str_c(CHOOSE(models, data[2])));
    on_buf_str(&made, on_str_c(CHOOSE(others, data[3])));
    on_buf_char(&made, '}');
    json = on_buf_view(&made);
    utf8 = (on_str){(const char *)data + 4, size - 4};
  }
  on_error error = {0};
  if (on_piece_model_load(&model, &arena, json, &error)) {
    if (on_utf16_from_utf8(&arena, utf8, &text, NULL)) check(model, text, &arena);
  } else if (made.n && error.code != ON_UNSUPPORTED) {
    abort();  // the parts are good; but Strip leaves nothing of an added token of two blanks
  }
  on_buf_free(&made);
  on_arena_free(&arena);
  return 0;
}

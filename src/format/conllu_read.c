// The CoNLL-U reader. Strings are slices of the caller's bytes; only the lists take memory.
#include "format/conllu_internal.h"

#include "base/alloc.h"
#include "text/utf.h"

enum {
  MAX_LINE = 1048576,
  MAX_WORDS = 100000,
  MAX_COMMENTS = 10000,
  COLUMNS = 10,
  VALIDATE_AHEAD = 65536  // bytes of UTF-8 checked at a time
};

static const char *const column_names[COLUMNS] = {"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                                  "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};

struct on_conllu_reader {
  on_str bytes;
  on_conllu_options limits;
  size_t at;       // the next line starts here
  size_t checked;  // bytes before this are well-formed UTF-8
  int64_t line;    // number of the line that was read last
  bool failed;
  on_error error;
};

// The lists of the sentence that is being read, and their capacities.
typedef struct builder {
  on_conllu_reader *reader;
  on_conllu_sentence *sentence;
  size_t comment_cap, word_cap, range_cap, empty_cap;
  size_t token_lines;  // words and ranges: what the limit counts
  bool has_tokens;     // a word, range or empty node was seen
  bool open_range;     // the newest range waits for words
  int64_t range_line, empty_line;  // of the newest range and the first empty node
} builder;

on_conllu_reader *on_conllu_open(on_str bytes, const on_conllu_options *options) {
  on_conllu_reader *reader = on_malloc(sizeof *reader);
  if (!reader) return NULL;
  *reader = (on_conllu_reader){.bytes = bytes};
  if (options) reader->limits = *options;
  if (!reader->limits.max_line) reader->limits.max_line = MAX_LINE;
  if (!reader->limits.max_words) reader->limits.max_words = MAX_WORDS;
  if (!reader->limits.max_comments) reader->limits.max_comments = MAX_COMMENTS;
  reader->line = reader->limits.lines;
  if (!reader->line && on_str_starts(bytes, ON_STR("\xEF\xBB\xBF"))) reader->at = reader->checked = 3;
  return reader;
}

int64_t on_conllu_line(const on_conllu_reader *reader) { return reader->line; }

void on_conllu_close(on_conllu_reader *reader) { on_free(reader); }

void on_conllu_sentence_free(on_conllu_sentence *sentence) {
  on_arena_free(&sentence->arena);
  *sentence = (on_conllu_sentence){0};
}

int64_t on_conllu_word_line(const on_conllu_sentence *sentence, size_t word) {
  // Comments come first; then every line is a word, range or empty node, in the order of the words.
  int64_t line = sentence->line + (int64_t)sentence->comment_count + (int64_t)word;
  for (size_t i = 0; i < sentence->range_count && sentence->ranges[i].first <= word + 1; i++) line++;
  for (size_t i = 0; i < sentence->empty_count && sentence->empties[i].after <= word; i++) line++;
  return line;
}

static bool fail_at(on_conllu_reader *reader, int64_t line) {
  reader->error.code = ON_DATA_FORMAT;
  reader->error.position = line;
  return on_fail_context(&reader->error, "line %lld", (long long)line);
}

// Ends with the error "line N: ..." in the reader; false.
#define FAIL(reader, line, ...) \
  (on_fail(&(reader)->error, ON_DATA_FORMAT, (line), __VA_ARGS__), fail_at((reader), (line)))

// Makes sure that the bytes up to `end`, a line's end, are well-formed.
static bool check_utf8(on_conllu_reader *reader, size_t start, size_t end) {
  if (end <= reader->checked) return true;
  const on_str bytes = reader->bytes;
  size_t to = bytes.n;
  if (bytes.n - reader->checked > VALIDATE_AHEAD) {
    size_t from = reader->checked + VALIDATE_AHEAD;
    if (from < end) from = end;
    const char *newline = from < bytes.n ? memchr(bytes.p + from, '\n', bytes.n - from) : NULL;
    if (newline) to = (size_t)(newline - bytes.p);
  }
  size_t bad;
  const size_t base = reader->checked;
  if (on_utf8_valid(on_str_sub(bytes, base, to), &bad)) {
    reader->checked = to;
    return true;
  }
  // Lines before the bad one are read first: their errors, and the sentences, come before this one.
  const size_t offset = base + bad;
  if (offset >= end) {
    reader->checked = offset;
    return true;
  }
  return FAIL(reader, reader->line, "invalid UTF-8 (byte 0x%02X at byte %zu of the line)",
              (unsigned)(unsigned char)bytes.p[offset], offset - start + 1);
}

// 1: a line in *out, without its line end; 0: no more; -1: an error.
static int next_line(on_conllu_reader *reader, on_str *out) {
  const on_str bytes = reader->bytes;
  const size_t start = reader->at;
  if (start >= bytes.n) return 0;
  reader->line++;
  const char *newline = memchr(bytes.p + start, '\n', bytes.n - start);
  size_t end = newline ? (size_t)(newline - bytes.p) : bytes.n;
  reader->at = newline ? end + 1 : end;
  if (!check_utf8(reader, start, end)) return -1;
  // CR LF; and CR CR LF, which careless conversions leave, because no value could keep a CR at a line's end
  // when it is written.
  while (end > start && bytes.p[end - 1] == '\r') end--;
  *out = on_str_sub(bytes, start, end);
  // A UTF-16 unit takes one byte or more, so most lines need no count.
  if (out->n > reader->limits.max_line) {
    const size_t units = on_utf16_length(*out);
    if (units > reader->limits.max_line) {
      FAIL(reader, reader->line, "the line has %zu UTF-16 units; at most %zu are allowed", units,
           reader->limits.max_line);
      return -1;
    }
  }
  return 1;
}

// Room for one more element in a list of the arena; the old list stays behind as waste, at most as much
// as the new one holds.
static bool room(builder *b, void **list, size_t count, size_t *cap, size_t size) {
  if (count < *cap) return true;
  size_t larger = *cap ? *cap * 2 : 32;
  void *block = on_arena_alloc(&b->sentence->arena, larger, size);
  if (!block) return on_fail_memory(&b->reader->error);
  if (count) memcpy(block, *list, count * size);
  *list = block;
  *cap = larger;
  return true;
}

static bool add_comment(builder *b, on_str line) {
  on_conllu_reader *reader = b->reader;
  on_conllu_sentence *sentence = b->sentence;
  if (b->has_tokens) {
    return FAIL(reader, reader->line, "a comment must come before the first word of its sentence"
                " (is the empty line between two sentences missing?)");
  }
  if (sentence->comment_count >= reader->limits.max_comments) {
    return FAIL(reader, reader->line, "the sentence has more than %zu comment lines", reader->limits.max_comments);
  }
  if (!room(b, (void **)&sentence->comments, sentence->comment_count, &b->comment_cap, sizeof(on_str))) return false;
  sentence->comments[sentence->comment_count++] = line;
  return true;
}

// Cuts a line at its tabs into exactly ten columns, none of them empty.
static bool split_columns(on_conllu_reader *reader, on_str line, on_str columns[COLUMNS]) {
  const char *p = line.p, *end = line.p + line.n;
  size_t count = 0;
  for (;;) {
    const char *tab = memchr(p, '\t', (size_t)(end - p));
    const char *stop = tab ? tab : end;
    if (count < COLUMNS) columns[count] = (on_str){p, (size_t)(stop - p)};
    count++;
    if (!tab) break;
    p = tab + 1;
  }
  if (count != COLUMNS) {
    bool blank = true;
    for (size_t i = 0; i < line.n && blank; i++) blank = line.p[i] == ' ' || line.p[i] == '\t';
    if (blank) {
      return FAIL(reader, reader->line,
                  "the line has only blanks; the line that ends a sentence must be empty");
    }
    return FAIL(reader, reader->line, "the line has %zu column%s; a word line has 10, separated by tabs", count,
                count == 1 ? "" : "s");
  }
  for (size_t i = 0; i < COLUMNS; i++) {
    if (columns[i].n != 0) continue;
    if (i == 1) return FAIL(reader, reader->line, "FORM is empty");
    return FAIL(reader, reader->line, "column %zu (%s) is empty; write _ where there is no value", i + 1,
                column_names[i]);
  }
  return true;
}

static on_str value_of(on_str column) { return column.n == 1 && column.p[0] == '_' ? ON_STR_NONE : column; }

static bool all_digits(on_str s) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] < '0' || s.p[i] > '9') return false;
  }
  return s.n > 0;
}

static bool count_token_line(builder *b) {
  const size_t limit = b->reader->limits.max_words;
  if (b->token_lines++ < limit) return true;
  return FAIL(b->reader, b->reader->line, "the sentence has more than %zu word and range lines", limit);
}

static bool add_word(builder *b, const on_str columns[COLUMNS]) {
  on_conllu_reader *reader = b->reader;
  on_conllu_sentence *sentence = b->sentence;
  const size_t number = sentence->word_count + 1;
  uint32_t id;
  if (!on_str_to_u32(columns[0], UINT32_MAX, &id) || id != number) {
    return FAIL(reader, reader->line, "the word's ID is %.*s where %zu comes next", ON_SHOW(columns[0]), number);
  }
  if (!count_token_line(b)) return false;
  uint32_t head = 0;
  const on_str head_text = columns[6];
  const bool has_head = !(head_text.n == 1 && head_text.p[0] == '_');
  if (has_head) {
    // Whether there are as many words is known at the sentence's end; no sentence passes INT32_MAX words
    // with a valid head, whatever the limit is set to.
    if (!on_str_to_u32(head_text, INT32_MAX, &head)) {
      if (all_digits(head_text) && head_text.p[0] == '0') {
        return FAIL(reader, reader->line, "HEAD is %.*s; numbers are written without leading zeros",
                    ON_SHOW(head_text));
      }
      if (all_digits(head_text)) {
        return FAIL(reader, reader->line, "HEAD is %.*s, more than any sentence has words", ON_SHOW(head_text));
      }
      return FAIL(reader, reader->line, "HEAD is '%.*s'; it must be 0, the ID of a word, or _", ON_SHOW(head_text));
    }
    if (head == number) {
      return FAIL(reader, reader->line, "HEAD is %zu, the word itself; a root has HEAD 0", number);
    }
  }
  if (!room(b, (void **)&sentence->words, sentence->word_count, &b->word_cap, sizeof(on_conllu_word))) return false;
  sentence->words[sentence->word_count++] = (on_conllu_word){
      .form = columns[1],
      .lemma = value_of(columns[2]),
      .upos = value_of(columns[3]),
      .xpos = value_of(columns[4]),
      .feats = value_of(columns[5]),
      .head = has_head ? (int32_t)head : -1,
      .deprel = value_of(columns[7]),
      .deps = value_of(columns[8]),
      .misc = value_of(columns[9]),
  };
  if (b->open_range && sentence->ranges[sentence->range_count - 1].last == number) b->open_range = false;
  return true;
}

static bool add_range(builder *b, const on_str columns[COLUMNS], size_t dash) {
  on_conllu_reader *reader = b->reader;
  on_conllu_sentence *sentence = b->sentence;
  const on_str id = columns[0];
  uint32_t first, last;
  const size_t next = sentence->word_count + 1;
  if (!on_str_to_u32(on_str_sub(id, 0, dash), UINT32_MAX, &first) ||
      !on_str_to_u32(on_str_sub(id, dash + 1, id.n), UINT32_MAX, &last)) {
    return FAIL(reader, reader->line, "the range's ID %.*s is not of the form a-b", ON_SHOW(id));
  }
  if (b->open_range) {
    const on_conllu_range *open = &sentence->ranges[sentence->range_count - 1];
    return FAIL(reader, reader->line, "range %.*s begins inside the range %u-%u of line %lld; ranges must not nest"
                " or overlap", ON_SHOW(id), open->first, open->last, (long long)b->range_line);
  }
  if (first != next) {
    return FAIL(reader, reader->line, "range %.*s must begin with the next word, %zu", ON_SHOW(id), next);
  }
  if (last <= first) {
    return FAIL(reader, reader->line, "range %.*s must end after the word with which it begins", ON_SHOW(id));
  }
  if (!count_token_line(b)) return false;
  if (!room(b, (void **)&sentence->ranges, sentence->range_count, &b->range_cap, sizeof(on_conllu_range))) {
    return false;
  }
  on_conllu_range *range = &sentence->ranges[sentence->range_count++];
  *range = (on_conllu_range){.first = first, .last = last, .form = columns[1], .misc = value_of(columns[9])};
  for (size_t i = 0; i < 7; i++) range->columns[i] = value_of(columns[i + 2]);
  b->open_range = true;
  b->range_line = reader->line;
  return true;
}

static bool add_empty(builder *b, on_str line, const on_str columns[COLUMNS], size_t dot) {
  on_conllu_reader *reader = b->reader;
  on_conllu_sentence *sentence = b->sentence;
  const on_str id = columns[0];
  uint32_t after, index;
  if (!on_str_to_u32(on_str_sub(id, 0, dot), UINT32_MAX, &after) ||
      !on_str_to_u32(on_str_sub(id, dot + 1, id.n), UINT32_MAX, &index)) {
    return FAIL(reader, reader->line, "the empty node's ID %.*s is not of the form N.M", ON_SHOW(id));
  }
  if (after != sentence->word_count) {
    return FAIL(reader, reader->line, "empty node %.*s must stand right after word %u, not after word %zu",
                ON_SHOW(id), after, sentence->word_count);
  }
  if (b->open_range && sentence->ranges[sentence->range_count - 1].first == after + 1) {
    const on_conllu_range *open = &sentence->ranges[sentence->range_count - 1];
    return FAIL(reader, reader->line, "empty node %.*s stands between range %u-%u and its first word", ON_SHOW(id),
                open->first, open->last);
  }
  uint32_t next = 1;
  if (sentence->empty_count && sentence->empties[sentence->empty_count - 1].after == after) {
    next = sentence->empties[sentence->empty_count - 1].index + 1;
  }
  if (index != next) {
    return FAIL(reader, reader->line, "the empty node's ID is %.*s where %u.%u comes next", ON_SHOW(id), after, next);
  }
  // The document sets no limit of their own; that of the word lines keeps memory bounded.
  if (sentence->empty_count >= reader->limits.max_words) {
    return FAIL(reader, reader->line, "the sentence has more than %zu empty nodes", reader->limits.max_words);
  }
  if (!room(b, (void **)&sentence->empties, sentence->empty_count, &b->empty_cap, sizeof(on_conllu_empty))) {
    return false;
  }
  if (!sentence->empty_count) b->empty_line = reader->line;
  sentence->empties[sentence->empty_count++] = (on_conllu_empty){.after = after, .index = index, .line = line};
  return true;
}

static bool add_line(builder *b, on_str line) {
  if (line.p[0] == '#') return add_comment(b, line);
  on_str columns[COLUMNS] = {0};
  if (!split_columns(b->reader, line, columns)) return false;
  b->has_tokens = true;
  const on_str id = columns[0];
  size_t digits = 0;
  while (digits < id.n && id.p[digits] >= '0' && id.p[digits] <= '9') digits++;
  if (digits > 0 && digits == id.n) return add_word(b, columns);
  if (digits > 0 && id.p[digits] == '-') return add_range(b, columns, digits);
  if (digits > 0 && id.p[digits] == '.') return add_empty(b, line, columns, digits);
  return FAIL(b->reader, b->reader->line,
              "the ID '%.*s' is no word number, range a-b or empty node N.M", ON_SHOW(id));
}

// What only shows when all words are there.
static bool finish(builder *b) {
  on_conllu_reader *reader = b->reader;
  const on_conllu_sentence *sentence = b->sentence;
  const size_t n = sentence->word_count;
  if (b->open_range) {
    const on_conllu_range *range = &sentence->ranges[sentence->range_count - 1];
    return FAIL(reader, b->range_line, "range %u-%u reaches beyond the sentence's last word, %zu", range->first,
                range->last, n);
  }
  if (n == 0 && sentence->empty_count) return FAIL(reader, b->empty_line, "the sentence has an empty node but no word");
  if (n == 0) return FAIL(reader, sentence->line, "the sentence has comments but no word");
  for (size_t i = 0; i < n; i++) {
    if (sentence->words[i].head > 0 && (size_t)sentence->words[i].head > n) {
      return FAIL(reader, on_conllu_word_line(sentence, i), "HEAD is %d, but the sentence has %zu word%s",
                  (int)sentence->words[i].head, n, n == 1 ? "" : "s");
    }
  }
  return true;
}

int on_conllu_next(on_conllu_reader *reader, on_conllu_sentence *sentence, on_error *error) {
  on_arena arena = sentence->arena;
  on_arena_reset(&arena);
  *sentence = (on_conllu_sentence){.arena = arena};
  builder b = {.reader = reader, .sentence = sentence};
  while (!reader->failed) {
    on_str line;
    const int got = next_line(reader, &line);
    if (got < 0) {
      reader->failed = true;
    } else if (got == 0 && reader->limits.partial) {
      return 0;
    } else if (got == 0 || line.n == 0) {
      // Further empty lines between sentences end nothing.
      if (sentence->line) {
        if (finish(&b)) return 1;
        reader->failed = true;
      } else if (got == 0) {
        return 0;
      }
    } else {
      if (!sentence->line) sentence->line = reader->line;
      reader->failed = !add_line(&b, line);
    }
  }
  if (error) *error = reader->error;
  return -1;
}

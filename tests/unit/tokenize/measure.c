// Tokens, words and sentences of a data set against a treebank, from raw text.
//
//   measure_tokenize DATA FILE.conllu [--errors] [--sentence-errors] [--min-tokens X] [--min-words X] [--min-sentences X]
//
// Raw text: surface forms, SpaceAfter=No, one blank between sentences, an empty line at newpar and
// newdoc. FILE is looked up in ONENLP_DATA (or data/) when it is a relative path that does not exist.
// Exit status: 0, 1 when a floor is missed, 77 when the file is not there, 2 for a wrong call.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "text/utf.h"
#include "tokenize/tokenize.h"

typedef struct span {
  uint32_t start, end;
} span;

typedef struct spans {
  span *list;
  size_t n, capacity;
} spans;

typedef struct gold {
  on_buf text;
  uint32_t units;  // UTF-16 length of the text
  spans tokens, words, sentences;
} gold;

static void add(spans *set, uint32_t start, uint32_t end) {
  if (set->n == set->capacity) {
    set->capacity = set->capacity ? 2 * set->capacity : 1024;
    set->list = realloc(set->list, set->capacity * sizeof *set->list);
    if (!set->list) exit(2);
  }
  set->list[set->n++] = (span){start, end};
}

static uint32_t put(gold *g, const char *text, size_t n) {
  on_buf_add(&g->text, text, n);
  uint32_t units = (uint32_t)on_utf16_length((on_str){text, n});
  g->units += units;
  return units;
}

// The words of a range, by the rule of the data-formats document: pieces when the forms are, else nearly
// equal parts.
static void add_parts(spans *words, uint32_t start, uint32_t end, const uint32_t *lengths, size_t n) {
  uint32_t sum = 0, whole = end - start;
  for (size_t i = 0; i < n; i++) sum += lengths[i];
  for (size_t i = 0; i < n; i++) {
    uint32_t length = sum == whole ? lengths[i] : whole / (uint32_t)n + (i < whole % n);
    add(words, start, start + length);
    start += length;
  }
}

static bool read_gold(gold *g, FILE *file) {
  static char line[1 << 20];
  uint32_t lengths[64];
  size_t n_range = 0;
  long range_end = 0;
  uint32_t range_from = 0, range_to = 0, sentence = 0;
  bool first = true, open = false, paragraph = true, space = false;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = 0;
    if (line[0] == '#') {
      if (strncmp(line, "# newpar", 8) == 0 || strncmp(line, "# newdoc", 8) == 0) paragraph = true;
      continue;
    }
    if (line[0] == 0) {
      if (open) add(&g->sentences, sentence, g->units - space);
      open = false;
      continue;
    }
    char *column[10] = {line};
    for (int i = 1; i < 10; i++) {
      char *tab = strchr(column[i - 1], '\t');
      if (!tab) return false;
      *tab = 0;
      column[i] = tab + 1;
    }
    if (strchr(column[0], '.')) continue;
    char *dash = strchr(column[0], '-');
    long id = strtol(column[0], NULL, 10);
    if (!dash && id <= range_end && open) {
      if (n_range < 64) lengths[n_range++] = (uint32_t)on_utf16_length(on_str_c(column[1]));
      if (id == range_end) add_parts(&g->words, range_from, range_to, lengths, n_range);
      continue;
    }
    if (!open) {
      if (!first && paragraph) {
        if (space) {
          g->text.n--;
          g->units--;
        }
        put(g, "\n\n", 2);
      } else if (!first && !space) {
        put(g, " ", 1);
      }
      paragraph = false;
      open = true;
      first = false;
      sentence = g->units;
      range_end = 0;
    }
    uint32_t start = g->units;
    put(g, column[1], strlen(column[1]));
    add(&g->tokens, start, g->units);
    if (dash) {
      range_from = start;
      range_to = g->units;
      range_end = strtol(dash + 1, NULL, 10);
      n_range = 0;
    } else {
      add(&g->words, start, g->units);
    }
    space = strstr(column[9], "SpaceAfter=No") == NULL;
    if (space) put(g, " ", 1);
  }
  if (open) add(&g->sentences, sentence, g->units - space);
  return !g->text.failed;
}

static double f1(const char *name, const spans *a, const spans *b) {
  size_t i = 0, j = 0, both = 0;
  while (i < a->n && j < b->n) {
    span x = a->list[i], y = b->list[j];
    if (x.start == y.start && x.end == y.end) {
      both++;
      i++;
      j++;
    } else if (x.start < y.start || (x.start == y.start && x.end < y.end)) {
      i++;
    } else {
      j++;
    }
  }
  double precision = 100.0 * (double)both / (double)(b->n ? b->n : 1);
  double recall = 100.0 * (double)both / (double)(a->n ? a->n : 1);
  double score = 200.0 * (double)both / (double)(a->n + b->n ? a->n + b->n : 1);
  printf("%-10s precision %6.2f  recall %6.2f  F1 %6.2f   (%zu gold, %zu found)\n", name, precision, recall, score,
         a->n, b->n);
  return score;
}

static void show(on_arena *arena, on_str16 text, const spans *set, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    on_str s = on_utf8_from_utf16(arena, on_str16_sub(text, set->list[i].start, set->list[i].end));
    printf("%s%.*s", i > from ? "|" : "", (int)s.n, s.p);
  }
}

// One line for each stretch that the two divide differently: gold, found, context.
static void show_errors(on_arena *arena, on_str16 text, const spans *a, const spans *b) {
  size_t i = 0, j = 0;
  while (i < a->n && j < b->n) {
    size_t i0 = i, j0 = j;
    if (a->list[i].start == b->list[j].start && a->list[i].end == b->list[j].end) {
      i++;
      j++;
      continue;
    }
    uint32_t ends[2] = {a->list[i++].end, b->list[j++].end};
    while (ends[0] != ends[1]) {
      if (ends[0] < ends[1]) {
        if (i == a->n) return;
        ends[0] = a->list[i++].end;
      } else {
        if (j == b->n) return;
        ends[1] = b->list[j++].end;
      }
    }
    show(arena, text, a, i0, i);
    printf("\t");
    show(arena, text, b, j0, j);
    size_t from = a->list[i0].start > 40 ? a->list[i0].start - 40 : 0;
    size_t to = a->list[i - 1].end + 40 < text.n ? a->list[i - 1].end + 40 : text.n;
    on_str s = on_utf8_from_utf16(arena, on_str16_sub(text, from, to));
    printf("\t...");
    for (size_t k = 0; k < s.n; k++) putchar(s.p[k] == '\n' ? '/' : s.p[k]);
    printf("...\n");
  }
}

static void show_sentence_errors(on_arena *arena, on_str16 text, const spans *a, const spans *b) {
  size_t i = 0, j = 0;
  while (i < a->n || j < b->n) {
    uint32_t x = i < a->n ? a->list[i].start : UINT32_MAX, y = j < b->n ? b->list[j].start : UINT32_MAX;
    i += x <= y;
    j += y <= x;
    if (x == y) continue;
    uint32_t at = x < y ? x : y;
    size_t from = at > 50 ? at - 50 : 0, to = at + 30 < text.n ? at + 30 : text.n;
    on_str left = on_utf8_from_utf16(arena, on_str16_sub(text, from, at));
    on_str right = on_utf8_from_utf16(arena, on_str16_sub(text, at, to));
    printf("%s\t", x < y ? "missed" : "wrong");
    for (size_t k = 0; k < left.n; k++) putchar(left.p[k] == '\n' ? '/' : left.p[k]);
    printf("#");
    for (size_t k = 0; k < right.n; k++) putchar(right.p[k] == '\n' ? '/' : right.p[k]);
    printf("\n");
  }
}

static FILE *find(const char *name) {
  FILE *file = fopen(name, "rb");
  const char *folder = getenv("ONENLP_DATA");
  char path[4096];
  int n = snprintf(path, sizeof path, "%s/%s", folder && folder[0] ? folder : "data", name);
  if (!file && n > 0 && (size_t)n < sizeof path) file = fopen(path, "rb");
  if (!file) printf("skipped: no %s in ONENLP_DATA or data/\n", name);
  return file;
}

int main(int argc, char **argv) {
  double floors[3] = {0, 0, 0};
  bool errors = false, sentence_errors = false;
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--errors") == 0) errors = true;
    else if (strcmp(argv[i], "--sentence-errors") == 0) sentence_errors = true;
    else if (strcmp(argv[i], "--min-tokens") == 0 && i + 1 < argc) floors[0] = atof(argv[++i]);
    else if (strcmp(argv[i], "--min-words") == 0 && i + 1 < argc) floors[1] = atof(argv[++i]);
    else if (strcmp(argv[i], "--min-sentences") == 0 && i + 1 < argc) floors[2] = atof(argv[++i]);
    else return 2;
  }
  const on_segmentation *data = argc > 2 ? on_segmentation_find(on_str_c(argv[1])) : NULL;
  if (!data) return 2;
  FILE *file = find(argv[2]);
  if (!file) return 77;
  gold g = {0};
  bool ok = read_gold(&g, file);
  fclose(file);
  on_arena arena;
  on_arena_init(&arena, 1 << 20);
  on_str16 text;
  on_pieces pieces;
  on_error error;
  ok = ok && on_utf16_from_utf8(&arena, on_buf_view(&g.text), &text, &error) &&
       on_tokenize_uax(&arena, data, NULL, text, 0, text.n, &pieces, &error);
  uint8_t *starts = ok ? calloc(pieces.n + 1, 1) : NULL;
  ok = starts && on_sentencize(data, text, 0, text.n, &pieces, starts, &error);
  if (!ok) {
    printf("failed: %s\n", error.text);
    return 1;
  }
  spans tokens = {0}, words = {0}, sentences = {0};
  uint32_t sentence = 0;
  for (size_t i = 0; i < pieces.n; i++) {
    const on_piece *p = &pieces.list[i];
    if (i == 0 || pieces.list[i - 1].surface != p->surface) add(&tokens, p->start, p->end);
    else if (tokens.list[tokens.n - 1].end < p->end) tokens.list[tokens.n - 1].end = p->end;
    // Words that share the whole surface form get nearly equal parts of it, as in the gold words.
    size_t first = i, end = i + 1;
    while (first > 0 && pieces.list[first - 1].surface == p->surface) first--;
    while (end < pieces.n && pieces.list[end].surface == p->surface) end++;
    bool shared = end - first > 1 && pieces.list[first].end == pieces.list[end - 1].end;
    if (shared && i == first) {
      uint32_t lengths[64];
      for (size_t k = first; k < end && k - first < 64; k++) {
        lengths[k - first] = (uint32_t)on_utf16_length(pieces.list[k].form);
      }
      add_parts(&words, p->start, p->end, lengths, end - first);
    } else if (!shared) {
      add(&words, p->start, p->end);
    }
    if (starts[i] && i > 0) add(&sentences, sentence, pieces.list[i - 1].end);
    if (starts[i]) sentence = p->start;
  }
  if (pieces.n > 0) add(&sentences, sentence, pieces.list[pieces.n - 1].end);
  if (errors) show_errors(&arena, text, &g.words, &words);
  if (sentence_errors) show_sentence_errors(&arena, text, &g.sentences, &sentences);
  double scores[3] = {f1("Tokens", &g.tokens, &tokens), f1("Words", &g.words, &words),
                      f1("Sentences", &g.sentences, &sentences)};
  int status = 0;
  for (int i = 0; i < 3; i++) {
    if (scores[i] < floors[i]) {
      printf("below its floor: %.2f, not %.2f\n", scores[i], floors[i]);
      status = 1;
    }
  }
  free(starts);
  free(g.tokens.list);
  free(g.words.list);
  free(g.sentences.list);
  free(tokens.list);
  free(words.list);
  free(sentences.list);
  on_buf_free(&g.text);
  on_arena_free(&arena);
  return status;
}

/* pieces_dump TOKENIZER TEXTS: prints "id:start:end " for each piece, a line for each text. TEXTS holds, for each
 * text, its length in bytes, a line break, its bytes and a line break. */
#include <stdio.h>
#include <stdlib.h>

#include "pieces/pieces.h"
#include "text/utf.h"

static char *read_file(const char *path, size_t *n) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) exit(2);
  *n = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*n + 1);
  if (!bytes || fread(bytes, 1, *n, file) != *n) exit(2);
  bytes[*n] = 0;
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  size_t json_n, n;
  char *json = read_file(argv[1], &json_n), *texts = read_file(argv[2], &n);
  on_arena arena = {0}, scratch = {0};
  on_piece_model *model;
  on_error error;
  if (!on_piece_model_load(&model, &arena, (on_str){json, json_n}, &error)) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  for (char *p = texts; p < texts + n;) {
    size_t length = strtoul(p, &p, 10);
    on_str16 text;
    on_piece_list list;
    if (!on_utf16_from_utf8(&scratch, (on_str){p + 1, length}, &text, &error) ||
        !on_piece_encode(model, text, &scratch, &list, &error)) {
      fprintf(stderr, "%s\n", error.text);
      return 1;
    }
    for (size_t i = 0; i < list.n; i++) printf("%u:%u:%u ", list.ids[i], list.start[i], list.end[i]);
    putchar('\n');
    on_arena_reset(&scratch);
    p += length + 2;
  }
  on_arena_free(&scratch);
  on_arena_free(&arena);
  free(json);
  free(texts);
  return 0;
}

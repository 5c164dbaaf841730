#include "cli/treebank.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "tokenize/tokenize.h"
#include "tokenize/segmentation.h"
#include "train/choose.h"
#include "train/hold_out.h"

enum { LONGEST_CODE = 8 };

// The path of a file of the folder whose name ends in `ending`, and is that or has a '-' before it; empty: none.
static void find(const char *folder, const char *ending, on_buf *path) {
  DIR *directory = opendir(folder);
  if (!directory) return;
  on_str want = on_str_c(ending);
  for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
    on_str name = on_str_c(entry->d_name);
    if (!on_str_ends(name, want) || (name.n > want.n && name.p[name.n - want.n - 1] != '-')) continue;
    on_buf_clear(path);
    on_buf_format(path, "%s/%s", folder, entry->d_name);
    on_buf_char(path, 0);
    path->n--;
    break;
  }
  closedir(directory);
}

// "ga" of ga_idt-ud-train.conllu, or of the data set that is called as UD_Irish-IDT says.
static on_str language_of(const char *folder, on_str train, char code[LONGEST_CODE]) {
  size_t slash = train.n;
  while (slash > 0 && train.p[slash - 1] != '/') slash--;
  size_t end = slash;
  while (end < train.n && train.p[end] >= 'a' && train.p[end] <= 'z') end++;
  if (end < train.n && train.p[end] == '_' && end - slash >= 2 && end - slash < LONGEST_CODE) {
    return on_str_sub(train, slash, end);
  }
  const char *name = strstr(folder, "UD_");
  if (!name) return ON_STR_NONE;
  char lower[32];
  size_t n = 0;
  for (name += 3; name[n] && name[n] != '-' && n + 1 < sizeof lower; n++) {
    lower[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] + 32 : name[n]);
  }
  const on_segmentation *data = on_segmentation_find((on_str){lower, n});
  if (!data || !data->languages) return ON_STR_NONE;
  snprintf(code, LONGEST_CODE, "%s", data->languages[0]);
  return on_str_c(code);
}

static bool choose(const char *folder, on_choice *choice, on_buf *files, on_buf *recipe, on_error *error) {
  on_corpus train = {0}, dev = {0};
  on_buf why = {0};
  (void)folder;
  bool ok = on_file_read(choice->train.p, &files[0], error) && on_corpus_add(&train, on_buf_view(&files[0]), error);
  if (ok && choice->dev.p) {
    ok = on_file_read(choice->dev.p, &files[1], error) && on_corpus_add(&dev, on_buf_view(&files[1]), error);
  } else if (ok) {
    ok = on_corpus_hold_out(&train, &dev, 1, error);
  }
  ok = ok && on_choose_recipe(choice, &train, &dev, recipe, &why, error);
  if (ok) fprintf(stderr, "%.*s", (int)why.n, why.p);
  on_buf_free(&why);
  on_corpus_free(&train);
  on_corpus_free(&dev);
  return ok;
}

bool on_treebank_recipe(const char *folder, const char *language, on_buf *recipe) {
  on_error error;
  on_buf train = {0}, dev = {0}, files[2] = {{0}};
  char code[LONGEST_CODE];
  char *absolute = realpath(folder, NULL);
  struct stat info;
  bool ok = absolute && stat(absolute, &info) == 0;
  if (!ok) on_fail(&error, ON_IO, -1, "cannot open the folder %s", folder);
  else if (!S_ISDIR(info.st_mode)) ok = on_fail(&error, ON_IO, -1, "%s is no folder", folder);
  if (ok) {
    find(absolute, "train.conllu", &train);
    find(absolute, "dev.conllu", &dev);
    ok = train.n > 0 || on_fail(&error, ON_IO, -1, "%s has no train.conllu", folder);
  }
  if (ok) {
    on_choice choice = {.train = on_buf_view(&train), .dev = dev.n ? on_buf_view(&dev) : ON_STR_NONE};
    choice.language = language ? on_str_c(language) : language_of(absolute, choice.train, code);
    ok = choose(absolute, &choice, files, recipe, &error);
  }
  if (!ok) on_say_error(NULL, ON_STR_NONE, &error);
  on_buf_free(&train);
  on_buf_free(&dev);
  on_buf_free(&files[0]);
  on_buf_free(&files[1]);
  free(absolute);
  return ok;
}

/* Runs a fuzz target over saved inputs, without libFuzzer: every argument is a file or a folder
 * of files. A folder that does not exist counts as empty. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path, size_t size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    return -1;
  }
  /* Exactly the input's size, so that ASan sees a read past its end. */
  uint8_t *data = malloc(size > 0 ? size : 1);
  int status = -1;
  if (data != NULL && fread(data, 1, size, file) == size) {
    LLVMFuzzerTestOneInput(data, size);
    status = 0;
  } else {
    fprintf(stderr, "%s: cannot read\n", path);
  }
  free(data);
  fclose(file);
  return status;
}

/* Returns the number of inputs run, or -1. */
static long replay(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) return 0;
  if (!S_ISDIR(info.st_mode)) return replay_file(path, (size_t)info.st_size) == 0 ? 1 : -1;
  DIR *folder = opendir(path);
  if (folder == NULL) {
    perror(path);
    return -1;
  }
  long count = 0;
  for (struct dirent *entry = readdir(folder); entry != NULL && count >= 0; entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    char child[4096];
    int length = snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
    long added = length > 0 && (size_t)length < sizeof child ? replay(child) : -1;
    count = added < 0 ? -1 : count + added;
  }
  closedir(folder);
  return count;
}

int main(int argc, char **argv) {
  long total = 0;
  for (int i = 1; i < argc; i++) {
    long count = replay(argv[i]);
    if (count < 0) return 1;
    total += count;
  }
  printf("%ld inputs replayed\n", total);
  return 0;
}

#include "cli/model_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"

struct on_model_file {
  on_model_file *next;
  int fd;
  uint64_t size;
};

static int read_at(void *context, uint64_t offset, void *out, size_t size) {
  const on_model_file *file = context;
  for (char *to = out; size > 0;) {
    ssize_t got = pread(file->fd, to, size, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;  // also where the file has become shorter
    to += got;
    offset += (uint64_t)got;
    size -= (size_t)got;
  }
  return 1;
}

// The path of a name, terminated.
static bool make_path(const on_model_files *files, on_str name, bool beside, on_buf *path) {
  const char *slash = beside && files->pipeline ? strrchr(files->pipeline, '/') : NULL;
  if (beside) {
    if (slash) on_buf_str(path, (on_str){files->pipeline, (size_t)(slash - files->pipeline) + 1});
  } else if (files->folder && name.n > 0 && name.p[0] != '/') {
    on_buf_str(path, on_str_c(files->folder));
    on_buf_char(path, '/');
  }
  on_buf_str(path, name);
  on_buf_char(path, '\0');
  return !path->failed;
}

static on_model_file *open_path(on_model_files *files, const char *path) {
  struct stat info;
  on_model_file *file = on_calloc(1, sizeof *file);
  if (!file) {
    snprintf(files->why, sizeof files->why, "out of memory");
    return NULL;
  }
  file->fd = open(path, O_RDONLY | O_CLOEXEC);
  bool ok = file->fd >= 0 && fstat(file->fd, &info) == 0;
  if (ok && !S_ISREG(info.st_mode)) {
    errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
    ok = false;
  }
  if (!ok) {
    snprintf(files->why, sizeof files->why, "cannot open %s: %s", path, strerror(errno));
    if (file->fd >= 0) close(file->fd);
    on_free(file);
    return NULL;
  }
  file->size = (uint64_t)info.st_size;
  file->next = files->opened;
  return files->opened = file;
}

static on_model_file *open_name(on_model_files *files, on_str name, bool beside) {
  if (beside && (!files->pipeline || strcmp(files->pipeline, "-") == 0)) {
    snprintf(files->why, sizeof files->why,
             "'%.*s' lies beside the pipeline file, and the pipeline comes from a stream: give the file by its path",
             ON_SHOW(name));
    return NULL;
  }
  if (memchr(name.p, '\0', name.n)) {
    snprintf(files->why, sizeof files->why, "a file's name holds a NUL");
    return NULL;
  }
  on_buf path = {0};
  bool ok = make_path(files, name, beside, &path);
  on_model_file *file = ok ? open_path(files, path.p) : NULL;
  on_buf_free(&path);
  return file;
}

static int open_public(void *context, const char *name, size_t size, int beside, onenlp_file *out) {
  on_model_file *file = open_name(context, (on_str){name, size}, beside != 0);
  if (!file) return 0;
  *out = (onenlp_file){.size = file->size, .context = file, .read = read_at};
  return 1;
}

static bool open_inner(void *context, on_str name, bool beside, on_data_source *out, on_error *error) {
  on_model_files *files = context;
  on_model_file *file = open_name(files, name, beside);
  if (!file) return on_fail(error, ON_IO, -1, "%s", files->why);
  *out = (on_data_source){.size = file->size, .context = file, .read = read_at};
  return true;
}

void on_model_files_init(on_model_files *files, const char *folder, const char *pipeline) {
  *files = (on_model_files){.folder = folder, .pipeline = pipeline};
  files->files = (onenlp_files){.context = files, .open = open_public};
  files->inner = (on_files){.context = files, .open = open_inner};
}

void on_model_files_close(on_model_files *files) {
  while (files->opened) {
    on_model_file *file = files->opened;
    files->opened = file->next;
    close(file->fd);
    on_free(file);
  }
}

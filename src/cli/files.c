#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static bool fail_io(on_error *error, const char *doing, const char *path) {
  return on_fail(error, ON_IO, -1, "cannot %s %s: %s", doing, path, strerror(errno));
}

static bool read_all(int fd, const char *path, on_buf *out, on_error *error) {
  struct stat info;
  size_t room = 65536;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) room = (size_t)info.st_size + 1;
  for (;;) {
    if (!on_buf_reserve(out, room)) return on_fail_memory(error);
    ssize_t got = read(fd, out->p + out->n, out->cap - out->n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_io(error, "read", path);
    if (got == 0) return true;
    out->n += (size_t)got;
    room = out->n == out->cap ? 65536 : 1;
  }
}

bool on_file_read(const char *path, on_buf *out, on_error *error) {
  if (strcmp(path, "-") == 0) return read_all(STDIN_FILENO, "standard input", out, error);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail_io(error, "open", path);
  bool ok = read_all(fd, path, out, error);
  close(fd);
  return ok;
}

bool on_output_open(on_output *output, const char *path, on_error *error) {
  *output = (on_output){.fd = STDOUT_FILENO};
  if (!path || strcmp(path, "-") == 0) return true;
  output->path = path;
  size_t n = strlen(path);
  output->temporary = on_malloc(n + sizeof ".XXXXXX");
  if (!output->temporary) return on_fail_memory(error);
  memcpy(output->temporary, path, n);
  memcpy(output->temporary + n, ".XXXXXX", sizeof ".XXXXXX");
  output->fd = mkstemp(output->temporary);
  if (output->fd < 0) {
    on_free(output->temporary);
    output->temporary = NULL;
    return fail_io(error, "write", path);
  }
  // mkstemp makes a private file; give it the rights that a new file has, or those of the one it replaces.
  struct stat old;
  mode_t mask = umask(0);
  umask(mask);
  fchmod(output->fd, stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask);
  return true;
}

bool on_output_write(on_output *output, on_str bytes, on_error *error) {
  while (bytes.n > 0 && !output->closed) {
    ssize_t put = write(output->fd, bytes.p, bytes.n);
    if (put >= 0) {
      bytes = on_str_sub(bytes, (size_t)put, bytes.n);
    } else if (errno == EPIPE && !output->path) {
      output->closed = true;
    } else if (errno != EINTR) {
      return fail_io(error, "write", output->path ? output->path : "standard output");
    }
  }
  return true;
}

// A rename is on the disk once its folder is. Some file systems cannot sync a folder: no error.
static void sync_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  size_t n = slash ? (size_t)(slash - path) : 0;
  char *folder = on_malloc(n + 2);
  if (!folder) return;
  memcpy(folder, path, n);
  memcpy(folder + n, n ? "" : slash ? "/" : ".", n ? 1 : 2);
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    fsync(fd);
    close(fd);
  }
  on_free(folder);
}

bool on_output_commit(on_output *output, on_error *error) {
  if (!output->path) return true;
  bool ok = fsync(output->fd) == 0 || fail_io(error, "sync", output->path);
  if (close(output->fd) != 0 && ok) ok = fail_io(error, "close", output->path);
  output->fd = -1;
  if (ok && rename(output->temporary, output->path) != 0) ok = fail_io(error, "rename a file to", output->path);
  if (!ok) {
    on_output_discard(output);
    return false;
  }
  sync_folder(output->path);
  on_free(output->temporary);
  output->temporary = NULL;
  return true;
}

void on_output_discard(on_output *output) {
  if (!output->temporary) return;
  if (output->fd >= 0) close(output->fd);
  output->fd = -1;
  unlink(output->temporary);
  on_free(output->temporary);
  output->temporary = NULL;
}

bool on_file_write(const char *path, on_str bytes, on_error *error) {
  on_output output;
  if (!on_output_open(&output, path, error)) return false;
  bool ok = on_output_write(&output, bytes, error) && on_output_commit(&output, error);
  on_output_discard(&output);
  return ok;
}

// Files: read whole, written so that a name never stands for half a file; standard output that may close early.
#ifndef ON_CLI_FILES_H
#define ON_CLI_FILES_H

#include "base/buffer.h"
#include "base/error.h"

// Reads a file ("-": standard input) to its end into *out (empty before). ON_IO names the file.
bool on_file_read(const char *path, on_buf *out, on_error *error);

// Where a command's output goes: standard output, or a temporary file beside `path` that gets its name when it
// is complete and on the disk.
typedef struct on_output {
  int fd;
  const char *path;   // NULL: standard output
  char *temporary;    // its name until on_output_commit
  bool closed;        // the reader of standard output went away: writing is over, quietly
} on_output;

bool on_output_open(on_output *output, const char *path, on_error *error);  // path NULL or "-": standard output
// Writes all of it. A reader that went away is no error; output->closed tells.
bool on_output_write(on_output *output, on_str bytes, on_error *error);
// Makes the file: syncs it, renames it, syncs the folder. Only now does `path` change.
bool on_output_commit(on_output *output, on_error *error);
// Removes the temporary file of an output that was not committed. Harmless after on_output_commit.
void on_output_discard(on_output *output);

// The three steps in one.
bool on_file_write(const char *path, on_str bytes, on_error *error);

#endif

// Settings of the fast encoder and the parameters they imply. Used by fast.c only.
#ifndef ON_ENCODE_FAST_SETTINGS_H
#define ON_ENCODE_FAST_SETTINGS_H

#include "encode/fast.h"

bool on_fast_read_settings(on_fast *fast, on_arena *arena, const on_json *settings, const char *path,
                           on_error *error);
void on_fast_write_settings(const on_fast *fast, on_buf *out);
// Lists the tables and declares every parameter, in the order of the document.
bool on_fast_declare(on_fast *fast, on_encoder *encoder, on_arena *arena, const char *path, on_error *error);

#endif

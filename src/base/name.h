// Names made of names and numbers. Not by printf, which every start would wait for: the C library's function is large,
// and an engine of WebAssembly compiles a function when it is first called.
#ifndef ON_BASE_NAME_H
#define ON_BASE_NAME_H

#include <stdarg.h>
#include <stddef.h>

// As snprintf, of which it knows %s, %u and %zu: writes at most room - 1 bytes and a NUL (room is not 0), returns the
// length that the whole has.
size_t on_name(char *out, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t on_name_list(char *out, size_t room, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

#endif

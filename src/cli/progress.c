#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

double on_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void on_progress_start(on_progress *progress, const char *unit, bool quiet) {
  double now = on_now();
  *progress = (on_progress){.terminal = !quiet && isatty(STDERR_FILENO), .unit = unit, .start = now, .last = now};
}

void on_progress_label(on_progress *progress, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(progress->label, sizeof progress->label, format, list);
  va_end(list);
}

static size_t columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 80;
}

// 1234567 as "1,234,567".
static void grouped(char out[32], double value) {
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%.0f", value < 0 || value > 1e15 ? 0 : value);
  int at = 0;
  for (int i = 0; i < n; i++) {
    if (i > 0 && (n - i) % 3 == 0) out[at++] = ',';
    out[at++] = digits[i];
  }
  out[at] = 0;
}

static void clock_text(char out[32], double seconds) {
  unsigned long all = seconds < 0 || seconds > 1e8 ? 0 : (unsigned long)(seconds + 0.5);
  if (all >= 3600) {
    snprintf(out, 32, "%lu:%02lu:%02lu", all / 3600, all / 60 % 60, all % 60);
  } else {
    snprintf(out, 32, "%lu:%02lu", all / 60, all % 60);
  }
}

static void draw(on_progress *progress, uint64_t done, uint64_t total, uint64_t count, double now) {
  enum { BAR = 24 };
  char line[512], rate[32], left[32];
  double spent = now - progress->start;
  size_t n = 0;
  if (progress->label[0]) n += (size_t)snprintf(line, sizeof line, "%s ", progress->label);
  if (total > 0) {
    double part = (double)(done < total ? done : total) / (double)total;
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++) bar[i] = (double)i < part * BAR ? '#' : '.';
    bar[BAR] = 0;
    n += (size_t)snprintf(line + n, sizeof line - n, "[%s] %3.0f%% ", bar, part * 100);
  }
  grouped(rate, spent > 0 ? (double)count / spent : 0);
  n += (size_t)snprintf(line + n, sizeof line - n, "%s %s/s", rate, progress->unit);
  if (total > 0 && done > 0 && spent > 0.5) {
    clock_text(left, done < total ? spent * ((double)total / (double)done - 1) : 0);
    n += (size_t)snprintf(line + n, sizeof line - n, ", %s left", left);
  }
  size_t width = columns() - 1;
  if (n >= sizeof line) n = sizeof line - 1;
  if (n > width) n = width;
  fprintf(stderr, "\r%.*s\x1b[K", (int)n, line);
  fflush(stderr);
  progress->drawn = true;
  progress->last = now;
}

void on_progress_update(on_progress *progress, uint64_t done, uint64_t total, uint64_t count) {
  if (!progress->terminal) return;
  double now = on_now();
  if (now - progress->last < 0.1) return;
  draw(progress, done, total, count, now);
}

void on_progress_note(on_progress *progress, const char *format, ...) {
  on_progress_end(progress);
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
  fflush(stderr);
}

void on_progress_end(on_progress *progress) {
  if (!progress->drawn) return;
  fputs("\r\x1b[K", stderr);
  fflush(stderr);
  progress->drawn = false;
}

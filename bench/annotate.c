// The native library in a process of its own, as worker.mjs does for JavaScript: bench_annotate MODEL COMPONENTS
// NAME=FILE... reads "open", "pass NAME", "lines NAME" or "conllu NAME OUT" a line and answers in lines of JSON.
// COMPONENTS: names with commas, or "-" for all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "onenlp.h"

typedef struct bytes {
  char *p;
  size_t n;
} bytes;

static void fail(const char *what) {
  printf("{\"error\": \"%s\"}\n", what);
  exit(1);
}

static bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  bytes all = {0};
  if (!file || fseek(file, 0, SEEK_END)) fail("cannot read a file");
  all.n = (size_t)ftell(file);
  rewind(file);
  all.p = malloc(all.n + 1);
  if (!all.p || fread(all.p, 1, all.n, file) != all.n) fail("cannot read a file");
  fclose(file);
  return all;
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static size_t resident(void) {
  size_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*s %zu", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

typedef struct counts {
  size_t tokens, sentences, letters;
} counts;

// Columns and their strings, as every reader of them sees them.
static void annotate(onenlp_annotator *annotator, const char *text, size_t n, counts *c) {
  if (!onenlp_begin(annotator, ONENLP_FROM_TEXT, text, n, ONENLP_TO_COLUMNS, NULL)) fail("annotating failed");
  int got;
  while ((got = onenlp_next(annotator, NULL)) == 1) {
    size_t words, strings;
    const uint32_t *starts = onenlp_column(annotator, ONENLP_SENTENCE_START, &words), *ends;
    onenlp_strings(annotator, &ends, &strings);
    for (size_t i = 0; i < words; i++) c->sentences += starts[i];
    c->tokens += words;
    c->letters += strings ? ends[strings - 1] : 0;
  }
  if (got < 0) fail("annotating failed");
}

static void choose(const onenlp_pipeline *pipeline, onenlp_annotator *annotator, const char *components) {
  if (strcmp(components, "-") == 0) return;
  for (size_t i = 0; i < onenlp_component_count(pipeline); i++) {
    size_t n;
    const char *name = onenlp_component_name(pipeline, i, &n);
    int on = 0;
    for (const char *at = components; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
      on = on || (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == 0));
    }
    onenlp_set_component(annotator, i, on);
  }
}

static bytes text_of(int count, char **texts, const char *name) {
  for (int i = 0; i < count; i++) {
    size_t n = strlen(name);
    if (strncmp(texts[i], name, n) == 0 && texts[i][n] == '=') return read_file(texts[i] + n + 1);
  }
  fail("no such text");
  return (bytes){0};
}

static void write_conllu(onenlp_annotator *annotator, bytes text, const char *path) {
  FILE *out = fopen(path, "wb");
  if (!out || !onenlp_annotate(annotator, ONENLP_FROM_TEXT, text.p, text.n, ONENLP_TO_CONLLU, NULL, NULL, NULL)) {
    fail("annotating failed");
  }
  size_t n;
  const char *p = onenlp_buffer_data(onenlp_output(annotator), &n);
  fwrite(p, 1, n, out);
  fclose(out);
  printf("{}\n");
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  bytes model = read_file(argv[1]);
  onenlp_pipeline *pipeline = NULL;
  onenlp_annotator *annotator = NULL;
  char line[4096], action[16], name[64], out[2048];
  while (fgets(line, sizeof line, stdin)) {
    int fields = sscanf(line, "%15s %63s %2047s", action, name, out);
    counts c = {0};
    double thread = now(CLOCK_THREAD_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    if (strcmp(action, "open") == 0) {
      static const char first[] = "Ada met Bob in Paris, and they didn't talk about the weather.";
      pipeline = onenlp_load(model.p, model.n, ONENLP_BORROW, NULL);
      annotator = pipeline ? onenlp_annotator_new(pipeline, NULL) : NULL;
      if (!annotator) fail("cannot load the pipeline");
      choose(pipeline, annotator, argv[2]);
      annotate(annotator, first, sizeof first - 1, &c);
    } else if (fields == 3) {
      write_conllu(annotator, text_of(argc - 3, argv + 3, name), out);
      fflush(stdout);
      continue;
    } else {
      bytes text = text_of(argc - 3, argv + 3, name);
      thread = now(CLOCK_THREAD_CPUTIME_ID);
      wall = now(CLOCK_MONOTONIC);
      if (strcmp(action, "lines") == 0) {
        for (char *at = text.p, *end = text.p + text.n; at < end;) {
          char *stop = memchr(at, '\n', (size_t)(end - at));
          size_t n = stop ? (size_t)(stop - at) : (size_t)(end - at);
          if (n) annotate(annotator, at, n, &c);
          at += n + 1;
        }
      } else {
        annotate(annotator, text.p, text.n, &c);
      }
      free(text.p);
    }
    double took = now(CLOCK_THREAD_CPUTIME_ID) - thread;
    printf("{\"tokens\": %zu, \"sentences\": %zu, \"thread\": %.6f, \"process\": %.6f, \"wall\": %.6f, \"memory\": %zu}\n",
           c.tokens, c.sentences, took, took, now(CLOCK_MONOTONIC) - wall, resident());
    fflush(stdout);
  }
  onenlp_annotator_free(annotator);
  onenlp_pipeline_free(pipeline);
  free(model.p);
  return 0;
}

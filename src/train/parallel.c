#include "train/parallel.h"

#include <pthread.h>
#include <stdbool.h>

#include "nn/fastmath.h"

enum { MAX_THREADS = 64 };

typedef struct job {
  void (*work)(void *context, size_t part);
  void *context;
  size_t part;
} job;

static void *run(void *argument) {
  job *j = argument;
  on_flush_denormals();
  j->work(j->context, j->part);
  return NULL;
}

void on_parallel(size_t parts, void (*work)(void *context, size_t part), void *context) {
  pthread_t threads[MAX_THREADS];
  job jobs[MAX_THREADS];
  bool started[MAX_THREADS] = {false};
  for (size_t i = 1; i < parts && i < MAX_THREADS; i++) {
    jobs[i] = (job){work, context, i};
    started[i] = pthread_create(&threads[i], NULL, run, &jobs[i]) == 0;
  }
  const unsigned before = on_flush_denormals();
  for (size_t i = 0; i < parts; i++) {
    if (i >= MAX_THREADS || !started[i]) work(context, i);
  }
  on_restore_denormals(before);
  for (size_t i = 1; i < parts && i < MAX_THREADS; i++) {
    if (started[i]) pthread_join(threads[i], NULL);
  }
}

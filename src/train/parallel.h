// Work in parts, one thread each.
#ifndef ON_TRAIN_PARALLEL_H
#define ON_TRAIN_PARALLEL_H

#include <stddef.h>

// Calls work(context, part) for every part below `parts`, each on a thread of its own that flushes denormals
// to zero, and waits for all. A part whose thread cannot be had runs on this thread.
void on_parallel(size_t parts, void (*work)(void *context, size_t part), void *context);

#endif

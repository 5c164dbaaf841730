// Work in parts, one thread each.
#ifndef ON_TRAIN_PARALLEL_H
#define ON_TRAIN_PARALLEL_H

#include <stddef.h>

// Calls work(context, part) for every part below `parts`, the first on this thread and each other on one of its
// own (or on this thread when none can be had), with denormals flushed to zero, and waits for all.
void on_parallel(size_t parts, void (*work)(void *context, size_t part), void *context);

#endif

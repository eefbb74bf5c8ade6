/* Work that waits for a file system, several pieces at once. */
#ifndef DYNIMS_PARALLEL_H
#define DYNIMS_PARALLEL_H

#include <stdint.h>

/* Calls work(context, 0) to work(context, count - 1) on a few threads, the caller's among them. Returns when all have returned. */
void run_parallel(uint32_t count, void (*work)(void *context, uint32_t index), void *context);

#endif

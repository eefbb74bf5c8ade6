/* Accesses as slow as those of another kind of memory, in the libraries that the benchmark alone loads. */
#ifndef DYNIMS_SIMULATE_H
#define DYNIMS_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

/* When an access begins, in nanoseconds. */
int64_t simulate_begin(void);

/* Waits for what an access takes on the simulated memory. */
void simulate_end(int64_t begin, uint32_t bytes, bool store);

#endif

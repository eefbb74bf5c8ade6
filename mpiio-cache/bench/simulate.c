#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>

#include "../src/clock.h"

static unsigned access_nanos, commit_nanos;
static unsigned long long bytes_per_second;

/* DYNIMS_MPIIO_SIMULATE: nanoseconds of each access and of each commit of a store, bytes a second. */
__attribute__((constructor)) static void read_environment(void) {
  const char *text = getenv("DYNIMS_MPIIO_SIMULATE");
  if (text == NULL || sscanf(text, "%u:%u:%llu", &access_nanos, &commit_nanos, &bytes_per_second) != 3 || bytes_per_second == 0) {
    fputs("the cache in simulated memory wants DYNIMS_MPIIO_SIMULATE=NANOS:NANOS:BYTES\n", stderr);
    exit(2);
  }
}

int64_t simulate_begin(void) {
  return monotonic_nanos();
}

void simulate_end(int64_t begin, uint32_t bytes, bool store) {
  int64_t nanos = (int64_t)(access_nanos + (store ? commit_nanos : 0) + bytes * 1000000000ull / bytes_per_second);
  while (monotonic_nanos() - begin < nanos) {
  }
}

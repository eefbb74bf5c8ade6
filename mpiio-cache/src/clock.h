/* The time in nanoseconds: since the machine was started, and since 1970. */
#ifndef DYNIMS_CLOCK_H
#define DYNIMS_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t nanos_of(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t clock_nanos(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return nanos_of(now);
}

static inline int64_t monotonic_nanos(void) {
  return clock_nanos(CLOCK_MONOTONIC);
}

static inline int64_t realtime_nanos(void) {
  return clock_nanos(CLOCK_REALTIME);
}

#endif

#include "lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

void lock_init(pthread_mutex_t *lock) {
  pthread_mutexattr_t shared;
  pthread_mutexattr_init(&shared);
  pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(lock, &shared);
  pthread_mutexattr_destroy(&shared);
}

static bool has_owner_died(pthread_mutex_t *lock, int result) {
  if (result == EOWNERDEAD) {
    pthread_mutex_consistent(lock);
    return true;
  }
  if (result != 0) {
    /* Nothing that a correct program can meet; going on would corrupt data. */
    fprintf(stderr, "dynims-mpiio: a lock of the arena cannot be taken: %s\n", strerror(result));
    abort();
  }
  return false;
}

bool lock_take(pthread_mutex_t *lock) {
  return has_owner_died(lock, pthread_mutex_lock(lock));
}

bool lock_try(pthread_mutex_t *lock, bool *owner_died) {
  int result = pthread_mutex_trylock(lock);
  if (result == EBUSY) {
    return false;
  }
  *owner_died = has_owner_died(lock, result);
  return true;
}

bool lock_try_for(pthread_mutex_t *lock, int64_t nanos, bool *owner_died) {
  int64_t until = monotonic_nanos() + nanos;
  struct timespec deadline = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
  int result = pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &deadline);
  if (result == ETIMEDOUT) {
    return false;
  }
  *owner_died = has_owner_died(lock, result);
  return true;
}

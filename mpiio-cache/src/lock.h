/* Locks between processes that survive the death of their owner. */
#ifndef DYNIMS_LOCK_H
#define DYNIMS_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

void lock_init(pthread_mutex_t *lock);

/* Takes a lock. Returns whether its last owner has died: the caller makes whole what it protects. */
bool lock_take(pthread_mutex_t *lock);

/* The same without waiting. Returns false if somebody else has the lock. */
bool lock_try(pthread_mutex_t *lock, bool *owner_died);

/* The same, but waits for so long at most. */
bool lock_try_for(pthread_mutex_t *lock, int64_t nanos, bool *owner_died);

static inline void lock_release(pthread_mutex_t *lock) {
  pthread_mutex_unlock(lock);
}

#endif

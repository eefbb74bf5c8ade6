#include "parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

/* So many requests wait for the file system at once. */
#define THREADS 4

struct job {
  uint32_t count;
  void (*work)(void *context, uint32_t index);
  void *context;
  _Atomic uint32_t next;
};

static void *run(void *argument) {
  struct job *job = argument;
  for (uint32_t index; (index = atomic_fetch_add(&job->next, 1)) < job->count;) {
    job->work(job->context, index);
  }
  return NULL;
}

void run_parallel(uint32_t count, void (*work)(void *context, uint32_t index), void *context) {
  struct job job = {.count = count, .work = work, .context = context};
  pthread_t helpers[THREADS - 1];
  uint32_t started = 0;
  /* The program's signals are for its own threads. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (started < THREADS - 1 && started + 1 < count && pthread_create(&helpers[started], NULL, run, &job) == 0) {
    started++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  run(&job);
  for (uint32_t i = 0; i < started; i++) {
    pthread_join(helpers[i], NULL);
  }
}

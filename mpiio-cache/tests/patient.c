/* Preloaded by the tests: ranks that wait sleep instead of turning the processor, of which there are fewer than ranks. Open MPI yields while
it waits; Debian's MPICH asks UCX over and over. Both would take their whole time slice from the rank that they wait for. */
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { PATIENCE = 20, SLEEP_NANOS = 50000 };

static void doze(void) {
  struct timespec time = {.tv_nsec = SLEEP_NANOS};
  nanosleep(&time, NULL);
}

int sched_yield(void) {
  doze();
  return 0;
}

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker) {
  static unsigned (*real)(void *);
  static _Thread_local int idle;
  if (real == NULL) {
    /* Modules of Open MPI and Python load it where the next library does not look; the former unload it, too, which must not be. */
    void *ucp = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    real = (unsigned (*)(void *))dlsym(ucp != NULL ? ucp : RTLD_NEXT, "ucp_worker_progress");
  }
  unsigned events = real(worker);
  idle = events > 0 ? 0 : idle + 1;
  if (idle > PATIENCE) {
    doze();
  }
  return events;
}

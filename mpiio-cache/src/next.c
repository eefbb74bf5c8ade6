#include "next.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "late.h"
#include "launcher.h"
#include "options.h"

#ifdef MPICH
#define OWN_NAME "MPICH"
#else
#define OWN_NAME "Open MPI"
#endif

/* More than any MPI says of itself. */
#define VERSION_BYTES (1 << 16)

struct calls library, tools, foreign;
bool next_is_foreign;

static const void *library_of(const void *function) {
  Dl_info info;
  return dladdr(function, &info) != 0 ? info.dli_fbase : NULL;
}

const char *next_file(const void *function) {
  Dl_info info;
  return dladdr(function, &info) != 0 && info.dli_fname != NULL ? info.dli_fname : "a tool";
}

/* The next definition, if it is in another library than PMPI's. */
static void *tool(void *next, const void *real) {
  return next == real || library_of(next) == library_of(real) ? NULL : next;
}

/* What is behind this library in the program's order; or, where that has no MPI, in what a module of Python has loaded. */
static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  return found != NULL ? found : late_find_in_loaded(name);
}

/* What the program's MPI says of itself; empty if it says nothing. */
static void get_version(char text[VERSION_BYTES]) {
  int length;
  __typeof__(MPI_Get_library_version) *get = (__typeof__(get))next("PMPI_Get_library_version");
  if (get == NULL || get(text, &length) != MPI_SUCCESS) {
    text[0] = 0;
  }
}

static bool is_own(const char *version) {
  bool is_open_mpi = strstr(version, "Open MPI") != NULL;
#ifdef MPICH
  return !is_open_mpi;
#else
  return is_open_mpi || *version == 0;
#endif
}

static void find_all(void) {
  static char version[VERSION_BYTES];
#define FIND(NAME)                                                                             \
  library.NAME = (__typeof__(library.NAME))next("PMPI_" #NAME);                                \
  foreign.NAME = (__typeof__(foreign.NAME))next("MPI_" #NAME);                                 \
  tools.NAME = (__typeof__(tools.NAME))tool((void *)foreign.NAME, (const void *)library.NAME);
  NEXT_CALLS(FIND)
  get_version(version);
  next_is_foreign = !is_own(version);
  if (next_is_foreign && options_directory() != NULL && launcher_is_first_rank()) {
    fprintf(stderr, "dynims-mpiio: this library is for " OWN_NAME ", and the program's MPI is %.*s: files are not cached\n",
            (int)strcspn(version, "\t\n,"), version);
  }
}

void next_find(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static _Atomic bool is_done;
  if (!atomic_load_explicit(&is_done, memory_order_acquire)) {
    pthread_once(&once, find_all);
    atomic_store_explicit(&is_done, true, memory_order_release);
  }
}

/* The MPI library's functions and objects, found when they are first used. The library is linked with no MPI: it uses the one that the
 * program has loaded, whatever that file's name is. So one build serves all MPI libraries of one ABI; programs that have none, such as
 * the shell that starts another one, are preloaded without harm; and an MPI library that only a module of Python has loaded is found.
 * find-mpi makes the header that lets every name of mpi.h mean this. */
#ifndef DYNIMS_LATE_H
#define DYNIMS_LATE_H

#include <stddef.h>

/* The address of a name of the program's MPI library, which is kept in *known. Ends the program if it has no such name. */
void *late_find(void **known, const char *name);

/* The address of a name in a library other than this one that is loaded, though perhaps not for everybody; NULL if there is none. */
void *late_find_in_loaded(const char *name);

#define LATE(name)                                                            \
  (*(__typeof__(&name))({                                                     \
    static void *known;                                                       \
    void *found = __atomic_load_n(&known, __ATOMIC_RELAXED);                  \
    found != NULL ? found : late_find(&known, #name);                         \
  }))

#endif

/* Which ranks of a program have this library. A rank without it takes no part in anything that MPI's own calls do not do, so the ranks that
 * have it find each other by names before they do anything together. */
#ifndef DYNIMS_PRESENCE_H
#define DYNIMS_PRESENCE_H

#include <mpi.h>
#include <stdbool.h>

/* Before the ranks of a communicator open a file, which none of them has open before all have come. */
void presence_announce(MPI_Comm comm);

/* After that: whether all of them have the library, with the same result on all that have it. If not, sets the reason. */
bool presence_of_all(MPI_Comm comm, const char **reason);

/* Whether it is known that all ranks of the program are on one machine. */
bool presence_is_one_machine(void);

/* Whether it is known that all ranks of the program have the library and use one directory of one machine. */
bool presence_is_one_node(void);

/* The number of ranks of the program; 0: it has not initialized MPI but by sessions. */
int presence_ranks(void);

#endif

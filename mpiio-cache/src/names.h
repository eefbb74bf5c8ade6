/* What a rank says of itself, so that others of its program can read it without its taking part: by the launcher's name service
 * (MPI_Publish_name); where it has none, as with srun, by PMIx; and where the MPI library uses no PMIx, by locks in the agent's directory,
 * which only the ranks of its node see. A program's ranks all use the same one; those that do not, do not see each other. */
#ifndef DYNIMS_NAMES_H
#define DYNIMS_NAMES_H

#include <mpi.h>
#include <stdbool.h>

/* Says something of this rank, and the first time finds out by what. Returns false if there is no way. Calls come one after the other. */
bool names_publish(const char *key, const char value[MPI_MAX_PORT_NAME]);

/* What a rank of MPI_COMM_WORLD, not this one, has said; false if it has said nothing. Only after names_publish. */
bool names_look_up(int rank, const char *key, char value[MPI_MAX_PORT_NAME]);

/* Whether only ranks of one node see each other. Of what another rank has said, this one then knows only what it has said first itself, and
 * NAMES_MISSING. */
bool names_are_local(void);
#define NAMES_MISSING "missing"

#endif

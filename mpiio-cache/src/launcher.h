/* What the launcher has put into a rank's environment, where MPI could say it only to all ranks together. */
#ifndef DYNIMS_LAUNCHER_H
#define DYNIMS_LAUNCHER_H

#include <stdbool.h>

/* Whether this is the program's first rank, or the first one of a node; also if the launcher does not say. */
bool launcher_is_first_rank(void);
bool launcher_is_first_of_node(void);

/* How many ranks the program has on this node; 0: the launcher does not say. */
int launcher_ranks_of_node(void);

/* What tells this program from others of the same name service. */
const char *launcher_job(void);

/* Whether it may have a name service (MPI_Publish_name): Slurm has none for programs that use PMIx. */
bool launcher_has_names(void);

#endif

#include "launcher.h"

#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

/* MPICH's are Hydra's, which Intel's MPI has, too. */
#ifdef MPICH
#define RANKS_OF_NODE "MPI_LOCALNRANKS"
#define JOB "PMI_JOBID"
#else
#define RANKS_OF_NODE "OMPI_COMM_WORLD_LOCAL_SIZE"
#define JOB "PMIX_NAMESPACE"
#endif

/* The first of some variables that is set, as a number; 0: none is. */
static int number(const char *const *names) {
  for (; *names != NULL; names++) {
    const char *text = getenv(*names);
    if (text != NULL) {
      return atoi(text);
    }
  }
  return 0;
}

/* Also of the launcher of a program whose MPI is not this library's. */
bool launcher_is_first_rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID", NULL};
  return number(names) == 0;
}

bool launcher_is_first_of_node(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", NULL};
  return number(names) == 0;
}

int launcher_ranks_of_node(void) {
  static const char *const names[] = {RANKS_OF_NODE, NULL};
  return number(names);
}

const char *launcher_job(void) {
  const char *job = getenv(JOB);
  return job == NULL ? "" : job;
}

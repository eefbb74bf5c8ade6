#include "launcher.h"

#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* MPICH's are Hydra's, which Intel's MPI has, too. */
#ifdef MPICH
#define RANKS_OF_NODE "MPI_LOCALNRANKS"
#define JOBS "PMI_JOBID", "PMIX_NAMESPACE"
#else
#define RANKS_OF_NODE "OMPI_COMM_WORLD_LOCAL_SIZE"
#define JOBS "PMIX_NAMESPACE"
#endif

/* The first of some variables that is set; NULL: none is. */
static const char *text(const char *const *names) {
  const char *found = NULL;
  for (; found == NULL && *names != NULL; names++) {
    found = getenv(*names);
  }
  return found;
}

/* As a number; 0: none is. */
static int number(const char *const *names) {
  const char *found = text(names);
  return found == NULL ? 0 : atoi(found);
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
  const char *job = text((const char *const[]){JOBS, NULL});
  return job == NULL ? "" : job;
}

bool launcher_has_names(void) {
  return strncmp(launcher_job(), "slurm.pmix.", strlen("slurm.pmix.")) != 0;
}

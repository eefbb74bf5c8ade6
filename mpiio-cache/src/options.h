/* What a user asks for: by environment variables for a program, by hints (MPI_Info) for a file. */
#ifndef DYNIMS_OPTIONS_H
#define DYNIMS_OPTIONS_H

#include <mpi.h>
#include <stdbool.h>

#include "cache.h"

struct options {
  bool enabled; /* whether files of this path are cached */
  enum cache_mode mode;
  bool prefetch;
  bool distribute;
  const char *directory; /* of the agent; NULL: none is named */
};

/* The settings of the environment, read once. */
const char *options_directory(void);
bool options_report(void);

const char *options_mode_name(enum cache_mode mode);

/* The settings of a file, by the name that the program has for it, and by its path without links. */
struct options options_of(const char *name, const char *path, MPI_Info info);

/* Adds the settings in force to what MPI_File_get_info returns. */
void options_put(const struct options *options, MPI_Info info);

#endif

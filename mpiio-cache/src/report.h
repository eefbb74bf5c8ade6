/* What a program is told at its end, if DYNIMS_MPIIO_REPORT asks for it: what the cache did for each of its files, or why nothing. */
#ifndef DYNIMS_REPORT_H
#define DYNIMS_REPORT_H

#include <stdbool.h>
#include <stdint.h>

/* Why a call went to the MPI library. */
enum pass { PASS_SHARED_POINTER, PASS_ATOMIC, PASS_VIEW, PASS_READ_ONLY, PASS_ARGUMENTS, PASS_REASONS };

struct file_report {
  const char *mode;
  uint64_t hits, misses, hitBytes, missBytes; /* of all ranks on this node, while the file was open */
  uint64_t passed[PASS_REASONS];
};

/* A file that has been closed. Files of one path are added up. */
void report_cached(const char *path, const struct file_report *report);

/* A file that was opened and is not cached. Partial: only some of its ranks could have cached it. */
void report_not_cached(const char *path, const char *reason, bool partial);

bool report_has_lines(void);

/* Prints the report, unless another rank of the node does. Capacity: of the last arena that was used; negative if there was none. */
void report_print(int64_t capacity_bytes, int64_t files_cached);

#endif

/* What is dirty and ought to be in its files: for whoever waits for that. */
#ifndef DYNIMS_AGENT_DIRTY_H
#define DYNIMS_AGENT_DIRTY_H

#include "arena.h"

/* Prints a line for each file that has dirty bytes: its path, how many, and why they could not be written, as far as that is known.
 * Returns how many bytes there are. */
uint64_t dirty_report(const struct arena *arena);

/* Has the agent of a directory write everything. Waits until it has, or has written nothing for so long. Returns a program's exit code, and
 * says what is left and why. */
int dirty_await(const char *directory, int64_t patience_nanos);

#endif

/* Collective writes of views with gaps: the pieces of all ranks are gathered, so that the file gets few large writes. */
#ifndef DYNIMS_COLLECTIVE_H
#define DYNIMS_COLLECTIVE_H

#include "handle.h"

/* Writes what a view shows of memory, at a place of what the file's shows. Collective over the file's ranks, of which each may have nothing
 * to write. Sets done to the bytes of this rank that are in the file. Returns 0, or an errno that is the same on all ranks. */
int collective_write(struct handle *handle, int64_t visible, const uint8_t *from, const struct view *memory, int64_t length, int64_t *done);

#endif

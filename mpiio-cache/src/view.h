/* Which bytes of a file a process sees: MPI's file views as lists of segments. */
#ifndef DYNIMS_VIEW_H
#define DYNIMS_VIEW_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct segment {
  int64_t offset;  /* in the file type */
  int64_t length;
  int64_t visible; /* how many bytes are seen before it */
};

struct view {
  bool supported;  /* whether the file type could be taken apart */
  bool contiguous; /* whether all bytes behind the displacement are seen */
  MPI_Offset displacement;
  int64_t etypeBytes;
  int64_t tileBytes;  /* what is seen of each instance of the file type */
  int64_t tileExtent; /* what each instance spans */
  size_t segments;
  struct segment *list;
};

/* The view of a file that has just been opened. */
void view_reset(struct view *view);

/* Takes a view's types apart. The view is reset before. */
void view_set(struct view *view, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype);

void view_free(struct view *view);

/* Whether a type's bytes follow each other in memory from its address on, in the order in which they are moved: a type without gaps
 * may still have its parts in another order. */
bool view_is_in_order(MPI_Datatype type);

/* The piece of the file at a place of what is seen: its offset, and how many bytes follow without a gap. */
int64_t view_piece(const struct view *view, int64_t visible, int64_t *length);

#endif

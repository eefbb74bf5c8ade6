/* Which bytes a type has, in which order: of a file, what a process sees through MPI's file views; of memory, what is moved. */
#ifndef DYNIMS_VIEW_H
#define DYNIMS_VIEW_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shape;

struct view {
  bool supported;  /* whether the type could be taken apart */
  bool contiguous; /* whether all bytes behind the displacement are seen */
  MPI_Offset displacement;
  int64_t etypeBytes;
  int64_t tileBytes;  /* what is seen of each instance of the type */
  int64_t tileExtent; /* what each instance spans */
  const struct shape *shape;
  struct shape *owned;
};

/* The view of a file that has just been opened. */
void view_reset(struct view *view);

/* Takes a view's types apart. The view is reset before. */
void view_set(struct view *view, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype);

/* Makes a view of memory of so many instances of a type: its displacements may go back, and be negative. */
void view_set_memory(struct view *view, MPI_Count count, MPI_Datatype type);

void view_free(struct view *view);

/* The piece at a place of what is seen: its offset, and how many bytes follow without a gap. */
int64_t view_piece(const struct view *view, int64_t visible, int64_t *length);

/* Copies what is seen of memory from a place on to bytes that follow each other, or these to there. */
void view_gather(const struct view *view, const void *memory, int64_t visible, uint8_t *to, int64_t length);
void view_scatter(const struct view *view, void *memory, int64_t visible, const uint8_t *from, int64_t length);

#endif

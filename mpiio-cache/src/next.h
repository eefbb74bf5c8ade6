/* What follows this library in the order of symbols: the MPI library, and tools such as tracers between the two. */
#ifndef DYNIMS_NEXT_H
#define DYNIMS_NEXT_H

#include <mpi.h>
#include <stdbool.h>

/* All data accesses. */
#define DATA_CALLS(CALL, SUFFIX)           \
  CALL(File_read_at##SUFFIX)               \
  CALL(File_read_at_all##SUFFIX)           \
  CALL(File_write_at##SUFFIX)              \
  CALL(File_write_at_all##SUFFIX)          \
  CALL(File_read##SUFFIX)                  \
  CALL(File_read_all##SUFFIX)              \
  CALL(File_write##SUFFIX)                 \
  CALL(File_write_all##SUFFIX)             \
  CALL(File_iread_at##SUFFIX)              \
  CALL(File_iread_at_all##SUFFIX)          \
  CALL(File_iwrite_at##SUFFIX)             \
  CALL(File_iwrite_at_all##SUFFIX)         \
  CALL(File_iread##SUFFIX)                 \
  CALL(File_iread_all##SUFFIX)             \
  CALL(File_iwrite##SUFFIX)                \
  CALL(File_iwrite_all##SUFFIX)            \
  CALL(File_read_at_all_begin##SUFFIX)     \
  CALL(File_write_at_all_begin##SUFFIX)    \
  CALL(File_read_all_begin##SUFFIX)        \
  CALL(File_write_all_begin##SUFFIX)       \
  CALL(File_read_shared##SUFFIX)           \
  CALL(File_read_ordered##SUFFIX)          \
  CALL(File_write_shared##SUFFIX)          \
  CALL(File_write_ordered##SUFFIX)         \
  CALL(File_iread_shared##SUFFIX)          \
  CALL(File_iwrite_shared##SUFFIX)         \
  CALL(File_read_ordered_begin##SUFFIX)    \
  CALL(File_write_ordered_begin##SUFFIX)

#if MPI_VERSION >= 4
#define LARGE_DATA_CALLS(CALL) DATA_CALLS(CALL, _c)
#else
#define LARGE_DATA_CALLS(CALL)
#endif

/* All calls that this library takes the place of. */
#define NEXT_CALLS(CALL)          \
  CALL(File_open)                 \
  CALL(File_close)                \
  CALL(File_delete)               \
  CALL(File_set_size)             \
  CALL(File_preallocate)          \
  CALL(File_get_size)             \
  CALL(File_sync)                 \
  CALL(File_get_info)             \
  CALL(File_set_view)             \
  CALL(File_set_atomicity)        \
  CALL(File_seek)                 \
  CALL(File_seek_shared)          \
  CALL(File_get_position)         \
  CALL(File_read_at_all_end)      \
  CALL(File_write_at_all_end)     \
  CALL(File_read_all_end)         \
  CALL(File_write_all_end)        \
  CALL(File_read_ordered_end)     \
  CALL(File_write_ordered_end)    \
  DATA_CALLS(CALL, )              \
  LARGE_DATA_CALLS(CALL)

/* None is known before next_find was called. */
struct calls {
#define FIELD(NAME) __typeof__(MPI_##NAME) *NAME;
  NEXT_CALLS(FIELD)
#undef FIELD
};

/* The MPI library's, by which its own work is done: its PMPI names are this library's for everybody else. */
extern struct calls library;

/* A tool's that was loaded behind this library; NULL if there is none. It calls PMPI, and so comes back here. */
extern struct calls tools;

/* Whether the program's MPI is not the one that this library was built for, which is reported: its handles mean something else. */
extern bool next_is_foreign;

/* What MPI's names stand for in that case, tools included. */
extern struct calls foreign;

/* Finds all of these; to be called before each use, as an MPI library may be loaded at any time before its first call. */
void next_find(void);

/* What file the library of a function is. */
const char *next_file(const void *function);

#endif

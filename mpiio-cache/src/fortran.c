/* Open MPI's Fortran calls do not pass through its C functions that a library can take the place of, as MPICH's do: here are those of
 * files. A call for a file that is not cached goes on as it came; the others are those of mpiio.c with C's handles. */
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"

/* What Fortran passes for MPI_BOTTOM; there is none in a program in C. */
extern int mpi_fortran_bottom_ __attribute__((weak));

static void *buffer_of(void *buffer) {
  return &mpi_fortran_bottom_ != NULL && buffer == &mpi_fortran_bottom_ ? MPI_BOTTOM : buffer;
}

static bool is_cached(const MPI_Fint *file) {
  return handle_find(MPI_File_f2c(*file)) != NULL;
}

static void put_status(const MPI_Status *status, MPI_Fint *to) {
  if (to != MPI_F_STATUS_IGNORE) {
    PMPI_Status_c2f(status, to);
  }
}

/* Both names that compilers and the module mpi_f08 use. */
#define NAMES(name) __attribute__((alias("ompi_" #name "_f"), visibility("default")))

/* ---- the program */

extern void pmpi_init_(MPI_Fint *error) __attribute__((weak));
extern void pmpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) __attribute__((weak));
extern void pmpi_finalize_(MPI_Fint *error) __attribute__((weak));

void ompi_init_f(MPI_Fint *error) {
  pmpi_init_(error);
  handles_begin();
}
void mpi_init_(MPI_Fint *error) NAMES(init);

void ompi_init_thread_f(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) {
  pmpi_init_thread_(required, provided, error);
  handles_begin();
}
void mpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) NAMES(init_thread);

void ompi_finalize_f(MPI_Fint *error) {
  handles_end();
  pmpi_finalize_(error);
}
void mpi_finalize_(MPI_Fint *error) NAMES(finalize);

/* ---- files */

extern void pmpi_file_open_(MPI_Fint *comm, char *name, MPI_Fint *amode, MPI_Fint *info, MPI_Fint *file, MPI_Fint *error, int length)
    __attribute__((weak));

void ompi_file_open_f(MPI_Fint *comm, char *name, MPI_Fint *amode, MPI_Fint *info, MPI_Fint *file, MPI_Fint *error, int length) {
  char path[PATH_MAX];
  pmpi_file_open_(comm, name, amode, info, file, error, length);
  while (length > 0 && name[length - 1] == ' ') {
    length--;
  }
  if (*error == MPI_SUCCESS && length < PATH_MAX) {
    memcpy(path, name, (size_t)length);
    path[length] = 0;
    handle_open(MPI_File_f2c(*file), PMPI_Comm_f2c(*comm), path, *amode, PMPI_Info_f2c(*info));
  }
}
void mpi_file_open_(MPI_Fint *comm, char *name, MPI_Fint *amode, MPI_Fint *info, MPI_Fint *file, MPI_Fint *error, int length)
    NAMES(file_open);

extern void pmpi_file_close_(MPI_Fint *file, MPI_Fint *error) __attribute__((weak));

void ompi_file_close_f(MPI_Fint *file, MPI_Fint *error) {
  if (!is_cached(file)) {
    pmpi_file_close_(file, error);
    return;
  }
  MPI_File closed = MPI_File_f2c(*file);
  *error = MPI_File_close(&closed);
  *file = MPI_File_c2f(closed);
}
void mpi_file_close_(MPI_Fint *file, MPI_Fint *error) NAMES(file_close);

extern void pmpi_file_set_view_(MPI_Fint *file, MPI_Offset *displacement, MPI_Fint *etype, MPI_Fint *filetype, char *representation,
                                MPI_Fint *info, MPI_Fint *error, int length) __attribute__((weak));

void ompi_file_set_view_f(MPI_Fint *file, MPI_Offset *displacement, MPI_Fint *etype, MPI_Fint *filetype, char *representation,
                          MPI_Fint *info, MPI_Fint *error, int length) {
  char text[MPI_MAX_DATAREP_STRING + 1] = {0};
  if (!is_cached(file) || length > MPI_MAX_DATAREP_STRING) {
    pmpi_file_set_view_(file, displacement, etype, filetype, representation, info, error, length);
    return;
  }
  memcpy(text, representation, (size_t)length);
  for (int at = length; at > 0 && text[at - 1] == ' '; at--) {
    text[at - 1] = 0;
  }
  *error = MPI_File_set_view(MPI_File_f2c(*file), *displacement, PMPI_Type_f2c(*etype), PMPI_Type_f2c(*filetype), text,
                             PMPI_Info_f2c(*info));
}
void mpi_file_set_view_(MPI_Fint *file, MPI_Offset *displacement, MPI_Fint *etype, MPI_Fint *filetype, char *representation,
                        MPI_Fint *info, MPI_Fint *error, int length) NAMES(file_set_view);

/* Calls whose arguments are the same in C but for the handles. */
#define PLAIN(name, PARAMETERS, ARGUMENTS, CALL)                \
  extern void pmpi_##name##_ PARAMETERS __attribute__((weak)); \
  void ompi_##name##_f PARAMETERS {                            \
    if (is_cached(file)) {                                     \
      *error = CALL;                                           \
    } else {                                                   \
      pmpi_##name##_ ARGUMENTS;                                \
    }                                                          \
  }                                                            \
  void mpi_##name##_ PARAMETERS NAMES(name);

PLAIN(file_sync, (MPI_Fint *file, MPI_Fint *error), (file, error), MPI_File_sync(MPI_File_f2c(*file)))
PLAIN(file_set_size, (MPI_Fint *file, MPI_Offset *size, MPI_Fint *error), (file, size, error),
      MPI_File_set_size(MPI_File_f2c(*file), *size))
PLAIN(file_preallocate, (MPI_Fint *file, MPI_Offset *size, MPI_Fint *error), (file, size, error),
      MPI_File_preallocate(MPI_File_f2c(*file), *size))
PLAIN(file_get_size, (MPI_Fint *file, MPI_Offset *size, MPI_Fint *error), (file, size, error),
      MPI_File_get_size(MPI_File_f2c(*file), size))
PLAIN(file_seek, (MPI_Fint *file, MPI_Offset *offset, MPI_Fint *whence, MPI_Fint *error), (file, offset, whence, error),
      MPI_File_seek(MPI_File_f2c(*file), *offset, *whence))
PLAIN(file_get_position, (MPI_Fint *file, MPI_Offset *offset, MPI_Fint *error), (file, offset, error),
      MPI_File_get_position(MPI_File_f2c(*file), offset))
PLAIN(file_set_atomicity, (MPI_Fint *file, MPI_Fint *flag, MPI_Fint *error), (file, flag, error),
      MPI_File_set_atomicity(MPI_File_f2c(*file), *flag != 0))

/* Data accesses. */
#define ACCESS(name, OFFSET_PARAMETER, OFFSET_NAME, OFFSET)                                                           \
  extern void pmpi_file_##name##_(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type,           \
                                  MPI_Fint *status, MPI_Fint *error) __attribute__((weak));                                 \
  void ompi_file_##name##_f(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *status, \
                            MPI_Fint *error) {                                                                              \
    if (!is_cached(file)) {                                                                                                 \
      pmpi_file_##name##_(file, OFFSET_NAME buffer, count, type, status, error);                                            \
      return;                                                                                                               \
    }                                                                                                                       \
    MPI_Status own;                                                                                                         \
    *error = MPI_File_##name(MPI_File_f2c(*file), OFFSET buffer_of(buffer), *count, PMPI_Type_f2c(*type), &own);            \
    put_status(&own, status);                                                                                               \
  }                                                                                                                         \
  void mpi_file_##name##_(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *status, \
                          MPI_Fint *error) NAMES(file_##name);

#define START(name, OFFSET_PARAMETER, OFFSET_NAME, OFFSET)                                                                  \
  extern void pmpi_file_##name##_(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type,           \
                                  MPI_Fint *request, MPI_Fint *error) __attribute__((weak));                                \
  void ompi_file_##name##_f(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type,                 \
                            MPI_Fint *request, MPI_Fint *error) {                                                           \
    if (!is_cached(file)) {                                                                                                 \
      pmpi_file_##name##_(file, OFFSET_NAME buffer, count, type, request, error);                                           \
      return;                                                                                                               \
    }                                                                                                                       \
    MPI_Request own = MPI_REQUEST_NULL;                                                                                     \
    *error = MPI_File_##name(MPI_File_f2c(*file), OFFSET buffer_of(buffer), *count, PMPI_Type_f2c(*type), &own);            \
    *request = PMPI_Request_c2f(own);                                                                                       \
  }                                                                                                                         \
  void mpi_file_##name##_(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *request, \
                          MPI_Fint *error) NAMES(file_##name);

#define BEGIN(name, OFFSET_PARAMETER, OFFSET_NAME, OFFSET)                                                                  \
  extern void pmpi_file_##name##_(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type,           \
                                  MPI_Fint *error) __attribute__((weak));                                                   \
  void ompi_file_##name##_f(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type,                 \
                            MPI_Fint *error) {                                                                              \
    if (!is_cached(file)) {                                                                                                 \
      pmpi_file_##name##_(file, OFFSET_NAME buffer, count, type, error);                                                    \
      return;                                                                                                               \
    }                                                                                                                       \
    *error = MPI_File_##name(MPI_File_f2c(*file), OFFSET buffer_of(buffer), *count, PMPI_Type_f2c(*type));                  \
  }                                                                                                                         \
  void mpi_file_##name##_(MPI_Fint *file, OFFSET_PARAMETER char *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *error)  \
      NAMES(file_##name);

#define END(name)                                                                                                           \
  extern void pmpi_file_##name##_(MPI_Fint *file, char *buffer, MPI_Fint *status, MPI_Fint *error) __attribute__((weak));   \
  void ompi_file_##name##_f(MPI_Fint *file, char *buffer, MPI_Fint *status, MPI_Fint *error) {                              \
    if (!is_cached(file)) {                                                                                                 \
      pmpi_file_##name##_(file, buffer, status, error);                                                                     \
      return;                                                                                                               \
    }                                                                                                                       \
    MPI_Status own;                                                                                                         \
    *error = MPI_File_##name(MPI_File_f2c(*file), buffer_of(buffer), &own);                                                 \
    put_status(&own, status);                                                                                               \
  }                                                                                                                         \
  void mpi_file_##name##_(MPI_Fint *file, char *buffer, MPI_Fint *status, MPI_Fint *error) NAMES(file_##name);

#define ACCESS_AT(name) ACCESS(name, MPI_Offset *offset COMMA, offset COMMA, *offset COMMA)
#define ACCESS_HERE(name) ACCESS(name, , , )
#define START_AT(name) START(name, MPI_Offset *offset COMMA, offset COMMA, *offset COMMA)
#define START_HERE(name) START(name, , , )
#define BEGIN_AT(name) BEGIN(name, MPI_Offset *offset COMMA, offset COMMA, *offset COMMA)
#define BEGIN_HERE(name) BEGIN(name, , , )
#define COMMA ,

ACCESS_AT(read_at)
ACCESS_AT(read_at_all)
ACCESS_AT(write_at)
ACCESS_AT(write_at_all)
ACCESS_HERE(read)
ACCESS_HERE(read_all)
ACCESS_HERE(write)
ACCESS_HERE(write_all)
ACCESS_HERE(read_shared)
ACCESS_HERE(read_ordered)
ACCESS_HERE(write_shared)
ACCESS_HERE(write_ordered)
START_AT(iread_at)
START_AT(iread_at_all)
START_AT(iwrite_at)
START_AT(iwrite_at_all)
START_HERE(iread)
START_HERE(iread_all)
START_HERE(iwrite)
START_HERE(iwrite_all)
START_HERE(iread_shared)
START_HERE(iwrite_shared)
BEGIN_AT(read_at_all_begin)
BEGIN_AT(write_at_all_begin)
BEGIN_HERE(read_all_begin)
BEGIN_HERE(write_all_begin)
BEGIN_HERE(read_ordered_begin)
BEGIN_HERE(write_ordered_begin)
END(read_at_all_end)
END(write_at_all_end)
END(read_all_end)
END(write_all_end)
END(read_ordered_end)
END(write_ordered_end)

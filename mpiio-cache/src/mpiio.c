/* MPI's I/O calls: what is cached is served here, all else goes to the MPI library unchanged.
 *
 * Programs and libraries that are loaded before this one call it by MPI's names. Tools that are loaded after it, too, get these calls first;
 * what calls PMPI, as tools and Open MPI's Fortran do, comes here in any case. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "launcher.h"
#include "next.h"
#include "presence.h"

/* A tool has opened files by the MPI library itself, and so would do all else. */
static _Atomic bool is_bypassed;

static bool goes_to_tool(bool there_is_one, MPI_File file) {
  return there_is_one && !(is_bypassed && handle_find(file) != NULL);
}

/* A call as its registers: at most six arguments, none of them a floating point number. Handles of another MPI may be wider than ours. */
typedef long (*any_call)(long, long, long, long, long, long);

/* What a name that others know stands for. */
#define ENTRY(SYMBOL, OWN, FOREIGN)                                                                                     \
  long entry_of_##SYMBOL(long a, long b, long c, long d, long e, long f) __asm__(#SYMBOL);                              \
  long entry_of_##SYMBOL(long a, long b, long c, long d, long e, long f) {                                              \
    next_find();                                                                                                        \
    return ((any_call)(void *)(next_is_foreign ? FOREIGN : OWN))(a, b, c, d, e, f);                                     \
  }

#define ENTRIES(NAME, OWN)                              \
  ENTRY(MPI_##NAME, OWN, foreign.NAME)                  \
  ENTRY(PMPI_##NAME, own_##NAME, library.NAME)

/* Defines both names of a call; what follows is the body of what is done if no tool comes first. */
#define DEFINE(NAME, FILE, PARAMETERS, ARGUMENTS)                                                           \
  static int own_##NAME PARAMETERS;                                                                         \
  static int with_tools_##NAME PARAMETERS {                                                                 \
    return goes_to_tool(tools.NAME != NULL, FILE) ? tools.NAME ARGUMENTS : own_##NAME ARGUMENTS;            \
  }                                                                                                         \
  ENTRIES(NAME, with_tools_##NAME)                                                                          \
  static int own_##NAME PARAMETERS

/* ---- files */

/* Whether this thread's open has come here. */
static _Thread_local bool has_come;

static int own_File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info, MPI_File *file) {
  has_come = true;
  if (!handles_are_wanted()) {
    return library.File_open(comm, name, amode, info, file);
  }
  presence_announce(comm);
  int result = library.File_open(comm, name, amode, info, file);
  handle_open(result, *file, comm, name, amode, info);
  return result;
}

static int with_tools_File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info, MPI_File *file) {
  if (tools.File_open == NULL || !handles_are_wanted()) {
    return tools.File_open == NULL ? own_File_open(comm, name, amode, info, file) : tools.File_open(comm, name, amode, info, file);
  }
  presence_announce(comm);
  has_come = false;
  int result = tools.File_open(comm, name, amode, info, file);
  if (!has_come) {
    if (!atomic_exchange(&is_bypassed, true) && launcher_is_first_rank()) {
      fprintf(stderr, "dynims-mpiio: %s calls the MPI library past the cache: it does not see the accesses to files that are cached. Load it first\n",
              next_file((const void *)tools.File_open));
    }
    handle_open(result, *file, comm, name, amode, info);
  }
  return result;
}

ENTRIES(File_open, with_tools_File_open)

DEFINE(File_close, *file, (MPI_File *file), (file)) {
  struct handle *handle = handle_find(*file);
  if (handle == NULL) {
    return library.File_close(file);
  }
  int closed = handle_close(handle);
  if (closed != MPI_SUCCESS) {
    PMPI_File_call_errhandler(*file, closed);
  }
  int result = library.File_close(file);
  return closed == MPI_SUCCESS ? result : closed;
}

DEFINE(File_delete, MPI_FILE_NULL, (const char *name, MPI_Info info), (name, info)) {
  struct stat state;
  const char *path = handle_path(name);
  bool is_last_name = path != NULL && stat(path, &state) == 0 && state.st_nlink == 1;
  int result = library.File_delete(name, info);
  if (result == MPI_SUCCESS && is_last_name) {
    handles_deleted(&state);
  }
  return result;
}

/* Before all ranks look at the size together. Returns an MPI error code. */
static int flush_together(struct handle *handle) {
  int error = handle_error(cache_flush(&handle->cache));
  PMPI_Barrier(handle->comm);
  return error;
}

static int before_resize(struct handle *handle) {
  file_begin_writing(&handle->cache);
  return flush_together(handle);
}

/* After all ranks have changed the size to what the MPI library says. */
static int resized(struct handle *handle, int flushed, int result) {
  MPI_Offset size = 0;
  library.File_get_size(handle->file, &size);
  file_drop_all(&handle->cache, KEEP_DIRTY);
  PMPI_Barrier(handle->comm);
  atomic_store(&file_entry(&handle->cache)->sizeBytes, (uint64_t)size);
  PMPI_Barrier(handle->comm);
  return result == MPI_SUCCESS ? handle_result(handle, flushed) : result;
}

DEFINE(File_set_size, file, (MPI_File file, MPI_Offset size), (file, size)) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return library.File_set_size(file, size);
  }
  int flushed = before_resize(handle);
  return resized(handle, flushed, library.File_set_size(file, size));
}

DEFINE(File_preallocate, file, (MPI_File file, MPI_Offset size), (file, size)) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return library.File_preallocate(file, size);
  }
  int flushed = before_resize(handle);
  return resized(handle, flushed, library.File_preallocate(file, size));
}

DEFINE(File_get_size, file, (MPI_File file, MPI_Offset *size), (file, size)) {
  struct handle *handle = handle_find(file);
  int result = library.File_get_size(file, size);
  if (handle != NULL && result == MPI_SUCCESS && atomic_load(&file_entry(&handle->cache)->dirtyBlocks) > 0) {
    MPI_Offset dirty = (MPI_Offset)atomic_load(&file_entry(&handle->cache)->sizeBytes);
    *size = dirty > *size ? dirty : *size;
  }
  return result;
}

DEFINE(File_sync, file, (MPI_File file), (file)) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return library.File_sync(file);
  }
  int synced = handle_sync(handle);
  int result = library.File_sync(file);
  return synced == MPI_SUCCESS ? result : handle_result(handle, synced);
}

DEFINE(File_get_info, file, (MPI_File file, MPI_Info *info), (file, info)) {
  struct handle *handle = handle_find(file);
  int result = library.File_get_info(file, info);
  if (handle != NULL && result == MPI_SUCCESS) {
    options_put(&handle->options, *info);
  }
  return result;
}

/* ---- views and pointers */

DEFINE(File_set_view, file, (MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char *representation, MPI_Info info), (file, displacement, etype, filetype, representation, info)) {
  struct handle *handle = handle_find(file);
  int result = library.File_set_view(file, displacement, etype, filetype, representation, info);
  if (handle == NULL) {
    return result;
  }
  if (result == MPI_SUCCESS) {
    if (displacement == MPI_DISPLACEMENT_CURRENT) {
      handle->view.supported = false;
    } else {
      view_set(&handle->view, displacement, etype, filetype);
      handle->view.supported &= strcmp(representation, "native") == 0;
    }
    pthread_mutex_lock(&handle->lock);
    handle->pointer = 0;
    pthread_mutex_unlock(&handle->lock);
  }
  int agreed = handle_agree(handle);
  return result == MPI_SUCCESS ? handle_result(handle, agreed) : result;
}

DEFINE(File_set_atomicity, file, (MPI_File file, int flag), (file, flag)) {
  struct handle *handle = handle_find(file);
  int result = library.File_set_atomicity(file, flag);
  if (handle == NULL) {
    return result;
  }
  if (result == MPI_SUCCESS) {
    handle->atomic = flag != 0;
  }
  int agreed = handle_agree(handle);
  return result == MPI_SUCCESS ? handle_result(handle, agreed) : result;
}

DEFINE(File_seek, file, (MPI_File file, MPI_Offset offset, int whence), (file, offset, whence)) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return library.File_seek(file, offset, whence);
  }
  int flushed = whence == MPI_SEEK_END ? handle_error(cache_flush(&handle->cache)) : MPI_SUCCESS;
  if (flushed != MPI_SUCCESS) {
    return handle_result(handle, flushed);
  }
  pthread_mutex_lock(&handle->lock);
  /* The MPI library checks it, and knows the end. */
  int result = library.File_seek(file, whence == MPI_SEEK_CUR ? handle->pointer + offset : offset,
                              whence == MPI_SEEK_CUR ? MPI_SEEK_SET : whence);
  if (result == MPI_SUCCESS) {
    library.File_get_position(file, &handle->pointer);
  }
  pthread_mutex_unlock(&handle->lock);
  return result;
}

DEFINE(File_seek_shared, file, (MPI_File file, MPI_Offset offset, int whence), (file, offset, whence)) {
  struct handle *handle = handle_find(file);
  if (handle == NULL || whence != MPI_SEEK_END) {
    return library.File_seek_shared(file, offset, whence);
  }
  int flushed = flush_together(handle);
  int result = library.File_seek_shared(file, offset, whence);
  return result == MPI_SUCCESS ? handle_result(handle, flushed) : result;
}

DEFINE(File_get_position, file, (MPI_File file, MPI_Offset *offset), (file, offset)) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return library.File_get_position(file, offset);
  }
  pthread_mutex_lock(&handle->lock);
  *offset = handle->pointer;
  pthread_mutex_unlock(&handle->lock);
  return MPI_SUCCESS;
}

/* ---- data */

/* Why a call is not served. */
static enum pass reason_of(const struct handle *handle, bool writes) {
  if (handle->served) {
    return PASS_ARGUMENTS;
  }
  if (handle->atomic) {
    return PASS_ATOMIC;
  }
  return writes && handle->options.mode == MODE_READ_ONLY ? PASS_READ_ONLY : PASS_VIEW;
}

/* An access that goes past the cache, although what was to be flushed for it may not have been: others may wait in it. */
#define PASS(CALL, WRITES, REASON)                          \
  int flushed = handle_before_pass(handle, WRITES, REASON); \
  int result = CALL;                                        \
  handle_after_pass(handle, WRITES);                        \
  return result == MPI_SUCCESS ? handle_result(handle, flushed) : result;

#define TRANSFER ((struct transfer){(void *)buffer, (MPI_Count)count, type})

/* Parameters and arguments of data accesses. */
#define AT_PARAMETERS(CONST, COUNT, LAST) (MPI_File file, MPI_Offset offset, CONST void *buffer, COUNT count, MPI_Datatype type, LAST)
#define PARAMETERS(CONST, COUNT, LAST) (MPI_File file, CONST void *buffer, COUNT count, MPI_Datatype type, LAST)
#define STATUS MPI_Status *status
#define REQUEST MPI_Request *request

/* What is done with a file that is not cached. */
#define UNLESS_CACHED(NAME, ARGUMENTS)              \
  struct handle *handle = handle_find(file);        \
  if (handle == NULL) {                             \
    return library.File_##NAME ARGUMENTS;           \
  }

/* All read calls at an offset, blocking ones and collective ones: a collective read need not wait for anybody. */
#define READ_AT(NAME, COUNT)                                                                                                      \
  DEFINE(File_##NAME, file, AT_PARAMETERS(, COUNT, STATUS), (file, offset, buffer, count, type, status)) {                        \
    UNLESS_CACHED(NAME, (file, offset, buffer, count, type, status))                                                              \
    if (access_is_served(handle, false, offset, TRANSFER)) {                                                                      \
      return access_read(handle, offset, TRANSFER, status);                                                                       \
    }                                                                                                                             \
    PASS(library.File_##NAME(file, offset, buffer, count, type, status), false, reason_of(handle, false))                         \
  }

/* The pieces of all ranks are gathered before they are written where their views have gaps. */
static bool is_gathered(const struct handle *handle, bool collective) {
  return collective && handle->served && !handle->allContiguous && handle->options.mode != MODE_WRITE_BACK;
}

#define WRITE_AT(NAME, COUNT, COLLECTIVE)                                                                                         \
  DEFINE(File_##NAME, file, AT_PARAMETERS(const, COUNT, STATUS), (file, offset, buffer, count, type, status)) {                   \
    UNLESS_CACHED(NAME, (file, offset, buffer, count, type, status))                                                              \
    if (is_gathered(handle, COLLECTIVE)) {                                                                                        \
      return access_write_all(handle, offset, TRANSFER, status);                                                                  \
    }                                                                                                                             \
    if (access_is_served(handle, true, offset, TRANSFER)) {                                                                       \
      return access_write(handle, offset, TRANSFER, status);                                                                      \
    }                                                                                                                             \
    PASS(library.File_##NAME(file, offset, buffer, count, type, status), true, reason_of(handle, true))                           \
  }

/* The same at the individual pointer. */
#define READ(NAME, AT, COUNT)                                                                                                     \
  DEFINE(File_##NAME, file, PARAMETERS(, COUNT, STATUS), (file, buffer, count, type, status)) {                                   \
    UNLESS_CACHED(NAME, (file, buffer, count, type, status))                                                                      \
    MPI_Status own;                                                                                                               \
    MPI_Offset from = access_advance(handle, TRANSFER);                                                                           \
    int result = own_File_##AT(file, from, buffer, count, type, &own);                                                           \
    if (result == MPI_SUCCESS) {                                                                                                  \
      access_end(handle, from, TRANSFER, &own);                                                                                   \
    }                                                                                                                             \
    if (status != MPI_STATUS_IGNORE) {                                                                                            \
      *status = own;                                                                                                              \
    }                                                                                                                             \
    return result;                                                                                                                \
  }

#define WRITE(NAME, AT, COUNT)                                                                                                    \
  DEFINE(File_##NAME, file, PARAMETERS(const, COUNT, STATUS), (file, buffer, count, type, status)) {                              \
    UNLESS_CACHED(NAME, (file, buffer, count, type, status))                                                                      \
    return own_File_##AT(file, access_advance(handle, TRANSFER), buffer, count, type, status);                                   \
  }

/* Requests are complete when they are returned: the cache must know when an access is over. A collective one is done as this rank's own, as
 * it must not wait for others, which may wait for a message of this rank. */
#define START_AT(NAME, AT, CONST, COUNT)                                                                                          \
  DEFINE(File_##NAME, file, AT_PARAMETERS(CONST, COUNT, REQUEST), (file, offset, buffer, count, type, request)) {                 \
    UNLESS_CACHED(NAME, (file, offset, buffer, count, type, request))                                                             \
    MPI_Status status;                                                                                                            \
    return access_complete(own_File_##AT(file, offset, buffer, count, type, &status), &status, request);                         \
  }

#define START(NAME, AT, CONST, COUNT)                                                                                             \
  DEFINE(File_##NAME, file, PARAMETERS(CONST, COUNT, REQUEST), (file, buffer, count, type, request)) {                            \
    UNLESS_CACHED(NAME, (file, buffer, count, type, request))                                                                     \
    return own_File_##AT(file, access_advance(handle, TRANSFER), buffer, count, type, request);                                  \
  }

/* Split collective calls move the data when they begin. */
#define BEGIN_AT(NAME, AT, CONST, COUNT)                                                                                          \
  DEFINE(File_##NAME, file, (MPI_File file, MPI_Offset offset, CONST void *buffer, COUNT count, MPI_Datatype type),               \
         (file, offset, buffer, count, type)) {                                                                                   \
    UNLESS_CACHED(NAME, (file, offset, buffer, count, type))                                                                      \
    return own_File_##AT(file, offset, buffer, count, type, &handle->split);                                                     \
  }

#define BEGIN(NAME, AT, CONST, COUNT)                                                                                             \
  DEFINE(File_##NAME, file, (MPI_File file, CONST void *buffer, COUNT count, MPI_Datatype type), (file, buffer, count, type)) {   \
    UNLESS_CACHED(NAME, (file, buffer, count, type))                                                                              \
    return own_File_##AT(file, buffer, count, type, &handle->split);                                                             \
  }

#define END(NAME, CONST)                                                                                                          \
  DEFINE(File_##NAME, file, (MPI_File file, CONST void *buffer, STATUS), (file, buffer, status)) {                                \
    UNLESS_CACHED(NAME, (file, buffer, status))                                                                                   \
    if (status != MPI_STATUS_IGNORE) {                                                                                            \
      *status = handle->split;                                                                                                    \
    }                                                                                                                             \
    return MPI_SUCCESS;                                                                                                           \
  }

/* Shared pointers are the MPI library's: blocking calls, as those of a file that is cached must be over when the cache is looked at. */
#define SHARED(NAME, CONST, COUNT, WRITES)                                                                                        \
  DEFINE(File_##NAME, file, PARAMETERS(CONST, COUNT, STATUS), (file, buffer, count, type, status)) {                              \
    UNLESS_CACHED(NAME, (file, buffer, count, type, status))                                                                      \
    PASS(library.File_##NAME(file, buffer, count, type, status), WRITES, PASS_SHARED_POINTER)                                     \
  }

#define SHARED_START(NAME, BLOCKING, CONST, COUNT)                                                                                \
  DEFINE(File_##NAME, file, PARAMETERS(CONST, COUNT, REQUEST), (file, buffer, count, type, request)) {                            \
    UNLESS_CACHED(NAME, (file, buffer, count, type, request))                                                                     \
    MPI_Status status;                                                                                                            \
    return access_complete(own_File_##BLOCKING(file, buffer, count, type, &status), &status, request);                           \
  }

#define ALL_ACCESSES(SUFFIX, COUNT)                                         \
  READ_AT(read_at##SUFFIX, COUNT)                                           \
  READ_AT(read_at_all##SUFFIX, COUNT)                                       \
  WRITE_AT(write_at##SUFFIX, COUNT, false)                                  \
  WRITE_AT(write_at_all##SUFFIX, COUNT, true)                               \
  READ(read##SUFFIX, read_at##SUFFIX, COUNT)                                \
  READ(read_all##SUFFIX, read_at_all##SUFFIX, COUNT)                        \
  WRITE(write##SUFFIX, write_at##SUFFIX, COUNT)                             \
  WRITE(write_all##SUFFIX, write_at_all##SUFFIX, COUNT)                     \
  START_AT(iread_at##SUFFIX, read_at##SUFFIX, , COUNT)                      \
  START_AT(iread_at_all##SUFFIX, read_at##SUFFIX, , COUNT)                  \
  START_AT(iwrite_at##SUFFIX, write_at##SUFFIX, const, COUNT)               \
  START_AT(iwrite_at_all##SUFFIX, write_at##SUFFIX, const, COUNT)           \
  START(iread##SUFFIX, iread_at##SUFFIX, , COUNT)                           \
  START(iread_all##SUFFIX, iread_at_all##SUFFIX, , COUNT)                   \
  START(iwrite##SUFFIX, iwrite_at##SUFFIX, const, COUNT)                    \
  START(iwrite_all##SUFFIX, iwrite_at_all##SUFFIX, const, COUNT)            \
  BEGIN_AT(read_at_all_begin##SUFFIX, read_at_all##SUFFIX, , COUNT)         \
  BEGIN_AT(write_at_all_begin##SUFFIX, write_at_all##SUFFIX, const, COUNT)  \
  BEGIN(read_all_begin##SUFFIX, read_all##SUFFIX, , COUNT)                  \
  BEGIN(write_all_begin##SUFFIX, write_all##SUFFIX, const, COUNT)           \
  SHARED(read_shared##SUFFIX, , COUNT, false)                               \
  SHARED(read_ordered##SUFFIX, , COUNT, false)                              \
  SHARED(write_shared##SUFFIX, const, COUNT, true)                          \
  SHARED(write_ordered##SUFFIX, const, COUNT, true)                         \
  SHARED_START(iread_shared##SUFFIX, read_shared##SUFFIX, , COUNT)          \
  SHARED_START(iwrite_shared##SUFFIX, write_shared##SUFFIX, const, COUNT)   \
  BEGIN(read_ordered_begin##SUFFIX, read_ordered##SUFFIX, , COUNT)          \
  BEGIN(write_ordered_begin##SUFFIX, write_ordered##SUFFIX, const, COUNT)

ALL_ACCESSES(, int)
END(read_at_all_end, )
END(write_at_all_end, const)
END(read_all_end, )
END(write_all_end, const)
END(read_ordered_end, )
END(write_ordered_end, const)

#if MPI_VERSION >= 4
ALL_ACCESSES(_c, MPI_Count)
#endif

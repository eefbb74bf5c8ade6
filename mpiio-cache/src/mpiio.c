/* MPI's I/O calls, through the profiling interface: what is cached is served here, all else goes to the MPI library unchanged. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"

/* ---- the program */

int MPI_Init(int *argc, char ***argv) {
  int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS) {
    handles_begin();
  }
  return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int result = PMPI_Init_thread(argc, argv, required, provided);
  if (result == MPI_SUCCESS) {
    handles_begin();
  }
  return result;
}

int MPI_Finalize(void) {
  handles_end();
  return PMPI_Finalize();
}

/* ---- files */

int MPI_File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info, MPI_File *file) {
  int result = PMPI_File_open(comm, name, amode, info, file);
  if (result == MPI_SUCCESS) {
    handle_open(*file, comm, name, amode, info);
  }
  return result;
}

int MPI_File_close(MPI_File *file) {
  struct handle *handle = handle_find(*file);
  if (handle == NULL) {
    return PMPI_File_close(file);
  }
  int closed = handle_close(handle);
  if (closed != MPI_SUCCESS) {
    PMPI_File_call_errhandler(*file, closed);
  }
  int result = PMPI_File_close(file);
  return closed == MPI_SUCCESS ? result : closed;
}

int MPI_File_delete(const char *name, MPI_Info info) {
  struct stat state;
  const char *path = handle_path(name);
  bool is_last_name = path != NULL && stat(path, &state) == 0 && state.st_nlink == 1;
  int result = PMPI_File_delete(name, info);
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
  PMPI_File_get_size(handle->file, &size);
  file_drop_all(&handle->cache, KEEP_DIRTY);
  PMPI_Barrier(handle->comm);
  atomic_store(&file_entry(&handle->cache)->sizeBytes, (uint64_t)size);
  PMPI_Barrier(handle->comm);
  return result == MPI_SUCCESS ? handle_result(handle, flushed) : result;
}

int MPI_File_set_size(MPI_File file, MPI_Offset size) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return PMPI_File_set_size(file, size);
  }
  int flushed = before_resize(handle);
  return resized(handle, flushed, PMPI_File_set_size(file, size));
}

int MPI_File_preallocate(MPI_File file, MPI_Offset size) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return PMPI_File_preallocate(file, size);
  }
  int flushed = before_resize(handle);
  return resized(handle, flushed, PMPI_File_preallocate(file, size));
}

int MPI_File_get_size(MPI_File file, MPI_Offset *size) {
  struct handle *handle = handle_find(file);
  int result = PMPI_File_get_size(file, size);
  if (handle != NULL && result == MPI_SUCCESS && atomic_load(&file_entry(&handle->cache)->dirtyBlocks) > 0) {
    MPI_Offset dirty = (MPI_Offset)atomic_load(&file_entry(&handle->cache)->sizeBytes);
    *size = dirty > *size ? dirty : *size;
  }
  return result;
}

int MPI_File_sync(MPI_File file) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return PMPI_File_sync(file);
  }
  int synced = handle_sync(handle);
  int result = PMPI_File_sync(file);
  return synced == MPI_SUCCESS ? result : handle_result(handle, synced);
}

int MPI_File_get_info(MPI_File file, MPI_Info *info) {
  struct handle *handle = handle_find(file);
  int result = PMPI_File_get_info(file, info);
  if (handle != NULL && result == MPI_SUCCESS) {
    options_put(&handle->options, *info);
  }
  return result;
}

/* ---- views and pointers */

int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char *representation,
                      MPI_Info info) {
  struct handle *handle = handle_find(file);
  int result = PMPI_File_set_view(file, displacement, etype, filetype, representation, info);
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

int MPI_File_set_atomicity(MPI_File file, int flag) {
  struct handle *handle = handle_find(file);
  int result = PMPI_File_set_atomicity(file, flag);
  if (handle == NULL) {
    return result;
  }
  if (result == MPI_SUCCESS) {
    handle->atomic = flag != 0;
  }
  int agreed = handle_agree(handle);
  return result == MPI_SUCCESS ? handle_result(handle, agreed) : result;
}

int MPI_File_seek(MPI_File file, MPI_Offset offset, int whence) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return PMPI_File_seek(file, offset, whence);
  }
  int flushed = whence == MPI_SEEK_END ? handle_error(cache_flush(&handle->cache)) : MPI_SUCCESS;
  if (flushed != MPI_SUCCESS) {
    return handle_result(handle, flushed);
  }
  pthread_mutex_lock(&handle->lock);
  /* The MPI library checks it, and knows the end. */
  int result = PMPI_File_seek(file, whence == MPI_SEEK_CUR ? handle->pointer + offset : offset,
                              whence == MPI_SEEK_CUR ? MPI_SEEK_SET : whence);
  if (result == MPI_SUCCESS) {
    PMPI_File_get_position(file, &handle->pointer);
  }
  pthread_mutex_unlock(&handle->lock);
  return result;
}

int MPI_File_seek_shared(MPI_File file, MPI_Offset offset, int whence) {
  struct handle *handle = handle_find(file);
  if (handle == NULL || whence != MPI_SEEK_END) {
    return PMPI_File_seek_shared(file, offset, whence);
  }
  int flushed = flush_together(handle);
  int result = PMPI_File_seek_shared(file, offset, whence);
  return result == MPI_SUCCESS ? handle_result(handle, flushed) : result;
}

int MPI_File_get_position(MPI_File file, MPI_Offset *offset) {
  struct handle *handle = handle_find(file);
  if (handle == NULL) {
    return PMPI_File_get_position(file, offset);
  }
  pthread_mutex_lock(&handle->lock);
  *offset = handle->pointer;
  pthread_mutex_unlock(&handle->lock);
  return MPI_SUCCESS;
}

/* ---- data */

/* An access that goes past the cache, although what was to be flushed for it may not have been: others may wait in it. */
#define PASS(call, wrote)                              \
  int flushed = handle_before_pass(handle, wrote);     \
  int result = call;                                   \
  handle_after_pass(handle, wrote);                    \
  return result == MPI_SUCCESS ? handle_result(handle, flushed) : result;

#define TRANSFER(buffer, count, type) ((struct transfer){(void *)(buffer), (MPI_Count)(count), (type)})

/* All read calls at an offset, blocking ones and collective ones: a collective read need not wait for anybody. */
#define READ_AT(NAME, COUNT)                                                                                                  \
  int MPI_File_##NAME(MPI_File file, MPI_Offset offset, void *buffer, COUNT count, MPI_Datatype type, MPI_Status *status) {   \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, offset, buffer, count, type, status);                                                     \
    }                                                                                                                         \
    if (access_is_served(handle, false, offset, TRANSFER(buffer, count, type))) {                                             \
      return access_read(handle, offset, TRANSFER(buffer, count, type), status);                                              \
    }                                                                                                                         \
    PASS(PMPI_File_##NAME(file, offset, buffer, count, type, status), false)                                                  \
  }

/* The pieces of all ranks are gathered before they are written where their views have gaps. */
static bool is_gathered(const struct handle *handle, bool collective) {
  return collective && handle->served && !handle->allContiguous && handle->options.mode != MODE_WRITE_BACK;
}

#define WRITE_AT(NAME, COUNT, COLLECTIVE)                                                                                     \
  int MPI_File_##NAME(MPI_File file, MPI_Offset offset, const void *buffer, COUNT count, MPI_Datatype type,                   \
                      MPI_Status *status) {                                                                                   \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, offset, buffer, count, type, status);                                                     \
    }                                                                                                                         \
    if (is_gathered(handle, COLLECTIVE)) {                                                                                    \
      return access_write_all(handle, offset, TRANSFER(buffer, count, type), status);                                         \
    }                                                                                                                         \
    if (access_is_served(handle, true, offset, TRANSFER(buffer, count, type))) {                                              \
      return access_write(handle, offset, TRANSFER(buffer, count, type), status);                                             \
    }                                                                                                                         \
    PASS(PMPI_File_##NAME(file, offset, buffer, count, type, status), true)                                                   \
  }

/* The same at the individual pointer. */
#define READ(NAME, AT, COUNT)                                                                                                 \
  int MPI_File_##NAME(MPI_File file, void *buffer, COUNT count, MPI_Datatype type, MPI_Status *status) {                      \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, buffer, count, type, status);                                                             \
    }                                                                                                                         \
    MPI_Status own;                                                                                                           \
    MPI_Offset from = access_advance(handle, TRANSFER(buffer, count, type));                                                  \
    int result = MPI_File_##AT(file, from, buffer, count, type, &own);                                                        \
    access_end(handle, from, TRANSFER(buffer, count, type), &own);                                                            \
    if (status != MPI_STATUS_IGNORE) {                                                                                        \
      *status = own;                                                                                                          \
    }                                                                                                                         \
    return result;                                                                                                            \
  }

#define WRITE(NAME, AT, COUNT)                                                                                                \
  int MPI_File_##NAME(MPI_File file, const void *buffer, COUNT count, MPI_Datatype type, MPI_Status *status) {                \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, buffer, count, type, status);                                                             \
    }                                                                                                                         \
    return MPI_File_##AT(file, access_advance(handle, TRANSFER(buffer, count, type)), buffer, count, type, status);           \
  }

/* Requests are complete when they are returned. */
#define START_AT(NAME, AT, CONST, COUNT)                                                                                      \
  int MPI_File_##NAME(MPI_File file, MPI_Offset offset, CONST void *buffer, COUNT count, MPI_Datatype type,                   \
                      MPI_Request *request) {                                                                                 \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, offset, buffer, count, type, request);                                                    \
    }                                                                                                                         \
    MPI_Status status;                                                                                                        \
    return access_complete(MPI_File_##AT(file, offset, buffer, count, type, &status), &status, request);                      \
  }

#define START(NAME, AT, CONST, COUNT)                                                                                         \
  int MPI_File_##NAME(MPI_File file, CONST void *buffer, COUNT count, MPI_Datatype type, MPI_Request *request) {              \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, buffer, count, type, request);                                                            \
    }                                                                                                                         \
    return MPI_File_##AT(file, access_advance(handle, TRANSFER(buffer, count, type)), buffer, count, type, request);          \
  }

/* Split collective calls move the data when they begin. */
#define BEGIN_AT(NAME, AT, CONST, COUNT)                                                                                      \
  int MPI_File_##NAME(MPI_File file, MPI_Offset offset, CONST void *buffer, COUNT count, MPI_Datatype type) {                 \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, offset, buffer, count, type);                                                             \
    }                                                                                                                         \
    return MPI_File_##AT(file, offset, buffer, count, type, &handle->split);                                                  \
  }

#define BEGIN(NAME, AT, CONST, COUNT)                                                                                         \
  int MPI_File_##NAME(MPI_File file, CONST void *buffer, COUNT count, MPI_Datatype type) {                                    \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, buffer, count, type);                                                                     \
    }                                                                                                                         \
    return MPI_File_##AT(file, buffer, count, type, &handle->split);                                                          \
  }

#define END(NAME, CONST)                                                                                                      \
  int MPI_File_##NAME(MPI_File file, CONST void *buffer, MPI_Status *status) {                                                \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, buffer, status);                                                                          \
    }                                                                                                                         \
    if (status != MPI_STATUS_IGNORE) {                                                                                        \
      *status = handle->split;                                                                                                \
    }                                                                                                                         \
    return MPI_SUCCESS;                                                                                                       \
  }

/* Shared pointers are the MPI library's: blocking calls, as those of a file that is cached must be over when the cache is looked at. */
#define SHARED(NAME, CONST, COUNT, WROTE)                                                                                     \
  int MPI_File_##NAME(MPI_File file, CONST void *buffer, COUNT count, MPI_Datatype type, MPI_Status *status) {                \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, buffer, count, type, status);                                                             \
    }                                                                                                                         \
    PASS(PMPI_File_##NAME(file, buffer, count, type, status), WROTE)                                                          \
  }

#define SHARED_START(NAME, BLOCKING, CONST, COUNT)                                                                            \
  int MPI_File_##NAME(MPI_File file, CONST void *buffer, COUNT count, MPI_Datatype type, MPI_Request *request) {              \
    struct handle *handle = handle_find(file);                                                                                \
    if (handle == NULL) {                                                                                                     \
      return PMPI_File_##NAME(file, buffer, count, type, request);                                                            \
    }                                                                                                                         \
    MPI_Status status;                                                                                                        \
    return access_complete(MPI_File_##BLOCKING(file, buffer, count, type, &status), &status, request);                        \
  }

#define ALL_ACCESSES(SUFFIX, COUNT)                             \
  READ_AT(read_at##SUFFIX, COUNT)                               \
  READ_AT(read_at_all##SUFFIX, COUNT)                           \
  WRITE_AT(write_at##SUFFIX, COUNT, false)                      \
  WRITE_AT(write_at_all##SUFFIX, COUNT, true)                   \
  READ(read##SUFFIX, read_at##SUFFIX, COUNT)                    \
  READ(read_all##SUFFIX, read_at_all##SUFFIX, COUNT)            \
  WRITE(write##SUFFIX, write_at##SUFFIX, COUNT)                 \
  WRITE(write_all##SUFFIX, write_at_all##SUFFIX, COUNT)         \
  START_AT(iread_at##SUFFIX, read_at##SUFFIX, , COUNT)          \
  START_AT(iread_at_all##SUFFIX, read_at_all##SUFFIX, , COUNT)  \
  START_AT(iwrite_at##SUFFIX, write_at##SUFFIX, const, COUNT)   \
  START_AT(iwrite_at_all##SUFFIX, write_at_all##SUFFIX, const, COUNT) \
  START(iread##SUFFIX, iread_at##SUFFIX, , COUNT)               \
  START(iread_all##SUFFIX, iread_at_all##SUFFIX, , COUNT)       \
  START(iwrite##SUFFIX, iwrite_at##SUFFIX, const, COUNT)        \
  START(iwrite_all##SUFFIX, iwrite_at_all##SUFFIX, const, COUNT) \
  BEGIN_AT(read_at_all_begin##SUFFIX, read_at_all##SUFFIX, , COUNT) \
  BEGIN_AT(write_at_all_begin##SUFFIX, write_at_all##SUFFIX, const, COUNT) \
  BEGIN(read_all_begin##SUFFIX, read_all##SUFFIX, , COUNT)      \
  BEGIN(write_all_begin##SUFFIX, write_all##SUFFIX, const, COUNT) \
  SHARED(read_shared##SUFFIX, , COUNT, false)                   \
  SHARED(read_ordered##SUFFIX, , COUNT, false)                  \
  SHARED(write_shared##SUFFIX, const, COUNT, true)              \
  SHARED(write_ordered##SUFFIX, const, COUNT, true)             \
  SHARED_START(iread_shared##SUFFIX, read_shared##SUFFIX, , COUNT) \
  SHARED_START(iwrite_shared##SUFFIX, write_shared##SUFFIX, const, COUNT) \
  BEGIN(read_ordered_begin##SUFFIX, read_ordered##SUFFIX, , COUNT) \
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

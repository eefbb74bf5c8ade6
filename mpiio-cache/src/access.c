#include "access.h"

#include <limits.h>
#include <stdlib.h>

#include "collective.h"
#include "next.h"

/* What has gaps in memory goes through a buffer, in pieces of so many bytes. */
#define BUFFER_BYTES (4 << 20)

/* Sets the bytes that are moved; false if nobody can say how many these are. */
static bool measure(struct transfer transfer, int64_t *length) {
  MPI_Count size;
  if (transfer.type == MPI_DATATYPE_NULL || transfer.count < 0) {
    return false;
  }
  PMPI_Type_size_x(transfer.type, &size);
  return !__builtin_mul_overflow(transfer.count, size, length);
}

static void set_status(MPI_Status *status, int64_t bytes) {
  if (status != MPI_STATUS_IGNORE) {
    PMPI_Status_set_elements_x(status, MPI_BYTE, bytes);
    PMPI_Status_set_cancelled(status, 0);
  }
}

bool access_is_served(const struct handle *handle, bool write, MPI_Offset offset, struct transfer transfer) {
  int64_t length;
  if (!handle->served || offset < 0 || !measure(transfer, &length)) {
    return false;
  }
  int fd = write ? handle->cache.writeFd : handle->cache.readFd;
  bool allowed = write || (handle->amode & MPI_MODE_WRONLY) == 0;
  return fd >= 0 && allowed && length % handle->view.etypeBytes == 0;
}

/* What the MPI library does instead of the cache: it says what is wrong with an access, and knows types that nobody here can take apart.
 * Other ranks of a collective call do not wait for it. */
static int pass(struct handle *handle, bool write, MPI_Offset offset, struct transfer transfer, MPI_Status *status) {
  int flushed = handle_before_pass(handle, write, PASS_ARGUMENTS);
  int result;
  if (transfer.count <= INT_MAX) {
    int count = (int)transfer.count;
    result = write ? library.File_write_at(handle->file, offset, transfer.buffer, count, transfer.type, status)
                   : library.File_read_at(handle->file, offset, transfer.buffer, count, transfer.type, status);
  } else {
#if MPI_VERSION >= 4
    result = write ? library.File_write_at_c(handle->file, offset, transfer.buffer, transfer.count, transfer.type, status)
                   : library.File_read_at_c(handle->file, offset, transfer.buffer, transfer.count, transfer.type, status);
#else
    result = MPI_ERR_COUNT;
#endif
  }
  handle_after_pass(handle, write);
  return result == MPI_SUCCESS ? handle_result(handle, flushed) : result;
}

/* An access under way. */
struct movement {
  struct handle *handle;
  uint8_t *at; /* what the displacements in memory are from */
  struct view memory;
  int64_t visible; /* in the file */
  int64_t length, done;
  uint8_t *buffer; /* made when it is needed */
};

static struct movement begin(struct handle *handle, MPI_Offset offset, struct transfer transfer) {
  struct movement movement = {.handle = handle, .at = transfer.buffer, .visible = offset * handle->view.etypeBytes};
  view_set_memory(&movement.memory, transfer.count, transfer.type);
  measure(transfer, &movement.length);
  return movement;
}

static void end(struct movement *movement, MPI_Status *status) {
  free(movement->buffer);
  view_free(&movement->memory);
  set_status(status, movement->done);
}

/* A piece of an access: in the file without gaps, and in memory, too, unless it goes through the buffer. */
struct piece {
  uint64_t offset;
  uint8_t *at;
  size_t length;
  bool isBuffered;
};

/* The next piece, which is buffered if memory has gaps in less than the buffer can hold. Returns false without memory. */
static bool next_piece(struct movement *movement, struct piece *piece) {
  int64_t in_file, in_memory;
  int64_t rest = movement->length - movement->done;
  int64_t offset = view_piece(&movement->handle->view, movement->visible + movement->done, &in_file);
  int64_t at = view_piece(&movement->memory, movement->done, &in_memory);
  int64_t in_buffer = BUFFER_BYTES - offset % BUFFER_BYTES;
  in_file = in_file < rest ? in_file : rest;
  in_buffer = in_buffer < in_file ? in_buffer : in_file;
  piece->offset = (uint64_t)offset;
  piece->isBuffered = in_memory < in_buffer;
  if (!piece->isBuffered) {
    /* Also from MPI_BOTTOM, to which nothing can be added. */
    piece->at = (uint8_t *)((uintptr_t)movement->at + (uintptr_t)at);
    piece->length = (size_t)(in_memory < in_file ? in_memory : in_file);
    return true;
  }
  if (movement->buffer == NULL) {
    movement->buffer = malloc((size_t)(rest < BUFFER_BYTES ? rest : BUFFER_BYTES));
  }
  piece->at = movement->buffer;
  piece->length = (size_t)in_buffer;
  return piece->at != NULL;
}

int access_read(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status) {
  struct movement movement = begin(handle, offset, transfer);
  handle_keep_registered(handle);
  if (!movement.memory.supported) {
    end(&movement, status);
    return pass(handle, false, offset, transfer, status);
  }
  int result = MPI_SUCCESS;
  bool ended = false;
  while (result == MPI_SUCCESS && !ended && movement.done < movement.length) {
    struct piece piece;
    int error;
    if (!next_piece(&movement, &piece)) {
      result = MPI_ERR_NO_MEM;
      break;
    }
    size_t count = cache_read(&handle->cache, piece.offset, piece.at, piece.length, &error);
    if (piece.isBuffered) {
      view_scatter(&movement.memory, movement.at, movement.done, piece.at, (int64_t)count);
    }
    movement.done += (int64_t)count;
    ended = count < piece.length;
    result = handle_error(error);
  }
  end(&movement, status);
  return handle_result(handle, result);
}

int access_write(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status) {
  struct movement movement = begin(handle, offset, transfer);
  handle_keep_registered(handle);
  if (!movement.memory.supported) {
    end(&movement, status);
    return pass(handle, true, offset, transfer, status);
  }
  int result = MPI_SUCCESS;
  handle_note_writing(handle);
  while (result == MPI_SUCCESS && movement.done < movement.length) {
    struct piece piece;
    int error;
    if (!next_piece(&movement, &piece)) {
      result = MPI_ERR_NO_MEM;
      break;
    }
    if (piece.isBuffered) {
      view_gather(&movement.memory, movement.at, movement.done, piece.at, (int64_t)piece.length);
    }
    size_t count = cache_write(&handle->cache, piece.offset, piece.at, piece.length, &error);
    handle_note_written(handle, piece.offset, count);
    movement.done += (int64_t)count;
    result = handle_error(error);
  }
  end(&movement, status);
  return handle_result(handle, result);
}

int access_write_all(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status) {
  struct movement movement = {0};
  handle_keep_registered(handle);
  bool served = access_is_served(handle, true, offset, transfer);
  if (served) {
    movement = begin(handle, offset, transfer);
    served = movement.memory.supported;
  }
  /* Who cannot write takes part, too: others wait. */
  int error = collective_write(handle, movement.visible, movement.at, &movement.memory, served ? movement.length : 0, &movement.done);
  end(&movement, status);
  return served ? handle_result(handle, handle_error(error)) : pass(handle, true, offset, transfer, status);
}

MPI_Offset access_advance(struct handle *handle, struct transfer transfer) {
  int64_t length;
  /* Of an etype of no bytes, nobody knows how many. */
  int64_t etypes = measure(transfer, &length) && handle->view.etypeBytes > 0 ? length / handle->view.etypeBytes : 0;
  pthread_mutex_lock(&handle->lock);
  MPI_Offset was = handle->pointer;
  handle->pointer += etypes;
  pthread_mutex_unlock(&handle->lock);
  return was;
}

void access_end(struct handle *handle, MPI_Offset from, struct transfer transfer, const MPI_Status *status) {
#ifdef MPICH
  MPI_Count bytes = 0;
  MPI_Count lower, extent;
  int64_t length;
  if (!handle->view.contiguous || !measure(transfer, &length)) {
    return;
  }
  PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
  PMPI_Type_get_extent_x(transfer.type, &lower, &extent);
  if (extent * transfer.count == length && bytes >= 0 && bytes < length) {
    pthread_mutex_lock(&handle->lock);
    handle->pointer = from + bytes / handle->view.etypeBytes;
    pthread_mutex_unlock(&handle->lock);
  }
#else
  (void)handle;
  (void)from;
  (void)transfer;
  (void)status;
#endif
}

/* ---- requests */

struct completed {
  int64_t bytes;
};

static int query(void *extra, MPI_Status *status) {
  const struct completed *completed = extra;
  PMPI_Status_set_elements_x(status, MPI_BYTE, completed->bytes);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

static int release(void *extra) {
  free(extra);
  return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
  (void)extra;
  (void)complete;
  return MPI_SUCCESS;
}

int access_complete(int result, const MPI_Status *status, MPI_Request *request) {
  if (result != MPI_SUCCESS) {
    *request = MPI_REQUEST_NULL;
    return result;
  }
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
  struct completed *completed = malloc(sizeof *completed);
  if (completed == NULL) {
    return MPI_ERR_NO_MEM;
  }
  completed->bytes = bytes == MPI_UNDEFINED ? 0 : bytes;
  result = PMPI_Grequest_start(query, release, cancel, completed, request);
  return result == MPI_SUCCESS ? PMPI_Grequest_complete(*request) : result;
}

#include "access.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collective.h"
#include "next.h"

/* A transfer as bytes that follow each other. */
struct bytes {
  uint8_t *at;
  uint8_t *copy; /* not NULL if the buffer has gaps */
  int64_t length;
  MPI_Count itemBytes, itemExtent;
};

static int64_t length_of(struct transfer transfer) {
  MPI_Count size;
  PMPI_Type_size_x(transfer.type, &size);
  return transfer.count * size;
}

/* Packs or unpacks, in parts whose sizes an int can hold. */
static int move(struct transfer transfer, struct bytes *bytes, bool pack, int64_t length) {
  MPI_Count most = bytes->itemBytes > 0 && bytes->itemBytes < INT_MAX ? INT_MAX / bytes->itemBytes : 1;
  uint8_t *item = transfer.buffer;
  for (int64_t done = 0; done < length;) {
    MPI_Count items = (length - done + bytes->itemBytes - 1) / bytes->itemBytes;
    int part = (int)(items < most ? items : most);
    int64_t part_bytes = part * bytes->itemBytes;
    int position = 0;
    int error;
    if (pack) {
      error = PMPI_Pack(item, part, transfer.type, bytes->copy + done, (int)part_bytes, &position, MPI_COMM_SELF);
    } else {
      error = PMPI_Unpack(bytes->copy + done, (int)part_bytes, &position, item, part, transfer.type, MPI_COMM_SELF);
    }
    if (error != MPI_SUCCESS) {
      return error;
    }
    done += part_bytes;
    item += part * bytes->itemExtent;
  }
  return MPI_SUCCESS;
}

/* Makes bytes of a transfer; with gather, with what the buffer holds. */
static int begin(struct transfer transfer, struct bytes *bytes, bool gather) {
  MPI_Count lower, true_lower, true_extent;
  PMPI_Type_size_x(transfer.type, &bytes->itemBytes);
  PMPI_Type_get_extent_x(transfer.type, &lower, &bytes->itemExtent);
  PMPI_Type_get_true_extent_x(transfer.type, &true_lower, &true_extent);
  bytes->length = transfer.count * bytes->itemBytes;
  bytes->copy = NULL;
  bytes->at = transfer.buffer;
  bool dense = lower == 0 && true_lower == 0 && true_extent == bytes->itemBytes &&
               (bytes->itemExtent == bytes->itemBytes || transfer.count <= 1) && view_is_in_order(transfer.type);
  if (dense || bytes->length == 0) {
    return MPI_SUCCESS;
  }
  bytes->at = bytes->copy = malloc((size_t)bytes->length);
  if (bytes->copy == NULL) {
    return MPI_ERR_NO_MEM;
  }
  /* Also before a read, of which the end of the file may leave a part as it was. */
  return gather ? move(transfer, bytes, true, bytes->length) : MPI_SUCCESS;
}

static void set_status(MPI_Status *status, int64_t bytes) {
  if (status != MPI_STATUS_IGNORE) {
    PMPI_Status_set_elements_x(status, MPI_BYTE, bytes);
    PMPI_Status_set_cancelled(status, 0);
  }
}

bool access_is_served(const struct handle *handle, bool write, MPI_Offset offset, struct transfer transfer) {
  if (!handle->served || offset < 0 || transfer.count < 0 || transfer.type == MPI_DATATYPE_NULL) {
    return false;
  }
  int fd = write ? handle->cache.writeFd : handle->cache.readFd;
  bool allowed = write || (handle->amode & MPI_MODE_WRONLY) == 0;
  return fd >= 0 && allowed && length_of(transfer) % handle->view.etypeBytes == 0;
}

int access_read(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status) {
  struct bytes bytes;
  int result = begin(transfer, &bytes, true);
  int64_t visible = offset * handle->view.etypeBytes;
  int64_t done = 0;
  handle_keep_registered(handle);
  while (result == MPI_SUCCESS && done < bytes.length) {
    int64_t piece;
    int error;
    int64_t at = view_piece(&handle->view, visible + done, &piece);
    piece = piece < bytes.length - done ? piece : bytes.length - done;
    size_t count = cache_read(&handle->cache, (uint64_t)at, bytes.at + done, (size_t)piece, &error);
    done += (int64_t)count;
    result = handle_error(error);
    if ((int64_t)count < piece) {
      break;
    }
  }
  if (bytes.copy != NULL && done > 0) {
    int moved = move(transfer, &bytes, false, bytes.length);
    result = result == MPI_SUCCESS ? moved : result;
  }
  free(bytes.copy);
  set_status(status, done);
  return handle_result(handle, result);
}

int access_write(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status) {
  struct bytes bytes;
  int result = begin(transfer, &bytes, true);
  int64_t visible = offset * handle->view.etypeBytes;
  int64_t done = 0;
  handle_keep_registered(handle);
  handle_note_writing(handle);
  while (result == MPI_SUCCESS && done < bytes.length) {
    int64_t piece;
    int error;
    int64_t at = view_piece(&handle->view, visible + done, &piece);
    piece = piece < bytes.length - done ? piece : bytes.length - done;
    size_t count = cache_write(&handle->cache, (uint64_t)at, bytes.at + done, (size_t)piece, &error);
    handle_note_written(handle, (uint64_t)at, count);
    done += (int64_t)count;
    result = handle_error(error);
  }
  free(bytes.copy);
  set_status(status, done);
  return handle_result(handle, result);
}

int access_write_all(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status) {
  struct bytes bytes = {0};
  int64_t done;
  bool served = access_is_served(handle, true, offset, transfer);
  int result = served ? begin(transfer, &bytes, true) : MPI_SUCCESS;
  /* Who cannot write takes part, too: others wait. */
  int64_t length = result == MPI_SUCCESS ? bytes.length : 0;
  handle_keep_registered(handle);
  int error = collective_write(handle, served ? offset * handle->view.etypeBytes : 0, bytes.at, length, &done);
  free(bytes.copy);
  if (!served) {
    if (transfer.count > INT_MAX) {
      return handle_result(handle, MPI_ERR_COUNT);
    }
    /* The MPI library says what is wrong with it. */
    result = library.File_write_at(handle->file, offset, transfer.buffer, (int)transfer.count, transfer.type, status);
    handle_after_pass(handle, true);
    return result;
  }
  set_status(status, done);
  return handle_result(handle, result == MPI_SUCCESS ? handle_error(error) : result);
}

MPI_Offset access_advance(struct handle *handle, struct transfer transfer) {
  int64_t etypes = transfer.type == MPI_DATATYPE_NULL || transfer.count < 0 ? 0 : length_of(transfer) / handle->view.etypeBytes;
  pthread_mutex_lock(&handle->lock);
  MPI_Offset was = handle->pointer;
  handle->pointer += etypes;
  pthread_mutex_unlock(&handle->lock);
  return was;
}

void access_end(struct handle *handle, MPI_Offset from, struct transfer transfer, const MPI_Status *status) {
#ifdef MPICH
  MPI_Count bytes = 0;
  MPI_Count lower, extent, size;
  PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
  PMPI_Type_size_x(transfer.type, &size);
  PMPI_Type_get_extent_x(transfer.type, &lower, &extent);
  if (handle->view.contiguous && extent == size && bytes >= 0 && bytes < transfer.count * size) {
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

#include "io.h"

#include <errno.h>
#include <unistd.h>

size_t io_read(int fd, void *to, size_t length, uint64_t offset, int *error) {
  size_t done = 0;
  *error = 0;
  while (done < length) {
    ssize_t count = pread(fd, (uint8_t *)to + done, length - done, (off_t)(offset + done));
    if (count == 0) {
      break;
    }
    if (count > 0) {
      done += (size_t)count;
    } else if (errno != EINTR) {
      *error = errno;
      break;
    }
  }
  return done;
}

size_t io_write(int fd, const void *from, size_t length, uint64_t offset, int *error) {
  size_t done = 0;
  *error = 0;
  while (done < length) {
    ssize_t count = pwrite(fd, (const uint8_t *)from + done, length - done, (off_t)(offset + done));
    if (count > 0) {
      done += (size_t)count;
    } else if (count == 0 || errno != EINTR) {
      *error = count == 0 ? EIO : errno;
      break;
    }
  }
  return done;
}

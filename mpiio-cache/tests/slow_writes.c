/* Preloaded into the agent: a file system that takes SLOW_WRITES_MICROS for each write, and takes none as long as the file
 * SLOW_WRITES_BLOCKED exists. */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t pwrite(int fd, const void *from, size_t length, off_t offset) {
  static ssize_t (*next)(int, const void *, size_t, off_t);
  const char *micros = getenv("SLOW_WRITES_MICROS");
  const char *blocked = getenv("SLOW_WRITES_BLOCKED");
  if (next == NULL) {
    next = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  }
  if (micros != NULL) {
    usleep((useconds_t)atoi(micros));
  }
  if (blocked != NULL && access(blocked, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  return next(fd, from, length, offset);
}

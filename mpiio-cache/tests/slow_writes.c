/* Preloaded into the agent: a file system that takes SLOW_WRITES_MICROS for each write, and takes none as long as the file
 * SLOW_WRITES_BLOCKED exists. Preloaded into a rank with SLOW_WRITES_NFS: one that says that it is NFS. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/vfs.h>
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

int fstatfs(int fd, struct statfs *system) {
  static int (*next)(int, struct statfs *);
  if (next == NULL) {
    next = (int (*)(int, struct statfs *))dlsym(RTLD_NEXT, "fstatfs");
  }
  int result = next(fd, system);
  if (result == 0 && getenv("SLOW_WRITES_NFS") != NULL) {
    system->f_type = NFS_SUPER_MAGIC;
  }
  return result;
}

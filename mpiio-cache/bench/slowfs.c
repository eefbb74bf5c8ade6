/* A slow file system, which can also fail: passes everything through to a directory, at a rate and with a latency, and without the
 * kernel's page cache. Usage: slowfs DIRECTORY MOUNT-POINT RATE-MB/S LATENCY-US [CONTROL], until it is unmounted or ends by a signal.
 * CONTROL is a file in which it counts calls and finds those that are to fail, for programs that map it: see slowfs.h. */
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "slowfs.h"

#define HANG_NANOS 1000000

static const char *root;
static double bytes_per_nano;
static int64_t latency_nanos;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t busy_until;
static struct slowfs_control uncontrolled;
static struct slowfs_control *control = &uncontrolled;

static int64_t now_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Waits as long as the transfer takes; transfers of all clients follow each other, their latencies do not. */
static void transfer(size_t bytes) {
  atomic_fetch_add(&control->transfers, 1);
  pthread_mutex_lock(&lock);
  int64_t now = now_nanos();
  busy_until = (busy_until > now ? busy_until : now) + (int64_t)((double)bytes / bytes_per_nano);
  int64_t until = busy_until + latency_nanos;
  pthread_mutex_unlock(&lock);
  struct timespec when = {until / 1000000000, until % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) == EINTR) {
  }
}

/* Counts a call; returns 0, or how it has to end. */
static int fault_of(enum slowfs_call call) {
  uint64_t number = atomic_fetch_add(&control->calls[call], 1) + 1;
  struct slowfs_fault *fault = &control->faults[call];
  if (number < atomic_load(&fault->first) || number >= atomic_load(&fault->end)) {
    return 0;
  }
  int how = (int)atomic_load(&fault->how);
  atomic_fetch_add(&fault->ended, 1);
  while (how == SLOWFS_HANG && number < atomic_load(&fault->end)) {
    nanosleep(&(struct timespec){.tv_nsec = HANG_NANOS}, NULL);
  }
  return how == SLOWFS_HANG ? 0 : how;
}

static size_t length_with(int fault, size_t length) {
  return fault == SLOWFS_SHORT && length > 1 ? length / 2 : length;
}

static void real_path(const char *path, char to[4096]) {
  snprintf(to, 4096, "%s%s", root, path);
}

static int result_of(int result) {
  return result < 0 ? -errno : result;
}

static void *slow_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  (void)connection;
  config->use_ino = 1;
  config->direct_io = 1;
  return NULL;
}

static int slow_getattr(const char *path, struct stat *state, struct fuse_file_info *info) {
  char real[4096];
  int fault = fault_of(SLOWFS_GETATTR);
  if (fault > 0) {
    return -fault;
  }
  real_path(path, real);
  return result_of(info != NULL ? fstat((int)info->fh, state) : lstat(real, state));
}

static int slow_readdir(const char *path, void *to, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *info,
                        enum fuse_readdir_flags flags) {
  (void)offset;
  (void)info;
  (void)flags;
  char real[4096];
  real_path(path, real);
  DIR *directory = opendir(real);
  if (directory == NULL) {
    return -errno;
  }
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    fill(to, entry->d_name, NULL, 0, 0);
  }
  closedir(directory);
  return 0;
}

static int slow_open(const char *path, struct fuse_file_info *info) {
  char real[4096];
  int fault = fault_of(SLOWFS_OPEN);
  if (fault > 0) {
    return -fault;
  }
  real_path(path, real);
  int fd = open(real, info->flags);
  info->fh = (uint64_t)fd;
  return fd < 0 ? -errno : 0;
}

static int slow_create(const char *path, mode_t mode, struct fuse_file_info *info) {
  char real[4096];
  real_path(path, real);
  int fd = open(real, info->flags | O_CREAT, mode);
  info->fh = (uint64_t)fd;
  return fd < 0 ? -errno : 0;
}

static int slow_read(const char *path, char *to, size_t length, off_t offset, struct fuse_file_info *info) {
  (void)path;
  int fault = fault_of(SLOWFS_READ);
  if (fault > 0) {
    return -fault;
  }
  ssize_t count = pread((int)info->fh, to, length_with(fault, length), offset);
  transfer(count > 0 ? (size_t)count : 0);
  return result_of((int)count);
}

static int slow_write(const char *path, const char *from, size_t length, off_t offset, struct fuse_file_info *info) {
  (void)path;
  int fault = fault_of(SLOWFS_WRITE);
  if (fault > 0) {
    return -fault;
  }
  ssize_t count = pwrite((int)info->fh, from, length_with(fault, length), offset);
  transfer(count > 0 ? (size_t)count : 0);
  return result_of((int)count);
}

static int slow_flush(const char *path, struct fuse_file_info *info) {
  (void)path;
  (void)info;
  int fault = fault_of(SLOWFS_CLOSE);
  return fault > 0 ? -fault : 0;
}

static int slow_release(const char *path, struct fuse_file_info *info) {
  (void)path;
  return result_of(close((int)info->fh));
}

static int slow_fsync(const char *path, int data_only, struct fuse_file_info *info) {
  (void)path;
  (void)data_only;
  (void)info;
  int fault = fault_of(SLOWFS_FSYNC);
  return fault > 0 ? -fault : 0;
}

static int slow_truncate(const char *path, off_t size, struct fuse_file_info *info) {
  char real[4096];
  real_path(path, real);
  return result_of(info != NULL ? ftruncate((int)info->fh, size) : truncate(real, size));
}

static int slow_unlink(const char *path) {
  char real[4096];
  real_path(path, real);
  return result_of(unlink(real));
}

static int slow_mkdir(const char *path, mode_t mode) {
  char real[4096];
  real_path(path, real);
  return result_of(mkdir(real, mode));
}

static int slow_rmdir(const char *path) {
  char real[4096];
  real_path(path, real);
  return result_of(rmdir(real));
}

static int slow_rename(const char *path, const char *to, unsigned flags) {
  char real[4096], real_to[4096];
  if (flags != 0) {
    return -EINVAL;
  }
  real_path(path, real);
  real_path(to, real_to);
  return result_of(rename(real, real_to));
}

static int slow_chmod(const char *path, mode_t mode, struct fuse_file_info *info) {
  (void)info;
  char real[4096];
  real_path(path, real);
  return result_of(chmod(real, mode));
}

static int slow_chown(const char *path, uid_t user, gid_t group, struct fuse_file_info *info) {
  (void)info;
  char real[4096];
  real_path(path, real);
  return result_of(lchown(real, user, group));
}

static int slow_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *info) {
  (void)info;
  char real[4096];
  real_path(path, real);
  return result_of(utimensat(AT_FDCWD, real, times, AT_SYMLINK_NOFOLLOW));
}

static int slow_statfs(const char *path, struct statvfs *state) {
  (void)path;
  return result_of(statvfs(root, state));
}

static const struct fuse_operations operations = {
    .init = slow_init,       .getattr = slow_getattr, .readdir = slow_readdir,   .open = slow_open,
    .create = slow_create,   .read = slow_read,       .write = slow_write,       .release = slow_release,
    .flush = slow_flush,     .fsync = slow_fsync,     .truncate = slow_truncate, .unlink = slow_unlink,   .statfs = slow_statfs,
    .mkdir = slow_mkdir,     .rmdir = slow_rmdir,     .rename = slow_rename,     .chmod = slow_chmod,
    .chown = slow_chown,     .utimens = slow_utimens,
};

static int map_control(const char *name) {
  int fd = open(name, O_RDWR | O_CREAT, 0644);
  if (fd < 0 || ftruncate(fd, sizeof *control) != 0) {
    return 0;
  }
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped == MAP_FAILED) {
    return 0;
  }
  control = mapped;
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 5 || argc > 6 || atof(argv[3]) <= 0) {
    fputs("usage: slowfs DIRECTORY MOUNT-POINT RATE-MB/S LATENCY-US [CONTROL]\n", stderr);
    return 2;
  }
  if (argc == 6 && !map_control(argv[5])) {
    perror(argv[5]);
    return 1;
  }
  root = argv[1];
  bytes_per_nano = atof(argv[3]) * 1e6 / 1e9;
  latency_nanos = (int64_t)(atof(argv[4]) * 1000);
  char *arguments[] = {argv[0], argv[2], "-f", "-o", "auto_unmount,fsname=slowfs", NULL};
  return fuse_main(5, arguments, &operations, NULL);
}

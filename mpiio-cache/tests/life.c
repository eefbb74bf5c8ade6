/* Brings an arena into states that last for nanoseconds, and looks into it, without MPI. Usage:
 *   life hold-set|hold-slot DIRECTORY FILE BLOCK   holds a lock until it is killed, says so, and is stopped
 *   life killed-dirtying DIRECTORY FILE BLOCK      dies where a block is counted as dirty and is not yet
 *   life dirty DIRECTORY FILE                      prints how many blocks of the file are counted as dirty
 *   life truncated-sync DIRECTORY FILE             another program sets the size between a write and its sync
 *   life gone DIRECTORY FILE BLOCK FILLER          reads a block whose memory is gone, and cannot be had from the full file system any more
 *   life foreign-fault FILE default|handler        meets a fault that has nothing to do with the arena */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../src/cache.h"
#include "../src/fault.h"
#include "../src/lock.h"
#include "../src/sets.h"

static struct arena arena;
static struct cache_file file;

static void die(const char *what, int error) {
  fprintf(stderr, "life: %s: %s\n", what, strerror(error));
  exit(1);
}

static void attach(const char *directory, const char *path) {
  char name[512];
  struct stat state;
  snprintf(name, sizeof name, "%s/arena", directory);
  int error = arena_open(&arena, AT_FDCWD, name);
  int fd = open(path, O_RDWR);
  if (error != 0 || fd < 0 || fstat(fd, &state) != 0) {
    die(path, error != 0 ? error : errno);
  }
  error = file_attach(&file, &arena, &state, path);
  if (error != 0) {
    die("attach", error);
  }
  file.readFd = file.writeFd = fd;
  file.mode = MODE_WRITE_BACK;
}

/* The slot of a cached block. */
static uint32_t slot_of(uint64_t block, uint64_t *tag) {
  uint64_t identity;
  if (!file_is_ours(&file, &identity)) {
    die("the file", ESTALE);
  }
  *tag = tag_of(file.index, identity, block);
  int index = sets_find(&arena, set_of(&arena, file.index, block), *tag);
  if (index < 0) {
    die("the block is not cached", ENOENT);
  }
  return (uint32_t)index;
}

static void hold(pthread_mutex_t *lock) {
  lock_take(lock);
  puts("holds");
  fflush(stdout);
  raise(SIGSTOP);
  for (;;) {
    pause();
  }
}

static void die_dirtying(uint32_t index) {
  slot_lock(&arena, index);
  atomic_fetch_add(&file.entry->dirtyBlocks, 1);
  raise(SIGKILL);
}

/* Returns an exit code. */
static int sync_truncated(void) {
  static uint8_t block[MAX_BLOCK_BYTES];
  uint32_t bytes = arena.header->blockBytes;
  int error;
  memset(block, 7, bytes);
  if (cache_write(&file, 8ull * bytes, block, bytes, &error) != bytes) {
    die("write", error);
  }
  atomic_store(&file.entry->sizeBytes, bytes);
  error = cache_flush(&file);
  if (error != 0) {
    die("flush", error);
  }
  memset(block, 0, bytes);
  if (pread(file.readFd, block, bytes, (off_t)(8ull * bytes)) != (ssize_t)bytes || block[0] != 7 || block[bytes - 1] != 7) {
    fputs("life: what was written is not in the file after a sync\n", stderr);
    return 3;
  }
  return 0;
}

/* As a reader that was stopped between its look at a slot and its copy. Returns an exit code. */
static int read_gone(uint64_t block, const char *filler) {
  static uint8_t part[MIN_BLOCK_BYTES];
  uint64_t tag;
  uint32_t index = slot_of(block, &tag);
  slot_lock(&arena, index);
  arena_punch(&arena, index);
  int fd = open(filler, O_WRONLY | O_CREAT, 0600);
  while (fd >= 0 && write(fd, part, sizeof part) > 0) {
  }
  while (fd >= 0 && write(fd, part, 4096) > 0) {
  }
  bool copied = slot_copy(&arena, index, tag, 0, part, sizeof part);
  slot_forget(&arena, index);
  slot_unlock(&arena, index);
  int error;
  size_t count = cache_read(&file, block * arena.header->blockBytes, part, sizeof part, &error);
  printf("%s, then read %zu bytes, the first is %u\n", copied ? "copied" : "not copied", count, part[0]);
  return 0;
}

static void on_signal(int number) {
  static const char text[] = "the program's own handler\n";
  _exit(write(STDOUT_FILENO, text, sizeof text - 1) > 0 ? 5 : 6);
}

static int fault(const char *path, const char *how) {
  if (strcmp(how, "handler") == 0) {
    signal(SIGBUS, on_signal);
  }
  fault_guard();
  int fd = open(path, O_RDWR);
  volatile uint8_t *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  if (fd < 0 || at == MAP_FAILED || ftruncate(fd, 0) != 0) {
    die(path, errno);
  }
  return at[0];
}

int main(int argc, char **argv) {
  uint64_t tag;
  const char *what = argc > 3 ? argv[1] : "";
  uint64_t block = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
  if (strcmp(what, "foreign-fault") == 0) {
    return fault(argv[2], argv[3]);
  }
  if (*what != 0) {
    attach(argv[2], argv[3]);
  }
  if (strcmp(what, "hold-set") == 0) {
    hold(&arena.sets[set_of(&arena, file.index, block)].lock);
  } else if (strcmp(what, "hold-slot") == 0) {
    hold(&arena.slots[slot_of(block, &tag)].lock);
  } else if (strcmp(what, "killed-dirtying") == 0) {
    die_dirtying(slot_of(block, &tag));
  } else if (strcmp(what, "dirty") == 0) {
    printf("%u\n", atomic_load(&file.entry->dirtyBlocks));
    return 0;
  } else if (strcmp(what, "truncated-sync") == 0) {
    return sync_truncated();
  } else if (strcmp(what, "gone") == 0 && argc > 5) {
    return read_gone(block, argv[5]);
  }
  fputs("usage: see the program\n", stderr);
  return 2;
}

#include "agent_dirty.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "directory.h"
#include "slot.h"

#define LOOK_MICROS 20000

static uint64_t dirty_bytes(const struct arena *arena, uint64_t of_files[MAX_FILES]) {
  uint64_t all = 0;
  memset(of_files, 0, MAX_FILES * sizeof *of_files);
  for (uint32_t slot = 0; slot < arena_slots(arena); slot++) {
    uint64_t tag = atomic_load(slot_tag(arena, slot));
    if (tag != 0) {
      uint32_t bytes = slot_dirty_bytes(&arena->slots[slot]);
      of_files[tag_file(tag)] += bytes;
      all += bytes;
    }
  }
  return all;
}

uint64_t dirty_report(const struct arena *arena) {
  static uint64_t of_files[MAX_FILES];
  uint64_t all = dirty_bytes(arena, of_files);
  for (uint32_t file = 0; file < MAX_FILES; file++) {
    int error = atomic_load(&arena->files[file].flushError);
    if (of_files[file] > 0) {
      fprintf(stderr, "dynims-mpiio-agent: %s: %llu bytes are not written: %s\n", arena->files[file].path,
              (unsigned long long)of_files[file], error == 0 ? "its file system does not answer, or a stopped program holds them" : strerror(error));
    }
  }
  return all;
}

/* Returns whether nothing is dirty any more. */
static bool await(struct arena *arena, int64_t patience_nanos) {
  static uint64_t of_files[MAX_FILES];
  uint64_t flushed = atomic_load(&arena->header->flushedBytes);
  int64_t progress_at = monotonic_nanos();
  while (dirty_bytes(arena, of_files) > 0) {
    atomic_store(&arena->header->flushWanted, 1);
    usleep(LOOK_MICROS);
    if (atomic_load(&arena->header->flushedBytes) != flushed) {
      flushed = atomic_load(&arena->header->flushedBytes);
      progress_at = monotonic_nanos();
    } else if (monotonic_nanos() - progress_at > patience_nanos) {
      return false;
    }
  }
  return true;
}

int dirty_await(const char *directory, int64_t patience_nanos) {
  char reason[PATH_BYTES + 100];
  struct arena arena;
  if (access(directory, F_OK) != 0 && errno == ENOENT) {
    return 0;
  }
  int fd = directory_open(directory, reason, sizeof reason);
  int error = fd < 0 ? 0 : arena_open(&arena, fd, "arena");
  if (fd >= 0 && error == ENOENT) {
    /* An agent that has ended well has taken it away. */
    close(fd);
    return 0;
  }
  if (fd < 0 || error != 0) {
    fprintf(stderr, "dynims-mpiio-agent: %s%s%s\n", fd < 0 ? reason : directory, fd < 0 ? "" : "/arena: ", fd < 0 ? "" : strerror(error));
    return 1;
  }
  bool has_one = directory_has_agent(fd);
  close(fd);
  bool is_clean = await(&arena, has_one ? patience_nanos : 0);
  if (!is_clean && !has_one) {
    fprintf(stderr, "dynims-mpiio-agent: no agent runs in %s\n", directory);
  }
  return !is_clean && dirty_report(&arena) > 0;
}

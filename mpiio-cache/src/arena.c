#include "arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory.h"
#include "fault.h"
#include "lock.h"

#define PAGE_BYTES 4096u

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

static int map(struct arena *arena, uint64_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, arena->fd, 0);
  if (at == MAP_FAILED) {
    return errno;
  }
  /* A core dump need not hold gigabytes. */
  madvise(at, bytes, MADV_DONTDUMP);
  struct header *header = at;
  arena->header = header;
  uint8_t *base = at;
  arena->files = (struct file_entry *)(base + header->filesOffset);
  arena->sets = (struct set *)(base + header->setsOffset);
  arena->slots = (struct slot *)(base + header->slotsOffset);
  arena->data = base + header->dataOffset;
  fault_guard();
  return 0;
}

static bool is_of_this_boot(const struct header *header) {
  char id[BOOT_ID_BYTES];
  directory_boot_id(id, sizeof id);
  return memcmp(header->bootId, id, sizeof id) == 0;
}

/* Where everything is in an arena of so many slots. */
static struct header lay_out(uint32_t sets, uint32_t ways, uint32_t block_bytes) {
  struct header header = {.layout = ARENA_LAYOUT, .blockBytes = block_bytes, .sets = sets, .ways = ways};
  header.filesOffset = round_up(sizeof header, PAGE_BYTES);
  header.setsOffset = round_up(header.filesOffset + sizeof(struct file_entry) * MAX_FILES, PAGE_BYTES);
  header.slotsOffset = round_up(header.setsOffset + sizeof(struct set) * sets, PAGE_BYTES);
  header.dataOffset = round_up(header.slotsOffset + sizeof(struct slot) * sets * ways, 2u << 20);
  header.totalBytes = header.dataOffset + (uint64_t)sets * ways * block_bytes;
  return header;
}

static bool is_block_size(uint32_t bytes) {
  return bytes >= MIN_BLOCK_BYTES && bytes <= MAX_BLOCK_BYTES && (bytes & (bytes - 1)) == 0;
}

/* Whether all that the header points to is within the file. */
static bool is_sound(const struct header *header, uint64_t bytes) {
  if (header->magic != ARENA_MAGIC || header->layout != ARENA_LAYOUT || !is_block_size(header->blockBytes) || header->sets == 0 ||
      header->ways == 0 || header->ways > MAX_WAYS) {
    return false;
  }
  struct header wanted = lay_out(header->sets, header->ways, header->blockBytes);
  return header->filesOffset == wanted.filesOffset && header->setsOffset == wanted.setsOffset &&
         header->slotsOffset == wanted.slotsOffset && header->dataOffset == wanted.dataOffset &&
         header->totalBytes == wanted.totalBytes && header->totalBytes == bytes;
}

int arena_open(struct arena *arena, int directory, const char *name) {
  memset(arena, 0, sizeof *arena);
  arena->fd = openat(directory, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (arena->fd < 0) {
    return errno == ELOOP ? EPERM : errno;
  }
  struct header header;
  struct stat state;
  int error = 0;
  if (fstat(arena->fd, &state) != 0 || !S_ISREG(state.st_mode) || state.st_uid != geteuid() || (state.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    error = EPERM;
  } else if (pread(arena->fd, &header, sizeof header, 0) != (ssize_t)sizeof header || !is_sound(&header, (uint64_t)state.st_size)) {
    error = EPROTO;
  } else if (!is_of_this_boot(&header)) {
    error = ESTALE;
  } else {
    error = map(arena, header.totalBytes);
  }
  if (error != 0) {
    close(arena->fd);
    arena->fd = -1;
  }
  return error;
}

static void init_locks(struct arena *arena) {
  lock_init(&arena->header->filesLock);
  for (uint32_t file = 0; file < MAX_FILES; file++) {
    lock_init(&arena->files[file].lock);
  }
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    lock_init(&arena->sets[set].lock);
  }
  for (uint32_t slot = 0; slot < arena_slots(arena); slot++) {
    lock_init(&arena->slots[slot].lock);
  }
}

int arena_create(struct arena *arena, int directory, const char *name, uint64_t max_bytes, uint32_t block_bytes) {
  memset(arena, 0, sizeof *arena);
  uint64_t blocks = max_bytes / block_bytes;
  if (blocks == 0) {
    return EINVAL;
  }
  uint64_t sets = blocks < MIN_WAYS ? 1 : blocks / MIN_WAYS;
  struct header header = lay_out((uint32_t)sets, (uint32_t)(blocks / sets), block_bytes);
  if (getrandom(&header.arenaId, sizeof header.arenaId, 0) != (ssize_t)sizeof header.arenaId) {
    return errno;
  }
  directory_boot_id(header.bootId, sizeof header.bootId);
  char temporary[PATH_BYTES];
  snprintf(temporary, sizeof temporary, "%s.new", name);
  unlinkat(directory, temporary, 0);
  arena->fd = openat(directory, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (arena->fd < 0) {
    return errno;
  }
  int error = 0;
  if (ftruncate(arena->fd, (off_t)header.totalBytes) != 0 ||
      pwrite(arena->fd, &header, sizeof header, 0) != (ssize_t)sizeof header) {
    error = errno;
  } else {
    /* The locks must not meet a full file system later, as a fault in the mapping is a signal. */
    error = arena_reserve(arena, 0, header.dataOffset);
  }
  if (error == 0) {
    error = map(arena, header.totalBytes);
  }
  if (error == 0) {
    init_locks(arena);
    atomic_store(&arena->header->magic, ARENA_MAGIC);
    if (renameat(directory, temporary, directory, name) != 0) {
      error = errno;
    }
  }
  if (error != 0) {
    unlinkat(directory, temporary, 0);
    arena_close(arena);
  }
  return error;
}

void arena_close(struct arena *arena) {
  if (arena->header != NULL) {
    munmap(arena->header, arena->header->totalBytes);
    arena->header = NULL;
  }
  if (arena->fd >= 0) {
    close(arena->fd);
    arena->fd = -1;
  }
}

bool arena_is_in_use(int directory, const char *name) {
  int fd = openat(directory, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  /* The kernel gives this lease to the only one who has the file open; a mapping counts. */
  bool is_used = fd >= 0 && fcntl(fd, F_SETLEASE, F_WRLCK) != 0 && errno == EAGAIN;
  if (fd >= 0) {
    close(fd);
  }
  return is_used;
}

int arena_reserve(const struct arena *arena, uint64_t offset, uint64_t length) {
  int error;
  do {
    error = posix_fallocate(arena->fd, (off_t)offset, (off_t)length);
  } while (error == EINTR);
  return error;
}

int arena_punch(struct arena *arena, uint32_t slot) {
  int result = fallocate(arena->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)slot_file_offset(arena, slot),
                         arena->header->blockBytes);
  return result == 0 ? 0 : errno;
}

uint64_t arena_resident_bytes(const struct arena *arena) {
  struct stat state;
  return fstat(arena->fd, &state) == 0 ? (uint64_t)state.st_blocks * 512 : 0;
}

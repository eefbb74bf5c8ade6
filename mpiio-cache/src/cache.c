#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io.h"
#include "parallel.h"
#include "slot.h"

/* How many hits a process counts by itself before it adds them to the file's. */
#define TALLY 128
/* Entries that are looked at for a file, from its place by hash on. */
#define PROBES 64
/* A change this young may be followed by another one with the same time. File systems that tell only seconds need more. */
#define RACY_NANOS INT64_C(20000000)
#define RACY_SECONDS_NANOS INT64_C(2000000000)
#define MOST_REFERENCED 3
/* Entries that were opened in the last minute stay, as a rank may be about to tell the agent of them. */
#define RECENT_NANOS INT64_C(60000000000)

static int64_t nanos_of(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t monotonic_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return nanos_of(now);
}

int64_t realtime_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return nanos_of(now);
}

/* ---- files */

static void raise_to(_Atomic uint64_t *value, uint64_t least) {
  uint64_t now = atomic_load(value);
  while (now < least && !atomic_compare_exchange_weak(value, &now, least)) {
  }
}

/* Waits while the file's epoch changes: whoever died in that leaves it to the next owner of the lock. */
static uint64_t identity_of(struct arena *arena, const struct file_entry *entry) {
  uint64_t identity;
  while (((identity = atomic_load(&entry->identity)) & 1) != 0) {
    files_lock(arena);
    files_unlock(arena);
  }
  return identity;
}

/* Sets the identity that tags of the file's blocks are of. Returns false if its entry is another file's by now. */
static bool is_ours(const struct cache_file *file, uint64_t *identity) {
  *identity = identity_of(file->arena, file->entry);
  return generation_of(*identity) == file->generation;
}

/* Gives the dirty blocks that stay a new epoch, in which nothing else of them is valid. */
static void settle_dirty_blocks(struct arena *arena, uint32_t file, uint64_t next_identity, enum dirty_blocks dirty) {
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    if (tag == 0 || tag_file(tag) != file) {
      continue;
    }
    slot_lock(arena, index);
    if (atomic_load(slot_tag(arena, index)) == tag && slot_extents(&arena->slots[index]) > 0) {
      if (dirty == KEEP_DIRTY) {
        slot_retag(arena, index, tag_of(file, next_identity, tag_block(tag)));
      } else {
        atomic_fetch_add(&arena->header->lostBytes, dirty == LOSE_DIRTY ? slot_dirty_bytes(&arena->slots[index]) : 0);
        slot_discard(arena, index);
      }
    }
    slot_unlock(arena, index);
  }
}

/* Frees what has an epoch that is about to be used once more. */
static void free_clean_blocks(struct arena *arena, uint32_t file) {
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    if (tag == 0 || tag_file(tag) != file) {
      continue;
    }
    slot_lock(arena, index);
    if (atomic_load(slot_tag(arena, index)) == tag && slot_extents(&arena->slots[index]) == 0) {
      slot_free(arena, index);
    }
    slot_unlock(arena, index);
  }
}

/* Makes blocks ready for a new epoch of their file, while it is odd. */
static void settle_blocks(struct arena *arena, uint32_t index, uint64_t next_identity, enum dirty_blocks dirty) {
  linger();
  if (atomic_load(&arena->files[index].hasBeenDirty) != 0) {
    settle_dirty_blocks(arena, index, next_identity, dirty);
  }
  if (((next_identity >> 1) & ((1u << TAG_EPOCH_BITS) - 1)) == 0) {
    free_clean_blocks(arena, index);
  }
  linger();
}

/* Forgets what is cached of a file. The caller holds the table's lock. */
static void drop_file(struct arena *arena, uint32_t index, enum dirty_blocks dirty) {
  struct file_entry *entry = &arena->files[index];
  uint64_t next = (atomic_load(&entry->identity) | 1) + 1;
  atomic_store(&entry->identity, next - 1);
  settle_blocks(arena, index, next, dirty);
  atomic_store(&entry->identity, next);
}

void files_recover(struct arena *arena) {
  for (uint32_t index = 0; index < MAX_FILES; index++) {
    if ((atomic_load(&arena->files[index].identity) & 1) != 0) {
      drop_file(arena, index, KEEP_DIRTY);
    }
  }
}

/* Forgets blocks of a file from first to end-1, but what is dirty. */
static void drop_blocks(struct cache_file *file, uint64_t first, uint64_t end) {
  struct arena *arena = file->arena;
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    if (tag == 0 || tag_file(tag) != file->index || tag_block(tag) < first || tag_block(tag) >= end) {
      continue;
    }
    slot_lock(arena, index);
    if (atomic_load(slot_tag(arena, index)) == tag) {
      slot_invalidate(arena, index);
    }
    slot_unlock(arena, index);
  }
}

static bool is_same(const struct file_entry *entry, const struct stat *state) {
  return atomic_load(&entry->knownChangeNanos) == nanos_of(state->st_ctim) && atomic_load(&entry->knownBytes) == (uint64_t)state->st_size;
}

static bool is_known(const struct file_entry *entry, const struct stat *state) {
  int64_t age = atomic_load(&entry->knownAtNanos) - nanos_of(state->st_ctim);
  int64_t safe = state->st_ctim.tv_nsec == 0 ? RACY_SECONDS_NANOS : RACY_NANOS;
  return is_same(entry, state) && age > safe;
}

static void remember(struct file_entry *entry, const struct stat *state) {
  atomic_store(&entry->knownChangeNanos, nanos_of(state->st_ctim));
  atomic_store(&entry->knownBytes, (uint64_t)state->st_size);
  atomic_store(&entry->knownAtNanos, realtime_nanos());
}

/* Finds the entry of a file or one for it. The caller holds the table's lock. Returns -1 if all are in use. */
static int find_entry(struct arena *arena, const struct stat *state, bool *found) {
  uint64_t hash = ((uint64_t)state->st_dev * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)state->st_ino * UINT64_C(0xc2b2ae3d27d4eb4f));
  int free_entry = -1;
  int oldest = -1;
  int64_t now = monotonic_nanos();
  for (uint32_t probe = 0; probe < PROBES; probe++) {
    int index = (int)(((hash >> 20) + probe) % MAX_FILES);
    struct file_entry *entry = &arena->files[index];
    if (atomic_load(&entry->used) == 0) {
      free_entry = free_entry < 0 ? index : free_entry;
    } else if (entry->device == state->st_dev && entry->inode == state->st_ino) {
      *found = true;
      return index;
    } else if (atomic_load(&entry->openers) == 0 && atomic_load(&entry->dirtyBlocks) == 0 &&
               now - atomic_load(&entry->lastOpenNanos) > RECENT_NANOS &&
               (oldest < 0 || entry->lastOpenNanos < arena->files[oldest].lastOpenNanos)) {
      oldest = index;
    }
  }
  *found = false;
  return free_entry >= 0 ? free_entry : oldest;
}

int64_t cache_born(int fd, const char *path) {
  struct statx more;
  if (statx(fd, path, *path == 0 ? AT_EMPTY_PATH : 0, STATX_BTIME, &more) != 0 || (more.stx_mask & STATX_BTIME) == 0) {
    return 0;
  }
  return more.stx_btime.tv_sec * INT64_C(1000000000) + more.stx_btime.tv_nsec;
}

/* Gives an entry to a file. The caller holds the table's lock. */
static void fill_entry(struct arena *arena, uint32_t index, const struct stat *state, const char *path, int64_t born_nanos) {
  struct file_entry *entry = &arena->files[index];
  uint64_t identity = atomic_load(&entry->identity);
  uint64_t next = (((uint64_t)generation_of(identity) + 1) << 32 | ((uint32_t)identity | 1)) + 1;
  atomic_store(&entry->used, 0);
  atomic_store(&entry->identity, next - 1);
  /* An entry with dirty blocks is given away only to a file that has the place of theirs. */
  settle_blocks(arena, index, next, LOSE_DIRTY);
  memset((uint8_t *)entry + offsetof(struct file_entry, device), 0, sizeof *entry - offsetof(struct file_entry, device));
  atomic_store(&entry->hasBeenDirty, 0);
  entry->device = state->st_dev;
  entry->inode = state->st_ino;
  entry->bornNanos = born_nanos;
  strncpy(entry->path, path, PATH_BYTES - 1);
  atomic_store(&entry->sizeBytes, (uint64_t)state->st_size);
  remember(entry, state);
  atomic_store(&entry->used, 1);
  atomic_store(&entry->identity, next);
}

int cache_attach(struct cache_file *file, struct arena *arena, const struct stat *state, const char *path) {
  memset(file, 0, sizeof *file);
  file->arena = arena;
  file->readFd = file->writeFd = -1;
  file->lastBlock = file->nextOffset = UINT64_MAX;
  bool found = false;
  int64_t born_nanos = cache_born(AT_FDCWD, path);
  files_lock(arena);
  int index = find_entry(arena, state, &found);
  if (index < 0) {
    files_unlock(arena);
    return ENFILE;
  }
  struct file_entry *entry = &arena->files[index];
  if (!found || (born_nanos != 0 && entry->bornNanos != 0 && born_nanos != entry->bornNanos)) {
    fill_entry(arena, (uint32_t)index, state, path, born_nanos);
  } else if (!is_known(entry, state)) {
    drop_file(arena, (uint32_t)index, KEEP_DIRTY);
    remember(entry, state);
    if (atomic_load(&entry->dirtyBlocks) == 0) {
      atomic_store(&entry->sizeBytes, (uint64_t)state->st_size);
    }
  }
  atomic_store(&entry->lastOpenNanos, monotonic_nanos());
  atomic_fetch_add(&entry->opens, 1);
  file->generation = generation_of(atomic_load(&entry->identity));
  files_unlock(arena);
  file->entry = entry;
  file->index = (uint32_t)index;
  return 0;
}

void cache_forget(struct arena *arena, const struct stat *state) {
  bool found = false;
  files_lock(arena);
  int index = find_entry(arena, state, &found);
  /* An agent that has just been started knows of no openers; it finds out what becomes of dirty blocks. */
  if (found && atomic_load(&arena->files[index].openers) == 0 && atomic_load(&arena->files[index].dirtyBlocks) == 0) {
    drop_file(arena, (uint32_t)index, KEEP_DIRTY);
    atomic_store(&arena->files[index].used, 0);
  }
  files_unlock(arena);
}

static void publish(struct cache_file *file) {
  atomic_fetch_add_explicit(&file->entry->hits, atomic_exchange(&file->hits, 0), memory_order_relaxed);
  atomic_fetch_add_explicit(&file->entry->hitBytes, atomic_exchange(&file->hitBytes, 0), memory_order_relaxed);
}

int cache_detach(struct cache_file *file) {
  publish(file);
  int error = 0;
  if (atomic_load(&file->wrote) != 0) {
    error = cache_flush(file);
    cache_remember(file);
  }
  return error;
}

void cache_begin_writing(struct cache_file *file) {
  if (atomic_load_explicit(&file->wrote, memory_order_relaxed) != 0 && atomic_load_explicit(&file->entry->written, memory_order_relaxed) != 0) {
    return;
  }
  struct stat state;
  struct file_entry *entry = file->entry;
  bool can_tell = !file->isShared && file->writeFd >= 0 && fstat(file->writeFd, &state) == 0;
  files_lock(file->arena);
  if (generation_of(atomic_load(&entry->identity)) == file->generation) {
    bool first = atomic_exchange(&entry->written, 1) == 0;
    if (first && can_tell && !is_same(entry, &state)) {
      drop_file(file->arena, file->index, KEEP_DIRTY);
    }
  }
  files_unlock(file->arena);
  atomic_store(&file->wrote, 1);
}

void cache_remember(struct cache_file *file) {
  struct stat state;
  if (file->isShared || file->writeFd < 0 || fstat(file->writeFd, &state) != 0) {
    return;
  }
  files_lock(file->arena);
  if (generation_of(atomic_load(&file->entry->identity)) == file->generation) {
    remember(file->entry, &state);
    atomic_store(&file->entry->written, 0);
  }
  files_unlock(file->arena);
}

int64_t cache_size(struct cache_file *file) {
  struct stat state;
  if (fstat(file->readFd >= 0 ? file->readFd : file->writeFd, &state) != 0) {
    return -errno;
  }
  raise_to(&file->entry->sizeBytes, (uint64_t)state.st_size);
  return (int64_t)atomic_load(&file->entry->sizeBytes);
}

/* ---- slots */

static int find(const struct arena *arena, uint32_t set, uint64_t tag) {
  const struct set *at = &arena->sets[set];
  uint32_t ways = arena->header->ways;
  for (uint32_t way = 0; way < ways; way++) {
    if (atomic_load_explicit(&at->tags[way], memory_order_relaxed) == tag) {
      return (int)(set * ways + way);
    }
  }
  return -1;
}

void set_recover(struct arena *arena, uint32_t set) {
  uint32_t used = 0;
  for (uint32_t way = 0; way < arena->header->ways; way++) {
    used += atomic_load(&arena->sets[set].tags[way]) != 0;
  }
  arena->sets[set].used = used;
}

void cache_recount(struct arena *arena, uint32_t set) {
  set_lock(arena, set);
  set_recover(arena, set);
  set_unlock(arena, set);
}

/* Takes the lock of the clean slot that the clock's hand meets next and that nobody has used since it passed, if there is one. The
 * caller holds the set's lock. */
static int claim_victim(struct arena *arena, uint32_t set) {
  struct set *at = &arena->sets[set];
  uint32_t ways = arena->header->ways;
  bool dirty = false;
  for (uint32_t step = 0; step < ways * (MOST_REFERENCED + 1); step++) {
    uint32_t way = at->hand++ % ways;
    uint32_t index = set * ways + way;
    struct slot *slot = &arena->slots[index];
    if (atomic_load_explicit(&at->tags[way], memory_order_relaxed) == 0) {
      continue;
    }
    if (slot_extents(slot) != 0) {
      dirty = true;
      continue;
    }
    uint8_t referenced = atomic_load_explicit(&slot->referenced, memory_order_relaxed);
    if (referenced > 0) {
      atomic_store_explicit(&slot->referenced, referenced - 1, memory_order_relaxed);
      continue;
    }
    if (!slot_try_lock(arena, index)) {
      continue;
    }
    if (atomic_load(&at->tags[way]) != 0 && slot_extents(slot) == 0) {
      return (int)index;
    }
    slot_unlock(arena, index);
  }
  if (dirty) {
    atomic_store(&arena->header->flushWanted, 1);
  }
  return -1;
}

/* Takes a slot of a set for a tag. The caller holds the set's lock. Returns the locked slot, or -1 if none can be had. */
static int claim(struct arena *arena, uint32_t set, uint64_t tag) {
  struct set *at = &arena->sets[set];
  uint32_t ways = arena->header->ways;
  uint32_t limit = set_limit(arena, set);
  if (limit == 0 || atomic_load(&arena->header->retired) != 0) {
    return -1;
  }
  if (at->used < limit) {
    for (uint32_t way = 0; way < ways; way++) {
      uint32_t index = set * ways + way;
      if (atomic_load(&at->tags[way]) != 0 || !slot_try_lock(arena, index)) {
        continue;
      }
      if (atomic_load(&at->tags[way]) == 0) {
        slot_assign(arena, index, tag);
        linger();
        at->used++;
        return (int)index;
      }
      slot_unlock(arena, index);
    }
  }
  int index = claim_victim(arena, set);
  if (index >= 0) {
    atomic_fetch_add_explicit(&arena->header->evictedBlocks, 1, memory_order_relaxed);
    slot_assign(arena, (uint32_t)index, tag);
  }
  return index;
}

/* Takes the lock of the slot that holds a block, which may have been given to it just now, and sets its tag. Returns -1 if no slot can
 * be had, or the file's entry is another one's. */
static int acquire(struct cache_file *file, uint64_t block, uint64_t *tag) {
  struct arena *arena = file->arena;
  uint32_t set = set_of(arena, file->index, block);
  uint64_t identity;
  while (has_tag(block) && is_ours(file, &identity)) {
    *tag = tag_of(file->index, identity, block);
    int index = find(arena, set, *tag);
    if (index < 0) {
      set_lock(arena, set);
      index = find(arena, set, *tag);
      if (index < 0) {
        index = claim(arena, set, *tag);
        set_unlock(arena, set);
        /* Who wrote to the file before it looked for this tag must be read; who looks after this must find the tag. */
        atomic_thread_fence(memory_order_seq_cst);
        if (index < 0) {
          return -1;
        }
      } else {
        set_unlock(arena, set);
        slot_lock(arena, (uint32_t)index);
      }
    } else {
      slot_lock(arena, (uint32_t)index);
    }
    /* Whoever changes the epoch from here on finds what becomes dirty under this lock. */
    if (atomic_load(slot_tag(arena, (uint32_t)index)) == *tag && atomic_load(&file->entry->identity) == identity) {
      return index;
    }
    slot_unlock(arena, (uint32_t)index);
  }
  return -1;
}

/* ---- reading */

/* Another block than the last time has been hit: a scan, which stays in a block for many reads, does not count. */
static void reference(struct cache_file *file, struct slot *slot, uint64_t block) {
  if (atomic_load_explicit(&file->lastBlock, memory_order_relaxed) == block) {
    return;
  }
  atomic_store_explicit(&file->lastBlock, block, memory_order_relaxed);
  uint8_t referenced = atomic_load_explicit(&slot->referenced, memory_order_relaxed);
  if (referenced < MOST_REFERENCED) {
    atomic_store_explicit(&slot->referenced, referenced + 1, memory_order_relaxed);
  }
}

static void count_hit(struct cache_file *file, uint32_t length) {
  atomic_fetch_add_explicit(&file->hitBytes, length, memory_order_relaxed);
  if (atomic_fetch_add_explicit(&file->hits, 1, memory_order_relaxed) + 1 >= TALLY) {
    publish(file);
  }
}

/* Reads past the cache. What the file lacks although its size is larger has not been flushed, or is a hole: zeros. */
static size_t read_file(struct cache_file *file, uint64_t offset, uint8_t *to, uint32_t length, int *error) {
  size_t done = io_read(file->readFd, to, length, offset, error);
  if (*error != 0) {
    return done;
  }
  memset(to + done, 0, length - done);
  return length;
}

/* How much of a block to load for a read of so much: all the rest of it in a scan, but nothing behind the file's end. */
static uint32_t load_length(struct cache_file *file, uint64_t block, uint32_t offset, uint32_t length, bool ahead) {
  uint32_t block_bytes = file->arena->header->blockBytes;
  uint64_t begin = block * block_bytes + offset;
  uint64_t size = atomic_load(&file->entry->sizeBytes);
  uint64_t rest = size > begin ? size - begin : 0;
  if (!ahead || rest <= length) {
    return length;
  }
  return rest < block_bytes - offset ? (uint32_t)rest : block_bytes - offset;
}

/* Copies from a block that is cached, without a lock. */
static bool copy_cached(struct cache_file *file, uint64_t block, uint32_t offset, uint8_t *to, uint32_t length) {
  struct arena *arena = file->arena;
  uint64_t identity;
  if (!has_tag(block) || !is_ours(file, &identity)) {
    return false;
  }
  uint64_t tag = tag_of(file->index, identity, block);
  int index = find(arena, set_of(arena, file->index, block), tag);
  if (index < 0 || !slot_copy(arena, (uint32_t)index, tag, offset, to, length)) {
    return false;
  }
  reference(file, &arena->slots[index], block);
  count_hit(file, length);
  return true;
}

/* Reads a part of a block that lies within the file. */
static size_t read_block(struct cache_file *file, uint64_t block, uint32_t offset, uint8_t *to, uint32_t length, bool ahead, int *error) {
  struct arena *arena = file->arena;
  uint64_t begin = block * arena->header->blockBytes + offset;
  uint64_t tag;
  *error = 0;
  if (copy_cached(file, block, offset, to, length)) {
    return length;
  }
  int index = acquire(file, block, &tag);
  if (index < 0) {
    atomic_fetch_add_explicit(&file->entry->bypassedReads, 1, memory_order_relaxed);
    return read_file(file, begin, to, length, error);
  }
  atomic_fetch_add_explicit(&file->entry->misses, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&file->entry->missBytes, length, memory_order_relaxed);
  atomic_store_explicit(&file->lastBlock, block, memory_order_relaxed);
  int failed = slot_fill(file, (uint32_t)index, block, offset, load_length(file, block, offset, length, ahead));
  size_t count = length;
  if (failed != 0 || !slot_copy(arena, (uint32_t)index, tag, offset, to, length)) {
    count = read_file(file, begin, to, length, error);
    slot_overlay(arena, (uint32_t)index, offset, to, (uint32_t)count);
  }
  slot_unlock(arena, (uint32_t)index);
  return count;
}

size_t cache_read(struct cache_file *file, uint64_t offset, void *to, size_t length, int *error) {
  uint32_t block_bytes = file->arena->header->blockBytes;
  uint64_t size = atomic_load_explicit(&file->entry->sizeBytes, memory_order_relaxed);
  *error = 0;
  if (offset >= size || length > size - offset) {
    int64_t now = cache_size(file);
    if (now < 0) {
      *error = (int)-now;
      return 0;
    }
    size = (uint64_t)now;
    length = offset >= size ? 0 : (size - offset < length ? (size_t)(size - offset) : length);
  }
  bool ahead = atomic_load_explicit(&file->nextOffset, memory_order_relaxed) == offset;
  size_t done = 0;
  while (done < length && *error == 0) {
    uint64_t at = offset + done;
    uint32_t within = (uint32_t)(at % block_bytes);
    uint32_t part = block_bytes - within;
    part = part < length - done ? part : (uint32_t)(length - done);
    done += read_block(file, at / block_bytes, within, (uint8_t *)to + done, part, ahead, error);
  }
  atomic_store_explicit(&file->nextOffset, offset + done, memory_order_relaxed);
  return done;
}

/* ---- writing */

/* The slot of a block if it is cached, locked, or -1. */
static int lock_cached(struct cache_file *file, uint64_t block) {
  struct arena *arena = file->arena;
  uint64_t identity;
  while (has_tag(block) && is_ours(file, &identity)) {
    uint64_t tag = tag_of(file->index, identity, block);
    int index = find(arena, set_of(arena, file->index, block), tag);
    if (index >= 0) {
      slot_lock(arena, (uint32_t)index);
      if (atomic_load(slot_tag(arena, (uint32_t)index)) == tag) {
        return index;
      }
      slot_unlock(arena, (uint32_t)index);
    } else if (atomic_load(&file->entry->identity) == identity) {
      return -1;
    }
  }
  return -1;
}

/* What has been written to the file comes into the cache, too. */
static void update_block(struct cache_file *file, uint64_t block, uint32_t offset, const uint8_t *from, uint32_t length) {
  uint64_t tag;
  atomic_thread_fence(memory_order_seq_cst);
  /* A write that covers no sector leaves nothing that could be read. */
  int index = length < SECTOR_BYTES ? lock_cached(file, block) : acquire(file, block, &tag);
  if (index >= 0) {
    slot_update(file->arena, (uint32_t)index, offset, from, length);
    slot_unlock(file->arena, (uint32_t)index);
  }
}

/* Returns 0, or an errno if the block cannot be held. */
static int write_back_block(struct cache_file *file, uint64_t block, uint32_t offset, const uint8_t *from, uint32_t length) {
  struct arena *arena = file->arena;
  uint64_t tag;
  /* Before the epoch is looked at: who changes it looks at this afterwards. */
  atomic_store(&file->entry->hasBeenDirty, 1);
  int index = acquire(file, block, &tag);
  if (index < 0) {
    return ENOSPC;
  }
  int error = slot_modify(file, (uint32_t)index, offset, from, length);
  if (error == 0) {
    raise_to(&file->entry->sizeBytes, block * arena->header->blockBytes + offset + length);
  }
  slot_unlock(arena, (uint32_t)index);
  return error;
}

/* Whether so much is dirty that writers have to wait for the file system. */
static bool is_too_dirty(const struct arena *arena) {
  uint64_t capacity = atomic_load_explicit(&arena->header->capacityBlocks, memory_order_relaxed) * arena->header->blockBytes;
  return atomic_load_explicit(&arena->header->dirtyBytes, memory_order_relaxed) > capacity / 2;
}

/* Flushes a block if it is dirty, so that no older bytes are written over those that go to the file now. */
static int flush_block(struct cache_file *file, uint64_t block) {
  if (atomic_load(&file->entry->dirtyBlocks) == 0) {
    return 0;
  }
  int index = lock_cached(file, block);
  if (index < 0) {
    return 0;
  }
  int error = slot_flush(file->arena, (uint32_t)index, file->writeFd);
  slot_unlock(file->arena, (uint32_t)index);
  return error;
}

static size_t write_block(struct cache_file *file, uint64_t block, uint32_t offset, const uint8_t *from, uint32_t length, int *error) {
  *error = 0;
  if (file->mode == MODE_WRITE_BACK && !is_too_dirty(file->arena) && write_back_block(file, block, offset, from, length) == 0) {
    return length;
  }
  *error = flush_block(file, block);
  if (*error != 0) {
    return 0;
  }
  uint64_t begin = block * file->arena->header->blockBytes + offset;
  size_t count = io_write(file->writeFd, from, length, begin, error);
  if (count > 0) {
    atomic_fetch_add(&file->entry->writes, 1);
    raise_to(&file->entry->sizeBytes, begin + count);
    linger();
    update_block(file, block, offset, from, (uint32_t)count);
  }
  return count;
}

size_t cache_write(struct cache_file *file, uint64_t offset, const void *from, size_t length, int *error) {
  uint32_t block_bytes = file->arena->header->blockBytes;
  cache_begin_writing(file);
  size_t done = 0;
  *error = 0;
  while (done < length && *error == 0) {
    uint64_t at = offset + done;
    uint32_t within = (uint32_t)(at % block_bytes);
    uint32_t part = block_bytes - within;
    part = part < length - done ? part : (uint32_t)(length - done);
    done += write_block(file, at / block_bytes, within, (const uint8_t *)from + done, part, error);
  }
  return done;
}

void cache_written(struct cache_file *file, uint64_t offset, const void *from, size_t length) {
  uint32_t block_bytes = file->arena->header->blockBytes;
  cache_begin_writing(file);
  raise_to(&file->entry->sizeBytes, offset + length);
  for (size_t done = 0; done < length;) {
    uint64_t at = offset + done;
    uint32_t within = (uint32_t)(at % block_bytes);
    uint32_t part = block_bytes - within;
    part = part < length - done ? part : (uint32_t)(length - done);
    update_block(file, at / block_bytes, within, (const uint8_t *)from + done, part);
    done += part;
  }
}

/* ---- flushing and dropping */

struct flush {
  struct cache_file *file;
  uint32_t *slots;
  uint32_t count;
  _Atomic int error;
};

static bool is_dirty_slot_of(const struct cache_file *file, uint32_t index) {
  uint64_t tag = atomic_load_explicit(slot_tag(file->arena, index), memory_order_relaxed);
  return tag != 0 && tag_file(tag) == file->index && slot_extents(&file->arena->slots[index]) > 0;
}

/* The dirty slots of a file, in the order of their blocks where looking for these is cheaper. Begins again if their tags change meanwhile. */
static void find_dirty(struct flush *flush) {
  struct cache_file *file = flush->file;
  struct arena *arena = file->arena;
  uint64_t identity;
  do {
    identity = identity_of(arena, file->entry);
    uint64_t blocks = atomic_load(&file->entry->sizeBytes) / arena->header->blockBytes + 1;
    bool by_block = blocks <= arena_slots(arena);
    uint64_t end = by_block ? blocks : arena_slots(arena);
    flush->count = 0;
    for (uint64_t at = 0; at < end; at++) {
      int index = by_block ? find(arena, set_of(arena, file->index, at), tag_of(file->index, identity, at)) : (int)at;
      if (index >= 0 && is_dirty_slot_of(file, (uint32_t)index)) {
        flush->slots[flush->count++] = (uint32_t)index;
      }
    }
  } while (atomic_load(&file->entry->identity) != identity);
}

static void note_failure(struct flush *flush, int error) {
  int none = 0;
  if (error != 0) {
    atomic_compare_exchange_strong(&flush->error, &none, error);
  }
}

static void flush_free_slot(void *context, uint32_t at) {
  struct flush *flush = context;
  struct cache_file *file = flush->file;
  uint32_t index = flush->slots[at];
  if (slot_try_lock(file->arena, index)) {
    note_failure(flush, is_dirty_slot_of(file, index) ? slot_flush(file->arena, index, file->writeFd) : 0);
    slot_unlock(file->arena, index);
  }
}

static void flush_slot(void *context, uint32_t at) {
  struct flush *flush = context;
  struct cache_file *file = flush->file;
  uint32_t index = flush->slots[at];
  slot_lock(file->arena, index);
  note_failure(flush, is_dirty_slot_of(file, index) ? slot_flush(file->arena, index, file->writeFd) : 0);
  slot_unlock(file->arena, index);
}

/* Leaves out the slots that are clean by now. */
static void keep_dirty(struct flush *flush) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < flush->count; i++) {
    if (is_dirty_slot_of(flush->file, flush->slots[i])) {
      flush->slots[kept++] = flush->slots[i];
    }
  }
  flush->count = kept;
}

int cache_flush(struct cache_file *file) {
  if (atomic_load(&file->entry->dirtyBlocks) == 0 || file->writeFd < 0) {
    return 0;
  }
  struct flush flush = {.file = file, .slots = malloc(arena_slots(file->arena) * sizeof *flush.slots)};
  if (flush.slots == NULL) {
    return ENOMEM;
  }
  find_dirty(&flush);
  /* Ranks that sync together share the work: first come those that nobody else is flushing. */
  run_parallel(flush.count, flush_free_slot, &flush);
  keep_dirty(&flush);
  run_parallel(flush.count, flush_slot, &flush);
  free(flush.slots);
  return atomic_load(&flush.error);
}

int cache_make_durable(struct cache_file *file) {
  uint64_t writes = atomic_load(&file->entry->writes);
  if (file->writeFd < 0 || atomic_load(&file->entry->durableWrites) == writes) {
    return 0;
  }
  if (fsync(file->writeFd) != 0) {
    return errno;
  }
  raise_to(&file->entry->durableWrites, writes);
  return 0;
}

void cache_drop(struct cache_file *file, uint64_t offset, uint64_t end) {
  uint64_t block_bytes = file->arena->header->blockBytes;
  drop_blocks(file, offset / block_bytes, (end + block_bytes - 1) / block_bytes);
}

void cache_drop_all(struct cache_file *file, enum dirty_blocks dirty) {
  files_lock(file->arena);
  if (generation_of(atomic_load(&file->entry->identity)) == file->generation) {
    drop_file(file->arena, file->index, dirty);
  }
  files_unlock(file->arena);
}

/* ---- loading and evicting by the agent */

bool cache_load(struct cache_file *file, uint64_t block) {
  struct arena *arena = file->arena;
  uint32_t set = set_of(arena, file->index, block);
  uint64_t begin = block * arena->header->blockBytes;
  uint64_t size = atomic_load(&file->entry->sizeBytes);
  if (!has_tag(block) || begin >= size || atomic_load(&arena->sets[set].used) >= set_limit(arena, set)) {
    return false;
  }
  uint64_t tag;
  int index = acquire(file, block, &tag);
  if (index < 0) {
    return false;
  }
  uint32_t length = size - begin < arena->header->blockBytes ? (uint32_t)(size - begin) : arena->header->blockBytes;
  int error = slot_fill(file, (uint32_t)index, block, 0, length);
  slot_unlock(arena, (uint32_t)index);
  return error == 0;
}

/* Evicts up to so many blocks of a set; their memory is given back without the set's lock. */
static uint32_t evict_from(struct arena *arena, uint32_t set) {
  int victims[MAX_WAYS];
  uint32_t count = 0;
  set_lock(arena, set);
  while (count < MAX_WAYS && arena->sets[set].used > set_limit(arena, set)) {
    int index = claim_victim(arena, set);
    if (index < 0) {
      break;
    }
    slot_assign(arena, (uint32_t)index, 0);
    arena->sets[set].used--;
    victims[count++] = index;
  }
  uint32_t limit = set_limit(arena, set);
  uint32_t above = arena->sets[set].used > limit ? arena->sets[set].used - limit : 0;
  set_unlock(arena, set);
  for (uint32_t i = 0; i < count; i++) {
    slot_punch(arena, (uint32_t)victims[i]);
    slot_unlock(arena, (uint32_t)victims[i]);
  }
  atomic_fetch_add_explicit(&arena->header->evictedBlocks, count, memory_order_relaxed);
  return above;
}

uint64_t cache_evict(struct arena *arena, uint32_t first, uint32_t end, int64_t deadline_nanos) {
  uint64_t above = 0;
  for (uint32_t set = first; set < end; set++) {
    uint32_t limit = set_limit(arena, set);
    uint32_t used = atomic_load_explicit(&arena->sets[set].used, memory_order_relaxed);
    if (used <= limit) {
      continue;
    }
    above += monotonic_nanos() < deadline_nanos ? evict_from(arena, set) : used - limit;
  }
  return above;
}

/* Whether a block is of an epoch that has ended. */
static bool is_forgotten(struct arena *arena, uint64_t tag) {
  uint64_t identity = tag == 0 ? 1 : atomic_load(&arena->files[tag_file(tag)].identity);
  return (identity & 1) == 0 && tag != tag_of(tag_file(tag), identity, tag_block(tag));
}

void cache_collect(struct arena *arena) {
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    if (!is_forgotten(arena, tag) || !slot_try_lock(arena, index)) {
      continue;
    }
    if (atomic_load(slot_tag(arena, index)) == tag && slot_extents(&arena->slots[index]) == 0 && is_forgotten(arena, tag)) {
      slot_free(arena, index);
    }
    slot_unlock(arena, index);
  }
}

void cache_sweep(struct arena *arena) {
  uint64_t used = 0;
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    used += atomic_load_explicit(&arena->sets[set].used, memory_order_relaxed);
  }
  if (arena_resident_bytes(arena) <= arena->header->dataOffset + used * arena->header->blockBytes) {
    return;
  }
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    if (atomic_load(slot_tag(arena, index)) != 0 || !slot_try_lock(arena, index)) {
      continue;
    }
    if (atomic_load(slot_tag(arena, index)) == 0) {
      slot_punch(arena, index);
    }
    slot_unlock(arena, index);
  }
}

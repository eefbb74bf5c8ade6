#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#include "clock.h"
#include "lock.h"
#include "sets.h"

/* Entries that are looked at for a file, from its place by hash on. */
#define PROBES 64
/* A change this young may be followed by another one with the same time. File systems that tell only seconds need more. */
#define RACY_NANOS INT64_C(20000000)
#define RACY_SECONDS_NANOS INT64_C(2000000000)
/* Entries that were opened in the last minute stay, as a rank may be about to tell the agent of them. */
#define RECENT_NANOS INT64_C(60000000000)

/* ---- the table. What its lock protects is whole at any moment: nothing is to be recovered. */

static void table_lock(struct arena *arena) {
  lock_take(&arena->header->filesLock);
}

static void table_unlock(struct arena *arena) {
  lock_release(&arena->header->filesLock);
}

/* Finds the entry of a file or one for it. The table is locked. Returns -1 if all are in use. */
static int find_entry(struct arena *arena, const struct stat *state, bool *found) {
  uint64_t hash = ((uint64_t)state->st_dev * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)state->st_ino * UINT64_C(0xc2b2ae3d27d4eb4f));
  int free_entry = -1;
  int oldest = -1;
  int64_t now = monotonic_nanos();
  for (uint32_t probe = 0; probe < PROBES; probe++) {
    int index = (int)(((hash >> 20) + probe) % MAX_FILES);
    struct file_entry *entry = &arena->files[index];
    if (atomic_load(&entry->used) == ENTRY_FREE) {
      free_entry = free_entry < 0 ? index : free_entry;
    } else if (entry->device == state->st_dev && entry->inode == state->st_ino) {
      *found = true;
      return index;
    } else if (atomic_load(&entry->used) == ENTRY_USED && atomic_load(&entry->openers) == 0 && atomic_load(&entry->dirtyBlocks) == 0 &&
               now - atomic_load(&entry->lastOpenNanos) > RECENT_NANOS &&
               (oldest < 0 || entry->lastOpenNanos < arena->files[oldest].lastOpenNanos)) {
      oldest = index;
    }
  }
  *found = false;
  return free_entry >= 0 ? free_entry : oldest;
}

/* ---- epochs */

static bool is_changing(uint64_t identity) {
  return (identity & 1) != 0;
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
        sets_retag(arena, index, tag_of(file, next_identity, tag_block(tag)));
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
      sets_free(arena, index);
    }
    slot_unlock(arena, index);
  }
}

/* Makes blocks ready for the epoch that follows the one that is ending. Waits for whoever uses a block of the file. */
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

/* Begins the next epoch, or ends it. The entry is locked. */
static void begin_epoch(struct file_entry *entry) {
  atomic_fetch_or(&entry->identity, 1);
}

static void end_epoch(struct file_entry *entry) {
  atomic_store(&entry->identity, atomic_load(&entry->identity) + 1);
}

/* Settles the blocks of a file whose epoch has begun. */
static void settle(struct arena *arena, uint32_t index, enum dirty_blocks dirty) {
  settle_blocks(arena, index, atomic_load(&arena->files[index].identity) + 1, dirty);
}

/* Ends what an owner who died has begun. */
static void recover(struct arena *arena, uint32_t index) {
  struct file_entry *entry = &arena->files[index];
  if (!is_changing(atomic_load(&entry->identity))) {
    return;
  }
  /* What is dirty in an entry that was being given away has no file any more. */
  bool was_taken = atomic_load(&entry->used) != ENTRY_USED;
  settle(arena, index, was_taken ? LOSE_DIRTY : KEEP_DIRTY);
  if (was_taken) {
    atomic_store(&entry->used, ENTRY_FREE);
  }
  end_epoch(entry);
}

static void entry_lock(struct arena *arena, uint32_t index) {
  if (lock_take(&arena->files[index].lock)) {
    recover(arena, index);
  }
}

static void entry_unlock(struct arena *arena, uint32_t index) {
  lock_release(&arena->files[index].lock);
}

static uint64_t identity_of(struct arena *arena, uint32_t index) {
  uint64_t identity;
  while (is_changing(identity = atomic_load(&arena->files[index].identity))) {
    entry_lock(arena, index);
    entry_unlock(arena, index);
  }
  return identity;
}

bool file_is_ours(const struct cache_file *file, uint64_t *identity) {
  *identity = identity_of(file->arena, file->index);
  return generation_of(*identity) == file->generation;
}

/* Forgets what is cached of a file. The entry is locked. */
static void drop(struct arena *arena, uint32_t index, enum dirty_blocks dirty) {
  struct file_entry *entry = &arena->files[index];
  begin_epoch(entry);
  settle(arena, index, dirty);
  end_epoch(entry);
}

void file_drop_all(struct cache_file *file, enum dirty_blocks dirty) {
  entry_lock(file->arena, file->index);
  if (file_has_entry(file)) {
    drop(file->arena, file->index, dirty);
  }
  entry_unlock(file->arena, file->index);
}

void file_drop(struct cache_file *file, uint64_t offset, uint64_t end) {
  struct arena *arena = file->arena;
  uint64_t block_bytes = arena->header->blockBytes;
  uint64_t first = offset / block_bytes;
  uint64_t last = (end + block_bytes - 1) / block_bytes;
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    if (tag == 0 || tag_file(tag) != file->index || tag_block(tag) < first || tag_block(tag) >= last) {
      continue;
    }
    slot_lock(arena, index);
    if (atomic_load(slot_tag(arena, index)) == tag) {
      sets_invalidate(arena, index);
    }
    slot_unlock(arena, index);
  }
}

/* Counts the dirty blocks of a file under their locks. Returns false if somebody has one of these. */
static bool count_dirty(struct arena *arena, uint32_t file, uint32_t *count) {
  *count = 0;
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load(slot_tag(arena, index));
    if (tag == 0 || tag_file(tag) != file) {
      continue;
    }
    if (!slot_try_lock(arena, index)) {
      return false;
    }
    tag = atomic_load(slot_tag(arena, index));
    *count += tag != 0 && tag_file(tag) == file && slot_extents(&arena->slots[index]) > 0;
    slot_unlock(arena, index);
  }
  return true;
}

/* Whoever makes a block dirty meanwhile raises one of the two numbers, or holds a lock that is looked for. */
static void recount(struct arena *arena, uint32_t file) {
  struct file_entry *entry = &arena->files[file];
  uint32_t dirtied = atomic_load(&entry->dirtied);
  uint32_t before = atomic_load(&entry->dirtyBlocks);
  uint32_t count;
  if (count_dirty(arena, file, &count) && atomic_load(&entry->dirtied) == dirtied && count < before) {
    atomic_compare_exchange_strong(&entry->dirtyBlocks, &before, count);
  }
}

void files_recount(struct arena *arena) {
  static _Thread_local uint32_t dirty[MAX_FILES];
  memset(dirty, 0, sizeof dirty);
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    if (tag != 0 && slot_extents(&arena->slots[index]) > 0) {
      dirty[tag_file(tag)]++;
    }
  }
  for (uint32_t file = 0; file < MAX_FILES; file++) {
    if (dirty[file] < atomic_load(&arena->files[file].dirtyBlocks)) {
      recount(arena, file);
    }
  }
}

/* Whether a block is of an epoch that has ended. */
static bool is_forgotten(struct arena *arena, uint64_t tag) {
  uint64_t identity = tag == 0 ? 1 : atomic_load(&arena->files[tag_file(tag)].identity);
  return !is_changing(identity) && tag != tag_of(tag_file(tag), identity, tag_block(tag));
}

void files_collect(struct arena *arena) {
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    if (!is_forgotten(arena, tag) || !slot_try_lock(arena, index)) {
      continue;
    }
    if (atomic_load(slot_tag(arena, index)) == tag && slot_extents(&arena->slots[index]) == 0 && is_forgotten(arena, tag)) {
      sets_free(arena, index);
    }
    slot_unlock(arena, index);
  }
}

/* ---- the state of files */

static bool is_same(const struct file_entry *entry, const struct stat *state) {
  return atomic_load(&entry->knownChangeNanos) == nanos_of(state->st_ctim) && atomic_load(&entry->knownBytes) == (uint64_t)state->st_size;
}

static bool is_known(const struct file_entry *entry, const struct stat *state) {
  int64_t age = atomic_load(&entry->knownAtNanos) - nanos_of(state->st_ctim);
  int64_t safe = state->st_ctim.tv_nsec == 0 ? RACY_SECONDS_NANOS : RACY_NANOS;
  return is_same(entry, state) && age > safe;
}

/* The table is locked. Who dies in here leaves a file that is not known. */
static void remember(struct file_entry *entry, const struct stat *state) {
  atomic_store(&entry->knownAtNanos, 0);
  atomic_store(&entry->knownChangeNanos, nanos_of(state->st_ctim));
  atomic_store(&entry->knownBytes, (uint64_t)state->st_size);
  atomic_store(&entry->knownAtNanos, realtime_nanos());
}

bool file_is_current(struct cache_file *file) {
  struct stat state;
  int fd = file->writeFd >= 0 ? file->writeFd : file->readFd;
  return atomic_load(&file->entry->written) == 0 && file_has_entry(file) && fstat(fd, &state) == 0 && is_known(file->entry, &state);
}

int64_t file_born(int fd, const char *path) {
  struct statx more;
  if (statx(fd, path, *path == 0 ? AT_EMPTY_PATH : 0, STATX_BTIME, &more) != 0 || (more.stx_mask & STATX_BTIME) == 0) {
    return 0;
  }
  return more.stx_btime.tv_sec * INT64_C(1000000000) + more.stx_btime.tv_nsec;
}

void file_begin_writing(struct cache_file *file) {
  struct file_entry *entry = file->entry;
  if (atomic_load_explicit(&file->wrote, memory_order_relaxed) != 0 && atomic_load_explicit(&entry->written, memory_order_relaxed) != 0) {
    return;
  }
  struct stat state;
  bool can_tell = !file->isShared && file->writeFd >= 0 && fstat(file->writeFd, &state) == 0;
  entry_lock(file->arena, file->index);
  if (file_has_entry(file)) {
    bool first = atomic_exchange(&entry->written, 1) == 0;
    if (first && can_tell && !is_same(entry, &state)) {
      drop(file->arena, file->index, KEEP_DIRTY);
    }
  }
  entry_unlock(file->arena, file->index);
  atomic_store(&file->wrote, 1);
}

void file_remember(struct cache_file *file) {
  struct stat state;
  if (file->isShared || file->writeFd < 0 || fstat(file->writeFd, &state) != 0) {
    return;
  }
  entry_lock(file->arena, file->index);
  if (file_has_entry(file)) {
    table_lock(file->arena);
    remember(file->entry, &state);
    table_unlock(file->arena);
    atomic_store(&file->entry->written, 0);
  }
  entry_unlock(file->arena, file->index);
}

/* ---- giving entries to files */

/* A file, and when it was made. */
struct wanted {
  const struct stat *state;
  const char *path;
  int64_t bornNanos;
};

static bool is_another(const struct file_entry *entry, const struct wanted *wanted) {
  return wanted->bornNanos != 0 && entry->bornNanos != 0 && wanted->bornNanos != entry->bornNanos;
}

/* Whether an entry can be used as it is. The table is locked. */
static bool is_ready(const struct file_entry *entry, const struct wanted *wanted) {
  return atomic_load(&entry->used) == ENTRY_USED && !is_changing(atomic_load(&entry->identity)) && !is_another(entry, wanted) &&
         is_known(entry, wanted->state);
}

/* Lets a process use an entry. The table is locked. */
static void enter(struct cache_file *file, uint32_t index) {
  file->entry = &file->arena->files[index];
  file->index = index;
  file->generation = generation_of(atomic_load(&file->entry->identity));
  atomic_store(&file->entry->lastOpenNanos, monotonic_nanos());
  atomic_fetch_add(&file->entry->opens, 1);
}

/* Takes an entry from the file that had it, so that whoever looks for the new one waits for it. Table and entry are locked. */
static void take_entry(struct file_entry *entry, const struct stat *state) {
  uint64_t generation = (uint64_t)generation_of(atomic_load(&entry->identity)) + 1;
  atomic_store(&entry->identity, generation << 32 | (uint32_t)atomic_load(&entry->identity) | 1);
  atomic_store(&entry->used, ENTRY_FREE);
  entry->device = state->st_dev;
  entry->inode = state->st_ino;
  atomic_store(&entry->used, ENTRY_TAKEN);
}

/* Describes the new file in an entry that was taken for it, and whose blocks are settled. The table is locked. */
static void describe(struct file_entry *entry, const struct wanted *wanted) {
  size_t rest = offsetof(struct file_entry, bornNanos);
  memset((uint8_t *)entry + rest, 0, sizeof *entry - rest);
  atomic_store(&entry->hasBeenDirty, 0);
  entry->bornNanos = wanted->bornNanos;
  strncpy(entry->path, wanted->path, PATH_BYTES - 1);
  atomic_store(&entry->sizeBytes, (uint64_t)wanted->state->st_size);
  remember(entry, wanted->state);
  atomic_store(&entry->used, ENTRY_USED);
}

/* Makes a locked entry ready for a file, and enters it. */
static void renew(struct cache_file *file, uint32_t index, const struct wanted *wanted, bool is_taken) {
  struct arena *arena = file->arena;
  struct file_entry *entry = &arena->files[index];
  begin_epoch(entry);
  settle(arena, index, is_taken ? LOSE_DIRTY : KEEP_DIRTY);
  table_lock(arena);
  if (is_taken) {
    describe(entry, wanted);
  } else {
    remember(entry, wanted->state);
    if (atomic_load(&entry->dirtyBlocks) == 0) {
      atomic_store(&entry->sizeBytes, (uint64_t)wanted->state->st_size);
    }
  }
  end_epoch(entry);
  enter(file, index);
  table_unlock(arena);
}

/* Enters an entry that was not ready. Returns false if the table has changed so that the file is to be looked for again. */
static bool enter_locked(struct cache_file *file, uint32_t index, const struct wanted *wanted) {
  struct arena *arena = file->arena;
  struct file_entry *entry = &arena->files[index];
  bool found;
  entry_lock(arena, index);
  table_lock(arena);
  bool is_there = find_entry(arena, wanted->state, &found) == (int)index;
  bool is_taken = is_there && (!found || is_another(entry, wanted));
  bool ready = is_there && !is_taken && is_ready(entry, wanted);
  if (is_taken) {
    take_entry(entry, wanted->state);
  } else if (ready) {
    enter(file, index);
  }
  table_unlock(arena);
  if (is_there && !ready) {
    renew(file, index, wanted, is_taken);
  }
  entry_unlock(arena, index);
  return is_there;
}

int file_attach(struct cache_file *file, struct arena *arena, const struct stat *state, const char *path) {
  memset(file, 0, sizeof *file);
  file->arena = arena;
  file->readFd = file->writeFd = -1;
  file->lastBlock = file->nextOffset = UINT64_MAX;
  struct wanted wanted = {state, path, file_born(AT_FDCWD, path)};
  for (;;) {
    bool found;
    table_lock(arena);
    int index = find_entry(arena, state, &found);
    bool ready = index >= 0 && found && is_ready(&arena->files[index], &wanted);
    if (ready) {
      enter(file, (uint32_t)index);
    }
    table_unlock(arena);
    if (index < 0) {
      return ENFILE;
    }
    if (ready || enter_locked(file, (uint32_t)index, &wanted)) {
      return 0;
    }
  }
}

void file_forget_deleted(struct arena *arena, const struct stat *state) {
  bool found;
  table_lock(arena);
  int index = find_entry(arena, state, &found);
  table_unlock(arena);
  if (index < 0 || !found) {
    return;
  }
  struct file_entry *entry = &arena->files[index];
  entry_lock(arena, (uint32_t)index);
  table_lock(arena);
  /* An agent that has just been started knows of no openers; it finds out what becomes of dirty blocks. */
  bool is_unused = find_entry(arena, state, &found) == index && found && atomic_load(&entry->openers) == 0 && atomic_load(&entry->dirtyBlocks) == 0;
  if (is_unused) {
    begin_epoch(entry);
  }
  table_unlock(arena);
  if (is_unused) {
    settle(arena, (uint32_t)index, KEEP_DIRTY);
    atomic_store(&entry->used, ENTRY_FREE);
    end_epoch(entry);
  }
  entry_unlock(arena, (uint32_t)index);
}

#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io.h"
#include "parallel.h"
#include "sets.h"

/* How many hits a process counts by itself before it adds them to the file's. */
#define TALLY 128

static void publish(struct cache_file *file) {
  struct totals *totals = &file->arena->header->totals;
  uint64_t hits = atomic_exchange(&file->hits, 0);
  uint64_t bytes = atomic_exchange(&file->hitBytes, 0);
  atomic_fetch_add_explicit(&totals->hits, hits, memory_order_relaxed);
  atomic_fetch_add_explicit(&totals->hitBytes, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&file_entry(file)->hits, hits, memory_order_relaxed);
  atomic_fetch_add_explicit(&file_entry(file)->hitBytes, bytes, memory_order_relaxed);
}

int cache_detach(struct cache_file *file) {
  publish(file);
  int error = 0;
  if (atomic_load(&file->wrote) != 0) {
    error = cache_flush(file);
    file_remember(file);
  }
  return error;
}

int64_t cache_size(struct cache_file *file) {
  struct stat state;
  if (fstat(file->readFd >= 0 ? file->readFd : file->writeFd, &state) != 0) {
    return -errno;
  }
  raise_to(&file_entry(file)->sizeBytes, (uint64_t)state.st_size);
  return (int64_t)atomic_load(&file_entry(file)->sizeBytes);
}

/* ---- slots */

/* Takes the lock of the slot that holds a block, which may have been given to it just now, and sets the identity that its tag is of.
 * Returns -1 if no slot can be had, or the file's entry is another one's. */
static int acquire(struct cache_file *file, uint64_t block, uint64_t *identity) {
  struct arena *arena = file->arena;
  uint32_t set = set_of(arena, file->index, block);
  while (has_tag(block) && file_is_ours(file, identity)) {
    uint64_t tag = tag_of(file->index, *identity, block);
    int index = sets_find(arena, set, tag);
    if (index >= 0) {
      slot_lock(arena, (uint32_t)index);
    } else if ((index = sets_take(arena, set, tag)) < 0) {
      return -1;
    }
    /* Whoever changes the epoch from here on finds what becomes dirty under this lock. */
    if (atomic_load(slot_tag(arena, (uint32_t)index)) == tag && atomic_load(&file->entry->identity) == *identity) {
      return index;
    }
    slot_unlock(arena, (uint32_t)index);
  }
  return -1;
}

/* ---- reading */

/* Another block than the last time has been hit: a scan, which stays in a block for many reads, does not count. */
static void reference(struct cache_file *file, struct slot *slot, uint64_t block) {
  if (atomic_load_explicit(&file->lastBlock, memory_order_relaxed) != block) {
    atomic_store_explicit(&file->lastBlock, block, memory_order_relaxed);
    sets_reference(slot);
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

static int fill(struct cache_file *file, uint32_t index, uint64_t block, uint32_t offset, uint32_t length) {
  struct source source = {file->readFd, file->fetch, file->fetchContext};
  return slot_fill(file->arena, index, block, offset, length, &source);
}

/* How much of a block to load for a read of so much: all the rest of it in a scan, but nothing behind the file's end. */
static uint32_t load_length(struct cache_file *file, uint64_t block, uint32_t offset, uint32_t length, bool ahead) {
  uint32_t block_bytes = file->arena->header->blockBytes;
  uint64_t begin = block * block_bytes + offset;
  uint64_t size = atomic_load(&file_entry(file)->sizeBytes);
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
  if (!has_tag(block) || !file_is_ours(file, &identity)) {
    return false;
  }
  uint64_t tag = tag_of(file->index, identity, block);
  int index = sets_find(arena, set_of(arena, file->index, block), tag);
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
  uint64_t identity;
  *error = 0;
  if (copy_cached(file, block, offset, to, length)) {
    return length;
  }
  int index = acquire(file, block, &identity);
  if (index < 0) {
    atomic_fetch_add_explicit(&arena->header->totals.bypassedReads, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&file_entry(file)->bypassedReads, 1, memory_order_relaxed);
    return read_file(file, begin, to, length, error);
  }
  atomic_fetch_add_explicit(&arena->header->totals.misses, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&arena->header->totals.missBytes, length, memory_order_relaxed);
  atomic_fetch_add_explicit(&file_entry(file)->misses, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&file_entry(file)->missBytes, length, memory_order_relaxed);
  atomic_store_explicit(&file->lastBlock, block, memory_order_relaxed);
  int failed = fill(file, (uint32_t)index, block, offset, load_length(file, block, offset, length, ahead));
  size_t count = length;
  if (failed != 0 || !slot_copy(arena, (uint32_t)index, tag_of(file->index, identity, block), offset, to, length)) {
    count = read_file(file, begin, to, length, error);
    slot_overlay(arena, (uint32_t)index, offset, to, (uint32_t)count);
  }
  slot_unlock(arena, (uint32_t)index);
  return count;
}

size_t cache_read(struct cache_file *file, uint64_t offset, void *to, size_t length, int *error) {
  uint32_t block_bytes = file->arena->header->blockBytes;
  uint64_t size = atomic_load_explicit(&file_entry(file)->sizeBytes, memory_order_relaxed);
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

/* The slot of a block if it is cached, locked, or -1. Sets the identity that its tag is of. */
static int lock_cached(struct cache_file *file, uint64_t block, uint64_t *identity) {
  struct arena *arena = file->arena;
  while (has_tag(block) && file_is_ours(file, identity)) {
    uint64_t tag = tag_of(file->index, *identity, block);
    int index = sets_find(arena, set_of(arena, file->index, block), tag);
    if (index >= 0) {
      slot_lock(arena, (uint32_t)index);
      if (atomic_load(slot_tag(arena, (uint32_t)index)) == tag) {
        return index;
      }
      slot_unlock(arena, (uint32_t)index);
    } else if (atomic_load(&file->entry->identity) == *identity) {
      return -1;
    }
  }
  return -1;
}

/* The same, or a slot that the block is given: but a write that covers no sector would leave nothing that could be read. */
static int acquire_for_write(struct cache_file *file, uint64_t block, uint32_t length, uint64_t *identity) {
  return length < SECTOR_BYTES ? lock_cached(file, block, identity) : acquire(file, block, identity);
}

/* What has been written to the file comes into the cache, too. */
static void update_block(struct cache_file *file, uint64_t block, uint32_t offset, const uint8_t *from, uint32_t length) {
  uint64_t identity;
  atomic_thread_fence(memory_order_seq_cst);
  int index = acquire_for_write(file, block, length, &identity);
  if (index >= 0) {
    slot_update(file->arena, (uint32_t)index, offset, from, length);
    slot_unlock(file->arena, (uint32_t)index);
  }
}

/* Returns 0, or an errno if the block cannot be held. */
static int write_back_block(struct cache_file *file, uint64_t block, uint32_t offset, const uint8_t *from, uint32_t length) {
  struct arena *arena = file->arena;
  uint64_t identity;
  /* Before the epoch is looked at: who changes it looks at this afterwards. */
  atomic_store(&file->entry->hasBeenDirty, 1);
  int index = acquire(file, block, &identity);
  if (index < 0) {
    return ENOSPC;
  }
  int error = slot_modify(arena, (uint32_t)index, offset, from, length, file->writeFd);
  if (error == 0) {
    raise_to(&file_entry(file)->sizeBytes, block * arena->header->blockBytes + offset + length);
  }
  slot_unlock(arena, (uint32_t)index);
  return error;
}

/* Whether so much is dirty that writers have to wait for the file system; without a capacity they always do. */
static bool is_too_dirty(const struct arena *arena) {
  uint64_t capacity = atomic_load_explicit(&arena->header->capacityBlocks, memory_order_relaxed) * arena->header->blockBytes;
  return atomic_load_explicit(&arena->header->dirtyBytes, memory_order_relaxed) >= capacity / 2;
}

/* Writes a part of a block that is cached to the file: under the slot's lock, so that of several writes of the same bytes the last one is
 * in both. */
static size_t write_cached_block(struct cache_file *file, uint32_t index, uint64_t begin, uint32_t offset, const uint8_t *from, uint32_t length,
                                 int *error) {
  /* No older bytes may be written over those that go to the file now. */
  *error = slot_extents(&file->arena->slots[index]) > 0 ? slot_flush(file->arena, index, file->writeFd) : 0;
  if (*error != 0) {
    return 0;
  }
  slot_begin_write(file->arena, index, offset, length);
  linger();
  size_t count = io_write(file->writeFd, from, length, begin, error);
  linger();
  slot_end_write(file->arena, index, offset, from, (uint32_t)count);
  return count;
}

/* Whoever has loaded a block while it was written past its slot may have read bytes from before. */
static void forget_loaded(struct cache_file *file, uint64_t block) {
  uint64_t identity;
  int index = lock_cached(file, block, &identity);
  if (index >= 0) {
    sets_invalidate(file->arena, (uint32_t)index);
    slot_unlock(file->arena, (uint32_t)index);
  }
}

static size_t write_block(struct cache_file *file, uint64_t block, uint32_t offset, const uint8_t *from, uint32_t length, int *error) {
  *error = 0;
  if (file->mode == MODE_WRITE_BACK && !is_too_dirty(file->arena) && write_back_block(file, block, offset, from, length) == 0) {
    return length;
  }
  uint64_t begin = block * file->arena->header->blockBytes + offset;
  uint64_t identity;
  int index = acquire_for_write(file, block, length, &identity);
  size_t count = index < 0 ? io_write(file->writeFd, from, length, begin, error)
                           : write_cached_block(file, (uint32_t)index, begin, offset, from, length, error);
  if (count > 0) {
    atomic_fetch_add(&file_entry(file)->writes, 1);
    raise_to(&file_entry(file)->sizeBytes, begin + count);
  }
  if (index >= 0) {
    slot_unlock(file->arena, (uint32_t)index);
  }
  atomic_thread_fence(memory_order_seq_cst);
  /* In a new epoch, the block has another slot. */
  if (count > 0 && (index < 0 || atomic_load(&file->entry->identity) != identity)) {
    forget_loaded(file, block);
  }
  return count;
}

size_t cache_write(struct cache_file *file, uint64_t offset, const void *from, size_t length, int *error) {
  uint32_t block_bytes = file->arena->header->blockBytes;
  file_begin_writing(file);
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
  file_begin_writing(file);
  raise_to(&file_entry(file)->sizeBytes, offset + length);
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
  int fd;
  uint32_t *slots;
  uint32_t count;
  _Atomic int error;
};

/* Under the slot's lock, the answer stays: who gives the entry to another file then waits for it. */
static bool is_dirty_slot_of(const struct cache_file *file, uint32_t index) {
  uint64_t tag = atomic_load_explicit(slot_tag(file->arena, index), memory_order_relaxed);
  return tag != 0 && tag_file(tag) == file->index && slot_extents(&file->arena->slots[index]) > 0 && file_has_entry(file);
}

/* Notes the dirty slots of a file: of its blocks up to an end, in their order, or of the whole arena. */
static void look_for_dirty(struct flush *flush, uint64_t identity, bool by_block, uint64_t end) {
  struct cache_file *file = flush->file;
  struct arena *arena = file->arena;
  flush->count = 0;
  for (uint64_t at = 0; at < end; at++) {
    int index = by_block ? sets_find(arena, set_of(arena, file->index, at), tag_of(file->index, identity, at)) : (int)at;
    if (index >= 0 && is_dirty_slot_of(file, (uint32_t)index)) {
      flush->slots[flush->count++] = (uint32_t)index;
    }
  }
}

/* The dirty slots of a file, in the order of their blocks where looking for these is cheaper. Begins again if their tags change meanwhile. */
static void find_dirty(struct flush *flush) {
  struct cache_file *file = flush->file;
  struct arena *arena = file->arena;
  uint64_t identity;
  do {
    if (!file_is_ours(file, &identity)) {
      flush->count = 0;
      return;
    }
    uint64_t blocks = atomic_load(&file_entry(file)->sizeBytes) / arena->header->blockBytes + 1;
    bool by_block = blocks <= arena_slots(arena);
    look_for_dirty(flush, identity, by_block, by_block ? blocks : arena_slots(arena));
    if (by_block && flush->count < atomic_load(&file_entry(file)->dirtyBlocks)) {
      /* Some are behind the end that another program has set just now. */
      look_for_dirty(flush, identity, false, arena_slots(arena));
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
    note_failure(flush, is_dirty_slot_of(file, index) ? slot_flush(file->arena, index, flush->fd) : 0);
    slot_unlock(file->arena, index);
  }
}

static void flush_slot(void *context, uint32_t at) {
  struct flush *flush = context;
  struct cache_file *file = flush->file;
  uint32_t index = flush->slots[at];
  slot_lock(file->arena, index);
  note_failure(flush, is_dirty_slot_of(file, index) ? slot_flush(file->arena, index, flush->fd) : 0);
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

/* A descriptor by which dirty blocks can be written. Who has the file open for reading only sees what others have written, too: they are of
 * the same user, who can write to the file. Returns -1 if that is not so any more. */
static int descriptor_for_flush(const struct cache_file *file) {
  char path[40];
  if (file->writeFd >= 0) {
    return file->writeFd;
  }
  snprintf(path, sizeof path, "/proc/self/fd/%d", file->readFd);
  return open(path, O_WRONLY | O_CLOEXEC);
}

int cache_flush(struct cache_file *file) {
  if (atomic_load(&file_entry(file)->dirtyBlocks) == 0) {
    return 0;
  }
  struct flush flush = {.file = file, .fd = descriptor_for_flush(file), .slots = malloc(arena_slots(file->arena) * sizeof *flush.slots)};
  if (flush.slots == NULL) {
    atomic_store(&flush.error, ENOMEM);
  } else if (flush.fd >= 0) {
    find_dirty(&flush);
    /* Ranks that sync together share the work: first come those that nobody else is flushing. */
    run_parallel(flush.count, flush_free_slot, &flush);
    keep_dirty(&flush);
    run_parallel(flush.count, flush_slot, &flush);
  }
  free(flush.slots);
  if (flush.fd >= 0 && flush.fd != file->writeFd) {
    close(flush.fd);
  }
  return atomic_load(&flush.error);
}

int cache_make_durable(struct cache_file *file) {
  uint64_t writes = atomic_load(&file_entry(file)->writes);
  if (file->writeFd < 0 || atomic_load(&file_entry(file)->durableWrites) == writes) {
    return 0;
  }
  if (fsync(file->writeFd) != 0) {
    return errno;
  }
  raise_to(&file_entry(file)->durableWrites, writes);
  return 0;
}

/* ---- loading by the agent */

enum load cache_load(struct cache_file *file, uint64_t block) {
  struct arena *arena = file->arena;
  uint32_t set = set_of(arena, file->index, block);
  uint64_t begin = block * arena->header->blockBytes;
  uint64_t size = atomic_load(&file_entry(file)->sizeBytes);
  if (!has_tag(block) || begin >= size || !file_has_entry(file)) {
    return NOT_LOADED;
  }
  if (atomic_load(&arena->sets[set].used) >= set_limit(arena, set)) {
    return NO_ROOM;
  }
  uint64_t identity;
  int index = acquire(file, block, &identity);
  if (index < 0) {
    return NO_ROOM;
  }
  uint32_t length = size - begin < arena->header->blockBytes ? (uint32_t)(size - begin) : arena->header->blockBytes;
  int error = fill(file, (uint32_t)index, block, 0, length);
  slot_unlock(arena, (uint32_t)index);
  return error == 0 ? LOADED : NOT_LOADED;
}


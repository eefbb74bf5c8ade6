#include "slot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "fault.h"
#include "io.h"
#include "lock.h"
#ifdef DYNIMS_SIMULATE
#include "../bench/simulate.h"
#else
#define simulate_begin() 0
#define simulate_end(begin, bytes, store) (void)(begin)
#endif

#define WHICH_ARRAY 0x80000000u

/* Copies what another process may be overwriting, or giving back; the caller looks afterwards. Returns false if it is gone. */
#if defined(__SANITIZE_THREAD__)
__attribute__((no_sanitize("thread"), noinline)) static bool copy_unlocked(void *to, const void *from, uint32_t length) {
  const volatile uint8_t *source = from;
  uint8_t *target = to;
  for (uint32_t i = 0; i < length; i++) {
    target[i] = source[i];
  }
  return true;
}
#define copy_locked copy_unlocked
#else
#define copy_unlocked fault_copy
#define copy_locked memcpy
#endif

/* ---- valid sectors */

static uint64_t word_mask(uint32_t word, uint32_t first, uint32_t last) {
  uint32_t low = word * 64;
  uint64_t mask = ~UINT64_C(0);
  if (first > low) {
    mask &= ~UINT64_C(0) << (first - low);
  }
  if (last < low + 63) {
    mask &= ~UINT64_C(0) >> (low + 63 - last);
  }
  return mask;
}

bool slot_is_valid(const struct slot *slot, uint32_t first, uint32_t last) {
  for (uint32_t word = first / 64; word <= last / 64; word++) {
    uint64_t mask = word_mask(word, first, last);
    if ((atomic_load_explicit(&slot->valid[word], memory_order_acquire) & mask) != mask) {
      return false;
    }
  }
  return true;
}

static bool is_sector_valid(const struct slot *slot, uint32_t sector) {
  return slot_is_valid(slot, sector, sector);
}

static void set_valid(struct slot *slot, uint32_t first, uint32_t last, bool valid) {
  for (uint32_t word = first / 64; word <= last / 64; word++) {
    uint64_t mask = word_mask(word, first, last);
    if (valid) {
      atomic_fetch_or_explicit(&slot->valid[word], mask, memory_order_release);
    } else {
      atomic_fetch_and_explicit(&slot->valid[word], ~mask, memory_order_release);
    }
  }
}

static void clear_valid(struct slot *slot) {
  for (uint32_t word = 0; word < VALID_WORDS; word++) {
    atomic_store_explicit(&slot->valid[word], 0, memory_order_relaxed);
  }
}

/* ---- versions */

static void begin_change(struct slot *slot) {
  uint32_t version = atomic_load_explicit(&slot->version, memory_order_relaxed);
  atomic_store_explicit(&slot->version, version | 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
}

static void end_change(struct slot *slot) {
  uint32_t version = atomic_load_explicit(&slot->version, memory_order_relaxed);
  atomic_store_explicit(&slot->version, (version | 1) + 1, memory_order_release);
}

/* ---- checksums, in debug builds */

#ifdef DYNIMS_CHECKSUMS
#include <stdio.h>

static uint32_t checksum(const uint8_t *data) {
  uint64_t sum = UINT64_C(14695981039346656037);
  for (uint32_t i = 0; i < SECTOR_BYTES; i += 8) {
    uint64_t word;
    memcpy(&word, data + i, 8);
    sum = (sum ^ word) * UINT64_C(1099511628211);
  }
  return (uint32_t)(sum ^ sum >> 32);
}

static void put_checksums(struct arena *arena, uint32_t index, uint32_t first, uint32_t last) {
  for (uint32_t sector = first; sector <= last; sector++) {
    arena->slots[index].checksums[sector] = checksum(slot_data(arena, index) + (size_t)sector * SECTOR_BYTES);
  }
}

void linger(void) {
  static _Thread_local uint32_t calls;
  calls = calls * 1664525u + 1013904223u + (uint32_t)monotonic_nanos();
  if ((calls >> 16) % 64 == 0) {
    usleep((calls >> 24) % 64);
  }
}

/* The caller holds the slot's lock. */
static void verify_checksums(struct arena *arena, uint32_t index, uint32_t first, uint32_t last) {
  for (uint32_t sector = first; sector <= last; sector++) {
    if (is_sector_valid(&arena->slots[index], sector) &&
        arena->slots[index].checksums[sector] != checksum(slot_data(arena, index) + (size_t)sector * SECTOR_BYTES)) {
      fprintf(stderr, "dynims-mpiio: sector %u of slot %u has changed by itself\n", sector, index);
      abort();
    }
  }
}
#else
#define put_checksums(arena, index, first, last) (void)0
#define verify_checksums(arena, index, first, last) (void)0
#endif

/* ---- dirty extents: the next state is written beside the one in force, so that none is ever half written */

uint32_t slot_extents(const struct slot *slot) {
  return atomic_load_explicit(&slot->extents, memory_order_acquire) & ~WHICH_ARRAY;
}

static const struct extent *extents_of(const struct slot *slot) {
  return slot->dirty[(atomic_load_explicit(&slot->extents, memory_order_acquire) & WHICH_ARRAY) != 0];
}

uint32_t slot_dirty_bytes(const struct slot *slot) {
  uint32_t bytes = 0;
  uint32_t count = slot_extents(slot);
  const struct extent *extents = extents_of(slot);
  for (uint32_t i = 0; i < count && i < MAX_EXTENTS; i++) {
    bytes += extents[i].length;
  }
  return bytes;
}

static struct extent *other_extents(struct slot *slot) {
  return slot->dirty[(atomic_load_explicit(&slot->extents, memory_order_relaxed) & WHICH_ARRAY) == 0];
}

static void switch_extents(struct slot *slot, uint32_t count) {
  uint32_t which = (atomic_load_explicit(&slot->extents, memory_order_relaxed) & WHICH_ARRAY) ^ WHICH_ARRAY;
  atomic_store_explicit(&slot->extents, which | count, memory_order_release);
}

/* Adds bytes to the dirty ones. Returns false if there is no room for another extent. */
static bool add_extent(struct slot *slot, uint32_t offset, uint32_t length) {
  uint32_t count = slot_extents(slot);
  const struct extent *old = extents_of(slot);
  struct extent *next = other_extents(slot);
  uint32_t begin = offset;
  uint32_t end = offset + length;
  uint32_t kept = 0;
  bool placed = false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t old_end = old[i].offset + old[i].length;
    if (old_end < begin) {
      next[kept++] = old[i];
    } else if (old[i].offset > end) {
      if (!placed) {
        if (kept == MAX_EXTENTS) {
          return false;
        }
        next[kept++] = (struct extent){begin, end - begin};
        placed = true;
      }
      if (kept == MAX_EXTENTS) {
        return false;
      }
      next[kept++] = old[i];
    } else {
      begin = old[i].offset < begin ? old[i].offset : begin;
      end = old_end > end ? old_end : end;
    }
  }
  if (!placed) {
    if (kept == MAX_EXTENTS) {
      return false;
    }
    next[kept++] = (struct extent){begin, end - begin};
  }
  switch_extents(slot, kept);
  return true;
}

static bool is_dirty_between(const struct slot *slot, uint32_t begin, uint32_t end) {
  uint32_t count = slot_extents(slot);
  const struct extent *extents = extents_of(slot);
  for (uint32_t i = 0; i < count; i++) {
    if (extents[i].offset < end && begin < extents[i].offset + extents[i].length) {
      return true;
    }
  }
  return false;
}

static struct file_entry *entry_of(struct arena *arena, uint32_t index) {
  uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
  return tag == 0 ? NULL : &arena->files[tag_file(tag)];
}

static void mark_dirty(struct arena *arena, uint32_t index, uint32_t offset, uint32_t length) {
  struct slot *slot = &arena->slots[index];
  struct file_entry *entry = entry_of(arena, index);
  if (slot_extents(slot) == 0) {
    atomic_store_explicit(&slot->dirtySinceNanos, monotonic_nanos(), memory_order_relaxed);
    if (entry != NULL) {
      atomic_fetch_add(&entry->dirtied, 1);
      atomic_fetch_add(&entry->dirtyBlocks, 1);
      linger();
    }
  }
  add_extent(slot, offset, length);
}

int slot_flush(struct arena *arena, uint32_t index, int fd) {
  struct slot *slot = &arena->slots[index];
  uint32_t count = slot_extents(slot);
  if (count == 0) {
    return 0;
  }
  uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
  const struct extent *extents = extents_of(slot);
  uint64_t begin = tag_block(tag) * arena->header->blockBytes;
  for (uint32_t i = 0; i < count; i++) {
    verify_checksums(arena, index, extents[i].offset / SECTOR_BYTES, (extents[i].offset + extents[i].length - 1) / SECTOR_BYTES);
    int error;
    io_write(fd, slot_data(arena, index) + extents[i].offset, extents[i].length, begin + extents[i].offset, &error);
    if (error != 0) {
      atomic_fetch_add(&arena->header->flushErrors, 1);
      return error;
    }
    atomic_fetch_add(&arena->header->flushedBytes, extents[i].length);
    atomic_fetch_add(&entry_of(arena, index)->writes, 1);
  }
  linger();
  switch_extents(slot, 0);
  linger();
  atomic_fetch_sub(&entry_of(arena, index)->dirtyBlocks, 1);
  return 0;
}

/* ---- data */

bool slot_copy(struct arena *arena, uint32_t index, uint64_t tag, uint32_t offset, void *to, uint32_t length) {
  struct slot *slot = &arena->slots[index];
  int64_t begin = simulate_begin();
  linger();
  uint32_t version = atomic_load_explicit(&slot->version, memory_order_acquire);
  if ((version & 1) != 0 || atomic_load_explicit(slot_tag(arena, index), memory_order_acquire) != tag ||
      !slot_is_valid(slot, offset / SECTOR_BYTES, (offset + length - 1) / SECTOR_BYTES)) {
    return false;
  }
  bool copied = copy_unlocked(to, slot_data(arena, index) + offset, length);
  linger();
  atomic_thread_fence(memory_order_acquire);
  if (!copied || atomic_load_explicit(&slot->version, memory_order_relaxed) != version) {
    return false;
  }
  simulate_end(begin, length, false);
  return true;
}

void slot_overlay(struct arena *arena, uint32_t index, uint32_t offset, uint8_t *to, uint32_t length) {
  const struct slot *slot = &arena->slots[index];
  const struct extent *extents = extents_of(slot);
  for (uint32_t i = 0; i < slot_extents(slot); i++) {
    uint32_t begin = extents[i].offset > offset ? extents[i].offset : offset;
    uint32_t end = extents[i].offset + extents[i].length;
    end = end < offset + length ? end : offset + length;
    if (begin < end) {
      memcpy(to + (begin - offset), slot_data(arena, index) + begin, end - begin);
    }
  }
}

void slot_assign(struct arena *arena, uint32_t index, uint64_t tag) {
  struct slot *slot = &arena->slots[index];
  begin_change(slot);
  clear_valid(slot);
  linger();
  atomic_store_explicit(&slot->referenced, 0, memory_order_relaxed);
  atomic_store_explicit(slot_tag(arena, index), tag, memory_order_release);
  end_change(slot);
}

/* Loads from the owner of the block, if there is one and as far as it has them, else from the file. Returns the bytes loaded; fewer than
 * asked for without an error at the end of the file only. */
static size_t load(const struct arena *arena, const struct source *source, uint64_t block, uint32_t offset, uint8_t *to, uint32_t length,
                   int *error) {
  uint64_t begin = block * arena->header->blockBytes + offset;
  ssize_t fetched = source->fetch == NULL ? 0 : source->fetch(source->context, block, offset, to, length);
  size_t done = fetched > 0 ? (size_t)fetched : 0;
  /* EFAULT: the arena's file system has no page for it. */
  return done + io_read(source->fd, to + done, length - done, begin + done, error);
}

/* Reserves the arena's pages of a range, so that storing to the mapping cannot fail. */
static int reserve(struct arena *arena, uint32_t index, uint32_t first, uint32_t last) {
  uint64_t begin = slot_file_offset(arena, index) + (uint64_t)first * SECTOR_BYTES;
  return arena_reserve(arena, begin, (uint64_t)(last - first + 1) * SECTOR_BYTES);
}

/* Copies loaded bytes into a slot, except over those that are dirty there. */
static void copy_around_dirty(struct arena *arena, uint32_t index, uint32_t offset, const uint8_t *loaded, uint32_t length) {
  const struct slot *slot = &arena->slots[index];
  const struct extent *extents = extents_of(slot);
  uint32_t count = slot_extents(slot);
  uint32_t end = offset + length;
  uint32_t at = offset;
  for (uint32_t i = 0; i < count && at < end; i++) {
    uint32_t dirty = extents[i].offset < end ? extents[i].offset : end;
    if (dirty > at) {
      copy_locked(slot_data(arena, index) + at, loaded + (at - offset), dirty - at);
    }
    uint32_t after = extents[i].offset + extents[i].length;
    at = after > at ? after : at;
  }
  if (at < end) {
    copy_locked(slot_data(arena, index) + at, loaded + (at - offset), end - at);
  }
}

/* Loads sectors of which something is dirty. Returns 0 or an errno. */
static int load_around_dirty(struct arena *arena, uint32_t index, const struct source *source, uint64_t block, uint32_t offset,
                             uint32_t length) {
  int error;
  uint8_t *loaded = calloc(1, length);
  if (loaded == NULL) {
    return ENOMEM;
  }
  load(arena, source, block, offset, loaded, length, &error);
  error = error != 0 ? error : reserve(arena, index, offset / SECTOR_BYTES, (offset + length - 1) / SECTOR_BYTES);
  if (error == 0) {
    copy_around_dirty(arena, index, offset, loaded, length);
  }
  free(loaded);
  return error;
}

/* Loads sectors of which nothing is dirty; zeros follow the end of the file. Returns 0 or an errno. */
static int load_clean(struct arena *arena, uint32_t index, const struct source *source, uint64_t block, uint32_t first, uint32_t last) {
  int error;
  uint32_t length = (last - first + 1) * SECTOR_BYTES;
  uint8_t *to = slot_data(arena, index) + (size_t)first * SECTOR_BYTES;
  size_t loaded = load(arena, source, block, first * SECTOR_BYTES, to, length, &error);
  if (error == 0 && loaded < length) {
    error = reserve(arena, index, first + (uint32_t)(loaded / SECTOR_BYTES), last);
    if (error == 0) {
      memset(to + loaded, 0, length - loaded);
    }
  }
  return error;
}

static int fill_sectors(struct arena *arena, uint32_t index, const struct source *source, uint64_t block, uint32_t first, uint32_t last) {
  uint32_t offset = first * SECTOR_BYTES;
  uint32_t length = (last - first + 1) * SECTOR_BYTES;
  int error = is_dirty_between(&arena->slots[index], offset, offset + length) ? load_around_dirty(arena, index, source, block, offset, length)
                                                                               : load_clean(arena, index, source, block, first, last);
  if (error == 0) {
    linger();
    put_checksums(arena, index, first, last);
    set_valid(&arena->slots[index], first, last, true);
  }
  return error;
}

int slot_fill(struct arena *arena, uint32_t index, uint64_t block, uint32_t offset, uint32_t length, const struct source *source) {
  struct slot *slot = &arena->slots[index];
  if (source->fd < 0 && source->fetch == NULL) {
    return EBADF;
  }
  uint32_t last = (offset + length - 1) / SECTOR_BYTES;
  for (uint32_t sector = offset / SECTOR_BYTES; sector <= last; sector++) {
    if (is_sector_valid(slot, sector)) {
      continue;
    }
    uint32_t end = sector;
    while (end < last && !is_sector_valid(slot, end + 1)) {
      end++;
    }
    int error = fill_sectors(arena, index, source, block, sector, end);
    if (error != 0) {
      return error;
    }
    sector = end;
  }
  return 0;
}

/* Makes the sectors valid that lie in a range as a whole. */
static void set_covered_valid(struct slot *slot, uint32_t offset, uint32_t length) {
  uint32_t first = (offset + SECTOR_BYTES - 1) / SECTOR_BYTES;
  uint32_t end = (offset + length) / SECTOR_BYTES;
  if (first < end) {
    set_valid(slot, first, end - 1, true);
  }
}

/* Overwrites bytes; what a reader copies meanwhile, it copies again. */
static void overwrite(struct arena *arena, uint32_t index, uint32_t offset, const uint8_t *from, uint32_t length, bool write_back) {
  struct slot *slot = &arena->slots[index];
  int64_t begin = simulate_begin();
  slot->pendingOffset = offset;
  slot->pendingWriteBack = write_back;
  __atomic_store_n(&slot->pendingLength, length, __ATOMIC_RELEASE);
  begin_change(slot);
  linger();
  copy_locked(slot_data(arena, index) + offset, from, length);
  linger();
  put_checksums(arena, index, offset / SECTOR_BYTES, (offset + length - 1) / SECTOR_BYTES);
  set_covered_valid(slot, offset, length);
  end_change(slot);
  linger();
  if (write_back) {
    mark_dirty(arena, index, offset, length);
  }
  __atomic_store_n(&slot->pendingLength, 0, __ATOMIC_RELEASE);
  simulate_end(begin, length, true);
}

/* Overwrites what is dirty in a range, so that no older bytes are written to the file after these. */
static void overwrite_dirty(struct arena *arena, uint32_t index, uint32_t offset, const uint8_t *from, uint32_t length) {
  struct slot *slot = &arena->slots[index];
  const struct extent *extents = extents_of(slot);
  uint32_t count = slot_extents(slot);
  begin_change(slot);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t begin = extents[i].offset > offset ? extents[i].offset : offset;
    uint32_t end = extents[i].offset + extents[i].length;
    end = end < offset + length ? end : offset + length;
    if (begin < end) {
      copy_locked(slot_data(arena, index) + begin, from + (begin - offset), end - begin);
    }
  }
  end_change(slot);
}

void slot_update(struct arena *arena, uint32_t index, uint32_t offset, const uint8_t *from, uint32_t length) {
  struct slot *slot = &arena->slots[index];
  uint32_t begin = offset;
  uint32_t end = offset + length;
  if (begin % SECTOR_BYTES != 0 && !is_sector_valid(slot, begin / SECTOR_BYTES)) {
    begin = (begin / SECTOR_BYTES + 1) * SECTOR_BYTES;
  }
  if (end % SECTOR_BYTES != 0 && end > begin && !is_sector_valid(slot, end / SECTOR_BYTES)) {
    end = end / SECTOR_BYTES * SECTOR_BYTES;
  }
  bool is_cached = begin < end;
  uint32_t first = begin / SECTOR_BYTES;
  uint32_t last = is_cached ? (end - 1) / SECTOR_BYTES : first;
  if (is_cached && !slot_is_valid(slot, first, last) && reserve(arena, index, first, last) != 0) {
    /* Readers load from the file what was written to it; what was cached of it is old. */
    begin_change(slot);
    set_valid(slot, first, last, false);
    end_change(slot);
    is_cached = false;
  }
  if (is_dirty_between(slot, offset, offset + length)) {
    overwrite_dirty(arena, index, offset, from, length);
  }
  if (is_cached) {
    overwrite(arena, index, begin, from + (begin - offset), end - begin, is_dirty_between(slot, begin, end));
  }
}

void slot_begin_write(struct arena *arena, uint32_t index, uint32_t offset, uint32_t length) {
  struct slot *slot = &arena->slots[index];
  slot->pendingOffset = offset;
  slot->pendingWriteBack = 0;
  __atomic_store_n(&slot->pendingLength, length, __ATOMIC_RELEASE);
}

void slot_end_write(struct arena *arena, uint32_t index, uint32_t offset, const uint8_t *from, uint32_t written) {
  if (written > 0) {
    slot_update(arena, index, offset, from, written);
  }
  __atomic_store_n(&arena->slots[index].pendingLength, 0, __ATOMIC_RELEASE);
}

int slot_modify(struct arena *arena, uint32_t index, uint32_t offset, const uint8_t *from, uint32_t length, int fd) {
  struct slot *slot = &arena->slots[index];
  uint32_t first = offset / SECTOR_BYTES;
  uint32_t last = (offset + length - 1) / SECTOR_BYTES;
  int error = slot_is_valid(slot, first, last) ? 0 : reserve(arena, index, first, last);
  if (error == 0 && slot_extents(slot) == MAX_EXTENTS) {
    error = slot_flush(arena, index, fd);
  }
  if (error == 0) {
    overwrite(arena, index, offset, from, length, true);
  }
  return error;
}

void slot_forget(struct arena *arena, uint32_t index) {
  struct slot *slot = &arena->slots[index];
  begin_change(slot);
  clear_valid(slot);
  linger();
  end_change(slot);
}

void slot_discard(struct arena *arena, uint32_t index) {
  slot_forget(arena, index);
  switch_extents(&arena->slots[index], 0);
  atomic_fetch_sub(&entry_of(arena, index)->dirtyBlocks, 1);
}

/* Makes a slot whole whose owner died. */
static void recover(struct arena *arena, uint32_t index) {
  struct slot *slot = &arena->slots[index];
  uint32_t offset = slot->pendingOffset;
  uint32_t length = slot->pendingLength;
  bool changing = (atomic_load(&slot->version) & 1) != 0;
  if (length > 0) {
    uint32_t first = offset / SECTOR_BYTES;
    uint32_t last = (offset + length - 1) / SECTOR_BYTES;
    bool dirty = slot->pendingWriteBack != 0 || is_dirty_between(slot, first * SECTOR_BYTES, (last + 1) * SECTOR_BYTES);
    for (uint32_t sector = first; sector <= last; sector++) {
      if (!is_sector_valid(slot, sector)) {
        continue;
      }
      if (!dirty) {
        /* The file has what was written. */
        set_valid(slot, sector, sector, false);
        continue;
      }
      /* Some of it may be written already: the file gets what the cache has. */
      uint32_t begin = sector * SECTOR_BYTES > offset ? sector * SECTOR_BYTES : offset;
      uint32_t end = (sector + 1) * SECTOR_BYTES < offset + length ? (sector + 1) * SECTOR_BYTES : offset + length;
      put_checksums(arena, index, sector, sector);
      mark_dirty(arena, index, begin, end - begin);
    }
    slot->pendingLength = 0;
  } else if (changing && slot_extents(slot) == 0) {
    clear_valid(slot);
  }
  if (changing) {
    end_change(slot);
  }
}

void slot_lock(struct arena *arena, uint32_t index) {
  if (lock_take(&arena->slots[index].lock)) {
    recover(arena, index);
  }
}

bool slot_try_lock(struct arena *arena, uint32_t index) {
  bool owner_died;
  if (!lock_try(&arena->slots[index].lock, &owner_died)) {
    return false;
  }
  if (owner_died) {
    recover(arena, index);
  }
  return true;
}

bool slot_try_lock_for(struct arena *arena, uint32_t index, int64_t nanos) {
  bool owner_died;
  if (!lock_try_for(&arena->slots[index].lock, nanos, &owner_died)) {
    return false;
  }
  if (owner_died) {
    recover(arena, index);
  }
  return true;
}

void slot_unlock(struct arena *arena, uint32_t index) {
  lock_release(&arena->slots[index].lock);
}

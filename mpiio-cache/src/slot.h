/* One slot: what the holder of its lock does with it, and how others read it. */
#ifndef DYNIMS_SLOT_H
#define DYNIMS_SLOT_H

#include <sys/types.h>

#include "arena.h"

/* Reads part of a block from the node that owns it. Returns the bytes read, or -1; the file system is asked for the rest. */
typedef ssize_t (*fetch_function)(void *context, uint64_t block, uint32_t offset, void *to, uint32_t length);

/* Where blocks are loaded from. */
struct source {
  int fd;               /* -1 if the file is not open for reading */
  fetch_function fetch; /* NULL: blocks come from the file system */
  void *context;
};

void slot_lock(struct arena *arena, uint32_t slot);
bool slot_try_lock(struct arena *arena, uint32_t slot);
bool slot_try_lock_for(struct arena *arena, uint32_t slot, int64_t nanos);
void slot_unlock(struct arena *arena, uint32_t slot);

/* How many ranges of it are dirty, and how much. */
uint32_t slot_extents(const struct slot *slot);
uint32_t slot_dirty_bytes(const struct slot *slot);

/* Whether all sectors from first to last are valid. */
bool slot_is_valid(const struct slot *slot, uint32_t first, uint32_t last);

/* Copies from a slot without its lock. Returns false if the block is not there, not loaded, or changes or goes meanwhile. */
bool slot_copy(struct arena *arena, uint32_t slot, uint64_t tag, uint32_t offset, void *to, uint32_t length);

/* Copies what is dirty in a range over what the file has of it. The slot is locked. */
void slot_overlay(struct arena *arena, uint32_t slot, uint32_t offset, uint8_t *to, uint32_t length);

/* Gives the locked slot to another block, or to none; readers that copy notice. The set's lock is held, too. */
void slot_assign(struct arena *arena, uint32_t slot, uint64_t tag);

/* Forgets what is in the locked slot but what is dirty. */
void slot_forget(struct arena *arena, uint32_t slot);

/* Forgets that, too. */
void slot_discard(struct arena *arena, uint32_t slot);

/* Loads the sectors of a range that are not valid yet. Returns 0 or an errno. */
int slot_fill(struct arena *arena, uint32_t slot, uint64_t block, uint32_t offset, uint32_t length, const struct source *source);

/* Overwrites bytes whose file has them already: partly covered sectors that are not valid are left out. */
void slot_update(struct arena *arena, uint32_t slot, uint32_t offset, const uint8_t *from, uint32_t length);

/* Before and after bytes are written to the file of a slot that has nothing dirty: what of them is cached when their writer dies is not
 * valid. The second one overwrites so many bytes, as slot_update does. */
void slot_begin_write(struct arena *arena, uint32_t slot, uint32_t offset, uint32_t length);
void slot_end_write(struct arena *arena, uint32_t slot, uint32_t offset, const uint8_t *from, uint32_t written);

/* Overwrites bytes and marks them dirty; flushes to a file first, if no more ranges can be. Returns 0 or an errno, with nothing changed. */
int slot_modify(struct arena *arena, uint32_t slot, uint32_t offset, const uint8_t *from, uint32_t length, int fd);

/* Writes the dirty extents of a locked slot to a file. Returns 0 or an errno. */
int slot_flush(struct arena *arena, uint32_t slot, int fd);

/* In debug builds: waits now and then, so that tests meet, and kill processes in, states that last for nanoseconds only. */
#ifdef DYNIMS_CHECKSUMS
void linger(void);
#else
#define linger() (void)0
#endif

#endif

/* What the holder of a slot's lock does with it. */
#ifndef DYNIMS_SLOT_H
#define DYNIMS_SLOT_H

#include "cache.h"

/* Whether all sectors from first to last are valid. */
bool slot_is_valid(const struct slot *slot, uint32_t first, uint32_t last);

/* Copies from a slot without its lock. Returns false if the block is not there, not loaded, or changes meanwhile. */
bool slot_copy(struct arena *arena, uint32_t slot, uint64_t tag, uint32_t offset, void *to, uint32_t length);

/* Copies what is dirty in a range over what the file has of it. The slot is locked. */
void slot_overlay(struct arena *arena, uint32_t slot, uint32_t offset, uint8_t *to, uint32_t length);

/* Gives the locked slot to another block, or to none; readers that copy notice. The set's lock is held, too. */
void slot_assign(struct arena *arena, uint32_t slot, uint64_t tag);

/* Gives the locked slot another tag of the same set; of its bytes only the dirty ones are kept. */
void slot_retag(struct arena *arena, uint32_t slot, uint64_t tag);

/* Forgets what is dirty in the locked slot, and all else. */
void slot_discard(struct arena *arena, uint32_t slot);

/* Forgets what is in the locked slot but what is dirty. */
void slot_invalidate(struct arena *arena, uint32_t slot);

/* Loads the sectors of a range that are not valid yet. Returns 0 or an errno. */
int slot_fill(struct cache_file *file, uint32_t slot, uint64_t block, uint32_t offset, uint32_t length);

/* Overwrites bytes whose file has them already: partly covered sectors that are not valid are left out. */
void slot_update(struct arena *arena, uint32_t slot, uint32_t offset, const uint8_t *from, uint32_t length);

/* Overwrites bytes and marks them dirty. Returns 0 or an errno, with nothing changed. */
int slot_modify(struct cache_file *file, uint32_t slot, uint32_t offset, const uint8_t *from, uint32_t length);

/* Frees the locked slot, and gives its memory back. */
void slot_free(struct arena *arena, uint32_t slot);

uint32_t slot_extents(const struct slot *slot);

/* In debug builds: waits now and then, so that tests meet, and kill processes in, states that last for nanoseconds only. */
#ifdef DYNIMS_CHECKSUMS
void linger(void);
#else
#define linger() (void)0
#endif

#endif

/* Which slot holds which block: looking for one, giving it away, and evicting. */
#ifndef DYNIMS_SETS_H
#define DYNIMS_SETS_H

#include "arena.h"

/* The slot of a set that has a tag now, or -1. */
int sets_find(const struct arena *arena, uint32_t set, uint64_t tag);

/* The locked slot of a set that had a tag, or was given it, just now: the caller looks whether it still has it. Returns -1 if no slot can
 * be had. */
int sets_take(struct arena *arena, uint32_t set, uint64_t tag);

/* Notes that a block was used: the clock's hand passes it by. */
void sets_reference(struct slot *slot);

/* Frees a locked slot, and gives its memory back. Waits for nobody. */
void sets_free(struct arena *arena, uint32_t slot);

/* Forgets what is in a locked slot but what is dirty. */
void sets_invalidate(struct arena *arena, uint32_t slot);

/* Gives a locked slot another tag of the same set; of its bytes only the dirty ones are kept. */
void sets_retag(struct arena *arena, uint32_t slot, uint64_t tag);

/* How many blocks of a set are above its limit. */
uint32_t sets_above_limit(const struct arena *arena, uint32_t set);

/* Evicts clean blocks of the sets first to end-1 until they are within their limits or the deadline (monotonic) passes. Returns how
 * many blocks are still above. */
uint64_t sets_evict(struct arena *arena, uint32_t first, uint32_t end, int64_t deadline_nanos);

/* Gives back what free slots hold although their memory was given back: a reader that copies from a slot while it is freed touches its
 * pages once more. Does nothing if the arena takes no more than its used blocks. */
void sets_sweep(struct arena *arena);

/* Counts again what a killed process may have left wrong, unless somebody has the set's lock. */
void sets_recount(struct arena *arena, uint32_t set);

#endif

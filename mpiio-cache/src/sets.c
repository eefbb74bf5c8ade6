#include "sets.h"

#include "clock.h"
#include "lock.h"
#include "slot.h"

#define MOST_REFERENCED 3

int sets_find(const struct arena *arena, uint32_t set, uint64_t tag) {
  const struct set *at = &arena->sets[set];
  uint32_t ways = arena->header->ways;
  for (uint32_t way = 0; way < ways; way++) {
    if (atomic_load_explicit(&at->tags[way], memory_order_relaxed) == tag) {
      return (int)(set * ways + way);
    }
  }
  return -1;
}

/* Counts the slots in use again, which a killed process may have left wrong. The lock is held. */
static void recover(struct arena *arena, uint32_t set) {
  uint32_t used = 0;
  for (uint32_t way = 0; way < arena->header->ways; way++) {
    used += atomic_load(&arena->sets[set].tags[way]) != 0;
  }
  arena->sets[set].used = used;
}

static void set_lock(struct arena *arena, uint32_t set) {
  if (lock_take(&arena->sets[set].lock)) {
    recover(arena, set);
  }
}

static bool set_try_lock(struct arena *arena, uint32_t set) {
  bool owner_died;
  if (!lock_try(&arena->sets[set].lock, &owner_died)) {
    return false;
  }
  if (owner_died) {
    recover(arena, set);
  }
  return true;
}

static void set_unlock(struct arena *arena, uint32_t set) {
  lock_release(&arena->sets[set].lock);
}

void sets_recount(struct arena *arena, uint32_t set) {
  if (set_try_lock(arena, set)) {
    recover(arena, set);
    set_unlock(arena, set);
  }
}

/* Frees locked slots of a set. Whoever has the set's lock may be stopped: it is not waited for. If it counts just now, it finds a slot too
 * much rather than too few, until the next count. */
static void free_slots(struct arena *arena, uint32_t set, const uint32_t *slots, uint32_t count) {
  bool locked = set_try_lock(arena, set);
  for (uint32_t i = 0; i < count; i++) {
    atomic_fetch_sub(&arena->sets[set].used, 1);
    linger();
    slot_assign(arena, slots[i], 0);
  }
  if (locked) {
    set_unlock(arena, set);
  }
}

/* Takes the lock of the clean slot that the clock's hand meets next and that nobody has used since it passed, if there is one. */
static int claim_victim(struct arena *arena, uint32_t set) {
  struct set *at = &arena->sets[set];
  uint32_t ways = arena->header->ways;
  bool dirty = false;
  for (uint32_t step = 0; step < ways * (MOST_REFERENCED + 1); step++) {
    uint32_t way = atomic_fetch_add_explicit(&at->hand, 1, memory_order_relaxed) % ways;
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

int sets_take(struct arena *arena, uint32_t set, uint64_t tag) {
  set_lock(arena, set);
  int index = sets_find(arena, set, tag);
  if (index < 0) {
    index = claim(arena, set, tag);
    set_unlock(arena, set);
    /* Who wrote to the file before it looked for this tag must be read; who looks after this must find the tag. */
    atomic_thread_fence(memory_order_seq_cst);
    return index;
  }
  set_unlock(arena, set);
  slot_lock(arena, (uint32_t)index);
  return index;
}

void sets_reference(struct slot *slot) {
  uint8_t referenced = atomic_load_explicit(&slot->referenced, memory_order_relaxed);
  if (referenced < MOST_REFERENCED) {
    atomic_store_explicit(&slot->referenced, referenced + 1, memory_order_relaxed);
  }
}

void sets_free(struct arena *arena, uint32_t index) {
  free_slots(arena, index / arena->header->ways, &index, 1);
  arena_punch(arena, index);
}

void sets_invalidate(struct arena *arena, uint32_t index) {
  if (slot_extents(&arena->slots[index]) == 0) {
    sets_free(arena, index);
  } else {
    slot_forget(arena, index);
  }
}

void sets_retag(struct arena *arena, uint32_t index, uint64_t tag) {
  uint32_t set = index / arena->header->ways;
  slot_forget(arena, index);
  set_lock(arena, set);
  slot_assign(arena, index, tag);
  set_unlock(arena, set);
}

uint32_t sets_above_limit(const struct arena *arena, uint32_t set) {
  uint32_t used = atomic_load_explicit(&arena->sets[set].used, memory_order_relaxed);
  uint32_t limit = set_limit(arena, set);
  return used > limit ? used - limit : 0;
}

/* Evicts what is above the limit of a set, as far as it is clean and nobody holds it. Returns how many blocks are still above. */
static uint32_t evict_from(struct arena *arena, uint32_t set) {
  uint32_t victims[MAX_WAYS];
  uint32_t count = 0;
  uint32_t wanted = sets_above_limit(arena, set);
  while (count < wanted && count < MAX_WAYS) {
    int index = claim_victim(arena, set);
    if (index < 0) {
      break;
    }
    victims[count++] = (uint32_t)index;
  }
  free_slots(arena, set, victims, count);
  for (uint32_t i = 0; i < count; i++) {
    arena_punch(arena, victims[i]);
    slot_unlock(arena, victims[i]);
  }
  atomic_fetch_add_explicit(&arena->header->evictedBlocks, count, memory_order_relaxed);
  return sets_above_limit(arena, set);
}

uint64_t sets_evict(struct arena *arena, uint32_t first, uint32_t end, int64_t deadline_nanos) {
  uint64_t above = 0;
  for (uint32_t set = first; set < end; set++) {
    uint32_t above_here = sets_above_limit(arena, set);
    if (above_here > 0) {
      above += monotonic_nanos() < deadline_nanos ? evict_from(arena, set) : above_here;
    }
  }
  return above;
}

void sets_sweep(struct arena *arena) {
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
      arena_punch(arena, index);
    }
    slot_unlock(arena, index);
  }
}

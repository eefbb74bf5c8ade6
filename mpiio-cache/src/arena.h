/* The arena as a process sees it: made by the agent, mapped by everybody. */
#ifndef DYNIMS_ARENA_H
#define DYNIMS_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "layout.h"

struct arena {
  int fd;
  struct header *header;
  struct file_entry *files;
  struct set *sets;
  struct slot *slots;
  uint8_t *data;
};

/* Maps the arena of a name in an open directory. Returns 0 or an errno: ENOENT without one, EPROTO for a file of another layout, EPERM
 * for one that is not this user's alone, ESTALE for one from before the machine was started. */
int arena_open(struct arena *arena, int directory, const char *name);

/* Makes an arena for at most maxBytes of blocks, under a name that nothing has. Returns 0 or an errno. */
int arena_create(struct arena *arena, int directory, const char *name, uint64_t max_bytes, uint32_t block_bytes);

void arena_close(struct arena *arena);

/* Whether any process has the file of a name open or mapped, whatever is in it. */
bool arena_is_in_use(int directory, const char *name);

static inline uint32_t arena_slots(const struct arena *arena) {
  return arena->header->sets * arena->header->ways;
}

static inline uint64_t arena_max_bytes(const struct arena *arena) {
  return (uint64_t)arena_slots(arena) * arena->header->blockBytes;
}

static inline uint8_t *slot_data(const struct arena *arena, uint32_t slot) {
  return arena->data + (size_t)slot * arena->header->blockBytes;
}

static inline uint64_t slot_file_offset(const struct arena *arena, uint32_t slot) {
  return arena->header->dataOffset + (uint64_t)slot * arena->header->blockBytes;
}

/* The tag of a slot lies in its set. */
static inline _Atomic uint64_t *slot_tag(const struct arena *arena, uint32_t slot) {
  uint32_t ways = arena->header->ways;
  return &arena->sets[slot / ways].tags[slot % ways];
}

/* The most slots that a set may use, so that all together use no more than the capacity. */
static inline uint32_t set_limit(const struct arena *arena, uint32_t set) {
  uint64_t blocks = atomic_load_explicit(&arena->header->capacityBlocks, memory_order_relaxed);
  uint32_t sets = arena->header->sets;
  return (uint32_t)(blocks / sets) + (set < blocks % sets ? 1 : 0);
}

static inline uint32_t set_of(const struct arena *arena, uint32_t file, uint64_t block) {
  return (uint32_t)((block + file * UINT64_C(2654435761)) % arena->header->sets);
}

/* Reserves pages of a range of the file, so that storing to the mapping cannot fail. Returns 0 or an errno. */
int arena_reserve(const struct arena *arena, uint64_t offset, uint64_t length);

/* Gives the memory of a locked, free slot back to the node. Returns 0 or an errno. */
int arena_punch(struct arena *arena, uint32_t slot);

/* What the arena's file takes of the node's memory. */
uint64_t arena_resident_bytes(const struct arena *arena);

#endif

#include "agent_control.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "agent_flush.h"
#include "clock.h"
#include "sets.h"
#include "slot.h"

#define EVICTORS 2
#define RESIZE_NANOS 5000000

struct eviction {
  struct arena *arena;
  uint32_t first, end;
  int64_t deadline;
  uint64_t above;
};

static void *evict(void *argument) {
  struct eviction *part = argument;
  part->above = sets_evict(part->arena, part->first, part->end, part->deadline);
  return NULL;
}

/* Two threads, as a node frees pages twice as fast with them. */
static uint64_t evict_all(struct arena *arena, int64_t deadline) {
  uint32_t sets = arena->header->sets;
  struct eviction parts[EVICTORS];
  pthread_t threads[EVICTORS];
  bool started[EVICTORS] = {false};
  for (uint32_t i = 0; i < EVICTORS; i++) {
    parts[i] = (struct eviction){arena, sets * i / EVICTORS, sets * (i + 1) / EVICTORS, deadline, 0};
    started[i] = i > 0 && pthread_create(&threads[i], NULL, evict, &parts[i]) == 0;
  }
  uint64_t above = 0;
  for (uint32_t i = 0; i < EVICTORS; i++) {
    if (!started[i]) {
      evict(&parts[i]);
    }
  }
  for (uint32_t i = 0; i < EVICTORS; i++) {
    if (started[i]) {
      pthread_join(threads[i], NULL);
    }
    above += parts[i].above;
  }
  return above;
}

static uint64_t used_blocks(const struct arena *arena) {
  uint64_t used = 0;
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    used += atomic_load_explicit(&arena->sets[set].used, memory_order_relaxed);
  }
  return used;
}

bool control_resize(struct agent *agent, uint64_t bytes, int64_t deadline) {
  struct arena *arena = &agent->arena;
  uint64_t blocks = bytes / arena->header->blockBytes;
  if (blocks > arena_slots(arena)) {
    blocks = arena_slots(arena);
  }
  bool shrinks = blocks < atomic_exchange(&arena->header->capacityBlocks, blocks);
  bool is_above = used_blocks(arena) > blocks;
  uint64_t above = is_above || shrinks ? evict_all(arena, deadline) : 0;
  if (above > 0) {
    /* What could not be evicted is dirty, or in use for an instant. */
    flush_wake();
    return false;
  }
  sets_sweep(arena);
  return true;
}

/* Whether a process has the lock of a block, for an instant or because it is stopped. */
static bool is_held(struct arena *arena, uint32_t index) {
  if (atomic_load(slot_tag(arena, index)) == 0) {
    return false;
  }
  if (!slot_try_lock(arena, index)) {
    return true;
  }
  slot_unlock(arena, index);
  return false;
}

/* What is dirty, and what is above the limit and cannot be evicted now: dirty blocks, and clean ones that a process holds. */
struct obstacles {
  uint64_t dirtyBytes, unevictableBlocks, heldBlocks;
};

static void add_obstacles(struct arena *arena, uint32_t set, struct obstacles *all) {
  uint32_t above = sets_above_limit(arena, set);
  uint32_t dirty = 0;
  uint32_t held = 0;
  for (uint32_t way = 0; way < arena->header->ways; way++) {
    uint32_t index = set * arena->header->ways + way;
    if (slot_extents(&arena->slots[index]) > 0) {
      dirty++;
      all->dirtyBytes += slot_dirty_bytes(&arena->slots[index]);
    } else {
      held += above > 0 && is_held(arena, index);
    }
  }
  dirty = dirty < above ? dirty : above;
  held = held < above - dirty ? held : above - dirty;
  all->unevictableBlocks += dirty + held;
  all->heldBlocks += held;
}

static struct obstacles find_obstacles(struct arena *arena) {
  struct obstacles all = {0};
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    add_obstacles(arena, set, &all);
  }
  return all;
}

static uint32_t count_files(const struct arena *arena) {
  uint32_t files = 0;
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    files += atomic_load(&arena->files[i].used) == ENTRY_USED;
  }
  return files;
}

#define BYTES(value) (unsigned long long)(value)

static void put_status(struct agent *agent, const char *more, FILE *to) {
  struct arena *arena = &agent->arena;
  const struct header *header = arena->header;
  struct obstacles obstacles = find_obstacles(arena);
  const struct totals *totals = &header->totals;
  fprintf(to,
          "{\"capacityBytes\":%llu,\"maxBytes\":%llu,\"blockBytes\":%u,\"usedBytes\":%llu,\"residentBytes\":%llu,"
          "\"dirtyBytes\":%llu,\"unevictableBytes\":%llu,\"heldBytes\":%llu,",
          BYTES(header->capacityBlocks * header->blockBytes), BYTES(arena_max_bytes(arena)), header->blockBytes,
          BYTES(used_blocks(arena) * header->blockBytes), BYTES(arena_resident_bytes(arena)), BYTES(obstacles.dirtyBytes),
          BYTES(obstacles.unevictableBlocks * header->blockBytes), BYTES(obstacles.heldBlocks * header->blockBytes));
  fprintf(to, "\"hits\":%llu,\"misses\":%llu,\"hitBytes\":%llu,\"missBytes\":%llu,\"bypassedReads\":%llu,\"passedThrough\":%llu,",
          BYTES(totals->hits), BYTES(totals->misses), BYTES(totals->hitBytes), BYTES(totals->missBytes), BYTES(totals->bypassedReads),
          BYTES(header->passedThrough));
  fprintf(to, "\"evictedBlocks\":%llu,\"flushedBytes\":%llu,\"flushErrors\":%llu,\"lostBytes\":%llu,\"files\":%u,\"ranks\":%u,%s\"version\":\"%s\"}\n",
          BYTES(header->evictedBlocks), BYTES(header->flushedBytes), BYTES(header->flushErrors), BYTES(header->lostBytes),
          count_files(arena), atomic_load(&agent->ranks), more, DYNIMS_VERSION);
}

static void put_text(const char *text, FILE *to) {
  fputc('"', to);
  for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
    if (*at == '"' || *at == '\\') {
      fprintf(to, "\\%c", *at);
    } else if (*at < ' ') {
      fprintf(to, "\\u%04x", *at);
    } else {
      fputc(*at, to);
    }
  }
  fputc('"', to);
}

static void put_files(struct agent *agent, FILE *to) {
  struct arena *arena = &agent->arena;
  static uint32_t used[MAX_FILES];
  static uint64_t dirty[MAX_FILES];
  memset(used, 0, sizeof used);
  memset(dirty, 0, sizeof dirty);
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    if (tag != 0) {
      used[tag_file(tag)]++;
      dirty[tag_file(tag)] += slot_dirty_bytes(&arena->slots[index]);
    }
  }
  fputs("{\"files\":[", to);
  const char *separator = "";
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    struct file_entry *entry = &arena->files[i];
    if (atomic_load(&entry->used) != ENTRY_USED) {
      continue;
    }
    fprintf(to, "%s{\"path\":", separator);
    put_text(entry->path, to);
    fprintf(to, ",\"usedBytes\":%llu,\"dirtyBytes\":%llu,\"hitBytes\":%llu,\"missBytes\":%llu,\"opens\":%llu,\"openers\":%u}",
            BYTES((uint64_t)used[i] * arena->header->blockBytes), BYTES(dirty[i]), BYTES(entry->hitBytes), BYTES(entry->missBytes),
            BYTES(entry->opens), atomic_load(&entry->openers));
    separator = ",";
  }
  fputs("]}\n", to);
}

static void put_error(const char *what, const char *request, FILE *to) {
  char text[256];
  snprintf(text, sizeof text, "%s: %.200s", what, request);
  fputs("{\"error\":", to);
  put_text(text, to);
  fputs("}\n", to);
}

void control_answer(struct agent *agent, char *request, pid_t from, FILE *to) {
  char *rest = request;
  char *word = strsep(&rest, " ");
  if (atomic_load(&agent->arena.header->controlledAtNanos) != 0 && from == agent->controller) {
    atomic_store(&agent->arena.header->controlledAtNanos, monotonic_nanos());
  }
  if (strcmp(word, "status") == 0) {
    put_status(agent, "", to);
  } else if (strcmp(word, "files") == 0) {
    put_files(agent, to);
  } else if (strcmp(word, "resize") == 0) {
    char *end = rest;
    unsigned long long bytes = rest != NULL && isdigit((unsigned char)*rest) ? strtoull(rest, &end, 10) : 0;
    if (rest == NULL || end == rest || *end != 0) {
      put_error("resize wants a number of bytes, not", rest == NULL ? "nothing" : rest, to);
      return;
    }
    agent->controller = from;
    atomic_store(&agent->arena.header->controlledAtNanos, monotonic_nanos());
    bool reached = control_resize(agent, bytes, monotonic_nanos() + RESIZE_NANOS);
    put_status(agent, reached ? "\"reached\":true," : "\"reached\":false,", to);
  } else {
    put_error("unknown request", word, to);
  }
}

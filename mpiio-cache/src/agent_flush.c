#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"
#include "parallel.h"
#include "slot.h"

#define LOOK_NANOS 50000000
/* Slots that are flushed together. */
#define ROUND 1024
#define RECOUNT_EVERY 20
#define PREFETCHES 256
#define LOST_NANOS INT64_C(60000000000)

static pthread_t flusher, prefetcher;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool wanted;

static struct prefetch {
  uint32_t file, generation;
  uint64_t first, end;
} queue[PREFETCHES];
static uint32_t queue_first, queue_count;

/* Flushes a slot whose file may be closed here. Returns 0 or an errno. */
static int flush_one(struct agent *agent, uint32_t index, uint32_t file) {
  int fd = files_descriptor(agent, file, true);
  if (fd < 0) {
    return -fd;
  }
  slot_lock(&agent->arena, index);
  uint64_t tag = atomic_load(slot_tag(&agent->arena, index));
  int error = tag != 0 && tag_file(tag) == file ? slot_flush(&agent->arena, index, fd) : 0;
  slot_unlock(&agent->arena, index);
  close(fd);
  return error;
}

/* Old: dirty here for so long that a program that has the file open would have told the agent. */
static void note_error(struct agent *agent, uint32_t file, int error, bool old) {
  struct file_entry *entry = &agent->arena.files[file];
  if (old && (error == ENOENT || error == ESTALE) && atomic_load(&entry->openers) == 0) {
    agent_log("%s is gone with dirty blocks in memory, and no program has it open: they are lost", entry->path);
    struct cache_file gone = {.arena = &agent->arena, .entry = entry, .index = file, .generation = generation_of(entry->identity)};
    cache_drop_all(&gone, LOSE_DIRTY);
    return;
  }
  int none = 0;
  if (error != 0 && atomic_compare_exchange_strong(&entry->flushError, &none, error)) {
    agent_log("cannot write dirty blocks of %s: %s; they stay in memory, and are tried again", entry->path, strerror(error));
  }
}

/* Slots that wait to be flushed, and as of when. */
struct round {
  struct agent *agent;
  uint32_t slots[ROUND];
  uint32_t count;
  int64_t now;
};

static void flush_slot(void *context, uint32_t at) {
  struct round *round = context;
  struct arena *arena = &round->agent->arena;
  uint32_t index = round->slots[at];
  uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
  if (tag != 0 && slot_extents(&arena->slots[index]) > 0) {
    int64_t since = atomic_load(&arena->slots[index].dirtySinceNanos);
    int64_t age = round->now - (since > round->agent->startedNanos ? since : round->agent->startedNanos);
    note_error(round->agent, tag_file(tag), flush_one(round->agent, index, tag_file(tag)), age > LOST_NANOS);
  }
}

static void flush_slots(struct round *round) {
  run_parallel(round->count, flush_slot, round);
  round->count = 0;
}

static bool is_above_limit(struct arena *arena, uint32_t index) {
  uint32_t set = index / arena->header->ways;
  return atomic_load_explicit(&arena->sets[set].used, memory_order_relaxed) > set_limit(arena, set);
}

/* Flushes what is old enough, or is in the way of a lower limit. */
static void flush_round(struct agent *agent, bool all) {
  struct arena *arena = &agent->arena;
  struct round round = {.agent = agent, .now = monotonic_nanos()};
  bool hurry = atomic_exchange(&arena->header->flushWanted, 0) != 0;
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    struct slot *slot = &arena->slots[index];
    if (atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed) == 0 || slot_extents(slot) == 0) {
      continue;
    }
    int64_t age = round.now - atomic_load(&slot->dirtySinceNanos);
    if (all || hurry || age >= agent->dirtyAgeNanos || is_above_limit(arena, index)) {
      round.slots[round.count++] = index;
    }
    if (round.count == ROUND) {
      flush_slots(&round);
    }
  }
  flush_slots(&round);
  uint64_t dirty = 0;
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    if (atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed) != 0) {
      dirty += slot_dirty_bytes(&arena->slots[index]);
    }
  }
  atomic_store(&arena->header->dirtyBytes, dirty);
}

void flush_everything(struct agent *agent) {
  flush_round(agent, true);
}

static struct timespec after(long nanos) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += nanos;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  return until;
}

static void recount(struct arena *arena) {
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    cache_recount(arena, set);
  }
}

static void *flush_loop(void *argument) {
  struct agent *agent = argument;
  uint32_t rounds = 0;
  while (!atomic_load(&agent->stopping)) {
    flush_round(agent, false);
    cache_sweep(&agent->arena);
    if (++rounds % RECOUNT_EVERY == 0) {
      recount(&agent->arena);
      cache_collect(&agent->arena);
      files_sweep(agent);
    }
    struct timespec until = after(LOOK_NANOS);
    pthread_mutex_lock(&lock);
    if (!wanted && !atomic_load(&agent->stopping)) {
      pthread_cond_timedwait(&changed, &lock, &until);
    }
    wanted = false;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

void flush_wake(void) {
  pthread_mutex_lock(&lock);
  wanted = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

void prefetch(uint32_t file, uint32_t generation, uint64_t first, uint64_t end) {
  pthread_mutex_lock(&lock);
  if (queue_count < PREFETCHES) {
    queue[(queue_first + queue_count++) % PREFETCHES] = (struct prefetch){file, generation, first, end};
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

/* Loads blocks as long as there are free slots, and their file has its entry. */
static void prefetch_blocks(struct agent *agent, const struct prefetch *wanted_blocks) {
  struct arena *arena = &agent->arena;
  uint32_t index = wanted_blocks->file;
  int fd = files_descriptor(agent, index, false);
  if (fd < 0) {
    return;
  }
  struct cache_file file = {.arena = arena, .entry = &arena->files[index], .index = index, .generation = wanted_blocks->generation,
                            .readFd = fd, .writeFd = -1, .nextOffset = UINT64_MAX, .lastBlock = UINT64_MAX};
  for (uint64_t block = wanted_blocks->first; block < wanted_blocks->end && !atomic_load(&agent->stopping); block++) {
    if (!cache_load(&file, block)) {
      break;
    }
  }
  close(fd);
}

static void *prefetch_loop(void *argument) {
  struct agent *agent = argument;
  pthread_mutex_lock(&lock);
  while (!atomic_load(&agent->stopping)) {
    if (queue_count == 0) {
      pthread_cond_wait(&changed, &lock);
      continue;
    }
    struct prefetch next = queue[queue_first];
    queue_first = (queue_first + 1) % PREFETCHES;
    queue_count--;
    pthread_mutex_unlock(&lock);
    prefetch_blocks(agent, &next);
    pthread_mutex_lock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

void flush_start(struct agent *agent) {
  pthread_create(&flusher, NULL, flush_loop, agent);
  pthread_create(&prefetcher, NULL, prefetch_loop, agent);
}

void flush_stop(void) {
  flush_wake();
  pthread_join(flusher, NULL);
  pthread_join(prefetcher, NULL);
}

#include "agent_flush.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent_files.h"
#include "cache.h"
#include "clock.h"
#include "log.h"
#include "parallel.h"
#include "sets.h"

#define LOOK_NANOS 50000000
#define RECOUNT_EVERY 20
#define LOST_NANOS INT64_C(60000000000)
/* How long a flush waits for whoever uses a block. A rank may be stopped for hours: then a later look writes the block. */
#define HELD_NANOS INT64_C(20000000)

/* Files that are flushed, and ranges that are loaded, at once: what a file system keeps from its end holds up no other. */
#define FLUSHES 32
#define PREFETCHES 8

static pthread_t flusher;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool wanted;
static uint32_t flushes, prefetches;

/* Flushes a slot whose file may be closed here. Returns 0 or an errno. */
static int flush_one(struct agent *agent, uint32_t index, uint32_t file) {
  struct arena *arena = &agent->arena;
  uint32_t generation = generation_of(atomic_load(&arena->files[file].identity));
  int fd = files_descriptor(arena, file, true);
  if (fd < 0) {
    return -fd;
  }
  if (!slot_try_lock_for(arena, index, HELD_NANOS)) {
    close(fd);
    return 0;
  }
  uint64_t tag = atomic_load(slot_tag(arena, index));
  /* The descriptor is of the file that had the entry before. */
  bool is_its = tag != 0 && tag_file(tag) == file && generation_of(atomic_load(&arena->files[file].identity)) == generation;
  int error = is_its ? slot_flush(arena, index, fd) : 0;
  slot_unlock(arena, index);
  close(fd);
  return error;
}

/* Old: dirty here for so long that a program that has the file open would have told the agent. */
static void note_error(struct agent *agent, uint32_t file, int error, bool old) {
  struct file_entry *entry = &agent->arena.files[file];
  if (old && (error == ENOENT || error == ESTALE) && atomic_load(&entry->openers) == 0) {
    agent_log("%s is gone with dirty blocks in memory, and no program has it open: they are lost", entry->path);
    struct cache_file gone = {.arena = &agent->arena, .entry = entry, .index = file, .generation = generation_of(entry->identity)};
    file_drop_all(&gone, LOSE_DIRTY);
    return;
  }
  int none = 0;
  if (error != 0 && atomic_compare_exchange_strong(&entry->flushError, &none, error)) {
    agent_log("cannot write dirty blocks of %s: %s; they stay in memory, and are tried again", entry->path, strerror(error));
  }
}

/* Dirty slots of a file, as of a time. */
struct flush_job {
  struct agent *agent;
  int64_t now;
  uint32_t file, count;
  uint32_t slots[];
};

/* Whether a file is being flushed. */
static _Atomic bool is_flushed[MAX_FILES];

static void flush_slot(void *context, uint32_t at) {
  const struct flush_job *job = context;
  struct arena *arena = &job->agent->arena;
  uint32_t index = job->slots[at];
  uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
  if (tag != 0 && tag_file(tag) == job->file && slot_extents(&arena->slots[index]) > 0) {
    int64_t since = atomic_load(&arena->slots[index].dirtySinceNanos);
    int64_t age = job->now - (since > job->agent->startedNanos ? since : job->agent->startedNanos);
    note_error(job->agent, job->file, flush_one(job->agent, index, job->file), age > LOST_NANOS);
  }
}

static void *flush_file(void *argument) {
  struct flush_job *job = argument;
  run_parallel(job->count, flush_slot, job);
  atomic_store(&is_flushed[job->file], false);
  free(job);
  pthread_mutex_lock(&lock);
  flushes--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static bool start_detached(void *(*run)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, argument) != 0) {
    return false;
  }
  pthread_detach(thread);
  return true;
}

static struct timespec after(long nanos) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += nanos;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  return until;
}

/* Waits until at most so many files are being flushed. The lock is held. Returns false if file systems have taken nothing for as long as
 * the agent waits. */
static bool await_flushes(struct agent *agent, uint32_t most) {
  _Atomic uint64_t *flushed = &agent->arena.header->flushedBytes;
  int64_t progressAt = monotonic_nanos();
  for (uint64_t before = atomic_load(flushed); flushes > most;) {
    struct timespec until = after(LOOK_NANOS);
    pthread_cond_timedwait(&changed, &lock, &until);
    if (atomic_load(flushed) != before) {
      before = atomic_load(flushed);
      progressAt = monotonic_nanos();
    } else if (monotonic_nanos() - progressAt > agent->patienceNanos) {
      return false;
    }
  }
  return true;
}

/* Begins to flush a file's slots. If too many others are being flushed, waits for one of these, or leaves it to the next look. */
static void start_flush(struct agent *agent, uint32_t file, const uint32_t *slots, uint32_t count, int64_t now, bool wait) {
  struct flush_job *job = malloc(sizeof *job + count * sizeof *slots);
  if (job == NULL) {
    return;
  }
  *job = (struct flush_job){agent, now, file, count};
  memcpy(job->slots, slots, count * sizeof *slots);
  pthread_mutex_lock(&lock);
  if (wait) {
    await_flushes(agent, FLUSHES - 1);
  }
  bool starts = flushes < FLUSHES;
  flushes += starts;
  pthread_mutex_unlock(&lock);
  atomic_store(&is_flushed[file], starts);
  if (starts && start_detached(flush_file, job)) {
    return;
  }
  if (starts) {
    pthread_mutex_lock(&lock);
    flushes--;
    pthread_mutex_unlock(&lock);
    atomic_store(&is_flushed[file], false);
  }
  free(job);
}

static bool is_above_limit(struct arena *arena, uint32_t index) {
  uint32_t set = index / arena->header->ways;
  return atomic_load_explicit(&arena->sets[set].used, memory_order_relaxed) > set_limit(arena, set);
}

static bool is_due(struct agent *agent, uint32_t index, int64_t now, bool at_once) {
  struct arena *arena = &agent->arena;
  struct slot *slot = &arena->slots[index];
  uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
  if (tag == 0 || slot_extents(slot) == 0 || atomic_load(&is_flushed[tag_file(tag)])) {
    return false;
  }
  return at_once || now - atomic_load(&slot->dirtySinceNanos) >= agent->dirtyAgeNanos || is_above_limit(arena, index);
}

/* A slot that is due, and its file. */
struct due {
  uint32_t file, slot;
};

static int by_file(const void *a, const void *b) {
  const struct due *left = a;
  const struct due *right = b;
  return left->file != right->file ? (left->file > right->file) - (left->file < right->file)
                                   : (left->slot > right->slot) - (left->slot < right->slot);
}

static void start_flushes(struct agent *agent, struct due *due, uint32_t count, int64_t now, bool wait) {
  uint32_t *slots = malloc((count + 1) * sizeof *slots);
  qsort(due, count, sizeof *due, by_file);
  for (uint32_t i = 0; slots != NULL && i < count;) {
    uint32_t of_file = 0;
    uint32_t file = due[i].file;
    for (; i < count && due[i].file == file; i++) {
      slots[of_file++] = due[i].slot;
    }
    start_flush(agent, file, slots, of_file, now, wait);
  }
  free(slots);
}

/* Begins to flush what is old enough, or is in the way of a lower limit, or all, of files that are not being flushed. Returns how much is
 * dirty. */
static uint64_t flush_round(struct agent *agent, bool all) {
  struct arena *arena = &agent->arena;
  int64_t now = monotonic_nanos();
  bool hurry = atomic_exchange(&arena->header->flushWanted, 0) != 0;
  struct due *due = malloc(arena_slots(arena) * sizeof *due);
  uint32_t count = 0;
  uint64_t dirty = 0;
  for (uint32_t index = 0; index < arena_slots(arena); index++) {
    uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
    dirty += tag == 0 ? 0 : slot_dirty_bytes(&arena->slots[index]);
    if (due != NULL && is_due(agent, index, now, all || hurry)) {
      due[count++] = (struct due){tag_file(tag), index};
    }
  }
  atomic_store(&arena->header->dirtyBytes, dirty);
  if (count > 0) {
    start_flushes(agent, due, count, now, all);
  }
  free(due);
  return dirty;
}

void flush_everything(struct agent *agent) {
  uint64_t before;
  uint64_t dirty = UINT64_MAX;
  do {
    before = dirty;
    dirty = flush_round(agent, true);
    pthread_mutex_lock(&lock);
    bool hangs = !await_flushes(agent, 0);
    pthread_mutex_unlock(&lock);
    if (hangs) {
      break;
    }
  } while (dirty > 0 && dirty < before);
}

static void recount(struct arena *arena) {
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    sets_recount(arena, set);
  }
}

static void *flush_loop(void *argument) {
  struct agent *agent = argument;
  uint32_t rounds = 0;
  while (!atomic_load(&agent->stopping)) {
    flush_round(agent, false);
    sets_sweep(&agent->arena);
    if (++rounds % RECOUNT_EVERY == 0) {
      recount(&agent->arena);
      files_recount(&agent->arena);
      files_collect(&agent->arena);
      files_sweep(&agent->arena);
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

/* Blocks that are loaded as long as there are free slots, and their file has its entry. */
struct prefetch_job {
  struct agent *agent;
  uint32_t file, generation;
  uint64_t first, end;
};

static void prefetch_blocks(const struct prefetch_job *job) {
  struct agent *agent = job->agent;
  struct arena *arena = &agent->arena;
  int fd = files_descriptor(arena, job->file, false);
  if (fd < 0) {
    return;
  }
  struct cache_file file = {.arena = arena, .entry = &arena->files[job->file], .index = job->file, .generation = job->generation,
                            .readFd = fd, .writeFd = -1, .nextOffset = UINT64_MAX, .lastBlock = UINT64_MAX};
  /* Consecutive blocks are in consecutive sets. */
  uint32_t full = 0;
  for (uint64_t block = job->first; block < job->end && full < arena->header->sets && !atomic_load(&agent->stopping); block++) {
    enum load load = cache_load(&file, block);
    if (load == NOT_LOADED) {
      break;
    }
    full = load == NO_ROOM ? full + 1 : 0;
  }
  close(fd);
}

static void *prefetch_file(void *argument) {
  prefetch_blocks(argument);
  free(argument);
  pthread_mutex_lock(&lock);
  prefetches--;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int prefetch(struct agent *agent, uint32_t file, uint32_t generation, uint64_t first, uint64_t end) {
  struct prefetch_job *job = malloc(sizeof *job);
  if (job == NULL) {
    return ENOMEM;
  }
  *job = (struct prefetch_job){agent, file, generation, first, end};
  pthread_mutex_lock(&lock);
  bool starts = prefetches < PREFETCHES && start_detached(prefetch_file, job);
  prefetches += starts;
  pthread_mutex_unlock(&lock);
  if (!starts) {
    free(job);
  }
  return starts ? 0 : EAGAIN;
}

void flush_start(struct agent *agent) {
  pthread_create(&flusher, NULL, flush_loop, agent);
}

void flush_stop(void) {
  flush_wake();
  pthread_join(flusher, NULL);
}

/* Reading and writing files through the arena. */
#ifndef DYNIMS_CACHE_H
#define DYNIMS_CACHE_H

#include <sys/stat.h>
#include <sys/types.h>

#include "arena.h"

/* Reads part of a block from the node that owns it. Returns the bytes read, or -1; the file system is asked for the rest. */
typedef ssize_t (*fetch_function)(void *context, uint64_t block, uint32_t offset, void *to, uint32_t length);

/* What a process has open. Several threads may use it at once. */
struct cache_file {
  struct arena *arena;
  struct file_entry *entry;
  uint32_t index;
  uint32_t generation;
  int readFd;  /* -1 if the file is not open for reading */
  int writeFd; /* -1 if it is not open for writing */
  enum cache_mode mode;
  bool isShared; /* with other nodes, which report what they write */
  fetch_function fetch; /* NULL: blocks come from the file system */
  void *fetchContext;
  _Atomic uint64_t nextOffset; /* where the last read ended */
  _Atomic uint64_t lastBlock;  /* of the last read; hits in the same block tell nothing about its use */
  _Atomic uint32_t wrote;
  _Atomic uint64_t hits, hitBytes; /* not yet added to the entry */
};

/* Finds or makes the entry of a file, and drops its clean blocks if it has changed meanwhile. Returns 0, or ENFILE if the table is
 * full of files in use. */
int cache_attach(struct cache_file *file, struct arena *arena, const struct stat *state, const char *path);

/* Flushes the file, and remembers its state for the next to attach it. Returns 0 or an errno. */
int cache_detach(struct cache_file *file);

/* Before the file is changed, by whatever call: if somebody else has changed it since its state was last known, what is cached of it is
 * forgotten; afterwards nobody could tell. */
void cache_begin_writing(struct cache_file *file);

/* Remembers the file's state as the one that is cached, while nobody here writes. */
void cache_remember(struct cache_file *file);

/* When a file was made, in nanoseconds since 1970, or 0 if its file system does not tell. With a descriptor, the path is empty. */
int64_t cache_born(int fd, const char *path);

/* Return how many bytes were moved, and set the error to an errno if that is why they are fewer than asked for, else to 0: a read ends
 * at the end of the file. */
size_t cache_read(struct cache_file *file, uint64_t offset, void *to, size_t length, int *error);
size_t cache_write(struct cache_file *file, uint64_t offset, const void *from, size_t length, int *error);

/* Brings what another node has written to the file into the cache. */
void cache_written(struct cache_file *file, uint64_t offset, const void *from, size_t length);

/* The file's size with what is not flushed yet, or a negative errno. */
int64_t cache_size(struct cache_file *file);

/* Writes all dirty blocks of the file, whoever made them dirty. Returns 0 or the first errno; what could not be written stays dirty. */
int cache_flush(struct cache_file *file);

/* Has the file system make durable what was written to the file here, by whomever. Returns 0 or an errno. */
int cache_make_durable(struct cache_file *file);

/* Forgets what is cached of a range of bytes, but what is dirty there. */
void cache_drop(struct cache_file *file, uint64_t offset, uint64_t end);

/* What becomes of dirty blocks when their file is forgotten: they stay, nobody wants them any more, or their file is gone. */
enum dirty_blocks { KEEP_DIRTY, DISCARD_DIRTY, LOSE_DIRTY };

/* Forgets all that is cached of the file, in one step. */
void cache_drop_all(struct cache_file *file, enum dirty_blocks dirty);

/* Forgets a file that has been deleted, unless somebody has it open or it has dirty blocks. */
void cache_forget(struct arena *arena, const struct stat *state);

/* For the agent. */

/* Loads a block into a free slot. Returns false if there is none. */
bool cache_load(struct cache_file *file, uint64_t block);

/* Writes the dirty extents of a locked slot to a file. Returns 0 or an errno. */
int slot_flush(struct arena *arena, uint32_t slot, int fd);

/* Frees blocks of files that were forgotten. */
void cache_collect(struct arena *arena);

/* Evicts clean blocks of the sets first to end-1 until they are within their limits or the deadline (monotonic) passes. Returns how
 * many blocks are still above. */
uint64_t cache_evict(struct arena *arena, uint32_t first, uint32_t end, int64_t deadline_nanos);

/* Gives back what free slots hold although their memory was given back: a reader that copies from a slot while it is freed touches its
 * pages once more. Does nothing if the arena takes no more than its used blocks. */
void cache_sweep(struct arena *arena);

/* Counts again what a killed process may have left wrong. */
void cache_recount(struct arena *arena, uint32_t set);

uint32_t slot_dirty_bytes(const struct slot *slot);

/* What the next owner of a lock does if its owner died. */
void files_recover(struct arena *arena);
void set_recover(struct arena *arena, uint32_t set);
void slot_recover(struct arena *arena, uint32_t slot);

/* Makes accesses as slow as those of a memory of other kind: nanoseconds for each access and for each commit of a store, bytes a
 * second. All 0, as at first: no slower. */
void cache_simulate(uint32_t access_nanos, uint32_t commit_nanos, uint64_t bytes_per_second);

int64_t monotonic_nanos(void);
int64_t realtime_nanos(void);

static inline uint32_t tag_file(uint64_t tag) {
  return (uint32_t)(tag >> (TAG_BLOCK_BITS + TAG_EPOCH_BITS)) - 1;
}

static inline uint64_t tag_block(uint64_t tag) {
  return tag & ((UINT64_C(1) << TAG_BLOCK_BITS) - 1);
}

/* Blocks behind this one have no tag: with the smallest blocks, those from 64 PiB on. */
static inline bool has_tag(uint64_t block) {
  return block >> TAG_BLOCK_BITS == 0;
}

/* The tag of a block as of an identity of its file's entry. */
static inline uint64_t tag_of(uint32_t file, uint64_t identity, uint64_t block) {
  uint64_t epoch = (identity >> 1) & ((UINT64_C(1) << TAG_EPOCH_BITS) - 1);
  return (((uint64_t)file + 1) << TAG_EPOCH_BITS | epoch) << TAG_BLOCK_BITS | block;
}

static inline uint32_t generation_of(uint64_t identity) {
  return (uint32_t)(identity >> 32);
}

static inline uint32_t set_of(const struct arena *arena, uint32_t file, uint64_t block) {
  return (uint32_t)((block + file * UINT64_C(2654435761)) % arena->header->sets);
}

#endif

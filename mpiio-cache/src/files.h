/* Which file has which entry of the arena, and in which epoch it is. */
#ifndef DYNIMS_FILES_H
#define DYNIMS_FILES_H

#include <sys/stat.h>

#include "slot.h"

enum cache_mode { MODE_READ_ONLY = 0, MODE_WRITE_THROUGH = 1, MODE_WRITE_BACK = 2 };

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
  struct file_entry own; /* in place of the entry, if that has been given to another file: nothing of this one is cached then */
};

/* Whether the entry is still the file's. */
static inline bool file_has_entry(const struct cache_file *file) {
  return generation_of(atomic_load(&file->entry->identity)) == file->generation;
}

static inline struct file_entry *file_entry(struct cache_file *file) {
  return file_has_entry(file) ? file->entry : &file->own;
}

/* Finds or makes the entry of a file, and drops its clean blocks if it has changed meanwhile. Returns 0, or ENFILE if the table is
 * full of files in use. */
int file_attach(struct cache_file *file, struct arena *arena, const struct stat *state, const char *path);

/* Sets the identity that tags of the file's blocks are of, and waits while that changes. Returns false if the entry is another file's by
 * now. */
bool file_is_ours(const struct cache_file *file, uint64_t *identity);

/* Before the file is changed, by whatever call: if somebody else has changed it since its state was last known, what is cached of it is
 * forgotten; afterwards nobody could tell. */
void file_begin_writing(struct cache_file *file);

/* Whether nobody has changed the file since its state was last known, as far as the file system can tell. */
bool file_is_current(struct cache_file *file);

/* Remembers the file's state as the one that is cached, while nobody here writes. */
void file_remember(struct cache_file *file);

/* What becomes of dirty blocks when their file is forgotten: they stay, nobody wants them any more, or their file is gone. */
enum dirty_blocks { KEEP_DIRTY, DISCARD_DIRTY, LOSE_DIRTY };

/* Forgets all that is cached of the file, in one step. */
void file_drop_all(struct cache_file *file, enum dirty_blocks dirty);

/* Forgets what is cached of a range of bytes, but what is dirty there. */
void file_drop(struct cache_file *file, uint64_t offset, uint64_t end);

/* Forgets a file that has been deleted, unless somebody has it open or it has dirty blocks. */
void file_forget_deleted(struct arena *arena, const struct stat *state);

/* When a file was made, in nanoseconds since 1970, or 0 if its file system does not tell. With a descriptor, the path is empty. */
int64_t file_born(int fd, const char *path);

/* Counts the dirty blocks of files again that seem to have fewer than they say: of a process that was killed, a block may have been counted
 * and not be dirty. */
void files_recount(struct arena *arena);

/* Frees blocks of files that were forgotten. */
void files_collect(struct arena *arena);

#endif

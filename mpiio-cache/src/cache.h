/* Reading and writing files through the arena. */
#ifndef DYNIMS_CACHE_H
#define DYNIMS_CACHE_H

#include "files.h"

/* Flushes the file, and remembers its state for the next to attach it. Returns 0 or an errno. */
int cache_detach(struct cache_file *file);

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

enum load { LOADED, NO_ROOM, NOT_LOADED };

/* Loads a block into a free slot of its set. NOT_LOADED: it is behind the end of the file, or cannot be read. */
enum load cache_load(struct cache_file *file, uint64_t block);

#endif

/* The files that ranks have open, with a descriptor of each. */
#ifndef DYNIMS_AGENT_FILES_H
#define DYNIMS_AGENT_FILES_H

#include "arena.h"
#include "rank.h"

/* What a connection of a rank has told; freed when it ends. */
struct rank_files {
  uint16_t opens[MAX_FILES];
};

void files_start(void);

/* Takes note of what a rank tells. Returns 0 or an errno. The descriptor, if there is one, is the agent's from then on. */
int files_told(struct arena *arena, struct rank_files *rank, const struct rank_message *message, int fd);
void files_rank_gone(struct arena *arena, struct rank_files *rank);

/* A copy of a file's descriptor that the caller closes, or a negative errno. */
int files_descriptor(struct arena *arena, uint32_t file, bool writable);

/* The file with a key, or -1; its descriptor is a copy, and belongs to a generation of its entry. */
int files_by_key(const uint8_t key[16], int *fd, uint32_t *generation);

/* Closes descriptors that nobody needs any more. */
void files_sweep(struct arena *arena);

#endif

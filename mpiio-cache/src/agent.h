/* The agent's parts. */
#ifndef DYNIMS_AGENT_H
#define DYNIMS_AGENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "cache.h"
#include "rank.h"

struct agent {
  struct arena arena;
  const char *directory;
  int directoryFd;
  uint64_t maxBytes, capacityBytes, restBytes;
  uint32_t blockBytes;
  int64_t controlTimeoutNanos; /* 0: never */
  int64_t dirtyAgeNanos;
  int64_t startedNanos;
  const char *controlGroup; /* who may use the control socket besides this user; NULL: nobody */
  const char *listen; /* NULL: no blocks for other nodes */
  bool recreate;
  _Atomic bool stopping;
  _Atomic uint32_t ranks;
  _Atomic int64_t controlledAt; /* when a capacity was asked for or the adapter last asked anything; 0: never */
};

/* ---- agent_files.c: the files that ranks have open */

/* What a connection of a rank has told; freed when it ends. */
struct rank_files {
  uint16_t opens[MAX_FILES];
};

void files_start(void);

int files_told(struct agent *agent, struct rank_files *rank, const struct rank_message *message, int fd);
void files_rank_gone(struct agent *agent, struct rank_files *rank);

/* A copy of a file's descriptor that the caller closes, or a negative errno. */
int files_descriptor(struct agent *agent, uint32_t file, bool writable);

/* The file with a key, or -1; its descriptor is a copy, and belongs to a generation of its entry. */
int files_by_key(const uint8_t key[16], int *fd, uint32_t *generation);

/* Closes descriptors that nobody needs any more. */
void files_sweep(struct agent *agent);

/* ---- agent_flush.c: what runs beside the requests */

void flush_start(struct agent *agent);
void flush_stop(void);
/* Asks for a look at once. */
void flush_wake(void);
void flush_everything(struct agent *agent);
/* Begins to load blocks, if not too many others are being loaded. */
void prefetch(struct agent *agent, uint32_t file, uint32_t generation, uint64_t first, uint64_t end);

/* ---- agent_peers.c: blocks for other nodes. Returns 0 or an errno. */
int peers_start(struct agent *agent);

/* ---- agent_control.c */

/* Answers one request of the adapter. */
void control_answer(struct agent *agent, char *request, FILE *to);

/* Sets the limit, and evicts what exceeds it until the deadline. Returns whether nothing does any more. */
bool control_resize(struct agent *agent, uint64_t bytes, int64_t deadline_nanos);

void agent_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

/* A file that a rank has open and that may be cached. */
#ifndef DYNIMS_HANDLE_H
#define DYNIMS_HANDLE_H

#include <mpi.h>
#include <pthread.h>

#include "cache.h"
#include "client.h"
#include "options.h"
#include "report.h"
#include "view.h"

#define WRITTEN_RANGES 8

/* What this rank has written since it last told the other nodes, in bytes: nodes may have blocks of different sizes. */
struct written {
  uint32_t count;
  uint64_t first[WRITTEN_RANGES], end[WRITTEN_RANGES];
};

/* Who owns which part of a file that is cut over the nodes. */
struct cut {
  uint8_t key[16];
  uint32_t nodes, own;
  uint64_t bytesPerNode;
  struct {
    char address[64];
    uint32_t port;
  } *owners;
};

struct handle {
  MPI_File file;
  MPI_Comm comm; /* its own */
  int amode;
  struct options options;
  struct cache_file cache;
  struct view view;
  bool served;        /* whether all ranks can take the view apart, and none asked for atomic accesses */
  bool allContiguous; /* whether no rank's view has gaps */
  bool atomic;
  bool isFirst;      /* of the file's ranks on this node */
  bool spansNodes;   /* whether ranks of the file are on other nodes */
  bool leavesOut;    /* whether ranks of the program on other nodes may have opened the file by themselves */
  struct client *agent;
  unsigned connection; /* to the agent, and its epoch, when it was told of the file */
  uint32_t epoch;
  _Atomic int64_t nextTry; /* when an agent that did not answer is told again */
  struct cut cut;
  pthread_mutex_t lock; /* of what follows */
  MPI_Offset pointer;   /* the individual one, in etypes */
  struct written written;
  bool unsynced; /* counted in the entry */
  struct file_report report; /* counters when the file was opened, but for what has passed */
  MPI_Status split; /* of the split collective access under way */
};

/* Whether the user wants files cached. */
bool handles_are_wanted(void);

/* After a file was opened, with the result, and after presence_announce before that: makes a handle of the file if all ranks are to cache it. Collective, over the ranks that have this library: if
 * one of the communicator's has not, nothing is done together. */
void handle_open(int result, MPI_File file, MPI_Comm comm, const char *path, int amode, MPI_Info info);

/* The handle of a file, or NULL if it is not cached. */
struct handle *handle_find(MPI_File file);

/* Flushes and forgets the handle: collective. Returns an MPI error code. */
int handle_close(struct handle *handle);

/* Flushes what this node has written, and makes it durable; with other nodes, agrees on what is stale: collective, as MPI_File_sync.
 * Returns an MPI error code, the same on all ranks. */
int handle_sync(struct handle *handle);

/* After the view or the atomicity has changed: collective. Returns an MPI error code. */
int handle_agree(struct handle *handle);

/* Before and after an access that goes past the cache. The first returns an MPI error code if what was dirty could not be written. */
int handle_before_pass(struct handle *handle, bool writes, enum pass reason);
void handle_after_pass(struct handle *handle, bool wrote);

/* Before an access: an agent that was started meanwhile does not know the file, whose entry it may give away. Writes stay in the cache
 * only if it does, as it must be able to flush them. */
void handle_keep_registered(struct handle *handle);

/* Before a write: until the next sync, the owners of the file's blocks may have older bytes than this node. */
void handle_note_writing(struct handle *handle);

void handle_note_written(struct handle *handle, uint64_t offset, uint64_t length);

/* Forgets what is cached of a file that is not open, after its last name was deleted. */
void handles_deleted(const struct stat *state);

/* The path of a file's name, without the kind of file system that ROMIO takes before it, such as ufs:. NULL if that and the whole name are
 * files, and nobody knows which of them is meant. */
const char *handle_path(const char *name);

/* The MPI error code of an errno. */
int handle_error(int error);

/* Calls the file's error handler if the code is one of an error. Returns the code: what PMPI_File_call_errhandler returns is whether it
 * could call the handler. */
int handle_result(struct handle *handle, int code);

#endif

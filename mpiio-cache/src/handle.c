#include "handle.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "clock.h"
#include "directory.h"
#include "launcher.h"
#include "next.h"
#include "presence.h"

#define TABLE 4096
#define MOST_HANDLES (TABLE / 4 * 3)
#define REMOVED ((uintptr_t)1)
#define RETRY_NANOS INT64_C(1000000000)

/* Handles by MPI_File, read without a lock: open addressing, removed places stay. */
static struct {
  _Atomic uintptr_t key;
  struct handle *handle;
} table[TABLE];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t table_count;

static pthread_mutex_t arenas_lock = PTHREAD_MUTEX_INITIALIZER;
/* The arenas that this program has met, the newest of a directory first: files that are open keep theirs. */
static struct known_arena {
  struct known_arena *next;
  struct arena arena;
  struct client agent;
} *arenas;

static _Atomic uint64_t files_cached;

/* ---- the table */

static uint32_t place_of(MPI_File file) {
  uint64_t key = (uint64_t)(uintptr_t)file;
  return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % TABLE;
}

struct handle *handle_find(MPI_File file) {
  if (atomic_load_explicit(&table_count, memory_order_relaxed) == 0 || file == MPI_FILE_NULL) {
    return NULL;
  }
  uint32_t place = place_of(file);
  for (uint32_t probe = 0; probe < TABLE; probe++) {
    uintptr_t key = atomic_load_explicit(&table[place].key, memory_order_acquire);
    if (key == (uintptr_t)file) {
      return table[place].handle;
    }
    if (key == 0) {
      return NULL;
    }
    place = (place + 1) % TABLE;
  }
  return NULL;
}

/* Has a place kept for one more handle. Returns false if there are too many. */
static bool keep_place(void) {
  bool kept = atomic_fetch_add(&table_count, 1) < MOST_HANDLES;
  if (!kept) {
    atomic_fetch_sub(&table_count, 1);
  }
  return kept;
}

static void put(struct handle *handle) {
  pthread_mutex_lock(&table_lock);
  uint32_t place = place_of(handle->file);
  uintptr_t key;
  while ((key = atomic_load(&table[place].key)) != 0 && key != REMOVED) {
    place = (place + 1) % TABLE;
  }
  table[place].handle = handle;
  atomic_store_explicit(&table[place].key, (uintptr_t)handle->file, memory_order_release);
  pthread_mutex_unlock(&table_lock);
}

static void remove_handle(struct handle *handle) {
  pthread_mutex_lock(&table_lock);
  uint32_t place = place_of(handle->file);
  while (atomic_load(&table[place].key) != (uintptr_t)handle->file) {
    place = (place + 1) % TABLE;
  }
  uint32_t next = (place + 1) % TABLE;
  atomic_store(&table[place].key, atomic_load(&table[next].key) == 0 ? 0 : REMOVED);
  atomic_fetch_sub(&table_count, 1);
  pthread_mutex_unlock(&table_lock);
}

/* ---- arenas */

/* Why this thread cannot cache the file that it opens: for the report, and in full if the user has to know. */
struct refusal {
  const char *reason;
  char text[PATH_MAX + 200];
};
static _Thread_local struct refusal refusal;

static void refuse(const char *reason) {
  refusal.reason = reason;
  refusal.text[0] = 0;
}

__attribute__((format(printf, 2, 3))) static void refuse_aloud(const char *reason, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  refusal.reason = reason;
  vsnprintf(refusal.text, sizeof refusal.text, format, arguments);
  va_end(arguments);
}

/* Prints a refusal, if it is one that the user has to know, once in a program. */
static void print_refusal(bool is_for_this_rank) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (is_for_this_rank && refusal.text[0] != 0 && !atomic_flag_test_and_set(&said)) {
    fprintf(stderr, "dynims-mpiio: %s: files are not cached\n", refusal.text);
  }
}

static void report_refusal(int result, const char *name, bool partial) {
  if (options_report() && result == MPI_SUCCESS) {
    report_not_cached(name, refusal.reason, partial);
  }
}

/* Opens the arena of a directory. Returns NULL if there is none that can be used. */
static struct known_arena *open_arena(const char *directory) {
  char reason[PATH_BYTES + 100];
  int fd = directory_open(directory, reason, sizeof reason);
  if (fd < 0) {
    refuse_aloud("the agent's directory cannot be used", "%s", reason);
    return NULL;
  }
  struct known_arena *opened = calloc(1, sizeof *opened);
  int error = opened == NULL ? ENOMEM : arena_open(&opened->arena, fd, "arena");
  close(fd);
  if (error == 0 && atomic_load(&opened->arena.header->pidNamespace) != directory_pid_namespace()) {
    refuse_aloud("the agent is in another PID namespace",
                 "the agent of %s is in another PID namespace (a container?), so that locks could not tell whose process died", directory);
    arena_close(&opened->arena);
    free(opened);
    return NULL;
  }
  if (error == 0) {
    client_init(&opened->agent, directory);
    return opened;
  }
  if (error == EPERM || error == EPROTO || error == ESTALE) {
    refuse_aloud("the arena cannot be used", "%s/arena is %s", directory,
                 error == EPERM ? "not this user's alone" : error == EPROTO ? "of another version" : "of an earlier boot, and no agent has made another one");
  } else {
    refuse_aloud("no agent has made an arena", "no agent has made an arena in %s", directory);
  }
  free(opened);
  return NULL;
}

static struct known_arena *find_arena(const char *directory) {
  pthread_mutex_lock(&arenas_lock);
  struct known_arena *found = arenas;
  while (found != NULL && strcmp(found->agent.directory, directory) != 0) {
    found = found->next;
  }
  if (found == NULL || atomic_load(&found->arena.header->retired) != 0) {
    struct known_arena *opened = open_arena(directory);
    if (opened != NULL) {
      opened->next = arenas;
      arenas = found = opened;
    } else {
      found = NULL;
    }
  }
  pthread_mutex_unlock(&arenas_lock);
  return found;
}

/* ---- opening */

const char *handle_path(const char *name) {
  const char *colon = strchr(name, ':');
  if (colon == NULL || memchr(name, '/', (size_t)(colon - name)) != NULL) {
    return name;
  }
#ifdef MPICH
  return colon + 1;
#else
  /* Open MPI has ROMIO, too, but takes the name as it is if it was not told to use it. */
  bool is_there = access(name, F_OK) == 0;
  return is_there && access(colon + 1, F_OK) == 0 ? NULL : is_there ? name : colon + 1;
#endif
}

static bool open_files(struct handle *handle, const char *path, struct stat *state) {
  int fd;
  if ((handle->amode & MPI_MODE_RDONLY) != 0) {
    handle->cache.readFd = fd = open(path, O_RDONLY | O_CLOEXEC);
  } else {
    /* A file that is only written is read, too, where a write covers parts of a sector. */
    handle->cache.writeFd = fd = open(path, O_RDWR | O_CLOEXEC);
    handle->cache.readFd = fd;
    if (fd < 0) {
      handle->cache.writeFd = fd = open(path, O_WRONLY | O_CLOEXEC);
    }
  }
  return fd >= 0 && fstat(fd, state) == 0 && S_ISREG(state->st_mode);
}

static int any_descriptor(const struct handle *handle) {
  return handle->cache.writeFd >= 0 ? handle->cache.writeFd : handle->cache.readFd;
}

static void close_files(struct handle *handle) {
  int fd = any_descriptor(handle);
  if (fd >= 0) {
    close(fd);
  }
  handle->cache.readFd = handle->cache.writeFd = -1;
}

static void tell(struct handle *handle, enum rank_request request, uint64_t first, uint64_t end) {
  struct rank_message message = {.arenaId = handle->cache.arena->header->arenaId,
                                 .request = request,
                                 .file = handle->cache.index,
                                 .generation = handle->cache.generation,
                                 .writable = handle->cache.writeFd >= 0,
                                 .firstBlock = first,
                                 .endBlock = end};
  memcpy(message.key, handle->cut.key, sizeof message.key);
  int error = client_tell(handle->agent, &message, request == RANK_OPEN ? any_descriptor(handle) : -1);
  if (request == RANK_OPEN) {
    handle->connection = error == 0 ? client_connection(handle->agent) : 0;
    handle->epoch = atomic_load(&handle->cache.arena->header->agentEpoch);
  }
}

void handle_keep_registered(struct handle *handle) {
  uint32_t agent_epoch = atomic_load(&handle->cache.arena->header->agentEpoch);
  bool is_new = handle->epoch != agent_epoch;
  if (is_new || handle->connection == 0 || handle->connection != client_connection(handle->agent)) {
    int64_t now = monotonic_nanos();
    if (is_new || now >= atomic_load(&handle->nextTry)) {
      atomic_store(&handle->nextTry, now + RETRY_NANOS);
      tell(handle, RANK_OPEN, 0, 0);
    }
  }
  if (handle->options.mode == MODE_WRITE_BACK) {
    handle->cache.mode = handle->connection != 0 && handle->connection == client_connection(handle->agent) ? MODE_WRITE_BACK : MODE_WRITE_THROUGH;
  }
}

/* Reads a part of a block from the node that owns it. */
static ssize_t fetch(void *context, uint64_t block, uint32_t offset, void *to, uint32_t length) {
  struct handle *handle = context;
  uint64_t at = block * handle->cache.arena->header->blockBytes + offset;
  uint64_t owner = at / handle->cut.bytesPerNode;
  if (owner >= handle->cut.nodes || owner == handle->cut.own || handle->cut.owners[owner].port == 0) {
    return -1;
  }
  /* The owner need not know yet what this rank or another one of the node has written. */
  if (atomic_load(&file_entry(&handle->cache)->unsynced) > 0) {
    return -1;
  }
  return client_fetch(handle->cut.owners[owner].address, handle->cut.owners[owner].port, handle->cut.key, at, to, length);
}

struct node {
  uint64_t arenaId;
  uint32_t blockBytes, port;
  char address[64];
};

/* Cuts the file into contiguous parts, one a node, in the order of the nodes' first ranks, between blocks of all nodes. */
static void cut_file(struct handle *handle, struct node *nodes, int ranks) {
  struct cut *cut = &handle->cut;
  uint64_t bytes = atomic_load(&file_entry(&handle->cache)->sizeBytes) + 1;
  uint64_t block = 0;
  cut->owners = calloc((size_t)ranks, sizeof *cut->owners);
  uint64_t *ids = calloc((size_t)ranks, sizeof *ids);
  for (int rank = 0; rank < ranks && cut->owners != NULL && ids != NULL; rank++) {
    uint32_t i = 0;
    block = nodes[rank].blockBytes > block ? nodes[rank].blockBytes : block;
    while (i < cut->nodes && ids[i] != nodes[rank].arenaId) {
      i++;
    }
    if (i == cut->nodes) {
      ids[i] = nodes[rank].arenaId;
      cut->owners[i].port = nodes[rank].port;
      memcpy(cut->owners[i].address, nodes[rank].address, sizeof cut->owners[i].address);
      cut->nodes++;
    }
    if (nodes[rank].arenaId == handle->cache.arena->header->arenaId) {
      cut->own = i;
    }
  }
  free(ids);
  /* All ranks must cut alike, whatever they think of the size. */
  PMPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, handle->comm);
  if (cut->nodes > 0) {
    cut->bytesPerNode = ((bytes + cut->nodes - 1) / cut->nodes + block - 1) / block * block;
  }
  if (cut->nodes > 1) {
    handle->cache.fetch = fetch;
    handle->cache.fetchContext = handle;
  }
}

static void learn_nodes(struct handle *handle) {
  int ranks, rank;
  int world = presence_ranks();
  PMPI_Comm_size(handle->comm, &ranks);
  PMPI_Comm_rank(handle->comm, &rank);
  const struct header *header = handle->cache.arena->header;
  struct node mine = {.arenaId = header->arenaId, .blockBytes = header->blockBytes, .port = header->peerPort};
  memcpy(mine.address, header->peerAddress, sizeof mine.address);
  struct node *nodes = calloc((size_t)ranks, sizeof *nodes);
  PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, nodes, sizeof mine, MPI_BYTE, handle->comm);
  handle->isFirst = true;
  for (int i = 0; i < ranks; i++) {
    handle->spansNodes |= nodes[i].arenaId != mine.arenaId;
    handle->isFirst &= i >= rank || nodes[i].arenaId != mine.arenaId;
  }
  handle->cache.isShared = handle->spansNodes;
  handle->leavesOut = ranks != world && !presence_is_one_node();
  if (handle->options.distribute && handle->spansNodes) {
    if (rank == 0 && getrandom(handle->cut.key, sizeof handle->cut.key, 0) != (ssize_t)sizeof handle->cut.key) {
      memset(handle->cut.key, 0, sizeof handle->cut.key);
    }
    PMPI_Bcast(handle->cut.key, sizeof handle->cut.key, MPI_BYTE, 0, handle->comm);
    cut_file(handle, nodes, ranks);
  }
  free(nodes);
  tell(handle, RANK_OPEN, 0, 0);
  if (handle->options.prefetch && handle->isFirst) {
    bool is_cut = handle->cut.nodes > 1;
    uint64_t blocks = is_cut ? handle->cut.bytesPerNode / header->blockBytes : UINT64_MAX;
    uint64_t first = is_cut ? handle->cut.own * blocks : 0;
    tell(handle, RANK_PREFETCH, first, is_cut ? first + blocks : UINT64_MAX);
  }
}

/* Whether a file is on NFS, whose client keeps pages that the cache's own reads and writes do not have it look at again. */
static bool is_on_nfs(const struct handle *handle) {
  struct statfs system;
  return fstatfs(any_descriptor(handle), &system) == 0 && system.f_type == NFS_SUPER_MAGIC;
}

/* Opens the file for the cache, and enters it in the arena. */
static bool attach(struct handle *handle, struct arena *arena, const char *path) {
  struct stat state;
  handle->cache.readFd = handle->cache.writeFd = -1;
  if (!open_files(handle, path, &state)) {
    refuse("it is not a regular file, or cannot be opened by its path");
    close_files(handle);
    return false;
  }
  if (is_on_nfs(handle)) {
    refuse_aloud("it is on NFS", "%s is on NFS, where nodes would not see each other's writes", path);
    close_files(handle);
    return false;
  }
  int read_fd = handle->cache.readFd;
  int write_fd = handle->cache.writeFd;
  int error = file_attach(&handle->cache, arena, &state, path);
  handle->cache.readFd = read_fd;
  handle->cache.writeFd = write_fd;
  if (error != 0) {
    refuse("the arena's table of files is full");
    close_files(handle);
  }
  return error == 0;
}

/* Makes this rank ready to cache a file. Returns NULL if it cannot. */
static struct handle *prepare(const struct options *options, const char *path, int amode) {
  if ((amode & MPI_MODE_SEQUENTIAL) != 0) {
    refuse("it is opened as a sequential file");
    return NULL;
  }
  struct known_arena *known = find_arena(options->directory);
  if (known == NULL) {
    return NULL;
  }
  if (!keep_place()) {
    refuse("the program has too many files open");
    return NULL;
  }
  struct handle *handle = calloc(1, sizeof *handle);
  if (handle != NULL) {
    handle->amode = amode;
    handle->options = *options;
    handle->agent = &known->agent;
    if (attach(handle, &known->arena, path)) {
      return handle;
    }
    free(handle);
  }
  atomic_fetch_sub(&table_count, 1);
  return NULL;
}

static void give_up(struct handle *handle) {
  cache_detach(&handle->cache);
  close_files(handle);
  free(handle);
  atomic_fetch_sub(&table_count, 1);
}

/* What a file's counters are, in comparison with earlier ones. */
static struct file_report counters_of(struct handle *handle, const struct file_report *before) {
  const struct file_entry *entry = file_entry(&handle->cache);
  struct file_report report = *before;
  report.mode = options_mode_name(handle->options.mode);
  report.hits = atomic_load(&entry->hits) - before->hits;
  report.misses = atomic_load(&entry->misses) - before->misses;
  report.hitBytes = atomic_load(&entry->hitBytes) - before->hitBytes;
  report.missBytes = atomic_load(&entry->missBytes) - before->missBytes;
  return report;
}

/* Begins to serve a file that all ranks are ready for. */
static void begin(struct handle *handle, MPI_File file, MPI_Comm comm) {
  handle->file = file;
  handle->report = counters_of(handle, &(struct file_report){0});
  handle->cache.mode = handle->options.mode;
  pthread_mutex_init(&handle->lock, NULL);
  view_reset(&handle->view);
  PMPI_Comm_dup(comm, &handle->comm);
  learn_nodes(handle);
  if (handle->spansNodes || (handle->leavesOut && !presence_is_one_machine())) {
    /* Another node may have changed the file since, and clocks differ. Ranks need not think alike of that: nothing is done together. */
    cache_flush(&handle->cache);
    file_drop_all(&handle->cache, KEEP_DIRTY);
  }
  if ((handle->amode & MPI_MODE_APPEND) != 0) {
    library.File_get_position(file, &handle->pointer);
  }
  handle_agree(handle);
  atomic_fetch_add(&files_cached, 1);
  put(handle);
}

bool handles_are_wanted(void) {
  return options_directory() != NULL;
}

/* The options and the path of a file. Returns false if it is not to be cached here. */
static bool look_at(const char *name, MPI_Info info, struct options *options, char path[PATH_MAX]) {
  const char *own = handle_path(name);
  if (own == NULL) {
    refuse("its name is that of two files");
    return false;
  }
  if (realpath(own, path) == NULL) {
    snprintf(path, PATH_MAX, "%s", own);
  }
  *options = options_of(own, path, info);
  if (!options->enabled) {
    refuse("it is not below DYNIMS_MPIIO_PATHS, or a hint disables it");
  } else if (options->mode == MODE_WRITE_BACK && strlen(path) >= PATH_BYTES) {
    /* An agent that comes later would not find it. */
    options->mode = MODE_WRITE_THROUGH;
  }
  return options->enabled;
}

void handle_open(int result, MPI_File file, MPI_Comm comm, const char *name, int amode, MPI_Info info) {
  char path[PATH_MAX];
  struct options options = {0};
  int size = 1;
  int rank = 0;
  const char *missing = NULL;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &rank);
  refuse("another rank cannot cache it");
  bool is_wanted = result == MPI_SUCCESS && look_at(name, info, &options, path);
  if (!presence_of_all(comm, &missing)) {
    if (is_wanted) {
      refuse_aloud(missing, "%s: %s", name, missing);
      print_refusal(launcher_is_first_of_node());
    }
    report_refusal(result, name, is_wanted);
    return;
  }
  struct handle *handle = is_wanted ? prepare(&options, path, amode) : NULL;
  /* The first rank that cannot, and what all want: ranks may have other variables, and other hints. */
  int mine[] = {handle == NULL ? rank : size, (int)options.mode, options.prefetch, options.distribute};
  int all[4];
  PMPI_Allreduce(mine, all, 4, MPI_INT, MPI_MIN, comm);
  if (all[0] < size) {
    if (handle != NULL) {
      give_up(handle);
    } else {
      print_refusal(rank == all[0] && (size > 1 || launcher_is_first_of_node()));
    }
    report_refusal(result, name, false);
    return;
  }
  handle->options.mode = (enum cache_mode)all[1];
  handle->options.prefetch = all[2] != 0;
  handle->options.distribute = all[3] != 0;
  begin(handle, file, comm);
}

int handle_agree(struct handle *handle) {
  bool serves_writes = handle->options.mode != MODE_READ_ONLY || (handle->amode & MPI_MODE_RDONLY) != 0;
  int mine[2] = {handle->view.supported && !handle->atomic && serves_writes, handle->view.contiguous};
  int all[2];
  PMPI_Allreduce(mine, all, 2, MPI_INT, MPI_MIN, handle->comm);
  bool served = all[0] != 0;
  int error = 0;
  if (handle->served && !served) {
    error = cache_flush(&handle->cache);
    PMPI_Barrier(handle->comm);
  }
  handle->served = served;
  handle->allContiguous = all[1] != 0;
  return handle_error(error);
}

/* ---- consistency */

void handle_note_writing(struct handle *handle) {
  if (!handle->spansNodes && !handle->leavesOut) {
    return;
  }
  pthread_mutex_lock(&handle->lock);
  if (!handle->unsynced) {
    handle->unsynced = true;
    atomic_fetch_add(&file_entry(&handle->cache)->unsynced, 1);
  }
  pthread_mutex_unlock(&handle->lock);
}

static void forget_writing(struct handle *handle) {
  pthread_mutex_lock(&handle->lock);
  if (handle->unsynced) {
    handle->unsynced = false;
    atomic_fetch_sub(&file_entry(&handle->cache)->unsynced, 1);
  }
  pthread_mutex_unlock(&handle->lock);
}

void handle_note_written(struct handle *handle, uint64_t offset, uint64_t length) {
  if (!handle->spansNodes || length == 0) {
    return;
  }
  uint64_t first = offset;
  uint64_t end = offset + length;
  pthread_mutex_lock(&handle->lock);
  struct written *written = &handle->written;
  uint32_t best = 0;
  uint64_t best_growth = UINT64_MAX;
  for (uint32_t i = 0; i < written->count; i++) {
    uint64_t low = first < written->first[i] ? first : written->first[i];
    uint64_t high = end > written->end[i] ? end : written->end[i];
    uint64_t growth = (high - low) - (written->end[i] - written->first[i]);
    if (growth < best_growth) {
      best = i;
      best_growth = growth;
    }
  }
  if (written->count < WRITTEN_RANGES && best_growth > end - first) {
    written->first[written->count] = first;
    written->end[written->count++] = end;
  } else {
    written->first[best] = first < written->first[best] ? first : written->first[best];
    written->end[best] = end > written->end[best] ? end : written->end[best];
  }
  pthread_mutex_unlock(&handle->lock);
}

struct news {
  uint64_t arenaId;
  struct written written;
};

/* Drops what ranks on other nodes have written. */
static void exchange_written(struct handle *handle) {
  int ranks;
  PMPI_Comm_size(handle->comm, &ranks);
  struct news mine = {.arenaId = handle->cache.arena->header->arenaId};
  pthread_mutex_lock(&handle->lock);
  mine.written = handle->written;
  handle->written.count = 0;
  pthread_mutex_unlock(&handle->lock);
  struct news *all = calloc((size_t)ranks, sizeof *all);
  PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, handle->comm);
  for (int rank = 0; rank < ranks; rank++) {
    for (uint32_t i = 0; all[rank].arenaId != mine.arenaId && i < all[rank].written.count; i++) {
      file_drop(&handle->cache, all[rank].written.first[i], all[rank].written.end[i]);
    }
  }
  free(all);
  PMPI_Barrier(handle->comm);
}

/* The greatest errno of all ranks; none returns before all have asked. */
static int agree_on_error(struct handle *handle, int mine) {
  int all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, handle->comm);
  return all;
}

/* Flushes; if that fails, the cause is the first failure since the last sync, which may have been the agent's. */
static int flush_all(struct handle *handle) {
  struct file_entry *entry = file_entry(&handle->cache);
  int error = cache_flush(&handle->cache);
  int first = error == 0 ? 0 : atomic_load(&entry->flushError);
  error = agree_on_error(handle, first != 0 ? first : error);
  if (error == 0) {
    atomic_store(&entry->flushError, 0);
  }
  return error;
}

int handle_sync(struct handle *handle) {
  handle_keep_registered(handle);
  /* Others may have changed the file past this node's cache: nobody can say so if somebody here has, too. */
  bool is_current = handle->leavesOut && presence_is_one_machine() && file_is_current(&handle->cache);
  int error = flush_all(handle);
  int durable = handle->isFirst ? cache_make_durable(&handle->cache) : 0;
  if (error == 0 && handle->isFirst && atomic_load(&handle->cache.wrote) != 0) {
    file_remember(&handle->cache);
  }
  durable = agree_on_error(handle, durable);
  error = error != 0 ? error : durable;
  if (handle->spansNodes) {
    exchange_written(handle);
    forget_writing(handle);
  }
  if (handle->leavesOut && !is_current) {
    file_drop_all(&handle->cache, KEEP_DIRTY);
  }
  return handle_error(error);
}

static void report_of(struct handle *handle) {
  struct file_report report = counters_of(handle, &handle->report);
  report_cached(file_entry(&handle->cache)->path, &report);
}

int handle_close(struct handle *handle) {
  int error = MPI_SUCCESS;
  if ((handle->amode & MPI_MODE_DELETE_ON_CLOSE) != 0) {
    PMPI_Barrier(handle->comm);
    file_drop_all(&handle->cache, DISCARD_DIRTY);
    atomic_store(&handle->cache.wrote, 0);
  } else {
    error = handle_sync(handle);
  }
  forget_writing(handle);
  int failed = cache_detach(&handle->cache);
  error = error == MPI_SUCCESS ? handle_error(failed) : error;
  if (options_report()) {
    report_of(handle);
  }
  tell(handle, RANK_CLOSE, 0, 0);
  remove_handle(handle);
  close_files(handle);
  view_free(&handle->view);
  free(handle->cut.owners);
  PMPI_Comm_free(&handle->comm);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
  return error;
}

int handle_before_pass(struct handle *handle, bool writes, enum pass reason) {
  atomic_fetch_add_explicit(&handle->cache.arena->header->passedThrough, 1, memory_order_relaxed);
  pthread_mutex_lock(&handle->lock);
  handle->report.passed[reason]++;
  pthread_mutex_unlock(&handle->lock);
  if (writes) {
    handle_note_writing(handle);
    file_begin_writing(&handle->cache);
  }
  return handle_error(cache_flush(&handle->cache));
}

void handle_after_pass(struct handle *handle, bool wrote) {
  if (wrote) {
    file_drop_all(&handle->cache, KEEP_DIRTY);
    handle_note_written(handle, 0, (uint64_t)1 << 60);
  }
}

void handles_deleted(const struct stat *state) {
  pthread_mutex_lock(&arenas_lock);
  for (struct known_arena *known = arenas; known != NULL; known = known->next) {
    file_forget_deleted(&known->arena, state);
  }
  pthread_mutex_unlock(&arenas_lock);
}

int handle_error(int error) {
  switch (error) {
    case 0:
      return MPI_SUCCESS;
    case ENOSPC:
      return MPI_ERR_NO_SPACE;
    case EDQUOT:
      return MPI_ERR_QUOTA;
    case EACCES:
    case EPERM:
    case EBADF:
      return MPI_ERR_ACCESS;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    default:
      return MPI_ERR_IO;
  }
}

int handle_result(struct handle *handle, int code) {
  if (code != MPI_SUCCESS) {
    PMPI_File_call_errhandler(handle->file, code);
  }
  return code;
}

/* At the program's end: it may have initialized MPI by sessions only, and so not end by MPI_Finalize. */
__attribute__((destructor)) static void report(void) {
  int initialized = 0;
  if (!options_report() || !handles_are_wanted() || next_is_foreign) {
    return;
  }
  int (*is_initialized)(int *) = (int (*)(int *))dlsym(RTLD_DEFAULT, "PMPI_Initialized");
  if (is_initialized != NULL) {
    is_initialized(&initialized);
  }
  if (initialized || report_has_lines()) {
    pthread_mutex_lock(&arenas_lock);
    const struct header *header = arenas == NULL ? NULL : arenas->arena.header;
    int64_t capacity = header == NULL ? -1 : (int64_t)(atomic_load(&header->capacityBlocks) * header->blockBytes);
    pthread_mutex_unlock(&arenas_lock);
    report_print(capacity, (int64_t)atomic_load(&files_cached));
  }
}

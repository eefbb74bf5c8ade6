#include "names.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "directory.h"
#include "launcher.h"
#include "options.h"

#define NAME_BYTES 300
#define REASON_BYTES 300

struct service {
  bool (*publish)(const char *key, const char *value);
  bool (*look_up)(int rank, const char *key, char *value);
};

static const struct service *service;

static int own_rank(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static void make_name(char name[NAME_BYTES], int rank, const char *key) {
  snprintf(name, NAME_BYTES, "dynims-mpiio.%s.%d.%s", launcher_job(), rank, key);
}

/* ---- the launcher's name service */

/* MPI raises a name that is not there as an error, which would end the program. */
struct handlers {
  MPI_Errhandler world, self;
};

static struct handlers return_errors(void) {
  struct handlers were;
  PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &were.world);
  PMPI_Comm_get_errhandler(MPI_COMM_SELF, &were.self);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  return were;
}

static void restore(struct handlers were) {
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, were.world);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, were.self);
  PMPI_Errhandler_free(&were.world);
  PMPI_Errhandler_free(&were.self);
}

static bool mpi_publish(const char *key, const char *value) {
  char name[NAME_BYTES];
  make_name(name, own_rank(), key);
  struct handlers were = return_errors();
  bool published = PMPI_Publish_name(name, MPI_INFO_NULL, value) == MPI_SUCCESS;
  restore(were);
  return published;
}

static bool mpi_look_up(int rank, const char *key, char *value) {
  char name[NAME_BYTES];
  make_name(name, rank, key);
  struct handlers were = return_errors();
  bool found = PMPI_Lookup_name(name, MPI_INFO_NULL, value) == MPI_SUCCESS;
  restore(were);
  return found;
}

static const struct service by_mpi = {mpi_publish, mpi_look_up};

/* ---- PMIx, whose library the MPI library has loaded and initialized: https://pmix.github.io, the standard's version 4 */

#define PMIX_LIBRARY "libpmix.so.2"
#define PMIX_RANK_WILDCARD (UINT32_MAX - 1)
#define PMIX_GLOBAL 3
#define PMIX_BOOL 1
#define PMIX_STRING 3
#define PMIX_INT 6
#define PMIX_ERR_TIMEOUT (-24)
#define PMIX_LOCAL_PEERS "pmix.lpeers" /* ranks of this node, separated by commas */
#define PMIX_IMMEDIATE "pmix.immediate" /* do not wait for what is not there yet */
#define PMIX_TIMEOUT "pmix.timeout" /* seconds */
#define TIMEOUT_SECONDS 10

struct pmix_process {
  char namespace[256];
  uint32_t rank;
};

struct pmix_value {
  uint16_t type;
  union {
    bool boolean;
    int integer;
    char *string;
    struct {
      char *texts[2];
      char separator;
    } largest;
  };
};

struct pmix_info {
  char key[512];
  uint32_t flags;
  struct pmix_value value;
};

static struct {
  int (*is_initialized)(void);
  int (*put)(unsigned char scope, const char *key, struct pmix_value *value);
  int (*commit)(void);
  int (*get)(const struct pmix_process *process, const char *key, const struct pmix_info *info, size_t count, struct pmix_value **value);
} pmix;

static bool find_pmix(void) {
  void *library = dlopen(PMIX_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL) {
    return false;
  }
  /* The handle stays, and with it the library. */
  *(void **)&pmix.is_initialized = dlsym(library, "PMIx_Initialized");
  *(void **)&pmix.put = dlsym(library, "PMIx_Put");
  *(void **)&pmix.commit = dlsym(library, "PMIx_Commit");
  *(void **)&pmix.get = dlsym(library, "PMIx_Get");
  return pmix.is_initialized != NULL && pmix.put != NULL && pmix.commit != NULL && pmix.get != NULL && pmix.is_initialized();
}

/* Returns 0 or an error of PMIx. Cuts the text off that has no room. */
static int pmix_get(uint32_t rank, const char *key, const struct pmix_info *info, char *text, size_t room) {
  struct pmix_process process = {.rank = rank};
  struct pmix_value *value = NULL;
  snprintf(process.namespace, sizeof process.namespace, "%s", launcher_job());
  int error = pmix.get(&process, key, info, info == NULL ? 0 : 1, &value);
  if (error == 0 && value->type == PMIX_STRING && value->string != NULL) {
    snprintf(text, room, "%s", value->string);
    free(value->string);
  } else if (error == 0) {
    error = -1;
  }
  free(value);
  return error;
}

static bool is_in_list(const char *list, int wanted) {
  for (const char *at = list; at != NULL && *at != 0; at = strchr(at, ',')) {
    at += *at == ',';
    if (strtol(at, NULL, 10) == wanted) {
      return true;
    }
  }
  return false;
}

static bool pmix_publish(const char *key, const char *value) {
  static bool is_found;
  char name[NAME_BYTES], text[MPI_MAX_PORT_NAME];
  if (!is_found && !find_pmix()) {
    return false;
  }
  is_found = true;
  snprintf(text, sizeof text, "%s", value);
  make_name(name, own_rank(), key);
  struct pmix_value content = {.type = PMIX_STRING, .string = text};
  return pmix.put(PMIX_GLOBAL, name, &content) == 0 && pmix.commit() == 0;
}

/* A rank of this node is asked for what it has said. Of another node that is its server, which answers whether it has said it or not;
 * with PMIX_IMMEDIATE it would not be asked. */
static bool pmix_look_up(int rank, const char *key, char *value) {
  static char *peers;
  char name[NAME_BYTES];
  if (peers == NULL) {
    enum { ROOM = 1 << 16 };
    peers = calloc(1, ROOM);
    if (peers == NULL || pmix_get(PMIX_RANK_WILDCARD, PMIX_LOCAL_PEERS, NULL, peers, ROOM) != 0) {
      free(peers);
      peers = NULL;
      return false;
    }
  }
  struct pmix_info info = {.key = PMIX_TIMEOUT, .value = {.type = PMIX_INT, .integer = TIMEOUT_SECONDS}};
  if (is_in_list(peers, rank)) {
    info = (struct pmix_info){.key = PMIX_IMMEDIATE, .value = {.type = PMIX_BOOL, .boolean = true}};
  }
  make_name(name, rank, key);
  int error;
  do {
    error = pmix_get((uint32_t)rank, name, &info, value, MPI_MAX_PORT_NAME);
  } while (error == PMIX_ERR_TIMEOUT);
  return error == 0;
}

static const struct service by_pmix = {pmix_publish, pmix_look_up};

/* ---- the agent's directory: whoever says something locks a byte of a file there, as long as it lives */

#define LOCKS "ranks"

static int locks = -1;
static char own_value[MPI_MAX_PORT_NAME];

/* FNV-1a, of 64 bits, of which 62 are taken: the byte's end is an offset, too. */
static off_t byte_of(int rank, const char *key, const char *value) {
  char name[NAME_BYTES], text[NAME_BYTES + MPI_MAX_PORT_NAME];
  make_name(name, rank, key);
  snprintf(text, sizeof text, "%s=%s", name, value);
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *at = text; *at != 0; at++) {
    hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
  }
  return (off_t)(hash >> 2);
}

static bool open_locks(void) {
  char reason[REASON_BYTES];
  int directory = options_directory() == NULL || *launcher_job() == 0 ? -1 : directory_open(options_directory(), reason, sizeof reason);
  if (directory >= 0) {
    locks = openat(directory, LOCKS, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    close(directory);
  }
  return locks >= 0;
}

static bool node_publish(const char *key, const char *value) {
  if (locks < 0) {
    snprintf(own_value, sizeof own_value, "%s", value);
    if (!open_locks()) {
      return false;
    }
  }
  struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte_of(own_rank(), key, value), .l_len = 1};
  return fcntl(locks, F_SETLK, &byte) == 0;
}

static bool node_look_up(int rank, const char *key, char *value) {
  const char *possible[] = {own_value, NAMES_MISSING};
  for (size_t i = 0; i < sizeof possible / sizeof *possible; i++) {
    struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte_of(rank, key, possible[i]), .l_len = 1};
    if (fcntl(locks, F_GETLK, &byte) == 0 && byte.l_type != F_UNLCK) {
      snprintf(value, MPI_MAX_PORT_NAME, "%s", possible[i]);
      return true;
    }
  }
  return false;
}

static const struct service by_node = {node_publish, node_look_up};

/* ---- */

bool names_publish(const char *key, const char value[MPI_MAX_PORT_NAME]) {
  static const struct service *const all[] = {&by_mpi, &by_pmix, &by_node};
  if (service != NULL) {
    return service->publish(key, value);
  }
  /* Open MPI prints an error for each rank if there is no name service, and Slurm's PMIx has none. */
  for (size_t i = launcher_has_names() ? 0 : 1; service == NULL && i < sizeof all / sizeof *all; i++) {
    service = all[i]->publish(key, value) ? all[i] : NULL;
  }
  return service != NULL;
}

bool names_look_up(int rank, const char *key, char value[MPI_MAX_PORT_NAME]) {
  return service != NULL && service->look_up(rank, key, value);
}

bool names_are_local(void) {
  return service == &by_node;
}

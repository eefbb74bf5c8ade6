#include "presence.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "directory.h"
#include "launcher.h"
#include "names.h"
#include "options.h"

#define KEY_BYTES 64
#define NODE "node"
#define SHORTEST_WAIT_NANOS 100000
#define LONGEST_WAIT_NANOS 20000000
#define SEVERAL_NODES "several"
#define NO_DIRECTORY "none"

/* What is known of a group of ranks. */
struct group {
  struct group *next;
  int size;
  bool all_there, one_node;
  int *ranks; /* in MPI_COMM_WORLD */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of names and what follows */
static enum { NOT_YET, ANNOUNCED, REFUSED } state;
static struct group *groups;
static _Atomic bool world_is_one_node;
static char own_node[MPI_MAX_PORT_NAME]; /* as announced */

static bool publish(const char *key, const char value[MPI_MAX_PORT_NAME]) {
  pthread_mutex_lock(&lock);
  bool published = names_publish(key, value);
  pthread_mutex_unlock(&lock);
  return published;
}

static bool look_up(int rank, const char *key, char value[MPI_MAX_PORT_NAME]) {
  pthread_mutex_lock(&lock);
  bool found = names_look_up(rank, key, value);
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- ranks */

int presence_ranks(void) {
  int initialized = 0;
  int size = 0;
  PMPI_Initialized(&initialized);
  if (initialized) {
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  return size;
}

bool presence_is_one_machine(void) {
  int ranks = presence_ranks();
  return ranks == 1 || (ranks > 1 && launcher_ranks_of_node() == ranks);
}

bool presence_is_one_node(void) {
  return world_is_one_node;
}

/* Tells the directories of nodes apart. */
static void describe_node(char text[MPI_MAX_PORT_NAME]) {
  char boot[BOOT_ID_BYTES];
  struct stat directory;
  directory_boot_id(boot, sizeof boot);
  snprintf(text, MPI_MAX_PORT_NAME, NO_DIRECTORY);
  if (*boot != 0 && stat(options_directory(), &directory) == 0) {
    boot[strcspn(boot, "\n")] = 0;
    snprintf(text, MPI_MAX_PORT_NAME, "%s.%llx.%llx", boot, (unsigned long long)directory.st_dev, (unsigned long long)directory.st_ino);
  }
}

static bool is_spawned(void) {
  MPI_Comm parent;
  return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

void presence_announce(MPI_Comm comm) {
  int size = 1;
  PMPI_Comm_size(comm, &size);
  static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&once);
  if (size > 1 && state == NOT_YET && presence_ranks() > 1 && !is_spawned()) {
    describe_node(own_node);
    state = publish(NODE, own_node) ? ANNOUNCED : REFUSED;
  }
  pthread_mutex_unlock(&once);
}

/* ---- groups */

/* The communicator's ranks in MPI_COMM_WORLD; NULL if some are of another program. */
static int *ranks_of(MPI_Comm comm, int size) {
  MPI_Group group, world;
  int *own = malloc((size_t)size * sizeof *own);
  int *ranks = malloc((size_t)size * sizeof *ranks);
  bool known = own != NULL && ranks != NULL;
  for (int i = 0; known && i < size; i++) {
    own[i] = i;
  }
  if (known) {
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, size, own, world, ranks);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
  }
  for (int i = 0; known && i < size; i++) {
    known = ranks[i] != MPI_UNDEFINED;
  }
  free(own);
  if (!known) {
    free(ranks);
    return NULL;
  }
  return ranks;
}

static struct group *find_group(const int *ranks, int size) {
  pthread_mutex_lock(&lock);
  struct group *group = groups;
  while (group != NULL && (group->size != size || memcmp(group->ranks, ranks, (size_t)size * sizeof *ranks) != 0)) {
    group = group->next;
  }
  pthread_mutex_unlock(&lock);
  return group;
}

/* FNV-1a, of 64 bits. */
static uint64_t hash_of(const int *ranks, int size) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (int i = 0; i < size; i++) {
    hash = (hash ^ (uint32_t)ranks[i]) * UINT64_C(0x100000001b3);
  }
  return hash;
}

/* Looks for all ranks of a group: its first one does so for the others. Sets the value to the first one's. */
static void look_for_all(const struct group *group, char value[MPI_MAX_PORT_NAME]) {
  char other[MPI_MAX_PORT_NAME];
  snprintf(value, MPI_MAX_PORT_NAME, "%s", own_node);
  for (int i = 1; i < group->size; i++) {
    if (!look_up(group->ranks[i], NODE, other)) {
      snprintf(value, MPI_MAX_PORT_NAME, NAMES_MISSING);
      return;
    }
    if (strcmp(value, other) != 0) {
      snprintf(value, MPI_MAX_PORT_NAME, SEVERAL_NODES);
    }
  }
}

/* Waits for what the group's first rank, which is there and opens the file, too, has found. */
static void wait_for(int first, const char *key, char value[MPI_MAX_PORT_NAME]) {
  struct timespec pause = {.tv_nsec = SHORTEST_WAIT_NANOS};
  while (!look_up(first, key, value)) {
    nanosleep(&pause, NULL);
    pause.tv_nsec = pause.tv_nsec * 2 < LONGEST_WAIT_NANOS ? pause.tv_nsec * 2 : LONGEST_WAIT_NANOS;
  }
}

static void learn(struct group *group) {
  char found[KEY_BYTES], value[MPI_MAX_PORT_NAME];
  int rank;
  int first = group->ranks[0];
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(found, sizeof found, "group.%016llx.%d", (unsigned long long)hash_of(group->ranks, group->size), group->size);
  if (rank == first) {
    look_for_all(group, value);
    publish(found, value);
  } else if (look_up(first, NODE, value)) {
    wait_for(first, found, value);
  } else {
    snprintf(value, sizeof value, NAMES_MISSING);
  }
  group->all_there = strcmp(value, NAMES_MISSING) != 0;
  group->one_node = group->all_there && strcmp(value, SEVERAL_NODES) != 0 && strcmp(value, NO_DIRECTORY) != 0;
}

static struct group *make_group(int *ranks, int size) {
  struct group *group = calloc(1, sizeof *group);
  if (group == NULL) {
    free(ranks);
    return NULL;
  }
  group->size = size;
  group->ranks = ranks;
  learn(group);
  pthread_mutex_lock(&lock);
  group->next = groups;
  groups = group;
  world_is_one_node |= group->one_node && size == presence_ranks();
  pthread_mutex_unlock(&lock);
  return group;
}

bool presence_of_all(MPI_Comm comm, const char **reason) {
  int size = 1;
  PMPI_Comm_size(comm, &size);
  if (size == 1) {
    return true;
  }
  if (presence_ranks() == 0 || is_spawned()) {
    *reason = "its communicator is not of MPI_COMM_WORLD";
    return false;
  }
  if (state == REFUSED) {
    *reason = "the launcher has neither a name service (MPI_Publish_name) nor PMIx, by which the ranks with the cache would find each other";
    return false;
  }
  int *ranks = ranks_of(comm, size);
  if (ranks == NULL) {
    *reason = "its communicator is not of MPI_COMM_WORLD";
    return false;
  }
  struct group *group = find_group(ranks, size);
  if (group != NULL) {
    free(ranks);
  } else {
    group = make_group(ranks, size);
  }
  *reason = names_are_local() ? "the launcher has neither a name service (MPI_Publish_name) nor PMIx, and on this node not all ranks that open it have the cache"
                              : "not all ranks that open it have the cache";
  return group != NULL && group->all_there;
}

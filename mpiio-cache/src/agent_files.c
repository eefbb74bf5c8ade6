#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "agent_files.h"
#include "files.h"

struct open_file {
  int fd; /* -1: none */
  bool writable;
  uint32_t generation;
  uint32_t openers;
  uint8_t key[16];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct open_file files[MAX_FILES];
static bool ready;

/* Descriptors that are not needed any more. To close one may take as long as its file system wishes, so that a thread does it. */
static pthread_mutex_t unused_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_unused = PTHREAD_COND_INITIALIZER;
static struct unused {
  struct unused *next;
  int fd;
} *unused;

static const uint8_t no_key[16];

static void *close_loop(void *argument) {
  (void)argument;
  for (;;) {
    pthread_mutex_lock(&unused_lock);
    while (unused == NULL) {
      pthread_cond_wait(&has_unused, &unused_lock);
    }
    struct unused *first = unused;
    unused = first->next;
    pthread_mutex_unlock(&unused_lock);
    close(first->fd);
    free(first);
  }
  return NULL;
}

void files_start(void) {
  pthread_t closer;
  if (pthread_create(&closer, NULL, close_loop, NULL) == 0) {
    pthread_detach(closer);
  }
}

static void close_later(int fd) {
  struct unused *last = fd < 0 ? NULL : malloc(sizeof *last);
  if (last == NULL) {
    if (fd >= 0) {
      close(fd);
    }
    return;
  }
  last->fd = fd;
  pthread_mutex_lock(&unused_lock);
  last->next = unused;
  unused = last;
  pthread_cond_signal(&has_unused);
  pthread_mutex_unlock(&unused_lock);
}

static void prepare(void) {
  for (uint32_t i = 0; !ready && i < MAX_FILES; i++) {
    files[i].fd = -1;
  }
  ready = true;
}

/* Keeps the descriptor if there is none yet, or none that can be written. */
static void keep(struct open_file *file, const struct rank_message *message, int fd) {
  if (file->generation != message->generation && file->fd >= 0) {
    close_later(file->fd);
    file->fd = -1;
  }
  file->generation = message->generation;
  if (memcmp(message->key, no_key, sizeof no_key) != 0) {
    memcpy(file->key, message->key, sizeof file->key);
  }
  if (file->fd < 0 || (message->writable != 0 && !file->writable)) {
    close_later(file->fd);
    file->fd = fd;
    file->writable = message->writable != 0;
  } else {
    close_later(fd);
  }
}

/* Whether a descriptor is of the file that the message says, as far as this machine knows without asking a server. */
static bool is_file_of(struct arena *arena, const struct rank_message *message, int fd) {
  struct file_entry *entry = &arena->files[message->file];
  struct statx state;
  return fd >= 0 && statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &state) == 0 && state.stx_ino == entry->inode &&
         makedev(state.stx_dev_major, state.stx_dev_minor) == entry->device &&
         generation_of(atomic_load(&entry->identity)) == message->generation;
}

static void opened(struct arena *arena, struct rank_files *rank, const struct rank_message *message, int fd) {
  struct open_file *file = &files[message->file];
  keep(file, message, fd);
  file->openers++;
  rank->opens[message->file]++;
  atomic_fetch_add(&arena->files[message->file].openers, 1);
}

static void closed(struct arena *arena, struct rank_files *rank, uint32_t index) {
  if (rank->opens[index] > 0) {
    rank->opens[index]--;
    files[index].openers--;
    atomic_fetch_sub(&arena->files[index].openers, 1);
  }
}

int files_told(struct arena *arena, struct rank_files *rank, const struct rank_message *message, int fd) {
  bool opens = message->request == RANK_OPEN;
  int error = 0;
  if (message->arenaId != arena->header->arenaId) {
    error = ESTALE;
  } else if (message->file >= MAX_FILES) {
    error = EINVAL;
  } else if (message->request < RANK_OPEN || message->request > RANK_PREFETCH) {
    error = ENOSYS;
  } else if (opens && !is_file_of(arena, message, fd)) {
    error = ESTALE;
  }
  if (error != 0) {
    close_later(fd);
    return error;
  }
  pthread_mutex_lock(&lock);
  prepare();
  if (opens) {
    opened(arena, rank, message, fd);
  } else {
    close_later(fd);
  }
  if (message->request == RANK_CLOSE) {
    closed(arena, rank, message->file);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

void files_rank_gone(struct arena *arena, struct rank_files *rank) {
  pthread_mutex_lock(&lock);
  for (uint32_t index = 0; index < MAX_FILES; index++) {
    while (rank->opens[index] > 0) {
      closed(arena, rank, index);
    }
  }
  pthread_mutex_unlock(&lock);
}

/* After a restart of the agent, a dirty file may be known by its path only. */
static int reopen(struct arena *arena, uint32_t index, bool writable) {
  struct file_entry *entry = &arena->files[index];
  int fd = open(entry->path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (fd < 0) {
    return -errno;
  }
  struct stat state;
  int64_t born = file_born(fd, "");
  if (fstat(fd, &state) != 0 || state.st_dev != entry->device || state.st_ino != entry->inode ||
      (born != 0 && entry->bornNanos != 0 && born != entry->bornNanos)) {
    close(fd);
    return -ESTALE;
  }
  return fd;
}

int files_descriptor(struct arena *arena, uint32_t index, bool writable) {
  pthread_mutex_lock(&lock);
  prepare();
  struct open_file *file = &files[index];
  bool has_one = file->fd >= 0 && file->generation == generation_of(atomic_load(&arena->files[index].identity)) &&
                 (file->writable || !writable);
  int fd = has_one ? fcntl(file->fd, F_DUPFD_CLOEXEC, 0) : -1;
  int error = errno;
  pthread_mutex_unlock(&lock);
  if (has_one) {
    return fd < 0 ? -error : fd;
  }
  return reopen(arena, index, writable);
}

int files_by_key(const uint8_t key[16], int *fd, uint32_t *generation) {
  int found = -1;
  if (memcmp(key, no_key, sizeof no_key) == 0) {
    return -1;
  }
  pthread_mutex_lock(&lock);
  for (int i = 0; ready && i < MAX_FILES && found < 0; i++) {
    if (files[i].fd >= 0 && memcmp(files[i].key, key, sizeof files[i].key) == 0) {
      *fd = fcntl(files[i].fd, F_DUPFD_CLOEXEC, 0);
      *generation = files[i].generation;
      found = *fd >= 0 ? i : -1;
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

void files_sweep(struct arena *arena) {
  pthread_mutex_lock(&lock);
  prepare();
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    struct open_file *file = &files[i];
    if (file->fd >= 0 && file->openers == 0 && atomic_load(&arena->files[i].dirtyBlocks) == 0) {
      close_later(file->fd);
      file->fd = -1;
      file->writable = false;
      memset(file->key, 0, sizeof file->key);
    }
  }
  pthread_mutex_unlock(&lock);
}

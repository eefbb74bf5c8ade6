/* Processes write and read records of one file through the cache while its capacity swings and processes are killed; every byte is
 * compared with a model. With --threads, threads of this process do it, and none is killed: ThreadSanitizer sees all of them.
 * Usage: stress DIRECTORY [SECONDS [SEED [--threads]]] */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/cache.h"
#include "../src/clock.h"
#include "../src/sets.h"

#define PROCESSES 4
#define RECORDS 2048
#define RECORD_BYTES 1523 /* so that records cross sectors and blocks */
#define BLOCK_BYTES (64u << 10)
#define ARENA_BYTES (8u << 20)
#define CHECKED 50 /* after each flush */
#define FILE_RECORDS (PROCESSES * RECORDS)

/* What each process has written: done before the call, begun after it. */
struct model {
  _Atomic uint32_t begun[FILE_RECORDS], done[FILE_RECORDS];
  /* Of a record whose writer was killed: what was begun then, and what is there since. 0 if it is not such a one. */
  _Atomic uint32_t leftAt[FILE_RECORDS];
  uint8_t left[FILE_RECORDS][RECORD_BYTES];
  _Atomic uint64_t reads, writes, kills, resizes, syncs, drops;
  _Atomic int stop;
};

static struct model *model;
static char file_path[512], arena_path[512];

static void die(const char *what) {
  perror(what);
  exit(1);
}

static uint32_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

static uint8_t byte_of(uint32_t record, uint32_t sequence, uint32_t at) {
  uint32_t mixed = record * 2654435761u + sequence * 40503u + at / 7 * 97u;
  return sequence == 0 ? 0 : (uint8_t)(mixed >> 11);
}

static void fill_record(uint8_t *to, uint32_t record, uint32_t sequence) {
  for (uint32_t i = 0; i < RECORD_BYTES; i++) {
    to[i] = byte_of(record, sequence, i);
  }
}

/* Exits with a message if a byte is neither what the record held before the last write that was begun nor what that wrote. */
static void check(const uint8_t *bytes, uint32_t record, const char *where) {
  uint32_t begun = atomic_load(&model->begun[record]);
  uint32_t done = atomic_load(&model->done[record]);
  uint32_t left = atomic_load(&model->leftAt[record]);
  for (uint32_t i = 0; i < RECORD_BYTES; i++) {
    uint8_t old = left != 0 ? model->left[record][i] : byte_of(record, done, i);
    /* Who wrote through died before it changed the cache, perhaps: what it wrote to the file comes with the next load. */
    bool writes_back = record % PROCESSES % 2 == 0;
    uint8_t new = begun == left && writes_back ? old : byte_of(record, begun, i);
    if (bytes[i] != old && bytes[i] != new) {
      fprintf(stderr, "%s: record %u, byte %u (offset %u): %02x is neither %02x, of sequence %u%s, nor %02x, of %u\n", where, record, i,
              record * RECORD_BYTES + i, bytes[i], old, done, left != 0 ? " and a killed one" : "", new, begun);
      exit(3);
    }
  }
  if (left != 0 && begun == left) {
    memcpy(model->left[record], bytes, RECORD_BYTES);
  }
}

static void open_file(struct cache_file *file, struct arena *arena, enum cache_mode mode) {
  int fd = open(file_path, O_RDWR);
  struct stat state;
  if (fd < 0 || fstat(fd, &state) != 0) {
    die(file_path);
  }
  if (file_attach(file, arena, &state, file_path) != 0) {
    die("attach");
  }
  file->readFd = file->writeFd = fd;
  file->mode = mode;
}

/* After a flush the file has what this process has written. */
static void check_flushed(struct cache_file *file, uint32_t id, uint64_t *random) {
  uint8_t found[RECORD_BYTES];
  uint8_t wanted[RECORD_BYTES];
  for (int i = 0; i < CHECKED; i++) {
    uint32_t record = next_random(random) % RECORDS * PROCESSES + id;
    uint32_t done = atomic_load(&model->done[record]);
    if (done == 0 || done != atomic_load(&model->begun[record]) || atomic_load(&model->leftAt[record]) != 0) {
      continue;
    }
    fill_record(wanted, record, done);
    if (pread(file->writeFd, found, RECORD_BYTES, (off_t)record * RECORD_BYTES) != RECORD_BYTES || memcmp(found, wanted, RECORD_BYTES) != 0) {
      fprintf(stderr, "record %u, of sequence %u, is not in the file after a flush\n", record, done);
      exit(3);
    }
  }
}

/* One step of a process on its own records. */
static void step(struct cache_file *file, uint32_t id, uint64_t *random) {
  uint8_t bytes[RECORD_BYTES];
  int error;
  uint32_t record = next_random(random) % RECORDS * PROCESSES + id;
  uint64_t offset = (uint64_t)record * RECORD_BYTES;
  uint32_t sequence = atomic_load(&model->begun[record]);
  uint32_t choice = next_random(random) % 100;
  if (choice < 45) {
    atomic_store(&model->begun[record], sequence + 1);
    fill_record(bytes, record, sequence + 1);
    if (cache_write(file, offset, bytes, RECORD_BYTES, &error) != RECORD_BYTES) {
      die("write");
    }
    atomic_store(&model->done[record], sequence + 1);
    atomic_store(&model->leftAt[record], 0);
    atomic_fetch_add(&model->writes, 1);
  } else if (choice < 98) {
    size_t count = cache_read(file, offset, bytes, RECORD_BYTES, &error);
    if (count != RECORD_BYTES) {
      fprintf(stderr, "read of record %u: %zu\n", record, count);
      exit(3);
    }
    check(bytes, record, "while running");
    atomic_fetch_add(&model->reads, 1);
  } else if (choice < 99) {
    /* As if somebody else had changed the file: what was written here stays. */
    file_drop_all(file, KEEP_DIRTY);
    atomic_fetch_add(&model->drops, 1);
  } else {
    if (cache_flush(file) != 0) {
      die("flush");
    }
    check_flushed(file, id, random);
    atomic_fetch_add(&model->syncs, 1);
  }
}

static void work(struct arena *arena, uint32_t id, uint64_t seed) {
  struct cache_file file;
  open_file(&file, arena, id % 2 == 0 ? MODE_WRITE_BACK : MODE_WRITE_THROUGH);
  uint64_t random = seed;
  while (atomic_load(&model->stop) == 0) {
    step(&file, id, &random);
  }
  if (cache_detach(&file) != 0) {
    die("detach");
  }
  close(file.readFd);
}

static void run_process(uint32_t id, uint64_t seed) {
  struct arena arena;
  if (arena_open(&arena, AT_FDCWD, arena_path) != 0) {
    die("arena");
  }
  work(&arena, id, seed);
  exit(0);
}

static pid_t start(uint32_t id, uint64_t seed) {
  pid_t child = fork();
  if (child < 0) {
    die("fork");
  }
  if (child == 0) {
    run_process(id, seed);
  }
  return child;
}

struct worker {
  struct arena *arena;
  uint32_t id;
  uint64_t seed;
  pthread_t thread;
};

static void *run_thread(void *argument) {
  struct worker *worker = argument;
  work(worker->arena, worker->id, worker->seed);
  return NULL;
}

/* What the agent does. */
static void resize(struct arena *arena, int fd, uint64_t *random) {
  uint32_t slots = arena_slots(arena);
  atomic_store(&arena->header->capacityBlocks, next_random(random) % (slots + 1));
  for (int round = 0; round < 50 && sets_evict(arena, 0, arena->header->sets, INT64_MAX) > 0; round++) {
    for (uint32_t index = 0; index < slots; index++) {
      if (slot_extents(&arena->slots[index]) > 0) {
        slot_lock(arena, index);
        if (slot_flush(arena, index, fd) != 0) {
          die("flush by the agent");
        }
        slot_unlock(arena, index);
      }
    }
  }
  uint64_t used = 0;
  for (uint32_t index = 0; index < slots; index++) {
    used += atomic_load(slot_tag(arena, index)) != 0;
  }
  atomic_fetch_add(&model->resizes, 1);
}

static void check_file(const char *where) {
  FILE *file = fopen(file_path, "rb");
  uint8_t bytes[RECORD_BYTES];
  for (uint32_t record = 0; record < FILE_RECORDS; record++) {
    if (file == NULL || fread(bytes, 1, RECORD_BYTES, file) != RECORD_BYTES) {
      die(file_path);
    }
    check(bytes, record, where);
  }
  fclose(file);
}

static void check_cache(struct arena *arena) {
  struct cache_file file;
  uint8_t bytes[RECORD_BYTES];
  uint8_t again[RECORD_BYTES];
  open_file(&file, arena, MODE_READ_ONLY);
  int plain = open(file_path, O_RDONLY);
  for (uint32_t record = 0; record < FILE_RECORDS; record++) {
    off_t offset = (off_t)record * RECORD_BYTES;
    int error;
    if (cache_read(&file, (uint64_t)offset, bytes, RECORD_BYTES, &error) != RECORD_BYTES ||
        pread(plain, again, RECORD_BYTES, offset) != RECORD_BYTES) {
      die("read at the end");
    }
    if (memcmp(bytes, again, RECORD_BYTES) != 0) {
      fprintf(stderr, "record %u: the cache differs from the file after a flush\n", record);
      exit(3);
    }
  }
  close(plain);
}

/* What a killed process had begun is done or not, or in parts; from here on it stays as it is until it is written again. */
static void check_killed(struct arena *arena, uint32_t id) {
  struct cache_file file;
  uint8_t bytes[RECORD_BYTES];
  open_file(&file, arena, MODE_WRITE_BACK);
  for (uint32_t record = id; record < FILE_RECORDS; record += PROCESSES) {
    if (model->begun[record] == model->done[record]) {
      continue;
    }
    int error;
    if (cache_read(&file, (uint64_t)record * RECORD_BYTES, bytes, RECORD_BYTES, &error) != RECORD_BYTES) {
      die("read after a kill");
    }
    check(bytes, record, "after a kill");
    memcpy(model->left[record], bytes, RECORD_BYTES);
    atomic_store(&model->leftAt[record], model->begun[record]);
  }
  close(file.readFd);
}

static void kill_one(struct arena *arena, pid_t *children, uint64_t *random) {
  uint32_t id = next_random(random) % PROCESSES;
  int status;
  usleep(next_random(random) % 3000);
  kill(children[id], SIGKILL);
  waitpid(children[id], &status, 0);
  if (WIFEXITED(status)) {
    fprintf(stderr, "process %u ended with %d\n", id, WEXITSTATUS(status));
    exit(1);
  }
  check_killed(arena, id);
  atomic_fetch_add(&model->kills, 1);
  children[id] = start(id, next_random(random));
}

static void run_processes(struct arena *arena, int fd, double seconds, uint64_t *random) {
  pid_t children[PROCESSES];
  for (uint32_t id = 0; id < PROCESSES; id++) {
    children[id] = start(id, *random + id);
  }
  int64_t end = monotonic_nanos() + (int64_t)(seconds * 1e9);
  while (monotonic_nanos() < end) {
    resize(arena, fd, random);
    if (next_random(random) % 4 == 0) {
      kill_one(arena, children, random);
    }
    usleep(next_random(random) % 2000);
  }
  atomic_store(&model->stop, 1);
  for (uint32_t id = 0; id < PROCESSES; id++) {
    int status;
    waitpid(children[id], &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      fprintf(stderr, "process %u ended with status %x\n", id, (unsigned)status);
      exit(1);
    }
  }
}

static void run_threads(struct arena *arena, int fd, double seconds, uint64_t *random) {
  struct worker workers[PROCESSES];
  for (uint32_t id = 0; id < PROCESSES; id++) {
    workers[id] = (struct worker){.arena = arena, .id = id, .seed = *random + id};
    if (pthread_create(&workers[id].thread, NULL, run_thread, &workers[id]) != 0) {
      die("thread");
    }
  }
  int64_t end = monotonic_nanos() + (int64_t)(seconds * 1e9);
  while (monotonic_nanos() < end) {
    resize(arena, fd, random);
    usleep(next_random(random) % 2000);
  }
  atomic_store(&model->stop, 1);
  for (uint32_t id = 0; id < PROCESSES; id++) {
    pthread_join(workers[id].thread, NULL);
  }
}

/* With everything flushed, the file and the cache are the same; and all memory can be given back. */
static uint64_t check_end(struct arena *arena) {
  struct cache_file file;
  open_file(&file, arena, MODE_WRITE_BACK);
  atomic_store(&file.wrote, 1);
  if (cache_detach(&file) != 0) {
    die("last flush");
  }
  close(file.readFd);
  check_file("in the file at the end");
  check_cache(arena);
  atomic_store(&arena->header->capacityBlocks, 0);
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    sets_recount(arena, set);
  }
  return sets_evict(arena, 0, arena->header->sets, INT64_MAX);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: stress DIRECTORY [SECONDS [SEED [--threads]]]\n");
    return 2;
  }
  double seconds = argc > 2 ? atof(argv[2]) : 5;
  uint64_t random = argc > 3 ? strtoull(argv[3], NULL, 10) : (uint64_t)realtime_nanos();
  printf("seed %llu\n", (unsigned long long)random);
  fflush(stdout);
  snprintf(file_path, sizeof file_path, "%s/stress-file", argv[1]);
  snprintf(arena_path, sizeof arena_path, "%s/stress-arena", argv[1]);
  model = mmap(NULL, sizeof *model, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int fd = open(file_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (model == MAP_FAILED || fd < 0 || ftruncate(fd, (off_t)FILE_RECORDS * RECORD_BYTES) != 0) {
    die(file_path);
  }
  struct arena arena;
  unlink(arena_path);
  /* With an odd seed the arena has room for more blocks than the file has, which are then looked for one by one. */
  int error = arena_create(&arena, AT_FDCWD, arena_path, random % 2 == 0 ? ARENA_BYTES : 2 * ARENA_BYTES, BLOCK_BYTES);
  if (error != 0) {
    fprintf(stderr, "%s: %s\n", arena_path, strerror(error));
    return 1;
  }
  atomic_store(&arena.header->capacityBlocks, arena_slots(&arena));
  if (argc > 4 && strcmp(argv[4], "--threads") == 0) {
    run_threads(&arena, fd, seconds, &random);
  } else {
    run_processes(&arena, fd, seconds, &random);
  }
  uint64_t above = check_end(&arena);
  uint64_t resident = arena_resident_bytes(&arena) - arena.header->dataOffset;
  printf("%llu reads, %llu writes, %llu syncs, %llu drops, %llu kills, %llu resizes: no wrong byte; at capacity 0: %llu blocks above, %llu bytes held\n",
         (unsigned long long)model->reads, (unsigned long long)model->writes, (unsigned long long)model->syncs,
         (unsigned long long)model->drops, (unsigned long long)model->kills, (unsigned long long)model->resizes, (unsigned long long)above, (unsigned long long)resident);
  unlink(file_path);
  unlink(arena_path);
  return above == 0 ? 0 : 4;
}

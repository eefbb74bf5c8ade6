/* Writes records of a file, each stamped with how often it was written, until it is told to stop or is killed, and then again; notes
 * beside the file what it began, what it did and what had been synced. Each rank has records of its own; with several ranks, the file
 * is one of all of them. Usage: killed NOTES FILE PROCESSES ID [check-done|check-synced] */
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define RECORDS 1024 /* of each rank */
#define RECORD_BYTES 3011 /* so that records cross sectors and blocks */
#define MOST_RANKS 8
#define SYNC_EVERY 200

/* Of each rank: all that a checker needs to know. Shared memory outlives a killed process. */
struct notes {
  _Atomic uint32_t begun[RECORDS], done[RECORDS], synced[RECORDS];
  _Atomic uint32_t pid, syncs;
};

static struct {
  _Atomic uint32_t stop;
  struct notes ranks[MOST_RANKS];
} *all;

static int processes, id;
static MPI_File file;

static void fail(const char *what, uint32_t record, uint32_t at) {
  fprintf(stderr, "process %d: %s: record %u, byte %u of %u\n", id, what, record, at, RECORD_BYTES);
  _exit(3);
}

static void must(int result, const char *what) {
  if (result != MPI_SUCCESS) {
    fail(what, 0, 0);
  }
}

static uint32_t next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

static uint8_t byte_of(int owner, uint32_t record, uint32_t sequence, uint32_t at) {
  uint32_t mixed = ((uint32_t)owner * RECORDS + record) * 2654435761u + sequence * 2246822519u + at / 7 * 97u;
  return sequence == 0 ? 0 : (uint8_t)(mixed >> 11);
}

/* Records of all processes follow each other in turn, so that each block is shared. */
static MPI_Offset place_of(int owner, uint32_t record) {
  return ((MPI_Offset)record * processes + owner) * RECORD_BYTES;
}

static void check_bytes(const uint8_t *bytes, int owner, uint32_t record, uint32_t least, uint32_t most, const char *what) {
  for (uint32_t at = 0; at < RECORD_BYTES; at++) {
    uint32_t sequence = least;
    while (sequence <= most && bytes[at] != byte_of(owner, record, sequence, at)) {
      sequence++;
    }
    if (sequence > most) {
      fprintf(stderr, "sequences %u to %u: byte is %02x, not %02x; ", least, most, bytes[at], byte_of(owner, record, least, at));
      fail(what, record, at);
    }
  }
}

static void read_record(int owner, uint32_t record, uint8_t *bytes) {
  MPI_Status status;
  int count;
  memset(bytes, 0, RECORD_BYTES);
  must(MPI_File_read_at(file, place_of(owner, record), bytes, RECORD_BYTES, MPI_BYTE, &status), "read");
  MPI_Get_count(&status, MPI_BYTE, &count);
  if (count != RECORD_BYTES) {
    fail("a short read", record, (uint32_t)count);
  }
}

static void write_record(uint32_t record, uint32_t sequence) {
  struct notes *mine = &all->ranks[id];
  uint8_t bytes[RECORD_BYTES];
  for (uint32_t at = 0; at < RECORD_BYTES; at++) {
    bytes[at] = byte_of(id, record, sequence, at);
  }
  atomic_store(&mine->begun[record], sequence);
  must(MPI_File_write_at(file, place_of(id, record), bytes, RECORD_BYTES, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  atomic_store(&mine->done[record], sequence);
}

/* Checks all records of a process, from the state that must be there at least. */
static void check_all(int owner, int synced_only, const char *what) {
  struct notes *notes = &all->ranks[owner];
  uint8_t bytes[RECORD_BYTES];
  for (uint32_t record = 0; record < RECORDS; record++) {
    uint32_t least = atomic_load(synced_only ? &notes->synced[record] : &notes->done[record]);
    read_record(owner, record, bytes);
    check_bytes(bytes, owner, record, least, atomic_load(&notes->begun[record]), what);
  }
}

static void sync_file(void) {
  struct notes *mine = &all->ranks[id];
  uint32_t done[RECORDS];
  memcpy(done, mine->done, sizeof done);
  must(MPI_File_sync(file), "sync");
  memcpy(mine->synced, done, sizeof done);
  atomic_fetch_add(&mine->syncs, 1);
}

/* What the former process of this number had begun is done or not; from here on it is known again. */
static void take_over(void) {
  struct notes *mine = &all->ranks[id];
  check_all(id, 0, "after a kill");
  for (uint32_t record = 0; record < RECORDS; record++) {
    if (mine->begun[record] != mine->done[record]) {
      write_record(record, mine->begun[record]);
    }
  }
}

static int told_to_stop(void) {
  int mine = (int)atomic_load(&all->stop);
  int any;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any;
}

static void run(uint64_t random) {
  struct notes *mine = &all->ranks[id];
  uint8_t bytes[RECORD_BYTES];
  for (uint32_t step = 1;; step++) {
    uint32_t record = next(&random) % RECORDS;
    if (next(&random) % 2 == 0) {
      write_record(record, mine->begun[record] + 1);
    } else {
      read_record(id, record, bytes);
      check_bytes(bytes, id, record, mine->done[record], mine->done[record], "while others are killed");
    }
    if (step % SYNC_EVERY == 0) {
      sync_file();
      if (told_to_stop()) {
        return;
      }
    }
  }
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 5) {
    fputs("usage: killed NOTES FILE PROCESSES ID [check-done|check-synced]\n", stderr);
    return 2;
  }
  processes = atoi(argv[3]);
  id = atoi(argv[4]) + rank;
  int notes = open(argv[1], O_RDWR | O_CREAT, 0600);
  if (notes < 0 || id >= MOST_RANKS || ftruncate(notes, sizeof *all) != 0) {
    fail(argv[1], 0, 0);
  }
  all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED, notes, 0);
  if (all == MAP_FAILED) {
    fail(argv[1], 0, 0);
  }
  must(MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_RDWR, MPI_INFO_NULL, &file), "open");
  if (argc > 5) {
    for (int owner = 0; owner < processes; owner++) {
      check_all(owner, strcmp(argv[5], "check-synced") == 0, argv[5]);
    }
  } else {
    take_over();
    atomic_store(&all->ranks[id].pid, (uint32_t)getpid());
    run((uint64_t)getpid() * UINT64_C(0x9e3779b97f4a7c15));
  }
  must(MPI_File_close(&file), "close");
  MPI_Finalize();
  return 0;
}

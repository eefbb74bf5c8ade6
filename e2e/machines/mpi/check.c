/* An MPI program whose ranks read blocks of a file at random places until it is ended, and compare every byte with what rank 0 wrote before.
 * Each second it prints how many blocks were read. The exit code is 1 after a wrong byte. Usage: check FILE MEBIBYTES */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCK_BYTES = 64 << 10, WORDS = BLOCK_BYTES / sizeof(uint64_t) };

static int rank;

static void must(int result, const char *what) {
  if (result != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(result, text, &length);
    fprintf(stderr, "check: rank %d: cannot %s: %s\n", rank, what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static uint64_t mixed(uint64_t word) {
  word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
  return word ^ (word >> 31);
}

static void write_file(const char *path, uint64_t blocks) {
  static uint64_t block[WORDS];
  MPI_File file;
  must(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file), path);
  for (uint64_t at = 0; at < blocks; at++) {
    for (uint64_t i = 0; i < WORDS; i++) {
      block[i] = mixed(at * WORDS + i);
    }
    must(MPI_File_write_at(file, (MPI_Offset)(at * BLOCK_BYTES), block, BLOCK_BYTES, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  }
  must(MPI_File_close(&file), "close");
}

static void read_block(MPI_File file, uint64_t at) {
  static uint64_t block[WORDS];
  MPI_Status status;
  int count = 0;
  must(MPI_File_read_at(file, (MPI_Offset)(at * BLOCK_BYTES), block, BLOCK_BYTES, MPI_BYTE, &status), "read");
  MPI_Get_count(&status, MPI_BYTE, &count);
  for (uint64_t i = 0; i < WORDS; i++) {
    if (count != BLOCK_BYTES || block[i] != mixed(at * WORDS + i)) {
      printf("blocks wrong: rank %d, block %" PRIu64 ", word %" PRIu64 " of %d bytes read\n", rank, at, i, count);
      fflush(stdout);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 3 || atoi(argv[2]) < 1) {
    fputs("usage: check FILE MEBIBYTES\n", stderr);
    MPI_Finalize();
    return 2;
  }
  uint64_t blocks = ((uint64_t)atoi(argv[2]) << 20) / BLOCK_BYTES;
  if (rank == 0) {
    write_file(argv[1], blocks);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  must(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file), argv[1]);
  uint64_t random = mixed((uint64_t)rank);
  for (uint64_t all = 0;;) {
    uint64_t read = 0;
    for (time_t until = time(NULL) + 1; time(NULL) < until; read++) {
      random = mixed(random + 1);
      read_block(file, random % blocks);
      nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    uint64_t now;
    MPI_Reduce(&read, &now, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    all += now;
    if (rank == 0) {
      printf("blocks read %" PRIu64 " wrong 0\n", all);
      fflush(stdout);
    }
  }
}

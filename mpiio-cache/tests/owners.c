/* A file that is cut over the nodes, of which the first one has a single rank and the last one two. Usage: owners FILE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_BYTES 65536

static int rank, ranks;
static MPI_File file;
static char part[PART_BYTES], plain[PART_BYTES];

static void wrong(const char *what, MPI_Offset at) {
  fprintf(stderr, "owners: rank %d: %s, at %lld\n", rank, what, (long long)at);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

/* The last rank reads all of the file; the others read nothing. */
static void read_all(const char *path) {
  if (rank == ranks - 1) {
    FILE *direct = fopen(path, "rb");
    MPI_Offset size;
    MPI_File_get_size(file, &size);
    for (MPI_Offset at = 0; at < size; at += PART_BYTES) {
      MPI_File_read_at(file, at, part, PART_BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
      if (direct == NULL || fread(plain, 1, PART_BYTES, direct) != PART_BYTES || memcmp(part, plain, PART_BYTES) != 0) {
        wrong("the bytes are not those of the file", at);
      }
    }
    fclose(direct);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* One rank of the last node writes a part of a sector that the first node owns and has cached; the other one then reads another part of
 * it, which must not bring the owner's old bytes over those just written. */
static void write_beside(MPI_Offset place) {
  memset(plain, 'w', 100);
  if (rank == 0) {
    MPI_File_read_at(file, place, part, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == ranks - 1) {
    MPI_File_write_at(file, place + 200, plain, 100, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == ranks - 2) {
    MPI_File_read_at(file, place, part, 100, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == ranks - 1) {
    MPI_File_read_at(file, place + 200, part, 100, MPI_BYTE, MPI_STATUS_IGNORE);
    if (memcmp(part, plain, 100) != 0) {
      wrong("a rank does not see what it has written", place + 200);
    }
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_read_at(file, place + 200, part, 100, MPI_BYTE, MPI_STATUS_IGNORE);
  if (memcmp(part, plain, 100) != 0) {
    wrong("a rank does not see what has been synced", place + 200);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Info hints;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "dynims_distribute", "true");
  if (argc != 2 || MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR, hints, &file) != MPI_SUCCESS) {
    fputs("usage: owners FILE\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  /* Before anything has been written: the owners are asked. */
  read_all(argv[1]);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR, hints, &file);
  write_beside(65536);
  write_beside(3 * 65536 + 8192);
  MPI_File_close(&file);
  MPI_Info_free(&hints);
  MPI_Finalize();
  return 0;
}

/* The last rank reads a whole file that is cut over the nodes; the others read nothing. Usage: owners FILE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_BYTES 65536

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_File file;
  MPI_Info hints;
  static char part[PART_BYTES], plain[PART_BYTES];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "dynims_distribute", "true");
  if (argc != 2 || MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, hints, &file) != MPI_SUCCESS) {
    fputs("usage: owners FILE\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (rank == ranks - 1) {
    FILE *direct = fopen(argv[1], "rb");
    MPI_Offset size;
    MPI_File_get_size(file, &size);
    for (MPI_Offset at = 0; at < size; at += PART_BYTES) {
      MPI_File_read_at(file, at, part, PART_BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
      if (direct == NULL || fread(plain, 1, PART_BYTES, direct) != PART_BYTES || memcmp(part, plain, PART_BYTES) != 0) {
        fprintf(stderr, "the bytes at %lld are not those of the file\n", (long long)at);
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
    }
    fclose(direct);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
  MPI_Info_free(&hints);
  MPI_Finalize();
  return 0;
}

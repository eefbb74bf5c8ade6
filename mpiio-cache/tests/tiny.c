/* What each build of the library has to do: two ranks write a file and read it twice, each the other's half. An argument: the file. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define HALF 300000

static char own[HALF], other[HALF];

static void check(int result, const char *what) {
  if (result != MPI_SUCCESS) {
    fprintf(stderr, "tiny: %s: error %d\n", what, result);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  check(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file), "open");
  /* A view, whose types' objects the library has to find. */
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_BYTE, &pair);
  MPI_Type_commit(&pair);
  check(MPI_File_set_view(file, 0, MPI_BYTE, pair, "native", MPI_INFO_NULL), "view");
  memset(own, 'a' + rank, HALF);
  check(MPI_File_write_at_all(file, (MPI_Offset)rank * HALF, own, HALF, MPI_BYTE, MPI_STATUS_IGNORE), "write");
  check(MPI_File_sync(file), "sync");
  MPI_Barrier(MPI_COMM_WORLD);
  check(MPI_File_sync(file), "sync");
  int next = (rank + 1) % ranks;
  for (int i = 0; i < 2; i++) {
    MPI_Status status;
    MPI_Request request;
    int count;
    memset(other, 0, HALF);
    check(MPI_File_iread_at(file, (MPI_Offset)next * HALF, other, HALF, MPI_BYTE, &request), "read");
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    for (int at = 0; at < HALF; at++) {
      check(other[at] == 'a' + next && count == HALF ? MPI_SUCCESS : MPI_ERR_OTHER, "compare");
    }
  }
  check(MPI_File_close(&file), "close");
  MPI_Type_free(&pair);
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  if (rank == 0) {
    printf("tiny: %d ranks with %.*s\n", ranks, (int)strcspn(version, "\n"), version);
  }
  MPI_Finalize();
  return 0;
}

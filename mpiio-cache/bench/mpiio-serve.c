/* An MPI program that reads parts of a file for somebody: an offset and a length on a line of its input, the bytes to its output.
 * Usage: mpiio-serve FILE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_BYTES (64 << 20)

static void must(int result, const char *what) {
  if (result != MPI_SUCCESS) {
    fprintf(stderr, "mpiio-serve: cannot %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) {
    fputs("usage: mpiio-serve FILE\n", stderr);
    MPI_Finalize();
    return 2;
  }
  MPI_File file;
  must(MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file), argv[1]);
  long long offset;
  int length;
  int status = 0;
  while (status == 0 && scanf("%lld %d", &offset, &length) == 2 && length > 0 && length <= MOST_BYTES) {
    char *bytes = calloc(1, (size_t)length);
    MPI_Status read;
    int count = 0;
    must(MPI_File_read_at(file, offset, bytes, length, MPI_BYTE, &read), "read");
    MPI_Get_count(&read, MPI_BYTE, &count);
    status = count == length && fwrite(bytes, 1, (size_t)length, stdout) == (size_t)length && fflush(stdout) == 0 ? 0 : 1;
    free(bytes);
  }
  must(MPI_File_close(&file), "close");
  MPI_Finalize();
  return status;
}

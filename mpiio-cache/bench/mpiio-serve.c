/* An MPI program that reads parts of a file for somebody: an offset and a length on a line of its input, the bytes to its output. With
 * "write", it also writes parts: the length is negative, and the bytes follow the line.
 * Usage: mpiio-serve FILE [write] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (64 << 20)

static void must(int result, const char *what) {
  if (result != MPI_SUCCESS) {
    fprintf(stderr, "mpiio-serve: cannot %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* Returns 0 if all bytes came from the input and went to the file. */
static int write_part(MPI_File file, long long offset, char *bytes, int length) {
  if (getchar() != '\n' || fread(bytes, 1, (size_t)length, stdin) != (size_t)length) {
    return 1;
  }
  MPI_Status written;
  int count = 0;
  must(MPI_File_write_at(file, offset, bytes, length, MPI_BYTE, &written), "write");
  MPI_Get_count(&written, MPI_BYTE, &count);
  return count == length ? 0 : 1;
}

/* Returns 0 if all bytes came from the file and went to the output. */
static int read_part(MPI_File file, long long offset, char *bytes, int length) {
  MPI_Status read;
  int count = 0;
  must(MPI_File_read_at(file, offset, bytes, length, MPI_BYTE, &read), "read");
  MPI_Get_count(&read, MPI_BYTE, &count);
  return count == length && fwrite(bytes, 1, (size_t)length, stdout) == (size_t)length && fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int writes = argc == 3 && strcmp(argv[2], "write") == 0;
  if (argc != 2 && !writes) {
    fputs("usage: mpiio-serve FILE [write]\n", stderr);
    MPI_Finalize();
    return 2;
  }
  MPI_File file;
  must(MPI_File_open(MPI_COMM_SELF, argv[1], writes ? MPI_MODE_RDWR : MPI_MODE_RDONLY, MPI_INFO_NULL, &file), argv[1]);
  long long offset;
  int asked;
  int status = 0;
  while (status == 0 && scanf("%lld %d", &offset, &asked) == 2 && asked != 0 && asked >= -MOST_BYTES && asked <= MOST_BYTES) {
    int length = abs(asked);
    char *bytes = calloc(1, (size_t)length);
    status = asked < 0 ? write_part(file, offset, bytes, length) : read_part(file, offset, bytes, length);
    free(bytes);
  }
  must(MPI_File_close(&file), "close");
  MPI_Finalize();
  return status;
}

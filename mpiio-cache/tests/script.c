/* An MPI program of one rank that does what the lines of its standard input say, and answers each with a line. Files are numbered by who
 * opens them: open N PATH, create N PATH, close N, write N OFFSET LENGTH BYTE, read N OFFSET LENGTH, size N, resize N LENGTH, sync N,
 * end N (moves the shared pointer to the end, and says where that is), delete PATH. A read is answered with runs of equal bytes,
 * LENGTHxBYTE; an error with its class. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES 64
#define LINE_BYTES 2048

static MPI_File files[FILES];

static void answer_result(int result) {
  int class;
  MPI_Error_class(result, &class);
  if (class == MPI_SUCCESS) {
    puts("ok");
  } else {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(class, text, &length);
    printf("error %d %s\n", class, text);
  }
}

static void answer_runs(const unsigned char *bytes, int count) {
  for (int i = 0; i < count;) {
    int end = i;
    while (end < count && bytes[end] == bytes[i]) {
      end++;
    }
    printf("%dx%d ", end - i, bytes[i]);
    i = end;
  }
  putchar('\n');
}

static void obey(char *line) {
  char path[LINE_BYTES];
  int number, byte;
  long long offset;
  int length;
  if (sscanf(line, "open %d %s", &number, path) == 2) {
    answer_result(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, MPI_INFO_NULL, &files[number]));
  } else if (sscanf(line, "create %d %s", &number, path) == 2) {
    answer_result(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_INFO_NULL, &files[number]));
  } else if (sscanf(line, "close %d", &number) == 1) {
    answer_result(MPI_File_close(&files[number]));
  } else if (sscanf(line, "sync %d", &number) == 1) {
    answer_result(MPI_File_sync(files[number]));
  } else if (sscanf(line, "delete %s", path) == 1) {
    answer_result(MPI_File_delete(path, MPI_INFO_NULL));
  } else if (sscanf(line, "write %d %lld %d %d", &number, &offset, &length, &byte) == 4) {
    unsigned char *bytes = malloc((size_t)length);
    memset(bytes, byte, (size_t)length);
    answer_result(MPI_File_write_at(files[number], offset, bytes, length, MPI_BYTE, MPI_STATUS_IGNORE));
    free(bytes);
  } else if (sscanf(line, "read %d %lld %d", &number, &offset, &length) == 3) {
    unsigned char *bytes = malloc((size_t)length);
    MPI_Status status;
    int result = MPI_File_read_at(files[number], offset, bytes, length, MPI_BYTE, &status);
    if (result == MPI_SUCCESS) {
      MPI_Get_count(&status, MPI_BYTE, &length);
      answer_runs(bytes, length);
    } else {
      answer_result(result);
    }
    free(bytes);
  } else if (sscanf(line, "size %d", &number) == 1) {
    MPI_Offset bytes = -1;
    MPI_File_get_size(files[number], &bytes);
    printf("%lld\n", (long long)bytes);
  } else if (sscanf(line, "resize %d %lld", &number, &offset) == 2) {
    answer_result(MPI_File_set_size(files[number], offset));
  } else if (sscanf(line, "end %d", &number) == 1) {
    MPI_Offset at = -1;
    MPI_File_seek_shared(files[number], 0, MPI_SEEK_END);
    MPI_File_get_position_shared(files[number], &at);
    printf("%lld\n", (long long)at);
  } else {
    puts("what?");
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  char line[LINE_BYTES];
  MPI_Init(&argc, &argv);
  while (fgets(line, sizeof line, stdin) != NULL) {
    obey(line);
  }
  MPI_Finalize();
  return 0;
}

/* Writes a file in several ways, reads it back by others, and compares: independent and collective calls, at offsets and through views.

usage: ior FILE

The exit code is 0 if all bytes are as written, 1 if not, and 2 if MPI reports an error. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRANSFER_INTS = 3000, TRANSFERS = 24 };

static int rank, ranks;

static void check(int code, const char *what) {
  if (code != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "ior: rank %d: %s: %s\n", rank, what, text);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

/* How a file is laid out: the transfers of one rank after the other, or those of all ranks in turn, by offsets or by a view. */
enum layout { SEGMENTED, STRIDED, VIEW };

static int value(int round, int of, int transfer, int at) {
  return ((round * 64 + of) * 64 + transfer) * 4096 + at;
}

static MPI_Offset offset(enum layout layout, int of, int transfer) {
  MPI_Offset bytes = TRANSFER_INTS * (MPI_Offset)sizeof(int);
  return bytes * (layout == SEGMENTED ? (MPI_Offset)of * TRANSFERS + transfer : (MPI_Offset)transfer * ranks + of);
}

static void set_view(MPI_File file, enum layout layout, int of) {
  if (layout != VIEW) {
    check(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "set_view");
    return;
  }
  MPI_Datatype blocks, type;
  check(MPI_Type_contiguous(TRANSFER_INTS, MPI_INT, &blocks), "type");
  check(MPI_Type_create_resized(blocks, 0, ranks * TRANSFER_INTS * (MPI_Aint)sizeof(int), &type), "type");
  check(MPI_Type_commit(&type), "type");
  check(MPI_File_set_view(file, of * TRANSFER_INTS * (MPI_Offset)sizeof(int), MPI_INT, type, "native", MPI_INFO_NULL), "set_view");
  check(MPI_Type_free(&type), "type");
  check(MPI_Type_free(&blocks), "type");
}

static void transfer(MPI_File file, enum layout layout, bool collective, bool writes, int of, int number, int *data) {
  MPI_Status status;
  MPI_Offset at = layout == VIEW ? (MPI_Offset)number * TRANSFER_INTS : offset(layout, of, number);
  int count, code;
  if (writes) {
    code = (collective ? MPI_File_write_at_all : MPI_File_write_at)(file, at, data, TRANSFER_INTS, MPI_INT, &status);
  } else {
    code = (collective ? MPI_File_read_at_all : MPI_File_read_at)(file, at, data, TRANSFER_INTS, MPI_INT, &status);
  }
  check(code, writes ? "write" : "read");
  check(MPI_Get_count(&status, MPI_INT, &count), "get_count");
  if (count != TRANSFER_INTS) {
    fprintf(stderr, "ior: rank %d: %d of %d ints\n", rank, count, TRANSFER_INTS);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void round_of(const char *name, int round, enum layout layout, bool collective) {
  static int data[TRANSFER_INTS];
  MPI_File file;
  check(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file), "open");
  set_view(file, layout, rank);
  for (int i = 0; i < TRANSFERS; i++) {
    for (int k = 0; k < TRANSFER_INTS; k++) {
      data[k] = value(round, rank, i, k);
    }
    transfer(file, layout, collective, true, rank, i, data);
  }
  check(MPI_File_sync(file), "sync");
  check(MPI_Barrier(MPI_COMM_WORLD), "barrier");
  check(MPI_File_sync(file), "sync");
  /* First what another rank has written while the file is still open, then what is in it when it is opened again. */
  for (int again = 0; again < 2; again++) {
    int of = (rank + 1 + again) % ranks;
    set_view(file, layout, of);
    for (int i = 0; i < TRANSFERS; i++) {
      transfer(file, layout, collective, false, of, i, data);
      for (int k = 0; k < TRANSFER_INTS; k++) {
        if (data[k] != value(round, of, i, k)) {
          fprintf(stderr, "ior: rank %d: round %d, of rank %d, transfer %d, int %d: %d for %d\n", rank, round, of, i, k, data[k], value(round, of, i, k));
          MPI_Abort(MPI_COMM_WORLD, 1);
        }
      }
    }
    MPI_Offset size;
    check(MPI_File_get_size(file, &size), "get_size");
    if (size != offset(SEGMENTED, ranks, 0)) {
      fprintf(stderr, "ior: rank %d: round %d: %lld bytes\n", rank, round, (long long)size);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    check(MPI_File_close(&file), "close");
    if (again == 0) {
      check(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), "open");
    }
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2) {
    fprintf(stderr, "usage: ior FILE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int round = 0;
  for (int repeat = 0; repeat < 2; repeat++) {
    for (enum layout layout = SEGMENTED; layout <= VIEW; layout++) {
      round_of(argv[1], ++round, layout, false);
      round_of(argv[1], ++round, layout, true);
    }
  }
  MPI_Finalize();
  return 0;
}

/* A parallel HDF5 program: ranks write bands of a contiguous and of a chunked data set, together and on their own; the file is closed,
 * opened again and read by other ranks. Usage: hdf5 FILE */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 96 /* of each rank */
#define COLUMNS 1000

static int rank, ranks;
static double band[ROWS][COLUMNS];

static void must(long long result, const char *what) {
  if (result < 0) {
    fprintf(stderr, "hdf5: rank %d: %s has failed\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

static double value(hsize_t row, hsize_t column, int round) {
  return (double)(row * COLUMNS + column) * (round + 1);
}

static hid_t open_file(const char *path, int create) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  must(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "the MPI-IO driver");
  hid_t file = create ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access) : H5Fopen(path, H5F_ACC_RDWR, access);
  must(file, path);
  H5Pclose(access);
  return file;
}

/* Writes, or reads and checks, the band of a rank. */
static void move_band(hid_t set, int owner, int round, int collective, int write) {
  hsize_t start[2] = {(hsize_t)owner * ROWS, 0};
  hsize_t count[2] = {ROWS, COLUMNS};
  hid_t memory = H5Screate_simple(2, count, NULL);
  hid_t space = H5Dget_space(set);
  hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  must(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL), "the selection");
  must(H5Pset_dxpl_mpio(transfer, collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT), "the transfer");
  for (hsize_t row = 0; write && row < ROWS; row++) {
    for (hsize_t column = 0; column < COLUMNS; column++) {
      band[row][column] = value(start[0] + row, column, round);
    }
  }
  must(write ? H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, transfer, band) : H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, transfer, band),
       write ? "a write" : "a read");
  for (hsize_t row = 0; !write && row < ROWS; row++) {
    for (hsize_t column = 0; column < COLUMNS; column++) {
      if (band[row][column] != value(start[0] + row, column, round)) {
        fprintf(stderr, "hdf5: rank %d: round %d, collective %d, row %d, column %d of rank %d is %f, not %f\n", rank, round, collective,
                (int)row, (int)column, owner, band[row][column], value(start[0] + row, column, round));
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
    }
  }
  H5Pclose(transfer);
  H5Sclose(space);
  H5Sclose(memory);
}

static void run(const char *path, int chunked) {
  hsize_t size[2] = {(hsize_t)ranks * ROWS, COLUMNS};
  hsize_t chunk[2] = {ROWS / 2, COLUMNS / 4};
  hid_t file = open_file(path, 1);
  hid_t space = H5Screate_simple(2, size, NULL);
  hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  if (chunked) {
    must(H5Pset_chunk(layout, 2, chunk), "chunks");
  }
  hid_t set = H5Dcreate2(file, "values", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
  must(set, "the data set");
  for (int round = 0; round < 3; round++) {
    move_band(set, rank, round, round % 2 == 0, 1);
    must(H5Fflush(file, H5F_SCOPE_GLOBAL), "a flush");
    MPI_Barrier(MPI_COMM_WORLD);
    move_band(set, (rank + 1) % ranks, round, round % 2 == 1, 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  must(H5Dclose(set), "closing the data set");
  must(H5Fclose(file), "closing the file");
  file = open_file(path, 0);
  set = H5Dopen2(file, "values", H5P_DEFAULT);
  must(set, "the data set, again");
  for (int owner = 0; owner < ranks; owner++) {
    move_band(set, (rank + owner) % ranks, 2, owner % 2, 0);
  }
  must(H5Dclose(set), "closing the data set");
  must(H5Fclose(file), "closing the file");
  H5Pclose(layout);
  H5Sclose(space);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  must(argc == 2 ? 0 : -1, "usage: hdf5 FILE");
  run(argv[1], 0);
  run(argv[1], 1);
  MPI_Finalize();
  return 0;
}

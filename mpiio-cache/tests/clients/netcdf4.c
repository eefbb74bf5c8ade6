/* A NetCDF-4 program: ranks write bands of a variable together and records of another, which grows, on their own; the file is closed,
 * opened again and read by other ranks. Usage: netcdf4 FILE */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 50 /* of each rank */
#define COLUMNS 400
#define RECORDS 4

static int rank, ranks;
static int band[ROWS][COLUMNS];

static void must(int result, const char *what) {
  if (result != NC_NOERR) {
    fprintf(stderr, "netcdf4: rank %d: %s: %s\n", rank, what, nc_strerror(result));
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

/* Sets the band of a rank, or compares it. */
static void each(int owner, int salt, int compare) {
  for (int row = 0; row < ROWS; row++) {
    for (int column = 0; column < COLUMNS; column++) {
      int value = (owner * ROWS + row) * COLUMNS + column + salt * 1000000;
      if (compare && band[row][column] != value) {
        fprintf(stderr, "netcdf4: rank %d: value %d, %d of rank %d is %d, not %d\n", rank, row, column, owner, band[row][column], value);
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
      band[row][column] = value;
    }
  }
}

static void move_all(int file, int values, int records, int owner, int write) {
  size_t start[3] = {(size_t)owner * ROWS, 0};
  size_t count[3] = {ROWS, COLUMNS};
  if (write) {
    each(owner, 1, 0);
  }
  must(write ? nc_put_vara_int(file, values, start, count, &band[0][0]) : nc_get_vara_int(file, values, start, count, &band[0][0]), "values");
  if (!write) {
    each(owner, 1, 1);
  }
  for (int record = 0; record < RECORDS; record++) {
    size_t at[3] = {(size_t)record, (size_t)owner * ROWS, 0};
    size_t length[3] = {1, ROWS, COLUMNS};
    if (write) {
      each(owner, 2 + record, 0);
    }
    must(write ? nc_put_vara_int(file, records, at, length, &band[0][0]) : nc_get_vara_int(file, records, at, length, &band[0][0]), "a record");
    if (!write) {
      each(owner, 2 + record, 1);
    }
  }
}

int main(int argc, char **argv) {
  int file, values, records, time, dimensions[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  must(argc == 2 ? NC_NOERR : NC_EINVAL, "usage: netcdf4 FILE");
  must(nc_create_par(argv[1], NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "create");
  must(nc_def_dim(file, "time", NC_UNLIMITED, &time), "time");
  dimensions[0] = time;
  must(nc_def_dim(file, "row", (size_t)ranks * ROWS, &dimensions[1]), "row");
  must(nc_def_dim(file, "column", COLUMNS, &dimensions[2]), "column");
  must(nc_def_var(file, "values", NC_INT, 2, dimensions + 1, &values), "values");
  must(nc_def_var(file, "records", NC_INT, 3, dimensions, &records), "records");
  must(nc_enddef(file), "enddef");
  must(nc_var_par_access(file, values, NC_COLLECTIVE), "together");
  must(nc_var_par_access(file, records, NC_COLLECTIVE), "together");
  move_all(file, values, records, rank, 1);
  must(nc_close(file), "close");
  must(nc_open_par(argv[1], NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "open");
  must(nc_inq_varid(file, "values", &values), "values");
  must(nc_inq_varid(file, "records", &records), "records");
  must(nc_var_par_access(file, records, NC_INDEPENDENT), "alone");
  for (int i = 0; i < ranks; i++) {
    move_all(file, values, records, (rank + i) % ranks, 0);
  }
  must(nc_close(file), "close");
  MPI_Finalize();
  return 0;
}

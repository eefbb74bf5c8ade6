/* A PnetCDF program: ranks write columns of a variable together, rows of another on their own, and records without waiting; the file is
 * closed, opened again and read by other ranks. Usage: pnetcdf FILE */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 64
#define COLUMNS 250 /* of each rank */
#define RECORDS 5

static int rank, ranks;
static float part[ROWS * COLUMNS];

static void must(int result, const char *what) {
  if (result != NC_NOERR) {
    fprintf(stderr, "pnetcdf: rank %d: %s: %s\n", rank, what, ncmpi_strerror(result));
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

static void fill(int owner, int salt) {
  for (int i = 0; i < ROWS * COLUMNS; i++) {
    part[i] = (float)(owner * 1000003 % 9973 + i % 8191 + salt);
  }
}

static void check(int owner, int salt, const char *what) {
  for (int i = 0; i < ROWS * COLUMNS; i++) {
    if (part[i] != (float)(owner * 1000003 % 9973 + i % 8191 + salt)) {
      fprintf(stderr, "pnetcdf: rank %d: %s: value %d of rank %d is %f\n", rank, what, i, owner, (double)part[i]);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }
}

static void define(int file, int *columns, int *rows, int *records) {
  int dimensions[4], time_columns[2], row_columns[2], column_rows[2];
  must(ncmpi_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]), "time");
  must(ncmpi_def_dim(file, "row", ROWS, &dimensions[1]), "row");
  must(ncmpi_def_dim(file, "column", (MPI_Offset)COLUMNS * ranks, &dimensions[2]), "column");
  must(ncmpi_def_dim(file, "part", (MPI_Offset)ROWS * COLUMNS * ranks, &dimensions[3]), "part");
  row_columns[0] = dimensions[1];
  row_columns[1] = dimensions[2];
  column_rows[0] = dimensions[2];
  column_rows[1] = dimensions[1];
  time_columns[0] = dimensions[0];
  time_columns[1] = dimensions[3];
  must(ncmpi_def_var(file, "columns", NC_FLOAT, 2, row_columns, columns), "columns");
  must(ncmpi_def_var(file, "rows", NC_FLOAT, 2, column_rows, rows), "rows");
  must(ncmpi_def_var(file, "records", NC_FLOAT, 2, time_columns, records), "records");
  must(ncmpi_put_att_text(file, NC_GLOBAL, "title", 5, "parts"), "title");
  must(ncmpi_enddef(file), "enddef");
}

static void write_all(int file, int columns, int rows, int records) {
  MPI_Offset start[2] = {0, (MPI_Offset)rank * COLUMNS};
  MPI_Offset count[2] = {ROWS, COLUMNS};
  fill(rank, 1);
  must(ncmpi_put_vara_float_all(file, columns, start, count, part), "columns together");
  MPI_Offset row_start[2] = {(MPI_Offset)rank * COLUMNS, 0};
  MPI_Offset row_count[2] = {COLUMNS, ROWS};
  fill(rank, 2);
  must(ncmpi_begin_indep_data(file), "begin");
  must(ncmpi_put_vara_float(file, rows, row_start, row_count, part), "rows alone");
  must(ncmpi_end_indep_data(file), "end");
  for (int record = 0; record < RECORDS; record++) {
    MPI_Offset at[2] = {record, (MPI_Offset)rank * ROWS * COLUMNS};
    MPI_Offset length[2] = {1, ROWS * COLUMNS};
    int request, status;
    fill(rank, 10 + record);
    must(ncmpi_iput_vara_float(file, records, at, length, part, &request), "a record");
    must(ncmpi_wait_all(file, 1, &request, &status), "waiting");
  }
}

static void read_all(int file, int owner) {
  int columns, rows, records;
  must(ncmpi_inq_varid(file, "columns", &columns), "columns");
  must(ncmpi_inq_varid(file, "rows", &rows), "rows");
  must(ncmpi_inq_varid(file, "records", &records), "records");
  MPI_Offset start[2] = {0, (MPI_Offset)owner * COLUMNS};
  MPI_Offset count[2] = {ROWS, COLUMNS};
  must(ncmpi_get_vara_float_all(file, columns, start, count, part), "columns");
  check(owner, 1, "columns");
  MPI_Offset row_start[2] = {(MPI_Offset)owner * COLUMNS, 0};
  MPI_Offset row_count[2] = {COLUMNS, ROWS};
  must(ncmpi_begin_indep_data(file), "begin");
  must(ncmpi_get_vara_float(file, rows, row_start, row_count, part), "rows");
  must(ncmpi_end_indep_data(file), "end");
  check(owner, 2, "rows");
  for (int record = 0; record < RECORDS; record++) {
    MPI_Offset at[2] = {record, (MPI_Offset)owner * ROWS * COLUMNS};
    MPI_Offset length[2] = {1, ROWS * COLUMNS};
    must(ncmpi_get_vara_float_all(file, records, at, length, part), "a record");
    check(owner, 10 + record, "a record");
  }
}

int main(int argc, char **argv) {
  int file, columns, rows, records;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  must(argc == 2 ? NC_NOERR : NC_EINVAL, "usage: pnetcdf FILE");
  must(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file), "create");
  define(file, &columns, &rows, &records);
  write_all(file, columns, rows, records);
  must(ncmpi_sync(file), "sync");
  MPI_Barrier(MPI_COMM_WORLD);
  must(ncmpi_sync(file), "sync");
  read_all(file, (rank + 1) % ranks);
  must(ncmpi_close(file), "close");
  must(ncmpi_open(MPI_COMM_WORLD, argv[1], NC_NOWRITE, MPI_INFO_NULL, &file), "open");
  for (int i = 0; i < ranks; i++) {
    read_all(file, (rank + i) % ranks);
  }
  must(ncmpi_close(file), "close");
  MPI_Finalize();
  return 0;
}

/* The NetCDF pattern of the burst buffer study, written anew: four-dimensional data, t:x:y:z, one time step an access; each rank has
 * 16 rows of x.
 *
 *   netcdf-bench FILE write|read STEPS Z chunked|contiguous collective|independent
 *
 * An access of a rank is 16 * 64 * Z integers. Rank 0 prints one JSON line, as mpiio-bench does. A read checks every value, and counts
 * the accesses that had a wrong one. */
#include <math.h>
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X 16
#define Y 64
#define MOST_STEPS 10000

static int rank, ranks;
static float latencies[MOST_STEPS];
static uint64_t sum, wrong;

static void must(int result, const char *what) {
  if (result != NC_NOERR) {
    fprintf(stderr, "netcdf-bench: %s: %s\n", what, nc_strerror(result));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static int value_of(size_t step, size_t at) {
  return (int)((uint32_t)(step * 2654435761u) ^ (uint32_t)(at * 2246822519u));
}

static int compare(const void *a, const void *b) {
  float left = *(const float *)a;
  float right = *(const float *)b;
  return (left > right) - (left < right);
}

/* How many accesses of all ranks took so long: bins as those of mpiio-bench, ten a decade, the first one from 0.1 us on. */
enum { BINS_PER_DECADE = 10, BINS = 9 * BINS_PER_DECADE };

static void print_bins(size_t steps) {
  uint64_t own[BINS] = {0}, bins[BINS];
  for (size_t i = 0; i < steps; i++) {
    double bin = log10(fmax(latencies[i] * 1e7, 1)) * BINS_PER_DECADE;
    own[bin < BINS ? (int)bin : BINS - 1]++;
  }
  MPI_Reduce(own, bins, BINS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < BINS; i++) {
    printf("%s%llu", i == 0 ? "" : ",", (unsigned long long)bins[i]);
  }
}

static int create(const char *name, size_t steps, size_t z, int chunked, int *variable) {
  int file, dimensions[4];
  must(nc_create_par(name, NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file), name);
  must(nc_def_dim(file, "t", steps, &dimensions[0]), "t");
  must(nc_def_dim(file, "x", (size_t)(X * ranks), &dimensions[1]), "x");
  must(nc_def_dim(file, "y", Y, &dimensions[2]), "y");
  must(nc_def_dim(file, "z", z, &dimensions[3]), "z");
  must(nc_def_var(file, "data", NC_INT, 4, dimensions, variable), "data");
  size_t chunk[4] = {1, X, Y, z};
  must(nc_def_var_chunking(file, *variable, chunked ? NC_CHUNKED : NC_CONTIGUOUS, chunked ? chunk : NULL), "chunks");
  must(nc_def_var_fill(file, *variable, NC_NOFILL, NULL), "fill");
  must(nc_enddef(file), "definitions");
  return file;
}

static void check(const int *values, size_t count, size_t step) {
  int right = 1;
  for (size_t at = 0; at < count; at++) {
    if (values[at] != value_of(step, at + count * (size_t)rank) && right) {
      fprintf(stderr, "netcdf-bench: rank %d: a wrong value in step %zu at %zu\n", rank, step, at);
      right = 0;
    }
    sum += (uint64_t)(uint32_t)values[at];
  }
  wrong += !right;
}

static double access_all(int file, int variable, int write, size_t steps, size_t z) {
  size_t count = X * Y * z;
  int *values = malloc(count * sizeof *values);
  size_t extent[4] = {1, X, Y, z};
  double seconds = 0;
  for (size_t step = 0; step < steps; step++) {
    size_t start[4] = {step, (size_t)(X * rank), 0, 0};
    for (size_t at = 0; write && at < count; at++) {
      values[at] = value_of(step, at + count * (size_t)rank);
    }
    double begin = MPI_Wtime();
    must(write ? nc_put_vara_int(file, variable, start, extent, values) : nc_get_vara_int(file, variable, start, extent, values), "access");
    double took = MPI_Wtime() - begin;
    seconds += took;
    latencies[step] = (float)took;
    if (!write) {
      check(values, count, step);
    }
  }
  free(values);
  return seconds;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  size_t steps = argc == 7 ? strtoul(argv[3], NULL, 10) : 0;
  size_t z = argc == 7 ? strtoul(argv[4], NULL, 10) : 0;
  if (steps == 0 || steps > MOST_STEPS || z == 0) {
    fputs("usage: netcdf-bench FILE write|read STEPS Z chunked|contiguous collective|independent\n", stderr);
    MPI_Finalize();
    return 2;
  }
  int write = strcmp(argv[2], "write") == 0;
  int file, variable;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  if (write) {
    file = create(argv[1], steps, z, strcmp(argv[5], "chunked") == 0, &variable);
  } else {
    must(nc_open_par(argv[1], NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file), argv[1]);
    must(nc_inq_varid(file, "data", &variable), "data");
  }
  must(nc_var_par_access(file, variable, strcmp(argv[6], "collective") == 0 ? NC_COLLECTIVE : NC_INDEPENDENT), "access mode");
  double times[6] = {MPI_Wtime() - begin};
  MPI_Barrier(MPI_COMM_WORLD);
  times[1] = access_all(file, variable, write, steps, z);
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  must(nc_close(file), "close");
  times[2] = MPI_Wtime() - begin;
  qsort(latencies, steps, sizeof *latencies, compare);
  times[3] = latencies[(steps - 1) / 2];
  times[4] = latencies[(steps - 1) * 99 / 100];
  times[5] = latencies[steps - 1];
  double slowest[6];
  uint64_t own[2] = {sum, wrong}, all[2];
  MPI_Reduce(times, slowest, 6, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(own, all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("{\"program\":\"netcdf\",\"ranks\":%d,\"openSeconds\":%.9f,\"accessSeconds\":%.9f,\"closeSeconds\":%.9f,\"accesses\":%zu,"
           "\"p50Seconds\":%.9f,\"p99Seconds\":%.9f,\"maxSeconds\":%.9f,\"checksum\":%llu,\"wrong\":%llu,\"density\":[",
           ranks, slowest[0], slowest[1], slowest[2], steps * (size_t)ranks, slowest[3], slowest[4], slowest[5],
           (unsigned long long)all[0], (unsigned long long)all[1]);
  }
  print_bins(steps);
  if (rank == 0) {
    puts("]}");
  }
  MPI_Finalize();
  return 0;
}

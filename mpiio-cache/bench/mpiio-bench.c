/* The programs of the study of a cache under MPI-IO, written anew:
 *
 *   mpiio-bench make FILE BYTES                          writes a file, without MPI-IO
 *   mpiio-bench blocks FILE OP PATTERN CHUNK ACCESSES    reads or writes chunks; OP read|write|read-all|write-all, where all is
 *                                                        collective, PATTERN random|sequential
 *   mpiio-bench map FILE SEARCHES                        searches a two-dimensional map for the nearest cell of a kind
 *   mpiio-bench walk FILE STEPS                          walks at random, each step computes the Collatz sequence of what it found
 *
 * Rank 0 prints one JSON line with a checksum of what was read, which must not depend on a cache, and with the times of open,
 * accesses and close: open and close are those of the slowest rank, the accesses go from the first rank's begin to the last one's
 * end, as more ranks than processors take turns. All ranks are on one machine, whose clock they share.
 *
 * MPIIO_BENCH_HINTS has hints, key=value,key=value; with MPIIO_BENCH_MILLIS, blocks goes on for so long, however many accesses that are. With MPIIO_BENCH_CHECK, blocks checks every byte that it reads against what the files of
 * `dynims bench tier` have there, and counts the blocks that are wrong; the time for that does not count. It also tells what the
 * slowest hundredth of its accesses waited for: nothing but memory, a processor, or another process. */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAP_STEPS 64
#define WALK_BYTES 8
#define MOST_LATENCIES (1 << 20)

static int rank, ranks;
static double opened, accessed, closed;
static uint64_t sum, accesses, wrong;
static float *latencies;
static uint64_t latency_count;

/* What an access waited for. */
enum { MEMORY, PROCESSOR, OTHER_PROCESS, CAUSES };
static uint8_t *causes;
static int watched;

static uint64_t next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 24;
}

static void check(int result, const char *what) {
  if (result != MPI_SUCCESS) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(result, text, &length);
    fprintf(stderr, "mpiio-bench: %s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void add_to_sum(const uint8_t *bytes, int length) {
  uint64_t part = 0;
  for (int i = 0; i < length; i += length > 64 ? length / 64 : 1) {
    part = part * 31 + bytes[i];
  }
  sum += part;
}

/* How often this thread has lost its processor, and how often it has given it up to wait. */
static struct rusage usage(void) {
  struct rusage now = {0};
  if (watched) {
    getrusage(RUSAGE_THREAD, &now);
  }
  return now;
}

static uint8_t cause_since(const struct rusage *before) {
  struct rusage now = usage();
  return now.ru_nivcsw > before->ru_nivcsw ? PROCESSOR : now.ru_nvcsw > before->ru_nvcsw ? OTHER_PROCESS : MEMORY;
}

/* An access of the library under test. */
static void access_file(MPI_File file, int write, int all, MPI_Offset offset, void *buffer, int length) {
  MPI_Status status;
  struct rusage before = usage();
  double begin = MPI_Wtime();
  if (write) {
    int result = all ? MPI_File_write_at_all(file, offset, buffer, length, MPI_BYTE, &status)
                     : MPI_File_write_at(file, offset, buffer, length, MPI_BYTE, &status);
    check(result, "write");
  } else {
    int result = all ? MPI_File_read_at_all(file, offset, buffer, length, MPI_BYTE, &status)
                     : MPI_File_read_at(file, offset, buffer, length, MPI_BYTE, &status);
    check(result, "read");
    add_to_sum(buffer, length);
  }
  if (latency_count < MOST_LATENCIES) {
    latencies[latency_count] = (float)(MPI_Wtime() - begin);
    causes[latency_count++] = cause_since(&before);
  }
  accesses++;
}

/* The hints of MPIIO_BENCH_HINTS, as key=value,key=value. */
static MPI_Info hints(void) {
  const char *text = getenv("MPIIO_BENCH_HINTS");
  MPI_Info info = MPI_INFO_NULL;
  if (text == NULL) {
    return info;
  }
  MPI_Info_create(&info);
  char *copy = strdup(text);
  for (char *rest = copy, *each; (each = strsep(&rest, ",")) != NULL;) {
    char *key = strsep(&each, "=");
    MPI_Info_set(info, key, each == NULL ? "" : each);
  }
  free(copy);
  return info;
}

static MPI_File open_file(const char *name, int amode, MPI_Offset *size) {
  MPI_File file;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Info info = hints();
  double begin = MPI_Wtime();
  check(MPI_File_open(MPI_COMM_WORLD, name, amode, info, &file), name);
  opened = MPI_Wtime() - begin;
  check(MPI_File_get_size(file, size), "size");
  MPI_Barrier(MPI_COMM_WORLD);
  return file;
}

static void close_file(MPI_File *file) {
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  check(MPI_File_close(file), "close");
  closed = MPI_Wtime() - begin;
}

/* ---- the programs */

/* Eight bytes of a file of the study of the tier: SplitMix64's output function of their offset. */
static uint64_t word_at(uint64_t offset) {
  uint64_t mixed = offset * UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
  return mixed ^ mixed >> 31;
}

/* Counts a block with a wrong byte, and returns how long that took. */
static double check_block(const uint8_t *block, uint64_t offset, int length) {
  double begin = MPI_Wtime();
  for (int i = 0; i + 8 <= length; i += 8) {
    uint64_t word;
    memcpy(&word, block + i, sizeof word);
    if (word != word_at(offset + (uint64_t)i)) {
      wrong++;
      break;
    }
  }
  return MPI_Wtime() - begin;
}

/* The time between the first rank's begin and the last one's end. */
static double from_first_to_last(double begin, double end) {
  MPI_Allreduce(MPI_IN_PLACE, &begin, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return end - begin;
}

static void blocks(char **arguments) {
  int write = strncmp(arguments[1], "write", 5) == 0;
  int all = strstr(arguments[1], "-all") != NULL;
  int random = strcmp(arguments[2], "random") == 0;
  int chunk = atoi(arguments[3]);
  uint64_t count = strtoull(arguments[4], NULL, 10);
  MPI_Offset size;
  MPI_File file = open_file(arguments[0], write ? MPI_MODE_RDWR : MPI_MODE_RDONLY, &size);
  uint64_t state = (uint64_t)rank * 7919 + 1;
  uint64_t chunks = (uint64_t)size / (uint64_t)chunk / (uint64_t)ranks;
  if (chunks == 0) {
    fprintf(stderr, "mpiio-bench: %s has less than %d bytes a rank\n", arguments[0], chunk);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Offset own = (MPI_Offset)chunks * chunk * rank;
  uint8_t *buffer = malloc((size_t)chunk);
  memset(buffer, 'a' + rank, (size_t)chunk);
  const char *millis = getenv("MPIIO_BENCH_MILLIS");
  int checked = !write && getenv("MPIIO_BENCH_CHECK") != NULL;
  watched = checked;
  double checking = 0;
  double begin = MPI_Wtime();
  double end = millis == NULL ? 0 : begin + atof(millis) / 1e3;
  for (uint64_t i = 0; millis == NULL ? i < count : MPI_Wtime() < end; i++) {
    uint64_t place = random ? next(&state) % chunks : i % chunks;
    MPI_Offset offset = own + (MPI_Offset)place * chunk;
    access_file(file, write, all, offset, buffer, chunk);
    if (checked) {
      checking += check_block(buffer, (uint64_t)offset, chunk);
    }
  }
  double finished = MPI_Wtime() - checking;
  close_file(&file);
  accessed = from_first_to_last(begin, finished);
  free(buffer);
}

/* From a place, in growing squares, the nearest cell that is like the one looked for; a square's rows are read one by one. */
static void search(MPI_File file, int64_t side, uint64_t *state, uint8_t wanted) {
  uint8_t row[2 * MAP_STEPS + 1];
  int64_t x = (int64_t)(next(state) % (uint64_t)side);
  int64_t y = (int64_t)(next(state) % (uint64_t)side);
  for (int64_t distance = 1; distance <= MAP_STEPS; distance++) {
    for (int64_t line = y - distance; line <= y + distance; line += 2 * distance) {
      int64_t from = x - distance < 0 ? 0 : x - distance;
      int64_t to = x + distance >= side ? side - 1 : x + distance;
      if (line < 0 || line >= side) {
        continue;
      }
      access_file(file, 0, 0, line * side + from, row, (int)(to - from + 1));
      if (memchr(row, wanted, (size_t)(to - from + 1)) != NULL) {
        return;
      }
    }
  }
}

static void map(char **arguments) {
  uint64_t searches = strtoull(arguments[1], NULL, 10);
  MPI_Offset size;
  MPI_File file = open_file(arguments[0], MPI_MODE_RDONLY, &size);
  int64_t side = 1;
  while ((side + 1) * (side + 1) <= size) {
    side++;
  }
  uint64_t state = (uint64_t)rank * 104729 + 3;
  double begin = MPI_Wtime();
  for (uint64_t i = 0; i < searches; i++) {
    search(file, side, &state, (uint8_t)next(&state));
  }
  double finished = MPI_Wtime();
  close_file(&file);
  accessed = from_first_to_last(begin, finished);
}

static int collatz(uint64_t number) {
  int steps = 0;
  for (number = number % 1000003 + 1; number != 1; steps++) {
    number = number % 2 == 0 ? number / 2 : 3 * number + 1;
  }
  return steps;
}

static void walk(char **arguments) {
  uint64_t steps = strtoull(arguments[1], NULL, 10);
  MPI_Offset size;
  MPI_File file = open_file(arguments[0], MPI_MODE_RDONLY, &size);
  uint64_t cells = (uint64_t)size / WALK_BYTES;
  uint64_t at = (uint64_t)rank * 15485863 % cells;
  double begin = MPI_Wtime();
  for (uint64_t i = 0; i < steps; i++) {
    uint64_t found;
    access_file(file, 0, 0, (MPI_Offset)(at * WALK_BYTES), &found, WALK_BYTES);
    sum += (uint64_t)collatz(found);
    at = (at + found) % cells;
  }
  double finished = MPI_Wtime();
  close_file(&file);
  accessed = from_first_to_last(begin, finished);
}

static int make(const char *name, uint64_t bytes) {
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  uint64_t state = 42;
  static uint64_t buffer[1 << 17];
  if (fd < 0) {
    perror(name);
    return 1;
  }
  while (bytes > 0) {
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
      buffer[i] = next(&state) * UINT64_C(0x9e3779b97f4a7c15);
    }
    size_t part = bytes < sizeof buffer ? (size_t)bytes : sizeof buffer;
    if (write(fd, buffer, part) != (ssize_t)part) {
      perror(name);
      return 1;
    }
    bytes -= part;
  }
  return close(fd);
}

/* ---- results */

static int compare(const void *a, const void *b) {
  float left = *(const float *)a;
  float right = *(const float *)b;
  return (left > right) - (left < right);
}

static double percentile(double share) {
  return latency_count == 0 ? 0 : latencies[(uint64_t)(share * (double)(latency_count - 1))];
}

/* How many accesses of all ranks took so long: bins of equal width on a logarithmic scale, ten a decade, the first one from 0.1 us on. */
enum { BINS_PER_DECADE = 10, BINS = 9 * BINS_PER_DECADE };

static void count_bins(uint64_t *bins) {
  memset(bins, 0, BINS * sizeof *bins);
  for (uint64_t i = 0; i < latency_count; i++) {
    double bin = log10(fmax(latencies[i] * 1e7, 1)) * BINS_PER_DECADE;
    bins[bin < BINS ? (int)bin : BINS - 1]++;
  }
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : bins, bins, BINS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* The causes of the slowest hundredth, and that of the slowest access of rank 0. */
static int count_causes(uint64_t *counts, double least) {
  uint64_t slowest = 0;
  memset(counts, 0, CAUSES * sizeof *counts);
  for (uint64_t i = 0; watched && i < latency_count; i++) {
    counts[causes[i]] += latencies[i] >= least;
    slowest = latencies[i] > latencies[slowest] ? i : slowest;
  }
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : counts, counts, CAUSES, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  return latency_count == 0 ? MEMORY : causes[slowest];
}

static void report(const char *program) {
  double times[6];
  uint64_t sums[3] = {sum, accesses, wrong}, counts[CAUSES];
  float *unsorted = latencies;
  latencies = malloc((latency_count + 1) * sizeof *latencies);
  memcpy(latencies, unsorted, latency_count * sizeof *latencies);
  qsort(latencies, latency_count, sizeof *latencies, compare);
  double own[6] = {opened, accessed, closed, percentile(0.5), percentile(0.99), percentile(1)};
  free(latencies);
  latencies = unsorted;
  int slowest = count_causes(counts, own[4]);
  MPI_Reduce(own, times, 6, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : sums, sums, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  uint64_t bins[BINS];
  count_bins(bins);
  if (rank == 0) {
    printf("{\"program\":\"%s\",\"ranks\":%d,\"openSeconds\":%.9f,\"accessSeconds\":%.9f,\"closeSeconds\":%.9f,\"accesses\":%llu,"
           "\"p50Seconds\":%.9f,\"p99Seconds\":%.9f,\"maxSeconds\":%.9f,\"checksum\":%llu,\"wrong\":%llu,\"causes\":[%llu,%llu,%llu],\"slowestCause\":%d,\"density\":[",
           program, ranks, times[0], times[1], times[2], (unsigned long long)sums[1], times[3], times[4], times[5],
           (unsigned long long)sums[0], (unsigned long long)sums[2], (unsigned long long)counts[MEMORY],
           (unsigned long long)counts[PROCESSOR], (unsigned long long)counts[OTHER_PROCESS], slowest);
    for (int i = 0; i < BINS; i++) {
      printf("%s%llu", i == 0 ? "" : ",", (unsigned long long)bins[i]);
    }
    puts("]}");
  }
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "make") == 0) {
    return make(argv[2], strtoull(argv[3], NULL, 10));
  }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  latencies = malloc(MOST_LATENCIES * sizeof *latencies);
  causes = malloc(MOST_LATENCIES);
  if (argc == 7 && strcmp(argv[1], "blocks") == 0) {
    blocks(argv + 2);
  } else if (argc == 4 && strcmp(argv[1], "map") == 0) {
    map(argv + 2);
  } else if (argc == 4 && strcmp(argv[1], "walk") == 0) {
    walk(argv + 2);
  } else {
    fputs("usage: mpiio-bench make|blocks|map|walk FILE ..., see its source\n", stderr);
    MPI_Finalize();
    return 2;
  }
  report(argv[1]);
  free(latencies);
  free(causes);
  MPI_Finalize();
  return 0;
}

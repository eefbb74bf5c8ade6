/* Reads 64 KiB at random places of a file through the cache, without MPI, for some seconds; prints how many reads there were and how
 * long the longest took, in nanoseconds. Usage: reader DIRECTORY FILE SECONDS SEED */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/cache.h"
#include "../src/clock.h"

#define PART_BYTES (64u << 10)

int main(int argc, char **argv) {
  char path[512];
  struct arena arena;
  struct cache_file file;
  struct stat state;
  static uint8_t part[PART_BYTES];
  if (argc != 5) {
    fputs("usage: reader DIRECTORY FILE SECONDS SEED\n", stderr);
    return 2;
  }
  snprintf(path, sizeof path, "%s/arena", argv[1]);
  int fd = open(argv[2], O_RDONLY);
  if (arena_open(&arena, AT_FDCWD, path) != 0 || fd < 0 || fstat(fd, &state) != 0 || file_attach(&file, &arena, &state, argv[2]) != 0) {
    fprintf(stderr, "reader: %s, %s: %s\n", path, argv[2], strerror(errno));
    return 1;
  }
  file.readFd = fd;
  uint64_t random = strtoull(argv[4], NULL, 10);
  uint64_t parts = (uint64_t)state.st_size / PART_BYTES;
  int64_t end = monotonic_nanos() + (int64_t)(atof(argv[3]) * 1e9);
  int64_t longest = 0;
  unsigned long reads = 0;
  for (int64_t now = monotonic_nanos(); now < end; reads++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t place = (random >> 20) % parts;
    int error;
    if (cache_read(&file, place * PART_BYTES, part, PART_BYTES, &error) != PART_BYTES) {
      fputs("reader: a short read\n", stderr);
      return 3;
    }
    uint64_t stamp;
    memcpy(&stamp, part, sizeof stamp);
    if (stamp != place) {
      fprintf(stderr, "reader: part %llu is part %llu\n", (unsigned long long)place, (unsigned long long)stamp);
      return 3;
    }
    int64_t after = monotonic_nanos();
    longest = after - now > longest ? after - now : longest;
    now = after;
  }
  printf("%lu %lld\n", reads, (long long)longest);
  return 0;
}

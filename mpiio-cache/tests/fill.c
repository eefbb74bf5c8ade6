/* Reads, or writes, a whole file through the cache, without MPI. Usage: mpiio-fill DIRECTORY FILE [--write] [--loop] */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/client.h"

#define PART_BYTES (256u << 10)

static void fail(const char *what, int error) {
  fprintf(stderr, "mpiio-fill: %s: %s\n", what, strerror(error));
  exit(1);
}

int main(int argc, char **argv) {
  bool write_it = false;
  bool loop = false;
  for (int i = 3; i < argc; i++) {
    write_it |= strcmp(argv[i], "--write") == 0;
    loop |= strcmp(argv[i], "--loop") == 0;
  }
  if (argc < 3) {
    fputs("usage: mpiio-fill DIRECTORY FILE [--write] [--loop]\n", stderr);
    return 2;
  }
  char path[512];
  snprintf(path, sizeof path, "%s/arena", argv[1]);
  struct client agent;
  client_init(&agent, argv[1]);
  struct arena arena;
  struct cache_file file;
  struct stat state;
  int error = arena_open(&arena, AT_FDCWD, path);
  if (error != 0) {
    fail(path, error);
  }
  int fd = open(argv[2], write_it ? O_RDWR : O_RDONLY);
  if (fd < 0 || fstat(fd, &state) != 0) {
    fail(argv[2], errno);
  }
  error = file_attach(&file, &arena, &state, argv[2]);
  if (error != 0) {
    fail(argv[2], error);
  }
  file.readFd = fd;
  file.writeFd = write_it ? fd : -1;
  file.mode = MODE_WRITE_BACK;
  struct rank_message message = {.arenaId = arena.header->arenaId, .request = RANK_OPEN, .file = file.index, .generation = file.generation,
                                 .writable = write_it};
  error = client_tell(&agent, &message, fd);
  if (error != 0) {
    fail("the agent", error);
  }
  uint8_t *part = calloc(1, PART_BYTES);
  do {
    for (uint64_t at = 0; at < (uint64_t)state.st_size; at += PART_BYTES) {
      size_t length = (uint64_t)state.st_size - at < PART_BYTES ? (size_t)((uint64_t)state.st_size - at) : PART_BYTES;
      size_t count = write_it ? cache_write(&file, at, part, length, &error) : cache_read(&file, at, part, length, &error);
      if (count != length) {
        fail(argv[2], error != 0 ? error : EIO);
      }
    }
  } while (loop);
  free(part);
  /* Written data stays dirty: the agent has the file open, too. */
  return 0;
}

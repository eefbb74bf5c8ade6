/* dynims-mpiio: what a user's programs have in the cache of this node. Only looks: it takes no lock, writes nothing, and asks the agent nothing, as
 * whoever asks it counts as controlling it. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "arena.h"
#include "directory.h"
#include "slot.h"

enum exit_code { EXIT_GOOD, EXIT_NO_CACHE, EXIT_WRONG_USE, EXIT_NO_AGENT };

static const char usage[] =
    "Usage: dynims-mpiio status [--json] [DIRECTORY]\n"
    "Shows what is in this node's cache under MPI-IO: of the agent whose directory is DIRECTORY, by default $DYNIMS_MPIIO.\n"
    "It has to be this user's.\n"
    "\n"
    "  --json           as one JSON object; sizes are in bytes\n"
    "  --help, --version\n"
    "\n"
    "Exit codes: 0 a cache with an agent, 1 no cache that this user can use, 2 wrong arguments, 3 a cache whose agent is gone.\n";

struct counts {
  uint64_t hits, misses;
};

struct used_file {
  const struct file_entry *entry;
  uint64_t cachedBytes, dirtyBytes;
  struct counts counts;
};

struct status {
  const char *directory;
  uint64_t capacityBytes, maxBytes, usedBytes, dirtyBytes, unevictableBytes;
  struct counts counts;
  bool hasAgent, isControlled;
  uint32_t files;
  struct used_file list[MAX_FILES];
};

/* ---- looking */

static void add_slots(const struct arena *arena, struct status *status) {
  uint64_t block_bytes = arena->header->blockBytes;
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    uint32_t used = 0, dirty = 0, limit = set_limit(arena, set);
    for (uint32_t way = 0; way < arena->header->ways; way++) {
      uint32_t index = set * arena->header->ways + way;
      uint64_t tag = atomic_load_explicit(slot_tag(arena, index), memory_order_relaxed);
      if (tag == 0) {
        continue;
      }
      const struct slot *slot = &arena->slots[index];
      uint32_t index_of_file = tag_file(tag) % MAX_FILES;
      /* A block of an epoch that has ended is nobody's, until it is evicted. */
      if (tag == tag_of(index_of_file, atomic_load(&arena->files[index_of_file].identity), tag_block(tag))) {
        status->list[index_of_file].cachedBytes += block_bytes;
        status->list[index_of_file].dirtyBytes += slot_dirty_bytes(slot);
      }
      status->dirtyBytes += slot_dirty_bytes(slot);
      used++;
      dirty += slot_extents(slot) > 0;
    }
    uint32_t above = used > limit ? used - limit : 0;
    status->usedBytes += used * block_bytes;
    status->unevictableBytes += (dirty < above ? dirty : above) * block_bytes;
  }
}

static void look(const struct arena *arena, int directory, struct status *status) {
  uint64_t block_bytes = arena->header->blockBytes;
  status->capacityBytes = atomic_load(&arena->header->capacityBlocks) * block_bytes;
  status->maxBytes = arena_max_bytes(arena);
  const struct header *header = arena->header;
  status->counts = (struct counts){atomic_load(&header->totals.hits), atomic_load(&header->totals.misses)};
  status->isControlled = atomic_load(&header->controlledAtNanos) != 0;
  status->hasAgent = directory_has_agent(directory);
  add_slots(arena, status);
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    const struct file_entry *entry = &arena->files[i];
    if (atomic_load(&entry->used) == ENTRY_USED) {
      struct used_file *file = &status->list[status->files++];
      *file = status->list[i];
      file->entry = entry;
      file->counts = (struct counts){atomic_load(&entry->hits), atomic_load(&entry->misses)};
    }
  }
}

/* ---- showing */

static double hit_ratio(struct counts counts) {
  uint64_t reads = counts.hits + counts.misses;
  return reads == 0 ? 0 : (double)counts.hits / (double)reads;
}

/* What explains why nothing is cached, or NULL. */
static const char *advice(const struct status *status) {
  if (!status->hasAgent) {
    return "no agent: programs that start now have no cache; what is dirty waits for the next agent";
  }
  if (status->capacityBytes == 0) {
    return "capacity 0: nobody has given this cache memory yet; the node's adapter does, or the agent's --capacity or --rest";
  }
  return NULL;
}

struct size {
  char text[24];
};

static struct size sized(uint64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double number = (double)bytes;
  unsigned unit = 0;
  for (; number >= 1024 && unit < 4; unit++) {
    number /= 1024;
  }
  struct size size;
  snprintf(size.text, sizeof size.text, unit == 0 ? "%.0f %s" : "%.1f %s", number, units[unit]);
  return size;
}

/* Paths may hold anything, also what a terminal takes for a command. */
static void put_path(const char *path, bool json) {
  for (size_t i = 0; i < PATH_BYTES && path[i] != 0; i++) {
    unsigned char character = (unsigned char)path[i];
    if (json && (character == '"' || character == '\\')) {
      printf("\\%c", character);
    } else if (character < ' ' || character == 127) {
      printf(json ? "\\u%04x" : "?", character);
    } else {
      putchar(character);
    }
  }
}

#define NUMBER(value) (unsigned long long)(value)

static void put_text(const struct status *status) {
  printf("directory    ");
  put_path(status->directory, false);
  printf("\nagent        %s\n", !status->hasAgent ? "none" : status->isControlled ? "runs, is told its capacity" : "runs, nobody controls it");
  printf("capacity     %s of at most %s\n", sized(status->capacityBytes).text, sized(status->maxBytes).text);
  printf("used         %s\n", sized(status->usedBytes).text);
  printf("dirty        %s\n", sized(status->dirtyBytes).text);
  printf("unevictable  %s\n", sized(status->unevictableBytes).text);
  printf("reads        %llu hits, %llu misses", NUMBER(status->counts.hits), NUMBER(status->counts.misses));
  if (status->counts.hits + status->counts.misses > 0) {
    printf(": %.1f %% hits", 100 * hit_ratio(status->counts));
  }
  putchar('\n');
  if (advice(status) != NULL) {
    printf("\n%s\n", advice(status));
  }
  if (status->files > 0) {
    printf("\n%12s %12s %12s %12s  file\n", "cached", "dirty", "hits", "misses");
  }
  for (uint32_t i = 0; i < status->files; i++) {
    const struct used_file *file = &status->list[i];
    printf("%12s %12s %12llu %12llu  ", sized(file->cachedBytes).text, sized(file->dirtyBytes).text, NUMBER(file->counts.hits),
           NUMBER(file->counts.misses));
    put_path(file->entry->path, false);
    putchar('\n');
  }
}

static void put_json(const struct status *status) {
  printf("{\"directory\":\"");
  put_path(status->directory, true);
  printf("\",\"agent\":%s,\"controlled\":%s,\"capacityBytes\":%llu,\"maxBytes\":%llu,\"usedBytes\":%llu,\"dirtyBytes\":%llu,\"unevictableBytes\":%llu,",
         status->hasAgent ? "true" : "false", status->hasAgent && status->isControlled ? "true" : "false", NUMBER(status->capacityBytes), NUMBER(status->maxBytes), NUMBER(status->usedBytes),
         NUMBER(status->dirtyBytes), NUMBER(status->unevictableBytes));
  printf("\"hits\":%llu,\"misses\":%llu,\"hitRatio\":%.4f,", NUMBER(status->counts.hits), NUMBER(status->counts.misses),
         hit_ratio(status->counts));
  if (advice(status) != NULL) {
    printf("\"advice\":\"%s\",", advice(status));
  }
  printf("\"files\":[");
  for (uint32_t i = 0; i < status->files; i++) {
    const struct used_file *file = &status->list[i];
    printf("%s{\"path\":\"", i == 0 ? "" : ",");
    put_path(file->entry->path, true);
    printf("\",\"cachedBytes\":%llu,\"dirtyBytes\":%llu,\"hits\":%llu,\"misses\":%llu}", NUMBER(file->cachedBytes), NUMBER(file->dirtyBytes),
           NUMBER(file->counts.hits), NUMBER(file->counts.misses));
  }
  printf("],\"version\":\"%s\"}\n", DYNIMS_VERSION);
}

/* ---- the command */

static void fail(enum exit_code code, const char *what, const char *why) {
  fprintf(stderr, "dynims-mpiio: %s%s%s\n", what, *why == 0 ? "" : ": ", why);
  exit(code);
}

static const char *reason_of(int error) {
  switch (error) {
    case ENOENT: return "there is no arena: no agent has been started here, or it has ended and given the memory back";
    case EPROTO: return "its arena is of another version of DynIMS";
    case EPERM: return "its arena is not this user's alone";
    default: return strerror(error);
  }
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'v'}, {NULL, 0, NULL, 0}};
  static struct status status;
  bool json = false;
  int option;
  while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
    switch (option) {
      case 'j': json = true; break;
      case 'h': fputs(usage, stdout); return EXIT_GOOD;
      case 'v': puts(DYNIMS_VERSION); return EXIT_GOOD;
      default: fputs("Try --help.\n", stderr); return EXIT_WRONG_USE;
    }
  }
  if (optind >= argc || strcmp(argv[optind], "status") != 0 || argc - optind > 2) {
    fail(EXIT_WRONG_USE, "wants the word status, and a directory at most. Try --help", "");
  }
  status.directory = optind + 1 < argc ? argv[optind + 1] : getenv("DYNIMS_MPIIO");
  if (status.directory == NULL || *status.directory == 0) {
    fail(EXIT_WRONG_USE, "DYNIMS_MPIIO is not set, and no directory is given. Try --help", "");
  }
  char reason[PATH_BYTES + 100];
  int directory = directory_open(status.directory, reason, sizeof reason);
  if (directory < 0) {
    fail(EXIT_NO_CACHE, reason, "");
  }
  struct arena arena;
  int error = arena_open(&arena, directory, "arena");
  if (error != 0) {
    fail(EXIT_NO_CACHE, status.directory, reason_of(error));
  }
  /* Looking must not be able to break anything. */
  mprotect(arena.header, arena.header->totalBytes, PROT_READ);
  look(&arena, directory, &status);
  (json ? put_json : put_text)(&status);
  return fflush(stdout) != 0 ? EXIT_NO_CACHE : status.hasAgent ? EXIT_GOOD : EXIT_NO_AGENT;
}

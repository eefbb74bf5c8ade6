/* Transfers of random and of very large memory types: what is in the file, in memory and in the status afterwards must be what MPI_Pack,
 * MPI_Unpack and MPI_File_get_byte_offset say, and what the MPI library does with a file that is not cached. One rank.
 * Usage: types CACHED-FILE PLAIN-FILE STEPS SEED for random types, types CACHED-FILE PLAIN-FILE for large ones. */
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>


#include "check.h"

#define FILE_BYTES 400000
#define MEMORY_BYTES (1 << 21) /* buffers begin in the middle: displacements may be negative */
#define MOST_REACH (1 << 19)
#define MOST_BYTES 60000
#define MOST_PARTS 4
#define MOST_DEPTH 3

static uint64_t seed, random_state;
static int step_number;
static const char *doing = "opening";
static MPI_File files[2];
static const char *names[2];

static int below(int end) {
  return (int)(next(&random_state) % (uint32_t)end);
}

static void print_place(void) {
  fprintf(stderr, "seed %llu, step %d, %s: ", (unsigned long long)seed, step_number, doing);
}

static void same(const char *what, long long found, long long wanted) {
  if (found != wanted) {
    wrong("%s is %lld for %lld", what, found, wanted);
  }
}

static void same_bytes(const char *what, const uint8_t *found, const uint8_t *wanted, long long count) {
  if (memcmp(found, wanted, (size_t)count) != 0) {
    long long i = 0;
    while (found[i] == wanted[i]) {
      i++;
    }
    wrong("%s: byte %lld of %lld is %02x for %02x", what, i, count, found[i], wanted[i]);
  }
}

static const char *which(int file) {
  return file == 0 ? "the cached file" : "the plain file";
}

static int class_of(int result) {
  int class;
  MPI_Error_class(result, &class);
  return class;
}

static MPI_Count elements_of(const MPI_Status *status) {
  MPI_Count bytes = -1;
  MPI_Get_elements_x(status, MPI_BYTE, &bytes);
  return bytes;
}

static void fill(uint8_t *to, long long count) {
  uint64_t word = next(&random_state);
  for (long long i = 0; i + 8 <= count; i += 8) {
    word = word * UINT64_C(2862933555777941757) + 3037000493;
    memcpy(to + i, &word, 8);
  }
}

static void open_both(int amode) {
  for (int i = 0; i < 2; i++) {
    same("the result of an open", MPI_File_open(MPI_COMM_WORLD, names[i], amode, MPI_INFO_NULL, &files[i]), MPI_SUCCESS);
  }
  char value[MPI_MAX_INFO_VAL + 1];
  int is_cached;
  MPI_Info info;
  MPI_File_get_info(files[0], &info);
  MPI_Info_get(info, "dynims_cache", MPI_MAX_INFO_VAL, value, &is_cached);
  MPI_Info_free(&info);
  same("whether it is cached", is_cached, 1);
}

static void close_both(void) {
  for (int i = 0; i < 2; i++) {
    same("the result of a close", MPI_File_close(&files[i]), MPI_SUCCESS);
  }
}

/* ---- random types */

static const MPI_Datatype BASIC[] = {MPI_BYTE, MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_SHORT_INT, MPI_DOUBLE_INT};
static const int BASIC_BYTES[] = {1, 2, 4, 8};

static MPI_Datatype random_type(int depth);

static MPI_Count size_of(MPI_Datatype type) {
  MPI_Count size;
  MPI_Type_size_x(type, &size);
  return size;
}

static MPI_Datatype random_vector(MPI_Datatype inner, MPI_Aint extent) {
  MPI_Datatype type;
  int length = below(5);
  /* Open MPI takes a stride of -1 byte for none. */
  int stride = 2 * (below(12) - 4);
  if (below(2) == 0) {
    MPI_Type_vector(below(6), length, stride, inner, &type);
  } else {
    MPI_Type_create_hvector(below(6), length, stride * extent + 2 * below(4), inner, &type);
  }
  return type;
}

static MPI_Datatype random_indexed(MPI_Datatype inner, MPI_Aint extent) {
  MPI_Datatype type;
  int count = below(MOST_PARTS + 1);
  int lengths[MOST_PARTS], places[MOST_PARTS];
  MPI_Aint addresses[MOST_PARTS];
  for (int i = 0; i < count; i++) {
    lengths[i] = below(5);
    places[i] = below(40) - 10;
    addresses[i] = places[i] * extent + below(9) - 4;
  }
  switch (below(4)) {
    case 0:
      MPI_Type_indexed(count, lengths, places, inner, &type);
      break;
    case 1:
      MPI_Type_create_hindexed(count, lengths, addresses, inner, &type);
      break;
    case 2:
      MPI_Type_create_indexed_block(count, lengths[0] = 1 + below(4), places, inner, &type);
      break;
    default:
      MPI_Type_create_hindexed_block(count, lengths[0] = 1 + below(4), addresses, inner, &type);
  }
  return type;
}

static MPI_Datatype random_struct(MPI_Datatype inner, int depth) {
  MPI_Datatype type;
  int count = 1 + below(MOST_PARTS);
  int lengths[MOST_PARTS];
  MPI_Aint addresses[MOST_PARTS];
  MPI_Datatype types[MOST_PARTS];
  for (int i = 0; i < count; i++) {
    lengths[i] = 1 + below(3);
    addresses[i] = below(3000) - 500;
    types[i] = i == 0 ? inner : random_type(depth - 1);
  }
  MPI_Type_create_struct(count, lengths, addresses, types, &type);
  for (int i = 1; i < count; i++) {
    MPI_Type_free(&types[i]);
  }
  return type;
}

static MPI_Datatype random_array(MPI_Datatype inner, int is_distributed) {
  MPI_Datatype type;
  int dimensions = 1 + below(3);
  int order = below(2) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  int sizes[3], parts[3], starts[3], distributions[3], arguments[3], processes[3] = {1, 1, 1};
  for (int i = 0; i < dimensions; i++) {
    sizes[i] = 1 + below(7);
    parts[i] = 1 + below(sizes[i]);
    starts[i] = below(sizes[i] - parts[i] + 1);
    distributions[i] = MPI_DISTRIBUTE_CYCLIC;
    arguments[i] = 1 + below(3);
  }
  if (is_distributed) {
    /* Both ranks have something: Open MPI makes no type of nothing. */
    processes[0] = 2;
    sizes[0] += arguments[0];
    MPI_Type_create_darray(2, below(2), dimensions, sizes, distributions, arguments, processes, order, inner, &type);
  } else {
    MPI_Type_create_subarray(dimensions, sizes, parts, starts, order, inner, &type);
  }
  return type;
}

static MPI_Datatype derived_type(MPI_Datatype inner, int depth) {
  MPI_Datatype type;
  MPI_Count lower, extent;
  MPI_Type_get_extent_x(inner, &lower, &extent);
  switch (below(12)) {
    case 0:
      MPI_Type_contiguous(below(9), inner, &type);
      return type;
    case 1:
    case 2:
    case 3:
      return random_vector(inner, (MPI_Aint)extent);
    case 4:
    case 5:
    case 6:
      return random_indexed(inner, (MPI_Aint)extent);
    case 7:
      return random_struct(inner, depth);
    case 8:
      return random_array(inner, 0);
    case 9:
      return random_array(inner, 1);
    default:
      /* MPICH packs types of negative extents elsewhere than the standard says. */
      MPI_Type_create_resized(inner, (MPI_Aint)lower + below(40) - 20, (MPI_Aint)(extent > 10 ? extent - 10 : 1) + below(60), &type);
      return type;
  }
}

/* Gaps, negative displacements, parts in any order, and parts that overlap. Always some bytes: Open MPI packs structs with parts of none as
 * if they had no gaps. */
static MPI_Datatype random_type(int depth) {
  MPI_Datatype inner, type;
  if (depth <= 0) {
    MPI_Type_dup(BASIC[below(6)], &type);
    return type;
  }
  inner = random_type(depth - 1 - below(2));
  type = derived_type(inner, depth);
  while (size_of(type) == 0) {
    MPI_Type_free(&type);
    type = derived_type(inner, depth);
  }
  MPI_Type_free(&inner);
  return type;
}

/* ---- what is moved */

struct move {
  MPI_Datatype type;
  int count;
  long long bytes;
  int overlaps;
};

static uint8_t *memory, *expected;
static uint8_t packed[MOST_BYTES];

static uint8_t *start_of(uint8_t *buffer) {
  return buffer + MEMORY_BYTES / 2;
}

static void pack(uint8_t *buffer, const struct move *move) {
  int position = 0;
  MPI_Pack(start_of(buffer), move->count, move->type, packed, MOST_BYTES, &position, MPI_COMM_SELF);
}

static void unpack(uint8_t *buffer, const struct move *move) {
  int position = 0;
  MPI_Unpack(packed, (int)move->bytes, &position, start_of(buffer), move->count, move->type, MPI_COMM_SELF);
}

static int overlaps(const struct move *move) {
  long long touched = 0;
  memset(expected, 0, MEMORY_BYTES);
  memset(packed, 1, sizeof packed);
  unpack(expected, move);
  for (int i = 0; i < MEMORY_BYTES; i++) {
    touched += expected[i];
  }
  return touched != move->bytes;
}

/* The bytes are a multiple of so many. */
static struct move random_move(int multiple) {
  for (;;) {
    MPI_Count lower, extent, true_lower, true_extent;
    struct move move = {.type = random_type(1 + below(MOST_DEPTH)), .count = 1 + below(below(3) == 0 ? 2000 : 20)};
    MPI_Type_get_extent_x(move.type, &lower, &extent);
    MPI_Type_get_true_extent_x(move.type, &true_lower, &true_extent);
    MPI_Count far = (move.count - 1) * extent;
    move.bytes = size_of(move.type) * move.count;
    if (move.bytes <= MOST_BYTES && move.bytes % multiple == 0 && llabs(far) + llabs(true_lower) + true_extent < MOST_REACH) {
      MPI_Type_commit(&move.type);
      move.overlaps = overlaps(&move);
      return move;
    }
    MPI_Type_free(&move.type);
  }
}

/* ---- views */

static MPI_Datatype etype = MPI_BYTE, filetype = MPI_BYTE;
static int etype_bytes = 1;

static void free_filetype(void) {
  if (filetype != MPI_BYTE) {
    MPI_Type_free(&filetype);
  }
  filetype = MPI_BYTE;
  etype = MPI_BYTE;
  etype_bytes = 1;
}

static MPI_Datatype random_filetype(void) {
  MPI_Datatype inner, type;
  int length = 1 + below(300);
#ifndef MPICH
  /* With MPICH such a view ends the program, without the cache, too. */
  if (etype == MPI_BYTE && below(3) == 0) {
    MPI_Type_vector(1 + below(9), 1 + below(3), 3 + below(6), below(2) == 0 ? MPI_SHORT_INT : MPI_DOUBLE_INT, &type);
    return type;
  }
#endif
  switch (below(6)) {
    case 0:
      MPI_Type_vector(1 + below(4), length, length + below(200), etype, &type);
      return type;
    case 1: {
      int lengths[3] = {length, below(3), 1 + below(2 * length)};
      int places[3] = {below(50), 50 + length + below(9), 100 + length};
      MPI_Type_indexed(3, lengths, places, etype, &type);
      return type;
    }
    case 2:
      return random_array(etype, 0);
    case 3:
      return random_array(etype, 1);
    case 4: {
      MPI_Type_vector(1 + below(3), 1 + below(9), 10, etype, &inner);
      int lengths[2] = {1 + below(3), 1 + below(3)};
      MPI_Aint places[2] = {8 * below(4), 8 * (100 + below(100))};
      MPI_Datatype types[2] = {inner, etype};
      MPI_Type_create_struct(2, lengths, places, types, &type);
      MPI_Type_free(&inner);
      return type;
    }
    default:
      MPI_Type_contiguous(length, etype, &type);
      return type;
  }
}

static void choose_view(void) {
  free_filetype();
  MPI_Offset displacement = below(3) == 0 ? below(3000) : 0;
  if (below(4) > 0) {
    int basic = below(4);
    etype = BASIC[basic];
    etype_bytes = BASIC_BYTES[basic];
    MPI_Datatype part = random_filetype();
    MPI_Count lower, extent;
    MPI_Type_get_extent_x(part, &lower, &extent);
    MPI_Type_create_resized(part, 0, (MPI_Aint)((lower + extent) + below(3) * 8 * below(30)), &filetype);
    MPI_Type_free(&part);
    if (size_of(filetype) == 0) {
      free_filetype();
    }
  }
  if (filetype != MPI_BYTE) {
    MPI_Type_commit(&filetype);
  }
  doing = "set_view";
  for (int i = 0; i < 2; i++) {
    same(which(i), MPI_File_set_view(files[i], displacement, etype, filetype, "native", MPI_INFO_NULL), MPI_SUCCESS);
  }
}

/* Where in the file each byte of a move is, and how many of them are in the file. */
static MPI_Offset places[MOST_BYTES];

static long long find_places(MPI_Offset offset, long long bytes) {
  long long there = 0;
  for (long long i = 0; i < bytes; i++) {
    if (i % etype_bytes == 0) {
      MPI_File_get_byte_offset(files[1], offset + i / etype_bytes, &places[i]);
    } else {
      places[i] = places[i - 1] + 1;
    }
    there += places[i] < FILE_BYTES;
  }
  return there;
}

/* ---- the calls */

static uint8_t image[FILE_BYTES], content[FILE_BYTES + 1];

/* MPICH without the cache takes types with a lower bound for others: of a file that is not cached, only bytes that follow each other are
 * moved. */
static int write_one(MPI_File file, int how, MPI_Offset offset, const void *buffer, const struct move *move, MPI_Status *status) {
  MPI_Request request;
  switch (how) {
    case 0:
      doing = "write_at_all";
      return MPI_File_write_at_all(file, offset, buffer, move->count, move->type, status);
    case 1:
      doing = "seek and write";
      MPI_File_seek(file, offset, MPI_SEEK_SET);
      return MPI_File_write(file, buffer, move->count, move->type, status);
    case 2: {
      doing = "iwrite_at";
      int result = MPI_File_iwrite_at(file, offset, buffer, move->count, move->type, &request);
      MPI_Wait(&request, status);
      return result;
    }
    default:
      doing = "write_at";
      return MPI_File_write_at(file, offset, buffer, move->count, move->type, status);
  }
}

static int read_one(MPI_File file, int how, MPI_Offset offset, void *buffer, const struct move *move, MPI_Status *status) {
  switch (how) {
    case 0:
      doing = "read_at_all";
      return MPI_File_read_at_all(file, offset, buffer, move->count, move->type, status);
    case 1:
      doing = "seek and read";
      MPI_File_seek(file, offset, MPI_SEEK_SET);
      return MPI_File_read(file, buffer, move->count, move->type, status);
    default:
      doing = "read_at";
      return MPI_File_read_at(file, offset, buffer, move->count, move->type, status);
  }
}

static void same_file(int i) {
  int fd = open(names[i], O_RDONLY);
  same(which(i), read(fd, content, sizeof content), FILE_BYTES);
  close(fd);
  same_bytes(which(i), content, image, FILE_BYTES);
}

/* What MPI_Get_count says must be whole items, or nothing that can be said. */
static void same_count(const struct move *move, const MPI_Status *status, long long bytes) {
  MPI_Count size = size_of(move->type);
  int count;
  same("the bytes in the status", elements_of(status), bytes);
  MPI_Get_count(status, move->type, &count);
  same("the count", count, bytes % size == 0 ? bytes / size : MPI_UNDEFINED);
}

static void write_some(const struct move *move, MPI_Offset offset) {
  MPI_Status statuses[2];
  int how = below(5);
  fill(memory, MEMORY_BYTES);
  pack(memory, move);
  for (long long i = 0; i < move->bytes; i++) {
    image[places[i]] = packed[i];
  }
  struct move plain = {MPI_BYTE, (int)move->bytes, move->bytes, 0};
  same(which(0), write_one(files[0], how, offset, start_of(memory), move, &statuses[0]), MPI_SUCCESS);
  MPI_File_sync(files[0]);
  same(which(1), write_one(files[1], how, offset, packed, &plain, &statuses[1]), MPI_SUCCESS);
  same("the bytes in the status without the cache", elements_of(&statuses[1]), move->bytes);
  same_count(move, &statuses[0], move->bytes);
  same_file(1);
  same_file(0);
}

static void read_some(const struct move *move, MPI_Offset offset, long long there) {
  static uint8_t found[MOST_BYTES];
  struct move plain = {MPI_BYTE, (int)move->bytes, move->bytes, 0};
  MPI_Status status;
  int how = below(4);
  fill(memory, MEMORY_BYTES);
  memcpy(expected, memory, MEMORY_BYTES);
  pack(memory, move);
  for (long long i = 0; i < there; i++) {
    packed[i] = image[places[i]];
  }
  unpack(expected, move);
  same(which(0), read_one(files[0], how, offset, start_of(memory), move, &status), MPI_SUCCESS);
  same_count(move, &status, there);
  same_bytes("memory", memory, expected, MEMORY_BYTES);
  /* What the MPI libraries leave behind the end of a file is their own affair. */
  if (there == move->bytes) {
    same(which(1), read_one(files[1], how, offset, found, &plain, &status), MPI_SUCCESS);
    same("the bytes in the status without the cache", elements_of(&status), there);
    same_bytes("memory without the cache", found, packed, there);
  }
}

static void one_step(void) {
  struct move move = random_move(etype_bytes);
  MPI_Offset offset = below(below(3) == 0 ? 2 * FILE_BYTES / etype_bytes : 20000);
  long long there = find_places(offset, move.bytes);
  if (there == move.bytes && (below(2) == 0 || move.overlaps)) {
    write_some(&move, offset);
  } else if (!move.overlaps) {
    read_some(&move, offset, there);
  }
  MPI_Type_free(&move.type);
}

static void random_types(int steps) {
  memory = malloc(MEMORY_BYTES);
  expected = malloc(MEMORY_BYTES);
  random_state = seed;
  open_both(MPI_MODE_CREATE | MPI_MODE_RDWR);
  fill(image, FILE_BYTES);
  for (int i = 0; i < 2; i++) {
    MPI_File_write_at(files[i], 0, image, FILE_BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  for (step_number = 0; step_number < steps; step_number++) {
    if (step_number % 5 == 0) {
      choose_view();
    }
    one_step();
  }
  free_filetype();
  close_both();
  same_file(0);
  free(memory);
  free(expected);
}

/* ---- large types */

#define GIB (1LL << 30)
#define SPACE_BYTES (8 * GIB) /* of addresses, of which few are touched */
#define INTERLEAVED_BYTES (9 << 20)
#define SHORT_BYTES (1048576 + 13)

static uint8_t *space;

/* So many bytes of each stride; a type of inner of them, one of outer of those, and a count of that. */
struct large {
  const char *what;
  int length, stride, inner, outer, count;
};

static MPI_Datatype type_of(const struct large *large) {
  MPI_Datatype bytes, spaced, inner, outer;
  MPI_Type_contiguous(large->length, MPI_BYTE, &bytes);
  MPI_Type_create_resized(bytes, 0, large->stride, &spaced);
  MPI_Type_contiguous(large->inner, spaced, &inner);
  MPI_Type_contiguous(large->outer, inner, &outer);
  MPI_Type_commit(&outer);
  MPI_Type_free(&bytes);
  MPI_Type_free(&spaced);
  MPI_Type_free(&inner);
  return outer;
}

static void clear_space(void) {
  madvise(space, SPACE_BYTES, MADV_DONTNEED);
}

/* The file ends long before the transfer. */
static void read_short(const struct large *large) {
  MPI_Datatype type = type_of(large);
  MPI_Status status;
  doing = large->what;
  clear_space();
  same("the error class", class_of(MPI_File_read_at(files[0], 0, space, large->count, type, &status)), MPI_SUCCESS);
  same("the bytes in the status", elements_of(&status), SHORT_BYTES);
  long long at = 0;
  for (long long i = 0; i < SHORT_BYTES; i++) {
    long long place = i / large->length * large->stride + i % large->length;
    for (; at < place; at++) {
      same("a byte in a gap", space[at], 0);
    }
    same("a byte that was read", space[at++], image[i % FILE_BYTES]);
  }
  for (; at % 65536 != 0; at++) {
    same("a byte behind the end of the file", space[at], 0);
  }
  MPI_Type_free(&type);
}

static void short_reads(void) {
  static const struct large cases[] = {
    {"3 GiB without gaps", 1 << 20, 1 << 20, 1024, 3, 1},
    {"3 GB with gaps", 1000, 1024, 1 << 20, 3, 1},
    {"2 GiB in pairs of bytes", 2, 4, 1 << 15, (1 << 15) + 1, 1},
    {"two items of 2 GiB", 512, 1024, 1 << 20, 4, 2},
    {"a count of 8 GiB", 8, 8, 1, 1, 1 << 30},
    {"a count of 4 GiB with gaps", 4, 8, 1, 1, 1 << 30},
    {"a count of 4 GiB in parts with gaps", 512, 1024, 1 << 12, 1, 1 << 11},
  };
  uint8_t *content_of = malloc(SHORT_BYTES);
  for (int i = 0; i < SHORT_BYTES; i++) {
    content_of[i] = image[i % FILE_BYTES];
  }
  for (int i = 0; i < 2; i++) {
    MPI_File_write_at(files[i], 0, content_of, SHORT_BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  free(content_of);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    read_short(&cases[i]);
  }
}

/* Few bytes that are further from each other than an int can tell. */
static void far_bytes(void) {
  int lengths[3] = {100, 100, 300};
  MPI_Aint addresses[3] = {5 * GIB, 0, 3 * GIB};
  uint8_t plain[3][300];
  MPI_Datatype type;
  MPI_Status status;
  doing = "bytes far from each other in memory";
  MPI_Type_create_hindexed(3, lengths, addresses, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  clear_space();
  for (int i = 0; i < 3; i++) {
    memcpy(space + addresses[i], image + 1000 * i, (size_t)lengths[i]);
  }
  for (int i = 0; i < 2; i++) {
    same("the error class", class_of(MPI_File_write_at(files[i], 77, space, 1, type, &status)), MPI_SUCCESS);
    same("the bytes in the status", elements_of(&status), 500);
  }
  for (int i = 1; i >= 0; i--) {
    clear_space();
    same("the error class", class_of(MPI_File_read_at(files[i], 77, space, 1, type, &status)), MPI_SUCCESS);
    same("the bytes in the status", elements_of(&status), 500);
    for (int k = 0; k < 3; k++) {
      memcpy(plain[k], space + addresses[k], (size_t)lengths[k]);
      same_bytes(which(i), plain[k], image + 1000 * k, lengths[k]);
    }
  }
  MPI_Type_free(&type);
}

/* A view whose parts and gaps are of GiB. MPICH without the cache cannot read it. */
static void large_view(void) {
  MPI_Datatype gib, part, view;
  MPI_Status status;
  static uint8_t found[1001];
  doing = "a view of 3 GiB in 4";
  MPI_Type_contiguous(1 << 30, MPI_BYTE, &gib);
  MPI_Type_contiguous(3, gib, &part);
  MPI_Type_create_resized(part, 0, 4 * GIB, &view);
  MPI_Type_commit(&view);
  for (int i = 0; i < 2; i++) {
    same(which(i), MPI_File_set_view(files[i], 5, MPI_BYTE, view, "native", MPI_INFO_NULL), MPI_SUCCESS);
    same(which(i), MPI_File_write_at(files[i], 3 * GIB - 400, image, 1000, MPI_BYTE, &status), MPI_SUCCESS);
    same("the bytes in the status", elements_of(&status), 1000);
    MPI_File_sync(files[i]);
    int fd = open(names[i], O_RDONLY);
    same("bytes before the gap", pread(fd, found, 400, 5 + 3 * GIB - 400), 400);
    same("bytes behind the gap", pread(fd, found + 400, 601, 5 + 4 * GIB), 600);
    close(fd);
    same_bytes(which(i), found, image, 1000);
  }
  memset(found, 0, sizeof found);
  same("the error class", class_of(MPI_File_read_at(files[0], 3 * GIB - 400, found, 1001, MPI_BYTE, &status)), MPI_SUCCESS);
  same("the bytes in the status", elements_of(&status), 1000);
  same_bytes("what was read", found, image, 1000);
  for (int i = 0; i < 2; i++) {
    same(which(i), MPI_File_set_view(files[i], 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_SUCCESS);
  }
  MPI_Type_free(&gib);
  MPI_Type_free(&part);
  MPI_Type_free(&view);
}

#ifndef MPICH
/* Each instance of the file type begins in a gap of the one before, also where a collective write of the cache would begin a new window.
 * MPICH without the cache crashes. */
static void interleaved_view(void) {
  int lengths[2] = {4096, 4096}, displacements[2] = {0, 3 * 4096};
  static uint8_t from[INTERLEAVED_BYTES + 65536], found[2][INTERLEAVED_BYTES], written[2][INTERLEAVED_BYTES];
  MPI_Datatype pieces, view;
  MPI_Status status;
  doing = "a view whose instances lie within each other";
  fill(from, sizeof from);
  MPI_Type_indexed(2, lengths, displacements, MPI_BYTE, &pieces);
  MPI_Type_create_resized(pieces, 0, 2 * 4096, &view);
  MPI_Type_commit(&view);
  for (int i = 0; i < 2; i++) {
    same(which(i), MPI_File_write_at(files[i], 0, from, sizeof from, MPI_BYTE, &status), MPI_SUCCESS);
    same(which(i), MPI_File_set_view(files[i], 4096, MPI_BYTE, view, "native", MPI_INFO_NULL), MPI_SUCCESS);
    same(which(i), MPI_File_write_at_all(files[i], 0, from, INTERLEAVED_BYTES, MPI_BYTE, &status), MPI_SUCCESS);
    same("the bytes in the status", elements_of(&status), INTERLEAVED_BYTES);
    same(which(i), MPI_File_read_at_all(files[i], 0, found[i], INTERLEAVED_BYTES, MPI_BYTE, &status), MPI_SUCCESS);
    same("the bytes in the status", elements_of(&status), INTERLEAVED_BYTES);
    same(which(i), MPI_File_set_view(files[i], 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_SUCCESS);
    same(which(i), MPI_File_read_at(files[i], 0, written[i], INTERLEAVED_BYTES, MPI_BYTE, &status), MPI_SUCCESS);
  }
  same_bytes("what was read", found[0], found[1], sizeof found[0]);
  same_bytes("the file", written[0], written[1], sizeof written[0]);
  MPI_Type_free(&pieces);
  MPI_Type_free(&view);
}
#endif

/* All of 2 GiB and a MiB: the same MiB of memory again and again, and the file in the memory of the node. */
static void whole_write(void) {
  MPI_Datatype type;
  MPI_Status status;
  doing = "2 GiB from one MiB";
  MPI_Type_create_hvector(2049, 1 << 20, 0, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  clear_space();
  for (int i = 0; i < 1 << 20; i++) {
    space[i] = image[i % FILE_BYTES];
  }
  MPI_File_set_size(files[0], 0);
  same("the error class", class_of(MPI_File_write_at(files[0], 3, space, 1, type, &status)), MPI_SUCCESS);
  same("the bytes in the status", elements_of(&status), 2049LL << 20);
  MPI_File_sync(files[0]);
  int fd = open(names[0], O_RDONLY);
  for (long long i = 0; i < 2049; i++) {
    same("bytes in the file", pread(fd, space + (1 << 20), 1 << 20, 3 + (i << 20)), 1 << 20);
    same_bytes("the file", space + (1 << 20), space, 1 << 20);
  }
  close(fd);
  MPI_Type_free(&type);
}

/* All of them into the same few MiB of memory, but for what is around 2 GiB. */
static void whole_read(void) {
  static const struct large gapped = {"2 GiB with gaps to the end", 1000, 1024, 1 << 20, 2, 1};
  MPI_Datatype type = type_of(&gapped);
  MPI_Status status;
  long long size = 2000LL << 20;
  doing = gapped.what;
  int fd = memfd_create("types", 0);
  same("room for memory", ftruncate(fd, 1 << 26), 0);
  for (long long at = 0; at < 2 * GIB; at += 1 << 26) {
    mmap(space + at, 1 << 26, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  }
  close(fd);
  MPI_File_set_size(files[0], size);
  for (long long i = size - 1000; i < size; i += 100) {
    MPI_File_write_at(files[0], i, image + i % 4000, 100, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  same("the error class", class_of(MPI_File_read_at(files[0], 0, space, 1, type, &status)), MPI_SUCCESS);
  same("the bytes in the status", elements_of(&status), size);
  for (long long i = size - 1000; i < size; i += 100) {
    same_bytes("the last part", space + i / 1000 * 1024 + i % 1000, image + i % 4000, 100);
  }
  MPI_Type_free(&type);
}

/* ---- what is wrong, and what is nothing */

static void compare_read(MPI_Datatype type, int count) {
  MPI_Status statuses[2];
  int results[2];
  for (int i = 0; i < 2; i++) {
    results[i] = class_of(MPI_File_read(files[i], space, count, type, &statuses[i]));
  }
  same("the error class", results[0], results[1]);
  if (results[0] == MPI_SUCCESS) {
    same("the bytes in the status", elements_of(&statuses[0]), elements_of(&statuses[1]));
  }
}

static void wrong_arguments(void) {
  doing = "a type that is none";
  compare_read(MPI_DATATYPE_NULL, 1);
  doing = "a negative count";
  compare_read(MPI_INT, -1);
}

static void empty_types(void) {
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_BYTE, &empty);
  MPI_Type_commit(&empty);
  doing = "a type of no bytes";
  compare_read(empty, 5);
#ifdef MPICH
  /* Open MPI without the cache divides by it. */
  doing = "an etype of no bytes";
  int classes[2];
  for (int i = 0; i < 2; i++) {
    classes[i] = class_of(MPI_File_set_view(files[i], 0, empty, empty, "native", MPI_INFO_NULL));
  }
  same("the error class of the view", classes[0], classes[1]);
  compare_read(empty, 1);
#endif
  MPI_Type_free(&empty);
}

static void absolute_addresses(void) {
  MPI_Aint addresses[2];
  static uint8_t found[2][1000];
  int lengths[2] = {1000, 600};
  MPI_Datatype type;
  doing = "addresses from MPI_BOTTOM";
  MPI_Get_address(found[1], &addresses[0]);
  MPI_Get_address(found[0], &addresses[1]);
  MPI_Type_create_hindexed(2, lengths, addresses, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  same("the error class", class_of(MPI_File_write_at(files[0], 500, image, 1600, MPI_BYTE, MPI_STATUS_IGNORE)), MPI_SUCCESS);
  same("the error class", class_of(MPI_File_read_at(files[0], 500, MPI_BOTTOM, 1, type, MPI_STATUS_IGNORE)), MPI_SUCCESS);
  same_bytes("the first part", found[1], image, 1000);
  same_bytes("the second part", found[0], image + 1000, 600);
  MPI_Type_free(&type);
}

static void large_types(void) {
  space = mmap(NULL, SPACE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  fill(image, FILE_BYTES);
  open_both(MPI_MODE_CREATE | MPI_MODE_RDWR);
  short_reads();
  far_bytes();
  absolute_addresses();
  wrong_arguments();
  empty_types();
  close_both();
  open_both(MPI_MODE_RDWR);
  large_view();
#ifndef MPICH
  interleaved_view();
#endif
  whole_write();
  whole_read();
  close_both();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3 && argc != 5) {
    fputs("usage: types CACHED-FILE PLAIN-FILE [STEPS SEED]\n", stderr);
    MPI_Finalize();
    return 2;
  }
  names[0] = argv[1];
  names[1] = argv[2];
  if (argc == 5) {
    seed = strtoull(argv[4], NULL, 10);
    random_types(atoi(argv[3]));
    printf("%s steps, seed %s: as they should be\n", argv[3], argv[4]);
  } else {
    large_types();
    puts("large types: as they should be");
  }
  MPI_Finalize();
  return 0;
}

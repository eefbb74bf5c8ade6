/* A random program of MPI-IO calls, made on two files at once: one that is cached, and one that is not. Whatever a call returns must
 * be the same for both. Usage: model CACHED-FILE PLAIN-FILE STEPS SEED [CONTROL-SOCKET MAX-BYTES [PROGRAMS]], with so many programs, each with
 * the next seed and with files made anew; the environment's MODEL_HINTS, key=value,..., are hints for the cached file; MODEL_NODES says that ranks are on several nodes. With MODEL_FAULTS=CONTROL:FILE the cached
 * file is on slowfs, whose control file that is, and which has the file's bytes in FILE: some calls fail. */
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../bench/slowfs.h"
#include "check.h"

#define MOST_BYTES 300000
#define SPACE_BYTES 1500000 /* what a rank uses of the file */
#define SHAPES 6
#define RECENT 4

struct move {
  MPI_Offset offset; /* in etypes */
  int count;
  MPI_Datatype type;
  int is_gapped;
  int is_swapped;
  int bytes;
};

static int rank, ranks;
static uint64_t seed, shared_random, own_random;
static MPI_File files[2];
static const char *names[2];
static uint8_t *buffers[2], *data;
static int step_number;
static const char *doing = "opening";
static int shape;
static MPI_Datatype etype = MPI_BYTE, filetype = MPI_BYTE;
static int etype_bytes = 1;
/* Where ranks do not wait for each other, the file must not grow under a reader: it is as long from the beginning as it ever gets. */
static int waits;
static MPI_Offset recent[RECENT];
static int is_atomic;
/* Whether the first file is: there may have been no agent when it was opened. */
static int is_cached;
/* With faults: the cached file as the file system has it. */
static struct slowfs_control *faulty;
static const char *behind_name;
static MPI_File behind;

static void print_place(void) {
  fprintf(stderr, "seed %llu, rank %d, step %d, %s, view %d: ", (unsigned long long)seed, rank, step_number, doing, shape);
}

static void same(const char *what, long long cached, long long plain) {
  if (cached != plain) {
    wrong("%s is %lld, without the cache %lld", what, cached, plain);
  }
}

static void same_results(int cached, int plain) {
  int classes[2] = {0, 0};
  MPI_Error_class(cached, &classes[0]);
  MPI_Error_class(plain, &classes[1]);
  same("the error class", classes[0], classes[1]);
}

static void same_statuses(MPI_Status *statuses) {
  int counts[2];
  MPI_Get_count(&statuses[0], MPI_BYTE, &counts[0]);
  MPI_Get_count(&statuses[1], MPI_BYTE, &counts[1]);
  same("the count", counts[0], counts[1]);
}

/* Where the first so many bytes of what was read end in the buffer. */
static int buffer_bytes(const struct move *move, long long bytes) {
  return (int)(move->is_gapped && bytes > 0 ? 2 * bytes - 2 : bytes);
}

/* Both MPIs count what lies behind the end of the file, too, and leave anything there in the buffer, in some reads that are collective
 * or have gaps. For them, a lower count is right if it ends at the end of the file. Returns the bytes to compare. */
static int same_reads(const struct move *move, MPI_Status *statuses) {
  int counts[2];
  MPI_Offset size;
  MPI_Get_count(&statuses[0], MPI_BYTE, &counts[0]);
  MPI_Get_count(&statuses[1], MPI_BYTE, &counts[1]);
  int asked = move->bytes;
  if (counts[1] != asked) {
    same("the count", counts[0], counts[1]);
    return MOST_BYTES * 2;
  }
  MPI_File_get_size(files[1], &size);
  long long there = move->offset >= size ? 0 : size - move->offset;
  if (shape == 0 && there < asked) {
    if (counts[0] != asked) {
      same("the count at the end of the file", counts[0], there);
    }
    return buffer_bytes(move, there);
  }
  if (shape != 0 && counts[0] <= counts[1]) {
    return counts[0] == asked ? MOST_BYTES * 2 : buffer_bytes(move, counts[0]);
  }
  same("the count", counts[0], counts[1]);
  return MOST_BYTES * 2;
}

static void same_first_bytes(int count) {
  for (int i = 0; i < count; i++) {
    if (buffers[0][i] != buffers[1][i]) {
      wrong("byte %d is %02x, without the cache %02x", i, buffers[0][i], buffers[1][i]);
    }
  }
}

static void same_bytes(void) {
  same_first_bytes(MOST_BYTES * 2);
}

/* ---- what is moved */

/* A place and a length within what this rank sees; small, odd and large ones. */
static struct move choose_move(void) {
  static const int sizes[] = {1, 7, 100, 512, 4096, 4099, 16384, 65536, 70000, 140000};
  int bytes = sizes[next(&own_random) % 10];
  bytes = (bytes + etype_bytes - 1) / etype_bytes * etype_bytes;
  int room = (SPACE_BYTES - bytes) / etype_bytes;
  MPI_Offset offset = next(&own_random) % (uint32_t)room;
  if (next(&own_random) % 3 == 0) {
    offset = offset / 1024 * 1024;
  }
  if (next(&own_random) % 2 == 0) {
    /* Near an earlier place, where something is cached. */
    offset = (recent[next(&own_random) % RECENT] + offset % 5000) % room;
  }
  recent[next(&own_random) % RECENT] = offset;
  if (shape == 0) {
    offset += (MPI_Offset)rank * SPACE_BYTES;
  }
  struct move move = {.offset = offset, .count = bytes, .type = MPI_BYTE, .bytes = bytes};
  if (!waits && bytes > 2 && next(&own_random) % 6 == 0) {
    /* No gaps, but the second part of the memory first. What a read behind the end of the file leaves of it could not be told. */
    int lengths[2] = {bytes - bytes / 3, bytes / 3};
    int places[2] = {bytes / 3, 0};
    MPI_Type_indexed(2, lengths, places, MPI_BYTE, &move.type);
    MPI_Type_commit(&move.type);
    move.is_swapped = 1;
    move.count = 1;
  } else if (next(&own_random) % 5 == 0) {
    /* Gaps in memory: pairs of bytes out of four. */
    move.count = bytes / 2;
    if (bytes % 2 == 0) {
      MPI_Datatype pair;
      MPI_Type_contiguous(2, MPI_BYTE, &pair);
      MPI_Type_create_resized(pair, 0, 4, &move.type);
      MPI_Type_commit(&move.type);
      MPI_Type_free(&pair);
      move.is_gapped = 1;
    } else {
      move.count = bytes;
    }
  }
  return move;
}

static void end_move(struct move *move) {
  if (move->is_gapped || move->is_swapped) {
    MPI_Type_free(&move->type);
  }
}

static void choose_data(void) {
  uint64_t word = own_random ^ (uint64_t)rank << 56;
  for (int i = 0; i < MOST_BYTES * 2; i += 8) {
    word = word * UINT64_C(2862933555777941757) + 3037000493;
    memcpy(data + i, &word, 8);
  }
}

static void clear_buffers(void) {
  memset(buffers[0], 0xee, MOST_BYTES * 2);
  memset(buffers[1], 0xee, MOST_BYTES * 2);
}

/* ---- views: each rank sees bytes that no other one does */

static void free_types(void) {
  if (filetype != MPI_BYTE) {
    MPI_Type_free(&filetype);
  }
  filetype = MPI_BYTE;
  etype = MPI_BYTE;
  etype_bytes = 1;
}

static void choose_view(void) {
  doing = "set_view";
  free_types();
  /* What nobody has written is undefined; ROMIO leaves anything there when it writes a view with gaps behind the file's end. */
  shape = waits ? 0 : (int)(next(&shared_random) % SHAPES);
  MPI_Offset displacement = 0;
  int block = 1 + (int)(next(&shared_random) % 5000);
  MPI_Datatype part;
  switch (shape) {
    case 1: /* blocks in turn */
      etype = MPI_INT;
      etype_bytes = 4;
      MPI_Type_vector(1, block, block, MPI_INT, &part);
      MPI_Type_create_resized(part, 0, (MPI_Aint)block * 4 * ranks, &filetype);
      MPI_Type_free(&part);
      displacement = (MPI_Offset)rank * block * 4 + (next(&shared_random) % 3) * 1000;
      break;
    case 2: { /* columns of a matrix */
      int sizes[2] = {16, ranks * block};
      int parts[2] = {16, block};
      int starts[2] = {0, rank * block};
      MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_BYTE, &filetype);
      break;
    }
    case 3: { /* pieces of several sizes */
      int lengths[3] = {block, 1, 2 * block};
      int total = 3 * block + 1;
      int places[3] = {rank * total, rank * total + block, rank * total + block + 1};
      MPI_Type_indexed(3, lengths, places, MPI_BYTE, &part);
      MPI_Type_create_resized(part, 0, (MPI_Aint)total * ranks, &filetype);
      MPI_Type_free(&part);
      break;
    }
    case 4: { /* a cube, in Fortran's order */
      int sizes[3] = {ranks * 3, 50, 7};
      int parts[3] = {3, 50, 7};
      int starts[3] = {rank * 3, 0, 0};
      etype = MPI_DOUBLE;
      etype_bytes = 8;
      MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_DOUBLE, &filetype);
      break;
    }
    case 5: { /* a vector of several blocks, made of a struct */
      int lengths[2] = {block, block};
      MPI_Aint places[2] = {0, (MPI_Aint)block * ranks};
      MPI_Datatype types[2] = {MPI_BYTE, MPI_BYTE};
      MPI_Type_create_struct(2, lengths, places, types, &part);
      MPI_Type_create_resized(part, 0, (MPI_Aint)block * ranks * 2, &filetype);
      MPI_Type_free(&part);
      displacement = (MPI_Offset)rank * block;
      break;
    }
    default:
      shape = 0;
  }
  if (filetype != MPI_BYTE) {
    MPI_Type_commit(&filetype);
  }
  for (int i = 0; i < 2; i++) {
    MPI_File_sync(files[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  same_results(MPI_File_set_view(files[0], displacement, etype, filetype, "native", MPI_INFO_NULL),
               MPI_File_set_view(files[1], displacement, etype, filetype, "native", MPI_INFO_NULL));
  if (faulty != NULL) {
    MPI_File_set_view(behind, displacement, etype, filetype, "native", MPI_INFO_NULL);
  }
}

/* ---- the calls */

static int is_collective(uint32_t how) {
  return how != 0 && how != 2 && how != 3 && how != 6;
}

static int write_one(MPI_File file, uint32_t how, const struct move *move, MPI_Status *status) {
  MPI_Request request;
  int result;
  int waited;
  switch (how) {
    case 0:
      doing = "write_at";
      return MPI_File_write_at(file, move->offset, data, move->count, move->type, status);
    case 1:
      doing = "write_at_all";
      return MPI_File_write_at_all(file, move->offset, data, move->count, move->type, status);
    case 2:
      doing = "seek and write";
      MPI_File_seek(file, move->offset, MPI_SEEK_SET);
      return MPI_File_write(file, data, move->count, move->type, status);
    case 3:
      doing = "iwrite_at";
      result = MPI_File_iwrite_at(file, move->offset, data, move->count, move->type, &request);
      waited = MPI_Wait(&request, status);
      return result == MPI_SUCCESS ? waited : result;
    case 4:
      doing = "write_at_all_begin";
      result = MPI_File_write_at_all_begin(file, move->offset, data, move->count, move->type);
      waited = MPI_File_write_at_all_end(file, data, status);
      return result == MPI_SUCCESS ? waited : result;
    case 5:
      doing = "iwrite_at_all";
      result = MPI_File_iwrite_at_all(file, move->offset, data, move->count, move->type, &request);
      waited = MPI_Wait(&request, status);
      return result == MPI_SUCCESS ? waited : result;
    case 6:
#if MPI_VERSION >= 4
      doing = "write_at_c";
      return MPI_File_write_at_c(file, move->offset, data, move->count, move->type, status);
#else
      doing = "write_at";
      return MPI_File_write_at(file, move->offset, data, move->count, move->type, status);
#endif
    default:
      doing = "seek and write_all";
      MPI_File_seek(file, move->offset, MPI_SEEK_SET);
      return MPI_File_write_all(file, data, move->count, move->type, status);
  }
}

static void write_some(uint32_t how) {
  struct move move = choose_move();
  MPI_Status statuses[2];
  choose_data();
  int cached = write_one(files[0], how, &move, &statuses[0]);
  same_results(cached, write_one(files[1], how, &move, &statuses[1]));
  same_statuses(statuses);
  end_move(&move);
  if (is_collective(how)) {
    /* Open MPI returns from a collective write before another rank has written the bytes of this one. */
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void read_some(uint32_t how) {
  struct move move = choose_move();
  MPI_Status statuses[2];
  clear_buffers();
  int results[2] = {0, 0};
  MPI_Offset positions[2];
  for (int i = 0; i < 2; i++) {
    MPI_Request request;
    /* Open MPI's requests to read behind the end of the file never end: what is not cached is read by the blocking calls. */
    static const uint32_t blocking[8] = {0, 1, 2, 0, 7, 1, 6, 7};
    switch ((i == 1 || !is_cached) && waits ? blocking[how] : how) {
      case 0:
        doing = "read_at";
        results[i] = MPI_File_read_at(files[i], move.offset, buffers[i], move.count, move.type, &statuses[i]);
        break;
      case 1:
        doing = "read_at_all";
        results[i] = MPI_File_read_at_all(files[i], move.offset, buffers[i], move.count, move.type, &statuses[i]);
        break;
      case 2:
        doing = "seek and read";
        MPI_File_seek(files[i], move.offset, MPI_SEEK_SET);
        results[i] = MPI_File_read(files[i], buffers[i], move.count, move.type, &statuses[i]);
        break;
      case 3:
        doing = "iread_at";
        results[i] = MPI_File_iread_at(files[i], move.offset, buffers[i], move.count, move.type, &request);
        MPI_Wait(&request, &statuses[i]);
        break;
      case 4:
        doing = "read_all_begin";
        MPI_File_seek(files[i], move.offset, MPI_SEEK_SET);
        results[i] = MPI_File_read_all_begin(files[i], buffers[i], move.count, move.type);
        MPI_File_read_all_end(files[i], buffers[i], &statuses[i]);
        break;
      case 5:
        doing = "iread_at_all";
        results[i] = MPI_File_iread_at_all(files[i], move.offset, buffers[i], move.count, move.type, &request);
        MPI_Wait(&request, &statuses[i]);
        break;
#if MPI_VERSION >= 4
      case 6:
        doing = "read_at_c";
        results[i] = MPI_File_read_at_c(files[i], move.offset, buffers[i], move.count, move.type, &statuses[i]);
        break;
#endif
      default:
        doing = "seek and read_all";
        MPI_File_seek(files[i], move.offset, MPI_SEEK_SET);
        results[i] = MPI_File_read_all(files[i], buffers[i], move.count, move.type, &statuses[i]);
    }
    MPI_File_get_position(files[i], &positions[i]);
  }
  same_results(results[0], results[1]);
  same_first_bytes(same_reads(&move, statuses));
  if (how == 2) {
    same("the position", positions[0], positions[1]);
  }
  end_move(&move);
}

static void sync_all(void) {
  doing = "sync";
  same_results(MPI_File_sync(files[0]), MPI_File_sync(files[1]));
  MPI_Barrier(MPI_COMM_WORLD);
  same_results(MPI_File_sync(files[0]), MPI_File_sync(files[1]));
}

/* After a sync, every rank sees what any has written: reads at places of another rank. */
static void read_others(void) {
  sync_all();
  if (shape != 0) {
    return;
  }
  for (int i = 0; i < 4; i++) {
    struct move move = choose_move();
    MPI_Status statuses[2];
    doing = "read_at of another rank's bytes";
    clear_buffers();
    move.offset = (move.offset + (1 + next(&own_random) % (uint32_t)ranks) * (MPI_Offset)SPACE_BYTES) % ((MPI_Offset)SPACE_BYTES * ranks);
    MPI_File_read_at(files[0], move.offset, buffers[0], move.count, move.type, &statuses[0]);
    MPI_File_read_at(files[1], move.offset, buffers[1], move.count, move.type, &statuses[1]);
    same_first_bytes(same_reads(&move, statuses));
    end_move(&move);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void compare_sizes(void) {
  MPI_Offset sizes[2];
  doing = "get_size";
  sync_all();
  MPI_File_get_size(files[0], &sizes[0]);
  MPI_File_get_size(files[1], &sizes[1]);
  same("the size", sizes[0], sizes[1]);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* What preallocate adds is undefined until it is written: zeros, by the first rank. */
static void clear_from(MPI_Offset from, MPI_Offset end) {
  memset(data, 0, MOST_BYTES);
  for (MPI_Offset at = from; rank == 0 && shape == 0 && at < end; at += MOST_BYTES) {
    int count = (int)(end - at < MOST_BYTES ? end - at : MOST_BYTES);
    MPI_File_write_at(files[0], at, data, count, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_at(files[1], at, data, count, MPI_BYTE, MPI_STATUS_IGNORE);
  }
}

/*
 * Open MPI 4.1.4's preallocate leaves a message over if a rank looks at the size after the first rank has extended the file, also
 * without the cache. Later collective calls on the communicator then hang, crash or move other bytes.
 */
static int can_preallocate(void) {
#ifdef OPEN_MPI
  return ranks == 1;
#else
  return 1;
#endif
}

static void resize_files(void) {
  MPI_Offset whole = (MPI_Offset)SPACE_BYTES * ranks * 2;
  MPI_Offset size = waits ? next(&shared_random) % (uint32_t)(SPACE_BYTES * ranks) : whole + next(&shared_random) % 100000;
  sync_all();
  doing = "set_size";
  if (next(&shared_random) % 3 == 0 && shape == 0 && can_preallocate()) {
    MPI_Offset old;
    doing = "preallocate";
    MPI_File_get_size(files[1], &old);
    MPI_Barrier(MPI_COMM_WORLD);
    same_results(MPI_File_preallocate(files[0], size), MPI_File_preallocate(files[1], size));
    MPI_Barrier(MPI_COMM_WORLD);
    clear_from(old, size);
  } else {
    same_results(MPI_File_set_size(files[0], size), MPI_File_set_size(files[1], size));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  compare_sizes();
}

static void use_shared_pointer(void) {
  doing = "write_ordered";
  sync_all();
  if (shape != 0) {
    return;
  }
  MPI_Status statuses[2];
  MPI_Offset place = next(&shared_random) % 100000;
  int count = 1 + (int)(next(&own_random) % 5000);
  choose_data();
  for (int i = 0; i < 2; i++) {
    MPI_File_seek_shared(files[i], place, MPI_SEEK_SET);
    MPI_File_write_ordered(files[i], data, count, MPI_BYTE, &statuses[i]);
  }
  same_statuses(statuses);
  sync_all();
  clear_buffers();
  doing = "read_ordered";
  for (int i = 0; i < 2; i++) {
    MPI_File_seek_shared(files[i], place, MPI_SEEK_SET);
    MPI_File_read_ordered(files[i], buffers[i], count, MPI_BYTE, &statuses[i]);
  }
  same_statuses(statuses);
  same_bytes();
  sync_all();
}

/* A rank sees at once what it has written itself, by whatever call: past the cache what it wrote through it, and the other way round. */
static void mix_pointers(void) {
  if (shape != 0) {
    return;
  }
  int owner = (int)(next(&shared_random) % (uint32_t)ranks);
  MPI_Offset place = (MPI_Offset)owner * SPACE_BYTES + next(&shared_random) % (SPACE_BYTES - 20000);
  int count = 1 + (int)(next(&shared_random) % 9000);
  for (int i = 0; i < 2; i++) {
    MPI_File_seek_shared(files[i], place, MPI_SEEK_SET);
  }
  if (rank == owner) {
    MPI_Status statuses[2];
    doing = "write_at and read_shared";
    clear_buffers();
    next(&own_random);
    choose_data();
    for (int i = 0; i < 2; i++) {
      MPI_File_write_at(files[i], place, data, count, MPI_BYTE, &statuses[i]);
      MPI_File_read_shared(files[i], buffers[i], count, MPI_BYTE, &statuses[i]);
    }
    same_statuses(statuses);
    same_bytes();
    doing = "read_at, write_shared and read_at";
    next(&own_random);
    choose_data();
    for (int i = 0; i < 2; i++) {
      MPI_File_read_at(files[i], place + count, buffers[i], count, MPI_BYTE, &statuses[i]);
      MPI_File_write_shared(files[i], data, count, MPI_BYTE, &statuses[i]);
      MPI_File_read_at(files[i], place + count, buffers[i], count, MPI_BYTE, &statuses[i]);
    }
    same_statuses(statuses);
    same_bytes();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* The hints of MODEL_HINTS, key=value with commas in between. */
static MPI_Info read_hints(void) {
  const char *text = getenv("MODEL_HINTS");
  char hints[256];
  MPI_Info info;
  MPI_Info_create(&info);
  snprintf(hints, sizeof hints, "%s", text == NULL ? "" : text);
  for (char *hint = strtok(hints, ","); hint != NULL; hint = strtok(NULL, ",")) {
    char *value = strchr(hint, '=');
    if (value == NULL) {
      wrong("the hint %s has no value", hint);
      break;
    }
    *value = 0;
    MPI_Info_set(info, hint, value + 1);
  }
  return info;
}

static void open_both(int amode) {
  for (int i = 0; i < 2; i++) {
    doing = i == 0 ? "open of the cached file" : "open of the plain file";
    MPI_Info hints = i == 0 ? read_hints() : MPI_INFO_NULL;
    int result = MPI_File_open(MPI_COMM_WORLD, names[i], amode, hints, &files[i]);
    if (i == 0) {
      MPI_Info_free(&hints);
    }
    if (result != MPI_SUCCESS) {
      wrong("error %d", result);
    }
  }
  if (faulty != NULL) {
    doing = "open of the file behind";
    same("the result", MPI_File_open(MPI_COMM_WORLD, behind_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &behind), MPI_SUCCESS);
  }
  MPI_Info info;
  char value[MPI_MAX_INFO_VAL + 1];
  MPI_File_get_info(files[0], &info);
  MPI_Info_get(info, "dynims_cache", MPI_MAX_INFO_VAL, value, &is_cached);
  MPI_Info_free(&info);
  is_atomic = 0;
  free_types();
  shape = 0;
}

static void reopen(void) {
  sync_all();
  doing = "close";
  same_results(MPI_File_close(&files[0]), MPI_File_close(&files[1]));
  if (faulty != NULL) {
    MPI_File_close(&behind);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  open_both(MPI_MODE_RDWR);
}

static void toggle_atomicity(void) {
  int on = (int)(next(&shared_random) % 2);
  sync_all();
  doing = "set_atomicity";
  same_results(MPI_File_set_atomicity(files[0], on), MPI_File_set_atomicity(files[1], on));
  is_atomic = on;
}

/* ---- a file system that fails */

static const struct {
  int how, class;
} failures[] = {{ENOSPC, MPI_ERR_NO_SPACE}, {EDQUOT, MPI_ERR_QUOTA}, {EIO, MPI_ERR_IO}, {EFBIG, MPI_ERR_IO}, {SLOWFS_SHORT, MPI_SUCCESS}};

/* Calls of a kind fail from now on, all of them or one. */
static void break_calls(enum slowfs_call call, int how, uint64_t skipped, int all) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    struct slowfs_fault *fault = &faulty->faults[call];
    uint64_t first = atomic_load(&faulty->calls[call]) + 1 + skipped;
    atomic_store(&fault->how, how);
    atomic_store(&fault->end, all ? UINT64_MAX : first + 1);
    atomic_store(&fault->first, first);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void mend_calls(enum slowfs_call call) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    atomic_store(&faulty->faults[call].end, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static int class_of(int result) {
  int class;
  MPI_Error_class(result, &class);
  return class;
}

/* What the file system has where a move goes, as bytes behind each other; zeros behind the end of the file. */
static void read_behind(const struct move *move, uint8_t *to) {
  memset(to, 0, MOST_BYTES);
  MPI_File_read_at(behind, move->offset, to, move->bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void same_behind(const char *what, const uint8_t *found, const uint8_t *wanted, const uint8_t *or_wanted, int count) {
  for (int i = 0; i < count; i++) {
    if (found[i] != wanted[i] && found[i] != or_wanted[i]) {
      wrong("%s: byte %d of the move is %02x in the file for %02x", what, i, found[i], wanted[i]);
    }
  }
}

static void read_with_failure(int how, uint64_t skipped, int all) {
  struct move move = choose_move();
  MPI_Status status;
  int count;
  clear_buffers();
  MPI_File_read_at(files[1], move.offset, buffers[1], move.count, move.type, MPI_STATUS_IGNORE);
  break_calls(SLOWFS_READ, how, skipped, all);
  doing = "read_at that may fail";
  int class = class_of(MPI_File_read_at(files[0], move.offset, buffers[0], move.count, move.type, &status));
  mend_calls(SLOWFS_READ);
  MPI_Get_count(&status, MPI_BYTE, &count);
  if (class != MPI_SUCCESS) {
    same("the error class", class, how == SLOWFS_SHORT ? MPI_SUCCESS : MPI_ERR_IO);
  } else {
    MPI_Offset size;
    MPI_File_get_size(files[1], &size);
    long long there = shape != 0 ? move.bytes : move.offset >= size ? 0 : size - move.offset;
    same("the count", count, there < move.bytes ? there : move.bytes);
  }
  if (!move.is_swapped) {
    same_first_bytes(buffer_bytes(&move, count));
  }
  end_move(&move);
}

static void write_with_failure(enum slowfs_call call, int failure, uint64_t skipped, int all, uint32_t how) {
  static uint8_t packed[MOST_BYTES], before[MOST_BYTES], after[MOST_BYTES];
  int write_back = strcmp(getenv("DYNIMS_MPIIO_MODE"), "write-back") == 0;
  struct move move = choose_move();
  MPI_Status status;
  int position = 0;
  int count;
  choose_data();
  MPI_Pack(data, move.count, move.type, packed, MOST_BYTES, &position, MPI_COMM_SELF);
  read_behind(&move, before);
  break_calls(call, failures[failure].how, skipped, all);
  int class = class_of(write_one(files[0], how, &move, &status));
  MPI_Get_count(&status, MPI_BYTE, &count);
  int synced = class_of(MPI_File_sync(files[0]));
  mend_calls(call);
  read_behind(&move, after);
  doing = "a write and a sync that may fail";
  if (class != MPI_SUCCESS) {
    same("the error class of the write", class, call == SLOWFS_WRITE ? failures[failure].class : MPI_SUCCESS);
  } else if (!is_collective(how) || failures[failure].class == MPI_SUCCESS) {
    same("the count", count, move.bytes);
  }
  if (synced != MPI_SUCCESS && call == SLOWFS_WRITE) {
    same("the error class of the sync", synced, failures[failure].class);
  }
  if (class == MPI_SUCCESS && synced == MPI_SUCCESS) {
    same_behind("after a sync", after, packed, packed, move.bytes);
    same("failures that nobody was told of", all && skipped == 0 && failures[failure].class != MPI_SUCCESS, 0);
  } else if (class != MPI_SUCCESS && !write_back) {
    same_behind("what was written before the error", after, packed, packed, count);
  }
  same_behind("after a failure", after, before, packed, move.bytes);
  uint64_t syncs = atomic_load(&faulty->calls[SLOWFS_FSYNC]);
  MPI_Barrier(MPI_COMM_WORLD);
  same("the error class of the next sync", class_of(MPI_File_sync(files[0])), MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  if (call == SLOWFS_FSYNC && all && atomic_load(&faulty->calls[SLOWFS_FSYNC]) == syncs) {
    wrong("no fsync after one that failed");
  }
  read_behind(&move, after);
  if (class == MPI_SUCCESS) {
    same_behind("after the next sync", after, packed, packed, move.bytes);
  }
  memset(before, 0, sizeof before);
  MPI_File_read_at(files[0], move.offset, before, move.bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  same_behind("what the cache has", after, before, before, move.bytes);
  /* What a failed write leaves is undefined: the same for both from here on. */
  MPI_Barrier(MPI_COMM_WORLD);
  same_results(write_one(files[0], 0, &move, &status), write_one(files[1], 0, &move, &status));
  end_move(&move);
  sync_all();
}

static void fail_some(uint32_t how) {
  uint32_t call = next(&shared_random) % 4;
  uint64_t skipped = next(&shared_random) % 4;
  int all = (int)(next(&shared_random) % 2);
  int failure = (int)(next(&shared_random) % 5);
  if (is_atomic) {
    /* The MPI library's own accesses: MPICH's hang. */
    return;
  }
  sync_all();
  if (call == 0) {
    read_with_failure(failure % 2 == 0 ? EIO : SLOWFS_SHORT, skipped, all);
  } else if (call == 1) {
    write_with_failure(SLOWFS_FSYNC, 2, all ? 0 : skipped, all, how);
  } else {
    write_with_failure(SLOWFS_WRITE, failure, skipped, all, how);
  }
}

/* Maps the control file of MODEL_FAULTS, and notes where the file is that it belongs to. */
static void find_faults(void) {
  static char names_of[4096];
  const char *text = getenv("MODEL_FAULTS");
  if (text == NULL) {
    return;
  }
  snprintf(names_of, sizeof names_of, "%s", text);
  char *colon = strchr(names_of, ':');
  if (colon == NULL) {
    wrong("MODEL_FAULTS is no CONTROL:FILE");
    return;
  }
  *colon = 0;
  behind_name = colon + 1;
  int fd = open(names_of, O_RDWR);
  faulty = mmap(NULL, sizeof *faulty, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (faulty == MAP_FAILED) {
    wrong("%s cannot be mapped", names_of);
  }
}

/* ---- the agent's capacity */

static int control = -1;

static void change_capacity(long long max_bytes) {
  char text[4096];
  int length = snprintf(text, sizeof text, "resize %lld\n", max_bytes / 100 * (long long)(next(&own_random) % 101));
  if (control < 0 || send(control, text, (size_t)length, MSG_NOSIGNAL) != length || recv(control, text, sizeof text, 0) <= 0) {
    close(control);
    control = -1;
  }
}

static void connect_control(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  control = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(control, (struct sockaddr *)&address, sizeof address) != 0) {
    close(control);
    control = -1;
  }
}

static void compare_files(void) {
  FILE *cached = fopen(names[0], "rb");
  FILE *plain = fopen(names[1], "rb");
  doing = "comparing the files";
  if (cached == NULL || plain == NULL) {
    wrong("a file is missing");
  }
  for (long at = 0;; at++) {
    int a = getc(cached);
    int b = getc(plain);
    if (a != b) {
      wrong("byte %ld is %d, without the cache %d", at, a, b);
    }
    if (a == EOF) {
      break;
    }
  }
  fclose(cached);
  fclose(plain);
}

/* One call, the same kind on all ranks. */
static void one_step(void) {
  uint32_t choice = next(&shared_random) % 100;
  uint32_t how = next(&shared_random) % 8;
  if (faulty != NULL && next(&shared_random) % 4 == 0) {
    fail_some(how);
  } else if (choice < 36) {
    write_some(how);
  } else if (choice < 76) {
    read_some(how);
  } else if (choice < 83) {
    read_others();
  } else if (choice < 88) {
    choose_view();
  } else if (choice < 91) {
    compare_sizes();
  } else if (choice < 93) {
    resize_files();
  } else if (choice < 95) {
    reopen();
  } else if (choice < 96) {
    toggle_atomicity();
  } else if (choice < 98) {
    use_shared_pointer();
  } else {
    mix_pointers();
  }
}

static void run(int steps, const char *socket, long long max_bytes) {
  shared_random = seed;
  own_random = shared_random * 31 + (uint64_t)rank;
  memset(recent, 0, sizeof recent);
  open_both(MPI_MODE_CREATE | MPI_MODE_RDWR);
  waits = (int)(shared_random % 2);
  if (!waits) {
    MPI_File_set_size(files[0], (MPI_Offset)SPACE_BYTES * ranks * 2);
    MPI_File_set_size(files[1], (MPI_Offset)SPACE_BYTES * ranks * 2);
  }
  for (step_number = 0; step_number < steps; step_number++) {
    if (socket != NULL && rank == 0 && step_number % 5 == 0) {
      if (control < 0) {
        connect_control(socket);
      }
      if (control >= 0) {
        change_capacity(max_bytes);
      }
    }
    one_step();
    if (waits && getenv("MODEL_NODES") != NULL) {
      /* How far another node has extended the file is known after a sync only. */
      sync_all();
    }
    if (waits) {
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  doing = "close";
  MPI_File_close(&files[0]);
  MPI_File_close(&files[1]);
  if (faulty != NULL) {
    MPI_File_close(&behind);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    compare_files();
  }
}

static void delete_both(void) {
  doing = "delete";
  if (rank == 0) {
    same_results(MPI_File_delete(names[0], MPI_INFO_NULL), MPI_File_delete(names[1], MPI_INFO_NULL));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 5) {
    if (rank == 0) {
      fputs("usage: model CACHED-FILE PLAIN-FILE STEPS SEED [CONTROL-SOCKET MAX-BYTES [PROGRAMS]]\n", stderr);
    }
    MPI_Finalize();
    return 2;
  }
  names[0] = argv[1];
  names[1] = argv[2];
  int steps = atoi(argv[3]);
  uint64_t first = strtoull(argv[4], NULL, 10);
  uint64_t programs = argc > 7 ? strtoull(argv[7], NULL, 10) : 1;
  buffers[0] = malloc(MOST_BYTES * 2);
  buffers[1] = malloc(MOST_BYTES * 2);
  data = malloc(MOST_BYTES * 2);
  find_faults();
  for (seed = first; seed < first + programs; seed++) {
    if (seed > first) {
      delete_both();
    }
    run(steps, argc > 6 ? argv[5] : NULL, argc > 6 ? atoll(argv[6]) : 0);
  }
  if (rank == 0) {
    printf("%llu programs of %d steps on %d ranks, from seed %s: the same\n", (unsigned long long)programs, steps, ranks, argv[4]);
  }
  MPI_Finalize();
  return 0;
}

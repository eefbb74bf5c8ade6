/* What a program is told when its file system fails. Usage: errors CASE FILE BACKING-FILE CONTROL; the file is on slowfs, whose control
 * file CONTROL is, and the environment's DYNIMS_MPIIO_MODE says how it is cached. Exit code 0: as it should be. */
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../bench/slowfs.h"
#include "check.h"

#define MIB (1 << 20)
#define WRITTEN 0x5a

static int rank, ranks;
static MPI_File file;
static const char *name, *backing;
static struct slowfs_control *control;
static uint8_t *buffer, *other;

static void print_place(void) {
  fprintf(stderr, "errors: rank %d: ", rank);
}

static int is_write_back(void) {
  return strcmp(getenv("DYNIMS_MPIIO_MODE"), "write-back") == 0;
}

static void same(const char *what, long long found, long long wanted) {
  if (found != wanted) {
    wrong("%s: %lld for %lld", what, found, wanted);
  }
}

static void same_class(const char *what, int result, int wanted) {
  int class;
  MPI_Error_class(result, &class);
  if (class != wanted) {
    char texts[2][MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(class, texts[0], &length);
    MPI_Error_string(wanted, texts[1], &length);
    wrong("%s: '%s' for '%s'", what, texts[0], texts[1]);
  }
}

static long long count_of(const MPI_Status *status) {
  int count;
  MPI_Get_count(status, MPI_BYTE, &count);
  return count;
}

/* From now on, calls of a kind fail, so many after the first skipped ones. */
static void fail_calls(enum slowfs_call call, int how, uint64_t skipped, uint64_t count) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    struct slowfs_fault *fault = &control->faults[call];
    uint64_t now = atomic_load(&control->calls[call]) + 1 + skipped;
    atomic_store(&fault->how, how);
    atomic_store(&fault->end, count > UINT64_MAX - now ? UINT64_MAX : now + count);
    atomic_store(&fault->first, now);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void mend(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int call = 0; rank == 0 && call < SLOWFS_CALLS; call++) {
    atomic_store(&control->faults[call].end, 0);
    atomic_store(&control->faults[call].first, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void open_file(void) {
  same_class("open", MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file), MPI_SUCCESS);
}

/* What the file has, without the cache, against what a rank wrote or found there. */
static void same_in_file(const char *what, long long offset, const uint8_t *wanted, long long length) {
  int fd = open(backing, O_RDONLY);
  same("what could be read of the file", pread(fd, other, (size_t)length, offset), length);
  close(fd);
  for (long long i = 0; i < length; i++) {
    if (other[i] != wanted[i]) {
      wrong("%s: byte %lld of the file is %02x for %02x", what, offset + i, other[i], wanted[i]);
    }
  }
}

/* ---- the cases */

/* A file system that takes no more data, for the reason of the errno. */
static void refused(int error, int class) {
  MPI_Status status;
  memset(buffer, WRITTEN, MIB);
  fail_calls(SLOWFS_WRITE, error, 0, UINT64_MAX);
  int result = MPI_File_write_at(file, (MPI_Offset)rank * MIB, buffer, MIB, MPI_BYTE, &status);
  if (!is_write_back()) {
    same_class("write", result, class);
    same("the count", count_of(&status), 0);
  } else {
    same_class("write", result, MPI_SUCCESS);
    same_class("sync", MPI_File_sync(file), class);
  }
  mend();
  if (!is_write_back()) {
    same_class("write again", MPI_File_write_at(file, (MPI_Offset)rank * MIB, buffer, MIB, MPI_BYTE, &status), MPI_SUCCESS);
    same("the count", count_of(&status), MIB);
  }
  same_class("sync again", MPI_File_sync(file), MPI_SUCCESS);
  same_in_file("after a sync", (long long)rank * MIB, buffer, MIB);
}

static void full(void) { refused(ENOSPC, MPI_ERR_NO_SPACE); }
static void quota(void) { refused(EDQUOT, MPI_ERR_QUOTA); }
static void broken(void) { refused(EIO, MPI_ERR_IO); }
static void too_large(void) { refused(EFBIG, MPI_ERR_IO); }

/* At the close, which is the last that can say it. */
static void close_full(void) {
  memset(buffer, WRITTEN, MIB);
  fail_calls(SLOWFS_WRITE, ENOSPC, 0, UINT64_MAX);
  MPI_File_write_at(file, (MPI_Offset)rank * MIB, buffer, MIB, MPI_BYTE, MPI_STATUS_IGNORE);
  same_class("close", MPI_File_close(&file), is_write_back() ? MPI_ERR_NO_SPACE : MPI_SUCCESS);
  mend();
  open_file();
}

static void is_part(const char *what, long long count) {
  if (count <= 0 || count >= 4 * MIB) {
    wrong("%lld bytes were %s of %d", count, what, 4 * MIB);
  }
}

/* An error after a part of the transfer: what was moved before counts. */
static void middle_of_write(void) {
  MPI_Status status;
  int result = MPI_SUCCESS;
  memset(buffer, WRITTEN, 4 * MIB);
  fail_calls(SLOWFS_WRITE, EDQUOT, 2, UINT64_MAX);
  if (rank == 0) {
    result = MPI_File_write_at(file, 0, buffer, 4 * MIB, MPI_BYTE, &status);
  }
  if (is_write_back()) {
    same_class("write", result, MPI_SUCCESS);
    same_class("sync", MPI_File_sync(file), MPI_ERR_QUOTA);
  } else if (rank == 0) {
    same_class("write", result, MPI_ERR_QUOTA);
    is_part("written", count_of(&status));
    same_in_file("what was written before the error", 0, buffer, count_of(&status));
  }
  mend();
}

static void middle_of_read(void) {
  MPI_Status status;
  fail_calls(SLOWFS_READ, EIO, 2, UINT64_MAX);
  if (rank == 0) {
    memset(buffer, 0, 4 * MIB);
    same_class("read", MPI_File_read_at(file, 0, buffer, 4 * MIB, MPI_BYTE, &status), MPI_ERR_IO);
    is_part("read", count_of(&status));
    same_in_file("what was read before the error", 0, buffer, count_of(&status));
  }
  mend();
  if (rank == 0) {
    same_class("read again", MPI_File_read_at(file, 0, buffer, 4 * MIB, MPI_BYTE, &status), MPI_SUCCESS);
    same("the count", count_of(&status), 4 * MIB);
    same_in_file("what was read", 0, buffer, 4 * MIB);
  }
}

/* A sync is one of the device, once a node and file, and only if somebody wrote. */
static void durable(void) {
  memset(buffer, WRITTEN, MIB);
  same_class("write", MPI_File_write_at(file, (MPI_Offset)rank * MIB, buffer, MIB, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_write_back()) {
    /* The agent writes it meanwhile. */
    sleep(2);
  }
  uint64_t before = atomic_load(&control->calls[SLOWFS_FSYNC]);
  MPI_Barrier(MPI_COMM_WORLD);
  same_class("sync", MPI_File_sync(file), MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  if (atomic_load(&control->calls[SLOWFS_FSYNC]) == before) {
    wrong("no fsync was called");
  }
}

static void durable_failed(void) {
  memset(buffer, WRITTEN, MIB);
  fail_calls(SLOWFS_FSYNC, EIO, 0, UINT64_MAX);
  same_class("write", MPI_File_write_at(file, (MPI_Offset)rank * MIB, buffer, MIB, MPI_BYTE, MPI_STATUS_IGNORE), MPI_SUCCESS);
  same_class("sync", MPI_File_sync(file), MPI_ERR_IO);
  mend();
  same_class("sync again", MPI_File_sync(file), MPI_SUCCESS);
}

/* A collective write of columns that fails: what all ranks see of it afterwards is what the file has. */
static void collective(void) {
  int block = 4096;
  MPI_Datatype column;
  MPI_Status status;
  MPI_Type_vector(64, block, block * ranks, MPI_BYTE, &column);
  MPI_Type_commit(&column);
  same_class("view", MPI_File_set_view(file, (MPI_Offset)rank * block, MPI_BYTE, column, "native", MPI_INFO_NULL), MPI_SUCCESS);
  memset(buffer, WRITTEN, (size_t)(64 * block));
  fail_calls(SLOWFS_WRITE, ENOSPC, 0, UINT64_MAX);
  int result = MPI_File_write_at_all(file, 0, buffer, 64 * block, MPI_BYTE, &status);
  if (is_write_back()) {
    same_class("write", result, MPI_SUCCESS);
    same_class("sync", MPI_File_sync(file), MPI_ERR_NO_SPACE);
  } else {
    same_class("write", result, MPI_ERR_NO_SPACE);
    same_class("view", MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_SUCCESS);
    same_class("read", MPI_File_read_at(file, 0, buffer, 64 * block * ranks, MPI_BYTE, &status), MPI_SUCCESS);
    same_in_file("what is read after a collective write that failed", 0, buffer, 64 * block * ranks);
  }
  mend();
  same_class("view", MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_SUCCESS);
  MPI_Type_free(&column);
}

/* Either call may say it. */
static void non_blocking(void) {
  MPI_Request request;
  MPI_Status status = {.MPI_ERROR = MPI_SUCCESS};
  memset(buffer, WRITTEN, MIB);
  fail_calls(SLOWFS_WRITE, ENOSPC, 0, UINT64_MAX);
  int result = MPI_File_iwrite_at(file, (MPI_Offset)rank * MIB, buffer, MIB, MPI_BYTE, &request);
  int waited = MPI_Wait(&request, &status);
  result = result == MPI_SUCCESS ? waited : result;
  same_class("iwrite", result, is_write_back() ? MPI_SUCCESS : MPI_ERR_NO_SPACE);
  mend();
}

static int handled;

static void handler(MPI_File *of, int *code, ...) {
  (void)of;
  MPI_Error_class(*code, &handled);
}

/* The program's own handler is called, and the call returns the error nevertheless. */
static void own_handler(void) {
  MPI_Errhandler errhandler;
  MPI_File_create_errhandler(handler, &errhandler);
  MPI_File_set_errhandler(file, errhandler);
  refused(ENOSPC, MPI_ERR_NO_SPACE);
  same("what the handler got", handled, MPI_ERR_NO_SPACE);
  MPI_Errhandler_free(&errhandler);
}

/* The program must not come to its end. */
static void fatal(void) {
  MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
  fail_calls(SLOWFS_WRITE, ENOSPC, 0, UINT64_MAX);
  MPI_File_write_at(file, (MPI_Offset)rank * MIB, buffer, MIB, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  mend();
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"full", full},
    {"quota", quota},
    {"broken", broken},
    {"too-large", too_large},
    {"close", close_full},
    {"middle-of-write", middle_of_write},
    {"middle-of-read", middle_of_read},
    {"durable", durable},
    {"durable-failed", durable_failed},
    {"collective", collective},
    {"non-blocking", non_blocking},
    {"own-handler", own_handler},
    {"fatal", fatal},
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int fd = argc == 5 ? open(argv[4], O_RDWR) : -1;
  if (fd < 0) {
    fputs("usage: errors CASE FILE BACKING-FILE CONTROL\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  name = argv[2];
  backing = argv[3];
  control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  buffer = malloc(4 * MIB);
  other = malloc(4 * MIB);
  open_file();
  int found = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(cases[i].name, argv[1]) == 0) {
      cases[i].run();
      found = 1;
    }
  }
  if (!found) {
    wrong("there is no case %s", argv[1]);
  }
  same_class("close", MPI_File_close(&file), MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}

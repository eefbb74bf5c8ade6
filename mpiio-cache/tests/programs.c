/* Programs as they are written by people who know nothing of the cache. Prints what it has read, found and been told, the same in every run:
 * the harness compares that of runs with the cache, of runs in which some ranks have none, and of plain ones. Usage: CASE FOLDER */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define PATH 1000
#define BLOCK 40000

static int rank, ranks;
static const char *folder;

static const char *at(const char *name) {
  static _Thread_local char path[PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* Lines of all ranks come in their order. Nobody goes on before all have come. */
__attribute__((format(printf, 1, 2))) static void report(const char *format, ...) {
  char line[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  char *all = malloc((size_t)ranks * sizeof line);
  /* A signal may cut off what is printed. */
  sigset_t signal, before;
  sigemptyset(&signal);
  sigaddset(&signal, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &signal, &before);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Gather(line, sizeof line, MPI_CHAR, all, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; i++) {
    printf("%d: %s\n", i, all + (size_t)i * sizeof line);
  }
  fflush(stdout);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  free(all);
}

static const char *class_of(int result) {
  static _Thread_local char text[MPI_MAX_ERROR_STRING];
  int class, length;
  MPI_Error_class(result, &class);
  snprintf(text, sizeof text, "ok");
  if (class != MPI_SUCCESS) {
    MPI_Error_string(class, text, &length);
  }
  return text;
}

static uint64_t sum_of(const void *bytes, size_t length) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++) {
    hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
  }
  return hash;
}

static void fill(uint8_t *bytes, size_t length, unsigned seed) {
  for (size_t i = 0; i < length; i++) {
    seed = seed * 1103515245u + 12345u;
    bytes[i] = (uint8_t)(seed >> 16);
  }
}

static void settle(MPI_File file, MPI_Comm comm) {
  MPI_File_sync(file);
  MPI_Barrier(comm);
  MPI_File_sync(file);
}

static MPI_File open_of(MPI_Comm comm, const char *name, int amode) {
  MPI_File file = MPI_FILE_NULL;
  int result = MPI_File_open(comm, at(name), amode, MPI_INFO_NULL, &file);
  if (result != MPI_SUCCESS) {
    printf("%s: %s\n", name, class_of(result));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return file;
}

/* What all see of a file of a communicator. */
static uint64_t read_all_of(MPI_File file, int length) {
  uint8_t *bytes = calloc(1, (size_t)length);
  MPI_Status status;
  int count = 0;
  MPI_Offset size = 0;
  /* ROMIO's collective reads may count bytes behind the end of the file. */
  MPI_File_get_size(file, &size);
  length = length < size ? length : (int)size;
  MPI_File_read_at_all(file, 0, bytes, length, MPI_BYTE, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  uint64_t sum = sum_of(bytes, (size_t)count);
  free(bytes);
  return sum + (uint64_t)count;
}

/* One file, by all kinds of calls: each rank's blocks are written by it, and read by all. */
static void use_file(MPI_Comm comm, const char *name, unsigned seed) {
  int own, size;
  static uint8_t bytes[BLOCK];
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &size);
  for (int turn = 0; turn < 3; turn++) {
    MPI_File file = open_of(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR);
    fill(bytes, sizeof bytes, seed + (unsigned)(own + turn * 100));
    MPI_File_write_at_all(file, (MPI_Offset)own * BLOCK, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    settle(file, comm);
    report("%s: all: %016llx", name, (unsigned long long)read_all_of(file, BLOCK * size));
    MPI_Barrier(comm);
    /* Rows of a matrix that are dealt out. */
    MPI_Datatype rows;
    MPI_Type_vector(10, 1000, 1000 * size, MPI_BYTE, &rows);
    MPI_Type_commit(&rows);
    MPI_File_set_view(file, (MPI_Offset)own * 1000, MPI_BYTE, rows, "native", MPI_INFO_NULL);
    fill(bytes, sizeof bytes, seed + 7u + (unsigned)own);
    MPI_File_write_all(file, bytes, 10000, MPI_BYTE, MPI_STATUS_IGNORE);
    settle(file, comm);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    report("%s: rows: %016llx", name, (unsigned long long)read_all_of(file, BLOCK * size));
    MPI_Barrier(comm);
    if (own == size - 1) {
      MPI_File_write_at(file, 100, "hello", 5, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    settle(file, comm);
    char text[6] = "";
    MPI_File_read_at(file, 100, text, 5, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Offset length = 0;
    MPI_File_get_size(file, &length);
    report("%s: %s, %lld bytes", name, text, (long long)length);
    MPI_Barrier(comm);
    MPI_File_set_size(file, BLOCK * size - 5 - turn);
    MPI_File_get_size(file, &length);
    MPI_File_write_ordered(file, bytes, 100 + own, MPI_BYTE, MPI_STATUS_IGNORE);
    settle(file, comm);
    report("%s: ordered: %016llx of %lld", name, (unsigned long long)read_all_of(file, BLOCK * size), (long long)length);
    MPI_File_close(&file);
    MPI_Type_free(&rows);
  }
}

static void together(void) {
  use_file(MPI_COMM_WORLD, "together", 1);
}

static void halves(void) {
  MPI_Comm half, reversed;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  use_file(half, rank % 2 == 0 ? "even" : "odd", 2);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  use_file(reversed, "reversed", 3);
  MPI_Comm_free(&half);
  MPI_Comm_free(&reversed);
}

/* A collective write to which only one rank, whose view has gaps, has something to add. */
static void alone(void) {
  char back[17] = "";
  for (int turn = 0; turn < ranks; turn++) {
    MPI_Aint place = 2243;
    int length = 17;
    MPI_Datatype piece;
    MPI_Offset size = 0;
    MPI_File file = open_of(MPI_COMM_WORLD, "alone", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Type_create_hindexed(1, &length, &place, MPI_BYTE, &piece);
    MPI_Type_commit(&piece);
    MPI_File_set_view(file, 0, MPI_BYTE, rank == turn ? piece : MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 0, "what nobody loses", rank == turn ? length : 0, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    settle(file, MPI_COMM_WORLD);
    MPI_File_read_at(file, place, back, length, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_get_size(file, &size);
    report("alone: %.17s of %lld", back, (long long)size);
    MPI_File_close(&file);
    if (rank == 0) {
      MPI_File_delete(at("alone"), MPI_INFO_NULL);
    }
    MPI_Type_free(&piece);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* One file that each rank opens by itself: who syncs, or opens again, sees what others have synced. */
static void selves(void) {
  static uint8_t bytes[BLOCK];
  MPI_File file = open_of(MPI_COMM_SELF, "selves", MPI_MODE_CREATE | MPI_MODE_RDWR);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = 0; turn < 4 * ranks; turn++) {
    if (turn % ranks == rank) {
      fill(bytes, sizeof bytes, 50u + (unsigned)turn);
      MPI_File_write_at(file, turn * 100, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    settle(file, MPI_COMM_WORLD);
    report("self: %016llx", (unsigned long long)read_all_of(file, BLOCK + 10000));
    if (turn % 5 == 4) {
      MPI_File_close(&file);
      MPI_Barrier(MPI_COMM_WORLD);
      file = open_of(MPI_COMM_SELF, "selves", MPI_MODE_RDWR);
    }
  }
  MPI_File_close(&file);
}

/* A non-blocking collective call that waits for another rank, which waits for a message. */
static void overlap(void) {
  static uint8_t bytes[BLOCK], back[BLOCK];
  MPI_Datatype rows;
  MPI_Type_vector(40, 1000, 1000 * ranks, MPI_BYTE, &rows);
  MPI_Type_commit(&rows);
  fill(bytes, sizeof bytes, (unsigned)rank);
  for (int turn = 0; turn < 4; turn++) {
    MPI_File file = open_of(MPI_COMM_WORLD, "overlap", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Request request;
    int token = 0;
    if (turn % 2 == 1) {
      MPI_File_set_atomicity(file, 1);
    }
    if (turn < 2) {
      MPI_File_set_view(file, (MPI_Offset)rank * 1000, MPI_BYTE, rows, "native", MPI_INFO_NULL);
    }
    MPI_Offset offset = turn < 2 ? 0 : (MPI_Offset)rank * BLOCK;
    for (int writes = 1; writes >= 0; writes--) {
      if (rank != 0) {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      if (writes) {
        MPI_File_iwrite_at_all(file, offset, bytes, BLOCK, MPI_BYTE, &request);
      } else {
        memset(back, 0, sizeof back);
        MPI_File_iread_at_all(file, offset, back, BLOCK, MPI_BYTE, &request);
      }
      for (int to = 1; rank == 0 && to < ranks; to++) {
        MPI_Send(&token, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
      }
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      settle(file, MPI_COMM_WORLD);
    }
    report("overlap: %s", memcmp(bytes, back, BLOCK) == 0 ? "same" : "other bytes");
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    report("overlap: %016llx", (unsigned long long)read_all_of(file, BLOCK * ranks));
    MPI_File_close(&file);
  }
  MPI_Type_free(&rows);
}

/* Several handles of one file, of which one is for reading only. */
static void handles(void) {
  static uint8_t bytes[BLOCK], back[BLOCK];
  MPI_File files[3];
  MPI_Offset place = 0;
  MPI_Offset length = 0;
  files[0] = open_of(MPI_COMM_SELF, rank == 0 ? "handles0" : "handles1", MPI_MODE_CREATE | MPI_MODE_RDWR);
  files[1] = open_of(MPI_COMM_SELF, rank == 0 ? "handles0" : "handles1", MPI_MODE_RDONLY);
  files[2] = open_of(MPI_COMM_SELF, rank == 0 ? "handles0" : "handles1", MPI_MODE_RDWR);
  for (int turn = 0; turn < 8; turn++) {
    fill(bytes, sizeof bytes, 9u + (unsigned)(turn + rank * 10));
    MPI_File_write_at(files[turn % 2 * 2], turn * 1000, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    memset(back, 0, sizeof back);
    MPI_File_seek_shared(files[1], turn * 1000, MPI_SEEK_SET);
    MPI_File_read_shared(files[1], back, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    report("handles: shared pointer: %s", memcmp(bytes, back, BLOCK) == 0 ? "same" : "other bytes");
    MPI_File_seek(files[1], 0, MPI_SEEK_END);
    MPI_File_get_position(files[1], &place);
    MPI_File_get_size(files[1], &length);
    MPI_File_seek_shared(files[1], 0, MPI_SEEK_END);
    MPI_Offset shared = 0;
    MPI_File_get_position_shared(files[1], &shared);
    report("handles: end %lld, %lld, size %lld", (long long)place, (long long)shared, (long long)length);
    MPI_File_set_atomicity(files[1], 1);
    MPI_File_read_at(files[1], turn * 1000, back, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_set_atomicity(files[1], 0);
    report("handles: atomic: %s", memcmp(bytes, back, BLOCK) == 0 ? "same" : "other bytes");
    MPI_File_read_at(files[1], turn * 1000, back, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    report("handles: %s", memcmp(bytes, back, BLOCK) == 0 ? "same" : "other bytes");
  }
  for (int i = 0; i < 3; i++) {
    MPI_File_close(&files[i]);
  }
}

/* Ranks that write the same bytes: which one is last is not said, but all see the same, and what is in the file. */
static void conflict(void) {
  static uint8_t bytes[BLOCK], back[BLOCK], first[BLOCK];
  int equal = 1;
  MPI_File file = open_of(MPI_COMM_WORLD, "conflict", MPI_MODE_CREATE | MPI_MODE_RDWR);
  for (int turn = 0; turn < 200; turn++) {
    memset(bytes, 'a' + rank, sizeof bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_at(file, 0, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    settle(file, MPI_COMM_WORLD);
    MPI_File_read_at(file, 0, back, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    memcpy(first, back, BLOCK);
    MPI_Bcast(first, BLOCK, MPI_BYTE, 0, MPI_COMM_WORLD);
    FILE *plain = fopen(at("conflict"), "rb");
    static uint8_t there[BLOCK];
    equal &= plain != NULL && fread(there, 1, BLOCK, plain) == BLOCK;
    if (plain != NULL) {
      fclose(plain);
    }
    equal &= memcmp(first, back, BLOCK) == 0 && memcmp(there, back, BLOCK) == 0;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_File_close(&file);
  report("conflict: %s", equal ? "same" : "other bytes");
}

static volatile sig_atomic_t signals_seen;

static void count_signal(int number) {
  (void)number;
  signals_seen++;
}

/* What a sampling profiler does. */
static void signals(void) {
  struct itimerval often = {{0, 200}, {0, 200}};
  struct sigaction action = {.sa_handler = count_signal};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  char name[30];
  static uint8_t bytes[BLOCK];
  for (int turn = 0; turn < 60; turn++) {
    snprintf(name, sizeof name, "signals%d.%d", rank, turn % 7);
    MPI_File file = open_of(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR);
    fill(bytes, sizeof bytes, (unsigned)(turn + rank));
    MPI_File_write_at(file, turn, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    uint64_t sum = read_all_of(file, BLOCK + 100);
    MPI_File_close(&file);
    if (turn % 10 == 0) {
      report("signals: %016llx", (unsigned long long)sum);
    }
  }
  often = (struct itimerval){{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  report("signals: %s", signals_seen > 10 ? "came" : "did not come");
}

#define THREADS 4
static MPI_File shared_file;
static uint64_t sums[THREADS];

static void *thread(void *argument) {
  int number = (int)(intptr_t)argument;
  char name[40];
  uint8_t *bytes = malloc(BLOCK);
  for (int turn = 0; turn < 20; turn++) {
    snprintf(name, sizeof name, "thread%d.%d.%d", rank, number, turn % 3);
    MPI_File file = open_of(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR);
    fill(bytes, BLOCK, (unsigned)(turn * 10 + number + rank * 1000));
    MPI_File_write_at(file, turn * 10, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_at(shared_file, ((MPI_Offset)rank * THREADS + number) * BLOCK, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    sums[number] = sums[number] * 31 + read_all_of(file, BLOCK + 1000);
    MPI_File_read_at(shared_file, ((MPI_Offset)rank * THREADS + number) * BLOCK, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    sums[number] = sums[number] * 31 + sum_of(bytes, BLOCK);
    MPI_File_close(&file);
  }
  free(bytes);
  return NULL;
}

static void threads(void) {
  pthread_t all[THREADS];
  shared_file = open_of(MPI_COMM_WORLD, "threads", MPI_MODE_CREATE | MPI_MODE_RDWR);
  for (intptr_t i = 0; i < THREADS; i++) {
    pthread_create(&all[i], NULL, thread, (void *)i);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(all[i], NULL);
    report("threads: %016llx", (unsigned long long)sums[i]);
  }
  settle(shared_file, MPI_COMM_WORLD);
  report("threads: %016llx", (unsigned long long)read_all_of(shared_file, BLOCK * THREADS * ranks));
  MPI_File_close(&shared_file);
}

/* Files of two agents, which are open at once. */
static void agents(void) {
  static uint8_t bytes[BLOCK], back[BLOCK];
  MPI_File files[2];
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < 2; i++) {
      MPI_Info info = MPI_INFO_NULL;
      if (i == 1) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "dynims_path", getenv("DYNIMS_TEST_PATH"));
      }
      MPI_File_open(MPI_COMM_WORLD, at(i == 0 ? "first" : "second"), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &files[i]);
    }
    for (int step = 0; step < 20; step++) {
      fill(bytes, sizeof bytes, (unsigned)(step + 10 * turn + 1000 * rank));
      MPI_File_write_at(files[step % 2], (MPI_Offset)rank * BLOCK, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
      memset(back, 0, sizeof back);
      MPI_File_read_at(files[step % 2], (MPI_Offset)rank * BLOCK, back, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
      if (memcmp(bytes, back, BLOCK) != 0) {
        printf("agents: other bytes\n");
      }
    }
    MPI_File_close(&files[0]);
    MPI_File_close(&files[1]);
  }
  report("agents: done");
}

/* Handles that are none, and arguments that are wrong. */
static void wrong(void) {
  char byte = 0;
  MPI_File none = MPI_FILE_NULL;
  MPI_Offset value = 0;
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  report("wrong: close %s", class_of(MPI_File_close(&none)));
  report("wrong: read %s", class_of(MPI_File_read_at(MPI_FILE_NULL, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE)));
  report("wrong: size %s", class_of(MPI_File_get_size(MPI_FILE_NULL, &value)));
  MPI_File file = open_of(MPI_COMM_WORLD, "wrong", MPI_MODE_CREATE | MPI_MODE_RDWR);
  report("wrong: offset %s", class_of(MPI_File_write_at(file, -5, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE)));
  report("wrong: count %s", class_of(MPI_File_read_at(file, 0, &byte, -1, MPI_BYTE, MPI_STATUS_IGNORE)));
  report("wrong: type %s", class_of(MPI_File_write_at(file, 0, &byte, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE)));
  MPI_File_close(&file);
  report("wrong: closed handle %s", file == MPI_FILE_NULL ? "null" : "not null");
  MPI_File missing = MPI_FILE_NULL;
  report("wrong: missing %s", class_of(MPI_File_open(MPI_COMM_WORLD, at("no/such/file"), MPI_MODE_RDONLY, MPI_INFO_NULL, &missing)));
}

/* MPI without MPI_Init. */
static void sessions(void) {
#ifdef MPI_SESSION_NULL
  MPI_Session session;
  MPI_Group world;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
  MPI_Comm_create_from_group(world, "io.dynims.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int turn = 0; turn < 3; turn++) {
    MPI_File file = MPI_FILE_NULL;
    int result = MPI_File_open(comm, at("sessions"), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (result != MPI_SUCCESS) {
      /* MPICH 4.0 cannot do it. */
      printf("sessions: %s\n", class_of(result));
      break;
    }
    MPI_File_write_at_all(file, rank * 3 + turn, "abc", 3, MPI_BYTE, MPI_STATUS_IGNORE);
    settle(file, comm);
    uint64_t sum = read_all_of(file, 3 * ranks + turn);
    MPI_File_close(&file);
    if (rank == 0) {
      printf("sessions: %016llx\n", (unsigned long long)sum);
    }
  }
  MPI_Comm_free(&comm);
  MPI_Group_free(&world);
  MPI_Session_finalize(&session);
#endif
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {{"together", together}, {"halves", halves},   {"alone", alone},     {"selves", selves},   {"overlap", overlap}, {"handles", handles},
             {"conflict", conflict}, {"signals", signals}, {"threads", threads}, {"wrong", wrong},
             {"agents", agents}};

int main(int argc, char **argv) {
  int provided;
  folder = argc > 2 ? argv[2] : ".";
  if (argc > 1 && strcmp(argv[1], "sessions") == 0) {
    sessions();
    return 0;
  }
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (size_t i = 0; argc > 2 && i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(cases[i].name, argv[1]) == 0) {
      cases[i].run();
    }
  }
  MPI_Finalize();
  return 0;
}

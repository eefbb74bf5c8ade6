/* dynims-mpiio-agent: owns the cache of a node. */
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent_control.h"
#include "agent_dirty.h"
#include "agent_files.h"
#include "agent_flush.h"
#include "agent_peers.h"
#include "clock.h"
#include "directory.h"
#include "files.h"
#include "log.h"
#include "sets.h"
#include "slot.h"

#define EVENTS 32
#define CONTROL_CONNECTIONS 16
#define RANK_CONNECTIONS 1024
#define LINE_BYTES 256
#define TICK_MILLIS 500
#define SEND_MILLIS 100
#define MOST_DESCRIPTORS (1 << 20)
/* Threads that flush, load ahead and serve other nodes have one each. */
#define SPARE_DESCRIPTORS 512
#define SAY_AGAIN_NANOS INT64_C(60000000000)
#define OUT_OF_DESCRIPTORS_MICROS 10000
#define UNUSED_NANOS INT64_C(5000000000)
#define UNUSED_LOOK_MICROS 100000
#define RETIRE_NANOS INT64_C(5000000000)
#define RETIRE_LOOK_MICROS 20000
#define RETIRE_LOOKS 2
#define END_NANOS INT64_C(1000000000)
#define END_LOOK_MICROS 1000
#define EXIT_USAGE 2

static const char usage[] =
    "Usage: dynims-mpiio-agent --directory DIR --max BYTES [OPTION]...\n"
    "       dynims-mpiio-agent --flush DIR [--seconds N]\n"
    "Owns the node's cache under MPI-IO: a store whose capacity can be changed at any time.\n"
    "\n"
    "  --directory DIR        where the arena and the sockets are; on tmpfs\n"
    "  --max BYTES            the most that the cache ever takes\n"
    "  --capacity BYTES       what it may take at first (default: as an earlier agent left it, else --rest)\n"
    "  --rest BYTES           what it may take when nobody controls it any more (default 0)\n"
    "  --block BYTES          the size of a block, 64KiB to 4MiB (default 1MiB, or a huge page if DIR has them)\n"
    "  --control-timeout MS   how long after a resize silence of who asked for it means that nobody controls it any\n"
    "                         more (default 10000; 0: never)\n"
    "  --control-group GROUP  who may use the control socket besides this user\n"
    "  --dirty-age MS         how long written data may wait before it goes to the file (default 1000)\n"
    "  --listen ADDRESS:PORT  serve blocks to other nodes (IPv4; port 0: any); ranks learn it at open\n"
    "  --recreate             replace an arena of another size; programs that use it go on without a cache\n"
    "  --seconds N            wait so long for a file system that takes nothing, at the end and with --flush (default 60)\n"
    "  --flush DIR            have the agent of DIR write everything, wait for it, and say what could not be written\n"
    "  --help, --version\n"
    "\n"
    "BYTES take k, M, G, T, and Ki, Mi, Gi, Ti, these with or without a B. Runs until SIGTERM; then writes everything, gives the\n"
    "memory back and exits with 0. Where something could not be written, the end and --flush exit with 1, and with a line for each\n"
    "file.\n";

enum connection_kind { LISTEN_RANKS, LISTEN_CONTROL, RANK, CONTROL, SIGNALS };

struct connection {
  enum connection_kind kind;
  int fd;
  struct rank_files *files;
  char line[LINE_BYTES];
  size_t length;
  pid_t peer; /* of CONTROL */
};

static int epoll_fd;
static unsigned rank_connections, control_connections;
/* Descriptors from this number on are left to flushes and other nodes. */
static int most_descriptors;

/* ---- arguments */

/* As policies have it, 60Gi, or as 60GiB. A part of a byte counts as one. */
static bool parse_bytes(const char *text, uint64_t *bytes) {
  static const struct {
    const char *name;
    long double bytes;
  } units[] = {{"", 1}, {"k", 1e3L}, {"M", 1e6L}, {"G", 1e9L}, {"T", 1e12L}, {"Ki", 0x1p10L}, {"Mi", 0x1p20L}, {"Gi", 0x1p30L}, {"Ti", 0x1p40L}};
  char *end;
  size_t digits = strspn(text, "0123456789.");
  long double number = strtold(text, &end);
  if (*text < '0' || *text > '9' || end != text + digits) {
    return false;
  }
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    size_t length = strlen(units[i].name);
    bool named = strncmp(end, units[i].name, length) == 0;
    if (named && (end[length] == 0 || (length == 2 && strcmp(end + length, "B") == 0)) && number * units[i].bytes < 0x1p62L) {
      *bytes = (uint64_t)(number * units[i].bytes);
      *bytes += (long double)*bytes < number * units[i].bytes;
      return true;
    }
  }
  return false;
}

static void bad_argument(const char *name, const char *value, const char *wanted) {
  fprintf(stderr, "dynims-mpiio-agent: --%s: %s is not %s\n", name, value, wanted);
  exit(EXIT_USAGE);
}

static uint64_t bytes_argument(const char *name, const char *value) {
  uint64_t bytes = 0;
  if (!parse_bytes(value, &bytes)) {
    bad_argument(name, value, "a number of bytes, such as 4GiB");
  }
  return bytes;
}

static int64_t nanos_argument(const char *name, const char *value, int64_t unit, const char *wanted) {
  char *end;
  unsigned long count = strtoul(value, &end, 10);
  if (end == value || *end != 0 || *value == '-' || count > 1000000000) {
    bad_argument(name, value, wanted);
  }
  return (int64_t)count * unit;
}

static int64_t millis_argument(const char *name, const char *value) {
  return nanos_argument(name, value, 1000000, "a number of milliseconds");
}

static bool has_capacity, has_block;

static void parse(struct agent *agent, int argc, char **argv) {
  static const struct option options[] = {
      {"directory", required_argument, NULL, 'd'},  {"max", required_argument, NULL, 'm'},
      {"capacity", required_argument, NULL, 'c'},   {"rest", required_argument, NULL, 'r'},
      {"block", required_argument, NULL, 'b'},      {"control-timeout", required_argument, NULL, 't'},
      {"dirty-age", required_argument, NULL, 'a'},  {"listen", required_argument, NULL, 'l'},
      {"control-group", required_argument, NULL, 'g'},
      {"flush", required_argument, NULL, 'f'},      {"seconds", required_argument, NULL, 's'},
      {"recreate", no_argument, NULL, 'R'},         {"help", no_argument, NULL, 'h'},
      {"version", no_argument, NULL, 'v'},          {NULL, 0, NULL, 0}};
  agent->blockBytes = 1u << 20;
  agent->controlTimeoutNanos = INT64_C(10000000000);
  agent->dirtyAgeNanos = INT64_C(1000000000);
  agent->patienceNanos = INT64_C(60000000000);
  const char *flushed = NULL;
  uint64_t block = agent->blockBytes;
  int option, which = 0;
  while ((option = getopt_long(argc, argv, "", options, &which)) != -1) {
    const char *name = option == '?' ? "" : options[which].name;
    switch (option) {
      case 'd': agent->directory = optarg; break;
      case 'm': agent->maxBytes = bytes_argument(name, optarg); break;
      case 'c': agent->capacityBytes = bytes_argument(name, optarg); has_capacity = true; break;
      case 'r': agent->restBytes = bytes_argument(name, optarg); break;
      case 'b': block = bytes_argument(name, optarg); has_block = true; break;
      case 't': agent->controlTimeoutNanos = millis_argument(name, optarg); break;
      case 'a': agent->dirtyAgeNanos = millis_argument(name, optarg); break;
      case 'l': agent->listen = optarg; break;
      case 'g': agent->controlGroup = optarg; break;
      case 's': agent->patienceNanos = nanos_argument(name, optarg, 1000000000, "a number of seconds"); break;
      case 'f': flushed = optarg; break;
      case 'R': agent->recreate = true; break;
      case 'h': fputs(usage, stdout); exit(0);
      case 'v': puts(DYNIMS_VERSION); exit(0);
      default: fputs("Try --help.\n", stderr); exit(EXIT_USAGE);
    }
  }
  if (optind == argc && flushed != NULL) {
    exit(dirty_await(flushed, agent->patienceNanos));
  }
  if (optind < argc || agent->directory == NULL || agent->maxBytes == 0) {
    fputs(optind < argc ? "dynims-mpiio-agent: takes options only. " : "dynims-mpiio-agent: wants --directory and --max. ", stderr);
    fputs("Try --help.\n", stderr);
    exit(EXIT_USAGE);
  }
  if (block < MIN_BLOCK_BYTES || block > MAX_BLOCK_BYTES || (block & (block - 1)) != 0) {
    fputs("dynims-mpiio-agent: --block: must be a power of 2 from 64KiB to 4MiB\n", stderr);
    exit(EXIT_USAGE);
  }
  if (agent->maxBytes < block) {
    fputs("dynims-mpiio-agent: --max: must be one block at least\n", stderr);
    exit(EXIT_USAGE);
  }
  agent->blockBytes = (uint32_t)block;
}

/* ---- the arena */

static void fail(const char *what, const char *path, int error) {
  agent_log("%s %s: %s", what, path, strerror(error));
  exit(1);
}

/* As the user's own directory, which one agent uses. */
static void take_directory(struct agent *agent) {
  char reason[PATH_BYTES + 100];
  struct sockaddr_un address;
  if (strlen(agent->directory) + strlen("/control.sock") >= sizeof address.sun_path) {
    agent_log("the path %s is too long for its sockets", agent->directory);
    exit(1);
  }
  if (mkdir(agent->directory, 0700) != 0 && errno != EEXIST) {
    fail("cannot make", agent->directory, errno);
  }
  agent->directoryFd = directory_open(agent->directory, reason, sizeof reason);
  if (agent->directoryFd < 0) {
    agent_log("%s: another user can own what is in it", reason);
    exit(1);
  }
  int fd = openat(agent->directoryFd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) {
    fail("cannot open the lock in", agent->directory, errno);
  }
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    agent_log("another agent runs in %s", agent->directory);
    exit(1);
  }
}

/* What a file in the directory takes for its first byte: a huge page, if the file system is mounted so. */
static uint64_t page_bytes(struct agent *agent) {
  unlinkat(agent->directoryFd, "probe", 0);
  int fd = openat(agent->directoryFd, "probe", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  struct stat state = {0};
  if (fd < 0 || ftruncate(fd, 4 * MAX_BLOCK_BYTES) != 0 || pwrite(fd, "", 1, 0) != 1 || fstat(fd, &state) != 0) {
    fail("cannot write a file in", agent->directory, errno);
  }
  close(fd);
  unlinkat(agent->directoryFd, "probe", 0);
  return (uint64_t)state.st_blocks * 512;
}

/* A page holds bytes of one block only: memory that is given back is whole pages, and freeing huge ones is ten times as fast. */
static void fit_block(struct agent *agent) {
  uint64_t page = page_bytes(agent);
  if (page <= agent->blockBytes || page > MAX_BLOCK_BYTES) {
    return;
  }
  if (has_block) {
    agent_log("%s has pages of %llu bytes: --block must not be smaller", agent->directory, (unsigned long long)page);
    exit(EXIT_USAGE);
  }
  agent->blockBytes = (uint32_t)page;
  if (agent->maxBytes < page) {
    agent_log("--max must be one block at least, here %llu bytes, as %s has pages of that size", (unsigned long long)page, agent->directory);
    exit(EXIT_USAGE);
  }
}

static void create(struct agent *agent) {
  struct statvfs room;
  if (statvfs(agent->directory, &room) == 0 && (uint64_t)room.f_bavail * room.f_frsize < agent->maxBytes) {
    agent_log("%s has room for %llu bytes, less than --max %llu: enlarge the file system, or lower --max", agent->directory,
              (unsigned long long)room.f_bavail * room.f_frsize, (unsigned long long)agent->maxBytes);
    exit(1);
  }
  int error = arena_create(&agent->arena, agent->directoryFd, "arena", agent->maxBytes, agent->blockBytes);
  if (error != 0) {
    fail("cannot make the arena in", agent->directory, error);
  }
  atomic_store(&agent->arena.header->capacityBlocks, agent->restBytes / agent->blockBytes);
}

/* The bytes that wait for a file that is there. Those of others are reported: whoever has such a file open can still write them. */
static uint64_t unwritten_bytes(struct arena *arena) {
  static uint64_t bytes[MAX_FILES];
  uint64_t all = 0;
  for (uint32_t slot = 0; slot < arena_slots(arena); slot++) {
    uint64_t tag = atomic_load(slot_tag(arena, slot));
    if (tag != 0) {
      bytes[tag_file(tag)] += slot_dirty_bytes(&arena->slots[slot]);
    }
  }
  for (uint32_t file = 0; file < MAX_FILES; file++) {
    int fd = bytes[file] == 0 ? -ENOENT : files_descriptor(arena, file, true);
    if (fd >= 0) {
      close(fd);
    }
    if (fd != -ENOENT && fd != -ESTALE) {
      all += bytes[file];
    } else if (bytes[file] > 0) {
      agent_log("%s is gone: its last %llu bytes are lost, unless a program has it open", arena->files[file].path, (unsigned long long)bytes[file]);
    }
  }
  return all;
}

/* Waits a little for programs that use another version's arena to end. Whoever starts this agent again after a failure need not do so all the
 * time. */
static bool is_in_use(struct agent *agent) {
  int64_t until = monotonic_nanos() + UNUSED_NANOS;
  while (arena_is_in_use(agent->directoryFd, "arena")) {
    if (monotonic_nanos() > until) {
      return true;
    }
    usleep(UNUSED_LOOK_MICROS);
  }
  return false;
}

/* Takes over what an earlier agent left: its blocks stay cached. */
static bool adopt(struct agent *agent) {
  int error = arena_open(&agent->arena, agent->directoryFd, "arena");
  if (error == ENOENT) {
    return false;
  }
  if (error == EPERM) {
    agent_log("%s/arena is not a file of this user alone: remove it", agent->directory);
    exit(1);
  }
  if (error == ESTALE) {
    agent_log("%s/arena is from before this machine was started: what it has is lost", agent->directory);
    return false;
  }
  if (error != 0 && agent->recreate && is_in_use(agent)) {
    /* Nobody could make it give its memory back: there would be two caches on the node. */
    agent_log("%s/arena is the arena of another version, and programs use it: end them first", agent->directory);
    exit(1);
  }
  if (error != 0 && !agent->recreate) {
    agent_log("%s/arena is the arena of another version (%s): end the programs that use it, then start with --recreate", agent->directory,
              strerror(error));
    exit(1);
  }
  if (error != 0) {
    return false;
  }
  struct header *header = agent->arena.header;
  if (!has_block && agent->maxBytes >= header->blockBytes) {
    /* Pages may be others than when it was made, but other nodes' ranks and what is cached go by its blocks. */
    agent->blockBytes = header->blockBytes;
  }
  uint64_t sets = agent->maxBytes / agent->blockBytes < MIN_WAYS ? 1 : agent->maxBytes / agent->blockBytes / MIN_WAYS;
  if (header->blockBytes == agent->blockBytes && header->sets == sets && header->ways == agent->maxBytes / agent->blockBytes / sets) {
    /* An agent may have died while it took the memory of this arena, to replace it. */
    if (atomic_exchange(&header->retired, 0) != 0) {
      atomic_store(&header->capacityBlocks, agent->restBytes / agent->blockBytes);
    }
    return true;
  }
  if (!agent->recreate) {
    agent_log("%s/arena has room for %llu bytes in blocks of %u, other than --max and --block say: start with these, or with --recreate",
              agent->directory, (unsigned long long)arena_max_bytes(&agent->arena), header->blockBytes);
    exit(1);
  }
  /* Programs go on without it, and write to the files from here on, but for those in the middle of a write. */
  uint64_t capacity = atomic_load(&header->capacityBlocks);
  atomic_store(&header->retired, 1);
  atomic_store(&header->capacityBlocks, 0);
  uint64_t dirty;
  int clean = 0;
  int64_t until = monotonic_nanos() + RETIRE_NANOS;
  do {
    flush_everything(agent);
    sets_evict(&agent->arena, 0, header->sets, INT64_MAX);
    dirty = unwritten_bytes(&agent->arena);
    clean = dirty == 0 ? clean + 1 : 0;
  } while (clean < RETIRE_LOOKS && monotonic_nanos() < until && usleep(RETIRE_LOOK_MICROS) == 0);
  if (dirty > 0) {
    atomic_store(&header->retired, 0);
    atomic_store(&header->capacityBlocks, capacity);
    dirty_report(&agent->arena);
    agent_log("%llu bytes in %s/arena could not be written to their files: start with the --max and --block that it has, or when they can be",
              (unsigned long long)dirty, agent->directory);
    exit(1);
  }
  arena_close(&agent->arena);
  return false;
}

static void open_arena(struct agent *agent) {
  if (!adopt(agent)) {
    create(agent);
  }
  struct arena *arena = &agent->arena;
  for (uint32_t set = 0; set < arena->header->sets; set++) {
    sets_recount(arena, set);
  }
  files_recount(arena);
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    atomic_store(&arena->files[i].openers, 0);
  }
  /* The earlier agent may have died between freeing a slot and giving its memory back. */
  sets_sweep(arena);
  atomic_store(&arena->header->controlledAtNanos, 0);
  if (has_capacity) {
    control_resize(agent, agent->capacityBytes, INT64_MAX);
  } else if (atomic_load(&arena->header->capacityBlocks) * arena->header->blockBytes > agent->restBytes) {
    /* Who controlled the earlier agent has to come back. */
    atomic_store(&agent->arena.header->controlledAtNanos, monotonic_nanos());
  }
  atomic_store(&arena->header->pidNamespace, directory_pid_namespace());
  atomic_fetch_add(&arena->header->agentEpoch, 1);
}

/* ---- connections */

/* As many descriptors as the agent may have, and some that no rank gets. */
static void allow_descriptors(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  int most = limit.rlim_cur > MOST_DESCRIPTORS ? MOST_DESCRIPTORS : (int)limit.rlim_cur;
  most_descriptors = most - (most / 4 < SPARE_DESCRIPTORS ? most / 4 : SPARE_DESCRIPTORS);
}

/* Whether a descriptor is one of the last. */
static bool is_spare(int fd) {
  static int64_t said_at;
  if (fd < most_descriptors) {
    return false;
  }
  int64_t now = monotonic_nanos();
  if (said_at == 0 || now - said_at > SAY_AGAIN_NANOS) {
    said_at = now;
    agent_log("has %d descriptors, nearly all that it may: further files are written through; raise the limit (ulimit -Hn, LimitNOFILE=)",
              most_descriptors);
  }
  return true;
}

static void watch(struct connection *connection) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, connection->fd, &event) != 0) {
    fail("cannot watch", "a connection", errno);
  }
}

static struct connection *new_connection(enum connection_kind kind, int fd) {
  struct connection *connection = calloc(1, sizeof *connection);
  if (connection != NULL && kind == RANK) {
    connection->files = calloc(1, sizeof *connection->files);
  }
  if (connection == NULL || (kind == RANK && connection->files == NULL)) {
    free(connection);
    close(fd);
    return NULL;
  }
  connection->kind = kind;
  connection->fd = fd;
  watch(connection);
  return connection;
}

static void end(struct agent *agent, struct connection *connection) {
  close(connection->fd);
  if (connection->kind == RANK) {
    files_rank_gone(&agent->arena, connection->files);
    free(connection->files);
    atomic_store(&agent->ranks, --rank_connections);
  } else {
    control_connections--;
  }
  free(connection);
}

/* Lets a group enter the directory and use a socket in it. */
static void admit_group(struct agent *agent, const char *name) {
  const struct group *group = getgrnam(agent->controlGroup);
  if (group == NULL) {
    agent_log("--control-group: there is no group %s", agent->controlGroup);
    exit(1);
  }
  if (fchownat(agent->directoryFd, name, (uid_t)-1, group->gr_gid, AT_SYMLINK_NOFOLLOW) != 0 ||
      fchmodat(agent->directoryFd, name, 0660, 0) != 0 || fchown(agent->directoryFd, (uid_t)-1, group->gr_gid) != 0 ||
      fchmod(agent->directoryFd, 0710) != 0) {
    fail("cannot give the control socket to --control-group", agent->controlGroup, errno);
  }
}

static void listen_at(struct agent *agent, const char *name, int type, enum connection_kind kind) {
  struct sockaddr_un address = directory_socket(agent->directoryFd, name);
  unlinkat(agent->directoryFd, name, 0);
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  mode_t mask = umask(0177);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    fail("cannot listen in", agent->directory, errno);
  }
  umask(mask);
  if (kind == LISTEN_CONTROL && agent->controlGroup != NULL) {
    admit_group(agent, name);
  }
  if (listen(fd, 128) != 0) {
    fail("cannot listen in", agent->directory, errno);
  }
  new_connection(kind, fd);
}

static void accept_from(struct agent *agent, struct connection *listener) {
  int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
      /* Who waits to be accepted is still there at the next look. */
      usleep(OUT_OF_DESCRIPTORS_MICROS);
    }
    return;
  }
  bool is_rank = listener->kind == LISTEN_RANKS;
  if (is_rank && is_spare(fd)) {
    close(fd);
    return;
  }
  if (is_rank && !directory_is_own_peer(fd)) {
    close(fd);
    return;
  }
  if (is_rank ? rank_connections >= RANK_CONNECTIONS : control_connections >= CONTROL_CONNECTIONS) {
    close(fd);
    return;
  }
  struct connection *connection = new_connection(is_rank ? RANK : CONTROL, fd);
  if (connection == NULL) {
    return;
  }
  connection->peer = directory_peer(fd);
  if (is_rank) {
    atomic_store(&agent->ranks, ++rank_connections);
  } else {
    control_connections++;
  }
}

/* Returns false when the rank is gone. */
static bool hear_rank(struct agent *agent, struct connection *connection) {
  struct rank_message message;
  struct iovec part = {.iov_base = &message, .iov_len = sizeof message};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int) * 4)];
  } control;
  struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  ssize_t count = recvmsg(connection->fd, &packet, MSG_CMSG_CLOEXEC);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return true;
  }
  int fd = -1;
  for (struct cmsghdr *at = count >= 0 ? CMSG_FIRSTHDR(&packet) : NULL; at != NULL; at = CMSG_NXTHDR(&packet, at)) {
    if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) {
      continue;
    }
    size_t fds = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < fds; i++) {
      int each;
      memcpy(&each, CMSG_DATA(at) + i * sizeof each, sizeof each);
      if (fd < 0) {
        fd = each;
      } else {
        close(each);
      }
    }
  }
  if (count != (ssize_t)sizeof message) {
    if (fd >= 0) {
      close(fd);
    }
    return false;
  }
  struct rank_answer answer = {.error = EMFILE};
  if (fd < 0 ? (packet.msg_flags & MSG_CTRUNC) == 0 : !is_spare(fd)) {
    answer.error = files_told(&agent->arena, connection->files, &message, fd);
  } else if (fd >= 0) {
    close(fd);
  }
  if (answer.error == 0 && message.request == RANK_PREFETCH) {
    answer.error = prefetch(agent, message.file, message.generation, message.firstBlock, message.endBlock);
  }
  return send(connection->fd, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof answer;
}

/* Long answers, of many files, are more than a socket's buffer holds; who does not read them is hung up on. */
static bool send_answer(int fd, const char *text, size_t length) {
  while (length > 0) {
    ssize_t sent = send(fd, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EAGAIN) {
      struct pollfd room = {.fd = fd, .events = POLLOUT};
      int ready = poll(&room, 1, SEND_MILLIS);
      if (ready == 0 || (ready < 0 && errno != EINTR)) {
        return false;
      }
      continue;
    }
    if (sent < 0 && errno != EINTR) {
      return false;
    }
    text += sent < 0 ? 0 : sent;
    length -= sent < 0 ? 0 : (size_t)sent;
  }
  return true;
}

static bool answer_line(struct agent *agent, const struct connection *connection, char *line) {
  char *text = NULL;
  size_t length = 0;
  FILE *to = open_memstream(&text, &length);
  if (to == NULL) {
    return false;
  }
  control_answer(agent, line, connection->peer, to);
  fclose(to);
  bool sent = send_answer(connection->fd, text, length);
  free(text);
  return sent;
}

static bool hear_control(struct agent *agent, struct connection *connection) {
  ssize_t count = recv(connection->fd, connection->line + connection->length, LINE_BYTES - 1 - connection->length, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return true;
  }
  if (count <= 0) {
    return false;
  }
  connection->length += (size_t)count;
  char *newline;
  while ((newline = memchr(connection->line, '\n', connection->length)) != NULL) {
    *newline = 0;
    if (!answer_line(agent, connection, connection->line)) {
      return false;
    }
    connection->length -= (size_t)(newline + 1 - connection->line);
    memmove(connection->line, newline + 1, connection->length);
  }
  return connection->length < LINE_BYTES - 1;
}

/* Gives the memory back if nobody controls the cache any more. */
static void check_control(struct agent *agent) {
  int64_t since = atomic_load(&agent->arena.header->controlledAtNanos);
  if (since == 0 || agent->controlTimeoutNanos == 0 || monotonic_nanos() - since < agent->controlTimeoutNanos) {
    return;
  }
  struct header *header = agent->arena.header;
  if (atomic_load(&header->capacityBlocks) * header->blockBytes > agent->restBytes) {
    agent_log("nobody has asked anything for %lld s: down to --rest %llu", (long long)(agent->controlTimeoutNanos / 1000000000),
              (unsigned long long)agent->restBytes);
  }
  if (control_resize(agent, agent->restBytes, monotonic_nanos() + INT64_C(100000000))) {
    atomic_store(&agent->arena.header->controlledAtNanos, 0);
  }
}

/* Reports to systemd, if that started the agent and waits for it. */
static void notify(const char *state) {
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL || strlen(path) >= sizeof address.sun_path) {
    return;
  }
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
  memcpy(address.sun_path, path, strlen(path));
  if (*path == '@') {
    address.sun_path[0] = 0;
  }
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd >= 0) {
    sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address, length);
    close(fd);
  }
}

static void run(struct agent *agent) {
  struct epoll_event events[EVENTS];
  for (;;) {
    int count = epoll_wait(epoll_fd, events, EVENTS, TICK_MILLIS);
    for (int i = 0; i < count; i++) {
      struct connection *connection = events[i].data.ptr;
      switch (connection->kind) {
        case SIGNALS:
          return;
        case LISTEN_RANKS:
        case LISTEN_CONTROL:
          accept_from(agent, connection);
          break;
        case RANK:
          if (!hear_rank(agent, connection)) {
            end(agent, connection);
          }
          break;
        case CONTROL:
          if (!hear_control(agent, connection)) {
            end(agent, connection);
          }
          break;
      }
    }
    check_control(agent);
  }
}

/* Returns the exit code. */
static int leave(struct agent *agent) {
  atomic_store(&agent->stopping, true);
  flush_stop();
  /* From here on programs write to the files, but for those in the middle of a write. */
  atomic_store(&agent->arena.header->capacityBlocks, 0);
  int64_t until = monotonic_nanos() + END_NANOS;
  do {
    flush_everything(agent);
  } while (atomic_load(&agent->arena.header->dirtyBytes) > 0 && monotonic_nanos() < until && usleep(END_LOOK_MICROS) == 0);
  uint64_t unwritten = dirty_report(&agent->arena);
  bool empty = control_resize(agent, agent->restBytes, monotonic_nanos() + INT64_C(10000000000));
  if (unwritten > 0) {
    agent_log("%llu bytes could not be written; they stay in the arena for the next agent", (unsigned long long)unwritten);
  } else if (!empty) {
    agent_log("programs hold blocks, and are stopped: these stay in the arena for the next agent");
  } else if (rank_connections == 0 && agent->restBytes == 0) {
    /* Programs that have it nevertheless, but have not called since this agent was started, join the next one's. */
    atomic_store(&agent->arena.header->retired, 1);
    unlinkat(agent->directoryFd, "arena", 0);
  }
  unlinkat(agent->directoryFd, "agent.sock", 0);
  unlinkat(agent->directoryFd, "control.sock", 0);
  agent_log("ended");
  return unwritten > 0;
}

int main(int argc, char **argv) {
  static struct agent agent;
  parse(&agent, argc, argv);
  agent.startedNanos = monotonic_nanos();
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  signal(SIGPIPE, SIG_IGN);
  allow_descriptors();
  take_directory(&agent);
  fit_block(&agent);
  open_arena(&agent);
  int error = peers_start(&agent);
  if (error != 0) {
    fail("cannot listen at", agent.listen, error);
  }
  epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  new_connection(SIGNALS, signalfd(-1, &signals, SFD_CLOEXEC));
  files_start();
  flush_start(&agent);
  listen_at(&agent, "agent.sock", SOCK_SEQPACKET, LISTEN_RANKS);
  listen_at(&agent, "control.sock", SOCK_STREAM, LISTEN_CONTROL);
  notify("READY=1");
  agent_log("ready: %s, %llu of %llu bytes in blocks of %u", agent.directory,
            (unsigned long long)atomic_load(&agent.arena.header->capacityBlocks) * agent.blockBytes,
            (unsigned long long)arena_max_bytes(&agent.arena), agent.blockBytes);
  run(&agent);
  return leave(&agent);
}

#include "client.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "directory.h"

#define PEERS 64
#define TIMEOUT_SECONDS 1
/* How long an agent that does not answer is left alone. */
#define AWAY_NANOS INT64_C(1000000000)

struct peer {
  pthread_mutex_t lock;
  struct sockaddr_in address;
  int socket;
  int64_t awayUntil;
};

static pthread_mutex_t peers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct peer peers[PEERS];
static int peer_count;

void client_init(struct client *client, const char *directory) {
  snprintf(client->directory, sizeof client->directory, "%s", directory);
  pthread_mutex_init(&client->lock, NULL);
  client->socket = -1;
  atomic_init(&client->connections, 0);
}

static void set_timeout(int socket) {
  struct timeval timeout = {.tv_sec = TIMEOUT_SECONDS};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
}

/* Connects to the agent's socket, if it is one of this user's. Returns 0 or an errno. */
static int connect_in(int socket, int directory) {
  struct sockaddr_un address = directory_socket(directory, "agent.sock");
  int result;
  do {
    result = connect(socket, (struct sockaddr *)&address, sizeof address);
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    return errno;
  }
  return directory_is_own_peer(socket) ? 0 : EPERM;
}

static int connect_agent(struct client *client) {
  char reason[PATH_BYTES + 100];
  if (client->socket >= 0) {
    return 0;
  }
  int directory = directory_open(client->directory, reason, sizeof reason);
  if (directory < 0) {
    return EPERM;
  }
  int error = 0;
  int at = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (at < 0) {
    error = errno;
  } else {
    set_timeout(at);
    error = connect_in(at, directory);
  }
  close(directory);
  if (error == 0) {
    client->socket = at;
    atomic_fetch_add(&client->connections, 1);
  } else if (at >= 0) {
    close(at);
  }
  return error;
}

unsigned client_connection(struct client *client) {
  return atomic_load(&client->connections);
}

/* The agent takes back what it was told over the connection. */
static void disconnect(struct client *client) {
  close(client->socket);
  client->socket = -1;
  atomic_fetch_add(&client->connections, 1);
}

/* A signal of the program's interrupts a call on a socket that has a time limit, whatever its handler asks for. */
static bool is_interrupted(ssize_t result, int64_t until) {
  return result < 0 && errno == EINTR && monotonic_nanos() < until;
}

/* Sets whether the agent has answered. */
static int exchange(struct client *client, const struct rank_message *message, int fd, bool *answered) {
  struct iovec part = {.iov_base = (void *)message, .iov_len = sizeof *message};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};
  if (fd >= 0) {
    packet.msg_control = control.room;
    packet.msg_controllen = sizeof control.room;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&packet);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &fd, sizeof fd);
  }
  struct rank_answer answer;
  ssize_t count;
  int64_t until = monotonic_nanos() + TIMEOUT_SECONDS * INT64_C(1000000000);
  do {
    count = sendmsg(client->socket, &packet, MSG_NOSIGNAL);
  } while (is_interrupted(count, until));
  if (count < 0) {
    return errno;
  }
  do {
    count = recv(client->socket, &answer, sizeof answer, 0);
  } while (is_interrupted(count, until));
  if (count != (ssize_t)sizeof answer) {
    return count < 0 ? errno : ECONNRESET;
  }
  *answered = true;
  return answer.error;
}

int client_tell(struct client *client, const struct rank_message *message, int fd) {
  pthread_mutex_lock(&client->lock);
  bool had_connection = client->socket >= 0;
  bool answered = false;
  int error = connect_agent(client);
  error = error == 0 ? exchange(client, message, fd, &answered) : error;
  if (had_connection && !answered && (error == EPIPE || error == ECONNRESET || error == ENOTCONN)) {
    /* Another agent may have come in its place. */
    disconnect(client);
    error = connect_agent(client);
    error = error == 0 ? exchange(client, message, fd, &answered) : error;
  }
  if (!answered && client->socket >= 0) {
    /* A late answer would be taken for the next one. */
    disconnect(client);
  }
  pthread_mutex_unlock(&client->lock);
  return error;
}

/* ---- other nodes */

static struct peer *find_peer(const char *address, uint32_t port) {
  struct sockaddr_in wanted = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET, address, &wanted.sin_addr) != 1) {
    return NULL;
  }
  struct peer *found = NULL;
  pthread_mutex_lock(&peers_lock);
  for (int i = 0; i < peer_count && found == NULL; i++) {
    if (peers[i].address.sin_addr.s_addr == wanted.sin_addr.s_addr && peers[i].address.sin_port == wanted.sin_port) {
      found = &peers[i];
    }
  }
  if (found == NULL && peer_count < PEERS) {
    found = &peers[peer_count++];
    pthread_mutex_init(&found->lock, NULL);
    found->address = wanted;
    found->socket = -1;
  }
  pthread_mutex_unlock(&peers_lock);
  return found;
}

static bool connect_peer(struct peer *peer) {
  if (peer->socket >= 0) {
    return true;
  }
  if (monotonic_nanos() < peer->awayUntil) {
    return false;
  }
  int at = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (at < 0) {
    return false;
  }
  set_timeout(at);
  int on = 1;
  setsockopt(at, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(at, (struct sockaddr *)&peer->address, sizeof peer->address) != 0) {
    close(at);
    return false;
  }
  peer->socket = at;
  return true;
}

static bool receive_all(int socket, void *to, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t count = recv(socket, (uint8_t *)to + done, length - done, MSG_WAITALL);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return false;
    }
    done += (size_t)count;
  }
  return true;
}

static ssize_t ask(int socket, const struct peer_request *request, void *to, uint32_t length) {
  int64_t count;
  if (send(socket, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request ||
      !receive_all(socket, &count, sizeof count)) {
    return -2;
  }
  count = (int64_t)be64toh((uint64_t)count);
  if (count < 0) {
    return -1;
  }
  return count <= length && receive_all(socket, to, (size_t)count) ? (ssize_t)count : -2;
}

ssize_t client_fetch(const char *address, uint32_t port, const uint8_t key[16], uint64_t offset, void *to, uint32_t length) {
  struct peer *peer = find_peer(address, port);
  if (peer == NULL) {
    return -1;
  }
  struct peer_request request = {.magic = htobe32(PEER_MAGIC), .length = htobe32(length), .offset = htobe64(offset)};
  memcpy(request.key, key, sizeof request.key);
  pthread_mutex_lock(&peer->lock);
  ssize_t count = connect_peer(peer) ? ask(peer->socket, &request, to, length) : -2;
  if (count == -2) {
    if (peer->socket >= 0) {
      close(peer->socket);
      peer->socket = -1;
    }
    peer->awayUntil = monotonic_nanos() + AWAY_NANOS;
  }
  pthread_mutex_unlock(&peer->lock);
  return count < 0 ? -1 : count;
}

#include "agent_peers.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent_files.h"
#include "cache.h"

#define CONNECTIONS 256
#define IDLE_SECONDS 60
#define SEND_SECONDS 5

static _Atomic uint32_t connections;

struct connection {
  struct agent *agent;
  int socket;
};

static bool receive_request(int socket, struct peer_request *request) {
  size_t done = 0;
  while (done < sizeof *request) {
    ssize_t count = recv(socket, (uint8_t *)request + done, sizeof *request - done, MSG_WAITALL);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return false;
    }
    done += (size_t)count;
  }
  return be32toh(request->magic) == PEER_MAGIC && be32toh(request->length) <= MAX_BLOCK_BYTES;
}

static bool send_all(int socket, const void *from, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t count = send(socket, (const uint8_t *)from + done, length - done, MSG_NOSIGNAL);
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

/* Reads through the cache, so that the block is loaded once for all nodes. */
static int64_t read_for(struct agent *agent, const struct peer_request *request, uint8_t *to) {
  int fd = -1;
  uint32_t generation = 0;
  int index = files_by_key(request->key, &fd, &generation);
  if (index < 0) {
    return -1;
  }
  struct cache_file file = {.arena = &agent->arena, .entry = &agent->arena.files[index], .index = (uint32_t)index,
                            .generation = generation, .readFd = fd, .writeFd = -1, .nextOffset = UINT64_MAX, .lastBlock = UINT64_MAX};
  int error;
  size_t count = cache_read(&file, be64toh(request->offset), to, be32toh(request->length), &error);
  cache_detach(&file);
  close(fd);
  return error != 0 ? -1 : (int64_t)count;
}

static void *serve(void *argument) {
  struct connection *connection = argument;
  int socket = connection->socket;
  uint8_t *data = malloc(MAX_BLOCK_BYTES);
  struct peer_request request;
  while (data != NULL && !atomic_load(&connection->agent->stopping) && receive_request(socket, &request)) {
    int64_t count = read_for(connection->agent, &request, data);
    uint64_t head = htobe64((uint64_t)count);
    if (!send_all(socket, &head, sizeof head) || (count > 0 && !send_all(socket, data, (size_t)count))) {
      break;
    }
  }
  free(data);
  close(socket);
  free(connection);
  atomic_fetch_sub(&connections, 1);
  return NULL;
}

static void start(struct agent *agent, int socket) {
  struct timeval idle = {.tv_sec = IDLE_SECONDS};
  struct timeval sending = {.tv_sec = SEND_SECONDS};
  int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &idle, sizeof idle);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &sending, sizeof sending);
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct connection *connection = malloc(sizeof *connection);
  pthread_t thread;
  if (connection == NULL || atomic_fetch_add(&connections, 1) >= CONNECTIONS) {
    free(connection);
    close(socket);
    atomic_fetch_sub(&connections, connection == NULL ? 0 : 1);
    return;
  }
  *connection = (struct connection){agent, socket};
  if (pthread_create(&thread, NULL, serve, connection) != 0) {
    free(connection);
    close(socket);
    atomic_fetch_sub(&connections, 1);
    return;
  }
  pthread_detach(thread);
}

struct listener {
  struct agent *agent;
  int socket;
};

static void *accept_loop(void *argument) {
  struct listener *listener = argument;
  for (;;) {
    int socket = accept4(listener->socket, NULL, NULL, SOCK_CLOEXEC);
    if (socket >= 0) {
      start(listener->agent, socket);
    } else if (errno != EINTR && errno != ECONNABORTED) {
      usleep(10000);
    }
  }
  return NULL;
}

/* Splits ADDRESS:PORT. */
static bool parse_address(const char *text, struct sockaddr_in *address) {
  char host[64];
  const char *colon = strrchr(text, ':');
  if (colon == NULL || (size_t)(colon - text) >= sizeof host) {
    return false;
  }
  memcpy(host, text, (size_t)(colon - text));
  host[colon - text] = 0;
  char *end;
  unsigned long port = strtoul(colon + 1, &end, 10);
  *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  return *end == 0 && end != colon + 1 && port <= 65535 && inet_pton(AF_INET, host, &address->sin_addr) == 1;
}

int peers_start(struct agent *agent) {
  static struct listener listener;
  struct header *header = agent->arena.header;
  header->peerPort = 0;
  if (agent->listen == NULL) {
    return 0;
  }
  struct sockaddr_in address;
  if (!parse_address(agent->listen, &address)) {
    return EINVAL;
  }
  listener = (struct listener){agent, socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  int on = 1;
  setsockopt(listener.socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  socklen_t length = sizeof address;
  pthread_t thread;
  if (bind(listener.socket, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener.socket, 64) != 0 ||
      getsockname(listener.socket, (struct sockaddr *)&address, &length) != 0) {
    return errno;
  }
  inet_ntop(AF_INET, &address.sin_addr, header->peerAddress, sizeof header->peerAddress);
  header->peerPort = ntohs(address.sin_port);
  return pthread_create(&thread, NULL, accept_loop, &listener);
}

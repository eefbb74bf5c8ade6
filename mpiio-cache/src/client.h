/* A rank's connections: to the agent of its node, and to the agents of others. */
#ifndef DYNIMS_CLIENT_H
#define DYNIMS_CLIENT_H

#include <pthread.h>
#include <stdbool.h>

#include "cache.h"
#include "rank.h"

/* The connection to the agent of a directory. */
struct client {
  pthread_mutex_t lock;
  char directory[PATH_BYTES];
  int socket; /* -1: there is none */
  _Atomic unsigned connections;
};

void client_init(struct client *client, const char *directory);

/* Tells the agent something, with a descriptor if it is not negative. Returns 0, or an errno if the agent does not answer within a
 * second or refuses. */
int client_tell(struct client *client, const struct rank_message *message, int fd);

/* Counts the beginnings and the ends of the connection: with another number the agent knows nothing of what it was told before. */
unsigned client_connection(struct client *client);

/* Reads part of a file from another node's agent. Returns how much came, or -1. */
ssize_t client_fetch(const char *address, uint32_t port, const uint8_t key[16], uint64_t offset, void *to, uint32_t length);

#endif

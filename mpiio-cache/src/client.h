/* A rank's connections: to the agent of its node, and to the agents of others. */
#ifndef DYNIMS_CLIENT_H
#define DYNIMS_CLIENT_H

#include <stdbool.h>

#include "cache.h"
#include "rank.h"

/* Where the agent of this node listens: its directory, which stays the caller's. */
void client_set_directory(const char *directory);

/* Tells the agent something, with a descriptor if it is not negative. Returns 0, or an errno if the agent does not answer within a
 * second or refuses. */
int client_tell(const struct rank_message *message, int fd);

/* Counts the beginnings and the ends of connections to the agent: with another number it knows nothing of what it was told before. */
unsigned client_connection(void);

/* Reads part of a file from another node's agent. Returns how much came, or -1. */
ssize_t client_fetch(const char *address, uint32_t port, const uint8_t key[16], uint64_t offset, void *to, uint32_t length);

#endif

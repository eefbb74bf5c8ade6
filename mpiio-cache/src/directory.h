/* The agent's directory: whoever owns it owns the cache, so that agent and ranks use it only if it is their user's. */
#ifndef DYNIMS_DIRECTORY_H
#define DYNIMS_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/un.h>

/* Opens the directory. Returns a descriptor, or -1 with the reason in words: it is missing, a link, of another user, or others may
 * write to it. */
int directory_open(const char *path, char *reason, size_t room);

/* The address of a socket in an open directory, whoever puts another one in its path. */
struct sockaddr_un directory_socket(int directory, const char *name);

/* Which namespace of processes this one is in, or 0 if that cannot be told. */
uint64_t directory_pid_namespace(void);

/* Which start of the machine this is; empty if the kernel does not say. Fills the room with zeros. */
void directory_boot_id(char *id, size_t room);

/* Whether an agent has an open directory: it holds the lock, which is not tried, as another agent might want it just then. */
bool directory_has_agent(int directory);

/* Which process is at the other end of a socket; 0 if that cannot be told, as in a container. */
pid_t directory_peer(int socket);

/* Whether the process at the other end of a socket is of this user. */
bool directory_is_own_peer(int socket);

#endif

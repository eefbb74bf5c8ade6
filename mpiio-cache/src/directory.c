#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int directory_open(const char *path, char *reason, size_t room) {
  struct stat state;
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &state) != 0) {
    int error = errno;
    bool is_link = lstat(path, &state) == 0 && S_ISLNK(state.st_mode);
    snprintf(reason, room, "%s: %s", path, is_link ? "is a link" : strerror(error));
  } else if (state.st_uid != geteuid()) {
    snprintf(reason, room, "%s belongs to user %u, not to user %u, who uses it", path, state.st_uid, geteuid());
  } else if ((state.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    snprintf(reason, room, "others may write to %s: its mode is %04o", path, state.st_mode & 07777);
  } else {
    return fd;
  }
  if (fd >= 0) {
    close(fd);
  }
  return -1;
}

struct sockaddr_un directory_socket(int directory, const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", directory, name);
  return address;
}

uint64_t directory_pid_namespace(void) {
  struct stat state;
  return stat("/proc/self/ns/pid", &state) == 0 ? state.st_ino : 0;
}

bool directory_is_own_peer(int socket) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

pid_t directory_peer(int socket) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer.pid : 0;
}

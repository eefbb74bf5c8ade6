#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "io.h"

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

void directory_boot_id(char *id, size_t room) {
  memset(id, 0, room);
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    int error;
    io_read(fd, id, room - 1, 0, &error);
    close(fd);
  }
}

bool directory_has_agent(int directory) {
  struct stat state;
  FILE *locks = fopen("/proc/locks", "re");
  bool found = false;
  if (locks != NULL && fstatat(directory, "lock", &state, AT_SYMLINK_NOFOLLOW) == 0) {
    char line[256], wanted[64];
    snprintf(wanted, sizeof wanted, " %02x:%02x:%llu ", major(state.st_dev), minor(state.st_dev), (unsigned long long)state.st_ino);
    while (!found && fgets(line, sizeof line, locks) != NULL) {
      found = strstr(line, " FLOCK ") != NULL && strstr(line, "->") == NULL && strstr(line, wanted) != NULL;
    }
  }
  if (locks != NULL) {
    fclose(locks);
  }
  return found;
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

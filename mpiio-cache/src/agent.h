/* What the agent's parts share. */
#ifndef DYNIMS_AGENT_H
#define DYNIMS_AGENT_H

#include <sys/types.h>

#include "arena.h"

struct agent {
  struct arena arena;
  const char *directory;
  int directoryFd;
  uint64_t maxBytes, capacityBytes, restBytes;
  uint32_t blockBytes;
  int64_t controlTimeoutNanos; /* 0: never */
  int64_t dirtyAgeNanos;
  int64_t patienceNanos; /* how long a flush that is waited for may write nothing */
  int64_t startedNanos;
  const char *controlGroup; /* who may use the control socket besides this user; NULL: nobody */
  const char *listen; /* NULL: no blocks for other nodes */
  bool recreate;
  _Atomic bool stopping;
  _Atomic uint32_t ranks;
  pid_t controller; /* who asked for a capacity last */
};

#endif

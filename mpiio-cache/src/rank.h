/* What ranks say to the agent of their node: which files they have open, with a descriptor of each, by which the agent can flush
 * and prefetch with the rank's rights. Packets on the socket agent.sock; an answer to each. */
#ifndef DYNIMS_RANK_H
#define DYNIMS_RANK_H

#include <stdint.h>

enum rank_request { RANK_OPEN = 1, RANK_CLOSE = 2, RANK_PREFETCH = 3 };

struct rank_message {
  uint64_t arenaId; /* of the arena that the rank has: an agent that made another one refuses */
  uint32_t request;
  uint32_t file;       /* the index of its entry */
  uint32_t generation; /* of the entry */
  uint32_t writable;   /* whether the descriptor that comes with RANK_OPEN can be written */
  uint8_t key[16];     /* by which other nodes ask for blocks of the file; all 0: they do not */
  uint64_t firstBlock, endBlock; /* of RANK_PREFETCH */
};

struct rank_answer {
  int32_t error; /* 0 or an errno */
};

/* What another node's rank asks of the agent that owns a block, over TCP; the answer is a count, as a big-endian int64, and so many
 * bytes; -1 if the agent does not know the key. Numbers are big-endian. */
#define PEER_MAGIC 0x44594d31u
struct peer_request {
  uint32_t magic;
  uint32_t length;
  uint64_t offset;
  uint8_t key[16];
};

#endif

/* The arena: what the ranks of a node and the agent share. A file on tmpfs that all of them map:
 *
 *     header | files | sets | slots | data
 *
 * The cache is set-associative. Block b of a file can be in any slot of the set (b + hash(file)) mod sets, so that consecutive
 * blocks fill the sets evenly. A slot holds one block; a block is loaded by sectors of 4 KiB, the pages of the arena, so that small
 * reads cost no more than themselves. A write that covers a part of a sector does not load the rest: bytes can be dirty in a sector
 * that is not valid.
 *
 * Rules that let any process die at any moment:
 *   - only the holder of a slot's lock changes its tag, its valid sectors, its dirty extents or its data;
 *   - only the holder of a set's lock gives a tag to a slot of the set, so that no block is in two slots;
 *   - who holds a set's lock only tries slots' locks; who holds a slot's lock may take its set's, but needs it for no free slot;
 *   - the agent waits for no lock that a rank may hold while it is stopped: it leaves out what that protects, and comes back;
 *   - readers take no lock: they copy between two looks at the slot's version, which is odd while data is overwritten;
 *   - who changes a file's epoch holds its entry's lock, and takes slots' locks; who holds a slot's lock waits for no epoch;
 *   - the table's lock, which finds a file its entry, is held for an instant only, beside an entry's: a file whose file system hangs holds
 *     up no other;
 *   - all locks are robust; what recovers a slot, a set and an entry says what the next owner does.
 *
 * What is cached of a file is forgotten in one step: its epoch changes, and with it the tags that are looked for. What has an old one is
 * evicted some day. The same step gives an entry to another file; whoever has the earlier one open sees its generation change, and
 * goes past the cache from then on. Dirty blocks are given the new epoch first, while it is odd: meanwhile nobody uses the file. Who was
 * writing to the file in the old epoch forgets afterwards what was loaded of it in the new one.
 */
#ifndef DYNIMS_LAYOUT_H
#define DYNIMS_LAYOUT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define ARENA_MAGIC UINT64_C(0x314f494d59445344)
#define ARENA_LAYOUT 7
#define SECTOR_BYTES 4096u
#define MAX_BLOCK_BYTES (4u << 20)
#define MIN_BLOCK_BYTES (64u << 10)
#define VALID_WORDS (MAX_BLOCK_BYTES / SECTOR_BYTES / 64)
#define MAX_WAYS 64
#define MIN_WAYS 32
#define MAX_FILES 1024
#define MAX_EXTENTS 126
#define PATH_BYTES 512
#define BOOT_ID_BYTES 40
/* A tag is a file's index plus one, its epoch, and a block's number in it; 0 is a free slot. */
#define TAG_BLOCK_BITS 40
#define TAG_EPOCH_BITS 13

/* What was counted since the arena was made. Files count for themselves, too, but entries are given to other files. */
struct totals {
  _Atomic uint64_t hits, misses, hitBytes, missBytes, bypassedReads;
} __attribute__((aligned(64)));

struct header {
  _Atomic uint64_t magic; /* written last, when the arena can be used */
  uint32_t layout;
  uint32_t blockBytes;
  uint32_t sets;
  uint32_t ways; /* slots of a set */
  uint64_t filesOffset, setsOffset, slotsOffset, dataOffset, totalBytes;
  uint64_t arenaId; /* random: ranks with the same one share a node */
  /* Since when the machine runs: locks of an earlier time name processes that are none any more. */
  char bootId[BOOT_ID_BYTES];
  /* That of the agent. The kernel says by its number in there which process has died with a lock: a process of another namespace may
   * have the same one. */
  _Atomic uint64_t pidNamespace;
  _Atomic uint64_t capacityBlocks;
  /* When who asked for a capacity last has asked the agent anything, on the monotonic clock; 0: nobody controls the cache. */
  _Atomic int64_t controlledAtNanos;
  _Atomic uint64_t dirtyBytes;
  /* Raised whenever an agent starts; ranks register their files again when it changes. */
  _Atomic uint32_t agentEpoch;
  /* No rank caches in this arena any more: another one has taken its place. */
  _Atomic uint32_t retired;
  /* Asks the agent to flush: a rank found a set full of dirty blocks. */
  _Atomic uint32_t flushWanted;
  uint32_t peerPort; /* where the agent serves blocks to other nodes; 0: it does not */
  char peerAddress[64];
  pthread_mutex_t filesLock;
  _Atomic uint64_t evictedBlocks, flushedBytes, flushErrors, passedThrough;
  _Atomic uint64_t lostBytes; /* dirty ones whose file was gone */
  struct totals totals;
};

enum entry_use { ENTRY_FREE, ENTRY_USED, /* is being given to a file, and holds what is left of another one */ ENTRY_TAKEN };

struct file_entry {
  /* Held while the identity changes, which waits for whoever uses a block of the file. */
  pthread_mutex_t lock;
  _Atomic uint32_t used; /* an enum entry_use */
  /* Blocks of it have been dirty since its generation began. */
  _Atomic uint32_t hasBeenDirty;
  /* The generation, which counts the files that had this entry, in the upper half; in the lower one twice the epoch, plus 1 while it
   * changes. */
  _Atomic uint64_t identity;
  uint64_t device, inode;
  int64_t bornNanos; /* tells a file from a later one with its inode; 0 if the file system does not know */
  /* The file's size with what is not flushed yet. */
  _Atomic uint64_t sizeBytes;
  /* The size and time of the last change when nobody here was writing; the cached blocks are from then. */
  _Atomic uint64_t knownBytes;
  _Atomic int64_t knownChangeNanos, knownAtNanos;
  _Atomic uint32_t written; /* whether somebody here has begun to write since then */
  _Atomic uint32_t openers;
  _Atomic uint32_t dirtyBlocks; /* never less than there are; more after a kill, until they are counted again */
  _Atomic uint32_t dirtied;     /* raised before a block becomes dirty, for who counts them */
  _Atomic uint32_t unsynced;    /* handles here with writes that other nodes have not been told of; too many after a kill */
  _Atomic int32_t flushError;   /* errno of the agent's first failure since a sync flushed all; 0: none */
  _Atomic uint64_t writes;        /* to the file, from this node */
  _Atomic uint64_t durableWrites; /* so many of these are durable */
  _Atomic int64_t lastOpenNanos;
  _Atomic uint64_t opens, hits, misses, hitBytes, missBytes, bypassedReads;
  char path[PATH_BYTES];
};

struct set {
  pthread_mutex_t lock;
  _Atomic uint32_t used; /* slots with a tag */
  _Atomic uint32_t hand;
  _Atomic uint64_t tags[MAX_WAYS];
} __attribute__((aligned(64)));

struct extent {
  uint32_t offset, length;
};

struct slot {
  pthread_mutex_t lock;
  _Atomic uint32_t version; /* odd while sectors that readers may copy are overwritten */
  _Atomic uint8_t referenced;
  _Atomic uint32_t extents; /* how many are dirty; the highest bit tells in which array */
  /* A write in progress, for who recovers the slot; length 0 when there is none. */
  uint32_t pendingOffset, pendingLength;
  uint32_t pendingWriteBack;
  _Atomic int64_t dirtySinceNanos;
  _Atomic uint64_t valid[VALID_WORDS];
  struct extent dirty[2][MAX_EXTENTS];
#ifdef DYNIMS_CHECKSUMS
  uint32_t checksums[MAX_BLOCK_BYTES / SECTOR_BYTES];
#endif
} __attribute__((aligned(64)));

/* Makes a number so great at least. */
static inline void raise_to(_Atomic uint64_t *value, uint64_t least) {
  uint64_t now = atomic_load(value);
  while (now < least && !atomic_compare_exchange_weak(value, &now, least)) {
  }
}

static inline uint32_t tag_file(uint64_t tag) {
  return (uint32_t)(tag >> (TAG_BLOCK_BITS + TAG_EPOCH_BITS)) - 1;
}

static inline uint64_t tag_block(uint64_t tag) {
  return tag & ((UINT64_C(1) << TAG_BLOCK_BITS) - 1);
}

/* Blocks behind this one have no tag: with the smallest blocks, those from 64 PiB on. */
static inline bool has_tag(uint64_t block) {
  return block >> TAG_BLOCK_BITS == 0;
}

/* The tag of a block as of an identity of its file's entry. */
static inline uint64_t tag_of(uint32_t file, uint64_t identity, uint64_t block) {
  uint64_t epoch = (identity >> 1) & ((UINT64_C(1) << TAG_EPOCH_BITS) - 1);
  return (((uint64_t)file + 1) << TAG_EPOCH_BITS | epoch) << TAG_BLOCK_BITS | block;
}

static inline uint32_t generation_of(uint64_t identity) {
  return (uint32_t)(identity >> 32);
}

#endif

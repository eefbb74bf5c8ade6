/* What a program that maps slowfs's control file sees and sets: 8-byte numbers, so that other languages can, too. */
#ifndef DYNIMS_SLOWFS_H
#define DYNIMS_SLOWFS_H

#include <stdatomic.h>
#include <stdint.h>

enum slowfs_call { SLOWFS_READ, SLOWFS_WRITE, SLOWFS_FSYNC, SLOWFS_OPEN, SLOWFS_CLOSE, SLOWFS_GETATTR, SLOWFS_CALLS };

/* Instead of an errno. */
#define SLOWFS_SHORT (-1) /* half of the bytes, at least one */
#define SLOWFS_HANG (-2)  /* no answer until the fault is taken back */

/* The calls first to end-1 of a kind, counted from 1, end so. */
struct slowfs_fault {
  _Atomic uint64_t first, end;
  _Atomic int64_t how;    /* an errno or one of the above */
  _Atomic uint64_t ended; /* how many calls have */
};

struct slowfs_control {
  _Atomic uint64_t transfers; /* reads and writes that have begun */
  _Atomic uint64_t calls[SLOWFS_CALLS];
  struct slowfs_fault faults[SLOWFS_CALLS];
};

#endif

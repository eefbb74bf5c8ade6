/* What the tests' programs have in common that compare. */
#ifndef DYNIMS_CHECK_H
#define DYNIMS_CHECK_H

#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* Prints what the program is at; each has its own. */
static void print_place(void);

/* Reports a difference, and ends the program on all ranks. */
__attribute__((format(printf, 1, 2))) static void wrong(const char *format, ...) {
  print_place();
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

/* The next number of a sequence, by Knuth's constants for 64 bits. */
static inline uint32_t next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

#endif

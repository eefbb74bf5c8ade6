/* A tool of the kind of tracers: takes the place of some of MPI's calls, counts them, and goes on by PMPI; with TOOL_DIRECT, by what follows it
 * in the order of libraries. Reports at the end what it has seen. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int opens, reads, writes, closes;

#ifdef TOOL_DIRECT
#define REAL(NAME) ((__typeof__(&P##NAME))dlsym(RTLD_NEXT, "P" #NAME))
#else
#define REAL(NAME) P##NAME
#endif

int MPI_File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info, MPI_File *file) {
  opens++;
  return REAL(MPI_File_open)(comm, name, amode, info, file);
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
  reads++;
  return REAL(MPI_File_read_at_all)(file, offset, buffer, count, type, status);
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
  writes++;
  return REAL(MPI_File_write_at)(file, offset, buffer, count, type, status);
}

int MPI_File_close(MPI_File *file) {
  closes++;
  return REAL(MPI_File_close)(file);
}

__attribute__((destructor)) static void report(void) {
  if (opens > 0) {
    fprintf(stderr, "tool: %d opens, %d reads, %d writes, %d closes\n", opens, reads, writes, closes);
  }
}

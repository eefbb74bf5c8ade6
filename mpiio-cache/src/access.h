/* Data accesses that the cache serves. All take what MPI's calls take, with large counts, and return MPI error codes. */
#ifndef DYNIMS_ACCESS_H
#define DYNIMS_ACCESS_H

#include "handle.h"

/* What is moved in memory. */
struct transfer {
  void *buffer;
  MPI_Count count;
  MPI_Datatype type;
};

/* Whether the access is one that the cache can serve: the MPI library says what is wrong with any other. */
bool access_is_served(const struct handle *handle, bool write, MPI_Offset offset, struct transfer transfer);

/* At an offset in etypes. The bytes moved are in the status, if one is wanted. */
int access_read(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status);
int access_write(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status);

/* The same, collective: all ranks' pieces are gathered before they are written. */
int access_write_all(struct handle *handle, MPI_Offset offset, struct transfer transfer, MPI_Status *status);

/* Moves the individual file pointer over an access, and returns where it was. */
MPI_Offset access_advance(struct handle *handle, struct transfer transfer);

/* After a read that began at an offset: ROMIO leaves the pointer at the end of the file if that came first, Open MPI does not. */
void access_end(struct handle *handle, MPI_Offset from, struct transfer transfer, const MPI_Status *status);

/* A request that is complete already; of a call that has failed, none. */
int access_complete(int result, const MPI_Status *status, MPI_Request *request);

#endif

/* Reading and writing files to the end of what was asked for. */
#ifndef DYNIMS_IO_H
#define DYNIMS_IO_H

#include <stddef.h>
#include <stdint.h>

/* Return how many bytes were moved, and set the error to an errno if that is why they are fewer than asked for, else to 0: a read ends
 * at the end of the file. */
size_t io_read(int fd, void *to, size_t length, uint64_t offset, int *error);
size_t io_write(int fd, const void *from, size_t length, uint64_t offset, int *error);

#endif

/* Copies that survive pages which cannot be had: those of a slot that is freed meanwhile, if their file system is full by then. */
#ifndef DYNIMS_FAULT_H
#define DYNIMS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Takes the signals that such copies meet. Others are passed on to who has taken them before. */
void fault_guard(void);

/* Copies bytes. Returns false, with some of them copied, if the source has a page that cannot be had. */
bool fault_copy(void *to, const void *from, uint32_t length);

#endif

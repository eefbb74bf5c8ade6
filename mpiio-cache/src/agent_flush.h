/* What the agent does beside the requests: it writes dirty blocks, and loads blocks ahead. */
#ifndef DYNIMS_AGENT_FLUSH_H
#define DYNIMS_AGENT_FLUSH_H

#include "agent.h"

void flush_start(struct agent *agent);
void flush_stop(void);

/* Asks for a look at once. */
void flush_wake(void);

/* Writes what is dirty, until nothing is or nothing more can be written. Does not wait longer than the agent's patience for file systems
 * that take nothing. */
void flush_everything(struct agent *agent);

/* Begins to load blocks. Returns 0, or EAGAIN if too many others are being loaded. */
int prefetch(struct agent *agent, uint32_t file, uint32_t generation, uint64_t first, uint64_t end);

#endif

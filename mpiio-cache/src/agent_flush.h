/* What the agent does beside the requests: it writes dirty blocks, and loads blocks ahead. */
#ifndef DYNIMS_AGENT_FLUSH_H
#define DYNIMS_AGENT_FLUSH_H

#include "agent.h"

void flush_start(struct agent *agent);
void flush_stop(void);

/* Asks for a look at once. */
void flush_wake(void);

void flush_everything(struct agent *agent);

/* Begins to load blocks, if not too many others are being loaded. */
void prefetch(struct agent *agent, uint32_t file, uint32_t generation, uint64_t first, uint64_t end);

#endif

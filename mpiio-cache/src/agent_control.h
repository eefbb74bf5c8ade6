/* What the adapter asks. */
#ifndef DYNIMS_AGENT_CONTROL_H
#define DYNIMS_AGENT_CONTROL_H

#include <stdio.h>

#include "agent.h"

/* Answers one request of a process. Only what the one asks that asked for a capacity last says that the cache is still controlled. */
void control_answer(struct agent *agent, char *request, pid_t from, FILE *to);

/* Sets the limit, and evicts what exceeds it until the deadline. Returns whether nothing does any more. */
bool control_resize(struct agent *agent, uint64_t bytes, int64_t deadline_nanos);

#endif

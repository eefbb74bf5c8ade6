/* Blocks for other nodes. */
#ifndef DYNIMS_AGENT_PEERS_H
#define DYNIMS_AGENT_PEERS_H

#include "agent.h"

/* Listens, if the agent is to. Returns 0 or an errno. */
int peers_start(struct agent *agent);

#endif

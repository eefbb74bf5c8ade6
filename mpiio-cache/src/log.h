/* The agent's log. */
#ifndef DYNIMS_LOG_H
#define DYNIMS_LOG_H

/* Writes a line with the time to the standard error. */
void agent_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

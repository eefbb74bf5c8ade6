#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void agent_log(const char *format, ...) {
  char when[32];
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
  fprintf(stderr, "%s dynims-mpiio-agent: ", when);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

#include "options.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *directory, *paths;
static enum cache_mode mode = MODE_WRITE_THROUGH;
static bool report;

static const char *const mode_names[] = {"read-only", "write-through", "write-back"};

const char *options_mode_name(enum cache_mode of) {
  return mode_names[of];
}

static bool parse_mode(const char *text, enum cache_mode *to) {
  for (int i = 0; i < 3; i++) {
    if (strcasecmp(text, mode_names[i]) == 0) {
      *to = (enum cache_mode)i;
      return true;
    }
  }
  return false;
}

static bool is_true(const char *text) {
  return strcasecmp(text, "true") == 0 || strcasecmp(text, "enable") == 0 || strcmp(text, "1") == 0;
}

static const char *not_empty(const char *text) {
  return text != NULL && *text != 0 ? text : NULL;
}

static void read_environment(void) {
  directory = not_empty(getenv("DYNIMS_MPIIO"));
  paths = not_empty(getenv("DYNIMS_MPIIO_PATHS"));
  const char *text = not_empty(getenv("DYNIMS_MPIIO_MODE"));
  if (text != NULL && !parse_mode(text, &mode)) {
    fprintf(stderr, "dynims-mpiio: DYNIMS_MPIIO_MODE is %s, not read-only, write-through or write-back: files are not cached\n", text);
    directory = NULL;
  }
  text = not_empty(getenv("DYNIMS_MPIIO_REPORT"));
  report = text != NULL && is_true(text);
}

const char *options_directory(void) {
  pthread_once(&once, read_environment);
  return directory;
}

bool options_report(void) {
  pthread_once(&once, read_environment);
  return report;
}

static bool is_below(const char *path, const char *prefix, size_t length) {
  while (length > 1 && prefix[length - 1] == '/') {
    length--;
  }
  return length > 0 && strncmp(path, prefix, length) == 0 && (path[length] == 0 || path[length] == '/' || prefix[length - 1] == '/');
}

/* Whether a file is below one of the folders of DYNIMS_MPIIO_PATHS. */
static bool is_listed(const char *name, const char *path) {
  for (const char *at = paths; at != NULL && *at != 0;) {
    size_t length = strcspn(at, ":");
    char listed[PATH_MAX], resolved[PATH_MAX];
    snprintf(listed, sizeof listed, "%.*s", (int)length, at);
    /* The folder may be a link, as may be any on the way to it. */
    if (is_below(name, at, length) || is_below(path, at, length) ||
        (length > 0 && realpath(listed, resolved) != NULL && is_below(path, resolved, strlen(resolved)))) {
      return true;
    }
    at += length + (at[length] == ':');
  }
  return false;
}

static bool get_hint(MPI_Info info, const char *key, char value[MPI_MAX_INFO_VAL + 1]) {
  int found = 0;
  if (info != MPI_INFO_NULL) {
    PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
  }
  return found != 0;
}

struct options options_of(const char *name, const char *path, MPI_Info info) {
  char value[MPI_MAX_INFO_VAL + 1];
  static _Thread_local char hinted[MPI_MAX_INFO_VAL + 1];
  struct options options = {.mode = mode, .directory = options_directory()};
  if (get_hint(info, "dynims_path", value)) {
    snprintf(hinted, sizeof hinted, "%s", value);
    options.directory = hinted;
  }
  options.enabled = options.directory != NULL && is_listed(name, path);
  if (get_hint(info, "dynims_cache", value)) {
    options.enabled = options.directory != NULL && is_true(value);
  }
  if (get_hint(info, "dynims_cache_mode", value) && !parse_mode(value, &options.mode)) {
    fprintf(stderr, "dynims-mpiio: the hint dynims_cache_mode is %s, not read-only, write-through or write-back: ignored\n", value);
  }
  options.prefetch = get_hint(info, "dynims_prefetch", value) && is_true(value);
  options.distribute = get_hint(info, "dynims_distribute", value) && is_true(value);
  return options;
}

void options_put(const struct options *options, MPI_Info info) {
  PMPI_Info_set(info, "dynims_cache", options->enabled ? "enable" : "disable");
  if (options->enabled) {
    PMPI_Info_set(info, "dynims_cache_mode", options_mode_name(options->mode));
    PMPI_Info_set(info, "dynims_prefetch", options->prefetch ? "true" : "false");
    PMPI_Info_set(info, "dynims_distribute", options->distribute ? "true" : "false");
  }
}

#include "report.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher.h"

/* More paths than this are counted only. */
#define MOST_LINES 200

struct line {
  struct line *next;
  char *path;
  const char *reason; /* NULL: cached */
  uint64_t opens;
  struct file_report report;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct line *lines, **end = &lines;
static uint64_t line_count, left_out;
static bool any_partial;

/* The line of a path and a reason. The list is locked. Returns NULL if it would be one too many. */
static struct line *find(const char *path, const char *reason) {
  for (struct line *line = lines; line != NULL; line = line->next) {
    if (line->reason == reason && strcmp(line->path, path) == 0) {
      return line;
    }
  }
  struct line *line = line_count < MOST_LINES ? calloc(1, sizeof *line) : NULL;
  char *copy = line == NULL ? NULL : strdup(path);
  if (copy == NULL) {
    free(line);
    left_out++;
    return NULL;
  }
  line->path = copy;
  line->reason = reason;
  *end = line;
  end = &line->next;
  line_count++;
  return line;
}

void report_not_cached(const char *path, const char *reason, bool partial) {
  pthread_mutex_lock(&lock);
  any_partial |= partial;
  struct line *line = find(path, reason);
  if (line != NULL) {
    line->opens++;
  }
  pthread_mutex_unlock(&lock);
}

void report_cached(const char *path, const struct file_report *report) {
  pthread_mutex_lock(&lock);
  struct line *line = find(path, NULL);
  if (line != NULL) {
    line->opens++;
    line->report.mode = report->mode;
    line->report.hits += report->hits;
    line->report.misses += report->misses;
    line->report.hitBytes += report->hitBytes;
    line->report.missBytes += report->missBytes;
    for (int i = 0; i < PASS_REASONS; i++) {
      line->report.passed[i] += report->passed[i];
    }
  }
  pthread_mutex_unlock(&lock);
}

bool report_has_lines(void) {
  return lines != NULL;
}

static void print_passed(const uint64_t passed[PASS_REASONS]) {
  static const char *const names[PASS_REASONS] = {"shared file pointer", "atomic mode", "a view that is not taken apart", "writes in read-only mode",
                                                  "arguments that are the MPI library's to judge"};
  const char *before = "; calls that went to the MPI library: ";
  for (int i = 0; i < PASS_REASONS; i++) {
    if (passed[i] > 0) {
      fprintf(stderr, "%s%llu (%s)", before, (unsigned long long)passed[i], names[i]);
      before = ", ";
    }
  }
}

static void print_line(const struct line *line) {
  fprintf(stderr, "dynims-mpiio: %s: opened %llu times, ", line->path, (unsigned long long)line->opens);
  if (line->reason != NULL) {
    fprintf(stderr, "not cached: %s\n", line->reason);
    return;
  }
  const struct file_report *report = &line->report;
  fprintf(stderr, "cached (%s), %llu hits (%llu B), %llu misses (%llu B) of this node's ranks", report->mode, (unsigned long long)report->hits,
          (unsigned long long)report->hitBytes, (unsigned long long)report->misses, (unsigned long long)report->missBytes);
  print_passed(report->passed);
  fputc('\n', stderr);
}

void report_print(int64_t capacity_bytes, int64_t files_cached) {
  pthread_mutex_lock(&lock);
  if (launcher_is_first_of_node() || any_partial) {
    for (const struct line *line = lines; line != NULL; line = line->next) {
      print_line(line);
    }
    if (left_out > 0) {
      fprintf(stderr, "dynims-mpiio: and %llu opens of other files\n", (unsigned long long)left_out);
    }
    if (lines == NULL) {
      fprintf(stderr, "dynims-mpiio: no file was opened through the cache: the program does not use MPI-IO, or not through this library\n");
    }
    if (capacity_bytes == 0) {
      fprintf(stderr, "dynims-mpiio: the cache's capacity is 0 B: nobody has given it memory (the agent's --capacity, or an adapter)\n");
    } else if (capacity_bytes > 0 && files_cached > 0) {
      fprintf(stderr, "dynims-mpiio: %lld files cached, capacity %lld B\n", (long long)files_cached, (long long)capacity_bytes);
    }
  }
  pthread_mutex_unlock(&lock);
}

#include "late.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is loaded may be many libraries; the linker's own lock is held while they are listed, so that each is opened afterwards. */
struct names {
  char **list;
  size_t count;
};

static int add_name(struct dl_phdr_info *object, size_t size, void *context) {
  struct names *names = context;
  char **list = *object->dlpi_name == 0 ? NULL : realloc(names->list, (names->count + 1) * sizeof *list);
  if (list != NULL) {
    names->list = list;
    names->list[names->count] = strdup(object->dlpi_name);
    names->count += names->list[names->count] != NULL;
  }
  return 0;
}

/* Where the library is loaded that has an address. */
static const void *base_of(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

/* As those of Python's modules are; or in what such a library needs. */
void *late_find_in_loaded(const char *name) {
  const void *own = base_of((const void *)late_find_in_loaded);
  struct names names = {0};
  dl_iterate_phdr(add_name, &names);
  void *found = NULL;
  for (size_t i = 0; i < names.count; i++) {
    void *object = found == NULL ? dlopen(names.list[i], RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (object != NULL) {
      found = dlsym(object, name);
      found = found != NULL && base_of(found) == own ? NULL : found;
      dlclose(object);
    }
    free(names.list[i]);
  }
  free(names.list);
  return found;
}

void *late_find(void **known, const char *name) {
  /* From the program on: it may have taken the MPI library's objects for its own, as the linker makes it do. */
  void *found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL) {
    found = late_find_in_loaded(name);
  }
  if (found == NULL) {
    fprintf(stderr, "dynims-mpiio: the program's MPI library has no %s\n", name);
    abort();
  }
  __atomic_store_n(known, found, __ATOMIC_RELAXED);
  return found;
}

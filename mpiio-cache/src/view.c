#include "view.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SEGMENTS (1u << 20)
#define MOST_DIMENSIONS 32

struct list {
  struct segment *items;
  size_t count, room;
  bool failed;
};

static void flatten(struct list *list, MPI_Datatype type, int64_t base);

void view_reset(struct view *view) {
  memset(view, 0, sizeof *view);
  view->supported = true;
  view->contiguous = true;
  view->etypeBytes = 1;
}

void view_free(struct view *view) {
  free(view->list);
  view->list = NULL;
}

static void add(struct list *list, int64_t offset, int64_t length) {
  if (length == 0 || list->failed) {
    return;
  }
  struct segment *last = list->count > 0 ? &list->items[list->count - 1] : NULL;
  if (last != NULL && last->offset + last->length == offset) {
    last->length += length;
    return;
  }
  if (last != NULL && offset < last->offset + last->length) {
    /* File types must not go back; such a one is left to the MPI library. */
    list->failed = true;
    return;
  }
  int64_t visible = last == NULL ? 0 : last->visible + last->length;
  if (list->count == list->room) {
    size_t room = list->room == 0 ? 64 : list->room * 2;
    struct segment *items = room > MOST_SEGMENTS ? NULL : realloc(list->items, room * sizeof *items);
    if (items == NULL) {
      list->failed = true;
      return;
    }
    list->items = items;
    list->room = room;
  }
  list->items[list->count++] = (struct segment){offset, length, visible};
}

static void measure(MPI_Datatype type, int64_t *size, int64_t *extent, bool *dense) {
  MPI_Count bytes, lower, span, true_lower, true_span;
  PMPI_Type_size_x(type, &bytes);
  PMPI_Type_get_extent_x(type, &lower, &span);
  PMPI_Type_get_true_extent_x(type, &true_lower, &true_span);
  *size = bytes;
  *extent = span;
  *dense = lower == 0 && true_lower == 0 && bytes == span && bytes == true_span;
}

bool view_is_in_order(MPI_Datatype type) {
  struct list list = {0};
  MPI_Count size;
  PMPI_Type_size_x(type, &size);
  flatten(&list, type, 0);
  bool in_order = !list.failed && list.count == 1 && list.items[0].offset == 0 && list.items[0].length == size;
  free(list.items);
  return in_order;
}

/* So many instances of a type, one behind the other. */
static void add_run(struct list *list, MPI_Datatype type, int64_t base, int64_t count) {
  int64_t size, extent;
  bool dense;
  measure(type, &size, &extent, &dense);
  if (dense && view_is_in_order(type)) {
    add(list, base, count * size);
    return;
  }
  for (int64_t i = 0; i < count && !list->failed; i++) {
    flatten(list, type, base + i * extent);
  }
}

static void add_subarray(struct list *list, const int *integers, MPI_Datatype type, int64_t base) {
  int dimensions = integers[0];
  const int *sizes = integers + 1;
  const int *parts = sizes + dimensions;
  const int *starts = parts + dimensions;
  bool fortran = integers[1 + 3 * dimensions] == MPI_ORDER_FORTRAN;
  int64_t size, extent, strides[MOST_DIMENSIONS];
  int order[MOST_DIMENSIONS], index[MOST_DIMENSIONS] = {0};
  bool dense;
  if (dimensions > MOST_DIMENSIONS) {
    list->failed = true;
    return;
  }
  measure(type, &size, &extent, &dense);
  /* order[0] is the dimension that varies fastest. */
  int64_t stride = extent;
  for (int i = 0; i < dimensions; i++) {
    order[i] = fortran ? i : dimensions - 1 - i;
    strides[order[i]] = stride;
    stride *= sizes[order[i]];
    if (parts[i] == 0) {
      return;
    }
  }
  while (!list->failed) {
    int64_t at = base + starts[order[0]] * strides[order[0]];
    for (int i = 1; i < dimensions; i++) {
      at += (starts[order[i]] + index[order[i]]) * strides[order[i]];
    }
    add_run(list, type, at, parts[order[0]]);
    int next = 1;
    while (next < dimensions && ++index[order[next]] == parts[order[next]]) {
      index[order[next++]] = 0;
    }
    if (next >= dimensions) {
      return;
    }
  }
}

static void add_contents(struct list *list, int combiner, const int *integers, const MPI_Aint *addresses, const MPI_Datatype *types,
                         int64_t base) {
  int64_t size, extent;
  bool dense;
  measure(types[0], &size, &extent, &dense);
  switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      flatten(list, types[0], base);
      break;
    case MPI_COMBINER_CONTIGUOUS:
      add_run(list, types[0], base, integers[0]);
      break;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR: {
      int64_t stride = combiner == MPI_COMBINER_VECTOR ? integers[2] * extent : addresses[0];
      for (int i = 0; i < integers[0] && !list->failed; i++) {
        add_run(list, types[0], base + i * stride, integers[1]);
      }
      break;
    }
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
      for (int i = 0; i < integers[0] && !list->failed; i++) {
        int64_t at = combiner == MPI_COMBINER_INDEXED ? integers[1 + integers[0] + i] * extent : addresses[i];
        add_run(list, types[0], base + at, integers[1 + i]);
      }
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
      for (int i = 0; i < integers[0] && !list->failed; i++) {
        int64_t at = combiner == MPI_COMBINER_INDEXED_BLOCK ? integers[2 + i] * extent : addresses[i];
        add_run(list, types[0], base + at, integers[1]);
      }
      break;
    case MPI_COMBINER_STRUCT:
      for (int i = 0; i < integers[0] && !list->failed; i++) {
        add_run(list, types[i], base + addresses[i], integers[1 + i]);
      }
      break;
    case MPI_COMBINER_SUBARRAY:
      add_subarray(list, integers, types[0], base);
      break;
    default:
      list->failed = true;
  }
}

static void free_types(MPI_Datatype *types, int count) {
  for (int i = 0; i < count; i++) {
    int integers, addresses, inner, combiner;
    PMPI_Type_get_envelope(types[i], &integers, &addresses, &inner, &combiner);
    if (combiner != MPI_COMBINER_NAMED) {
      PMPI_Type_free(&types[i]);
    }
  }
}

static void flatten(struct list *list, MPI_Datatype type, int64_t base) {
  int integers, addresses, types, combiner;
  int64_t size, extent;
  bool dense;
  if (list->failed || PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) {
    list->failed = true;
    return;
  }
  measure(type, &size, &extent, &dense);
  if (combiner == MPI_COMBINER_NAMED) {
    if (dense) {
      add(list, base, size);
    } else {
      list->failed = true;
    }
    return;
  }
  int *integer_list = calloc((size_t)integers + 1, sizeof *integer_list);
  MPI_Aint *address_list = calloc((size_t)addresses + 1, sizeof *address_list);
  MPI_Datatype *type_list = calloc((size_t)types + 1, sizeof *type_list);
  if (integer_list == NULL || address_list == NULL || type_list == NULL || types == 0 ||
      PMPI_Type_get_contents(type, integers, addresses, types, integer_list, address_list, type_list) != MPI_SUCCESS) {
    list->failed = true;
  } else {
    add_contents(list, combiner, integer_list, address_list, type_list, base);
    free_types(type_list, types);
  }
  free(integer_list);
  free(address_list);
  free(type_list);
}

void view_set(struct view *view, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  int64_t etype_bytes, etype_extent, size, extent;
  bool dense;
  view_free(view);
  view_reset(view);
  measure(etype, &etype_bytes, &etype_extent, &dense);
  measure(filetype, &size, &extent, &dense);
  view->displacement = displacement;
  view->etypeBytes = etype_bytes;
  view->tileBytes = size;
  view->tileExtent = extent;
  struct list list = {0};
  flatten(&list, filetype, 0);
  view->supported = !list.failed && list.count > 0 && etype_bytes > 0 && list.items[0].offset >= 0 && displacement >= 0;
  view->contiguous = view->supported && list.count == 1 && list.items[0].offset == 0 && size == extent;
  view->segments = list.count;
  view->list = list.items;
}

int64_t view_piece(const struct view *view, int64_t visible, int64_t *length) {
  if (view->contiguous) {
    *length = INT64_MAX - visible - view->displacement;
    return view->displacement + visible;
  }
  int64_t tile = visible / view->tileBytes;
  int64_t within = visible % view->tileBytes;
  size_t low = 0;
  size_t high = view->segments - 1;
  while (low < high) {
    size_t middle = (low + high + 1) / 2;
    if (view->list[middle].visible <= within) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const struct segment *segment = &view->list[low];
  *length = segment->length - (within - segment->visible);
  return view->displacement + tile * view->tileExtent + segment->offset + (within - segment->visible);
}

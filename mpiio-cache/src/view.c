#include "view.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A shape again and again, or bytes that follow each other if there is none. */
struct run {
  int64_t offset, count, stride;
  int64_t bytes;   /* of each */
  int64_t visible; /* how many bytes of the type come before */
  const struct shape *of;
};

/* The bytes of a type. It is as long as what the type was made of, however many pieces of memory that makes. */
struct shape {
  struct shape *older; /* for the one who frees them all */
  int64_t bytes;
  int64_t lower, upper; /* what it reaches */
  bool ascends;         /* whether each byte lies behind those before it */
  size_t runs;
  struct run list[];
};

void view_reset(struct view *view) {
  memset(view, 0, sizeof *view);
  view->supported = true;
  view->contiguous = true;
  view->etypeBytes = 1;
}

void view_free(struct view *view) {
  while (view->owned != NULL) {
    struct shape *shape = view->owned;
    view->owned = shape->older;
    free(shape);
  }
}

/* ---- taking types apart */

static struct shape *new_shape(struct view *view, int64_t runs) {
  struct shape *shape = malloc(sizeof *shape + (size_t)runs * sizeof *shape->list);
  if (shape == NULL) {
    view->supported = false;
    return NULL;
  }
  *shape = (struct shape){.older = view->owned, .ascends = true};
  view->owned = shape;
  return shape;
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static void append(struct shape *shape, struct run run) {
  int64_t lower = run.of == NULL ? 0 : run.of->lower;
  int64_t upper = run.of == NULL ? run.bytes : run.of->upper;
  int64_t last_at = (run.count - 1) * run.stride;
  int64_t begin = run.offset + lower + least(0, last_at);
  int64_t end = run.offset + upper + most(0, last_at);
  shape->ascends &= (run.of == NULL || run.of->ascends) && (run.count == 1 || run.stride >= upper - lower);
  shape->ascends &= shape->runs == 0 || begin >= shape->upper;
  shape->lower = shape->runs == 0 ? begin : least(shape->lower, begin);
  shape->upper = shape->runs == 0 ? end : most(shape->upper, end);
  shape->bytes += run.count * run.bytes;
  struct run *last = shape->runs > 0 ? &shape->list[shape->runs - 1] : NULL;
  bool is_piece = run.of == NULL && run.count == 1;
  if (last != NULL && is_piece && last->of == NULL && last->count == 1 && last->offset + last->bytes == run.offset) {
    last->bytes += run.bytes;
    return;
  }
  shape->list[shape->runs++] = run;
}

/* So many instances of a shape. Runs of runs are one where they can be, so that pieces are as long as they can be. */
static void add_run(struct shape *shape, int64_t offset, int64_t count, int64_t stride, const struct shape *of) {
  if (shape == NULL || of == NULL || count <= 0 || of->bytes == 0) {
    return;
  }
  struct run run = {offset, count, stride, of->bytes, shape->bytes, of};
  const struct run *only = &of->list[0];
  if (of->runs == 1 && (count == 1 || only->count == 1 || stride == only->count * only->stride)) {
    run.offset += only->offset;
    run.count *= only->count;
    run.stride = only->count == 1 ? stride : only->stride;
    run.bytes = only->bytes;
    run.of = only->of;
  }
  if (run.of == NULL && run.stride == run.bytes) {
    run.bytes *= run.count;
    run.count = 1;
  }
  append(shape, run);
}

static int64_t size_of(MPI_Datatype type) {
  MPI_Count size;
  PMPI_Type_size_x(type, &size);
  return size;
}

static int64_t extent_of(MPI_Datatype type) {
  MPI_Count lower, extent;
  PMPI_Type_get_extent_x(type, &lower, &extent);
  return extent;
}

/* Of a dimension: from the first on, a block of each cycle, as far as the end. */
static const struct shape *add_dimension(struct view *view, const struct shape *inner, int64_t stride, int64_t first, int64_t block,
                                         int64_t cycle, int64_t end) {
  struct shape *whole = new_shape(view, 1);
  struct shape *all = new_shape(view, 2);
  int64_t blocks = end - first < block ? 0 : (end - first - block) / cycle + 1;
  int64_t rest = first + blocks * cycle;
  add_run(whole, 0, block, stride, inner);
  add_run(all, first * stride, blocks, cycle * stride, whole);
  add_run(all, rest * stride, least(block, end - rest), stride, inner);
  return all;
}

/* The dimension that varies fastest comes first. */
static int dimension_at(int number, int dimensions, int order) {
  return order == MPI_ORDER_FORTRAN ? number : dimensions - 1 - number;
}

static const struct shape *subarray(struct view *view, const int *integers, int64_t extent, const struct shape *inner) {
  int dimensions = integers[0];
  const int *sizes = integers + 1;
  const int *parts = sizes + dimensions;
  const int *starts = parts + dimensions;
  for (int i = 0; i < dimensions; i++) {
    int at = dimension_at(i, dimensions, starts[dimensions]);
    inner = add_dimension(view, inner, extent, starts[at], parts[at], parts[at], starts[at] + parts[at]);
    extent *= sizes[at];
  }
  return inner;
}

static const struct shape *distributed_array(struct view *view, const int *integers, int64_t extent, const struct shape *inner) {
  int rank = integers[1];
  int dimensions = integers[2];
  const int *sizes = integers + 3;
  const int *distributions = sizes + dimensions;
  const int *arguments = distributions + dimensions;
  const int *processes = arguments + dimensions;
  for (int i = 0; i < dimensions; i++) {
    int at = dimension_at(i, dimensions, processes[dimensions]);
    int place = rank; /* among the processes of the dimension, of which the last varies fastest */
    for (int k = dimensions - 1; k > at; k--) {
      place /= processes[k];
    }
    place %= processes[at];
    int64_t block = arguments[at];
    if (distributions[at] == MPI_DISTRIBUTE_NONE) {
      block = sizes[at];
      place = 0;
    } else if (block == MPI_DISTRIBUTE_DFLT_DARG) {
      block = distributions[at] == MPI_DISTRIBUTE_BLOCK ? (sizes[at] + processes[at] - 1) / processes[at] : 1;
    }
    inner = add_dimension(view, inner, extent, place * block, block, block * processes[at], sizes[at]);
    extent *= sizes[at];
  }
  return inner;
}

static const struct shape *shape_of(struct view *view, MPI_Datatype type);

static const struct shape *structure(struct view *view, int count, const int *lengths, const MPI_Aint *addresses,
                                     const MPI_Datatype *types) {
  struct shape *shape = new_shape(view, count);
  const struct shape *inner = NULL;
  int64_t extent = 0;
  for (int i = 0; i < count && view->supported; i++) {
    if (i == 0 || types[i] != types[i - 1]) {
      inner = shape_of(view, types[i]);
      extent = extent_of(types[i]);
    }
    add_run(shape, addresses[i], lengths[i], extent, inner);
  }
  return shape;
}

/* What is made of one type. */
static const struct shape *shape_made_of(struct view *view, int combiner, const int *integers, const MPI_Aint *addresses,
                                         MPI_Datatype type) {
  const struct shape *inner = shape_of(view, type);
  int64_t extent = extent_of(type);
  int count = integers[0];
  struct shape *shape;
  switch (combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      return inner;
    case MPI_COMBINER_SUBARRAY:
      return subarray(view, integers, extent, inner);
    case MPI_COMBINER_DARRAY:
      return distributed_array(view, integers, extent, inner);
    case MPI_COMBINER_CONTIGUOUS:
      shape = new_shape(view, 1);
      add_run(shape, 0, count, extent, inner);
      return shape;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR: {
      struct shape *block = new_shape(view, 1);
      shape = new_shape(view, 1);
      add_run(block, 0, integers[1], extent, inner);
      add_run(shape, 0, count, combiner == MPI_COMBINER_VECTOR ? integers[2] * extent : addresses[0], block);
      return shape;
    }
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
      shape = new_shape(view, count);
      for (int i = 0; i < count; i++) {
        add_run(shape, combiner == MPI_COMBINER_INDEXED ? integers[1 + count + i] * extent : addresses[i], integers[1 + i], extent, inner);
      }
      return shape;
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
      shape = new_shape(view, count);
      for (int i = 0; i < count; i++) {
        add_run(shape, combiner == MPI_COMBINER_INDEXED_BLOCK ? integers[2 + i] * extent : addresses[i], integers[1], extent, inner);
      }
      return shape;
    default:
      view->supported = false;
      return NULL;
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

/* A type that is made of no other. */
static const struct shape *basic_shape(struct view *view, MPI_Datatype type, int64_t size) {
  struct shape *shape = new_shape(view, 2);
  struct pair {
    short value;
    int index;
  };
  if (shape == NULL || size == 0) {
    return shape;
  }
  /* Of all of MPI's own, one has a gap between its bytes. */
  int64_t first = type == MPI_SHORT_INT ? (int64_t)sizeof(short) : size;
  append(shape, (struct run){.count = 1, .stride = first, .bytes = first});
  if (first < size) {
    int64_t second = size - first;
    int64_t offset = offsetof(struct pair, index);
    append(shape, (struct run){.offset = offset, .count = 1, .stride = second, .bytes = second, .visible = first});
  }
  return shape;
}

static const struct shape *shape_of(struct view *view, MPI_Datatype type) {
  int integers, addresses, types, combiner;
  int64_t size = size_of(type);
  if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) {
    view->supported = false;
    return NULL;
  }
  if (types == 0 || size == 0) {
    return basic_shape(view, type, size);
  }
  const struct shape *shape = NULL;
  int *integer_list = calloc((size_t)integers + 1, sizeof *integer_list);
  MPI_Aint *address_list = calloc((size_t)addresses + 1, sizeof *address_list);
  MPI_Datatype *type_list = calloc((size_t)types + 1, sizeof *type_list);
  if (integer_list == NULL || address_list == NULL || type_list == NULL ||
      PMPI_Type_get_contents(type, integers, addresses, types, integer_list, address_list, type_list) != MPI_SUCCESS) {
    view->supported = false;
  } else {
    shape = combiner == MPI_COMBINER_STRUCT ? structure(view, integer_list[0], integer_list + 1, address_list, type_list)
                                            : shape_made_of(view, combiner, integer_list, address_list, type_list[0]);
    free_types(type_list, types);
  }
  free(integer_list);
  free(address_list);
  free(type_list);
  return shape;
}

/* Whether it is one piece that begins where it is said to be. */
static bool is_one_piece(const struct shape *shape) {
  const struct run *only = &shape->list[0];
  return shape->runs == 1 && only->of == NULL && only->count == 1 && only->offset == 0;
}

void view_set(struct view *view, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  view_free(view);
  view_reset(view);
  view->displacement = displacement;
  view->etypeBytes = size_of(etype);
  view->tileBytes = size_of(filetype);
  view->tileExtent = extent_of(filetype);
  const struct shape *shape = shape_of(view, filetype);
  view->shape = shape;
  view->supported &= view->tileBytes > 0 && view->etypeBytes > 0 && displacement >= 0;
  /* File types must not go back; such a one is left to the MPI library. */
  view->supported = view->supported && shape->ascends && shape->lower >= 0 && view->tileExtent >= shape->upper - shape->lower;
  view->contiguous = view->supported && is_one_piece(shape) && view->tileBytes == view->tileExtent;
}

void view_set_memory(struct view *view, MPI_Count count, MPI_Datatype type) {
  view_reset(view);
  struct shape *all = new_shape(view, 1);
  add_run(all, 0, count, extent_of(type), shape_of(view, type));
  view->shape = all;
  view->tileBytes = view->supported ? all->bytes : 0;
  view->contiguous = view->supported && is_one_piece(all);
}

/* ---- finding bytes */

/* The run that has the byte before which so many are seen. */
static size_t find_run(const struct shape *shape, int64_t visible) {
  size_t low = 0;
  size_t high = shape->runs - 1;
  while (low < high) {
    size_t middle = (low + high + 1) / 2;
    if (shape->list[middle].visible <= visible) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

int64_t view_piece(const struct view *view, int64_t visible, int64_t *length) {
  if (view->contiguous) {
    *length = INT64_MAX - visible - view->displacement;
    return view->displacement + visible;
  }
  int64_t offset = view->displacement + visible / view->tileBytes * view->tileExtent;
  int64_t within = visible % view->tileBytes;
  const struct run *run;
  for (const struct shape *shape = view->shape; shape != NULL; shape = run->of) {
    run = &shape->list[find_run(shape, within)];
    within -= run->visible;
    offset += run->offset + within / run->bytes * run->stride;
    within %= run->bytes;
    *length = run->bytes - within;
  }
  return offset + within;
}

/* Between memory and bytes that follow each other. */
struct copy {
  uint8_t *bytes;
  int64_t skipped; /* what of the next shape is not copied */
  int64_t length;
  bool gathers;
};

static void copy_piece(struct copy *copy, uint8_t *memory, int64_t length) {
  length = least(length - copy->skipped, copy->length);
  if (copy->gathers) {
    memcpy(copy->bytes, memory + copy->skipped, (size_t)length);
  } else {
    memcpy(memory + copy->skipped, copy->bytes, (size_t)length);
  }
  copy->bytes += length;
  copy->length -= length;
  copy->skipped = 0;
}

static void copy_shape(struct copy *copy, const struct shape *shape, uint8_t *memory) {
  size_t i = copy->skipped == 0 ? 0 : find_run(shape, copy->skipped);
  copy->skipped -= shape->list[i].visible;
  for (; i < shape->runs && copy->length > 0; i++) {
    const struct run *run = &shape->list[i];
    int64_t k = copy->skipped == 0 ? 0 : copy->skipped / run->bytes;
    copy->skipped -= k * run->bytes;
    for (; k < run->count && copy->length > 0; k++) {
      /* Also from MPI_BOTTOM, to which nothing can be added. */
      uint8_t *at = (uint8_t *)((uintptr_t)memory + (uintptr_t)(run->offset + k * run->stride));
      if (run->of == NULL) {
        copy_piece(copy, at, run->bytes);
      } else {
        copy_shape(copy, run->of, at);
      }
    }
  }
}

void view_gather(const struct view *view, const void *memory, int64_t visible, uint8_t *to, int64_t length) {
  struct copy copy = {to, visible, length, true};
  if (length > 0) {
    copy_shape(&copy, view->shape, (uint8_t *)(uintptr_t)memory);
  }
}

void view_scatter(const struct view *view, void *memory, int64_t visible, const uint8_t *from, int64_t length) {
  struct copy copy = {(uint8_t *)(uintptr_t)from, visible, length, false};
  if (length > 0) {
    copy_shape(&copy, view->shape, memory);
  }
}

#include "collective.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define TAG 0
#define MOST_WINDOW_BYTES (4 << 20)
/* What all windows of a round have together, so that an int can count it. */
#define MOST_ROUND_BYTES (1 << 30)

/* A piece of the file, as it is sent. */
struct piece {
  uint64_t offset, length;
};

/* What goes from one rank to another in a round: pieces in the order of the file, and their bytes behind each other. */
struct part {
  uint64_t pieces, bytes;
};

/* Each rank writes a domain of the file, window by window: the ranks of a round exchange what belongs into all windows. */
struct exchange {
  struct handle *handle;
  const uint8_t *from;
  const struct view *memory; /* from there */
  int64_t visible, length;
  int ranks, rank;
  uint64_t begin, domainBytes, windowBytes, rounds;
  int64_t *cursors;        /* of each domain: where its next byte is in what this rank writes */
  struct piece **outgoing; /* by rank */
  struct part *sent, *received;
  int64_t *reached; /* by rank: what of its bytes could be written here, and of this rank's there */
  MPI_Request *requests;
  uint8_t *window;
  uint8_t *packed; /* what is sent in a round, where memory has gaps */
};

static uint64_t piece_at(const struct exchange *exchange, int64_t at, int64_t *length) {
  uint64_t offset = (uint64_t)view_piece(&exchange->handle->view, exchange->visible + at, length);
  *length = *length < exchange->length - at ? *length : exchange->length - at;
  return offset;
}

static uint64_t domain_end(const struct exchange *exchange, int rank) {
  return exchange->begin + ((uint64_t)rank + 1) * exchange->domainBytes;
}

static uint64_t window_begin(const struct exchange *exchange, int rank, uint64_t round) {
  return exchange->begin + (uint64_t)rank * exchange->domainBytes + round * exchange->windowBytes;
}

static uint64_t window_end(const struct exchange *exchange, int rank, uint64_t round) {
  uint64_t end = window_begin(exchange, rank, round + 1);
  return end < domain_end(exchange, rank) ? end : domain_end(exchange, rank);
}

/* Cuts the range that all write together into domains. Returns whether there is anything to write. */
static bool agree(struct exchange *exchange) {
  /* Signed numbers: MPICH 4.0 compares unsigned ones as if they were signed. */
  int64_t mine[3] = {INT64_MAX, INT64_MAX, -(int64_t)exchange->handle->cache.arena->header->blockBytes};
  int64_t least[3];
  if (exchange->length > 0) {
    int64_t piece;
    mine[0] = (int64_t)piece_at(exchange, 0, &piece);
    mine[1] = -(int64_t)(piece_at(exchange, exchange->length - 1, &piece) + 1);
  }
  PMPI_Allreduce(mine, least, 3, MPI_INT64_T, MPI_MIN, exchange->handle->comm);
  if (least[0] == INT64_MAX) {
    return false;
  }
  uint64_t end = (uint64_t)-least[1];
  uint64_t block = (uint64_t)-least[2];
  exchange->begin = (uint64_t)least[0] / block * block;
  exchange->domainBytes = ((end - exchange->begin + (uint64_t)exchange->ranks - 1) / (uint64_t)exchange->ranks + block - 1) / block * block;
  exchange->windowBytes = MOST_ROUND_BYTES / exchange->ranks < MOST_WINDOW_BYTES ? MOST_ROUND_BYTES / (uint64_t)exchange->ranks : MOST_WINDOW_BYTES;
  exchange->rounds = (exchange->domainBytes + exchange->windowBytes - 1) / exchange->windowBytes;
  return true;
}

static bool prepare(struct exchange *exchange) {
  size_t ranks = (size_t)exchange->ranks;
  exchange->cursors = calloc(ranks, sizeof *exchange->cursors);
  exchange->outgoing = calloc(ranks, sizeof *exchange->outgoing);
  exchange->sent = calloc(ranks, sizeof *exchange->sent);
  exchange->received = calloc(ranks, sizeof *exchange->received);
  exchange->reached = calloc(ranks * 2, sizeof *exchange->reached);
  exchange->requests = calloc(ranks * 4, sizeof *exchange->requests);
  exchange->window = malloc(exchange->windowBytes);
  return exchange->cursors != NULL && exchange->outgoing != NULL && exchange->sent != NULL && exchange->received != NULL &&
         exchange->reached != NULL && exchange->requests != NULL && exchange->window != NULL;
}

static void release(struct exchange *exchange) {
  for (int rank = 0; exchange->outgoing != NULL && rank < exchange->ranks; rank++) {
    free(exchange->outgoing[rank]);
  }
  free(exchange->cursors);
  free(exchange->outgoing);
  free(exchange->sent);
  free(exchange->received);
  free(exchange->reached);
  free(exchange->requests);
  free(exchange->window);
  free(exchange->packed);
}

/* Sets each domain's cursor to the first byte that belongs to it. */
static void place_cursors(struct exchange *exchange) {
  int64_t at = 0;
  for (int rank = 0; rank < exchange->ranks; rank++) {
    exchange->cursors[rank] = at;
    while (at < exchange->length) {
      int64_t piece;
      uint64_t offset = piece_at(exchange, at, &piece);
      if (offset >= domain_end(exchange, rank)) {
        break;
      }
      uint64_t rest = domain_end(exchange, rank) - offset;
      at += (uint64_t)piece < rest ? piece : (int64_t)rest;
    }
  }
}

/* Lists the pieces that belong into a rank's window. Returns false without memory. */
static bool collect(struct exchange *exchange, int rank, uint64_t round) {
  uint64_t end = window_end(exchange, rank, round);
  struct part *part = &exchange->sent[rank];
  uint64_t room = 0;
  *part = (struct part){0, 0};
  free(exchange->outgoing[rank]);
  exchange->outgoing[rank] = NULL;
  int64_t at = exchange->cursors[rank];
  while (at < exchange->length) {
    int64_t length;
    uint64_t offset = piece_at(exchange, at, &length);
    if (offset >= end) {
      break;
    }
    if (part->pieces == room) {
      room = room == 0 ? 16 : room * 2;
      struct piece *more = realloc(exchange->outgoing[rank], room * sizeof *more);
      if (more == NULL) {
        return false;
      }
      exchange->outgoing[rank] = more;
    }
    uint64_t part_bytes = (uint64_t)length < end - offset ? (uint64_t)length : end - offset;
    exchange->outgoing[rank][part->pieces++] = (struct piece){offset, part_bytes};
    part->bytes += part_bytes;
    at += (int64_t)part_bytes;
  }
  return true;
}

/* What a rank has received for its window. */
struct incoming {
  struct piece *pieces; /* of all senders, one after the other */
  uint8_t *bytes;
  struct placed {
    struct piece piece;
    const uint8_t *bytes;
  } *placed; /* the same in the order of the file */
  struct piece *failed; /* what could not be written */
  uint64_t count, total, failures;
};

static bool make_room(const struct exchange *exchange, struct incoming *in) {
  *in = (struct incoming){0};
  for (int rank = 0; rank < exchange->ranks; rank++) {
    in->count += exchange->received[rank].pieces;
    in->total += exchange->received[rank].bytes;
  }
  in->pieces = malloc((in->count + 1) * sizeof *in->pieces);
  in->placed = malloc((in->count + 1) * sizeof *in->placed);
  in->failed = malloc((in->count + 1) * sizeof *in->failed);
  in->bytes = malloc(in->total + 1);
  return in->pieces != NULL && in->placed != NULL && in->failed != NULL && in->bytes != NULL;
}

static void free_incoming(struct incoming *in) {
  free(in->pieces);
  free(in->placed);
  free(in->failed);
  free(in->bytes);
}

/* Puts what is sent to each rank behind each other where memory has gaps. Returns false without memory. */
static bool pack(struct exchange *exchange) {
  uint64_t total = 0;
  free(exchange->packed);
  exchange->packed = NULL;
  if (exchange->memory->contiguous) {
    return true;
  }
  for (int rank = 0; rank < exchange->ranks; rank++) {
    total += exchange->sent[rank].bytes;
  }
  uint8_t *to = exchange->packed = malloc(total + 1);
  for (int rank = 0; to != NULL && rank < exchange->ranks; rank++) {
    view_gather(exchange->memory, exchange->from, exchange->cursors[rank], to, (int64_t)exchange->sent[rank].bytes);
    to += exchange->sent[rank].bytes;
  }
  return to != NULL;
}

static void move(struct exchange *exchange, struct incoming *in) {
  MPI_Comm comm = exchange->handle->comm;
  int requests = 0;
  uint64_t piece = 0;
  uint64_t byte = 0;
  for (int rank = 0; rank < exchange->ranks; rank++) {
    const struct part *part = &exchange->received[rank];
    if (part->pieces > 0) {
      PMPI_Irecv(in->pieces + piece, (int)(part->pieces * sizeof *in->pieces), MPI_BYTE, rank, TAG, comm, &exchange->requests[requests++]);
      PMPI_Irecv(in->bytes + byte, (int)part->bytes, MPI_BYTE, rank, TAG, comm, &exchange->requests[requests++]);
      piece += part->pieces;
      byte += part->bytes;
    }
  }
  const uint8_t *packed = exchange->packed;
  for (int rank = 0; rank < exchange->ranks; rank++) {
    const struct part *part = &exchange->sent[rank];
    if (part->pieces > 0) {
      const uint8_t *from = packed != NULL ? packed : exchange->from + exchange->cursors[rank];
      PMPI_Isend(exchange->outgoing[rank], (int)(part->pieces * sizeof *in->pieces), MPI_BYTE, rank, TAG, comm, &exchange->requests[requests++]);
      PMPI_Isend(from, (int)part->bytes, MPI_BYTE, rank, TAG, comm, &exchange->requests[requests++]);
      packed = packed != NULL ? packed + part->bytes : NULL;
    }
  }
  for (int i = 0; i < requests; i++) {
    PMPI_Wait(&exchange->requests[i], MPI_STATUS_IGNORE);
  }
}

static int by_offset(const void *a, const void *b) {
  uint64_t left = ((const struct placed *)a)->piece.offset;
  uint64_t right = ((const struct placed *)b)->piece.offset;
  return (left > right) - (left < right);
}

/* Writes the window, without its gaps. Returns 0 or the first errno. */
static int write_window(struct exchange *exchange, struct incoming *in, uint64_t round) {
  uint64_t window = window_begin(exchange, exchange->rank, round);
  const uint8_t *bytes = in->bytes;
  int first_error = 0;
  for (uint64_t i = 0; i < in->count; i++) {
    in->placed[i] = (struct placed){in->pieces[i], bytes};
    bytes += in->pieces[i].length;
  }
  qsort(in->placed, in->count, sizeof *in->placed, by_offset);
  for (uint64_t i = 0; i < in->count;) {
    uint64_t begin = in->placed[i].piece.offset;
    uint64_t end = begin;
    for (; i < in->count && in->placed[i].piece.offset <= end; i++) {
      const struct piece *piece = &in->placed[i].piece;
      memcpy(exchange->window + (piece->offset - window), in->placed[i].bytes, piece->length);
      end = piece->offset + piece->length > end ? piece->offset + piece->length : end;
    }
    int error;
    size_t written = cache_write(&exchange->handle->cache, begin, exchange->window + (begin - window), end - begin, &error);
    if (error != 0) {
      first_error = first_error == 0 ? error : first_error;
      in->failed[in->failures++] = (struct piece){begin + written, end - begin - written};
    }
  }
  return first_error;
}

/* How many bytes of some pieces come before the first that could not be written. */
static int64_t written_of(const struct incoming *in, const struct piece *pieces, uint64_t count) {
  int64_t done = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t end = pieces[i].offset + pieces[i].length;
    for (uint64_t k = 0; k < in->failures; k++) {
      const struct piece *failed = &in->failed[k];
      if (failed->offset < end && pieces[i].offset < failed->offset + failed->length) {
        return done + (failed->offset > pieces[i].offset ? (int64_t)(failed->offset - pieces[i].offset) : 0);
      }
    }
    done += (int64_t)pieces[i].length;
  }
  return done;
}

/* Learns from those that have failed to write this rank's pieces how far they came. */
static void learn_done(struct exchange *exchange, const struct incoming *in, int64_t *done) {
  int64_t *mine = exchange->reached;
  int64_t *theirs = mine + exchange->ranks;
  const struct piece *pieces = in->pieces;
  for (int rank = 0; rank < exchange->ranks; rank++) {
    mine[rank] = written_of(in, pieces, exchange->received[rank].pieces);
    pieces += exchange->received[rank].pieces;
  }
  PMPI_Alltoall(mine, 1, MPI_INT64_T, theirs, 1, MPI_INT64_T, exchange->handle->comm);
  for (int rank = 0; rank < exchange->ranks; rank++) {
    int64_t reached = exchange->cursors[rank] + theirs[rank];
    if (theirs[rank] < (int64_t)exchange->sent[rank].bytes && reached < *done) {
      *done = reached;
    }
  }
}

static int greatest(struct exchange *exchange, int mine) {
  int all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, exchange->handle->comm);
  return all;
}

static int write_round(struct exchange *exchange, uint64_t round, int64_t *done) {
  struct incoming in;
  int error = 0;
  for (int rank = 0; rank < exchange->ranks; rank++) {
    error = collect(exchange, rank, round) ? error : ENOMEM;
  }
  PMPI_Alltoall(exchange->sent, 2, MPI_UINT64_T, exchange->received, 2, MPI_UINT64_T, exchange->handle->comm);
  error = make_room(exchange, &in) && pack(exchange) ? error : ENOMEM;
  error = greatest(exchange, error);
  if (error != 0) {
    free_incoming(&in);
    return error;
  }
  move(exchange, &in);
  error = greatest(exchange, write_window(exchange, &in, round));
  if (error != 0) {
    learn_done(exchange, &in, done);
  }
  for (int rank = 0; rank < exchange->ranks; rank++) {
    exchange->cursors[rank] += (int64_t)exchange->sent[rank].bytes;
  }
  free_incoming(&in);
  return error;
}

/* Ranks of other nodes have written bytes of this one, of which this node may have older ones. */
static void keep_coherent(struct exchange *exchange, int64_t done) {
  for (int64_t at = 0; at < exchange->length;) {
    int64_t piece;
    uint64_t offset = piece_at(exchange, at, &piece);
    if (at < done) {
      const uint8_t *from = exchange->from + at;
      piece = piece < done - at ? piece : done - at;
      if (!exchange->memory->contiguous) {
        piece = piece < (int64_t)exchange->windowBytes ? piece : (int64_t)exchange->windowBytes;
        view_gather(exchange->memory, exchange->from, at, exchange->window, piece);
        from = exchange->window;
      }
      cache_written(&exchange->handle->cache, offset, from, (size_t)piece);
    } else {
      file_drop(&exchange->handle->cache, offset, offset + (uint64_t)piece);
    }
    at += piece;
  }
}

int collective_write(struct handle *handle, int64_t visible, const uint8_t *from, const struct view *memory, int64_t length,
                     int64_t *done) {
  struct exchange exchange = {.handle = handle, .from = from, .memory = memory, .visible = visible, .length = length};
  PMPI_Comm_size(handle->comm, &exchange.ranks);
  PMPI_Comm_rank(handle->comm, &exchange.rank);
  *done = length;
  if (!agree(&exchange)) {
    return 0;
  }
  int error = greatest(&exchange, prepare(&exchange) ? 0 : ENOMEM);
  if (error != 0) {
    *done = 0;
  } else {
    place_cursors(&exchange);
    handle_note_writing(handle);
    for (uint64_t round = 0; round < exchange.rounds; round++) {
      int failed = write_round(&exchange, round, done);
      error = error == 0 ? failed : error;
      if (failed == ENOMEM) {
        /* At least what all had before is written: domain 0 is the first. */
        *done = *done < exchange.cursors[0] ? *done : exchange.cursors[0];
        break;
      }
    }
    if (length > 0) {
      int64_t piece;
      uint64_t first = piece_at(&exchange, 0, &piece);
      handle_note_written(handle, first, piece_at(&exchange, length - 1, &piece) + 1 - first);
    }
    if (handle->spansNodes) {
      keep_coherent(&exchange, *done);
    }
  }
  release(&exchange);
  return error;
}

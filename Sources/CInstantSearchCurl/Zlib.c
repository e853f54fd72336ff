#define _GNU_SOURCE
#include "CInstantSearchCurl.h"

#if defined(__linux__)

#include "Symbols.h"

#include <pthread.h>
#include <stdlib.h>

// z_stream of <zlib.h>, which has been the same since 1.0.
typedef struct {
  const uint8_t *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *(*allocate)(void *, unsigned int, unsigned int);
  void (*deallocate)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
} z_stream;

enum { z_ok = 0, z_stream_end = 1, z_buffer_error = -5, any_header = 15 + 32, no_flush = 0 };

static struct {
  const char *(*version)(void);
  int (*init)(z_stream *, int, const char *, int);
  int (*inflate)(z_stream *, int);
  int (*end)(z_stream *);
} library;

static bool is_available = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  is_available = find_symbol("zlibVersion", &library.version) &&
                 find_symbol("inflateInit2_", &library.init) &&
                 find_symbol("inflate", &library.inflate) &&
                 find_symbol("inflateEnd", &library.end);
}

bool zlib_is_available(void) {
  pthread_once(&once, load);
  return is_available;
}

zlib_stream zlib_make(void) {
  if (!zlib_is_available()) return 0;
  z_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return 0;
  if (library.init(stream, any_header, library.version(), (int)sizeof *stream) != z_ok) {
    free(stream);
    return 0;
  }
  return (zlib_stream)stream;
}

void zlib_destroy(zlib_stream it) {
  library.end((z_stream *)it);
  free((z_stream *)it);
}

int zlib_step(
    zlib_stream it, const uint8_t *input, size_t input_size, size_t *input_count, uint8_t *output,
    size_t output_size, size_t *output_count) {
  enum { more = 0, ended = 1, damaged = -1, longest = 1 << 30 };
  z_stream *stream = (z_stream *)it;
  unsigned int room_in = input_size < longest ? (unsigned int)input_size : longest;
  unsigned int room_out = output_size < longest ? (unsigned int)output_size : longest;
  stream->next_in = input;
  stream->avail_in = room_in;
  stream->next_out = output;
  stream->avail_out = room_out;
  int code = library.inflate(stream, no_flush);
  *input_count = room_in - stream->avail_in;
  *output_count = room_out - stream->avail_out;
  if (code == z_stream_end) return ended;
  // Without anything to do is not damaged.
  return code == z_ok || code == z_buffer_error ? more : damaged;
}

#endif

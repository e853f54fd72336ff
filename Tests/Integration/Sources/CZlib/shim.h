#include <zlib.h>

// The functions that begin a stream are macros, which Swift does not import.
static inline int gzip_begin_deflate(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int gzip_begin_inflate(z_streamp stream) { return inflateInit2(stream, 15 + 16); }

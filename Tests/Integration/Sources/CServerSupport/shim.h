#include <zlib.h>

#ifdef __linux__
#include <malloc.h>
#endif

// The functions that begin a stream are macros, which Swift does not import.
static inline int gzip_begin_deflate(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int gzip_begin_inflate(z_streamp stream) { return inflateInit2(stream, 15 + 16); }

// Lets large buffers go back to the system as soon as they are free. By default the limit for them
// grows with the sizes that were freed, and a response of 60 MB stays in the heap for ever.
static inline void heap_return_large_buffers(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 22);
#endif
}

#include "CLocalSearch.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void local_search_release_free_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

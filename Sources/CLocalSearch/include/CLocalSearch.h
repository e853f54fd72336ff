#ifndef CLOCALSEARCH_H
#define CLOCALSEARCH_H

/// Returns free memory of the heap to the system, where the C library keeps it.
///
/// The GNU C library keeps free memory between values that are in use. Other libraries return it
/// themselves, and this does nothing.
void local_search_release_free_memory(void);

#endif

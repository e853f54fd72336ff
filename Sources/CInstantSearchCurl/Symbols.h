// Functions of libraries that the process has loaded; include it with `_GNU_SOURCE` defined.
#ifndef CINSTANTSEARCHCURL_SYMBOLS_H
#define CINSTANTSEARCHCURL_SYMBOLS_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

/// Stores a function of a library, or of those that it is linked with, in the function pointer at an
/// address; returns whether there is one.
///
/// In C a function pointer cannot be assigned from dlsym's result, but can be stored through its
/// address.
static inline bool find_symbol_of(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  *(void **)function = symbol;
  return symbol != NULL;
}

/// Stores the first function with a name in the function pointer at an address; returns whether
/// there is one.
static inline bool find_symbol(const char *name, void *function) {
  return find_symbol_of(RTLD_DEFAULT, name, function);
}

#endif

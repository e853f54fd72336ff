#define _GNU_SOURCE
#include "CInstantSearchCurl.h"

#if defined(__linux__)

#include "CurlAtExit.h"
#include "Symbols.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// OpenSSL frees its tables in a function that it gives to `atexit`, and other TLS libraries in one
// that the dynamic loader calls. A thread that is in the middle of a handshake then reads freed
// memory. So the threads that drive transfers leave libcurl before that, and stay outside for good.

typedef struct driver {
  libcurl_multi multi;
  struct driver *next;
} driver;

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  driver *drivers;
  int (*wake)(libcurl_multi);
} registry = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static atomic_bool is_exiting = false;

enum { longest_wait_in_seconds = 2 };

// Runs in the thread that called `exit`, before the clean-up of everything that was set up earlier.
static void stop_drivers(void) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += longest_wait_in_seconds;
  pthread_mutex_lock(&registry.mutex);
  atomic_store(&is_exiting, true);
  for (driver *it = registry.drivers; it; it = it->next) {
    if (it->multi) registry.wake(it->multi);
  }
  while (registry.drivers) {
    if (pthread_cond_timedwait(&registry.changed, &registry.mutex, &end) != 0) break;
  }
  pthread_mutex_unlock(&registry.mutex);
}

static void (*openssl_thread_stop)(void);

void libcurl_prepare_tls(void) {
  enum { openssl_without_atexit = 0x00080000 };
  int (*openssl_init)(uint64_t, const void *);
  find_symbol("OPENSSL_init_crypto", &openssl_init);
  find_symbol("OPENSSL_thread_stop", &openssl_thread_stop);
  // URLSession drives its transfers with threads that nothing can stop, so OpenSSL is asked to
  // clean nothing up, which has no effect where it has been set up before.
  if (openssl_init) openssl_init(openssl_without_atexit, NULL);
}

bool libcurl_watch_exit(int (*wake)(libcurl_multi)) {
  pthread_condattr_t attributes;
  if (pthread_condattr_init(&attributes) != 0) return false;
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  int result = pthread_cond_init(&registry.changed, &attributes);
  pthread_condattr_destroy(&attributes);
  registry.wake = wake;
  return result == 0 && atexit(stop_drivers) == 0;
}

static void stay(void) {
  for (;;) pause();
}

// Takes a driver out, and stays here if the process is ending.
static void forget(driver *gone) {
  pthread_mutex_lock(&registry.mutex);
  for (driver **it = &registry.drivers; *it; it = &(*it)->next) {
    if (*it != gone) continue;
    *it = gone->next;
    free(gone);
    break;
  }
  bool stays = atomic_load(&is_exiting);
  pthread_cond_broadcast(&registry.changed);
  pthread_mutex_unlock(&registry.mutex);
  if (stays) stay();
}

bool libcurl_is_exiting(void) { return atomic_load(&is_exiting); }

libcurl_driver libcurl_driver_enter(libcurl_multi multi) {
  driver *it = malloc(sizeof *it);
  if (!it) return 0;
  pthread_mutex_lock(&registry.mutex);
  bool refuses = atomic_load(&is_exiting);
  if (!refuses) {
    *it = (driver){.multi = multi, .next = registry.drivers};
    registry.drivers = it;
  }
  pthread_mutex_unlock(&registry.mutex);
  if (refuses) {
    free(it);
    return 0;
  }
  return (libcurl_driver)it;
}

void libcurl_driver_stay_at_exit(libcurl_driver it) {
  if (atomic_load(&is_exiting)) forget((driver *)it);
}

void libcurl_driver_leave(libcurl_driver it, libcurl_multi multi) {
  driver *leaving = (driver *)it;
  pthread_mutex_lock(&registry.mutex);
  if (leaving) leaving->multi = 0;
  pthread_mutex_unlock(&registry.mutex);
  libcurl_multi_destroy(multi);
  // What OpenSSL keeps for a thread is otherwise freed at the thread's very end.
  if (openssl_thread_stop) openssl_thread_stop();
  forget(leaving);
}

#endif

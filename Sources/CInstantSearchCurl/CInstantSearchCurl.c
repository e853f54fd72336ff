#define _GNU_SOURCE
#include "CInstantSearchCurl.h"

#if defined(__linux__)

#include "CurlAtExit.h"
#include "Symbols.h"

#include <pthread.h>
#include <signal.h>

// What <curl/multi.h> calls CURLMsg.
typedef struct {
  int message;
  libcurl_easy easy;
  union {
    void *pointer;
    int code;
  } data;
} libcurl_message;

// The beginning of what <curl/curl.h> calls curl_version_info_data.
typedef struct {
  int age;
  const char *version;
  unsigned int number;
} libcurl_version;

enum { message_ended = 1, global_default = 3 };
enum {
  info_response_code = 0x200002,
  info_peer_address = 0x100020,
  info_peer_port = 0x200028,
  info_local_address = 0x100029,
  info_local_port = 0x20002A,
  info_request_size = 0x20000C,
  info_connection_count = 0x20001A,
  info_proxy_status = 0x200016,
  info_tls_session = 0x40002D,
};

// What <curl/curl.h> calls curl_tlssessioninfo.
typedef struct {
  int library;
  void *session;
} libcurl_tls;

// The functions as libcurl declares them, those with variable arguments included, but for the
// pointers to its own types, which are passed like the numbers that stand here.
static struct {
  int (*global_init)(long);
  libcurl_version *(*version_info)(int);
  libcurl_easy (*easy_init)(void);
  void (*easy_cleanup)(libcurl_easy);
  int (*easy_setopt)(libcurl_easy, int, ...);
  int (*easy_getinfo)(libcurl_easy, int, ...);
  libcurl_pool (*share_init)(void);
  int (*share_setopt)(libcurl_pool, int, ...);
  int (*share_cleanup)(libcurl_pool);
  libcurl_list (*slist_append)(libcurl_list, const char *);
  void (*slist_free_all)(libcurl_list);
  libcurl_multi (*multi_init)(void);
  int (*multi_cleanup)(libcurl_multi);
  int (*multi_setopt)(libcurl_multi, int, ...);
  int (*multi_add_handle)(libcurl_multi, libcurl_easy);
  int (*multi_remove_handle)(libcurl_multi, libcurl_easy);
  int (*multi_perform)(libcurl_multi, int *);
  int (*multi_poll)(libcurl_multi, void *, unsigned int, int, int *);
  int (*multi_wakeup)(libcurl_multi);
  libcurl_message *(*multi_info_read)(libcurl_multi, int *);
} library;

// Whether a session of OpenSSL has input, decrypted or not, and how many decrypted bytes a session of
// GnuTLS has.
static int (*openssl_has_pending)(const void *);
static size_t (*gnutls_pending)(void *);

// Finds functions of the TLS library that libcurl itself is linked with: a process can have others.
static void find_tls_functions(void) {
  Dl_info place;
  if (dladdr(*(void **)&library.easy_getinfo, &place) == 0) return;
  void *owner = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  // In a program that has libcurl in itself.
  if (!owner) owner = dlopen(NULL, RTLD_LAZY);
  if (!owner) return;
  find_symbol_of(owner, "SSL_has_pending", &openssl_has_pending);
  find_symbol_of(owner, "gnutls_record_check_pending", &gnutls_pending);
  dlclose(owner);
}

static bool is_available = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  libcurl_prepare_tls();
  is_available =
      find_symbol("curl_global_init", &library.global_init) &&
      find_symbol("curl_version_info", &library.version_info) &&
      find_symbol("curl_easy_init", &library.easy_init) &&
      find_symbol("curl_easy_cleanup", &library.easy_cleanup) &&
      find_symbol("curl_easy_setopt", &library.easy_setopt) &&
      find_symbol("curl_easy_getinfo", &library.easy_getinfo) &&
      find_symbol("curl_share_init", &library.share_init) &&
      find_symbol("curl_share_setopt", &library.share_setopt) &&
      find_symbol("curl_share_cleanup", &library.share_cleanup) &&
      find_symbol("curl_slist_append", &library.slist_append) &&
      find_symbol("curl_slist_free_all", &library.slist_free_all) &&
      find_symbol("curl_multi_init", &library.multi_init) &&
      find_symbol("curl_multi_cleanup", &library.multi_cleanup) &&
      find_symbol("curl_multi_setopt", &library.multi_setopt) &&
      find_symbol("curl_multi_add_handle", &library.multi_add_handle) &&
      find_symbol("curl_multi_remove_handle", &library.multi_remove_handle) &&
      find_symbol("curl_multi_perform", &library.multi_perform) &&
      find_symbol("curl_multi_poll", &library.multi_poll) &&
      // The newest of them, of 7.68.
      find_symbol("curl_multi_wakeup", &library.multi_wakeup) &&
      find_symbol("curl_multi_info_read", &library.multi_info_read) &&
      library.global_init(global_default) == 0 && libcurl_watch_exit(library.multi_wakeup);
  if (is_available) find_tls_functions();
}

bool libcurl_is_available(void) {
  pthread_once(&once, load);
  return is_available;
}

bool libcurl_asks_before_sending(void) {
  if (!libcurl_is_available()) return false;
  libcurl_version *version = library.version_info(0);
  return version && version->number >= 0x075000;
}

void libcurl_ignore_broken_pipes_on_this_thread(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

libcurl_easy libcurl_easy_make(void) { return library.easy_init(); }
void libcurl_easy_destroy(libcurl_easy easy) { library.easy_cleanup(easy); }

int libcurl_easy_set_number(libcurl_easy easy, int option, long value) {
  return library.easy_setopt(easy, option, value);
}

int libcurl_easy_set_size(libcurl_easy easy, int option, int64_t value) {
  return library.easy_setopt(easy, option, value);
}

int libcurl_easy_set_text(libcurl_easy easy, int option, const char *value) {
  return library.easy_setopt(easy, option, value);
}

int libcurl_easy_set_bytes(libcurl_easy easy, int option, const void *value) {
  return library.easy_setopt(easy, option, value);
}

int libcurl_easy_set_list(libcurl_easy easy, int option, libcurl_list value) {
  return library.easy_setopt(easy, option, (void *)value);
}

int libcurl_easy_set_receiver(libcurl_easy easy, int option, libcurl_receiver value) {
  return library.easy_setopt(easy, option, value);
}

int libcurl_easy_set_function(libcurl_easy easy, int option, libcurl_function value) {
  return library.easy_setopt(easy, option, value);
}

int libcurl_easy_set_question(libcurl_easy easy, libcurl_question value, void *context) {
  enum { option_question = 20312, option_question_context = 10313 };
  int code = library.easy_setopt(easy, option_question, value);
  return code == 0 ? library.easy_setopt(easy, option_question_context, context) : code;
}

// What is sent once is not read again.
static int refuse_to_seek(void *context, int64_t offset, int origin) {
  (void)context, (void)offset, (void)origin;
  enum { fails = 1 };
  return fails;
}

int libcurl_easy_set_body(libcurl_easy easy, libcurl_giver value, void *context) {
  enum { option_giver = 20012, option_giver_context = 10009, option_seeker = 20167 };
  int code = library.easy_setopt(easy, option_giver, value);
  if (code == 0) code = library.easy_setopt(easy, option_giver_context, context);
  return code == 0 ? library.easy_setopt(easy, option_seeker, refuse_to_seek) : code;
}

long libcurl_easy_status(libcurl_easy easy) {
  long status = 0;
  library.easy_getinfo(easy, info_response_code, &status);
  return status;
}

long libcurl_easy_proxy_status(libcurl_easy easy) {
  long status = 0;
  library.easy_getinfo(easy, info_proxy_status, &status);
  return status;
}

long libcurl_easy_connection_count(libcurl_easy easy) {
  long count = 0;
  library.easy_getinfo(easy, info_connection_count, &count);
  return count;
}

bool libcurl_easy_may_have_tls_input(libcurl_easy easy) {
  enum { openssl = 1, gnutls = 2 };
  libcurl_tls *tls = NULL;
  library.easy_getinfo(easy, info_tls_session, &tls);
  if (!tls || !tls->session) return false;
  if (tls->library == openssl && openssl_has_pending) return openssl_has_pending(tls->session) != 0;
  if (tls->library == gnutls && gnutls_pending) return gnutls_pending(tls->session) != 0;
  return true;
}

long libcurl_easy_sent_count(libcurl_easy easy) {
  long count = 0;
  library.easy_getinfo(easy, info_request_size, &count);
  return count;
}

static libcurl_endpoint endpoint(libcurl_easy easy, int info_port, int info_address) {
  long port = 0;
  const char *address = NULL;
  library.easy_getinfo(easy, info_port, &port);
  library.easy_getinfo(easy, info_address, &address);
  return (libcurl_endpoint){.port = port, .address = address ? address : ""};
}

libcurl_endpoint libcurl_easy_local_endpoint(libcurl_easy easy) {
  return endpoint(easy, info_local_port, info_local_address);
}

libcurl_endpoint libcurl_easy_peer(libcurl_easy easy) {
  return endpoint(easy, info_peer_port, info_peer_address);
}

libcurl_pool libcurl_pool_make(void) {
  enum { option_share = 1, connections = 5 };
  libcurl_pool pool = library.share_init();
  if (pool && library.share_setopt(pool, option_share, connections) != 0) {
    library.share_cleanup(pool);
    return 0;
  }
  return pool;
}

void libcurl_pool_destroy(libcurl_pool pool) { library.share_cleanup(pool); }

int libcurl_easy_set_pool(libcurl_easy easy, libcurl_pool pool) {
  enum { option_share = 10100 };
  return library.easy_setopt(easy, option_share, (void *)pool);
}

// `struct curl_slist` of <curl/curl.h>.
typedef struct libcurl_line {
  char *text;
  struct libcurl_line *next;
} libcurl_line;

libcurl_list libcurl_list_append(libcurl_list last, const char *line) {
  // libcurl walks from the given line to the end, which is one step.
  libcurl_list list = library.slist_append(last, line);
  if (list == 0 || last == 0) return list;
  return (libcurl_list)((libcurl_line *)last)->next;
}

void libcurl_list_destroy(libcurl_list list) { library.slist_free_all(list); }

libcurl_multi libcurl_multi_make(void) { return library.multi_init(); }
void libcurl_multi_destroy(libcurl_multi multi) { library.multi_cleanup(multi); }

int libcurl_multi_set_number(libcurl_multi multi, int option, long value) {
  return library.multi_setopt(multi, option, value);
}

int libcurl_multi_add(libcurl_multi multi, libcurl_easy easy) {
  return library.multi_add_handle(multi, easy);
}

int libcurl_multi_remove(libcurl_multi multi, libcurl_easy easy) {
  return library.multi_remove_handle(multi, easy);
}

int libcurl_multi_perform(libcurl_multi multi) {
  int running = 0;
  return library.multi_perform(multi, &running);
}

int libcurl_multi_wait(libcurl_multi multi, int milliseconds) {
  return library.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

int libcurl_multi_wake(libcurl_multi multi) { return library.multi_wakeup(multi); }

libcurl_easy libcurl_multi_next_ended(libcurl_multi multi, int *code) {
  int waiting = 0;
  libcurl_message *message;
  while ((message = library.multi_info_read(multi, &waiting))) {
    if (message->message == message_ended) {
      *code = message->data.code;
      return message->easy;
    }
  }
  return 0;
}

#else

// Elsewhere the system's own URLSession is safe, and this is not needed.
bool libcurl_is_available(void) { return false; }

#endif

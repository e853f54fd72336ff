// The functions of libcurl that the exchange on Linux needs.
//
// FoundationNetworking on Linux is itself made on libcurl, so wherever a program has the one, the
// other is in its process. It is found there by name: there is nothing to install for building, and
// where it is missing or too old, or on another system, `libcurl_is_available` says so.
//
// This is C because curl_easy_setopt takes any number of arguments of any type, which only C can
// call. Names and numbers are those of <curl/curl.h>, which no release of libcurl 7 or 8 changes.
#ifndef CINSTANTSEARCHCURL_H
#define CINSTANTSEARCHCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Handles are numbers, as nothing may be done with them but to give them back here. 0 is none.

/// One transfer.
typedef uintptr_t libcurl_easy;
/// Transfers that go on side by side, driven by one thread.
typedef uintptr_t libcurl_multi;
/// A thread that drives transfers.
typedef uintptr_t libcurl_driver;
/// The sockets of transfers that one thread drives.
typedef uintptr_t libcurl_sockets;
/// Connections that transfers share.
typedef uintptr_t libcurl_pool;
/// A list of lines.
typedef uintptr_t libcurl_list;

/// Receives `size * count` bytes; any other result ends the transfer.
typedef size_t (*libcurl_receiver)(
    const char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

/// Gives up to `size * count` bytes, 0 at the end.
typedef size_t (*libcurl_giver)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
/// Answers 0 for yes and 1 for no; the addresses and ports are those of both sides.
typedef int (*libcurl_question)(
    void *_Nullable context, char *_Nullable their_address, char *_Nullable our_address,
    int their_port, int our_port);
/// Any function, to be called by libcurl with the arguments of the option that it is set for.
typedef void (*libcurl_function)(void);

/// Whether libcurl 7.68 or later is in the process. No other function may be called before this has
/// said so.
bool libcurl_is_available(void);

/// Whether `libcurl_easy_set_question` works: since 7.80.
bool libcurl_asks_before_sending(void);

/// Whether the process is ending, in which case no transfers can be made any more.
bool libcurl_is_exiting(void);

/// Makes the calling thread known as the one that drives these transfers; 0 when there is no
/// memory, or the process is ending.
///
/// From here to `libcurl_driver_leave`, the end of the process waits until the thread calls
/// `libcurl_driver_stay_at_exit`, but not for long: libcurl's TLS library must not clean up while
/// the thread is inside of it.
libcurl_driver libcurl_driver_enter(libcurl_multi multi);
/// Does not return once the process is ending. To be called often, and after each wait.
void libcurl_driver_stay_at_exit(libcurl_driver driver);
/// Destroys the transfers, which must be empty, and lets the thread go.
void libcurl_driver_leave(libcurl_driver driver, libcurl_multi multi);

/// Keeps the calling thread from being ended by a write to a connection that the other side closed.
void libcurl_ignore_broken_pipes_on_this_thread(void);

libcurl_easy libcurl_easy_make(void);
void libcurl_easy_destroy(libcurl_easy easy);
int libcurl_easy_set_number(libcurl_easy easy, int option, long value);
int libcurl_easy_set_size(libcurl_easy easy, int option, int64_t value);
int libcurl_easy_set_text(libcurl_easy easy, int option, const char *_Nonnull value);
int libcurl_easy_set_bytes(libcurl_easy easy, int option, const void *_Nullable value);
int libcurl_easy_set_list(libcurl_easy easy, int option, libcurl_list value);
int libcurl_easy_set_receiver(
    libcurl_easy easy, int option, libcurl_receiver _Nonnull value);
int libcurl_easy_set_function(
    libcurl_easy easy, int option, libcurl_function _Nonnull value);
/// The status code of the last answer; 0 without one.
long libcurl_easy_status(libcurl_easy easy);
/// The status code of a proxy's answer to CONNECT; 0 without one.
long libcurl_easy_proxy_status(libcurl_easy easy);

/// Asks whether a request may be sent, each time when there is a connection for it.
int libcurl_easy_set_question(
    libcurl_easy easy, libcurl_question _Nonnull value, void *_Nullable context);
/// Has the body of a request taken from there, once and no second time.
int libcurl_easy_set_body(
    libcurl_easy easy, libcurl_giver _Nonnull value, void *_Nullable context);
/// How many connections a transfer made; 0 when it used only one that was there.
long libcurl_easy_connection_count(libcurl_easy easy);
/// Whether the TLS library has read bytes of the connection of a transfer that libcurl has not read:
/// one record can have the end of a response and more. `false` without TLS, and `true` if the
/// library is neither OpenSSL nor GnuTLS, or cannot be asked. Of two sessions, as through a proxy
/// over TLS, the inner one is asked.
bool libcurl_easy_may_have_tls_input(libcurl_easy easy);
/// How many bytes of requests have been sent for a transfer.
long libcurl_easy_sent_count(libcurl_easy easy);
/// One side of a connection.
typedef struct {
  /// 0 without a connection.
  long port;
  /// As text, for as long as the transfer does not go on; empty where it is not known.
  const char *_Nonnull address;
} libcurl_endpoint;
/// This side of the connection that a transfer uses.
libcurl_endpoint libcurl_easy_local_endpoint(libcurl_easy easy);
/// The other side of it.
libcurl_endpoint libcurl_easy_peer(libcurl_easy easy);

libcurl_sockets libcurl_sockets_make(void);
/// To be called once the transfers that had their sockets from there are destroyed.
void libcurl_sockets_destroy(libcurl_sockets sockets);
/// Has a transfer open its sockets there.
int libcurl_easy_set_sockets(libcurl_easy easy, libcurl_sockets sockets);
/// The socket of the connection that a transfer uses, which others may use too; -1 without.
int libcurl_sockets_find(libcurl_sockets sockets, libcurl_easy easy);
/// Whether a read from a socket would not wait: there are bytes, or the peer has ended.
bool libcurl_socket_has_input(int socket);
/// How many milliseconds ago bytes last came over a TCP connection; -1 for another kind of socket.
int64_t libcurl_socket_silence(int socket);
/// Whether a socket is open.
bool libcurl_sockets_has(libcurl_sockets sockets, int socket);

/// 0 when there is no memory.
libcurl_pool libcurl_pool_make(void);
/// Closes the connections; no transfer may use them.
void libcurl_pool_destroy(libcurl_pool pool);
/// Has a transfer that does not go on use the connections of a pool; 0 for none.
int libcurl_easy_set_pool(libcurl_easy easy, libcurl_pool pool);

/// Adds a copy of a line after the last line of a list and gives the new last line; 0 when there is
/// no memory, and the list is as it was. The first line of a list, added after 0, is the list.
libcurl_list libcurl_list_append(
    libcurl_list last, const char *_Nonnull line);
void libcurl_list_destroy(libcurl_list list);

libcurl_multi libcurl_multi_make(void);
void libcurl_multi_destroy(libcurl_multi multi);
int libcurl_multi_set_number(libcurl_multi multi, int option, long value);
int libcurl_multi_add(libcurl_multi multi, libcurl_easy easy);
int libcurl_multi_remove(libcurl_multi multi, libcurl_easy easy);
/// Does what can be done without waiting.
int libcurl_multi_perform(libcurl_multi multi);
/// Waits until there is something to do, or until it is woken.
int libcurl_multi_wait(libcurl_multi multi, int milliseconds);
/// Ends a wait, present or next; the one function that any thread may call at any time.
int libcurl_multi_wake(libcurl_multi multi);
/// The next transfer that has ended, with the code it ended with; 0 when there is none.
libcurl_easy libcurl_multi_next_ended(
    libcurl_multi multi, int *_Nonnull code);

/// Whether zlib is in the process, as libcurl brings it along.
bool zlib_is_available(void);

/// What decompresses one stream of gzip or zlib; 0 is none.
typedef uintptr_t zlib_stream;

zlib_stream zlib_make(void);
void zlib_destroy(zlib_stream stream);
/// Decompresses until the input or the room for output is used up: 0 when there may be more, 1 at
/// the end of the stream, -1 for a stream that is damaged. The counts say how much of both was
/// used.
int zlib_step(
    zlib_stream stream, const uint8_t *_Nullable input, size_t input_size,
    size_t *_Nonnull input_count, uint8_t *_Nonnull output, size_t output_size,
    size_t *_Nonnull output_count);

#endif

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
/// A list of lines.
typedef uintptr_t libcurl_list;

/// Receives `size * count` bytes; any other result ends the transfer.
typedef size_t (*libcurl_receiver)(
    const char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

/// Whether libcurl 7.68 or later is in the process. No other function may be called before this has
/// said so.
bool libcurl_is_available(void);

/// Whether a transfer can be ended at once while the name of its host is being resolved: since 7.87.
bool libcurl_ends_during_lookup(void);

/// Whether the process is ending, in which case no transfers can be made any more.
bool libcurl_is_exiting(void);

/// Makes the calling thread known as the one that drives these transfers; 0 when there is no memory.
///
/// From here to `libcurl_driver_leave`, the end of the process waits until the thread calls
/// `libcurl_driver_stay_at_exit`, but not for long: libcurl's TLS library must not clean up while the
/// thread is inside of it.
libcurl_driver libcurl_driver_enter(libcurl_multi multi);
/// Does not return once the process is ending. To be called often, and after each wait.
void libcurl_driver_stay_at_exit(libcurl_driver driver);
/// Destroys the transfers, which must be empty, and lets the thread go.
void libcurl_driver_leave(libcurl_driver driver, libcurl_multi multi);

/// Keeps the calling thread from being ended by a write to a connection that the other side closed.
void libcurl_ignore_broken_pipes_on_this_thread(void);

libcurl_easy libcurl_easy_make(void);
void libcurl_easy_reset(libcurl_easy easy);
void libcurl_easy_destroy(libcurl_easy easy);
int libcurl_easy_set_number(libcurl_easy easy, int option, long value);
int libcurl_easy_set_size(libcurl_easy easy, int option, int64_t value);
int libcurl_easy_set_text(libcurl_easy easy, int option, const char *_Nonnull value);
int libcurl_easy_set_bytes(libcurl_easy easy, int option, const void *_Nullable value);
int libcurl_easy_set_list(libcurl_easy easy, int option, libcurl_list value);
int libcurl_easy_set_receiver(
    libcurl_easy easy, int option, libcurl_receiver _Nonnull value);
/// The status code of the last answer; 0 without one.
long libcurl_easy_status(libcurl_easy easy);

/// Whether the name of the host has been looked up.
bool libcurl_easy_has_address(libcurl_easy easy);
/// Whether there is a connection to the host, secured where it is to be.
bool libcurl_easy_is_connected(libcurl_easy easy);

/// The list with a copy of the line at its end; 0 when there is no memory, and the list is as it was.
libcurl_list libcurl_list_append(
    libcurl_list list, const char *_Nonnull line);
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

#endif

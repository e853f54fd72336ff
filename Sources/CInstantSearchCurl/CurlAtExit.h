// What the end of the process needs to know; see CurlAtExit.c.
#ifndef CINSTANTSEARCHCURL_AT_EXIT_H
#define CINSTANTSEARCHCURL_AT_EXIT_H

#include "CInstantSearchCurl.h"

/// Asks OpenSSL to leave its memory alone at exit; to be called before libcurl sets it up.
void libcurl_prepare_tls(void);

/// Stops the threads that drive transfers at exit; to be called once libcurl has set up its TLS
/// library, as handlers run in the reverse of the order in which they were registered.
bool libcurl_watch_exit(int (*wake)(libcurl_multi));

#endif

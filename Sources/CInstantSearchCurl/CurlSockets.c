#define _GNU_SOURCE
#include "CInstantSearchCurl.h"

#if defined(__linux__)

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// libcurl reports the socket of a transfer only when the transfer has ended by itself. So sockets
// are opened here, and that of a transfer is found by both ends of its connection, which libcurl
// always reports. One local port may belong to several connections with different peers.

typedef struct {
  int *items;
  size_t count;
  size_t capacity;
} sockets;

// What <curl/curl.h> calls curl_sockaddr.
typedef struct {
  int family;
  int type;
  int protocol;
  unsigned int address_size;
  struct sockaddr address;
} socket_order;

static int open_socket(void *context, int purpose, socket_order *order) {
  (void)purpose;
  sockets *all = context;
  int descriptor = socket(order->family, order->type | SOCK_CLOEXEC, order->protocol);
  if (descriptor < 0) return -1;
  if (all->count == all->capacity) {
    size_t capacity = all->capacity ? 2 * all->capacity : 16;
    int *items = realloc(all->items, capacity * sizeof *items);
    if (!items) {
      close(descriptor);
      return -1;
    }
    all->items = items;
    all->capacity = capacity;
  }
  all->items[all->count++] = descriptor;
  return descriptor;
}

static int close_socket(void *context, int descriptor) {
  sockets *all = context;
  for (size_t i = 0; i < all->count; i++) {
    if (all->items[i] != descriptor) continue;
    all->items[i] = all->items[--all->count];
    break;
  }
  return close(descriptor);
}

libcurl_sockets libcurl_sockets_make(void) { return (libcurl_sockets)calloc(1, sizeof(sockets)); }

void libcurl_sockets_destroy(libcurl_sockets all) {
  free(((sockets *)all)->items);
  free((sockets *)all);
}

int libcurl_easy_set_sockets(libcurl_easy easy, libcurl_sockets all) {
  enum { option_opener = 20163, option_opener_context = 10164 };
  enum { option_closer = 20208, option_closer_context = 10209 };
  int code = libcurl_easy_set_bytes(easy, option_opener_context, (void *)all);
  if (code == 0) code = libcurl_easy_set_function(easy, option_opener, (libcurl_function)open_socket);
  if (code == 0) code = libcurl_easy_set_bytes(easy, option_closer_context, (void *)all);
  if (code == 0) code = libcurl_easy_set_function(easy, option_closer, (libcurl_function)close_socket);
  return code;
}

typedef union {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
} socket_address;

static bool is_at(const socket_address *address, libcurl_endpoint wanted) {
  char text[INET6_ADDRSTRLEN] = "";
  in_port_t port = 0;
  if (address->any.sa_family == AF_INET) {
    port = address->v4.sin_port;
    inet_ntop(AF_INET, &address->v4.sin_addr, text, sizeof text);
  } else if (address->any.sa_family == AF_INET6) {
    port = address->v6.sin6_port;
    inet_ntop(AF_INET6, &address->v6.sin6_addr, text, sizeof text);
  }
  return ntohs(port) == wanted.port && (!*wanted.address || strcmp(text, wanted.address) == 0);
}

int libcurl_sockets_find(libcurl_sockets all, libcurl_easy easy) {
  libcurl_endpoint here = libcurl_easy_local_endpoint(easy), there = libcurl_easy_peer(easy);
  if (here.port <= 0 || there.port <= 0) return -1;
  const sockets *open = (sockets *)all;
  for (size_t i = 0; i < open->count; i++) {
    socket_address address;
    socklen_t size = sizeof address;
    if (getsockname(open->items[i], &address.any, &size) != 0 || !is_at(&address, here)) continue;
    size = sizeof address;
    if (getpeername(open->items[i], &address.any, &size) != 0 || !is_at(&address, there)) continue;
    return open->items[i];
  }
  return -1;
}

bool libcurl_sockets_has(libcurl_sockets all, int socket) {
  const sockets *open = (sockets *)all;
  for (size_t i = 0; i < open->count; i++) {
    if (open->items[i] == socket) return true;
  }
  return false;
}

bool libcurl_socket_has_input(int socket) {
  char byte;
  return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

int64_t libcurl_socket_silence(int socket) {
  struct tcp_info info;
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -1;
  return info.tcpi_last_data_recv;
}

#endif

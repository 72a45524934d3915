/* What Swift asks of a connection's socket. */
#ifndef SKAN_SOCKETS_H
#define SKAN_SOCKETS_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* The start of <linux/tcp.h>'s struct tcp_info, which stays as it is. That of <netinet/tcp.h> ends before these, and
 * the two headers cannot be read together. */
struct system_tcp_head {
    unsigned char before[128];
    uint64_t bytes_received;
    unsigned char between[64];
    uint64_t bytes_sent;
};

/* False where the kernel does not tell. */
static inline _Bool system_tcp_counts(int socket, uint64_t *received, uint64_t *sent) {
    struct system_tcp_head counts;
    socklen_t length = sizeof counts;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &counts, &length) != 0 || length < sizeof counts) return 0;
    *received = counts.bytes_received;
    *sent = counts.bytes_sent;
    return 1;
}

/* Whether it is a socket that listens for connections. From now on no call waits for one. */
static inline _Bool system_takes_connections(int listener) {
    int kind = 0, listens = 0;
    socklen_t length = sizeof kind;
    if (getsockopt(listener, SOL_SOCKET, SO_TYPE, &kind, &length) != 0 || kind != SOCK_STREAM) return 0;
    if (getsockopt(listener, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 || !listens) return 0;
    const int flags = fcntl(listener, F_GETFL);
    return flags >= 0 && fcntl(listener, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* Whether anybody has connected whom nobody has accepted yet. */
static inline _Bool system_is_waiting(int listener) {
    struct pollfd waiting = {.fd = listener, .events = POLLIN};
    return poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0;
}

/* A connection that no program inherits and no call waits for; -1 and errno. glibc has accept4 with _GNU_SOURCE. */
int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags);
static inline int system_accept(int listener, struct sockaddr *address, socklen_t *size) {
    return accept4(listener, address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/* Both ends of a connection within the process; 0, or -1 and errno. */
static inline int system_connection(int *one, int *other) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -1;
    *one = ends[0];
    *other = ends[1];
    return 0;
}

/* From now on nobody can connect: what comes to the listener is dropped. Who has connected, or waits to be accepted,
 * stays. */
static inline _Bool system_refuse_connections(int listener) {
    struct sock_filter nothing = {.code = BPF_RET | BPF_K, .k = 0};
    const struct sock_fprog program = {.len = 1, .filter = &nothing};
    return setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
}

/* Bytes that came and were not read, and bytes on their way out; -1 where that is not known. */
static inline int system_unread(int socket) {
    int count = 0;
    return ioctl(socket, FIONREAD, &count) == 0 ? count : -1;
}
static inline int system_unsent(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}

#endif

/* What Swift asks of a connection's socket. */
#ifndef SKAN_SOCKETS_H
#define SKAN_SOCKETS_H

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
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

/* Connections that nobody has accepted yet; -1 where the kernel does not tell. */
static inline int system_waiting(int listener) {
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    /* Of a listener that is what this member tells. */
    return getsockopt(listener, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? (int)info.tcpi_unacked : -1;
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

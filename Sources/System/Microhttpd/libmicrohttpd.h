/* libmicrohttpd as Swift can call it: its functions with a variable number of arguments. */
#ifndef SKAN_LIBMICROHTTPD_H
#define SKAN_LIBMICROHTTPD_H

/* First: what both have of libc then belongs to that module, whichever is imported. */
#include "../Libc/system.h"

#include <microhttpd.h>
#include <stdarg.h>

struct skan_mhd_settings {
    int listener;
    unsigned threads;
    unsigned connections;          /* at most, in all */
    unsigned connections_per_peer; /* 0 = no limit */
    unsigned idle_seconds;
    size_t header_bytes;
};

/* All get the context first. */
struct skan_mhd_callbacks {
    void *context;
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback end;
    MHD_NotifyConnectionCallback watch;
};

/* It tells of every client that goes away early; there is nothing to be done about it. */
static inline void skan_mhd_be_silent(void *context, const char *format, va_list values) {
    (void)context;
    (void)format;
    (void)values;
}

static inline struct MHD_Daemon *skan_mhd_start(struct skan_mhd_settings settings, struct skan_mhd_callbacks calls) {
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG | MHD_USE_TURBO;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, calls.handle, calls.context, MHD_OPTION_EXTERNAL_LOGGER, skan_mhd_be_silent, NULL,
        MHD_OPTION_LISTEN_SOCKET, settings.listener, MHD_OPTION_THREAD_POOL_SIZE, settings.threads,
        MHD_OPTION_CONNECTION_LIMIT, settings.connections, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        settings.connections_per_peer, MHD_OPTION_CONNECTION_TIMEOUT, settings.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings.header_bytes, MHD_OPTION_URI_LOG_CALLBACK, calls.begin,
        calls.context, MHD_OPTION_NOTIFY_COMPLETED, calls.end, calls.context, MHD_OPTION_NOTIFY_CONNECTION,
        calls.watch, calls.context, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

/* -1 where it is not known. */
static inline int skan_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* What `watch` keeps with a connection. */
static inline void *skan_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline size_t skan_mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

#endif

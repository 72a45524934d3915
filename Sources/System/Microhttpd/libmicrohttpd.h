/* libmicrohttpd as Swift can call it: its functions with a variable number of arguments. */
#ifndef SKAN_LIBMICROHTTPD_H
#define SKAN_LIBMICROHTTPD_H

/* First: what both have of libc then belongs to that module, whichever is imported. */
#include "../Libc/system.h"

#include <microhttpd.h>
#include <stdarg.h>
#include <string.h>

struct skan_mhd_settings {
    int listener; /* -1: connections are only added */
    unsigned threads;
    unsigned connections; /* at most, in all */
    unsigned idle_seconds;
    size_t header_bytes;
};

/* All get the context first. */
struct skan_mhd_callbacks {
    void *context;
    MHD_AcceptPolicyCallback admit;
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback end;
    MHD_NotifyConnectionCallback watch;
    MHD_LogCallback listen;
};

static inline struct MHD_Daemon *skan_mhd_start(struct skan_mhd_settings settings, struct skan_mhd_callbacks calls) {
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_TURBO;
    struct MHD_OptionItem more[] = {
        {.option = MHD_OPTION_END}, {.option = MHD_OPTION_END}, {.option = MHD_OPTION_END}};
    int count = 0;
    if (settings.listener < 0) {
        flags |= MHD_USE_NO_LISTEN_SOCKET;
    } else {
        more[count].option = MHD_OPTION_LISTEN_SOCKET;
        more[count++].value = settings.listener;
    }
    /* From version 1.0 on the library joins folded lines, so that only it can refuse them. */
    if (strncmp(MHD_get_version(), "0.", 2) != 0) {
        more[count].option = MHD_OPTION_STRICT_FOR_CLIENT;
        more[count++].value = 1;
    }
    return MHD_start_daemon(
        flags, 0, calls.admit, calls.context, calls.handle, calls.context, MHD_OPTION_EXTERNAL_LOGGER, calls.listen,
        calls.context, MHD_OPTION_ARRAY, more, MHD_OPTION_THREAD_POOL_SIZE, settings.threads,
        MHD_OPTION_CONNECTION_LIMIT, settings.connections, MHD_OPTION_CONNECTION_TIMEOUT, settings.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings.header_bytes, MHD_OPTION_URI_LOG_CALLBACK, calls.begin,
        calls.context, MHD_OPTION_NOTIFY_COMPLETED, calls.end, calls.context, MHD_OPTION_NOTIFY_CONNECTION,
        calls.watch, calls.context, MHD_OPTION_END);
}

/* Of the target that `begin` is shown: the library finds no query behind it. It would make an item of each part, in the
 * memory that the head has, and where that is full wait for what never comes. The bytes are its own: it writes there
 * itself when `begin` is back. */
static inline void skan_mhd_hide_query(const char *target) {
    char *mark = target ? strchr((char *)(uintptr_t)target, '?') : NULL;
    if (mark && mark[1]) mark[1] = '\0';
}

/* -1 where it is not known. */
static inline int skan_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *skan_mhd_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* What `watch` keeps with a connection. */
static inline void *skan_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* 0 until the headers have come. */
static inline size_t skan_mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/* The first one that has come; NULL where there is none. */
static inline const char *skan_mhd_content_length(struct MHD_Connection *connection) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
}

#endif

#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* A connection, as microhttpd's socket context. */
typedef struct peer {
    struct peer *next, *before; /* of all that are open */
    int socket;
    uint64_t start;
    _Atomic uint64_t waiting_since; /* for the rest of a request; 0 = it is there, and being answered */
    atomic_bool was_cut;            /* for it took too long */
    bool was_answered;              /* by a response, whole or not, at least once */
    uint64_t consumed;              /* bytes that were read as requests, at most */
} peer;

struct http_server {
    struct MHD_Daemon *daemon;
    http_settings settings;
    uint16_t port;
    atomic_uint connections;
    atomic_uint accepted; /* connections since the start */
    atomic_uint requests;
    atomic_bool is_ending;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t stop;
    peer *peers;
    bool is_stopped;
    pthread_t watchman;
};

/* A request on its way in. */
typedef struct incoming {
    char *target; /* path and query, cut at the `?` */
    char *query;
    const http_route *route;
    unsigned refusal; /* the status it is refused with, 0 = none */
    bool is_begun;    /* its headers were seen */
    bool is_answered;
    char *body;
    size_t length, capacity;
    uint64_t start;
} incoming;

static uint64_t now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* ------------------------------------------------------------------------------------------------------------ items */

static int digit_of(char byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* Decodes up to `end`. False where it does not fit, or holds what a C string cannot. */
static bool decode(const char *text, const char *end, char *out, size_t size) {
    size_t length = 0;
    while (text < end) {
        char byte = *text == '+' ? ' ' : *text;
        if (*text == '%' && end - text > 2 && digit_of(text[1]) >= 0 && digit_of(text[2]) >= 0) {
            byte = (char)(digit_of(text[1]) * 16 + digit_of(text[2]));
            text += 2;
        }
        text++;
        if (length + 1 >= size || byte == '\0') return false;
        out[length++] = byte;
    }
    out[length] = '\0';
    return true;
}

bool http_item(const http_request *request, const char *name, char *value, size_t size) {
    char key[64];
    for (const char *item = request->query; *item;) {
        const char *end = item + strcspn(item, "&");
        const char *equals = memchr(item, '=', (size_t)(end - item));
        if (!equals) equals = end;
        if (decode(item, equals, key, sizeof key) && strcmp(key, name) == 0)
            return decode(equals < end ? equals + 1 : end, end, value, size);
        item = *end ? end + 1 : end;
    }
    return false;
}

const char *http_header(const http_request *request, const char *name) {
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* --------------------------------------------------------------------------------------------------------- requests */

static peer *peer_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* microhttpd closes connections in silence where a request stays half-sent or cannot be read at all. Its client is told
 * why, if the socket takes it at once: the connection is closed behind this. */
static void say_farewell(http_server *server, struct MHD_Connection *connection, const peer *peer, unsigned status) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char text[128];
    int length = snprintf(text, sizeof text, "HTTP/1.1 %u %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", status,
                          MHD_get_reason_phrase_for(status));
    if (info) (void)!send(info->connect_fd, text, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (!server->settings.answered) return;
    const http_request unread = {
        .server = server, .method = "", .path = "", .query = "", .body = "", .connection = connection};
    const http_answer answer = {.status = status, .outcome = "refused"};
    server->settings.answered(server->settings.context, NULL, &unread, &answer, now_microseconds() - peer->start);
}

/* The request line has come: microhttpd would cut the query into items and keep no whole one. */
static void *begin(void *context, const char *target, struct MHD_Connection *connection) {
    http_server *server = context;
    (void)connection;
    incoming *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    request->target = strdup(target);
    if (!request->target) {
        free(request);
        return NULL;
    }
    char *mark = strchr(request->target, '?');
    if (mark) *mark = '\0';
    request->query = mark ? mark + 1 : request->target + strlen(request->target);
    request->start = now_microseconds();
    atomic_fetch_add(&server->requests, 1);
    return request;
}

static void end(void *context, struct MHD_Connection *connection, void **state,
                enum MHD_RequestTerminationCode reason) {
    http_server *server = context;
    incoming *request = *state;
    if (!request) return;
    peer *peer = peer_of(connection);
    if (peer && !request->is_answered &&
        (reason == MHD_REQUEST_TERMINATED_TIMEOUT_REACHED || atomic_load(&peer->was_cut))) {
        say_farewell(server, connection, peer, MHD_HTTP_REQUEST_TIMEOUT);
        peer->was_answered = true;
    }
    if (peer) atomic_store(&peer->waiting_since, now_microseconds());
    atomic_fetch_sub(&server->requests, 1);
    free(request->target);
    free(request->body);
    free(request);
    *state = NULL;
}

static bool fits(const char *pattern, const char *path) {
    size_t length = strlen(pattern);
    return length > 0 && pattern[length - 1] == '*' ? strncmp(pattern, path, length - 1) == 0
                                                    : strcmp(pattern, path) == 0;
}

static bool takes(const http_route *route, const char *method) {
    return strcmp(route->method, method) == 0 ||
           (strcmp(route->method, MHD_HTTP_METHOD_GET) == 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) == 0);
}

/* The route of a request; its refusal where there is none for the path, or for the method. */
static void find_route(const http_server *server, incoming *request, const char *method) {
    request->refusal = MHD_HTTP_NOT_FOUND;
    for (size_t i = 0; i < server->settings.route_count; i++) {
        const http_route *route = &server->settings.routes[i];
        if (!fits(route->path, request->target)) continue;
        request->route = route;
        request->refusal = takes(route, method) ? 0 : MHD_HTTP_METHOD_NOT_ALLOWED;
        if (request->refusal == 0) return;
    }
}

/* Whether the body is said to be, or is, too large. */
static void check_length(const http_server *server, incoming *request, struct MHD_Connection *connection) {
    const char *said = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (request->refusal == 0 && said && strtoull(said, NULL, 10) > server->settings.body_bytes)
        request->refusal = MHD_HTTP_CONTENT_TOO_LARGE;
}

static void take_body(const http_server *server, incoming *request, const char *data, size_t size) {
    if (request->refusal != 0) return;
    if (size > server->settings.body_bytes - request->length) {
        request->refusal = MHD_HTTP_CONTENT_TOO_LARGE;
        return;
    }
    if (request->length + size > request->capacity) {
        size_t capacity = request->capacity ? request->capacity : 1024;
        while (capacity < request->length + size) capacity *= 2;
        char *grown = realloc(request->body, capacity);
        if (!grown) {
            request->refusal = MHD_HTTP_SERVICE_UNAVAILABLE;
            return;
        }
        request->body = grown;
        request->capacity = capacity;
    }
    memcpy(request->body + request->length, data, size);
    request->length += size;
}

static void refuse(http_answer *answer, unsigned status) {
    answer->status = status;
    answer->type = "text/plain; charset=utf-8";
    answer->outcome = "refused";
    if (asprintf(&answer->body, "%s\n", MHD_get_reason_phrase_for(status)) < 0) answer->body = NULL;
    answer->length = answer->body ? strlen(answer->body) : 0;
}

/* Whether more has come on a connection than the requests that were read. What cannot be told counts as more. */
static bool has_more(const peer *peer) {
    struct tcp_info state = {0};
    socklen_t length = sizeof state;
    return !peer || getsockopt(peer->socket, IPPROTO_TCP, TCP_INFO, &state, &length) != 0 ||
           state.tcpi_bytes_received > peer->consumed;
}

static enum MHD_Result send_answer(http_server *server, struct MHD_Connection *connection, incoming *request,
                                   const http_answer *answer, bool is_last) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer->length, answer->body, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(answer->body);
        return MHD_NO;
    }
    if (answer->type) MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED && request->route)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, request->route->method);
    peer *peer = peer_of(connection);
    const union MHD_ConnectionInfo *head = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (peer) peer->consumed += (head ? head->header_size : 0) + request->length;
    /* Requests that were sent one behind the other are all answered. */
    if (is_last || (atomic_load_explicit(&server->is_ending, memory_order_relaxed) && !has_more(peer)))
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    enum MHD_Result result = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    if (peer) peer->was_answered = true;
    request->is_answered = true;
    return result;
}

/* Called when the headers have come, for each part of the body, and at the end of it. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **state) {
    http_server *server = context;
    incoming *request = *state;
    (void)url;
    (void)version;
    if (!request) return MHD_NO;
    if (!request->is_begun) {
        request->is_begun = true;
        find_route(server, request, method);
        check_length(server, request, connection);
        if (request->refusal == 0) return MHD_YES;
    } else if (*size > 0) {
        take_body(server, request, data, *size);
        *size = 0;
        return MHD_YES;
    }

    peer *peer = peer_of(connection);
    if (peer) atomic_store(&peer->waiting_since, 0);
    http_request whole = {.server = server,
                          .method = method,
                          .path = request->target,
                          .query = request->query,
                          .body = request->body ? request->body : "",
                          .length = request->length,
                          .connection = connection};
    http_answer answer = {0};
    /* What is refused is not read any further. */
    bool is_last = request->refusal != 0;
    if (request->refusal)
        refuse(&answer, request->refusal);
    else
        request->route->handle(request->route->context, &whole, &answer);
    const http_route *route = request->refusal == MHD_HTTP_NOT_FOUND ? NULL : request->route;
    if (server->settings.answered)
        server->settings.answered(server->settings.context, route, &whole, &answer,
                                  now_microseconds() - request->start);
    return send_answer(server, connection, request, &answer, is_last);
}

/* ------------------------------------------------------------------------------------------------------ connections */

/* Whether microhttpd has answered by itself, as it does where it can read enough of a request to see what is wrong. */
static bool has_sent(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct tcp_info state = {0};
    socklen_t length = sizeof state;
    int waiting = 0; /* bytes on their way out */
    return !info || getsockopt(info->connect_fd, IPPROTO_TCP, TCP_INFO, &state, &length) != 0 ||
           ioctl(info->connect_fd, SIOCOUTQ, &waiting) != 0 || state.tcpi_bytes_sent > 0 || waiting > 0;
}

static peer *add_peer(http_server *server, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    peer *added = info ? calloc(1, sizeof *added) : NULL;
    if (!added) return NULL;
    added->socket = info->connect_fd;
    added->start = now_microseconds();
    atomic_init(&added->waiting_since, added->start);
    pthread_mutex_lock(&server->mutex);
    added->next = server->peers;
    if (added->next) added->next->before = added;
    server->peers = added;
    pthread_mutex_unlock(&server->mutex);
    return added;
}

static void remove_peer(http_server *server, peer *peer) {
    if (!peer) return;
    pthread_mutex_lock(&server->mutex);
    if (peer->next) peer->next->before = peer->before;
    if (peer->before)
        peer->before->next = peer->next;
    else
        server->peers = peer->next;
    pthread_mutex_unlock(&server->mutex);
    free(peer);
}

static void watch_connection(void *context, struct MHD_Connection *connection, void **state,
                             enum MHD_ConnectionNotificationCode code) {
    http_server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        atomic_fetch_add(&server->connections, 1);
        atomic_fetch_add(&server->accepted, 1);
        *state = add_peer(server, connection);
        return;
    }
    peer *peer = *state;
    if (peer && !peer->was_answered && !has_sent(connection)) {
        bool was_silent = now_microseconds() - peer->start >= (uint64_t)server->settings.idle_seconds * 1000000;
        say_farewell(server, connection, peer, was_silent ? MHD_HTTP_REQUEST_TIMEOUT : MHD_HTTP_BAD_REQUEST);
    }
    remove_peer(server, peer);
    *state = NULL;
    atomic_fetch_sub(&server->connections, 1);
}

/* microhttpd's timeout begins anew with every byte: whoever sends one now and then would keep a connection for ever. */
static void cut_slow_peers(http_server *server) {
    uint64_t now = now_microseconds();
    uint64_t longest = (uint64_t)server->settings.idle_seconds * 2000000;
    for (peer *peer = server->peers; peer; peer = peer->next) {
        uint64_t since = atomic_load(&peer->waiting_since);
        if (since == 0 || since > now || now - since < longest || atomic_exchange(&peer->was_cut, true)) continue;
        /* To microhttpd it has hung up; it can still be told why. */
        shutdown(peer->socket, SHUT_RD);
    }
}

static void *watch(void *context) {
    http_server *server = context;
    pthread_mutex_lock(&server->mutex);
    while (!server->is_stopped) {
        struct timespec end;
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_nsec += 500000000;
        if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&server->stop, &server->mutex, &end);
        cut_slow_peers(server);
    }
    pthread_mutex_unlock(&server->mutex);
    return NULL;
}

static bool start_watchman(http_server *server) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&server->mutex, NULL);
    pthread_cond_init(&server->stop, &attributes);
    pthread_condattr_destroy(&attributes);
    return pthread_create(&server->watchman, NULL, watch, server) == 0;
}

static void stop_watchman(http_server *server) {
    pthread_mutex_lock(&server->mutex);
    server->is_stopped = true;
    pthread_cond_signal(&server->stop);
    pthread_mutex_unlock(&server->mutex);
    pthread_join(server->watchman, NULL);
}

static void free_server(http_server *server) {
    pthread_cond_destroy(&server->stop);
    pthread_mutex_destroy(&server->mutex);
    free(server);
}

/* microhttpd tells of every client that goes away early; there is nothing to be done about it. */
static void be_silent(void *context, const char *format, va_list values) {
    (void)context;
    (void)format;
    (void)values;
}

static int listen_at(const http_settings *settings, uint16_t *port, char *message, size_t size) {
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(settings->port)};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(settings->port)};
    bool is_four = inet_pton(AF_INET, settings->address, &four.sin_addr) == 1;
    if (!is_four && inet_pton(AF_INET6, settings->address, &six.sin6_addr) != 1) {
        snprintf(message, size, "expected a numeric IPv4 or IPv6 address, got \"%s\"", settings->address);
        return -1;
    }
    int listener = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;
    struct sockaddr *address = is_four ? (struct sockaddr *)&four : (struct sockaddr *)&six;
    socklen_t length = is_four ? sizeof four : sizeof six;
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(listener, address, length) != 0 || listen(listener, 1024) != 0 ||
        getsockname(listener, address, &length) != 0) {
        snprintf(message, size, "cannot listen on %s port %u: %s", settings->address, (unsigned)settings->port,
                 strerror(errno));
        if (listener >= 0) close(listener);
        return -1;
    }
    *port = ntohs(is_four ? four.sin_port : six.sin6_port);
    return listener;
}

http_server *http_start(const http_settings *settings, char *message, size_t size) {
    http_server *server = calloc(1, sizeof *server);
    if (!server) {
        snprintf(message, size, "out of memory");
        return NULL;
    }
    server->settings = *settings;
    int listener = listen_at(settings, &server->port, message, size);
    if (listener < 0) {
        free(server);
        return NULL;
    }
    /* Each thread has its part of the connections; one without any would take them in and let them wait. */
    if (server->settings.threads > settings->connections) server->settings.threads = settings->connections;
    if (!start_watchman(server)) {
        snprintf(message, size, "cannot start a thread");
        close(listener);
        free_server(server);
        return NULL;
    }
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG | MHD_USE_TURBO;
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, handle, server, MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL, MHD_OPTION_LISTEN_SOCKET,
        listener, MHD_OPTION_THREAD_POOL_SIZE, server->settings.threads, MHD_OPTION_CONNECTION_LIMIT,
        settings->connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->connections_per_peer, MHD_OPTION_CONNECTION_TIMEOUT,
        settings->idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->header_bytes,
        MHD_OPTION_URI_LOG_CALLBACK, begin, server, MHD_OPTION_NOTIFY_COMPLETED, end, server,
        MHD_OPTION_NOTIFY_CONNECTION, watch_connection, server, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
    if (server->daemon) return server;
    snprintf(message, size, "cannot start on %s port %u: %s", settings->address, (unsigned)server->port,
             strerror(errno));
    stop_watchman(server);
    close(listener);
    free_server(server);
    return NULL;
}

uint16_t http_port(const http_server *server) { return server->port; }

void http_load(const http_server *server, unsigned *connections, unsigned *requests) {
    *connections = atomic_load(&((http_server *)server)->connections);
    *requests = atomic_load(&((http_server *)server)->requests);
}

/* Takes in the connections that waited in the listener's queue when it was taken from the server; answers how many. */
static unsigned take_in_waiting(http_server *server, int listener) {
    unsigned taken = 0;
    for (;;) {
        struct sockaddr_storage peer;
        socklen_t length = sizeof peer;
        int waiting = accept4(listener, (struct sockaddr *)&peer, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (waiting < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
        if (waiting < 0) return taken;
        if (MHD_add_connection(server->daemon, waiting, (struct sockaddr *)&peer, length) == MHD_YES) taken++;
    }
}

/* Whether nothing is under way: no request, nothing that came and was not read. */
static bool is_quiet(http_server *server) {
    bool is_quiet = atomic_load(&server->requests) == 0;
    pthread_mutex_lock(&server->mutex);
    for (peer *peer = server->peers; is_quiet && peer; peer = peer->next) {
        int unread = 0;
        is_quiet = ioctl(peer->socket, FIONREAD, &unread) != 0 || unread == 0;
    }
    pthread_mutex_unlock(&server->mutex);
    return is_quiet;
}

void http_stop(http_server *server, unsigned grace_ms) {
    atomic_store(&server->is_ending, true);
    int listener = MHD_quiesce_daemon(server->daemon);
    uint64_t start = now_microseconds();
    uint64_t quiet_since = start;
    /* A thread that takes one in tells of it later. */
    unsigned accepted = atomic_load(&server->accepted);
    if (listener >= 0) accepted += take_in_waiting(server, listener);
    /* It listens no more; the threads still take it out of what they watch. */
    if (listener >= 0) shutdown(listener, SHUT_RD);
    while (now_microseconds() - start < (uint64_t)grace_ms * 1000) {
        if (atomic_load(&server->accepted) < accepted || !is_quiet(server)) quiet_since = now_microseconds();
        /* Those left are idle: clients keep them for later. */
        uint64_t enough = atomic_load(&server->connections) == 0 ? 50000 : 250000;
        if (now_microseconds() - quiet_since > enough) break;
        usleep(5000);
    }
    /* First: it reaches for sockets that are closed by the other. */
    stop_watchman(server);
    MHD_stop_daemon(server->daemon);
    if (listener >= 0) close(listener);
    free_server(server);
}

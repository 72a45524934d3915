/* An HTTP server: routes, limits, an end that finishes what is in flight. */
#ifndef HTTP_H
#define HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct http_server http_server;

/* A request, whole. */
typedef struct http_request {
    const http_server *server;
    const char *method;
    const char *path;  /* without the query */
    const char *query; /* as it came, "" for none */
    const char *body;
    size_t length;
    struct MHD_Connection *connection;
} http_request;

/* The value of the first query item of a name, decoded, `+` as a space. False where there is none, or it does not
 * fit. */
bool http_item(const http_request *request, const char *name, char *value, size_t size);
/* The value of a header; NULL where there is none. */
const char *http_header(const http_request *request, const char *name);

typedef struct http_answer {
    unsigned status;
    const char *type;    /* a static string */
    char *body;          /* of malloc, freed by the server; NULL = none */
    size_t length;       /* of the body */
    const char *outcome; /* for logs and metrics; a static string */
} http_answer;

/* Called by any of the server's threads, several at once. The answer is all zero before. */
typedef void http_handler(void *context, const http_request *request, http_answer *answer);

typedef struct http_route {
    const char *method; /* "GET", which takes HEAD too, or "POST" */
    const char *path;   /* whole; or up to a `*` at its end */
    const char *name;   /* for logs and metrics */
    http_handler *handle;
    void *context;
} http_route;

typedef struct http_settings {
    const char *address; /* numeric, IPv4 or IPv6 */
    uint16_t port;       /* 0 = any free one */
    unsigned threads;
    unsigned connections;         /* at most, in all */
    unsigned connections_per_peer; /* 0 = no limit */
    unsigned idle_seconds;        /* for how long a connection may say nothing; twice as long for a request */
    size_t header_bytes;          /* of request line and headers, about */
    size_t body_bytes;
    const http_route *routes;
    size_t route_count;
    /* Told of each request that was answered, on a thread of the server; `route` is NULL where none fits. Method and
     * path are empty where they never came. */
    void (*answered)(void *context, const http_route *route, const http_request *request, const http_answer *answer,
                     uint64_t microseconds);
    void *context;
} http_settings;

/* The routes and the address have to outlive the server. NULL, and a message, where it cannot listen. */
http_server *http_start(const http_settings *settings, char *message, size_t size);
/* The port it listens on. */
uint16_t http_port(const http_server *server);
/* Connections that are open, and requests that are under way. */
void http_load(const http_server *server, unsigned *connections, unsigned *requests);
/* Takes no connection any more, answers what has come, for at most so many milliseconds, and ends. */
void http_stop(http_server *server, unsigned grace_ms);

#endif

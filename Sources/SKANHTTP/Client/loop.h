/* What drives the requests of a client: libcurl, the sockets it uses, and the moments when something is due. One thread
 * is in it at a time. */
#ifndef SKANHTTP_LOOP_H
#define SKANHTTP_LOOP_H

#include "request.h"

#include <poll.h>

typedef struct watched {
    curl_socket_t socket;
    short events; /* what libcurl waits for */
    bool is_open; /* a connection's: opened here, and closed here */
} watched;

enum { IDLE_HANDLES = 64 };

typedef struct loop {
    const skanhttp_settings *settings;
    CURLM *multi;
    CURLSH *share;
    CURL *idle[IDLE_HANDLES]; /* each lent to one request at a time */
    size_t idle_count;
    int wake[2]; /* a byte in the pipe ends waiting */
    watched *sockets;
    struct pollfd *polled;
    size_t count;
    size_t capacity;
    int64_t curl_acts_at; /* -1: never */
    request *active;      /* begun and not over */
    request *over;        /* to be told */
} loop;

/* NULL, and why, where there is no memory or no pipe. */
loop *skanhttp_loop_create(const skanhttp_settings *settings, char why[SKANHTTP_MESSAGE_SIZE]);
/* There must be no request in it. */
void skanhttp_loop_destroy(loop *loop);

/* Begins a request, which is in `active` already. */
void skanhttp_loop_begin(loop *loop, request *request);
/* Takes the request out of libcurl's hands, and its handle back; it stays in `active`. */
void skanhttp_loop_stop(loop *loop, request *request);

/* Does all that is due, without waiting. `is_over` is called for each request that is over. */
typedef void (*loop_is_over)(void *context, request *request);
void skanhttp_loop_act(loop *loop, loop_is_over is_over, void *context);

/* What to wait for: `polled`, how many of them, and how many milliseconds (-1: for ever). */
nfds_t skanhttp_loop_prepare_wait(loop *loop, int *milliseconds);
/* What came, after poll(). */
void skanhttp_loop_take(loop *loop, nfds_t count);

/* In the child of a fork: the connections are the parent's. Puts what takes and gives nothing into their place. */
void skanhttp_loop_disown(loop *loop);

#endif

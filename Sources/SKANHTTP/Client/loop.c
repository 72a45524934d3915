#define _GNU_SOURCE
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------------- sockets */

static watched *find(loop *loop, curl_socket_t socket) {
    for (size_t i = 0; i < loop->count; i++)
        if (loop->sockets[i].socket == socket) return &loop->sockets[i];
    return NULL;
}

static watched *find_or_add(loop *loop, curl_socket_t socket) {
    watched *found = find(loop, socket);
    if (found) return found;
    if (loop->count == loop->capacity) {
        const size_t capacity = loop->capacity ? loop->capacity * 2 : 16;
        watched *sockets = realloc(loop->sockets, capacity * sizeof *sockets);
        if (!sockets) return NULL;
        loop->sockets = sockets;
        struct pollfd *polled = realloc(loop->polled, (capacity + 1) * sizeof *polled);
        if (!polled) return NULL;
        loop->polled = polled;
        loop->capacity = capacity;
    }
    loop->sockets[loop->count] = (watched){socket, 0, false};
    return &loop->sockets[loop->count++];
}

static void forget(loop *loop, watched *socket) {
    *socket = loop->sockets[--loop->count];
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    loop *loop = context;
    int type = address->socktype;
#ifdef SOCK_CLOEXEC
    type |= SOCK_CLOEXEC;
#endif
    const int opened = socket(address->family, type, address->protocol);
    if (opened < 0) return CURL_SOCKET_BAD;
#ifndef SOCK_CLOEXEC
    fcntl(opened, F_SETFD, FD_CLOEXEC);
#endif
#ifdef TCP_USER_TIMEOUT
    /* Ends a connection whose other side is gone, so that later requests do not take it. */
    const unsigned unanswered_ms = loop->settings->attempt_timeout_ms;
    setsockopt(opened, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
#endif
    watched *socket = find_or_add(loop, opened);
    if (!socket) {
        close(opened);
        return CURL_SOCKET_BAD;
    }
    socket->is_open = true;
    return opened;
}

static int close_socket(void *context, curl_socket_t closed) {
    loop *loop = context;
    watched *socket = find(loop, closed);
    if (socket) forget(loop, socket);
    return close(closed);
}

static int watch_socket(CURL *easy, curl_socket_t watched_socket, int what, void *context, void *unused) {
    (void)easy;
    (void)unused;
    loop *loop = context;
    if (what == CURL_POLL_REMOVE) {
        watched *socket = find(loop, watched_socket);
        if (socket && socket->is_open) socket->events = 0;
        else if (socket) forget(loop, socket);
        return 0;
    }
    watched *socket = find_or_add(loop, watched_socket);
    if (!socket) return -1;
    socket->events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
    return 0;
}

static int set_timer(CURLM *multi, long milliseconds, void *context) {
    (void)multi;
    ((loop *)context)->curl_acts_at = milliseconds < 0 ? -1 : skanhttp_clock_now() + milliseconds;
    return 0;
}

/* ------------------------------------------------------------------------------------------------ making and ending */

static bool open_pipe(int ends[2]) {
#ifdef __linux__
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) return true;
#else
    if (pipe(ends) == 0) {
        for (int i = 0; i < 2; i++) {
            fcntl(ends[i], F_SETFD, FD_CLOEXEC);
            fcntl(ends[i], F_SETFL, O_NONBLOCK);
        }
        return true;
    }
#endif
    ends[0] = ends[1] = -1;
    return false;
}

static bool set_up(loop *loop) {
    loop->multi = curl_multi_init();
    loop->share = curl_share_init();
    if (!loop->multi || !loop->share) return false;
    const long connections = (long)loop->settings->max_connections;
    curl_multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, loop);
    curl_multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(loop->multi, CURLMOPT_TIMERDATA, loop);
    curl_multi_setopt(loop->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(loop->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
    curl_multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, connections);
    /* One thread at a time: it needs no locks. */
    return curl_share_setopt(loop->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK;
}

loop *skanhttp_loop_create(const skanhttp_settings *settings, char why[SKANHTTP_MESSAGE_SIZE]) {
    loop *made = calloc(1, sizeof *made);
    if (made) {
        made->settings = settings;
        made->curl_acts_at = -1;
        made->wake[0] = made->wake[1] = -1;
        made->polled = malloc(sizeof *made->polled);
        if (!open_pipe(made->wake)) snprintf(why, SKANHTTP_MESSAGE_SIZE, "pipe: %s", strerror(errno));
        else if (made->polled && set_up(made)) return made;
        else snprintf(why, SKANHTTP_MESSAGE_SIZE, "libcurl: out of memory");
        skanhttp_loop_destroy(made);
        return NULL;
    }
    snprintf(why, SKANHTTP_MESSAGE_SIZE, "out of memory");
    return NULL;
}

void skanhttp_loop_destroy(loop *loop) {
    while (loop->idle_count > 0) curl_easy_cleanup(loop->idle[--loop->idle_count]);
    if (loop->multi) curl_multi_cleanup(loop->multi);
    if (loop->share) curl_share_cleanup(loop->share);
    for (int i = 0; i < 2; i++)
        if (loop->wake[i] >= 0) close(loop->wake[i]);
    free(loop->sockets);
    free(loop->polled);
    free(loop);
}

/* --------------------------------------------------------------------------------------------------------- requests */

static void take_out(loop *loop, request *request) {
    if (request->is_under_way) curl_multi_remove_handle(loop->multi, request->easy);
    request->is_under_way = false;
}

/* As new: libcurl counts how often it sent a request again on another connection, and gives up at five, over all
 * requests of a handle that is not reset. */
static CURL *lend_handle(loop *loop, CURL *lent) {
    CURL *easy = lent ? lent : loop->idle_count > 0 ? loop->idle[--loop->idle_count] : curl_easy_init();
    if (!easy) return NULL;
    curl_easy_reset(easy);
    if (skanhttp_handle_set_up(easy, loop->settings) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_SHARE, loop->share) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, loop) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, loop) == CURLE_OK)
        return easy;
    curl_easy_cleanup(easy);
    return NULL;
}

static void take_handle_back(loop *loop, request *request) {
    CURL *easy = request->easy;
    if (!easy) return;
    request->easy = NULL;
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, NULL);
    if (loop->idle_count < IDLE_HANDLES) loop->idle[loop->idle_count++] = easy;
    else curl_easy_cleanup(easy);
}

/* True where an attempt is under way; else the request is over. */
static bool begin_attempt(loop *loop, request *request) {
    request->easy = lend_handle(loop, request->easy);
    if (!request->easy) {
        skanhttp_request_end(request, SKANHTTP_FAILED, "libcurl: a handle cannot be made");
        return false;
    }
    if (!skanhttp_request_prepare(request, loop->settings)) return false;
    const CURLMcode refused = curl_multi_add_handle(loop->multi, request->easy);
    if (refused != CURLM_OK) {
        skanhttp_request_end(request, SKANHTTP_FAILED, curl_multi_strerror(refused));
        return false;
    }
    request->is_under_way = true;
    return true;
}

void skanhttp_loop_begin(loop *loop, request *request) {
    (void)loop;
    request->acts_at = skanhttp_clock_now();
}

void skanhttp_loop_stop(loop *loop, request *request) {
    take_out(loop, request);
    take_handle_back(loop, request);
}

/* An attempt that took too long. */
static CURLcode give_up(loop *loop, request *request, int64_t now) {
    snprintf(request->words, sizeof request->words, "%s, with %zu bytes of the answer %s",
             curl_easy_strerror(CURLE_OPERATION_TIMEDOUT), request->header_bytes + request->length,
             now >= request->deadline ? "at the end of the whole time" : "at the end of the attempt's time");
    curl_easy_setopt(request->easy, CURLOPT_FORBID_REUSE, 1L);
    take_out(loop, request);
    return CURLE_OPERATION_TIMEDOUT;
}

static void act_on_time(loop *loop, loop_is_over is_over, void *context) {
    const int64_t now = skanhttp_clock_now();
    for (request *request = loop->active, *next; request; request = next) {
        next = request->next;
        if (request->acts_at > now) continue;
        const bool goes_on =
            request->is_under_way
                ? !skanhttp_request_attempt_ended(request, loop->settings, give_up(loop, request, now))
                : begin_attempt(loop, request);
        if (!goes_on) is_over(context, request);
    }
}

static void read_messages(loop *loop, loop_is_over is_over, void *context) {
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(loop->multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        const CURLcode code = message->data.result;
        request *request = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&request);
        take_out(loop, request);
        if (skanhttp_request_attempt_ended(request, loop->settings, code)) is_over(context, request);
    }
}

void skanhttp_loop_act(loop *loop, loop_is_over is_over, void *context) {
    int running;
    read_messages(loop, is_over, context);
    act_on_time(loop, is_over, context);
    if (loop->curl_acts_at >= 0 && skanhttp_clock_now() >= loop->curl_acts_at) {
        loop->curl_acts_at = -1;
        curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    read_messages(loop, is_over, context);
}

/* ---------------------------------------------------------------------------------------------------------- waiting */

nfds_t skanhttp_loop_prepare_wait(loop *loop, int *milliseconds) {
    int64_t acts_at = loop->curl_acts_at >= 0 ? loop->curl_acts_at : INT64_MAX;
    for (const request *request = loop->active; request; request = request->next)
        if (request->acts_at < acts_at) acts_at = request->acts_at;
    const int64_t now = skanhttp_clock_now();
    if (acts_at == INT64_MAX) *milliseconds = -1;
    else if (acts_at <= now) *milliseconds = 0;
    else *milliseconds = acts_at - now > INT_MAX ? INT_MAX : (int)(acts_at - now);

    nfds_t count = 0;
    loop->polled[count++] = (struct pollfd){loop->wake[0], POLLIN, 0};
    for (size_t i = 0; i < loop->count; i++)
        if (loop->sockets[i].events)
            loop->polled[count++] = (struct pollfd){loop->sockets[i].socket, loop->sockets[i].events, 0};
    return count;
}

void skanhttp_loop_take(loop *loop, nfds_t count) {
    char bytes[64];
    if (loop->polled[0].revents)
        while (read(loop->wake[0], bytes, sizeof bytes) > 0) {}
    /* Acting may add sockets, and so move the list. */
    for (nfds_t i = 1; i < count; i++) {
        const struct pollfd polled = loop->polled[i];
        if (!polled.revents) continue;
        const int what = (polled.revents & POLLIN ? CURL_CSELECT_IN : 0) |
                         (polled.revents & POLLOUT ? CURL_CSELECT_OUT : 0) |
                         (polled.revents & (POLLERR | POLLHUP | POLLNVAL) ? CURL_CSELECT_ERR : 0);
        int running;
        curl_multi_socket_action(loop->multi, polled.fd, what, &running);
    }
}

/* ------------------------------------------------------------------------------------------------------------- fork */

void skanhttp_loop_disown(loop *loop) {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (size_t i = 0; i < loop->count; i++) {
        const watched *socket = &loop->sockets[i];
        if (!socket->is_open) continue;
        if (nothing < 0 || dup2(nothing, socket->socket) < 0) close(socket->socket);
        else fcntl(socket->socket, F_SETFD, FD_CLOEXEC);
    }
    if (nothing >= 0) close(nothing);
    for (int i = 0; i < 2; i++) {
        close(loop->wake[i]);
        loop->wake[i] = -1;
    }
}

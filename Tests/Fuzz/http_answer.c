/* HTTP answers: any bytes that a server sends before it ends the connection, and well-formed answers of any status, size
 * and Retry-After, for which is known what becomes of them. A real server on this machine sends them. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <skan/http.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEY "the-sdk-key"

/* ------------------------------------------------------------------------------------------------------- the server */

static struct {
    pthread_mutex_t mutex;
    int listener, port, requests;
    const char *data;
    size_t size;
} server = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void serve_one(int connection) {
    char request[1024] = "";
    size_t length = 0;
    ssize_t got;
    while (!strstr(request, "\r\n\r\n")) {
        got = recv(connection, request + length, sizeof request - 1 - length, 0);
        if (got <= 0) return;
        length += (size_t)got;
        request[length] = '\0';
    }
    pthread_mutex_lock(&server.mutex);
    server.requests++;
    for (size_t sent = 0; sent < server.size; sent += (size_t)got) {
        got = send(connection, server.data + sent, server.size - sent, MSG_NOSIGNAL);
        if (got <= 0) break;
    }
    pthread_mutex_unlock(&server.mutex);
}

static void *serve(void *unused) {
    for (;;) {
        int connection = accept(server.listener, NULL, NULL);
        REQUIRE(connection >= 0);
        serve_one(connection);
        close(connection);
    }
    return unused;
}

static void start_server(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    server.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(bind(server.listener, (struct sockaddr *)&address, size) == 0 && listen(server.listener, 16) == 0);
    REQUIRE(getsockname(server.listener, (struct sockaddr *)&address, &size) == 0);
    server.port = ntohs(address.sin_port);
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, serve, NULL) == 0);
}

/* ---------------------------------------------------------------------------------------------------- the transport */

static int reports;
static char message[1024];

static bool is_failure(skan_status status) {
    return status == SKAN_ERROR_TRANSPORT || status == SKAN_ERROR_TRANSPORT_UNKNOWN ||
           status == SKAN_ERROR_LIMIT_EXCEEDED;
}

static void note(void *context, skan_status status, const char *words) {
    (void)context;
    REQUIRE(is_failure(status));
    REQUIRE(strlen(words) < 512);
    reports++;
    strcpy(message, words);
}

/* Less than a second: a Retry-After that is not over is never waited for. One for each input: what a server sends after
 * the end of an answer, it sends to the next request on that connection. */
static skan_transport opened(void) {
    if (server.port == 0) start_server();
    const skan_http_options options = {.size = sizeof options,
                                       .timeout_ms = 900,
                                       .max_attempts = 2,
                                       .backoff_ms = 1,
                                       .max_backoff_ms = 1,
                                       .proxy = "",
                                       .report = note};
    skan_transport transport;
    skan_error *error = NULL;
    REQUIRE(settled(skan_http_transport_open(&options, &transport, &error), error) == SKAN_OK);
    return transport;
}

/* What came of an answer, and of how many requests. False: the machine was too slow to tell. */
static bool get(const char *data, size_t size, skan_status *status, skan_buffer *body, int *requests) {
    skan_transport http = opened();
    pthread_mutex_lock(&server.mutex);
    server.data = data;
    server.size = size;
    server.requests = 0;
    pthread_mutex_unlock(&server.mutex);
    reports = 0;
    message[0] = '\0';
    char url[100], host[100];
    sprintf(url, "http://127.0.0.1:%d/path?a=" KEY "&event_id=1", server.port);
    sprintf(host, "127.0.0.1:%d: ", server.port);
    *status = http.get(http.context, url, body);
    skan_http_transport_close(&http);
    pthread_mutex_lock(&server.mutex);
    *requests = server.requests;
    server.size = 0;
    pthread_mutex_unlock(&server.mutex);

    REQUIRE(*status == SKAN_OK || is_failure(*status));
    REQUIRE(reports == (*status != SKAN_OK));
    REQUIRE(skan_buffer_size(body) <= SKAN_RESPONSE_MAX);
    REQUIRE(strstr(message, KEY) == NULL);
    if (strstr(message, "in time") || strstr(message, "Timeout was reached") || strstr(message, "attempt 1 of 2"))
        return false;
    REQUIRE(*status == SKAN_OK || strncmp(message, host, strlen(host)) == 0);
    REQUIRE(*requests <= 2);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- answers */

/* A body is what was sent, but for the bytes between chunks. */
static void send_any(const char *data, size_t size) {
    skan_buffer *body = skan_buffer_create();
    skan_status status;
    int requests;
    if (get(data, size, &status, body, &requests)) {
        char *text = calloc(1, size + 1);
        REQUIRE(text != NULL);
        for (size_t i = 0; i < size; i++) text[i] = data[i] == '\0' ? ' ' : data[i];
        const size_t length = skan_buffer_size(body);
        if (status == SKAN_OK)
            REQUIRE(length == 0 || memmem(data, size, skan_buffer_data(body), length) || strcasestr(text, "chunked"));
        if (status == SKAN_ERROR_LIMIT_EXCEEDED) REQUIRE(size > SKAN_RESPONSE_MAX);
        if (status == SKAN_OK || requests == 2) REQUIRE(strncasecmp(text, "HTTP/", 5) == 0);
        free(text);
    }
    skan_buffer_destroy(body);
}

static int take_status(input *input) {
    switch (take_byte(input) % 4) {
    case 0: return 200;
    case 1: return 429;
    case 2: return 500 + (int)take_number(input, 100);
    default: return 200 + (int)take_number(input, 800);
    }
}

/* A well-formed answer; the caller frees it. Its last `length` bytes are the body. */
static char *build(input *input, int code, size_t length, size_t *size) {
    char *retry_after = take_text(input, 24);
    for (char *each = retry_after; *each; each++)
        if (*each == '\r' || *each == '\n') *each = '.';
    char *answer = malloc(length + 200);
    REQUIRE(answer != NULL);
    int head = sprintf(answer, "HTTP/1.1 %d Words\r\nContent-Length: %zu\r\n", code, length);
    if (retry_after[0]) head += sprintf(answer + head, "Retry-After: %s\r\n", retry_after);
    head += sprintf(answer + head, "\r\n");
    for (size_t i = 0; i < length; i++)
        answer[(size_t)head + i] = input->size ? (char)input->data[i % input->size] : 'x';
    *size = (size_t)head + length;
    free(retry_after);
    return answer;
}

static void send_built(input input) {
    const int code = take_status(&input);
    const size_t length = take_number(&input, 66000);
    size_t size;
    char *answer = build(&input, code, length, &size);
    skan_buffer *body = skan_buffer_create();
    skan_status status;
    int requests;
    if (get(answer, size, &status, body, &requests)) {
        const bool fits = length <= SKAN_RESPONSE_MAX;
        const bool is_passing = code == 429 || (code >= 500 && code <= 599);
        const bool has_no_time = strstr(message, "no time is left for the next one") != NULL;
        char words[50];
        sprintf(words, "HTTP status %d", code);
        if (code == 200) {
            REQUIRE(status == (fits ? SKAN_OK : SKAN_ERROR_LIMIT_EXCEEDED));
            REQUIRE(fits || strstr(message, "the answer's body has more than 65536 bytes"));
        } else {
            const bool is_refused = code >= 300 && code <= 499;
            REQUIRE(status == (is_refused ? SKAN_ERROR_TRANSPORT : SKAN_ERROR_TRANSPORT_UNKNOWN));
            REQUIRE(strstr(message, words) != NULL);
        }
        if (status == SKAN_OK)
            REQUIRE(skan_buffer_size(body) == length &&
                    (length == 0 || memcmp(skan_buffer_data(body), answer + size - length, length) == 0));
        REQUIRE(is_passing || !has_no_time);
        REQUIRE(requests == (is_passing && !has_no_time ? 2 : 1));
    }
    skan_buffer_destroy(body);
    free(answer);
}

/* Linked in place of libc's: the client blocks all signals on its thread, which so would end without a word. */
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
int __wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
    (void)how, (void)set, (void)before;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size >= 5 && memcmp(data, "HTTP/", 5) == 0) send_any((const char *)data, size);
    else send_built((input){data, size});
    return 0;
}

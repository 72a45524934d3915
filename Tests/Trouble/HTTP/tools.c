#define _GNU_SOURCE
#include "tools.h"

#include "server.h"
#include "support.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

skan_http_options short_options(reports *reports) {
    return (skan_http_options){.size = sizeof(skan_http_options),
                               .timeout_ms = SHORT_TIMEOUT,
                               .attempt_timeout_ms = 1000,
                               .connect_timeout_ms = 1000,
                               .max_attempts = 3,
                               .backoff_ms = 20,
                               .max_backoff_ms = 40,
                               .ca_file = server_file("ca.pem"),
                               .proxy = "",
                               .report = reports ? note_report : NULL,
                               .report_context = reports};
}

skan_http_options patient_options(reports *reports) {
    skan_http_options options = short_options(reports);
    options.timeout_ms = options.attempt_timeout_ms = options.connect_timeout_ms = 60000;
    return options;
}

static skan_transport transports[32];
static size_t transport_count;

static void close_transports(void) {
    for (size_t i = 0; i < transport_count; i++) skan_http_transport_close(&transports[i]);
}

skan_transport *opened(skan_http_options options) {
    if (transport_count == sizeof transports / sizeof *transports) abort();
    skan_transport *transport = &transports[transport_count++];
    ANSWER(SKAN_OK, skan_http_transport_open(&options, transport, &failure));
    /* Before libcrypto, which the first of them began, is cleaned up: what comes later is called first. */
    if (transport_count == 1) atexit(close_transports);
    return transport;
}

skan_status get(const skan_transport *transport, char *url, char *body, size_t size) {
    skan_buffer *buffer = skan_buffer_create();
    const skan_status status = transport->get(transport->context, url, buffer);
    if (body) snprintf(body, size, "%.*s", (int)skan_buffer_size(buffer), (const char *)skan_buffer_data(buffer));
    skan_buffer_destroy(buffer);
    free(url);
    return status;
}

char *plain(const char *path) {
    return text_of("http://127.0.0.1:%d%s?a=" SDK_KEY "&event_id=1", port_of("plain"), path);
}

char *url_of(bool is_tls, const char *path) {
    return is_tls ? text_of("%s?event_id=1", url_to("tls", path)) : plain(path);
}

void *call(void *argument) {
    caller *caller = argument;
    for (int i = 0; i < caller->times; i++) {
        char body[256] = "";
        if (get(caller->transport, text_of("%s", caller->url), body, sizeof body) == SKAN_OK &&
            strcmp(body, ANSWER_BODY) == 0)
            caller->answered++;
    }
    return NULL;
}

void begin_calls(caller *caller) {
    pthread_create(&caller->thread, NULL, call, caller);
}

int end_calls(caller *caller) {
    pthread_join(caller->thread, NULL);
    return caller->answered;
}

long long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int open_files(void) {
    int count = -3; /* itself, "." and ".." */
    DIR *listing = opendir("/proc/self/fd");
    while (listing && readdir(listing)) count++;
    if (listing) closedir(listing);
    return count;
}

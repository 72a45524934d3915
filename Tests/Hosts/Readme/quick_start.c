/* README's quick start in C, with an HTTP client of libskan's and an app that takes what it is given. */
// README: imports

#include <assert.h>
#include <skan/http.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char body[SKAN_RESPONSE_MAX];

static size_t http_get(const char *url, char *answer) {
    skan_transport transport;
    assert(skan_http_transport_open(NULL, &transport, NULL) == SKAN_OK);
    skan_buffer *buffer = skan_buffer_create();
    assert(transport.get(transport.context, url, buffer) == SKAN_OK);
    const size_t length = skan_buffer_size(buffer);
    assert(length > 0 && length <= sizeof body);
    memcpy(answer, skan_buffer_data(buffer), length);
    skan_buffer_destroy(buffer);
    skan_http_transport_close(&transport);
    return length;
}

static char sent[4096];

static void send_to_app(const char *calls) {
    assert(strlen(calls) < sizeof sent);
    strcpy(sent, calls);
}

/* The app made the calls that it was sent. */
static uint64_t id_from_app(void) {
    const char *id = strstr(sent, "\"id\":");
    assert(id);
    return strtoull(id + 5, NULL, 10);
}

int main(void) {
    // README: code
    assert(strstr(sent, "\"fine_value\":16,\"coarse_value\":1,"));
    assert(strstr(sent, "\"SKAdNetwork\"") && strstr(sent, "\"AdAttributionKit\""));
    return 0;
}

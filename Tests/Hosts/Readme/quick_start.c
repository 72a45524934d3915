/* README's quick start in C, with an HTTP client of libskan's and an app that takes what it is given. */
// README: imports

#include <assert.h>
#include <skan/http.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char body[SKAN_RESPONSE_MAX];
static skan_update sent;

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

static void send_to_app(const skan_update *update) {
    sent = *update;
}

int main(void) {
    // README: code
    assert(sent.id == 2 && sent.window == 0 && sent.fine_value == 16 && sent.coarse_value == 1);
    return 0;
}

/* README's quick start in C, with an endpoint that answers it and an app that takes what it is given. */
// README: imports

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char body[SKAN_RESPONSE_MAX];
static skan_update sent;

static size_t http_get(const char *url, char *answer) {
    assert(strstr(url, "https://skan.example.com/api/v2/conversion_value?a=") == url);
    assert(strstr(url, "&i=com.example.game&n=purchase&"));
    assert(strstr(url, "&skan_total_revenue_by_currency=%7B%22USD%22%3A4.99%7D&"));
    strcpy(answer, "{\"conversion_value\": 12, \"skan_updated_coarse_value\": 1}");
    return strlen(answer);
}

static void send_to_app(const skan_update *update) {
    sent = *update;
}

int main(void) {
    // README: code
    assert(sent.id == 2 && sent.window == 0 && sent.fine_value == 12 && sent.coarse_value == 1);
    return 0;
}

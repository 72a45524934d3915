/* plain_request.c - the URL that asks for the next conversion value. */
#include <stdlib.h>
#include <string.h>

#include "plain_install.h"

typedef struct url {
    char *text;
    size_t length, capacity;
} url;

static void reserve(url *out, size_t more)
{
    if (out->capacity - out->length >= more) return;
    while (out->capacity - out->length < more) out->capacity *= 2;
    out->text = realloc(out->text, out->capacity);
    if (out->text == NULL) abort();
}

static void append(url *out, const char *text, size_t length)
{
    reserve(out, length);
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

/* RFC 3986, 2.3. */
static const bool unreserved[256] = {
    ['-'] = true, ['.'] = true, ['_'] = true, ['~'] = true,
    ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true,
    ['8'] = true, ['9'] = true,
    ['A'] = true, ['B'] = true, ['C'] = true, ['D'] = true, ['E'] = true, ['F'] = true, ['G'] = true, ['H'] = true,
    ['I'] = true, ['J'] = true, ['K'] = true, ['L'] = true, ['M'] = true, ['N'] = true, ['O'] = true, ['P'] = true,
    ['Q'] = true, ['R'] = true, ['S'] = true, ['T'] = true, ['U'] = true, ['V'] = true, ['W'] = true, ['X'] = true,
    ['Y'] = true, ['Z'] = true,
    ['a'] = true, ['b'] = true, ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true,
    ['i'] = true, ['j'] = true, ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true, ['o'] = true, ['p'] = true,
    ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true, ['u'] = true, ['v'] = true, ['w'] = true, ['x'] = true,
    ['y'] = true, ['z'] = true,
};

static void append_encoded(url *out, const char *text, size_t length)
{
    reserve(out, 3 * length);
    char *end = out->text + out->length;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (unreserved[byte]) {
            *end++ = (char)byte;
        } else {
            *end++ = '%';
            *end++ = "0123456789ABCDEF"[byte >> 4];
            *end++ = "0123456789ABCDEF"[byte & 15];
        }
    }
    out->length = (size_t)(end - out->text);
}

/* "&name=": every item but the first starts so. */
static void append_name(url *out, const char *name)
{
    append(out, "&", 1);
    append(out, name, strlen(name));
    append(out, "=", 1);
}

static void append_item(url *out, const char *name, const char *value)
{
    if (value == NULL || *value == '\0') return;
    append_name(out, name);
    append_encoded(out, value, strlen(value));
}

static void append_integer(url *out, const char *name, int64_t value)
{
    if (value == PLAIN_NONE) return;
    char text[PLAIN_AMOUNT_TEXT];
    append_name(out, name);
    append(out, text, plain_integer_text(value, text));
}

/* {"EUR":1.99,"USD":4.99} */
static void append_revenue(url *out, const char *name, const plain_revenue *revenue)
{
    if (revenue->count == 0) return;
    append_name(out, name);
    for (uint16_t i = 0; i < revenue->count; i++) {
        char text[PLAIN_AMOUNT_TEXT + 8];
        size_t length = 0;
        text[length++] = i == 0 ? '{' : ',';
        text[length++] = '"';
        memcpy(text + length, revenue->amounts[i].currency, 3);
        length += 3;
        text[length++] = '"';
        text[length++] = ':';
        length += plain_amount_text(revenue->amounts[i].micros, text + length);
        append_encoded(out, text, length);
    }
    append_encoded(out, "}", 1);
}

char *plain_write_url(const plain_config *config, const plain_install *install, const char *event_name,
                      const plain_device *device)
{
    static const plain_device unknown;
    if (device == NULL) device = &unknown;
    url out = {.text = malloc(1024), .capacity = 1024};
    if (out.text == NULL) abort();

    append(&out, config->endpoint_url, strlen(config->endpoint_url));
    append(&out, "/api/v2/conversion_value", sizeof "/api/v2/conversion_value" - 1);
    size_t query = out.length;
    append_item(&out, "a", config->sdk_key);
    append_item(&out, "v", device->os_version);
    append_item(&out, "i", config->bundle_id);
    append_item(&out, "app_v", config->app_version);
    append_item(&out, "n", event_name);
    append_item(&out, "p", "iOS");
    append_item(&out, "idfv", device->idfv);
    append_item(&out, "idfa", device->idfa);

    append_integer(&out, "skan_current_conversion_value", install->fine);
    append_integer(&out, "prev_fine_value", install->previous_fine);
    append_integer(&out, "skan_first_call_to_skadnetwork_timestamp", install->first_call);
    append_integer(&out, "skan_last_call_to_skadnetwork_timestamp", install->last_call);
    append_revenue(&out, "skan_total_revenue_by_currency", &install->lifetime[0]);
    append_revenue(&out, "skan_total_admon_revenue_by_currency", &install->lifetime[1]);
    append_integer(&out, "p0_coarse", install->coarse[0]);
    append_integer(&out, "p1_coarse", install->coarse[1]);
    append_integer(&out, "p2_coarse", install->coarse[2]);
    append_integer(&out, "p0_window_lock", install->lock[0]);
    append_integer(&out, "p1_window_lock", install->lock[1]);
    append_integer(&out, "p2_window_lock", install->lock[2]);
    append_integer(&out, "p0_prev_coarse_value", install->previous_coarse[0]);
    append_integer(&out, "p1_prev_coarse_value", install->previous_coarse[1]);
    append_integer(&out, "p2_prev_coarse_value", install->previous_coarse[2]);
    append_revenue(&out, "p0_total_iap_revenue", &install->window[0][0]);
    append_revenue(&out, "p1_total_iap_revenue", &install->window[0][1]);
    append_revenue(&out, "p2_total_iap_revenue", &install->window[0][2]);
    append_revenue(&out, "p0_total_admon_revenue", &install->window[1][0]);
    append_revenue(&out, "p1_total_admon_revenue", &install->window[1][1]);
    append_revenue(&out, "p2_total_admon_revenue", &install->window[1][2]);
    out.text[query] = '?';
    append(&out, "", 1);
    return out.text;
}

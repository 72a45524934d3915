#include "stores.h"

#include "command.h"
#include "companions.h"
#include "masks.h"
#include "messages.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a URL scheme leads: the one place that knows. */
static const struct {
    const char *scheme;
    int (*open)(const char *url, store_use use, store *out);
} openers[] = {
    {"sqlite:", open_sqlite},
    {"postgresql://", open_postgres},
    {"postgres://", open_postgres},
    {"redis://", open_redis},
    {"rediss://", open_redis},
    {"redis+unix://", open_redis},
    {"unix://", open_redis},
};

static int refuse(const char *url, const char *why) {
    char *masked = url_masked(url);
    complain(masked, "%s", why);
    free(masked);
    return EXIT_USAGE;
}

/* Names them all, so that a new one needs no other place. */
static int refuse_scheme(const char *url) {
    char why[512];
    size_t length = (size_t)snprintf(why, sizeof why, "no such kind of store, expected ");
    for (size_t index = 0; index < sizeof openers / sizeof openers[0] && length < sizeof why; index++)
        length += (size_t)snprintf(why + length, sizeof why - length, "%s%s, ", openers[index].scheme,
                                   index == 0 ? "FILE" : "...");
    if (length < sizeof why) snprintf(why + length, sizeof why - length, "or env:NAME");
    return refuse(url, why);
}

static int open_by_scheme(const char *url, store_use use, store *out) {
    for (size_t index = 0; index < sizeof openers / sizeof openers[0]; index++)
        if (strncmp(url, openers[index].scheme, strlen(openers[index].scheme)) == 0) {
            out->name = url_masked(url);
            int code = openers[index].open(url, use, out);
            if (code != EXIT_FINE) {
                free(out->name);
                memset(out, 0, sizeof *out);
            }
            return code;
        }
    return refuse_scheme(url);
}

int store_open(const char *url, store_use use, store *out) {
    return store_open_reporting(url, use, NULL, NULL, out);
}

int store_open_reporting(const char *url, store_use use,
                         void (*report)(void *context, skan_status status, const char *message), void *context,
                         store *out) {
    memset(out, 0, sizeof *out);
    out->report = report;
    out->report_context = context;
    if (strncmp(url, "env:", 4) == 0) {
        const char *value = getenv(url + 4);
        if (!value || !value[0]) return refuse(url, "this environment variable is not set");
        if (strncmp(value, "env:", 4) == 0) return refuse(url, "expected the URL of a store in this variable");
        url = value;
    }
    return open_by_scheme(url, use, out);
}

void store_close(store *store) {
    if (store->close) store->close(&store->hooks);
    free(store->name);
    memset(store, 0, sizeof *store);
}

const char *store_words(const store *store) {
    return store->trouble[0] ? store->trouble : "the store failed and gave no reason";
}

void store_calm(store *store) {
    store->trouble[0] = 0;
}

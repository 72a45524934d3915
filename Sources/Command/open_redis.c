#include "command.h"
#include "companions.h"

#include <skan/redis.h>

#define COMPANION "libskan-redis.so.1"

int open_redis(const char *url, store_use use, store *out) {
    skan_status (*open)(const char *, const skan_redis_options *, skan_store *, skan_error **) =
        (skan_status(*)(const char *, const skan_redis_options *, skan_store *, skan_error **))companion_find(
            out->name, COMPANION, "skan_redis_store_open");
    if (!open) return EXIT_FOUND;
    void (*close)(skan_store *) =
        (void (*)(skan_store *))companion_find(out->name, COMPANION, "skan_redis_store_close");
    if (!close) return EXIT_FOUND;
    /* A server that drops records is no reason not to look at those it has. */
    skan_redis_options options = {.size = sizeof options,
                                  .allow_eviction = use != STORE_FILLS,
                                  .report = companion_report,
                                  .report_context = out};
    skan_error *error = NULL;
    if (open(url, &options, &out->hooks, &error) != SKAN_OK) return companion_refused(out, error);
    out->close = close;
    return EXIT_FINE;
}

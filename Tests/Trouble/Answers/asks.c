/* A game server whose calls are told by lines: asks FILE URL.
 *
 * A line is "NUMBER INSTALL IDFV NAME AMOUNT KIND", a session's name and no amount are "-". It is answered with
 * "NUMBER done STATUS", or "NUMBER again STATUS" where the call has to be repeated. The event's id is "event NUMBER". */
#define _GNU_SOURCE
#include <skan/http.h>
#include <skan/sqlite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static skan_engine *engine_on(const char *file, const char *url) {
    skan_store store;
    skan_transport transport;
    const skan_sqlite_options sqlite = {.size = sizeof sqlite, .synchronous = SKAN_SQLITE_NORMAL};
    const skan_http_options http = {.size = sizeof http,
                                    .timeout_ms = 3000,
                                    .attempt_timeout_ms = 400,
                                    .max_attempts = 3,
                                    .backoff_ms = 10,
                                    .max_backoff_ms = 50,
                                    .proxy = ""};
    skan_engine *engine = NULL;
    if (skan_sqlite_store_open(file, &sqlite, &store, NULL) != SKAN_OK) exit(2);
    if (skan_http_transport_open(&http, &transport, NULL) != SKAN_OK) exit(2);
    const skan_options options = {.size = sizeof options,
                                  .store = &store,
                                  .transport = &transport,
                                  .endpoint_url = url,
                                  .sdk_key = "key",
                                  .bundle_id = "com.example.game",
                                  .app_version = "1.2.3"};
    if (skan_create(&options, &engine, NULL) != SKAN_OK) exit(2);
    return engine;
}

/* One call; its parts are those of the line. */
static skan_status ask(skan_engine *engine, char **parts) {
    char event_id[64];
    snprintf(event_id, sizeof event_id, "event %s", parts[0]);
    const skan_device device = {.size = sizeof device, .os_version = "17.2", .idfv = parts[2]};
    const bool has_amount = strcmp(parts[4], "-") != 0;
    const skan_event event = {.size = sizeof event,
                              .name = strcmp(parts[3], "-") == 0 ? NULL : parts[3],
                              .event_id = event_id,
                              .device = &device,
                              .amount = {.text = has_amount ? parts[4] : NULL},
                              .currency = has_amount ? "USD" : NULL,
                              .kind = strcmp(parts[5], "ad") == 0 ? SKAN_AD : SKAN_IAP};
    const skan_status registered = skan_register(engine, parts[1], NULL, NULL, NULL);
    if (registered >= 100) return registered;
    return skan_update_conversion_values(engine, parts[1], &event, NULL, NULL);
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    skan_engine *engine = engine_on(arguments[1], arguments[2]);
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        char *parts[6];
        char *rest = line;
        for (size_t i = 0; i < 6; i++) parts[i] = strtok_r(rest, " \n", &rest);
        if (!parts[5]) return 2;
        const skan_status status = ask(engine, parts);
        printf("%s %s %s\n", parts[0], status < 100 ? "done" : "again", skan_status_name(status));
        fflush(stdout);
    }
    skan_destroy(engine);
    return 0;
}

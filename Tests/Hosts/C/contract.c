/*
 * What skan.h promises of every call: bad input is refused and never ends the host, outs and errors are always
 * written, hooks are finalized once. The rules themselves are proven in Tests/Core and Tests/Vectors.
 */
#define _GNU_SOURCE
#include "contract.h"

#include <skan/model.h>

#include <stdlib.h>
#include <string.h>

static skan_status before(host *host, const char *hook) {
    skan_status (*armed)(struct host *, const char *) = host->before;
    host->hooks++;
    if (!armed) return SKAN_OK;
    skan_error *outer = failure;
    host->before = NULL;
    skan_status status = armed(host, hook);
    host->before = armed;
    failure = outer;
    return status;
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    skan_status status = before(context, "load");
    return status ? status : host_store_load(&((host *)context)->store, key, out, version);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *version) {
    skan_status status = before(context, "save");
    return status ? status : host_store_save(&((host *)context)->store, key, data, length, expected, version);
}

static skan_status drop(void *context, const char *key, uint64_t expected) {
    skan_status status = before(context, "remove");
    return status ? status : host_store_remove(&((host *)context)->store, key, expected);
}

static int64_t now(void *context) {
    before(context, "now");
    return ((host *)context)->clock.microseconds;
}

static skan_status get(void *context, const char *url, skan_buffer *body) {
    host *host = context;
    skan_status status = before(host, "get");
    host->gets++;
    free(host->last_url);
    host->last_url = strdup(url);
    if (host->answer) EXPECT_STATUS(SKAN_OK, skan_buffer_set(body, host->answer, strlen(host->answer)));
    return status ? status : host->transport_status;
}

static void finalize_store(void *context) {
    ((host *)context)->store.finalized++;
}

static void finalize_clock(void *context) {
    ((host *)context)->clock.finalized++;
}

static void finalize_transport(void *context) {
    ((host *)context)->transports_finalized++;
}

static void end_host(void *object) {
    host *host = object;
    skan_destroy(host->engine);
    skan_model_destroy(host->model);
    host_store_end(&host->store);
    free(host->last_url);
    free(host);
}

host *host_make(void) {
    host *host = calloc(1, sizeof *host);
    if (!host) abort();
    host_store_init(&host->store);
    host->clock.microseconds = NOW * 1000000;
    host->answer = "{\"conversion_value\":7,\"skan_updated_coarse_value\":1,\"status\":\"ok\"}";
    host->store_hooks = (skan_store){.size = sizeof(skan_store),
                                     .context = host,
                                     .load = load,
                                     .save = save,
                                     .remove = drop,
                                     .finalize = finalize_store};
    host->clock_hooks = (skan_clock){sizeof(skan_clock), host, now, finalize_clock};
    host->transport_hooks = (skan_transport){sizeof(skan_transport), host, get, finalize_transport};
    host->options = (skan_options){.size = sizeof(skan_options),
                                   .store = &host->store_hooks,
                                   .clock = &host->clock_hooks,
                                   .transport = &host->transport_hooks,
                                   .endpoint_url = "https://skan.example.com",
                                   .sdk_key = SDK_KEY,
                                   .bundle_id = "com.example.game",
                                   .app_version = "1.2.3"};
    never_in_messages = SDK_KEY;
    at_end(end_host, host);
    return host;
}

void host_open(host *host) {
    ANSWER(SKAN_OK, skan_create(&host->options, &host->engine, &failure));
}

host *host_with_engine(void) {
    host *host = host_make();
    host_open(host);
    return host;
}

host *host_with_install(void) {
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    return host;
}

skan_status call(const function *function, skan_engine *engine, const char *install_id) {
    char *given = NULL;
    skan_status status = function->call(engine, install_id, &given);
    free(given);
    return status;
}

int main(void) {
    return run_cases();
}

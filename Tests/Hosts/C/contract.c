/*
 * What skan.h promises of every call: bad input is refused and never ends the host, outs and errors are always
 * written, hooks are finalized once. The rules themselves are proven in Tests/Core and Tests/Vectors.
 */
#define _GNU_SOURCE
#include "contract.h"

#include <stdlib.h>
#include <string.h>

static skan_status host_get(void *context, const char *url, skan_buffer *body) {
    host *host = context;
    host->gets++;
    free(host->last_url);
    host->last_url = strdup(url);
    if (host->answer) EXPECT_STATUS(SKAN_OK, skan_buffer_set(body, host->answer, strlen(host->answer)));
    return host->transport_status;
}

static void host_transport_finalize(void *context) {
    ((host *)context)->transports_finalized++;
}

host *host_make(void) {
    host *host = calloc(1, sizeof *host);
    if (!host) abort();
    host_store_init(&host->store);
    host->clock.microseconds = NOW * 1000000;
    host->answer = "{\"conversion_value\":7,\"skan_updated_coarse_value\":1,\"status\":\"ok\"}";
    host->store_hooks = host_store_hooks(&host->store);
    host->clock_hooks = host_clock_hooks(&host->clock);
    host->transport_hooks = (skan_transport){sizeof(skan_transport), host, host_get, host_transport_finalize};
    host->options = (skan_options){.size = sizeof(skan_options),
                                   .store = &host->store_hooks,
                                   .clock = &host->clock_hooks,
                                   .transport = &host->transport_hooks,
                                   .sdk_key = SDK_KEY,
                                   .bundle_id = "com.example.game",
                                   .app_version = "1.2.3"};
    never_in_messages = SDK_KEY;
    return host;
}

void host_open(host *host) {
    ANSWER(SKAN_OK, skan_create(&host->options, &host->engine, &failure));
}

void host_end(host *host) {
    skan_destroy(host->engine);
    host_store_end(&host->store);
    free(host->last_url);
    free(host);
}

host *host_with_engine(void) {
    host *host = host_make();
    host_open(host);
    return host;
}

skan_status call(const function *function, skan *engine, const char *install_id) {
    char *given = NULL;
    skan_status status = function->call(engine, install_id, &given);
    free(given);
    return status;
}

int main(void) {
    const contract_case *const tables[] = {argument_cases, struct_cases, hook_cases,
                                           outcome_cases,     record_cases, many_cases,
                                           endpoint_cases};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const contract_case *each = tables[i]; each->name; each++) run_case(each->name, each->run, NULL);
    return finish_cases();
}

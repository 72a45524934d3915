#include <skan/skan.h>
#include <stdio.h>
#include <stdlib.h>

#include "side.h"

static void *create(void)
{
    const skan_clock clock = {.size = sizeof clock, .now = bench_now};
    const skan_options options = {.size = sizeof options,
                                  .clock = &clock,
                                  .endpoint_url = BENCH_ENDPOINT,
                                  .sdk_key = BENCH_SDK_KEY,
                                  .bundle_id = BENCH_BUNDLE_ID,
                                  .app_version = BENCH_APP_VERSION};
    skan *engine = NULL;
    skan_error *error = NULL;
    if (skan_create(&options, &engine, &error) != SKAN_OK) {
        fprintf(stderr, "bench: skan_create: %s\n", skan_error_message(error));
        exit(1);
    }
    return engine;
}

static void destroy(void *server)
{
    skan_destroy(server);
}

/* Of an error only its status is wanted. */
static int finish(skan_status status, skan_error *error)
{
    if (error != NULL) skan_error_free(error);
    return status;
}

static int finish_update(skan_status status, skan_error *error, const skan_update *given, update *out)
{
    if (given->id != 0) {
        *out = (update){.id = given->id,
                        .timestamp = given->timestamp,
                        .window = given->window,
                        .fine = given->fine_value,
                        .coarse = given->coarse_value,
                        .lock = given->lock_window};
    }
    return finish(status, error);
}

static int add(void *server, const char *id, update *out)
{
    skan_update given = {.size = sizeof given};
    skan_error *error;
    skan_status status = skan_register(server, id, &given, &error);
    return finish_update(status, error, &given, out);
}

static int revenue(void *server, const call *call, const char *event_id)
{
    skan_error *error;
    skan_status status =
        skan_update_revenue(server, call->id, call->amount, call->currency, call->ad, event_id, &error);
    return finish(status, error);
}

static int request(void *server, const char *id, const char *event_name, char **url, uint64_t *ticket)
{
    static const skan_device device = {
        .size = sizeof device, .os_version = BENCH_OS_VERSION, .idfv = BENCH_IDFV, .idfa = BENCH_IDFA};
    skan_error *error;
    skan_status status = skan_conversion_request(server, id, event_name, &device, url, ticket, &error);
    return finish(status, error);
}

static int apply(void *server, const char *id, uint64_t ticket, const char *body, size_t length, update *out)
{
    skan_update given = {.size = sizeof given};
    skan_error *error;
    skan_status status = skan_apply_response(server, id, ticket, body, length, &given, &error);
    return finish_update(status, error, &given, out);
}

static int details(void *server, const char *id, char **json)
{
    skan_error *error;
    skan_status status = skan_details(server, id, json, &error);
    return finish(status, error);
}

static void forget(void *server, const char *id)
{
    skan_forget(server, id, NULL);
}

const side side_skan = {.name = "libskan",
                        .create = create,
                        .destroy = destroy,
                        .add = add,
                        .revenue = revenue,
                        .request = request,
                        .apply = apply,
                        .details = details,
                        .forget = forget,
                        .release = skan_free};

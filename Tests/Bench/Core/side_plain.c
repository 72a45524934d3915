#include <stdlib.h>

#include "plain.h"
#include "side.h"

static void *create(void)
{
    const plain_config config = {.endpoint_url = BENCH_ENDPOINT,
                                 .sdk_key = BENCH_SDK_KEY,
                                 .bundle_id = BENCH_BUNDLE_ID,
                                 .app_version = BENCH_APP_VERSION,
                                 .now = bench_now};
    return plain_create(&config);
}

static void destroy(void *server)
{
    plain_destroy(server);
}

static int finish_update(plain_status status, const plain_update *given, update *out)
{
    if (status == PLAIN_OK) {
        *out = (update){.id = given->id,
                        .timestamp = given->timestamp,
                        .window = given->window,
                        .fine = given->fine,
                        .coarse = given->coarse,
                        .lock = given->lock};
    }
    return (int)status;
}

static int add(void *server, const char *id, update *out)
{
    plain_update given;
    plain_status status = plain_register(server, id, &given);
    return finish_update(status, &given, out);
}

static int revenue(void *server, const call *call, const char *event_id)
{
    return (int)plain_update_revenue(server, call->id, call->amount, call->currency, call->ad, event_id);
}

static int request(void *server, const char *id, const char *event_name, char **url, uint64_t *ticket)
{
    static const plain_device device = {.os_version = BENCH_OS_VERSION, .idfv = BENCH_IDFV, .idfa = BENCH_IDFA};
    return (int)plain_request(server, id, event_name, &device, url, ticket);
}

static int apply(void *server, const char *id, uint64_t ticket, const char *body, size_t length, update *out)
{
    plain_update given;
    plain_status status = plain_apply(server, id, ticket, body, length, &given);
    return finish_update(status, &given, out);
}

static int details(void *server, const char *id, char **json)
{
    return (int)plain_details(server, id, json);
}

static int details_constant_keys(void *server, const char *id, char **json)
{
    return (int)plain_details_constant_keys(server, id, json);
}

static void forget(void *server, const char *id)
{
    plain_forget(server, id);
}

const side side_plain = {.name = "plain C",
                         .create = create,
                         .destroy = destroy,
                         .add = add,
                         .revenue = revenue,
                         .request = request,
                         .apply = apply,
                         .details = details,
                         .forget = forget,
                         .release = free};

const side side_plain_constant_keys = {.name = "plain C",
                                       .create = create,
                                       .destroy = destroy,
                                       .add = add,
                                       .revenue = revenue,
                                       .request = request,
                                       .apply = apply,
                                       .details = details_constant_keys,
                                       .forget = forget,
                                       .release = free};

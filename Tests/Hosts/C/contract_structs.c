/* Structs: legal and illegal sizes, who owns the hooks, and that everything given is copied. */
#define _GNU_SOURCE
#include "contract.h"

#include <stdlib.h>
#include <string.h>

#define MORE 64 /* bytes a newer caller's struct may have more, in these tests */

/* A struct of any size: the bytes known here, then a tail. */
typedef union other {
    skan_options options;
    skan_store store;
    skan_clock clock;
    skan_transport transport;
    skan_device device;
    skan_registration registration;
    skan_event event;
    skan_update update;
    unsigned char bytes[2048];
} other;

/* What is behind its end is no part of it. */
static other with_size(const void *known, size_t length, size_t size) {
    other value;
    memset(&value, 0, sizeof value);
    memcpy(&value, known, length);
    memcpy(&value, &size, sizeof size); /* every struct starts with it */
    if (size < sizeof value) memset(value.bytes + size, 0xA5, sizeof value - size);
    if (size < sizeof size) memcpy(&value, &size, sizeof size);
    return value;
}

typedef enum part { OPTIONS, STORE, CLOCK, TRANSPORT, PARTS } part;
static const char *const part_names[] = {"options", "store", "clock", "transport"};
static const size_t part_sizes[] = {sizeof(skan_options), sizeof(skan_store), sizeof(skan_clock),
                                    sizeof(skan_transport)};

/* Their sizes without optional members. */
static const size_t least_sizes[] = {sizeof(skan_options), offsetof(skan_store, load_many),
                                     sizeof(skan_clock), sizeof(skan_transport)};

static other part_with_size(const host *host, part part, size_t size) {
    const void *parts[] = {&host->options, &host->store_hooks, &host->clock_hooks, &host->transport_hooks};
    return with_size(parts[part], part_sizes[part], size);
}

static void finalized(host *host, int times) {
    EXPECT_NUMBER(times, host->store.finalized);
    EXPECT_NUMBER(times, host->clock.finalized);
    EXPECT_NUMBER(times, host->transports_finalized);
    host->store.finalized = host->clock.finalized = host->transports_finalized = 0;
}

/* Creates an engine from the host's structs, one of them replaced. */
static skan_status create_with(host *host, part part, const other *replaced) {
    skan_options options = host->options;
    if (part == STORE) options.store = &replaced->store;
    if (part == CLOCK) options.clock = &replaced->clock;
    if (part == TRANSPORT) options.transport = &replaced->transport;
    host->engine = (skan_engine *)host;
    return skan_create(part == OPTIONS ? &replaced->options : &options, &host->engine, &failure);
}

/* Hooks for many that are behind the end of their struct would end the process, were they called. */
static void made(host *host, part part, const other *replaced) {
    const skan_revenue items[] = {
        {.size = sizeof *items, .install_id = "a", .amount = {.number = 1}, .currency = "USD"},
        {.size = sizeof *items, .install_id = "b", .amount = {.number = 1}, .currency = "USD"}};
    skan_status statuses[] = {-1, -1};
    ANSWER(SKAN_OK, create_with(host, part, replaced));
    EXPECT(host->engine && host->engine != (skan_engine *)host, "no engine was made");
    finalized(host, 0);
    ANSWER(SKAN_OK, skan_update_revenue_many(host->engine, items, 2, statuses, &failure));
    EXPECT_NUMBER(SKAN_OK, statuses[1]);
    EXPECT(host_store_find(&host->store, "b"), "b was not saved");
    skan_destroy(host->engine);
    host->engine = NULL;
    finalized(host, 1);
}

static void refused(host *host, part part, const other *replaced) {
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, create_with(host, part, replaced));
    EXPECT_MESSAGE(part_names[part]);
    EXPECT(host->engine == NULL, "an engine was given");
    host->engine = NULL;
    finalized(host, 0);
}

/* With any other size, and where one of the bytes more is not zero, the hooks stay the caller's. */
CASE(a_struct_may_be_that_of_a_newer_caller_or_end_before_its_optional_members) {
    host *host = host_make();
    for (part part = 0; part < PARTS; part++)
        for (size_t size = 0; size <= 1025; size++) {
            size_t known = part_sizes[part];
            bool is_shorter = size >= least_sizes[part] && size < known && size % sizeof(void *) == 0;
            in_round("%s, size %zu", part_names[part], size);
            other value = part_with_size(host, part, size);
            if (is_shorter || (size >= known && size <= 1024)) made(host, part, &value);
            else refused(host, part, &value);
            for (size_t at = known; at < size && size <= known + MORE; at++) {
                in_round("%s, size %zu, byte %zu is not 0", part_names[part], size, at);
                value.bytes[at] = 1;
                refused(host, part, &value);
                value.bytes[at] = 0;
            }
        }
    for (part part = 0; part < PARTS; part++) {
        other value = part_with_size(host, part, SIZE_MAX);
        refused(host, part, &value);
    }
}

static skan_status use_device(host *host, const other *device) {
    char *url = NULL;
    skan_status status =
        SETTLE(skan_conversion_request(host->engine, "a", EVENT(.device = &device->device), &url, NULL, &failure));
    skan_free(url);
    ANSWER(status, skan_update_conversion_values(host->engine, "a", EVENT(.device = &device->device), NULL, &failure));
    return status;
}

CASE(a_device_has_a_legal_size) {
    host *host = host_with_install();
    const skan_device known = {.size = sizeof known, .os_version = "16.1"};
    for (size_t size = 0; size <= sizeof known + MORE; size++) {
        bool is_legal = size >= sizeof known;
        in_round("size %zu", size);
        other device = with_size(&known, sizeof known, size);
        EXPECT_STATUS(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT, use_device(host, &device));
        if (!is_legal) EXPECT_MESSAGE("device");
        else EXPECT(strstr(host->last_url, "v=16.1&"), "the device was not read: %s", host->last_url);
        if (size <= sizeof known) continue;
        device.bytes[size - 1] = 1;
        EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, use_device(host, &device));
        EXPECT_MESSAGE("device");
    }
}

/* The functions that read an event. */
static skan_status event_function(int which, host *host, const skan_event *event) {
    static const char body[] = "{\"conversion_value\":3}";
    char *url = NULL;
    if (which == 0) return skan_update_conversion_values(host->engine, "a", event, NULL, &failure);
    if (which == 1) return skan_apply_response(host->engine, "a", event, 0, body, sizeof body - 1, NULL, &failure);
    const skan_status status = skan_conversion_request(host->engine, "a", event, &url, NULL, &failure);
    skan_free(url);
    return status;
}

static void event_is(bool is_legal, int which, host *host, const other *event) {
    char *before = details_of(host->engine, "a");
    ANSWER(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT, event_function(which, host, &event->event));
    if (is_legal) return;
    EXPECT_MESSAGE("event");
    EXPECT_DETAILS(before, host->engine, "a");
}

CASE(an_event_has_a_legal_size) {
    host *host = host_with_install();
    const skan_event known = {.name = "level"};
    for (int which = 0; which < 3; which++)
        for (size_t size = 0; size <= 1025; size++) {
            in_round("function %d, size %zu", which, size);
            other event = with_size(&known, sizeof known, size);
            event_is(size >= sizeof known && size <= 1024, which, host, &event);
            for (size_t at = sizeof known; at < size && size <= sizeof known + MORE; at++) {
                event.bytes[at] = 1;
                event_is(false, which, host, &event);
                event.bytes[at] = 0;
            }
        }
}

CASE(a_registration_has_a_legal_size) {
    host *host = host_with_engine();
    const skan_registration known = {.size = sizeof known, .first_launch = 1, .keeps_revenue = true};
    for (size_t size = 0; size <= sizeof known + MORE; size++) {
        bool is_legal = size >= sizeof known;
        in_round("size %zu", size);
        other given = with_size(&known, sizeof known, size);
        ANSWER(SKAN_OK, skan_forget(host->engine, "a", &failure));
        ANSWER(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT,
               skan_register(host->engine, "a", &given.registration, NULL, &failure));
        if (!is_legal) EXPECT_MESSAGE("registration");
        if (size <= sizeof known) continue;
        given.bytes[size - 1] = 1;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_register(host->engine, "a", &given.registration, NULL, &failure));
        EXPECT_MESSAGE("registration");
    }
}

/* The functions with an update as out parameter, in a state where they answer `status`. */
static skan_status update_function(int which, host *host, const char *install_id, skan_update *out) {
    static const char body[] = "{\"conversion_value\":3}";
    if (which == 0) return skan_register(host->engine, install_id, NULL, out, &failure);
    if (which == 1) return skan_apply_response(host->engine, install_id, NULL, 0, body, sizeof body - 1, out, &failure);
    return skan_update_conversion_values(host->engine, install_id, NULL, out, &failure);
}

/* It keeps its size and loses its tail; what is behind is none of it. */
CASE(an_out_update_has_a_legal_size) {
    host *host = host_with_engine();
    for (int which = 0; which < 3; which++)
        for (int succeeds = 0; succeeds < 2; succeeds++)
            for (size_t size = 0; size <= sizeof(skan_update) + MORE; size++) {
                bool is_legal = size >= sizeof(skan_update);
                in_round("function %d, %s, size %zu", which, succeeds ? "OK" : "an outcome", size);
                ANSWER(SKAN_OK, skan_forget(host->engine, "a", &failure));
                if ((which == 0) != succeeds) ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
                char *before = details_of(host->engine, "a");
                other out;
                memset(&out, 0xA5, sizeof out);
                out.update.size = size;
                skan_status status = SETTLE(update_function(which, host, "a", &out.update));
                EXPECT_NUMBER(size, out.update.size);
                for (size_t at = is_legal ? size : sizeof size; at < sizeof out; at++)
                    EXPECT(out.bytes[at] == 0xA5, "byte %zu, no part of the struct, was written", at);
                if (is_legal) {
                    EXPECT((status == SKAN_OK) == succeeds, "came %s", skan_status_name(status));
                    EXPECT((out.update.id > NOW * UINT64_C(1000000)) == succeeds, "update %llu",
                           (unsigned long long)out.update.id);
                    EXPECT_NUMBER(succeeds ? NOW : 0, out.update.timestamp);
                    for (size_t at = sizeof(skan_update); at < size; at++)
                        EXPECT(out.bytes[at] == 0, "byte %zu of the tail is not 0", at);
                } else {
                    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, status);
                    EXPECT_MESSAGE("out");
                    EXPECT_DETAILS(before, host->engine, "a");
                }
            }
}

/* ------------------------------------------------------------------------------------------------------- finalize */

static void refused_and_finalized(host *host, skan_engine **out, const char *name) {
    in_round("%s", name);
    if (out) *out = (skan_engine *)host;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, out, &failure));
    EXPECT_MESSAGE(name);
    EXPECT(!out || !*out, "an engine was given");
    finalized(host, 1);
}

CASE(a_failing_create_finalizes_once) {
    static const struct {
        const char *name;
        size_t at;
        const char *value;
    } wrong[] = {
        {"endpoint_url", offsetof(host, options.endpoint_url), "nowhere"},
        {"sdk_key", offsetof(host, options.sdk_key), "\xff"},
        {"bundle_id", offsetof(host, options.bundle_id), "\n"},
        {"app_version", offsetof(host, options.app_version), "\n"},
        {"load", offsetof(host, store_hooks.load), NULL},
        {"save", offsetof(host, store_hooks.save), NULL},
        {"remove", offsetof(host, store_hooks.remove), NULL},
        {"now", offsetof(host, clock_hooks.now), NULL},
        {"get", offsetof(host, transport_hooks.get), NULL},
    };
    skan_engine *out = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        host *host = host_make();
        memcpy((char *)host + wrong[i].at, &wrong[i].value, sizeof wrong[i].value);
        refused_and_finalized(host, &out, wrong[i].name);
    }
    refused_and_finalized(host_make(), NULL, "out");
    host *host = host_make();
    host->options.protocol = 7;
    refused_and_finalized(host, &out, "protocol");
}

CASE(finalize_may_be_null) {
    host *host = host_make();
    host->store_hooks.finalize = NULL;
    host->clock_hooks.finalize = NULL;
    host->transport_hooks.finalize = NULL;
    host_open(host);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    skan_destroy(host->engine);
    host->options.protocol = 9;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, &host->engine, &failure));
    finalized(host, 0);
}

CASE(what_create_takes_is_copied) {
    host *host = host_make();
    char texts[4][32] = {"key", "bundle", "version", "https://example.com/x/"};
    host->options.sdk_key = texts[0];
    host->options.bundle_id = texts[1];
    host->options.app_version = texts[2];
    host->options.endpoint_url = texts[3];
    host_open(host);
    for (int i = 0; i < 4; i++) memset(texts[i], '#', strlen(texts[i]));
    memset(&host->options, 0xA5, sizeof host->options);
    memset(&host->store_hooks, 0xA5, sizeof host->store_hooks);
    memset(&host->clock_hooks, 0xA5, sizeof host->clock_hooks);
    memset(&host->transport_hooks, 0xA5, sizeof host->transport_hooks);
    never_in_messages = NULL;
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, NULL, &failure));
    EXPECT_TEXT("https://example.com/x/api/v2/conversion_value?a=key&i=bundle&app_v=version&n=__SESSION__&p=iOS"
                "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=1700000000"
                "&skan_last_call_to_skadnetwork_timestamp=1700000000",
                host->last_url);
}

/* In memory they share nothing. */
CASE(options_of_an_endpoint_make_an_engine) {
    const skan_options options = {.size = sizeof options, .endpoint_url = SKAN_ENDPOINT_SINGULAR};
    skan_engine *engines[2];
    for (int i = 0; i < 2; i++) ANSWER(SKAN_OK, skan_create(&options, &engines[i], &failure));
    for (int i = 0; i < 2; i++) {
        skan_engine *engine = engines[i];
        skan_update update = unwritten_update();
        ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &update, &failure));
        EXPECT_NUMBER(update.timestamp, (update.id - 1) / 1000000);
        EXPECT_NUMBER(0, update.fine_value);
        EXPECT(update.timestamp > INT64_C(1500000000), "the system's clock shows %lld", (long long)update.timestamp);
        char *url = NULL;
        uint64_t ticket = 0;
        ANSWER(SKAN_OK, skan_conversion_request(engine, "a", NULL, &url, &ticket, &failure));
        const char *start = "https://sdk-api-v1.singular.net/api/v2/conversion_value?n=__SESSION__&p=iOS&skan_";
        EXPECT(strncmp(url, start, strlen(start)) == 0, "came %s", url);
        EXPECT(ticket / 1000000 >= (uint64_t)update.timestamp, "ticket %llu", (unsigned long long)ticket);
        skan_free(url);
        ANSWER(SKAN_ERROR_MISUSE, skan_update_conversion_values(engine, "a", NULL, NULL, &failure));
        skan_destroy(engine);
    }
}

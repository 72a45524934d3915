/* Structs: legal and illegal sizes, who owns the hooks, and that everything given is copied. */
#define _GNU_SOURCE
#include "contract.h"

#include <stdlib.h>
#include <string.h>

#define MORE 64 /* bytes a newer caller's struct may have more, in these tests */

/* A struct of a newer caller: the bytes known here, then a tail. */
typedef union larger {
    skan_options options;
    skan_store store;
    skan_clock clock;
    skan_transport transport;
    skan_device device;
    skan_update update;
    unsigned char bytes[256];
} larger;

static larger with_size(const void *known, size_t length, size_t size) {
    larger value;
    memset(&value, 0, sizeof value);
    memcpy(&value, known, length);
    memcpy(&value, &size, sizeof size); /* every struct starts with it */
    return value;
}

typedef enum part { OPTIONS, STORE, CLOCK, TRANSPORT, PARTS } part;
static const char *const part_names[] = {"options", "store", "clock", "transport"};
static const size_t part_sizes[] = {sizeof(skan_options), sizeof(skan_store), sizeof(skan_clock),
                                    sizeof(skan_transport)};

/* The sizes of their first versions: only the store has grown since. */
static const size_t first_sizes[] = {offsetof(skan_options, models), offsetof(skan_store, load_many),
                                     sizeof(skan_clock), sizeof(skan_transport)};

static const void *part_of(const host *host, part part) {
    const void *parts[] = {&host->options, &host->store_hooks, &host->clock_hooks, &host->transport_hooks};
    return parts[part];
}

static void finalized(host *host, int times) {
    EXPECT_NUMBER(times, host->store.finalized);
    EXPECT_NUMBER(times, host->clock.finalized);
    EXPECT_NUMBER(times, host->transports_finalized);
    host->store.finalized = host->clock.finalized = host->transports_finalized = 0;
}

/* Creates an engine from the host's structs, one of them replaced. */
static skan_status create_with(host *host, part part, const larger *replaced) {
    skan_options options = host->options;
    if (part == STORE) options.store = &replaced->store;
    if (part == CLOCK) options.clock = &replaced->clock;
    if (part == TRANSPORT) options.transport = &replaced->transport;
    host->engine = (skan *)host;
    return skan_create(part == OPTIONS ? &replaced->options : &options, &host->engine, &failure);
}

static void made(host *host, part part, const larger *replaced) {
    ANSWER(SKAN_OK, create_with(host, part, replaced));
    EXPECT(host->engine && host->engine != (skan *)host, "no engine was made");
    finalized(host, 0);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_forget(host->engine, "a", &failure));
    skan_destroy(host->engine);
    host->engine = NULL;
    finalized(host, 1);
}

static void refused(host *host, part part, const larger *replaced) {
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, create_with(host, part, replaced));
    EXPECT_MESSAGE(part_names[part]);
    EXPECT(host->engine == NULL, "an engine was given");
    host->engine = NULL;
    finalized(host, 0);
}

static void an_illegal_size_leaves_the_hooks_to_the_caller(const void *subject) {
    (void)subject;
    host *host = host_make();
    for (part part = 0; part < PARTS; part++) {
        for (size_t size = 0; size < part_sizes[part]; size++) {
            if (size >= first_sizes[part] && size % sizeof(void *) == 0) continue;
            in_round("%s, size %zu", part_names[part], size);
            larger small = with_size(part_of(host, part), part_sizes[part], size);
            refused(host, part, &small);
        }
        for (size_t size = part_sizes[part] + 1; size <= part_sizes[part] + MORE; size++)
            for (size_t at = part_sizes[part]; at < size; at++) {
                in_round("%s, size %zu, byte %zu is not 0", part_names[part], size, at);
                larger unknown = with_size(part_of(host, part), part_sizes[part], size);
                unknown.bytes[at] = 1;
                refused(host, part, &unknown);
            }
    }
    host_end(host);
}

static void a_larger_struct_with_a_zero_tail_is_taken(const void *subject) {
    (void)subject;
    host *host = host_make();
    for (part part = 0; part < PARTS; part++)
        for (size_t size = part_sizes[part]; size <= part_sizes[part] + MORE; size++) {
            in_round("%s, size %zu", part_names[part], size);
            larger newer = with_size(part_of(host, part), part_sizes[part], size);
            newer.bytes[size] = 1; /* no part of it any more */
            made(host, part, &newer);
        }
    host_end(host);
}

static void nothing_after_1024_bytes_is_taken(const void *subject) {
    (void)subject;
    host *host = host_make();
    union {
        larger known;
        unsigned char bytes[2048];
    } page;
    memset(&page, 0, sizeof page);
    for (part part = 0; part < PARTS; part++) {
        in_round("%s", part_names[part]);
        page.known = with_size(part_of(host, part), part_sizes[part], 1024);
        page.bytes[1024] = 1;
        made(host, part, &page.known);
        page.known = with_size(part_of(host, part), part_sizes[part], 1025);
        refused(host, part, &page.known);
        page.known = with_size(part_of(host, part), part_sizes[part], SIZE_MAX);
        refused(host, part, &page.known);
    }
    host_end(host);
}

/* What is behind the end would end the process, were it called. */
static void a_store_may_end_before_its_optional_hooks(const void *subject) {
    (void)subject;
    host *host = host_make();
    for (size_t size = offsetof(skan_store, load_many); size <= sizeof(skan_store); size += sizeof(void *)) {
        in_round("size %zu", size);
        larger store = with_size(&host->store_hooks, sizeof(skan_store), size);
        memset(store.bytes + size, 0xA5, sizeof store - size); /* no part of it */
        made(host, STORE, &store);

        store.store.context = &host->store;
        ANSWER(SKAN_OK, create_with(host, STORE, &store));
        skan_revenue items[] = {{.size = sizeof *items, .install_id = "a", .amount = 1, .currency = "USD"},
                                {.size = sizeof *items, .install_id = "b", .amount = 1, .currency = "USD"}};
        skan_status statuses[2] = {-1, -1};
        ANSWER(SKAN_OK, skan_update_revenue_many(host->engine, items, 2, statuses, &failure));
        EXPECT_NUMBER(SKAN_OK, statuses[1]);
        EXPECT(host_store_find(&host->store, "b"), "b was not saved");
        skan_destroy(host->engine);
        host->engine = NULL;
        finalized(host, 1);
    }
    host_end(host);
}

static void options_may_end_before_conversion_models(const void *subject) {
    (void)subject;
    for (size_t size = offsetof(skan_options, models); size <= sizeof(skan_options); size += sizeof(void *)) {
        in_round("size %zu", size);
        skan_options options;
        memset(&options, 0xA5, sizeof options); /* what is behind the end is no part of it */
        memset(&options, 0, size);
        options.size = size;
        skan *engine = NULL;
        ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
        ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
        skan_destroy(engine);
        options.size = size - 1;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&options, &engine, &failure));
    }
}

static skan_status use_device(host *host, const larger *device) {
    char *url = (char *)host;
    uint64_t ticket = 1;
    skan_status status = skan_conversion_request(host->engine, "a", NULL, &device->device, &url, &ticket, &failure);
    EXPECT((url != NULL) == (status == SKAN_OK) && (ticket != 0) == (status == SKAN_OK), "outs with %s",
           skan_status_name(status));
    if (status == SKAN_OK) skan_free(url);
    skan_error *of_request = failure;
    failure = NULL;
    skan_update update = unwritten_update();
    EXPECT_STATUS(status,
                  skan_update_conversion_values(host->engine, "a", NULL, NULL, &device->device, &update, &failure));
    EXPECT((update.id != 0) == (status == SKAN_OK), "an update with %s", skan_status_name(status));
    skan_error_free(failure);
    failure = of_request;
    return status;
}

static void a_device_has_a_legal_size(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    const skan_device device = {.size = sizeof device, .os_version = "16.1"};
    for (size_t size = 0; size < sizeof device; size++) {
        in_round("size %zu", size);
        larger small = with_size(&device, sizeof device, size);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use_device(host, &small));
        EXPECT_MESSAGE("device");
    }
    for (size_t size = sizeof device; size <= sizeof device + MORE; size++) {
        in_round("size %zu", size);
        larger newer = with_size(&device, sizeof device, size);
        newer.bytes[size] = 1;
        ANSWER(SKAN_OK, use_device(host, &newer));
        EXPECT(strstr(host->last_url, "v=16.1&"), "the device was not read: %s", host->last_url);
        for (size_t at = sizeof device; at < size; at++) {
            in_round("size %zu, byte %zu is not 0", size, at);
            larger unknown = newer;
            unknown.bytes[at] = 1;
            ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use_device(host, &unknown));
            EXPECT_MESSAGE("device");
        }
    }
    host_end(host);
}

/* The functions with an update as out parameter, in a state where they answer `status`. */
static skan_status update_function(int which, host *host, const char *install_id, skan_update *out) {
    static const char body[] = "{\"conversion_value\":3}";
    if (which == 0) return skan_register(host->engine, install_id, out, &failure);
    if (which == 1) return skan_apply_response(host->engine, install_id, 0, body, sizeof body - 1, out, &failure);
    if (which == 2) return skan_update_conversion_values(host->engine, install_id, NULL, NULL, NULL, out, &failure);
    return skan_pending_update(host->engine, install_id, out, &failure);
}

static void an_out_update_keeps_its_size_and_loses_its_tail(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    for (int which = 0; which < 4; which++)
        for (int succeeds = 0; succeeds < 2; succeeds++)
            for (size_t size = sizeof(skan_update); size <= sizeof(skan_update) + MORE; size++) {
                in_round("function %d, %s, size %zu", which, succeeds ? "OK" : "an outcome", size);
                ANSWER(SKAN_OK, skan_forget(host->engine, "a", &failure));
                if ((which == 0) != succeeds) ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
                larger out;
                memset(&out, 0xA5, sizeof out);
                out.update.size = size;
                skan_status status = SETTLE(update_function(which, host, "a", &out.update));
                EXPECT((status == SKAN_OK) == succeeds, "came %s", skan_status_name(status));
                EXPECT_NUMBER(size, out.update.size);
                EXPECT_NUMBER(succeeds ? 1 + (which % 3 != 0) : 0, out.update.id);
                EXPECT_NUMBER(succeeds ? NOW : 0, out.update.timestamp);
                for (size_t at = sizeof(skan_update); at < size; at++)
                    EXPECT(out.bytes[at] == 0, "byte %zu of the tail is not 0", at);
                for (size_t at = size; at < sizeof out; at++)
                    EXPECT(out.bytes[at] == 0xA5, "byte %zu, no part of the struct, was written", at);
            }
    host_end(host);
}

static void an_out_update_that_is_too_small_is_refused(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    char *before = details_of(host->engine, "a");
    for (int which = 0; which < 4; which++)
        for (size_t size = 0; size < sizeof(skan_update); size++) {
            in_round("function %d, size %zu", which, size);
            larger out;
            memset(&out, 0xA5, sizeof out);
            out.update.size = size;
            ANSWER(SKAN_ERROR_INVALID_ARGUMENT, update_function(which, host, which == 0 ? "b" : "a", &out.update));
            EXPECT_MESSAGE("out");
            EXPECT_NUMBER(size, out.update.size);
            for (size_t at = size < sizeof size ? sizeof size : size; at < sizeof out; at++)
                EXPECT(out.bytes[at] == 0xA5, "byte %zu, no part of the struct, was written", at);
        }
    EXPECT_DETAILS(before, host->engine, "a");
    EXPECT(!host_store_find(&host->store, "b"), "a refused register wrote a record");
    free(before);
    host_end(host);
}

/* ------------------------------------------------------------------------------------------------------- finalize */

static void refused_and_finalized(host *host, skan **out, const char *names) {
    if (out) *out = (skan *)host;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, out, &failure));
    EXPECT_MESSAGE(names);
    EXPECT(!out || !*out, "an engine was given");
    finalized(host, 1);
}

static void a_failing_create_finalizes_once(const void *subject) {
    (void)subject;
    host *host = host_make();
    const skan_options options = host->options;
    const skan_store store = host->store_hooks;
    skan *out = NULL;

    refused_and_finalized(host, NULL, "out");
    host->options.protocol = 7;
    refused_and_finalized(host, &out, "protocol");
    host->options = options;
    host->options.endpoint_url = "nowhere";
    refused_and_finalized(host, &out, "endpoint_url");
    host->options = options;
    host->options.sdk_key = "\xff";
    refused_and_finalized(host, &out, "sdk_key");
    host->options = options;
    host->options.bundle_id = "\n";
    refused_and_finalized(host, &out, "bundle_id");
    host->options = options;
    host->options.app_version = "\n";
    refused_and_finalized(host, &out, "app_version");
    host->options = options;

    host->store_hooks.load = NULL;
    refused_and_finalized(host, &out, "load");
    host->store_hooks = store;
    host->store_hooks.save = NULL;
    refused_and_finalized(host, &out, "save");
    host->store_hooks = store;
    host->store_hooks.remove = NULL;
    refused_and_finalized(host, &out, "remove");
    host->store_hooks = store;
    host->clock_hooks.now = NULL;
    refused_and_finalized(host, &out, "now");
    host->clock_hooks = host_clock_hooks(&host->clock);
    host->transport_hooks.get = NULL;
    refused_and_finalized(host, &out, "get");
    host_end(host);
}

static void finalize_may_be_null(const void *subject) {
    (void)subject;
    host *host = host_make();
    host->store_hooks.finalize = NULL;
    host->clock_hooks.finalize = NULL;
    host->transport_hooks.finalize = NULL;
    host_open(host);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    skan_destroy(host->engine);
    host->options.protocol = 9;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, &host->engine, &failure));
    finalized(host, 0);
    host_end(host);
}

static void each_engine_finalizes_for_itself(const void *subject) {
    (void)subject;
    host *host = host_make();
    skan *engines[3];
    for (int i = 0; i < 3; i++) ANSWER(SKAN_OK, skan_create(&host->options, &engines[i], &failure));
    ANSWER(SKAN_OK, skan_register(engines[0], "a", NULL, &failure));
    finalized(host, 0);
    for (int i = 0; i < 3; i++) {
        skan_destroy(engines[i]);
        finalized(host, 1);
    }
    host_end(host);
}

static void what_create_takes_is_copied(const void *subject) {
    (void)subject;
    host *host = host_make();
    char key[] = "key", bundle[] = "bundle", version[] = "version", endpoint[] = "https://example.com/x/";
    host->options.sdk_key = key;
    host->options.bundle_id = bundle;
    host->options.app_version = version;
    host->options.endpoint_url = endpoint;
    host_open(host);
    memset(key, '#', sizeof key - 1);
    memset(bundle, '#', sizeof bundle - 1);
    memset(version, '#', sizeof version - 1);
    memset(endpoint, '#', sizeof endpoint - 1);
    memset(&host->options, 0xA5, sizeof host->options);
    memset(&host->store_hooks, 0xA5, sizeof host->store_hooks);
    memset(&host->clock_hooks, 0xA5, sizeof host->clock_hooks);
    memset(&host->transport_hooks, 0xA5, sizeof host->transport_hooks);
    never_in_messages = NULL;
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, NULL, &failure));
    EXPECT_TEXT("https://example.com/x/api/v2/conversion_value?a=key&i=bundle&app_v=version&n=__SESSION__&p=iOS"
                "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=1700000000"
                "&skan_last_call_to_skadnetwork_timestamp=1700000000",
                host->last_url);
    host_end(host);
}

static void options_of_zeros_make_an_engine(const void *subject) {
    (void)subject;
    const skan_options zeros = {.size = sizeof zeros};
    const skan_options *each[] = {NULL, &zeros};
    for (int i = 0; i < 2; i++) {
        skan *engine = NULL;
        ANSWER(SKAN_OK, skan_create(each[i], &engine, &failure));
        skan_update update = unwritten_update();
        ANSWER(SKAN_OK, skan_register(engine, "a", &update, &failure));
        EXPECT_NUMBER(1, update.id);
        EXPECT_NUMBER(0, update.fine_value);
        EXPECT(update.timestamp > INT64_C(1500000000), "the system's clock shows %lld", (long long)update.timestamp);
        char *url = NULL;
        uint64_t ticket = 0;
        ANSWER(SKAN_OK, skan_conversion_request(engine, "a", NULL, NULL, &url, &ticket, &failure));
        const char *start = "https://sdk-api-v1.singular.net/api/v2/conversion_value?n=__SESSION__&p=iOS&skan_";
        EXPECT(strncmp(url, start, strlen(start)) == 0, "came %s", url);
        EXPECT(ticket / 1000000 >= (uint64_t)update.timestamp, "ticket %llu", (unsigned long long)ticket);
        skan_free(url);
        ANSWER(SKAN_ERROR_MISUSE, skan_update_conversion_values(engine, "a", NULL, NULL, NULL, NULL, &failure));
        skan_destroy(engine);
    }
}

static void two_engines_in_memory_share_nothing(const void *subject) {
    (void)subject;
    skan *one = NULL, *other = NULL;
    ANSWER(SKAN_OK, skan_create(NULL, &one, &failure));
    ANSWER(SKAN_OK, skan_create(NULL, &other, &failure));
    ANSWER(SKAN_OK, skan_register(one, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_register(other, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_forget(one, "a", &failure));
    ANSWER(SKAN_ALREADY_REGISTERED, skan_register(other, "a", NULL, &failure));
    skan_destroy(one);
    ANSWER(SKAN_ALREADY_REGISTERED, skan_register(other, "a", NULL, &failure));
    skan_destroy(other);
}

const contract_case struct_cases[] = {
    {"an illegal size leaves the hooks to the caller", an_illegal_size_leaves_the_hooks_to_the_caller},
    {"a larger struct with a zero tail is taken", a_larger_struct_with_a_zero_tail_is_taken},
    {"nothing after 1024 bytes is taken", nothing_after_1024_bytes_is_taken},
    {"a store may end before its optional hooks", a_store_may_end_before_its_optional_hooks},
    {"options may end before conversion models", options_may_end_before_conversion_models},
    {"a device has a legal size", a_device_has_a_legal_size},
    {"an out update keeps its size and loses its tail", an_out_update_keeps_its_size_and_loses_its_tail},
    {"an out update that is too small is refused", an_out_update_that_is_too_small_is_refused},
    {"a failing create finalizes once", a_failing_create_finalizes_once},
    {"finalize may be NULL", finalize_may_be_null},
    {"each engine finalizes for itself", each_engine_finalizes_for_itself},
    {"what create takes is copied", what_create_takes_is_copied},
    {"options of zeros make an engine", options_of_zeros_make_an_engine},
    {"two engines in memory share nothing", two_engines_in_memory_share_nothing},
    {NULL, NULL}};

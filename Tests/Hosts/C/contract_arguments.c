/* Arguments: which are refused, that refusing comes before anything else, and what the message says. */
#define _GNU_SOURCE
#include "contract.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void a_null_engine_is_refused(const void *subject) {
    (void)subject;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("%s", functions[i].name);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], NULL, "a"));
        EXPECT_MESSAGE("engine");
    }
}

static void a_null_install_id_is_refused(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("%s", functions[i].name);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], host->engine, NULL));
        EXPECT_MESSAGE("install_id");
    }
    host_end(host);
}

static void the_error_may_be_null(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *made = NULL;
    EXPECT_STATUS(SKAN_OK, skan_create(NULL, &made, NULL));
    skan_destroy(made);
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_create(NULL, NULL, NULL));
    skan *engines[] = {host->engine, NULL};
    for (int i = 0; i < 2; i++) {
        skan *engine = engines[i];
        skan_status expected = engine ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT;
        skan_update update = {.size = sizeof update};
        char *text = NULL;
        uint64_t ticket = 0;
        EXPECT_STATUS(expected, skan_register(engine, "a", &update, NULL));
        EXPECT_STATUS(expected, skan_update_revenue(engine, "a", 1, "USD", false, NULL, NULL));
        EXPECT_STATUS(expected, skan_conversion_request(engine, "a", NULL, NULL, &text, &ticket, NULL));
        skan_free(text);
        EXPECT_STATUS(expected,
                      skan_apply_response(engine, "a", ticket, "{\"conversion_value\":3}", 22, &update, NULL));
        EXPECT_STATUS(expected, skan_update_conversion_values(engine, "a", NULL, NULL, NULL, &update, NULL));
        EXPECT_STATUS(expected, skan_pending_update(engine, "a", &update, NULL));
        EXPECT_STATUS(expected, skan_acknowledge_update(engine, "a", 1, true, NULL));
        EXPECT_STATUS(expected, skan_details(engine, "a", &text, NULL));
        skan_free(text);
        EXPECT_STATUS(expected, skan_metadata(engine, "a", &text, NULL));
        skan_free(text);
        EXPECT_STATUS(expected, skan_forget(engine, "a", NULL));
        EXPECT_STATUS(expected, skan_import_details(engine, "a", "{}", 2, NULL));
    }
    host_end(host);
}

static void updates_may_go_nowhere(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", 0, "{\"conversion_value\":3}", 22, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_pending_update(host->engine, "a", NULL, &failure));
    host_end(host);
}

static void a_ticket_may_go_nowhere(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    char *url = NULL;
    ANSWER(SKAN_OK, skan_conversion_request(host->engine, "a", NULL, NULL, &url, NULL, &failure));
    EXPECT(url != NULL, "there is no URL");
    skan_free(url);
    host_end(host);
}

static void text_must_go_somewhere(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    uint64_t ticket = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           skan_conversion_request(host->engine, "a", NULL, NULL, NULL, &ticket, &failure));
    EXPECT_MESSAGE("url");
    EXPECT_NUMBER(0, ticket);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_details(host->engine, "a", NULL, &failure));
    EXPECT_MESSAGE("json");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_metadata(host->engine, "a", NULL, &failure));
    EXPECT_MESSAGE("query");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(NULL, NULL, &failure));
    EXPECT_MESSAGE("out");
    host_end(host);
}

static void null_bytes_need_length_zero(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    ANSWER(SKAN_NO_NEW_VALUE, skan_apply_response(engine, "a", 0, NULL, 0, NULL, &failure));
    skan_update update = unwritten_update();
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_apply_response(engine, "a", 0, NULL, 1, &update, &failure));
    EXPECT_MESSAGE("body");
    EXPECT_NUMBER(0, update.id);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_apply_response(engine, "a", 0, NULL, SIZE_MAX, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_import_details(engine, "b", NULL, 0, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_import_details(engine, "b", NULL, 1, &failure));
    EXPECT_MESSAGE("json");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_import_details(engine, "b", NULL, SIZE_MAX, &failure));
    host_end(host);
}

static void ending_nothing_is_fine(const void *subject) {
    (void)subject;
    skan_destroy(NULL);
    skan_free(NULL);
    skan_error_free(NULL);
    EXPECT_STATUS(SKAN_OK, skan_error_code(NULL));
    EXPECT_TEXT("", skan_error_message(NULL));
}

/* ---------------------------------------------------------------------------------------------------------- texts */

/* What install ids, SDK keys, versions, idfv and idfa have in common: plain UTF-8 of so many bytes. */
static void is_plain_text(const char *argument, size_t most, skan_status (*use)(host *host, const char *text)) {
    host *host = host_make();
    char *longest = repeated("\xf0\x9f\x98\x80", most / 4), *longer = text_of("%sy", longest);
    char *huge = repeated("x", 1000000);
    const char *const fine[] = {longest, " ", "\xc3\xa9", "%00"};
    const char *const bad[] = {longer, huge, "a\xc3", "\xed\xa0\x80", "a\nb", "\x7f"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        in_round("%s, fine text number %zu", argument, i);
        ANSWER(SKAN_OK, use(host, fine[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("%s, bad text number %zu", argument, i);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use(host, bad[i]));
        EXPECT_MESSAGE(argument);
        EXPECT(strlen(failure_message()) < 1000, "the message has %zu bytes", strlen(failure_message()));
    }
    free(longest);
    free(longer);
    free(huge);
    host_end(host);
}

static skan *opened(host *host) {
    if (!host->engine) host_open(host);
    return host->engine;
}

static skan_status use_install_id(host *host, const char *text) {
    return skan_update_revenue(opened(host), text, 1, "USD", false, NULL, &failure);
}

static void install_ids_are_1_to_128_bytes_of_plain_utf8(const void *subject) {
    (void)subject;
    is_plain_text("install_id", SKAN_INSTALL_ID_MAX, use_install_id);
    host *host = host_with_engine();
    static const char *const bad[] = {"", "\xff", "a\nb"};
    for (int i = 0; i < FUNCTION_COUNT; i++)
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++) {
            in_round("%s, bad install id number %zu", functions[i].name, j);
            ANSWER(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], host->engine, bad[j]));
            EXPECT_MESSAGE("install_id");
        }
    host_end(host);
}

static void install_ids_reach_the_store_as_they_are(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    const char *ids[] = {"a", "A", " a", "\xc3\xa9", "e\xcc\x81", "..", "%61", "a/b"};
    size_t count = sizeof ids / sizeof *ids;
    for (size_t i = 0; i < count; i++) ANSWER(SKAN_OK, skan_register(host->engine, ids[i], NULL, &failure));
    EXPECT_NUMBER(count, host->store.count);
    for (size_t i = 0; i < count; i++)
        EXPECT(host_store_find(&host->store, ids[i]), "there is no record under %s", ids[i]);
    host_end(host);
}

#define OPTION_TEXT(member) \
    static skan_status use_##member(host *host, const char *text) { \
        host->options.member = text; \
        skan *engine = (skan *)host; \
        skan_status status = skan_create(&host->options, &engine, &failure); \
        EXPECT((engine != NULL) == (status == SKAN_OK), "an engine with status %d", (int)status); \
        if (status == SKAN_OK) skan_destroy(engine); \
        return status; \
    }
OPTION_TEXT(sdk_key)
OPTION_TEXT(bundle_id)
OPTION_TEXT(app_version)
OPTION_TEXT(endpoint_url)

static void texts_of_options_have_at_most_256_bytes_of_plain_utf8(const void *subject) {
    (void)subject;
    is_plain_text("sdk_key", SKAN_TEXT_MAX, use_sdk_key);
    is_plain_text("bundle_id", SKAN_TEXT_MAX, use_bundle_id);
    is_plain_text("app_version", SKAN_TEXT_MAX, use_app_version);
    host *host = host_make();
    ANSWER(SKAN_OK, use_sdk_key(host, ""));
    ANSWER(SKAN_OK, use_endpoint_url(host, "http://localhost:8080"));
    static const char *const no_endpoints[] = {"", "ftp://example.com", "https://example.com?a=b", "https://\xff"};
    for (size_t i = 0; i < sizeof no_endpoints / sizeof *no_endpoints; i++) {
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use_endpoint_url(host, no_endpoints[i]));
        EXPECT_MESSAGE("endpoint_url");
    }
    host_end(host);
}

static void a_bad_sdk_key_is_not_told(const void *subject) {
    (void)subject;
    host *host = host_make();
    char *too_long = repeated(SDK_KEY, 100);
    const char *keys[] = {SDK_KEY "\xff", SDK_KEY "\n", too_long};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use_sdk_key(host, keys[i])); /* ANSWER looks for the key */
    free(too_long);
    host_end(host);
}

static void a_protocol_is_3_or_4(const void *subject) {
    (void)subject;
    host *host = host_make();
    const uint32_t fine[] = {0, 3, 4};
    for (int i = 0; i < 3; i++) {
        host->options.protocol = fine[i];
        ANSWER(SKAN_OK, skan_create(&host->options, &host->engine, &failure));
        skan_destroy(host->engine);
    }
    const uint32_t bad[] = {1, 2, 5, 34, UINT32_MAX};
    for (int i = 0; i < 5; i++) {
        host->options.protocol = bad[i];
        host->engine = (skan *)host;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, &host->engine, &failure));
        EXPECT_MESSAGE("protocol");
        char *number = text_of("%u", bad[i]);
        EXPECT_MESSAGE(number);
        free(number);
        EXPECT(host->engine == NULL, "an engine was made");
    }
    host->options.protocol = 4;
    host->options.reserved = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, &host->engine, &failure));
    EXPECT_MESSAGE("reserved");
    host_end(host);
}

#define DEVICE_TEXT(member) \
    static skan_status use_##member(host *host, const char *text) { \
        const skan_device device = {.size = sizeof device, .member = text}; \
        char *url = (char *)host; \
        ANSWER(SKAN_OK, skan_forget(opened(host), "device", &failure)); \
        ANSWER(SKAN_OK, skan_register(host->engine, "device", NULL, &failure)); \
        skan_status by_transport = \
            SETTLE(skan_update_conversion_values(host->engine, "device", NULL, NULL, &device, NULL, &failure)); \
        skan_status status = skan_conversion_request(host->engine, "device", NULL, &device, &url, NULL, &failure); \
        EXPECT_STATUS(status, by_transport); \
        EXPECT((url != NULL) == (status == SKAN_OK), "a URL with status %d", (int)status); \
        if (status == SKAN_OK) skan_free(url); \
        return status; \
    }
DEVICE_TEXT(os_version)
DEVICE_TEXT(idfv)
DEVICE_TEXT(idfa)

static void texts_of_a_device_have_at_most_256_bytes_of_plain_utf8(const void *subject) {
    (void)subject;
    is_plain_text("os_version", SKAN_TEXT_MAX, use_os_version);
    is_plain_text("idfv", SKAN_TEXT_MAX, use_idfv);
    is_plain_text("idfa", SKAN_TEXT_MAX, use_idfa);
}

/* Bytes, which need not be UTF-8. */
static void event_ids_are_1_to_128_bytes(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    char *longest = repeated("x", SKAN_EVENT_ID_MAX), *longer = repeated("x", SKAN_EVENT_ID_MAX + 1);
    const char *bad[] = {"", longer}, *fine[] = {longest, "\xff", "\x01"};
    for (int i = 0; i < 2; i++) {
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 1, "USD", false, bad[i], &failure));
        EXPECT_MESSAGE("event_id");
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_update_conversion_values(engine, "a", NULL, bad[i], NULL, NULL, &failure));
        EXPECT_MESSAGE("event_id");
    }
    EXPECT_NUMBER(0, host->gets);
    for (int i = 0; i < 3; i++) {
        in_round("event id number %d", i);
        ANSWER(SKAN_OK, skan_update_revenue(engine, "a", 1, "USD", false, fine[i], &failure));
        ANSWER(SKAN_DUPLICATE_EVENT, skan_update_revenue(engine, "a", 1, "USD", false, fine[i], &failure));
        ANSWER(SKAN_OK, skan_update_conversion_values(engine, "a", NULL, fine[i], NULL, NULL, &failure));
        ANSWER(SKAN_DUPLICATE_EVENT, skan_update_conversion_values(engine, "a", NULL, fine[i], NULL, NULL, &failure));
    }
    free(longest);
    free(longer);
    host_end(host);
}

static void event_names_are_1_to_32_printable_ascii_bytes(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    char *longest = repeated("x", SKAN_EVENT_NAME_MAX), *longer = repeated("x", SKAN_EVENT_NAME_MAX + 1);
    const char *bad[] = {"", longer, "\x1f", "\xff"}, *fine[] = {NULL, longest};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("bad event name number %zu", i);
        char *url = (char *)host;
        uint64_t ticket = 1;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_conversion_request(engine, "a", bad[i], NULL, &url, &ticket, &failure));
        EXPECT_MESSAGE("event_name");
        EXPECT(url == NULL && ticket == 0, "outs are given with an error");
        skan_update update = unwritten_update();
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_update_conversion_values(engine, "a", bad[i], NULL, NULL, &update, &failure));
        EXPECT_MESSAGE("event_name");
        EXPECT_NUMBER(0, update.id);
    }
    for (int i = 0; i < 2; i++)
        ANSWER(SKAN_OK, skan_update_conversion_values(engine, "a", fine[i], NULL, NULL, NULL, &failure));
    free(longest);
    free(longer);
    host_end(host);
}

/* -------------------------------------------------------------------------------------------------------- numbers */

static void amounts_are_finite_and_below_1e12(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    const double bad[] = {NAN, -INFINITY, 1e12, -1e12, DBL_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("%g", bad[i]);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_update_revenue(host->engine, "a", bad[i], "USD", i % 2, "id", &failure));
        EXPECT_MESSAGE("amount");
    }
    EXPECT_NUMBER(0, host->store.count);
    host_end(host);
}

/* A text that does not end soon is not read to its end, and a message shows its beginning. */
static void a_currency_is_three_ascii_letters(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    char *huge = repeated("USD", 300000), *longer = repeated("USDU", 25);
    const char *const bad[][2] = {{NULL, "currency"},
                                  {"", "currency"},
                                  {"US\xff", "currency"},
                                  {"U$D", "got \"U$D\""},
                                  {"dollar", "got \"dollar\""},
                                  {huge, "... (more than 65536 bytes)"},
                                  {longer, "... (100 bytes)"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("bad currency number %zu", i);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 1, bad[i][0], false, "id", &failure));
        EXPECT_MESSAGE("currency");
        EXPECT_MESSAGE(bad[i][1]);
        EXPECT(strlen(failure_message()) < 1000, "the message has %zu bytes", strlen(failure_message()));
    }
    EXPECT_NUMBER(0, host->store.count);
    free(huge);
    free(longer);
    host_end(host);
}

static void tickets_are_below_2_to_the_63(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    const uint64_t bad[] = {UINT64_C(1) << 63, UINT64_MAX};
    for (int i = 0; i < 2; i++) {
        skan_update update = unwritten_update();
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_apply_response(host->engine, "a", bad[i], "{\"conversion_value\":3}", 22, &update, &failure));
        EXPECT_MESSAGE("ticket");
        EXPECT_NUMBER(0, update.id);
    }
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", INT64_MAX, "{\"conversion_value\":3}", 22, NULL, &failure));
    host_end(host);
}

/* ---------------------------------------------------------------------------------------------------------- order */

static skan_status broken_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    (void)key, (void)out, (void)version;
    ++*(int *)context;
    return SKAN_ERROR_STORE;
}

static skan_status broken_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    (void)key, (void)data, (void)length, (void)expected, (void)version;
    ++*(int *)context;
    return SKAN_ERROR_STORE;
}

static skan_status broken_remove(void *context, const char *key, uint64_t expected) {
    (void)key, (void)expected;
    ++*(int *)context;
    return SKAN_ERROR_STORE;
}

static int64_t broken_now(void *context) {
    ++*(int *)context;
    return -1;
}

static void arguments_are_checked_before_anything_else(const void *subject) {
    (void)subject;
    host *host = host_make();
    int calls = 0;
    host->store_hooks = (skan_store){.size = sizeof(skan_store),
                                     .context = &calls,
                                     .load = broken_load,
                                     .save = broken_save,
                                     .remove = broken_remove};
    host->clock_hooks = (skan_clock){sizeof(skan_clock), &calls, broken_now, NULL};
    host->options.transport = NULL; /* misuse comes later too */
    host_open(host);
    skan *engine = host->engine;
    const skan_device bad_device = {.size = sizeof bad_device, .idfa = "\n"};
    char *url = NULL;
    for (int i = 0; i < FUNCTION_COUNT; i++) ANSWER(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], engine, ""));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", NAN, "USD", false, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 0, "US", false, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 0, "USD", false, "", &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_conversion_request(engine, "a", "", NULL, &url, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_conversion_request(engine, "a", NULL, &bad_device, &url, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_apply_response(engine, "a", UINT64_MAX, "{}", 2, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_conversion_values(engine, "a", "", NULL, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_conversion_values(engine, "a", NULL, "", NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           skan_update_conversion_values(engine, "a", NULL, NULL, &bad_device, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_import_details(engine, "a", NULL, 3, &failure));
    EXPECT_NUMBER(0, calls);
    ANSWER(SKAN_ERROR_MISUSE, skan_update_conversion_values(engine, "a", NULL, NULL, NULL, NULL, &failure));
    EXPECT_MESSAGE("transport");
    host_end(host);
}

const contract_case argument_cases[] = {
    {"a NULL engine is refused", a_null_engine_is_refused},
    {"a NULL install id is refused", a_null_install_id_is_refused},
    {"the error may be NULL", the_error_may_be_null},
    {"updates may go nowhere", updates_may_go_nowhere},
    {"a ticket may go nowhere", a_ticket_may_go_nowhere},
    {"text must go somewhere", text_must_go_somewhere},
    {"NULL bytes need length 0", null_bytes_need_length_zero},
    {"ending nothing is fine", ending_nothing_is_fine},
    {"install ids are 1 to 128 bytes of plain UTF-8", install_ids_are_1_to_128_bytes_of_plain_utf8},
    {"install ids reach the store as they are", install_ids_reach_the_store_as_they_are},
    {"texts of options have at most 256 bytes of plain UTF-8", texts_of_options_have_at_most_256_bytes_of_plain_utf8},
    {"a bad SDK key is not told", a_bad_sdk_key_is_not_told},
    {"a protocol is 3 or 4", a_protocol_is_3_or_4},
    {"texts of a device have at most 256 bytes of plain UTF-8", texts_of_a_device_have_at_most_256_bytes_of_plain_utf8},
    {"event ids are 1 to 128 bytes", event_ids_are_1_to_128_bytes},
    {"event names are 1 to 32 printable ASCII bytes", event_names_are_1_to_32_printable_ascii_bytes},
    {"amounts are finite and below 1e12", amounts_are_finite_and_below_1e12},
    {"a currency is three ASCII letters", a_currency_is_three_ascii_letters},
    {"tickets are below 2^63", tickets_are_below_2_to_the_63},
    {"arguments are checked before anything else", arguments_are_checked_before_anything_else},
    {NULL, NULL}};

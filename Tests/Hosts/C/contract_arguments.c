/* Arguments: which are refused, that refusing comes before anything else, and what the message says. What each kind of
 * text may hold is proven in Tests/Core. */
#define _GNU_SOURCE
#include "contract.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

CASE(an_engine_and_an_install_id_are_asked_for) {
    static const char *const bad[] = {NULL, "", "\xff", "a\nb"};
    host *host = host_with_engine();
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("%s", functions[i].name);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], NULL, "a"));
        EXPECT_MESSAGE("engine");
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++) {
            in_round("%s, bad install id number %zu", functions[i].name, j);
            ANSWER(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], host->engine, bad[j]));
            EXPECT_MESSAGE("install_id");
        }
    }
}

CASE(the_error_may_be_null) {
    host *host = host_with_engine();
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_create(NULL, NULL, NULL));
    error_out = NULL;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("%s", functions[i].name);
        EXPECT_STATUS(i == IMPORT_DETAILS ? SKAN_ALREADY_REGISTERED : SKAN_OK, call(&functions[i], host->engine, "a"));
        EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], NULL, "a"));
    }
}

CASE(text_must_go_somewhere_updates_and_tickets_need_not) {
    host *host = host_with_install();
    uint64_t ticket = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           skan_conversion_request(host->engine, "a", NULL, NULL, &ticket, &failure));
    EXPECT_MESSAGE("url");
    EXPECT_NUMBER(0, ticket);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_details(host->engine, "a", NULL, &failure));
    EXPECT_MESSAGE("json");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_metadata(host->engine, "a", NULL, &failure));
    EXPECT_MESSAGE("query");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, NULL, &failure));
    EXPECT_MESSAGE("out");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_pending_calls_json(host->engine, "a", NULL, NULL, &failure));
    EXPECT_MESSAGE("json");
    char *url = NULL;
    ANSWER(SKAN_OK, skan_conversion_request(host->engine, "a", NULL, &url, NULL, &failure));
    skan_free(url);
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", NULL, 0, "{\"conversion_value\":3}", 22, NULL, &failure));
}

CASE(null_bytes_need_length_zero) {
    host *host = host_with_engine();
    skan_engine *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, NULL, &failure));
    ANSWER(SKAN_NO_NEW_VALUE, skan_apply_response(engine, "a", NULL, 0, NULL, 0, NULL, &failure));
    skan_update update = unwritten_update();
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_apply_response(engine, "a", NULL, 0, NULL, 1, &update, &failure));
    EXPECT_MESSAGE("body");
    EXPECT_NUMBER(0, update.id);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_apply_response(engine, "a", NULL, 0, NULL, SIZE_MAX, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_import_details(engine, "b", NULL, 0, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_import_details(engine, "b", NULL, 1, &failure));
    EXPECT_MESSAGE("json");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_import_details(engine, "b", NULL, SIZE_MAX, &failure));
}

CASE(ending_nothing_is_fine) {
    skan_destroy(NULL);
    skan_free(NULL);
    skan_error_free(NULL);
    EXPECT_STATUS(SKAN_OK, skan_error_code(NULL));
    EXPECT_TEXT("", skan_error_message(NULL));
}

/* ---------------------------------------------------------------------------------------------------------- texts */

static skan_engine *opened(host *host) {
    if (!host->engine) host_open(host);
    return host->engine;
}

static skan_status use_install_id(host *host, const char *text) {
    return skan_update_revenue(opened(host), text, AMOUNT(1), "USD", SKAN_IAP, NULL, &failure);
}

#define OPTION_TEXT(member) \
    static skan_status use_##member(host *host, const char *text) { \
        host->options.member = text; \
        skan_engine *engine = (skan_engine *)host; \
        skan_status status = skan_create(&host->options, &engine, &failure); \
        EXPECT((engine != NULL) == (status == SKAN_OK), "an engine with status %d", (int)status); \
        if (status == SKAN_OK) skan_destroy(engine); \
        return status; \
    }
OPTION_TEXT(sdk_key)
OPTION_TEXT(bundle_id)
OPTION_TEXT(app_version)
OPTION_TEXT(endpoint_url)

/* Two functions take the event: the status of both. */
static skan_status use_in_both(host *host, const skan_event *event) {
    char *url = NULL;
    skan_engine *engine = opened(host);
    ANSWER(SKAN_OK, skan_forget(engine, "both", &failure));
    ANSWER(SKAN_OK, skan_register(engine, "both", NULL, NULL, &failure));
    skan_status in_two_steps = SETTLE(skan_conversion_request(engine, "both", event, &url, NULL, &failure));
    skan_free(url);
    skan_status status = skan_update_conversion_values(engine, "both", event, NULL, &failure);
    EXPECT_STATUS(in_two_steps, status);
    return status;
}

#define DEVICE_TEXT(member) \
    static skan_status use_##member(host *host, const char *text) { \
        const skan_device device = {.size = sizeof device, .member = text}; \
        return use_in_both(host, EVENT(.device = &device)); \
    }
DEVICE_TEXT(os_version)
DEVICE_TEXT(idfv)
DEVICE_TEXT(idfa)

static skan_status use_event_name(host *host, const char *text) {
    return use_in_both(host, EVENT(.name = text));
}

static skan_status use_event_id(host *host, const char *text) {
    return use_in_both(host, EVENT(.event_id = text));
}

#define PLAIN {" ", "\xc3\xa9", "%00"}
#define NOT_PLAIN "a\xc3", "\xed\xa0\x80", "a\nb", "\x7f"

/* The longest that is taken, one byte more, one that does not end soon, and what sets the argument's kind apart. */
CASE(texts_have_a_kind_and_a_length) {
    static const struct {
        const char *argument;
        size_t most;
        skan_status (*use)(host *host, const char *text);
        const char *fine[4], *bad[6];
    } texts[] = {
        {"install_id", SKAN_INSTALL_ID_MAX, use_install_id, PLAIN, {"", NOT_PLAIN}},
        {"sdk_key", SKAN_TEXT_MAX, use_sdk_key, PLAIN, {SDK_KEY "\xff", SDK_KEY "\n", "a\xc3", "\x7f"}},
        {"bundle_id", SKAN_TEXT_MAX, use_bundle_id, PLAIN, {NOT_PLAIN}},
        {"app_version", SKAN_TEXT_MAX, use_app_version, PLAIN, {NOT_PLAIN}},
        {"os_version", SKAN_TEXT_MAX, use_os_version, PLAIN, {NOT_PLAIN}},
        {"idfv", SKAN_TEXT_MAX, use_idfv, PLAIN, {NOT_PLAIN}},
        {"idfa", SKAN_TEXT_MAX, use_idfa, PLAIN, {NOT_PLAIN}},
        {"event_id", SKAN_EVENT_ID_MAX, use_event_id, {"\xff", "\x01"}, {""}},
        {"event_name", SKAN_REQUEST_EVENT_NAME_MAX, use_event_name, {" "}, {"", "\x1f", "\x7f", "\xc3\xa9"}},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        host *host = host_make();
        in_round("%s", texts[i].argument);
        char *longest = repeated("x", texts[i].most), *longer = text_of("%sy", longest), *huge = repeated("x", 1000000);
        ANSWER(SKAN_OK, texts[i].use(host, longest));
        for (int at = 0; texts[i].fine[at]; at++) ANSWER(SKAN_OK, texts[i].use(host, texts[i].fine[at]));
        const char *const too_long[] = {longer, huge, NULL}, *const *const lists[] = {too_long, texts[i].bad};
        for (int list = 0; list < 2; list++)
            for (int at = 0; lists[list][at]; at++) {
                in_round("%s, bad text number %d", texts[i].argument, at);
                ANSWER(SKAN_ERROR_INVALID_ARGUMENT, texts[i].use(host, lists[list][at]));
                EXPECT_MESSAGE(texts[i].argument);
                EXPECT(strlen(failure_message()) < 1000, "the message has %zu bytes", strlen(failure_message()));
            }
    }
}

CASE(an_endpoint_is_the_beginning_of_a_url) {
    host *host = host_make();
    ANSWER(SKAN_OK, use_sdk_key(host, ""));
    ANSWER(SKAN_OK, use_endpoint_url(host, "http://localhost:8080"));
    static const char *const no_endpoints[] = {"", "ftp://example.com", "https://example.com?a=b", "https://\xff"};
    for (size_t i = 0; i < sizeof no_endpoints / sizeof *no_endpoints; i++) {
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use_endpoint_url(host, no_endpoints[i]));
        EXPECT_MESSAGE("endpoint_url");
    }
}

CASE(install_ids_reach_the_store_as_they_are) {
    host *host = host_with_engine();
    const char *ids[] = {"a", "A", " a", "\xc3\xa9", "e\xcc\x81", "..", "%61", "a/b"};
    size_t count = sizeof ids / sizeof *ids;
    for (size_t i = 0; i < count; i++) ANSWER(SKAN_OK, skan_register(host->engine, ids[i], NULL, NULL, &failure));
    EXPECT_NUMBER(count, host->store.count);
    for (size_t i = 0; i < count; i++)
        EXPECT(host_store_find(&host->store, ids[i]), "there is no record under %s", ids[i]);
}

/* -------------------------------------------------------------------------------------------------------- numbers */

CASE(a_protocol_is_3_or_4) {
    static const uint32_t protocols[] = {0, 3, 4, 1, 2, 5, 34, UINT32_MAX};
    host *host = host_make();
    for (int i = 0; i < 8; i++) {
        host->options.protocol = protocols[i];
        host->engine = (skan_engine *)host;
        ANSWER(i < 3 ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, &host->engine, &failure));
        char *message = text_of("protocol: expected 4 (or 0) or 3, got %u", protocols[i]);
        if (i >= 3) EXPECT_MESSAGE(message);
        EXPECT((host->engine != NULL) == (i < 3), "protocol %u", protocols[i]);
        skan_destroy(host->engine);
    }
}

CASE(an_engine_without_models_has_an_endpoint) {
    host *host = host_make();
    host->options.endpoint_url = NULL;
    host->engine = (skan_engine *)host;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(&host->options, &host->engine, &failure));
    EXPECT_TEXT("endpoint_url: expected the URL of a conversion-value endpoint, or conversion models, got neither",
                failure_message());
    EXPECT(host->engine == NULL, "an engine was given");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_create(NULL, &host->engine, &failure));
    EXPECT_MESSAGE("options: ");
    EXPECT_MESSAGE("NULL");
}

/* Wherever money comes in: the same words, and nothing is counted. */
CASE(a_kind_is_0_or_1) {
    static const char message[] = "kind: expected 0 (IAP) or 1 (ad revenue), got ";
    static const int32_t kinds[] = {SKAN_IAP, SKAN_AD, 2, -1, 7, INT32_MAX};
    host *host = host_with_engine();
    for (int i = 0; i < 6; i++) {
        skan_status expected = i < 2 ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT, status = -1;
        const skan_revenue item = {.size = sizeof item,
                                   .install_id = "a",
                                   .amount = {.text = "1"},
                                   .currency = "USD",
                                   .kind = kinds[i]};
        const skan_event *event = EVENT(.amount = AMOUNT(1), .currency = "USD", .kind = kinds[i]);
        in_round("kind %d", (int)kinds[i]);
        ANSWER(SKAN_OK, skan_forget(host->engine, "a", &failure));
        if (i < 2) ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
        char *words = text_of("%s%d", message, (int)kinds[i]);
        ANSWER(expected, skan_update_revenue(host->engine, "a", AMOUNT(1), "USD", kinds[i], NULL, &failure));
        if (i >= 2) EXPECT_TEXT(words, failure_message());
        ANSWER(expected, skan_update_conversion_values(host->engine, "a", event, NULL, &failure));
        if (i >= 2) EXPECT_TEXT(words, failure_message());
        ANSWER(expected, skan_update_revenue_many(host->engine, &item, 1, &status, &failure));
        EXPECT_STATUS(expected, status);
    }
    EXPECT(!host_store_find(&host->store, "a"), "something was counted");
}

/* A text is read whatever the number is, up to its longest. */
CASE(an_amount_is_a_text_or_a_number) {
    static const char *const bad[] = {"", "4,99", " 1", "0x10", "1e12", "-1e12", "nan"};
    host *host = host_with_engine();
    const skan_amount exact = {.text = "123456789012.123456789012", .number = NAN};
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", exact, "USD", SKAN_IAP, NULL, &failure));
    char *details = details_of(host->engine, "a");
    EXPECT(strstr(details, "{\"USD\":123456789012.123456789012}"), "%s", details);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("\"%s\"", bad[i]);
        const skan_amount amount = {.text = bad[i], .number = 1};
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_update_revenue(host->engine, "a", amount, "USD", SKAN_IAP, NULL, &failure));
        EXPECT_MESSAGE("amount");
    }
    in_round("%s", "");
    char *zeros = repeated("0", SKAN_AMOUNT_TEXT_MAX - 2), *longest = text_of("1.%s", zeros);
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "b", (skan_amount){longest, 0}, "USD", SKAN_IAP, NULL, &failure));
    char *longer = text_of("%s0", longest);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           skan_update_revenue(host->engine, "b", (skan_amount){longer, 0}, "USD", SKAN_IAP, NULL, &failure));
    EXPECT_DETAILS(details, host->engine, "a");
}

/* A currency comes with its amount. */
CASE(an_amount_has_a_currency) {
    host *host = host_with_install();
    const skan_event *const bad[] = {EVENT(.amount = AMOUNT(1)), EVENT(.amount = {.text = "1"}), EVENT(.kind = SKAN_AD),
                                     EVENT(.currency = "USD", .amount = {.text = ""}), EVENT(.currency = "")};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("event number %zu", i);
        char *url = NULL;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_conversion_values(host->engine, "a", bad[i], NULL, &failure));
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_conversion_request(host->engine, "a", bad[i], &url, NULL, &failure));
    }
    EXPECT_NUMBER(0, host->gets);
}

/* A text that does not end soon is not read to its end, and a message shows its beginning. */
CASE(a_currency_is_three_ascii_letters) {
    host *host = host_with_engine();
    skan_engine *engine = host->engine;
    char *huge = repeated("USD", 300000), *longer = repeated("USDU", 25);
    const char *const bad[][2] = {{NULL, "currency"},
                                  {"dollar", "got \"dollar\""},
                                  {huge, "... (more than 65536 bytes)"},
                                  {longer, "... (100 bytes)"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("bad currency number %zu", i);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_update_revenue(engine, "a", AMOUNT(1), bad[i][0], SKAN_IAP, "id", &failure));
        EXPECT_MESSAGE("currency");
        EXPECT_MESSAGE(bad[i][1]);
        EXPECT(strlen(failure_message()) < 1000, "the message has %zu bytes", strlen(failure_message()));
    }
    EXPECT_NUMBER(0, host->store.count);
}

/* ---------------------------------------------------------------------------------------------------------- order */

CASE(arguments_are_checked_before_anything_else) {
    host *host = host_make();
    host->clock.microseconds = -1;
    host->options.transport = NULL; /* misuse comes later too */
    host_open(host);
    skan_engine *engine = host->engine;
    const skan_device bad = {.size = sizeof bad, .idfa = "\n"};
    skan_update update = unwritten_update();
    char *url = NULL;
    for (int i = 0; i < FUNCTION_COUNT; i++) ANSWER(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], engine, ""));
    const double amounts[] = {NAN, -INFINITY, 1e12, -1e12};
    for (int i = 0; i < 4; i++) {
        const skan_amount amount = AMOUNT(amounts[i]);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", amount, "USD", i % 2, NULL, &failure));
        EXPECT_MESSAGE("amount");
    }
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", AMOUNT(0), "US", SKAN_IAP, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", AMOUNT(0), "USD", SKAN_IAP, "", &failure));
    const uint64_t ticket = UINT64_C(1) << 63;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_apply_response(engine, "a", NULL, ticket, "{}", 2, &update, &failure));
    EXPECT_MESSAGE("ticket");
    EXPECT_NUMBER(0, update.id);
    const skan_event *const events[] = {EVENT(.name = ""), EVENT(.event_id = ""), EVENT(.device = &bad)};
    for (int i = 0; i < 3; i++) {
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_conversion_request(engine, "a", events[i], &url, NULL, &failure));
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_conversion_values(engine, "a", events[i], NULL, &failure));
        if (i == 2) continue; /* the second step does not need it */
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_apply_response(engine, "a", events[i], 0, "{}", 2, NULL, &failure));
    }
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_import_details(engine, "a", NULL, 3, &failure));
    EXPECT_NUMBER(0, host->hooks);
    ANSWER(SKAN_ERROR_MISUSE, skan_update_conversion_values(engine, "a", NULL, NULL, &failure));
    EXPECT_MESSAGE("transport");
}

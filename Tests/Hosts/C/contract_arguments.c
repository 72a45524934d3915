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

static const char *const not_utf8[] = {"\xff",
                                       "\xfe",
                                       "\x80",
                                       "a\x80",
                                       "\xc3",
                                       "a\xc3",
                                       "\xc3(",
                                       "\xe2\x82",
                                       "\xe2(\xa1",
                                       "\xf0\x9f",
                                       "\xf0\x9f\x98",
                                       "\xf0(\x8c\xbc",
                                       "\xc0\x80",
                                       "\xc0\xaf",
                                       "\xc1\xbf",
                                       "\xe0\x80\x80",
                                       "\xe0\x9f\xbf",
                                       "\xf0\x80\x80\x80",
                                       "\xf0\x8f\xbf\xbf",
                                       "\xed\xa0\x80",
                                       "\xed\xbf\xbf",
                                       "\xed\xa0\xbd\xed\xb8\x80",
                                       "\xf4\x90\x80\x80",
                                       "\xf5\x80\x80\x80",
                                       "\xf8\x88\x80\x80\x80",
                                       "\xfc\x84\x80\x80\x80\x80",
                                       NULL};

/* What install ids, SDK keys, versions, idfv and idfa have in common. */
static void refuses_what_is_not_plain_utf8(const char *argument, skan_status (*use)(host *host, const char *text)) {
    host *host = host_make();
    for (const char *const *text = not_utf8; *text; text++) {
        in_round("%s, bad UTF-8 number %d", argument, (int)(text - not_utf8));
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use(host, *text));
        EXPECT_MESSAGE(argument);
    }
    for (int byte = 1; byte <= 0x7f; byte++) {
        if (byte == 0x20) byte = 0x7f;
        in_round("%s, byte %02X", argument, byte);
        char text[] = {'a', (char)byte, 'b', '\0'};
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use(host, text));
        EXPECT_MESSAGE(argument);
    }
    static const char *const fine[] = {" ",
                                       "~",
                                       "/",
                                       "a b",
                                       "../..",
                                       "\"'\\",
                                       "%00",
                                       "\xc2\x80",
                                       "\xc3\xa9",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbb\xbf",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf",
                                       NULL};
    for (const char *const *text = fine; *text; text++) {
        in_round("%s, fine text number %d", argument, (int)(text - fine));
        ANSWER(SKAN_OK, use(host, *text));
    }
    host_end(host);
}

static void has_at_most(const char *argument, size_t most, skan_status (*use)(host *host, const char *text)) {
    host *host = host_make();
    for (int wide = 0; wide < 2; wide++) {
        char *longest = repeated(wide ? "\xf0\x9f\x98\x80" : "x", wide ? most / 4 : most);
        char *longer = text_of("%sy", longest);
        in_round("%s, %zu bytes", argument, most);
        ANSWER(SKAN_OK, use(host, longest));
        in_round("%s, %zu bytes", argument, most + 1);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use(host, longer));
        EXPECT_MESSAGE(argument);
        free(longest);
        free(longer);
    }
    in_round("%s, a million bytes", argument);
    char *huge = repeated("x", 1000000);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use(host, huge));
    EXPECT_MESSAGE(argument);
    EXPECT(strlen(failure_message()) < 1000, "the message has %zu bytes", strlen(failure_message()));
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
    refuses_what_is_not_plain_utf8("install_id", use_install_id);
    has_at_most("install_id", SKAN_INSTALL_ID_MAX, use_install_id);
    host *host = host_with_engine();
    char *too_long = repeated("x", SKAN_INSTALL_ID_MAX + 1);
    const char *bad[] = {"", "\xff", "a\nb", too_long};
    for (int i = 0; i < FUNCTION_COUNT; i++)
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++) {
            in_round("%s, bad install id number %zu", functions[i].name, j);
            ANSWER(SKAN_ERROR_INVALID_ARGUMENT, call(&functions[i], host->engine, bad[j]));
            EXPECT_MESSAGE("install_id");
        }
    free(too_long);
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
    refuses_what_is_not_plain_utf8("sdk_key", use_sdk_key);
    refuses_what_is_not_plain_utf8("bundle_id", use_bundle_id);
    refuses_what_is_not_plain_utf8("app_version", use_app_version);
    has_at_most("sdk_key", SKAN_TEXT_MAX, use_sdk_key);
    has_at_most("bundle_id", SKAN_TEXT_MAX, use_bundle_id);
    has_at_most("app_version", SKAN_TEXT_MAX, use_app_version);
    host *host = host_make();
    ANSWER(SKAN_OK, use_sdk_key(host, ""));
    ANSWER(SKAN_OK, use_bundle_id(host, ""));
    ANSWER(SKAN_OK, use_app_version(host, ""));
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

static void an_endpoint_is_an_http_url_without_query(const void *subject) {
    (void)subject;
    host *host = host_make();
    const char *bad[] = {"",
                         "example.com",
                         "/api",
                         "ftp://example.com",
                         "javascript:alert(1)",
                         "https://example.com?",
                         "https://example.com/?a=b",
                         "https://example.com#x",
                         "https://example.com/a b",
                         " https://example.com",
                         "https://example.com\n",
                         "https://example.com/\x7f",
                         "https://example.com/\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("%s", bad[i]);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use_endpoint_url(host, bad[i]));
        EXPECT_MESSAGE("endpoint_url");
    }
    const char *fine[] = {"https://example.com", "http://localhost:8080", "https://example.com/a/b", "http://[::1]:80"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        in_round("%s", fine[i]);
        ANSWER(SKAN_OK, use_endpoint_url(host, fine[i]));
    }
    in_round(" ");
    char *path = repeated("x", SKAN_ENDPOINT_URL_MAX - strlen("https://example.com/"));
    char *longest = text_of("https://example.com/%s", path);
    char *longer = text_of("https://example.com/%sx", path);
    ANSWER(SKAN_OK, use_endpoint_url(host, longest));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, use_endpoint_url(host, longer));
    EXPECT_MESSAGE("endpoint_url");
    free(path);
    free(longest);
    free(longer);
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
    refuses_what_is_not_plain_utf8("os_version", use_os_version);
    refuses_what_is_not_plain_utf8("idfv", use_idfv);
    refuses_what_is_not_plain_utf8("idfa", use_idfa);
    has_at_most("os_version", SKAN_TEXT_MAX, use_os_version);
    has_at_most("idfv", SKAN_TEXT_MAX, use_idfv);
    has_at_most("idfa", SKAN_TEXT_MAX, use_idfa);
}

static void event_ids_are_1_to_128_bytes(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    char *before = details_of(engine, "a");
    char *longest = repeated("x", SKAN_EVENT_ID_MAX), *longer = repeated("x", SKAN_EVENT_ID_MAX + 1);
    const char *bad[] = {"", longer};
    for (int i = 0; i < 2; i++) {
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 1, "USD", false, bad[i], &failure));
        EXPECT_MESSAGE("event_id");
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_update_conversion_values(engine, "a", NULL, bad[i], NULL, NULL, &failure));
        EXPECT_MESSAGE("event_id");
    }
    EXPECT_NUMBER(0, host->gets);
    EXPECT_DETAILS(before, engine, "a");
    const char *fine[] = {longest, "x", "X", " ", "\xc3\xa9", "\xff", "\x01"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        in_round("event id number %zu", i);
        ANSWER(SKAN_OK, skan_update_revenue(engine, "a", 1, "USD", false, fine[i], &failure));
        ANSWER(SKAN_DUPLICATE_EVENT, skan_update_revenue(engine, "a", 1, "USD", false, fine[i], &failure));
        ANSWER(SKAN_OK, skan_update_conversion_values(engine, "a", NULL, fine[i], NULL, NULL, &failure));
        ANSWER(SKAN_DUPLICATE_EVENT, skan_update_conversion_values(engine, "a", NULL, fine[i], NULL, NULL, &failure));
    }
    free(before);
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
    const char *bad[] = {"", longer, "\x1f", "\x7f", "a\tb", "\xc3\xa9", "\x80", "\xff"};
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
    const char *fine[] = {NULL, longest, " ", "~", "a&b=c+d%"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        in_round("event name number %zu", i);
        char *url = NULL;
        ANSWER(SKAN_OK, skan_conversion_request(engine, "a", fine[i], NULL, &url, NULL, &failure));
        skan_free(url);
        ANSWER(SKAN_OK, skan_update_conversion_values(engine, "a", fine[i], NULL, NULL, NULL, &failure));
    }
    free(longest);
    free(longer);
    host_end(host);
}

/* -------------------------------------------------------------------------------------------------------- numbers */

static void amounts_are_finite_and_below_1e12(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    char *before = details_of(engine, "a");
    const double bad[] = {NAN,  -NAN,  INFINITY, -INFINITY, 1e12,    -1e12,    1e18,
                          1e30, -1e30, 1e308,    -1e308,    DBL_MAX, -DBL_MAX, 9007199254740993.0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("%g", bad[i]);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", bad[i], "USD", false, NULL, &failure));
        EXPECT_MESSAGE("amount");
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", bad[i], "USD", true, "id", &failure));
    }
    EXPECT_DETAILS(before, engine, "a");
    const double nothing[] = {0.0, -0.0, DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MIN, 1e-300, -1e-13, 5e-13};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        in_round("%g", nothing[i]);
        ANSWER(SKAN_OK, skan_update_revenue(engine, "a", nothing[i], "USD", false, NULL, &failure));
    }
    EXPECT_DETAILS(before, engine, "a");
    double highest = nextafter(1e12, 0);
    ANSWER(SKAN_OK, skan_update_revenue(engine, "a", highest, "USD", false, "up", &failure));
    char *up = details_of(engine, "a");
    EXPECT(strstr(up, "{\"USD\":999999999999.9999}"), "%.17g was not read as its shortest decimal: %s", highest, up);
    ANSWER(SKAN_OK, skan_update_revenue(engine, "a", -highest, "USD", false, "down", &failure));
    char *down = details_of(engine, "a");
    EXPECT(strstr(down, "\"skan_total_revenue_by_currency\":{\"USD\":0}"), "the total is not 0 again: %s", down);
    free(before);
    free(up);
    free(down);
    host_end(host);
}

static void a_currency_is_three_ascii_letters(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    const char *bad[] = {NULL,
                         "",
                         "U",
                         "US",
                         "USDT",
                         "U$D",
                         "US ",
                         " USD",
                         "USD ",
                         "12A",
                         "\xc3\x9c"
                         "D",
                         "US\xff",
                         "\xef\xbc\xb5SD",
                         "@AB",
                         "[AB",
                         "`ab",
                         "{ab"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        in_round("bad currency number %zu", i);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 1, bad[i], false, "id", &failure));
        EXPECT_MESSAGE("currency");
    }
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 1, "U$D", false, NULL, &failure));
    EXPECT_MESSAGE("U$D");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 1, "dollar", false, NULL, &failure));
    EXPECT_MESSAGE("got \"dollar\"");
    char *huge = repeated("USD", 300000);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 1, huge, false, NULL, &failure));
    EXPECT(strlen(failure_message()) < 1000, "the message has %zu bytes", strlen(failure_message()));
    EXPECT_MESSAGE("USDUSD\"... (more than 65536 bytes)");
    huge[100] = '\0';
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, "a", 1, huge, false, NULL, &failure));
    EXPECT_MESSAGE("USDUSD\"... (100 bytes)");
    free(huge);
    EXPECT_NUMBER(0, host->store.count);
    const char *fine[] = {"usd", "Usd", "USD", "uSd"};
    for (int i = 0; i < 4; i++) ANSWER(SKAN_OK, skan_update_revenue(engine, "a", 0.25, fine[i], false, NULL, &failure));
    char *details = details_of(engine, "a");
    EXPECT(strstr(details, "\"skan_total_revenue_by_currency\":{\"USD\":1}"), "not one currency: %s", details);
    free(details);
    host_end(host);
}

static void tickets_are_below_2_to_the_63(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    const uint64_t bad[] = {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX};
    for (int i = 0; i < 3; i++) {
        skan_update update = unwritten_update();
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_apply_response(host->engine, "a", bad[i], "{\"conversion_value\":3}", 22, &update, &failure));
        EXPECT_MESSAGE("ticket");
        EXPECT_NUMBER(0, update.id);
    }
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", (UINT64_C(1) << 63) - 1, "{\"conversion_value\":3}", 22,
                                        NULL, &failure));
    /* No greater ticket is left: whatever the next request answers, it must not be a smaller one. */
    char *url = NULL;
    uint64_t ticket = 0;
    skan_status status = SETTLE(skan_conversion_request(host->engine, "a", NULL, NULL, &url, &ticket, &failure));
    EXPECT(status >= 100 && ticket == 0 && !url, "%s, ticket %llu", skan_status_name(status),
           (unsigned long long)ticket);
    skan_free(url);
    host_end(host);
}

static void any_number_may_be_acknowledged(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    const uint64_t ids[] = {0, 2, UINT64_C(1) << 63, UINT64_MAX};
    for (int i = 0; i < 4; i++) {
        ANSWER(SKAN_OK, skan_acknowledge_update(host->engine, "a", ids[i], true, &failure));
        ANSWER(SKAN_OK, skan_acknowledge_update(host->engine, "a", ids[i], false, &failure));
        ANSWER(SKAN_OK, skan_pending_update(host->engine, "a", NULL, &failure));
    }
    host_end(host);
}

static void skan_3_has_no_ad_revenue(const void *subject) {
    (void)subject;
    host *host = host_make();
    host->options.protocol = 3;
    host_open(host);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(host->engine, "a", 1, "USD", true, NULL, &failure));
    EXPECT_MESSAGE("ad_monetization");
    EXPECT_NUMBER(0, host->store.count);
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
    {"an endpoint is an http URL without query", an_endpoint_is_an_http_url_without_query},
    {"a protocol is 3 or 4", a_protocol_is_3_or_4},
    {"texts of a device have at most 256 bytes of plain UTF-8", texts_of_a_device_have_at_most_256_bytes_of_plain_utf8},
    {"event ids are 1 to 128 bytes", event_ids_are_1_to_128_bytes},
    {"event names are 1 to 32 printable ASCII bytes", event_names_are_1_to_32_printable_ascii_bytes},
    {"amounts are finite and below 1e12", amounts_are_finite_and_below_1e12},
    {"a currency is three ASCII letters", a_currency_is_three_ascii_letters},
    {"tickets are below 2^63", tickets_are_below_2_to_the_63},
    {"any number may be acknowledged", any_number_may_be_acknowledged},
    {"SKAN 3 has no ad revenue", skan_3_has_no_ad_revenue},
    {"arguments are checked before anything else", arguments_are_checked_before_anything_else},
    {NULL, NULL}};

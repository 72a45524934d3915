/* Rules of the C interface that no vector shows: names, life of an install, reasons, tickets, limits, memories. */
#define _GNU_SOURCE
#include "contract.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    skan_status status;
    const char *name;
} statuses[] = {{0, "SKAN_OK"},
                {1, "SKAN_ALREADY_REGISTERED"},
                {2, "SKAN_DUPLICATE_EVENT"},
                {3, "SKAN_NO_NEW_VALUE"},
                {4, "SKAN_STALE_RESPONSE"},
                {5, "SKAN_WINDOW_LOCKED"},
                {6, "SKAN_WINDOW_CLOSED"},
                {7, "SKAN_NOT_REGISTERED"},
                {8, "SKAN_NOTHING_PENDING"},
                {9, "SKAN_NOT_FOUND"},
                {100, "SKAN_ERROR_INVALID_ARGUMENT"},
                {101, "SKAN_ERROR_MISUSE"},
                {102, "SKAN_ERROR_LIMIT_EXCEEDED"},
                {103, "SKAN_ERROR_INVALID_DOCUMENT"},
                {110, "SKAN_ERROR_MALFORMED_RESPONSE"},
                {111, "SKAN_ERROR_ILLEGAL_VALUE"},
                {112, "SKAN_ERROR_REJECTED"},
                {120, "SKAN_ERROR_STORE"},
                {121, "SKAN_ERROR_STORE_CONFLICT"},
                {122, "SKAN_ERROR_STORE_UNKNOWN"},
                {123, "SKAN_ERROR_CORRUPT_RECORD"},
                {124, "SKAN_ERROR_RECORD_TOO_NEW"},
                {130, "SKAN_ERROR_TRANSPORT"},
                {140, "SKAN_ERROR_MODEL_UNKNOWN"},
                {150, "SKAN_ERROR_CLOCK"}};

static const char *expected_name(skan_status status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status) return statuses[i].name;
    return "SKAN_UNKNOWN_STATUS";
}

static void every_status_has_its_name(const void *subject) {
    (void)subject;
    for (skan_status status = -300; status <= 3000; status++)
        EXPECT_TEXT(expected_name(status), skan_status_name(status));
    EXPECT_TEXT("SKAN_UNKNOWN_STATUS", skan_status_name(INT32_MIN));
    EXPECT_TEXT("SKAN_UNKNOWN_STATUS", skan_status_name(INT32_MAX));
    EXPECT(skan_status_name(0) == skan_status_name(0), "names are static");
}

static void errors_are_made_for_companions(const void *subject) {
    (void)subject;
    char message[] = "disk: it is full";
    skan_error *error = skan_error_create(SKAN_ERROR_STORE, message);
    memset(message, 'x', sizeof message - 1);
    EXPECT_STATUS(SKAN_ERROR_STORE, skan_error_code(error));
    EXPECT_TEXT("disk: it is full", skan_error_message(error));
    skan_error_free(error);
    error = skan_error_create(4711, NULL);
    EXPECT_STATUS(4711, skan_error_code(error));
    EXPECT_TEXT("", skan_error_message(error));
    skan_error_free(error);
    EXPECT(!skan_error_create(SKAN_OK, "fine") && !skan_error_create(99, "fine") && !skan_error_create(-1, "fine"),
           "outcomes have no error");
}

static void buffers_hold_what_was_set(const void *subject) {
    (void)subject;
    skan_buffer *buffer = skan_buffer_create();
    EXPECT_NUMBER(0, skan_buffer_size(buffer));
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(buffer, "a\0b", 3));
    EXPECT_NUMBER(3, skan_buffer_size(buffer));
    EXPECT(memcmp(skan_buffer_data(buffer), "a\0b", 3) == 0, "the bytes are there");
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_buffer_set(buffer, NULL, 1));
    EXPECT_STATUS(SKAN_ERROR_LIMIT_EXCEEDED, skan_buffer_set(buffer, "", SKAN_BUFFER_MAX + 1));
    EXPECT_NUMBER(3, skan_buffer_size(buffer));
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(buffer, NULL, 0));
    EXPECT_NUMBER(0, skan_buffer_size(buffer));
    skan_buffer_destroy(buffer);
    skan_buffer_destroy(NULL);
    EXPECT(skan_buffer_size(NULL) == 0 && skan_buffer_data(NULL) == NULL, "NULL has no content");
}

static void versions_are_told(const void *subject) {
    (void)subject;
    int major, minor, patch, length = 0;
    const char *version = skan_version();
    EXPECT(version && sscanf(version, "%d.%d.%d%n", &major, &minor, &patch, &length) == 3 && !version[length],
           "skan_version answers %s", version);
    EXPECT_NUMBER(SKAN_ABI_VERSION, skan_abi_version());
}

/* -------------------------------------------------------------------------------------------- life of an install */

typedef skan_status answers[FUNCTION_COUNT];

static const answers when_unknown = {[REGISTER] = SKAN_OK,
                                     [UPDATE_REVENUE] = SKAN_OK,
                                     [CONVERSION_REQUEST] = SKAN_NOT_REGISTERED,
                                     [APPLY_RESPONSE] = SKAN_NOT_REGISTERED,
                                     [UPDATE_CONVERSION_VALUES] = SKAN_NOT_REGISTERED,
                                     [PENDING_UPDATE] = SKAN_NOTHING_PENDING,
                                     [ACKNOWLEDGE_UPDATE] = SKAN_OK,
                                     [DETAILS] = SKAN_OK,
                                     [METADATA] = SKAN_OK,
                                     [IMPORT_DETAILS] = SKAN_OK,
                                     [FORGET] = SKAN_OK};
static const answers when_registered = {[REGISTER] = SKAN_ALREADY_REGISTERED,
                                        [IMPORT_DETAILS] = SKAN_ALREADY_REGISTERED};
static const answers when_closed = {
    [REGISTER] = SKAN_ALREADY_REGISTERED,    [CONVERSION_REQUEST] = SKAN_WINDOW_CLOSED,
    [APPLY_RESPONSE] = SKAN_WINDOW_CLOSED,   [UPDATE_CONVERSION_VALUES] = SKAN_WINDOW_CLOSED,
    [PENDING_UPDATE] = SKAN_NOTHING_PENDING, [IMPORT_DETAILS] = SKAN_ALREADY_REGISTERED};

/* Each function on an install of its own, which `prepare` brings into the state the answers are for. */
static void expect_answers(uint32_t protocol, const answers expected, void (*prepare)(host *host, const char *id)) {
    host *host = host_make();
    host->options.protocol = protocol;
    host_open(host);
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("protocol %u, %s", protocol, functions[i].name);
        prepare(host, functions[i].name);
        char *before = details_of(host->engine, functions[i].name);
        host->gets = 0;
        ANSWER(expected[i], call(&functions[i], host->engine, functions[i].name));
        if (expected[i] != SKAN_OK) {
            EXPECT_DETAILS(before, host->engine, functions[i].name);
            EXPECT_NUMBER(0, host->gets);
        }
        free(before);
    }
    host_end(host);
}

static void nothing(host *host, const char *id) {
    (void)host, (void)id;
}

static void registered(host *host, const char *id) {
    host->clock.microseconds = NOW * 1000000;
    ANSWER(SKAN_OK, skan_register(host->engine, id, NULL, &failure));
}

static void forgotten(host *host, const char *id) {
    registered(host, id);
    ANSWER(SKAN_OK, skan_apply_response(host->engine, id, 5, "{\"conversion_value\":3}", 22, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, id, 1, "EUR", false, "e", &failure));
    ANSWER(SKAN_OK, skan_forget(host->engine, id, &failure));
    EXPECT(!host_store_find(&host->store, id), "forgetting left a record");
}

static void over(host *host, const char *id) {
    registered(host, id);
    ANSWER(SKAN_OK, skan_apply_response(host->engine, id, 0, "{\"conversion_value\":3}", 22, NULL, &failure));
    host->clock.microseconds += 35 * DAY * 1000000;
}

static void an_install_never_heard_of_has_an_empty_state(const void *subject) {
    (void)subject;
    for (uint32_t protocol = 3; protocol <= 4; protocol++) expect_answers(protocol, when_unknown, nothing);
}

static void a_registered_install_takes_everything_once(const void *subject) {
    (void)subject;
    for (uint32_t protocol = 4; protocol <= 4; protocol++) expect_answers(protocol, when_registered, registered);
}

static void a_forgotten_install_is_one_never_heard_of(const void *subject) {
    (void)subject;
    for (uint32_t protocol = 3; protocol <= 4; protocol++) expect_answers(protocol, when_unknown, forgotten);
    host *host = host_with_engine();
    forgotten(host, "a");
    skan_update update = unwritten_update();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", &update, &failure));
    EXPECT_NUMBER(1, update.id);
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 1, "EUR", false, "e", &failure));
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", 5, "{\"conversion_value\":3}", 22, &update, &failure));
    EXPECT_NUMBER(2, update.id);
    host_end(host);
}

static void an_install_whose_windows_are_over_takes_revenue_only(const void *subject) {
    (void)subject;
    for (uint32_t protocol = 3; protocol <= 4; protocol++) expect_answers(protocol, when_closed, over);
    host *host = host_with_engine();
    over(host, "a");
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 2, "USD", true, NULL, &failure));
    char *details = details_of(host->engine, "a");
    EXPECT(strstr(details, "\"skan_total_admon_revenue_by_currency\":{\"USD\":2}") &&
               strstr(details, "\"p2_total_admon_revenue\":null"),
           "came %s", details);
    free(details);
    host_end(host);
}

static void a_record_of_the_other_protocol_is_misuse(const void *subject) {
    (void)subject;
    for (uint32_t protocol = 3; protocol <= 4; protocol++)
        for (int i = 0; i < FUNCTION_COUNT; i++) {
            in_round("an engine of protocol %u, %s", 7 - protocol, functions[i].name);
            host *host = host_make();
            host->options.protocol = protocol;
            host_open(host);
            ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
            char *before = details_of(host->engine, "a");
            skan *other = NULL;
            host->options.protocol = 7 - protocol;
            ANSWER(SKAN_OK, skan_create(&host->options, &other, &failure));
            ANSWER(i == FORGET ? SKAN_OK : SKAN_ERROR_MISUSE, call(&functions[i], other, "a"));
            if (i == FORGET)
                ANSWER(SKAN_OK, skan_register(other, "a", NULL, &failure));
            else
                EXPECT_DETAILS(before, host->engine, "a");
            skan_destroy(other);
            free(before);
            host_end(host);
        }
}

/* -------------------------------------------------------------------------------------------------------- reasons */

static void a_rejection_s_reason_is_unchanged(const void *subject) {
    (void)subject;
    static const struct {
        const char *json, *reason;
    } reasons[] = {
        {"\"reason\":\"Invalid measurement period: 9\"", "Invalid measurement period: 9"},
        {"\"reason\":\" two  spaces \"", " two  spaces "},
        {"\"reason\":\"line\\nline\\ttab\\u0001\\u007f\"", "line\nline\ttab\x01\x7f"},
        {"\"reason\":\"\\\"\\\\\\/\\b\\f\\r\"", "\"\\/\b\f\r"},
        {"\"reason\":\"%s%n%d\"", "%s%n%d"},
        {"\"reason\":\"caf\xc3\xa9 \\u00e9 \\u20ac\"", "caf\xc3\xa9 \xc3\xa9 \xe2\x82\xac"},
        {"\"reason\":\"\\ud83d\\ude00 \xf0\x9f\x98\x80\"", "\xf0\x9f\x98\x80 \xf0\x9f\x98\x80"},
        {"\"reason\":\"cut\\u0000here\"", "cut"},
        {"\"reason\":\"high \\ud800.\"", "high \xef\xbf\xbd."},
        {"\"reason\":\"low \\udc00.\"", "low \xef\xbf\xbd."},
        {"\"reason\":\"swapped \\ude00\\ud83d\"", "swapped \xef\xbf\xbd\xef\xbf\xbd"},
        {"\"reason\":\"two high \\ud83d\\ud83d\\ude00\"", "two high \xef\xbf\xbd\xf0\x9f\x98\x80"},
        {"\"reason\":\"high, then not one \\ud83d\\u0041\"", "high, then not one \xef\xbf\xbd"
                                                             "A"},
        {"\"reason\":\"high at the end \\udbff\"", "high at the end \xef\xbf\xbd"},
    };
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    char *before = details_of(host->engine, "a");
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        in_round("%s", reasons[i].json);
        char *body = text_of("{\"status\":\"error\",%s}", reasons[i].json);
        ANSWER(SKAN_ERROR_REJECTED, skan_apply_response(host->engine, "a", 0, body, strlen(body), NULL, &failure));
        EXPECT_TEXT(reasons[i].reason, failure_message());
        host->answer = body;
        ANSWER(SKAN_ERROR_REJECTED, skan_update_conversion_values(host->engine, "a", NULL, "e", NULL, NULL, &failure));
        EXPECT_TEXT(reasons[i].reason, failure_message());
        free(body);
    }
    in_round("a long reason");
    char *reason = repeated("reason ", 9000);
    char *body = text_of("{\"status\":\"error\",\"reason\":\"%s\"}", reason);
    ANSWER(SKAN_ERROR_REJECTED, skan_apply_response(host->engine, "a", 0, body, strlen(body), NULL, &failure));
    EXPECT_TEXT(reason, failure_message());
    EXPECT_DETAILS(before, host->engine, "a");
    free(reason);
    free(body);
    free(before);
    host_end(host);
}

static void an_answer_without_value_and_reason_says_so(const void *subject) {
    (void)subject;
    static const struct {
        const char *body, *status;
    } answers[] = {
        {"{}", "none"},
        {"{\"conversion_value\":null}", "none"},
        {"{\"conversion_value\":null,\"reason\":null}", "none"},
        {"{\"skan_updated_coarse_value\":1}", "none"},
        {"{\"status\":\"error\"}", "\"error\""},
        {"{\"status\":\"error\",\"reason\":\"\"}", "\"error\""},
        {"{\"status\":\"error\",\"reason\":\"\\u0000\"}", "\"error\""},
        {"{\"status\":\"OK\",\"skan_updated_coarse_value\":1}", "\"OK\""},
        {"{\"status\":\"\"}", "\"\""},
    };
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    char *before = details_of(host->engine, "a");
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        in_round("%s", answers[i].body);
        char *message = text_of("response: the answer has neither a value nor a reason: without a conversion_value the "
                                "status must be \"ok\", got %s", answers[i].status);
        ANSWER(SKAN_ERROR_REJECTED,
               skan_apply_response(host->engine, "a", 0, answers[i].body, strlen(answers[i].body), NULL, &failure));
        EXPECT_TEXT(message, failure_message());
        host->answer = answers[i].body;
        ANSWER(SKAN_ERROR_REJECTED, skan_update_conversion_values(host->engine, "a", NULL, "e", NULL, NULL, &failure));
        EXPECT_TEXT(message, failure_message());
        free(message);
    }
    in_round("%s", "");
    EXPECT_DETAILS(before, host->engine, "a");
    free(before);
    host_end(host);
}

static void what_is_no_json_is_named_by_line_and_column(const void *subject) {
    (void)subject;
    static const char body[] = "{\r\n  \"gr\xC3\xB6\xC3\x9F" "e\": \"\xF0\x9F\x8E\xAE\", x\n}";
    static const char place[] = "unexpected byte at byte 24 (line 2, column 17), in \"{";
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_ERROR_MALFORMED_RESPONSE,
           skan_apply_response(host->engine, "a", 0, body, sizeof body - 1, NULL, &failure));
    EXPECT(strstr(failure_message(), place), "%s", failure_message());
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT,
           skan_import_details(host->engine, "b", body, sizeof body - 1, &failure));
    EXPECT(strstr(failure_message(), place), "%s", failure_message());
    skan_model *model = NULL;
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_model_create(body, sizeof body - 1, &model, &failure));
    EXPECT(strstr(failure_message(), place), "%s", failure_message());
    host_end(host);
}

static void an_illegal_value_names_its_member(const void *subject) {
    (void)subject;
    static const char *const members[] = {"conversion_value", "skan_updated_coarse_value", "postback_sequence_index",
                                          "skan_updated_lock_window_value"};
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        in_round("%s", members[i]);
        char *body = text_of("{\"%s\":\"12\"}", members[i]);
        ANSWER(SKAN_ERROR_ILLEGAL_VALUE, skan_apply_response(host->engine, "a", 0, body, strlen(body), NULL, &failure));
        EXPECT_MESSAGE(members[i]);
        free(body);
    }
    host_end(host);
}

/* -------------------------------------------------------------------------------------------------------- tickets */

static uint64_t next_ticket(skan *engine, const char *install_id) {
    char *url = NULL;
    uint64_t ticket = 0;
    ANSWER(SKAN_OK, skan_conversion_request(engine, install_id, NULL, NULL, &url, &ticket, &failure));
    skan_free(url);
    return ticket;
}

static void tickets_grow_whatever_the_clock_does(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_register(host->engine, "b", NULL, &failure));
    uint64_t newest = 0;
    const int64_t steps[] = {0, 0, 1, 0, -1, -1000000, 5000000, 0, -60000000, 0, 3600000000};
    for (size_t i = 0; i < 400; i++) {
        host->clock.microseconds += steps[i % (sizeof steps / sizeof *steps)];
        uint64_t ticket = next_ticket(host->engine, i % 3 ? "a" : "b");
        EXPECT(ticket > newest, "ticket %llu after %llu", (unsigned long long)ticket, (unsigned long long)newest);
        EXPECT((int64_t)ticket >= host->clock.microseconds, "ticket %llu at %lld", (unsigned long long)ticket,
               (long long)host->clock.microseconds);
        newest = ticket;
    }
    host_end(host);
}

static void tickets_are_greater_than_the_newest_applied_one(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    const uint64_t far = UINT64_C(1) << 62;
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", far, "{\"conversion_value\":3}", 22, NULL, &failure));
    EXPECT(next_ticket(host->engine, "a") > far, "the ticket is not greater than the applied one");
    skan *reopened = NULL;
    ANSWER(SKAN_OK, skan_create(&host->options, &reopened, &failure));
    EXPECT(next_ticket(reopened, "a") > far, "the ticket of another engine is not greater than the applied one");
    skan_destroy(reopened);
    host_end(host);
}

static void late_answers_are_stale(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    uint64_t first = next_ticket(engine, "a"), second = next_ticket(engine, "a"), third = next_ticket(engine, "a");
    ANSWER(SKAN_OK, skan_apply_response(engine, "a", second, "{\"conversion_value\":3}", 22, NULL, &failure));
    char *before = details_of(engine, "a");
    ANSWER(SKAN_STALE_RESPONSE,
           skan_apply_response(engine, "a", first, "{\"conversion_value\":4}", 22, NULL, &failure));
    ANSWER(SKAN_STALE_RESPONSE,
           skan_apply_response(engine, "a", second, "{\"conversion_value\":3}", 22, NULL, &failure));
    EXPECT_DETAILS(before, engine, "a");
    ANSWER(SKAN_OK, skan_apply_response(engine, "a", 0, "{\"conversion_value\":5}", 22, NULL, &failure));
    ANSWER(SKAN_STALE_RESPONSE,
           skan_apply_response(engine, "a", second, "{\"conversion_value\":3}", 22, NULL, &failure));
    ANSWER(SKAN_OK, skan_apply_response(engine, "a", third, "{\"conversion_value\":6}", 22, NULL, &failure));
    free(before);
    host_end(host);
}

/* --------------------------------------------------------------------------------------------------------- limits */

static void currency_number(int number, char *currency) {
    currency[0] = 'X';
    currency[1] = (char)('A' + number / 26);
    currency[2] = (char)('A' + number % 26);
    currency[3] = '\0';
}

static void a_table_has_at_most_64_currencies(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    char currency[4];
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    for (int i = 0; i < 64; i++) {
        currency_number(i, currency);
        ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 1.5, currency, false, NULL, &failure));
    }
    char *before = details_of(host->engine, "a");
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_update_revenue(host->engine, "a", 1, "USD", false, "e", &failure));
    EXPECT_DETAILS(before, host->engine, "a");
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 0, "USD", false, NULL, &failure));
    EXPECT_DETAILS(before, host->engine, "a");
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 1, "USD", true, "e", &failure)); /* another table */
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 1, currency, false, NULL, &failure));
    free(before);
    host_end(host);
}

static void a_total_stays_below_1e18(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    static const char json[] =
        "{\"skan_first_call_to_skadnetwork_timestamp\":1700000000,"
        "\"skan_total_revenue_by_currency\":{\"USD\":999999999999999999,\"EUR\":-999999999999999999}}";
    ANSWER(SKAN_OK, skan_import_details(host->engine, "a", json, sizeof json - 1, &failure));
    char *before = details_of(host->engine, "a");
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_update_revenue(host->engine, "a", 1, "USD", false, NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_update_revenue(host->engine, "a", -1, "EUR", false, "e", &failure));
    EXPECT_DETAILS(before, host->engine, "a");
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 0.999999999999, "USD", false, NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED,
           skan_update_revenue(host->engine, "a", 0.000000000001, "USD", false, NULL, &failure));
    char *after = details_of(host->engine, "a");
    EXPECT(strstr(after, "\"USD\":999999999999999999.999999999999}"), "came %s", after);
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 1, "EUR", false, "e", &failure));
    free(before);
    free(after);
    host_end(host);
}

static void money_is_exact(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    for (int i = 0; i < 10; i++)
        ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 0.1, "USD", false, NULL, &failure));
    for (int i = 0; i < 1000; i++)
        ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 1e-12, "EUR", false, NULL, &failure));
    char *details = details_of(host->engine, "a");
    EXPECT(strstr(details, "\"skan_total_revenue_by_currency\":{\"EUR\":0.000000001,\"USD\":1}"), "came %s", details);
    free(details);
    host_end(host);
}

static void a_memory_of_event_ids_has_64_of_each_kind(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i <= 64; i++) {
            char id[SKAN_EVENT_ID_MAX + 1];
            snprintf(id, sizeof id, "%0*d", SKAN_EVENT_ID_MAX, i); /* as long as may be */
            if (kind == 0) ANSWER(SKAN_OK, skan_update_revenue(engine, "a", 0, "USD", false, id, &failure));
            if (kind == 1) ANSWER(SKAN_OK, skan_update_conversion_values(engine, "a", NULL, id, NULL, NULL, &failure));
        }
    host->gets = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int i = 64; i >= 0; i--) {
            in_round("event id %d", i);
            char id[SKAN_EVENT_ID_MAX + 1];
            snprintf(id, sizeof id, "%0*d", SKAN_EVENT_ID_MAX, i);
            skan_status expected = i == 0 ? SKAN_OK : SKAN_DUPLICATE_EVENT;
            if (kind == 0) ANSWER(expected, skan_update_revenue(engine, "a", 0, "USD", false, id, &failure));
            if (kind == 1) ANSWER(expected, skan_update_conversion_values(engine, "a", NULL, id, NULL, NULL, &failure));
        }
    EXPECT_NUMBER(1, host->gets);
    EXPECT(host_store_find(&host->store, "a")->length <= SKAN_RECORD_MAX, "the record has %zu bytes",
           host_store_find(&host->store, "a")->length);
    host_end(host);
}

static void an_event_id_is_kept_where_the_call_ended_well(const void *subject) {
    (void)subject;
    static const struct {
        const char *answer;
        skan_status status;
        bool kept;
    } endings[] = {{"{\"conversion_value\":9}", SKAN_OK, true},
                   {"", SKAN_NO_NEW_VALUE, true},
                   {"{\"conversion_value\":9,\"postback_sequence_index\":1}", SKAN_STALE_RESPONSE, true},
                   {"{", SKAN_ERROR_MALFORMED_RESPONSE, false},
                   {"{\"conversion_value\":64}", SKAN_ERROR_ILLEGAL_VALUE, false},
                   {"{}", SKAN_ERROR_REJECTED, false}};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        in_round("%s", skan_status_name(endings[i].status));
        host *host = host_with_engine();
        ANSWER(SKAN_NOT_REGISTERED, skan_update_conversion_values(host->engine, "a", NULL, "e", NULL, NULL, &failure));
        ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
        host->answer = endings[i].answer;
        ANSWER(endings[i].status, skan_update_conversion_values(host->engine, "a", NULL, "e", NULL, NULL, &failure));
        host->answer = "{\"conversion_value\":1}";
        ANSWER(endings[i].kept ? SKAN_DUPLICATE_EVENT : SKAN_OK,
               skan_update_conversion_values(host->engine, "a", NULL, "e", NULL, NULL, &failure));
        host_end(host);
    }
    in_round("SKAN_WINDOW_CLOSED, SKAN_WINDOW_LOCKED");
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    host->answer = "{\"conversion_value\":9,\"skan_updated_lock_window_value\":true}";
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, "1", NULL, NULL, &failure));
    ANSWER(SKAN_WINDOW_LOCKED, skan_update_conversion_values(host->engine, "a", NULL, "2", NULL, NULL, &failure));
    ANSWER(SKAN_DUPLICATE_EVENT, skan_update_conversion_values(host->engine, "a", NULL, "2", NULL, NULL, &failure));
    host->clock.microseconds += 35 * DAY * 1000000;
    ANSWER(SKAN_WINDOW_CLOSED, skan_update_conversion_values(host->engine, "a", NULL, "3", NULL, NULL, &failure));
    ANSWER(SKAN_DUPLICATE_EVENT, skan_update_conversion_values(host->engine, "a", NULL, "3", NULL, NULL, &failure));
    host_end(host);
}

static void one_event_id_serves_revenue_and_conversion(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 1, "USD", false, "order-1", &failure));
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, "order-1", NULL, NULL, &failure));
    ANSWER(SKAN_DUPLICATE_EVENT, skan_update_revenue(host->engine, "a", 1, "USD", true, "order-1", &failure));
    ANSWER(SKAN_DUPLICATE_EVENT,
           skan_update_conversion_values(host->engine, "a", NULL, "order-1", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "b", 1, "USD", false, "order-1", &failure));
    host_end(host);
}

static void the_largest_state_fits_a_record(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan *engine = host->engine;
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    const int64_t windows[] = {0, 3 * DAY, 8 * DAY};
    for (int window = 0; window < 3; window++) {
        host->clock.microseconds = (NOW + windows[window]) * 1000000;
        for (int i = 0; i < 64; i++)
            for (int ad = 0; ad < 2; ad++) {
                char currency[4], id[SKAN_EVENT_ID_MAX + 1];
                currency_number(i, currency);
                snprintf(id, sizeof id, "%d-%d-%0*d", window, ad, SKAN_EVENT_ID_MAX - 4, i);
                ANSWER(SKAN_OK, skan_update_revenue(engine, "a", 123456789012.1234, currency, ad, id, &failure));
                ANSWER(SKAN_OK, skan_update_revenue(engine, "a", 0.000012345678, currency, ad, NULL, &failure));
                host->answer = "{\"conversion_value\":63,\"skan_updated_coarse_value\":2}";
                if (ad) ANSWER(SKAN_OK, skan_update_conversion_values(engine, "a", NULL, id, NULL, NULL, &failure));
            }
    }
    size_t length = host_store_find(&host->store, "a")->length;
    EXPECT(length <= SKAN_RECORD_MAX, "the record has %zu bytes", length);
    char *details = details_of(engine, "a");
    EXPECT(strstr(details, "\"XCL\":370370367036.370237037034"), "a total is wrong: %s", details);
    char *url = NULL;
    ANSWER(SKAN_OK, skan_conversion_request(engine, "a", NULL, NULL, &url, NULL, &failure));
    EXPECT(url && strstr(url, "p2_total_admon_revenue="), "the URL is cut");
    skan_free(url);
    ANSWER(SKAN_OK, skan_import_details(engine, "b", details, strlen(details), &failure));
    EXPECT_DETAILS(details, engine, "b");
    free(details);
    host_end(host);
}

static void a_typical_record_is_small(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 4.99, "USD", false, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 0.01, "USD", true, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_conversion_values(host->engine, "a", NULL, NULL, NULL, NULL, &failure));
    size_t length = host_store_find(&host->store, "a")->length;
    EXPECT(length <= 200, "the record has %zu bytes", length);
    host_end(host);
}

/* --------------------------------------------------------------------------------------------------------- import */

static void a_document_has_at_most_64_kib(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    const char *core = "{\"skan_total_revenue_by_currency\":{\"USD\":1}}";
    char *spaces = repeated(" ", SKAN_RESPONSE_MAX - strlen(core));
    char *longest = text_of("%s%s", core, spaces), *longer = text_of("%s%s ", core, spaces);
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_import_details(host->engine, "a", longer, strlen(longer), &failure));
    EXPECT(!host_store_find(&host->store, "a"), "a refused document was stored");
    ANSWER(SKAN_OK, skan_import_details(host->engine, "a", longest, strlen(longest), &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_import_details(host->engine, "a", longer, strlen(longer), &failure));
    free(spaces);
    free(longest);
    free(longer);
    host_end(host);
}

static void a_table_of_a_document_has_at_most_64_currencies(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    for (int count = 64; count <= 65; count++) {
        char *json = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&json, &size);
        if (!out) abort();
        fputs("{\"skan_total_revenue_by_currency\":", out);
        for (int i = 0; i < count; i++) {
            char currency[4];
            currency_number(i, currency);
            fprintf(out, "%c\"%s\":1", i ? ',' : '{', currency);
        }
        fputs("}}", out);
        fclose(out);
        ANSWER(count == 64 ? SKAN_OK : SKAN_ERROR_INVALID_DOCUMENT,
               skan_import_details(host->engine, count == 64 ? "a" : "b", json, size, &failure));
        if (count == 65) EXPECT_MESSAGE("skan_total_revenue_by_currency");
        free(json);
    }
    host_end(host);
}

static void a_bad_document_is_refused_by_its_key(const void *subject) {
    (void)subject;
#define FIRST "\"skan_first_call_to_skadnetwork_timestamp\":1700000000"
    static const struct {
        const char *json, *key;
    } documents[] = {
        {"{\"skan_first_call_to_skadnetwork_timestamp\":[]}", "skan_first_call_to_skadnetwork_timestamp"},
        {"{\"skan_first_call_to_skadnetwork_timestamp\":1e400}", "skan_first_call_to_skadnetwork_timestamp"},
        {"{\"skan_first_call_to_skadnetwork_timestamp\":\"99999999999999999999\"}",
         "skan_first_call_to_skadnetwork_timestamp"},
        {"{\"skan_last_call_to_skadnetwork_timestamp\":1}", "skan_last_call_to_skadnetwork_timestamp"},
        {"{" FIRST ",\"skan_current_conversion_value\":64}", "skan_current_conversion_value"},
        {"{" FIRST ",\"skan_current_conversion_value\":-1}", "skan_current_conversion_value"},
        {"{" FIRST ",\"prev_fine_value\":\"64\"}", "prev_fine_value"},
        {"{" FIRST ",\"p0_coarse\":3}", "p0_coarse"},
        {"{" FIRST ",\"p2_prev_coarse_value\":true}", "p2_prev_coarse_value"},
        {"{" FIRST ",\"p1_window_lock\":{}}", "p1_window_lock"},
        {"{\"p1_window_lock\":5}", "p1_window_lock"},
        {"{\"p0_coarse\":0}", "p0_coarse"},
        {"{" FIRST ",\"p1_total_iap_revenue\":{\"USD\":\"1\"}}", "p1_total_iap_revenue"},
        {"{" FIRST ",\"p1_total_iap_revenue\":{\"USD\":null}}", "p1_total_iap_revenue"},
        {"{" FIRST ",\"p1_total_iap_revenue\":{\"US\":1}}", "p1_total_iap_revenue"},
        {"{" FIRST ",\"p1_total_admon_revenue\":{\"USD\":1,\"Usd\":1}}", "p1_total_admon_revenue"},
        {"{\"skan_total_admon_revenue_by_currency\":{\"USD\":-1e18}}", "skan_total_admon_revenue_by_currency"},
        {"{\"skan_total_revenue_by_currency\":5}", "skan_total_revenue_by_currency"},
    };
    static const char *const not_objects[] = {"",
                                              " ",
                                              "null",
                                              "[]",
                                              "1",
                                              "\"{}\"",
                                              "{",
                                              "{}x",
                                              "{}{}",
                                              "{\"a\":1,\"a\":1}",
                                              "\xef\xbb\xbf{}",
                                              "{\"a\":\"\xff\"}",
                                              "{'a':1}",
                                              "{\"a\":NaN}",
                                              "{\"a\":01}"};
    host *host = host_with_engine();
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        in_round("%s", documents[i].json);
        const char *json = documents[i].json;
        ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_import_details(host->engine, "a", json, strlen(json), &failure));
        EXPECT_MESSAGE(documents[i].key);
    }
    for (size_t i = 0; i < sizeof not_objects / sizeof *not_objects; i++) {
        in_round("%s", not_objects[i]);
        ANSWER(SKAN_ERROR_INVALID_DOCUMENT,
               skan_import_details(host->engine, "a", not_objects[i], strlen(not_objects[i]), &failure));
    }
    in_round("a NUL");
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_import_details(host->engine, "a", "{}\0", 3, &failure));
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_import_details(host->engine, "a", "{\"a\\u0000\":1}", 13, &failure));
    EXPECT_NUMBER(0, host->store.count);
    host_end(host);
}

static void a_document_is_checked_before_the_record(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 1, "USD", false, NULL, &failure)); /* not registered */
    ANSWER(SKAN_ERROR_INVALID_DOCUMENT, skan_import_details(host->engine, "a", "[]", 2, &failure));
    ANSWER(SKAN_ALREADY_REGISTERED, skan_import_details(host->engine, "a", "{}", 2, &failure));
    ANSWER(SKAN_OK, skan_import_details(host->engine, "b", "{}", 2, &failure));
    host_end(host);
}

static void nothing_is_pending_after_an_import(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    skan_update update = unwritten_update();
    ANSWER(SKAN_OK, call(&functions[IMPORT_DETAILS], host->engine, "a"));
    ANSWER(SKAN_NOTHING_PENDING, skan_pending_update(host->engine, "a", &update, &failure));
    ANSWER(SKAN_OK, skan_acknowledge_update(host->engine, "a", 0, false, &failure));
    ANSWER(SKAN_NOTHING_PENDING, skan_pending_update(host->engine, "a", &update, &failure));
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", 0, "{\"conversion_value\":3}", 22, &update, &failure));
    EXPECT_NUMBER(1, update.id);
    host_end(host);
}

/* ------------------------------------------------------------------------------------------------------- requests */

static void a_url_starts_with_the_endpoint(const void *subject) {
    (void)subject;
    static const char *const endpoints[][2] = {
        {NULL, "https://sdk-api-v1.singular.net/api/v2/conversion_value?"},
        {"https://example.com", "https://example.com/api/v2/conversion_value?"},
        {"https://example.com/", "https://example.com/api/v2/conversion_value?"},
        {"https://example.com//", "https://example.com//api/v2/conversion_value?"},
        {"http://localhost:8080/skan/", "http://localhost:8080/skan/api/v2/"
                                        "conversion_value?"}};
    for (size_t i = 0; i < sizeof endpoints / sizeof *endpoints; i++) {
        in_round("endpoint %s", endpoints[i][0] ? endpoints[i][0] : "NULL");
        host *host = host_make();
        host->options.endpoint_url = endpoints[i][0];
        host_open(host);
        ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
        char *url = NULL;
        ANSWER(SKAN_OK, skan_conversion_request(host->engine, "a", NULL, NULL, &url, NULL, &failure));
        EXPECT(url && strncmp(url, endpoints[i][1], strlen(endpoints[i][1])) == 0, "came %s", url);
        skan_free(url);
        host_end(host);
    }
}

static void items_without_a_value_are_left_out(const void *subject) {
    (void)subject;
    for (int empty = 0; empty < 2; empty++)
        for (uint32_t protocol = 3; protocol <= 4; protocol++) {
            const char *none = empty ? "" : NULL;
            const skan_device device = {.size = sizeof device, .os_version = none, .idfv = none, .idfa = none};
            host *host = host_make();
            host->options.protocol = protocol;
            host->options.sdk_key = host->options.bundle_id = host->options.app_version = none;
            host_open(host);
            ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
            char *url = NULL;
            ANSWER(SKAN_OK, skan_conversion_request(host->engine, "a", NULL, &device, &url, NULL, &failure));
            const char *query = url ? strchr(url, '?') : NULL;
            EXPECT_TEXT(protocol == 3 ? "?n=__SESSION__&p=iOS&total_revenue_by_currency=%7B%7D"
                                        "&first_call_to_skadnetwork_timestamp=1700000000"
                                        "&last_call_to_skadnetwork_timestamp=1700000000"
                                      : "?n=__SESSION__&p=iOS&skan_current_conversion_value=0"
                                        "&skan_first_call_to_skadnetwork_timestamp=1700000000"
                                        "&skan_last_call_to_skadnetwork_timestamp=1700000000",
                        query);
            skan_free(url);
            host_end(host);
        }
}

static void every_byte_of_a_value_is_encoded(const void *subject) {
    (void)subject;
    host *host = host_make();
    host->options.sdk_key = " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\xc3\xa9";
    never_in_messages = NULL;
    host_open(host);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    char *url = NULL;
    ANSWER(SKAN_OK, skan_conversion_request(host->engine, "a", NULL, NULL, &url, NULL, &failure));
    EXPECT(strstr(url,
                  "?a=%20%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F09%3A%3B%3C%3D%3E%3F%40AZ%5B%5C%5D%5E_%60az%7B%7C%7D"
                  "~%C3%A9&i="),
           "came %s", url);
    skan_free(url);
    host_end(host);
}

const contract_case rule_cases[] = {
    {"every status has its name", every_status_has_its_name},
    {"errors are made for companions", errors_are_made_for_companions},
    {"buffers hold what was set", buffers_hold_what_was_set},
    {"versions are told", versions_are_told},
    {"an install never heard of has an empty state", an_install_never_heard_of_has_an_empty_state},
    {"a registered install takes everything, once", a_registered_install_takes_everything_once},
    {"a forgotten install is one never heard of", a_forgotten_install_is_one_never_heard_of},
    {"an install whose windows are over takes revenue only", an_install_whose_windows_are_over_takes_revenue_only},
    {"a record of the other protocol is misuse", a_record_of_the_other_protocol_is_misuse},
    {"a rejection's reason is unchanged", a_rejection_s_reason_is_unchanged},
    {"an answer without value and reason says so", an_answer_without_value_and_reason_says_so},
    {"what is no JSON is named by line and column", what_is_no_json_is_named_by_line_and_column},
    {"an illegal value names its member", an_illegal_value_names_its_member},
    {"tickets grow whatever the clock does", tickets_grow_whatever_the_clock_does},
    {"tickets are greater than the newest applied one", tickets_are_greater_than_the_newest_applied_one},
    {"late answers are stale", late_answers_are_stale},
    {"a table has at most 64 currencies", a_table_has_at_most_64_currencies},
    {"a total stays below 1e18", a_total_stays_below_1e18},
    {"money is exact", money_is_exact},
    {"a memory of event ids has 64 of each kind", a_memory_of_event_ids_has_64_of_each_kind},
    {"an event id is kept where the call ended well", an_event_id_is_kept_where_the_call_ended_well},
    {"one event id serves revenue and conversion", one_event_id_serves_revenue_and_conversion},
    {"the largest state fits a record", the_largest_state_fits_a_record},
    {"a typical record is small", a_typical_record_is_small},
    {"a document has at most 64 KiB", a_document_has_at_most_64_kib},
    {"a table of a document has at most 64 currencies", a_table_of_a_document_has_at_most_64_currencies},
    {"a bad document is refused by its key", a_bad_document_is_refused_by_its_key},
    {"a document is checked before the record", a_document_is_checked_before_the_record},
    {"nothing is pending after an import", nothing_is_pending_after_an_import},
    {"a URL starts with the endpoint", a_url_starts_with_the_endpoint},
    {"items without a value are left out", items_without_a_value_are_left_out},
    {"every byte of a value is encoded", every_byte_of_a_value_is_encoded},
    {NULL, NULL}};

/* What each call answers in C: outcomes and errors as the rules give them, their names, the reason of a rejection. */
#define _GNU_SOURCE
#include "contract.h"

#include <skan/companion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* That the names are those of the header is proven in Tests/Core. */
CASE(every_status_has_its_name) {
    EXPECT_TEXT("SKAN_OK", skan_status_name(SKAN_OK));
    EXPECT_TEXT("SKAN_NOT_FOUND", skan_status_name(SKAN_NOT_FOUND));
    EXPECT_TEXT("SKAN_ERROR_CLOCK", skan_status_name(SKAN_ERROR_CLOCK));
    const skan_status unknown[] = {INT32_MIN, -1, 11, 99, 104, 151, INT32_MAX};
    for (int i = 0; i < 7; i++) EXPECT_TEXT("SKAN_UNKNOWN_STATUS", skan_status_name(unknown[i]));
    EXPECT(skan_status_name(0) == skan_status_name(0), "names are static");
}

CASE(errors_are_made_for_companions) {
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

CASE(buffers_hold_what_was_set) {
    static char bytes[SKAN_BUFFER_MAX + 1];
    skan_buffer *buffer = skan_buffer_create();
    EXPECT_NUMBER(0, skan_buffer_size(buffer));
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(buffer, bytes, SKAN_BUFFER_MAX));
    EXPECT_NUMBER(SKAN_BUFFER_MAX, skan_buffer_size(buffer));
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(buffer, "a\0b", 3));
    /* These change nothing. */
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_buffer_set(buffer, NULL, 1));
    EXPECT_STATUS(SKAN_ERROR_LIMIT_EXCEEDED, skan_buffer_set(buffer, bytes, SKAN_BUFFER_MAX + 1));
    EXPECT_STATUS(SKAN_ERROR_LIMIT_EXCEEDED, skan_buffer_set(buffer, bytes, SIZE_MAX));
    EXPECT_NUMBER(3, skan_buffer_size(buffer));
    EXPECT(memcmp(skan_buffer_data(buffer), "a\0b", 3) == 0, "the bytes are there");
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(buffer, NULL, 0));
    EXPECT_NUMBER(0, skan_buffer_size(buffer));
    skan_buffer_destroy(buffer);
    skan_buffer_destroy(NULL);
    EXPECT(skan_buffer_size(NULL) == 0 && skan_buffer_data(NULL) == NULL, "NULL has no content");
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_buffer_set(NULL, "x", 1));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_buffer_set(NULL, NULL, 0));
}

CASE(versions_are_told) {
    int major, minor, patch, length = 0;
    const char *version = skan_version();
    EXPECT(version && sscanf(version, "%d.%d.%d%n", &major, &minor, &patch, &length) == 3 && !version[length],
           "skan_version answers %s", version);
    EXPECT_NUMBER(SKAN_ABI_VERSION, skan_abi_version());
}

/* ------------------------------------------------------------------------------------------------ outcomes of calls */

CASE(no_endpoint_is_asked_without_a_window) {
    host *host = host_with_engine();
    ANSWER(SKAN_NOT_REGISTERED,
           skan_update_conversion_values(host->engine, "a", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    host->clock.microseconds += 35 * DAY * 1000000;
    ANSWER(SKAN_WINDOW_CLOSED, skan_update_conversion_values(host->engine, "a", NULL, NULL, &failure));
    EXPECT_NUMBER(0, host->gets);
}

/* The message is the server's own words, whatever they look like in C; where it gives none, libskan says so, and where
 * it refuses what an option sets, the option's name follows. */
CASE(a_rejection_s_reason_is_the_message) {
    char *long_reason = repeated("reason ", 9000);
    const char *const reasons[][2] = {{"%s%n%d", "%s%n%d"},
                                      {"caf\xc3\xa9 \\u20ac\\ud800\\n", "caf\xc3\xa9 \xe2\x82\xac\xef\xbf\xbd\n"},
                                      {"cut\\u0000here", "cut"},
                                      {long_reason, long_reason},
                                      {"", "response: the answer has neither a value nor a reason: without a "
                                           "conversion_value the status must be \"ok\", got \"error\""},
                                      {"Conversion Management: Invalid parameter app_v given",
                                       "Conversion Management: Invalid parameter app_v given: the option app_version "
                                       "sets it"},
                                      {"Conversion Management: Invalid parameter x given",
                                       "Conversion Management: Invalid parameter x given"}};
    host *host = host_with_install();
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        in_round("%.40s", reasons[i][0]);
        char *body = text_of("{\"status\":\"error\",\"reason\":\"%s\"}", reasons[i][0]);
        ANSWER(SKAN_ERROR_REJECTED,
               skan_apply_response(host->engine, "a", NULL, 0, body, strlen(body), NULL, &failure));
        EXPECT_TEXT(reasons[i][1], failure_message());
        host->answer = body;
        ANSWER(SKAN_ERROR_REJECTED,
               skan_update_conversion_values(host->engine, "a", EVENT(.event_id = "e"), NULL, &failure));
        EXPECT_TEXT(reasons[i][1], failure_message());
    }
}

/* Tickets are 64 bits wide on their way out and back in. */
CASE(a_ticket_is_given_back_whole) {
    host *host = host_with_engine();
    const uint64_t far = UINT64_C(1) << 62;
    char *url = NULL;
    uint64_t ticket = 0;
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", NULL, far, "{\"conversion_value\":3}", 22, NULL, &failure));
    ANSWER(SKAN_OK, skan_conversion_request(host->engine, "a", NULL, &url, &ticket, &failure));
    EXPECT(ticket == far + 1, "ticket %llu", (unsigned long long)ticket);
    skan_free(url);
    ANSWER(SKAN_STALE_RESPONSE,
           skan_apply_response(host->engine, "a", NULL, far, "{\"conversion_value\":4}", 22, NULL, &failure));
    ANSWER(SKAN_OK,
           skan_apply_response(host->engine, "a", NULL, ticket, "{\"conversion_value\":4}", 22, NULL, &failure));
}

static skan_status in_two_steps(host *host, const skan_event *event, skan_update *update) {
    static const char body[] = "{\"conversion_value\":7}";
    char *url = NULL;
    uint64_t ticket = 0;
    skan_status status = SETTLE(skan_conversion_request(host->engine, "a", event, &url, &ticket, &failure));
    if (status != SKAN_OK) {
        EXPECT(url == NULL && ticket == 0, "a refused request gives a URL or a ticket");
        return status;
    }
    skan_free(url);
    return SETTLE(skan_apply_response(host->engine, "a", event, ticket, body, sizeof body - 1, update, &failure));
}

/* An event counts once, however it is reported, and the amount is that of the first step. */
CASE(two_steps_report_an_event_as_one_call_does) {
    host *host = host_with_install();
    const skan_event *event = EVENT(.name = "purchase", .event_id = "order-1", .amount = {.text = "4.99"},
                                    .currency = "USD");
    skan_update update = unwritten_update();
    EXPECT_STATUS(SKAN_OK, in_two_steps(host, event, &update));
    EXPECT_NUMBER(NOW * INT64_C(1000000) + 2, update.id);
    char *details = details_of(host->engine, "a");
    EXPECT(strstr(details, "\"skan_total_revenue_by_currency\":{\"USD\":4.99}"), "%s", details);
    EXPECT_STATUS(SKAN_DUPLICATE_EVENT, in_two_steps(host, event, &update));
    ANSWER(SKAN_DUPLICATE_EVENT,
           skan_apply_response(host->engine, "a", event, 0, "{\"conversion_value\":9}", 22, &update, &failure));
    EXPECT_NUMBER(0, update.id);
    ANSWER(SKAN_DUPLICATE_EVENT, skan_update_conversion_values(host->engine, "a", event, NULL, &failure));
    ANSWER(SKAN_DUPLICATE_EVENT,
           skan_update_revenue(host->engine, "a", AMOUNT(4.99), "USD", SKAN_IAP, "order-1", &failure));
    EXPECT_DETAILS(details, host->engine, "a");
    EXPECT_NUMBER(0, host->gets);
}

/* What each call answers in C: outcomes and errors as the rules give them, their names, the reason of a rejection. */
#define _GNU_SOURCE
#include "contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* That the names are those of the header is proven in Tests/Core. */
CASE(every_status_has_its_name) {
    EXPECT_TEXT("SKAN_OK", skan_status_name(SKAN_OK));
    EXPECT_TEXT("SKAN_NOT_FOUND", skan_status_name(SKAN_NOT_FOUND));
    EXPECT_TEXT("SKAN_ERROR_CLOCK", skan_status_name(SKAN_ERROR_CLOCK));
    const skan_status unknown[] = {INT32_MIN, -1, 10, 99, 104, 151, INT32_MAX};
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

typedef skan_status answers[FUNCTION_COUNT];

static const answers when_unknown = {[CONVERSION_REQUEST] = SKAN_NOT_REGISTERED,
                                     [APPLY_RESPONSE] = SKAN_NOT_REGISTERED,
                                     [UPDATE_CONVERSION_VALUES] = SKAN_NOT_REGISTERED,
                                     [PENDING_UPDATE] = SKAN_NOTHING_PENDING};
static const answers when_registered = {[REGISTER] = SKAN_ALREADY_REGISTERED,
                                        [IMPORT_DETAILS] = SKAN_ALREADY_REGISTERED};
static const answers when_closed = {
    [REGISTER] = SKAN_ALREADY_REGISTERED,    [CONVERSION_REQUEST] = SKAN_WINDOW_CLOSED,
    [APPLY_RESPONSE] = SKAN_WINDOW_CLOSED,   [UPDATE_CONVERSION_VALUES] = SKAN_WINDOW_CLOSED,
    [PENDING_UPDATE] = SKAN_NOTHING_PENDING, [IMPORT_DETAILS] = SKAN_ALREADY_REGISTERED};

/* Each function on an install of its own, so many days after its registration. */
static void expect_answers(const answers expected, bool is_registered, int64_t days) {
    host *host = host_with_engine();
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        const char *id = functions[i].name;
        in_round("%s", id);
        host->clock.microseconds = NOW * 1000000;
        if (is_registered) ANSWER(SKAN_OK, skan_register(host->engine, id, NULL, &failure));
        host->clock.microseconds += days * DAY * 1000000;
        char *before = details_of(host->engine, id);
        host->gets = 0;
        ANSWER(expected[i], call(&functions[i], host->engine, id));
        if (expected[i] != SKAN_OK) {
            EXPECT_DETAILS(before, host->engine, id);
            EXPECT_NUMBER(0, host->gets);
        }
    }
}

CASE(outcomes_are_no_errors) {
    expect_answers(when_unknown, false, 0);
    expect_answers(when_registered, true, 0);
    expect_answers(when_closed, true, 35);
}

CASE(a_record_of_the_other_protocol_is_misuse) {
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        in_round("%s", functions[i].name);
        host *host = host_with_install();
        char *before = details_of(host->engine, "a");
        skan *other = NULL;
        host->options.protocol = 3;
        ANSWER(SKAN_OK, skan_create(&host->options, &other, &failure));
        ANSWER(i == FORGET ? SKAN_OK : SKAN_ERROR_MISUSE, call(&functions[i], other, "a"));
        if (i != FORGET) EXPECT_DETAILS(before, host->engine, "a");
        skan_destroy(other);
    }
}

/* The message is the server's own words, whatever they look like in C; where it gives none, libskan says so. */
CASE(a_rejection_s_reason_is_the_message) {
    char *long_reason = repeated("reason ", 9000);
    const char *const reasons[][2] = {{"%s%n%d", "%s%n%d"},
                                      {"caf\xc3\xa9 \\u20ac\\ud800\\n", "caf\xc3\xa9 \xe2\x82\xac\xef\xbf\xbd\n"},
                                      {"cut\\u0000here", "cut"},
                                      {long_reason, long_reason},
                                      {"", "response: the answer has neither a value nor a reason: without a "
                                           "conversion_value the status must be \"ok\", got \"error\""}};
    host *host = host_with_install();
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        in_round("%.40s", reasons[i][0]);
        char *body = text_of("{\"status\":\"error\",\"reason\":\"%s\"}", reasons[i][0]);
        ANSWER(SKAN_ERROR_REJECTED, skan_apply_response(host->engine, "a", 0, body, strlen(body), NULL, &failure));
        EXPECT_TEXT(reasons[i][1], failure_message());
        host->answer = body;
        ANSWER(SKAN_ERROR_REJECTED, skan_update_conversion_values(host->engine, "a", NULL, "e", NULL, NULL, &failure));
        EXPECT_TEXT(reasons[i][1], failure_message());
    }
}

/* Tickets are 64 bits wide on their way out and back in. */
CASE(a_ticket_is_given_back_whole) {
    host *host = host_with_engine();
    const uint64_t far = UINT64_C(1) << 62;
    char *url = NULL;
    uint64_t ticket = 0;
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", far, "{\"conversion_value\":3}", 22, NULL, &failure));
    ANSWER(SKAN_OK, skan_conversion_request(host->engine, "a", NULL, NULL, &url, &ticket, &failure));
    EXPECT(ticket == far + 1, "ticket %llu", (unsigned long long)ticket);
    skan_free(url);
    ANSWER(SKAN_STALE_RESPONSE,
           skan_apply_response(host->engine, "a", far, "{\"conversion_value\":4}", 22, NULL, &failure));
    ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", ticket, "{\"conversion_value\":4}", 22, NULL, &failure));
}

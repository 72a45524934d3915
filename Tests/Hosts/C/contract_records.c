/* skan_record_read: what a record's bytes say without an engine. */
#define _GNU_SOURCE
#include "contract.h"

#include <stdlib.h>
#include <string.h>

static skan_record unwritten_record(void) {
    skan_record record;
    memset(&record, 0xA5, sizeof record);
    record.size = sizeof record;
    return record;
}

static host *host_of_protocol(uint32_t protocol) {
    host *host = host_make();
    host->options.protocol = protocol;
    host_open(host);
    return host;
}

/* The record of "a" is read, and says the same as the engine. */
static skan_record read_as_the_engine(host *host) {
    const host_record *stored = host_store_find(&host->store, "a");
    skan_record record = unwritten_record();
    char *json = NULL, *details = details_of(host->engine, "a");
    EXPECT(stored, "there is no record");
    ANSWER(SKAN_OK, skan_record_read(stored->data, stored->length, &record, &json, &failure));
    EXPECT_TEXT(details, json);
    skan_free(json);
    free(details);
    EXPECT_NUMBER(sizeof record, record.size);
    ANSWER(SKAN_OK, skan_record_read(stored->data, stored->length, NULL, NULL, &failure));
    EXPECT_STATUS(SKAN_OK, skan_record_read(stored->data, stored->length, NULL, NULL, NULL));
    return record;
}

static void either_protocol_is_read(const void *subject) {
    (void)subject;
    for (uint32_t protocol = 3; protocol <= 4; protocol++) {
        in_round("protocol %u", protocol);
        host *host = host_of_protocol(protocol);
        ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 4.99, "USD", false, "order-1", &failure));
        skan_record record = read_as_the_engine(host);
        EXPECT_NUMBER(protocol, record.protocol);
        EXPECT_NUMBER(0, record.is_registered);
        EXPECT_NUMBER(0, record.first_timestamp);
        EXPECT_NUMBER(0, record.last_timestamp);
        EXPECT_NUMBER(0, record.closes_at);

        ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
        host->clock.microseconds += 10 * 1000000;
        ANSWER(SKAN_OK, skan_apply_response(host->engine, "a", 0, "{\"conversion_value\":3}", 22, NULL, &failure));
        record = read_as_the_engine(host);
        EXPECT_NUMBER(protocol, record.protocol);
        EXPECT_NUMBER(1, record.is_registered);
        EXPECT_NUMBER(NOW, record.first_timestamp);
        EXPECT_NUMBER(NOW + 10, record.last_timestamp);
        EXPECT_NUMBER(protocol == 4 ? NOW + 35 * DAY : NOW + 10 + DAY, record.closes_at);
        host_end(host);
    }
}

/* closes_at is the first second at which the engine knows of no open window. */
static void closes_at_is_when_the_engine_closes(const void *subject) {
    (void)subject;
    static const int64_t starts[] = {NOW, 0, -5, INT64_C(-62135596800), INT64_C(9223372036854) - 35 * DAY};
    for (uint32_t protocol = 3; protocol <= 4; protocol++)
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            in_round("protocol %u, start %lld", protocol, (long long)starts[i]);
            host *host = host_of_protocol(protocol);
            host->clock.microseconds = starts[i] * 1000000;
            ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
            skan_record record = read_as_the_engine(host);
            EXPECT_NUMBER(starts[i] + (protocol == 4 ? 35 : 1) * DAY, record.closes_at);
            for (int64_t step = -1; step <= 0; step++) {
                char *url = NULL;
                uint64_t ticket = 0;
                int64_t now = record.closes_at + step;
                if (now == -1) continue; /* says that the clock failed */
                host->clock.microseconds = now * 1000000;
                ANSWER(step < 0 ? SKAN_OK : SKAN_WINDOW_CLOSED,
                       skan_conversion_request(host->engine, "a", NULL, NULL, &url, &ticket, &failure));
                skan_free(url);
            }
            host_end(host);
        }
}

/* The latest first call that a record can hold: its end is later than any clock shows, and no overflow. */
static void the_latest_time_has_an_end(const void *subject) {
    (void)subject;
    host *host = host_of_protocol(4);
    static const char json[] = "{\"skan_first_call_to_skadnetwork_timestamp\":9223372036854,"
                               "\"skan_last_call_to_skadnetwork_timestamp\":9223372036854}";
    ANSWER(SKAN_OK, skan_import_details(host->engine, "a", json, sizeof json - 1, &failure));
    EXPECT_NUMBER(INT64_C(9223372036854) + 35 * DAY, read_as_the_engine(host).closes_at);
    host_end(host);
}

static void nothing_is_given(const host_record *record, size_t length, skan_status expected) {
    skan_record out = unwritten_record();
    const skan_record none = {.size = sizeof none};
    char *json = (char *)&out;
    ANSWER(expected, skan_record_read(record->data, length, &out, &json, &failure));
    EXPECT_MESSAGE("record");
    EXPECT(json == NULL, "text is given");
    EXPECT(memcmp(&out, &none, sizeof none) == 0, "a record is given");
}

static void a_damaged_record_is_refused(const void *subject) {
    (void)subject;
    host *host = host_of_protocol(4);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", 4.99, "USD", false, "order-1", &failure));
    host_record *record = host_store_find(&host->store, "a");
    for (size_t length = 0; length < record->length; length++) {
        in_round("%zu bytes of it", length);
        nothing_is_given(record, length, SKAN_ERROR_CORRUPT_RECORD);
    }
    for (size_t at = 0; at < record->length; at++)
        for (int bit = 0; bit < 8; bit++) {
            in_round("byte %zu, bit %d", at, bit);
            unsigned char *byte = (unsigned char *)record->data + at;
            *byte ^= (unsigned char)(1 << bit);
            nothing_is_given(record, record->length,
                             at == 0 && *byte > 1 ? SKAN_ERROR_RECORD_TOO_NEW : SKAN_ERROR_CORRUPT_RECORD);
            *byte ^= (unsigned char)(1 << bit);
        }
    in_round("%s", "");
    nothing_is_given(record, SIZE_MAX, SKAN_ERROR_CORRUPT_RECORD);
    nothing_is_given(record, SIZE_MAX / 2 + 1, SKAN_ERROR_CORRUPT_RECORD);
    const host_record none = {.data = NULL};
    skan_record out = unwritten_record();
    char *json = (char *)&out;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_record_read(none.data, 0, &out, &json, &failure));
    EXPECT_MESSAGE("data");
    EXPECT(json == NULL, "text is given");
    host_end(host);
}

static void its_out_struct_has_a_legal_size(const void *subject) {
    (void)subject;
    host *host = host_of_protocol(4);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, &failure));
    const host_record *record = host_store_find(&host->store, "a");
    union {
        skan_record record;
        unsigned char bytes[1100];
    } out;
    for (size_t size = 0; size <= 1030; size++) {
        in_round("size %zu", size);
        bool is_legal = size >= sizeof(skan_record) && size <= 1024;
        memset(&out, 0xA5, sizeof out);
        out.record.size = size;
        ANSWER(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT,
               skan_record_read(record->data, record->length, &out.record, NULL, &failure));
        EXPECT_NUMBER(size, out.record.size);
        if (is_legal) EXPECT_NUMBER(NOW + 35 * DAY, out.record.closes_at);
        else EXPECT_MESSAGE("out");
        for (size_t at = sizeof(skan_record); at < sizeof out; at++)
            EXPECT(out.bytes[at] == (is_legal && at < size ? 0 : 0xA5), "byte %zu is %d", at, out.bytes[at]);
    }
    host_end(host);
}

const contract_case record_cases[] = {
    {"a record of either protocol is read", either_protocol_is_read},
    {"closes_at is when the engine closes", closes_at_is_when_the_engine_closes},
    {"the latest time has an end", the_latest_time_has_an_end},
    {"a damaged record is refused", a_damaged_record_is_refused},
    {"its out struct has a legal size", its_out_struct_has_a_legal_size},
    {NULL, NULL}};

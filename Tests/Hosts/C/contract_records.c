/* skan_record_read: what a record's bytes say without an engine. */
#define _GNU_SOURCE
#include "contract.h"

#include <skan/companion.h>

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
    EXPECT_NUMBER(sizeof record, record.size);
    ANSWER(SKAN_OK, skan_record_read(stored->data, stored->length, NULL, NULL, &failure));
    EXPECT_STATUS(SKAN_OK, skan_record_read(stored->data, stored->length, NULL, NULL, NULL));
    return record;
}

CASE(either_protocol_is_read) {
    for (uint32_t protocol = 3; protocol <= 4; protocol++) {
        in_round("protocol %u", protocol);
        host *host = host_of_protocol(protocol);
        ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", AMOUNT(4.99), "USD", SKAN_IAP, "order-1", &failure));
        skan_record record = read_as_the_engine(host);
        EXPECT_NUMBER(protocol, record.protocol);
        EXPECT(!record.is_registered, "registered");
        EXPECT_NUMBER(0, record.first_timestamp);
        EXPECT_NUMBER(0, record.last_timestamp);
        EXPECT_NUMBER(0, record.closes_at);

        ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
        host->clock.microseconds += 10 * 1000000;
        ANSWER(SKAN_OK,
               skan_apply_response(host->engine, "a", NULL, 0, "{\"conversion_value\":3}", 22, NULL, &failure));
        record = read_as_the_engine(host);
        EXPECT_NUMBER(protocol, record.protocol);
        EXPECT(record.is_registered, "not registered");
        EXPECT_NUMBER(NOW, record.first_timestamp);
        EXPECT_NUMBER(NOW + 10, record.last_timestamp);
        EXPECT_NUMBER(protocol == 4 ? NOW + 35 * DAY : NOW + 10 + DAY, record.closes_at);
    }
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

CASE(a_damaged_record_is_refused) {
    host *host = host_of_protocol(4);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(host->engine, "a", AMOUNT(4.99), "USD", SKAN_IAP, "order-1", &failure));
    host_record *record = host_store_find(&host->store, "a");
    nothing_is_given(record, record->length - 1, SKAN_ERROR_CORRUPT_RECORD);
    unsigned char *bytes = record->data;
    bytes[record->length / 2] ^= 1;
    nothing_is_given(record, record->length, SKAN_ERROR_CORRUPT_RECORD);
    bytes[0] = 255;
    nothing_is_given(record, record->length, SKAN_ERROR_RECORD_TOO_NEW);
    nothing_is_given(record, 0, SKAN_ERROR_CORRUPT_RECORD);
    nothing_is_given(record, SIZE_MAX, SKAN_ERROR_CORRUPT_RECORD);
    nothing_is_given(record, SIZE_MAX / 2 + 1, SKAN_ERROR_CORRUPT_RECORD);
    const host_record none = {.data = NULL};
    skan_record out = unwritten_record();
    char *json = (char *)&out;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_record_read(none.data, 0, &out, &json, &failure));
    EXPECT_MESSAGE("data");
    EXPECT(json == NULL, "text is given");
}

CASE(its_out_struct_has_a_legal_size) {
    host *host = host_of_protocol(4);
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    const host_record *record = host_store_find(&host->store, "a");
    union {
        skan_record record;
        unsigned char bytes[1104];
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
}

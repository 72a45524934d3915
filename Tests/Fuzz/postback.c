/* Postbacks: any bytes as a body and as a record. */
#include "fuzz.h"
#include "host.h"
#include "postback_truth.h"

/* ---------------------------------------------------------------------------------------------------------- receive */

/* One range of dates at most is told, that of what it is; none where it is not counted. */
static void require_dates(const skan_postback_record *record, const skan_postback *postback) {
    skan_postback_fields fields = {.size = sizeof fields};
    skan_error *error = NULL;
    REQUIRE(settled(skan_postback_read(postback, &fields, &error), error) == SKAN_OK);
    bool is_counted = record->outcome == SKAN_POSTBACK_COUNTED;
    bool is_reengagement = fields.conversion_type == SKAN_CONVERSION_REENGAGEMENT;
    REQUIRE((record->installed_until > record->installed_from) == (is_counted && !is_reengagement));
    REQUIRE((record->reengaged_until > record->reengaged_from) == (is_counted && is_reengagement));
}

/* What is received is in the record, and read again as it was. */
static void receive(const uint8_t *data, size_t size) {
    static host_store records;
    static skan_postback_receiver *receiver;
    skan_error *error = NULL;
    if (!receiver) {
        host_store_init(&records);
        const skan_store store = host_store_hooks(&records);
        /* Every postback is kept: there is no limit for any number of inputs. */
        const skan_postback_receiver_options options = {
            .size = sizeof options,
            .store = &store,
            .refused_bytes_in_all = UINT64_MAX,
        };
        REQUIRE(settled(skan_postback_receiver_create(&options, &receiver, &error), error) == SKAN_OK);
    }
    const uint64_t changes = records.changes;
    skan_postback_receipt receipt = {.size = sizeof receipt};
    skan_status status = settled(skan_postback_receive(receiver, NULL, data, size, &receipt, &error), error);
    REQUIRE(status == (size > SKAN_POSTBACK_MAX ? SKAN_ERROR_LIMIT_EXCEEDED : SKAN_OK));
    if (status != SKAN_OK) return;
    const host_record *record = host_store_find(&records, receipt.key);
    REQUIRE(receipt.is_kept == 1 && record && records.count == 1);
    REQUIRE((receipt.outcome == SKAN_POSTBACK_COUNTED) == (receipt.result == SKAN_POSTBACK_VALID));
    skan_postback *postback = NULL;
    skan_postback_record kept = {.size = sizeof kept};
    status = settled(skan_postback_record_read(record->data, record->length, &kept, &postback, &error), error);
    REQUIRE(status == SKAN_OK);
    require_dates(&kept, postback);
    REQUIRE(skan_postback_result(postback) == receipt.result);
    require_consistent(postback);
    /* A refused postback is stored under another key, and its own may be lost where its body was cut. */
    if (receipt.outcome == SKAN_POSTBACK_COUNTED)
        REQUIRE(strcmp(skan_postback_record_key(postback), receipt.key) == 0);
    skan_postback_destroy(postback);
    status = settled(skan_postback_receive(receiver, NULL, data, size, &receipt, &error), error);
    REQUIRE(status == SKAN_OK && receipt.outcome != SKAN_POSTBACK_COUNTED);
    REQUIRE(records.changes == changes + 1);
    host_store_drop(&records, record->key);
}

static void read_record(const uint8_t *data, size_t size) {
    skan_postback *postback = NULL;
    skan_postback_record record = {.size = sizeof record};
    skan_error *error = NULL;
    skan_status status = settled(skan_postback_record_read(data, size, &record, &postback, &error), error);
    REQUIRE(status == SKAN_OK || status == SKAN_ERROR_CORRUPT_RECORD || status == SKAN_ERROR_RECORD_TOO_NEW);
    skan_postback_destroy(postback);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    require_verified(data, size, NULL);
    receive(data, size);
    read_record(data, size);
    return 0;
}

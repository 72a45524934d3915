/*
 * A stored record: any bytes. The first byte of the input says whether they are handed over as they are, or with a
 * format, length and checksum that fit, so that what stands behind those is reached.
 */
#include "fuzz.h"
#include "host.h"

#include <skan/companion.h>
#include <skan/model.h>
#include <skan/reengagement.h>

/* ----------------------------------------------------------------------------- the checksum, as Checksum.swift */

static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) word = word << 8 | bytes[i];
    return word;
}

static uint64_t mixed(uint64_t lane, uint64_t word) {
    uint64_t product = (lane ^ word) * 0x9E3779B185EBCA87u;
    return product ^ product >> 32;
}

static uint64_t checksum(const uint8_t *bytes, size_t count) {
    uint64_t lanes[4] = {(uint64_t)count ^ 0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u,
                         0x27D4EB2F165667C5u};
    size_t offset = 0;
    for (; count - offset >= 32; offset += 32) {
        for (int lane = 0; lane < 4; lane++) lanes[lane] = mixed(lanes[lane], word_at(bytes + offset + 8 * lane));
    }
    for (; count - offset >= 8; offset += 8) {
        uint64_t next = mixed(lanes[0], word_at(bytes + offset));
        lanes[0] = lanes[1], lanes[1] = lanes[2], lanes[2] = lanes[3], lanes[3] = next;
    }
    if (offset < count) lanes[0] = mixed(lanes[0], word_at(bytes + count - 8));
    return mixed(mixed(mixed(lanes[0], lanes[1]), lanes[2]), lanes[3]);
}

static void put(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static void seal(uint8_t *record, size_t length) {
    if (length < 112) return;
    record[0] = 1;
    put(record + 60, length, 4);
    put(record + length - 8, checksum(record, length - 8), 8);
}

/* The models of the records in the corpus. */
static const char install_model[] =
    "{\"schema\":1,\"id\":\"a\",\"measures\":{\"m\":{\"count\":[\"a\",\"*\"],\"scope\":\"lifetime\"},\"s\":{\"sum\":[\"a\"]},"
    "\"d\":{\"days\":[\"__SESSION__\"]}},\"windows\":[{\"rules\":[{\"fine\":1,\"when\":{\"measures\":[{\"name\":\"m\",\"min\":1}]}}]},"
    "{\"rules\":[]},{\"rules\":[]}]}";
static const char reengagement_model[] =
    "{\"schema\":1,\"id\":\"b\",\"conversion\":\"re-engagement\",\"windows\":[{\"rules\":[{\"fine\":0,\"coarse\":0},"
    "{\"fine\":9,\"coarse\":2,\"lock\":true,\"when\":{\"events\":[{\"name\":\"a\",\"min_count\":3}]}}]},"
    "{\"rules\":[{\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]}]}";

static skan_model *model_of(const char *document) {
    skan_model *model = NULL;
    skan_error *error = NULL;
    REQUIRE(settled(skan_model_create(document, strlen(document), &model, &error), error) == SKAN_OK);
    return model;
}

static skan_engine *engine_on(host_store *records, uint32_t protocol, int64_t *now) {
    static skan_model *models[2];
    if (!models[0]) models[0] = model_of(install_model), models[1] = model_of(reengagement_model);
    skan_store store = host_store_hooks(records);
    skan_clock clock = told_clock(now);
    skan_options options = {.size = sizeof options,
                            .protocol = protocol,
                            .store = &store,
                            .clock = &clock,
                            .endpoint_url = "https://skan.example.com"};
    if (protocol == 4) {
        options.models = &models[0], options.model_count = 1;
        options.reengagement_models = &models[1], options.reengagement_model_count = 1;
    }
    return engine_with(&options);
}

/* Every function for re-engagements, whatever the record says of them. */
static void use_reengagements(skan_engine *engine) {
    skan_error *error = NULL;
    char *text = NULL;
    REQUIRE(settled(skan_reengagements(engine, "install", &text, &error), error) == SKAN_OK);
    skan_free(text);
    for (uint32_t number = 1; number <= SKAN_REENGAGEMENTS_MAX; number++) {
        text = NULL;
        settled(skan_explanation(engine, "install", number, &text, &error), error);
        skan_free(text);
    }
    const skan_event event = {.size = sizeof event, .name = "a", .amount = {.number = 4.99}, .currency = "USD"};
    settled(skan_update_conversion_values(engine, "install", &event, NULL, &error), error);
    const skan_reengagement_report report = {
        .size = sizeof report, .tag = "fuzz", .is_overlapping = true, .is_started = true};
    settled(skan_reengage(engine, "install", &report, NULL, &error), error);
    settled(skan_end_reengagement(engine, "install", 1, &error), error);
    skan_free(details_of(engine, "install"));
}

/* The calls that wait, and a result for each. */
static void use_calls(skan_engine *engine) {
    skan_error *error = NULL;
    skan_call calls[SKAN_CALLS_MAX] = {{.size = sizeof *calls}};
    skan_acknowledgement results[SKAN_CALLS_MAX];
    size_t count = 0;
    skan_status status =
        settled(skan_pending_calls(engine, "install", NULL, calls, SKAN_CALLS_MAX, &count, &error), error);
    if (status == SKAN_OK) {
        REQUIRE(count >= 1 && count <= SKAN_CALLS_MAX);
        for (size_t i = 0; i < count; i++)
            results[i] = (skan_acknowledgement){.size = sizeof *results, .id = calls[i].id, .result = (int32_t)(i % 4)};
        settled(skan_acknowledge_calls(engine, "install", results, count, &error), error);
    }
}

/* A record that is taken can be read by every function, and is written so that it reads the same. */
static void use(skan_engine *engine, uint32_t protocol, char *details) {
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    char *text = NULL;
    uint64_t ticket;
    REQUIRE(settled(skan_metadata(engine, "install", &text, &error), error) == SKAN_OK);
    skan_free(text);
    settled(skan_conversion_request(engine, "install", NULL, &text, &ticket, &error), error);
    skan_free(text);
    /* Records the id and nothing else: the state is written anew. */
    skan_amount amount = {.number = 0};
    skan_status status =
        settled(skan_update_revenue(engine, "install", amount, "USD", SKAN_IAP, "fuzz", &error), error);
    REQUIRE(status == SKAN_OK || status == SKAN_DUPLICATE_EVENT);
    text = details_of(engine, "install");
    REQUIRE(strcmp(text, details) == 0);
    skan_free(text);
    settled(skan_register(engine, "install", NULL, &update, &error), error);
    amount.text = "4.99";
    const int32_t kind = protocol == 4 ? SKAN_AD : SKAN_IAP;
    settled(skan_update_revenue(engine, "install", amount, "USD", kind, NULL, &error), error);
    const char body[] = "{\"conversion_value\":63,\"skan_updated_coarse_value\":2}";
    settled(skan_apply_response(engine, "install", NULL, 0, body, sizeof body - 1, &update, &error), error);
    use_calls(engine);
    skan_free(details_of(engine, "install"));
    if (protocol == 3) return;
    use_reengagements(engine);
    use_calls(engine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    for (uint32_t protocol = 3; protocol <= 4; protocol++) {
        int64_t now = 1700000000000000;
        host_store store;
        host_store_init(&store);
        host_store_put(&store, "install", data + 1, size - 1);
        const host_record *record = host_store_find(&store, "install");
        if (data[0] % 2 == 1) seal(record->data, record->length);
        skan_engine *engine = engine_on(&store, protocol, &now);
        char *details = NULL;
        skan_error *error = NULL;
        skan_status status = settled(skan_details(engine, "install", &details, &error), error);
        char *read = NULL;
        skan_status alone = settled(skan_record_read(record->data, record->length, NULL, &read, &error), error);
        /* An engine refuses also what the other protocol wrote, and what is too long for a store's answer. */
        REQUIRE(alone == status || (alone == SKAN_OK && status == SKAN_ERROR_MISUSE) || status == SKAN_ERROR_STORE);
        REQUIRE(status != SKAN_OK || strcmp(read, details) == 0);
        skan_free(read);
        if (status == SKAN_OK) {
            use(engine, protocol, details);
        } else {
            REQUIRE(status == SKAN_ERROR_CORRUPT_RECORD || status == SKAN_ERROR_RECORD_TOO_NEW ||
                    status == SKAN_ERROR_MISUSE || status == SKAN_ERROR_STORE);
        }
        skan_free(details);
        /* Whatever it holds, it can be forgotten. */
        status = settled(skan_forget(engine, "install", &error), error);
        REQUIRE(status == SKAN_OK || size - 1 > SKAN_BUFFER_MAX);
        skan_destroy(engine);
        host_store_end(&store);
    }
    return 0;
}

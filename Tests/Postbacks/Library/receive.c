/* skan_postback_receive: what becomes of each postback, over a store that can be made to fail. */
#define _GNU_SOURCE
#include "older_records.h"
#include "signer.h"
#include "support.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------- the store */

enum { RECORDS_MAX = 64 };

/* What a save does: answers, and stores before that or not. */
enum { WORK, FAIL, APPLY_AND_LOSE, DROP_AND_LOSE };

typedef struct stored {
    char key[160];
    unsigned char bytes[SKAN_RECORD_MAX];
    size_t length;
    uint64_t version;
} stored;

typedef struct shelf {
    stored records[RECORDS_MAX];
    int count, saves, finalized;
    int plan[4], planned; /* of the next saves; then WORK */
    bool loads_fail;
    uint64_t version;
    int64_t now;
    skan_postback_receiver *receiver;
} shelf;

static stored *find(shelf *shelf, const char *key) {
    for (int i = 0; i < shelf->count; i++)
        if (strcmp(shelf->records[i].key, key) == 0) return &shelf->records[i];
    return NULL;
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    shelf *shelf = context;
    if (shelf->loads_fail) return SKAN_ERROR_STORE;
    const stored *found = find(shelf, key);
    if (!found) return SKAN_NOT_FOUND;
    *version = found->version;
    return skan_buffer_set(out, found->bytes, found->length);
}

static void put(shelf *shelf, const char *key, const void *data, size_t length) {
    stored *made = &shelf->records[shelf->count++];
    if (shelf->count > RECORDS_MAX || length > sizeof made->bytes) abort();
    snprintf(made->key, sizeof made->key, "%s", key);
    memcpy(made->bytes, data, length);
    made->length = length;
    made->version = ++shelf->version;
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *new_version) {
    shelf *shelf = context;
    int plan = shelf->planned > 0 ? shelf->plan[--shelf->planned] : WORK;
    shelf->saves++;
    EXPECT_NUMBER(0, expected);
    EXPECT(strlen(key) <= SKAN_INSTALL_ID_MAX && length > 0 && length <= SKAN_RECORD_MAX,
           "a record that no store takes");
    if (plan == FAIL) return SKAN_ERROR_STORE;
    if (plan == DROP_AND_LOSE) return SKAN_ERROR_STORE_UNKNOWN;
    if (find(shelf, key)) return plan == WORK ? SKAN_ERROR_STORE_CONFLICT : SKAN_ERROR_STORE_UNKNOWN;
    put(shelf, key, data, length);
    *new_version = shelf->version;
    return plan == WORK ? SKAN_OK : SKAN_ERROR_STORE_UNKNOWN;
}

static skan_status remove_record(void *context, const char *key, uint64_t expected) {
    (void)context, (void)key, (void)expected;
    return SKAN_ERROR_STORE;
}

static void finalize(void *context) {
    ((shelf *)context)->finalized++;
}

static int64_t now(void *context) {
    return ((shelf *)context)->now;
}

static skan_store store_of(shelf *shelf) {
    return (skan_store){.size = sizeof(skan_store), .context = shelf, .load = load, .save = save,
                        .remove = remove_record, .finalize = finalize};
}

#define ARRIVAL INT64_C(1700000000)

static shelf *new_shelf(const skan_postback_receiver_options *more) {
    shelf *made = calloc(1, sizeof *made);
    if (!made) abort();
    made->now = ARRIVAL * 1000000;
    const skan_store store = store_of(made);
    const skan_clock clock = {sizeof clock, made, now, finalize};
    skan_postback_receiver_options options = more ? *more : (skan_postback_receiver_options){0};
    options.size = sizeof options;
    options.store = &store;
    options.clock = &clock;
    options.keys = test_keys();
    ANSWER(SKAN_OK, skan_postback_receiver_create(&options, &made->receiver, &failure));
    return made;
}

static void end_shelf(shelf *shelf) {
    skan_postback_receiver_destroy(shelf->receiver);
    EXPECT_NUMBER(2, shelf->finalized);
    free(shelf);
}

static skan_postback_receipt received(shelf *shelf, const char *network, const char *body) {
    skan_postback_receipt receipt;
    memset(&receipt, 0xA5, sizeof receipt);
    receipt.size = sizeof receipt;
    ANSWER(SKAN_OK, skan_postback_receive(shelf->receiver, network, body, strlen(body), &receipt, &failure));
    EXPECT_NUMBER(sizeof receipt, receipt.size);
    EXPECT_NUMBER(shelf->now, receipt.received);
    return receipt;
}

static int counted(const shelf *shelf) {
    int count = 0;
    for (int i = 0; i < shelf->count; i++) count += strncmp(shelf->records[i].key, "postback/", 9) == 0;
    return count;
}

/* ------------------------------------------------------------------------------------------------------- outcomes */

static void a_copy_is_a_duplicate(const void *subject) {
    (void)subject;
    shelf *shelf = new_shelf(NULL);
    char *body = signed_postback("4.0", 1, "n", ",\"conversion-value\":5");
    char *other = signed_postback("4.0", 1, "n", ",\"conversion-value\":6");
    char *out_of_range = signed_postback("4.0", 2, "n", ",\"conversion-value\":99");
    char *without = signed_postback("4.0", 2, "n", "");
    skan_postback_receipt first = received(shelf, NULL, body);
    EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, first.outcome);
    EXPECT_NUMBER(1, first.is_kept);
    skan_postback_receipt second = received(shelf, NULL, body);
    EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, second.outcome);
    EXPECT_NUMBER(0, second.is_kept);
    EXPECT_TEXT(first.key, second.key);
    for (int i = 0; i < 3; i++) {
        skan_postback_receipt conflict = received(shelf, NULL, other);
        EXPECT_NUMBER(SKAN_POSTBACK_CONFLICT, conflict.outcome);
        EXPECT_NUMBER(0, strncmp("refused/", conflict.key, 8));
    }
    EXPECT_NUMBER(2, shelf->count);
    /* What is out of range counts as absent, here too. */
    EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, received(shelf, NULL, out_of_range).outcome);
    EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, received(shelf, NULL, without).outcome);
    EXPECT_NUMBER(2, counted(shelf));
    free(body);
    free(other);
    free(out_of_range);
    free(without);
    end_shelf(shelf);
}

static void what_is_not_valid_is_kept_apart(const void *subject) {
    (void)subject;
    shelf *shelf = new_shelf(NULL);
    char *invalid = signed_postback("4.0", 1, "n", "");
    char *test = signed_jws_postback("test-development/0", 1, "n", "");
    char *unknown = signed_jws_postback("nobody", 1, "n", "");
    *strstr(invalid, "5239") = '6';
    const struct { const char *body; int32_t result; const char *field; } cases[] = {
        {invalid, SKAN_POSTBACK_INVALID, ""},
        {test, SKAN_POSTBACK_DEVELOPMENT, ""},
        {"{\"version\":\"5.0\"}", SKAN_POSTBACK_UNVERIFIABLE, "version"},
        {unknown, SKAN_POSTBACK_UNVERIFIABLE, "kid"},
        {"{\"version\":\"4.0\"}", SKAN_POSTBACK_MALFORMED, "ad-network-id"},
        {"", SKAN_POSTBACK_MALFORMED, ""},
        {"{\"version\":\"4.0\",\"ad-network-id\":\"n\",\"source-identifier\":\"12\",\"app-id\":1,"
         "\"transaction-id\":\"t\",\"redownload\":true,\"source-domain\":\"1\"}",
         SKAN_POSTBACK_MALFORMED, "source-domain"},
    };
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 3; j++) {
            skan_postback_receipt receipt = received(shelf, NULL, cases[i].body);
            EXPECT_NUMBER(SKAN_POSTBACK_REFUSED, receipt.outcome);
            EXPECT_NUMBER(cases[i].result, receipt.result);
            EXPECT_NUMBER(1, receipt.is_kept);
            EXPECT_TEXT(cases[i].field, receipt.problem_field);
            EXPECT_NUMBER(i + 1, shelf->count);
        }
        skan_postback_record record = {.size = sizeof record};
        skan_postback *postback = NULL;
        const stored *kept = &shelf->records[i];
        ANSWER(SKAN_OK, skan_postback_record_read(kept->bytes, kept->length, &record, &postback, &failure));
        EXPECT_NUMBER(SKAN_POSTBACK_REFUSED, record.outcome);
        EXPECT_NUMBER(cases[i].result, skan_postback_result(postback));
        const char *field = skan_postback_problem_field(postback);
        EXPECT_TEXT(cases[i].field, field ? field : "");
        size_t length;
        EXPECT(memcmp(skan_postback_body(postback, &length), cases[i].body, strlen(cases[i].body)) == 0, "the body");
        EXPECT_NUMBER(strlen(cases[i].body), length);
        skan_postback_destroy(postback);
    }
    EXPECT_NUMBER(0, counted(shelf));
    free(invalid);
    free(unknown);
    free(test);
    end_shelf(shelf);
}

static void a_sender_brings_its_own_only(const void *subject) {
    (void)subject;
    shelf *shelf = new_shelf(NULL);
    char *body = signed_postback("4.0", 1, "n.example", ",\"conversion-value\":1");
    EXPECT_NUMBER(SKAN_POSTBACK_OTHER_NETWORK, received(shelf, "other.example", body).outcome);
    EXPECT_NUMBER(0, counted(shelf));
    EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, received(shelf, "n.example", body).outcome);
    EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, received(shelf, NULL, body).outcome);
    skan_postback_record record = {.size = sizeof record};
    const stored *kept = &shelf->records[0];
    ANSWER(SKAN_OK, skan_postback_record_read(kept->bytes, kept->length, &record, NULL, &failure));
    EXPECT_TEXT("other.example", record.network);
    char *long_name = repeated("n", SKAN_POSTBACK_NETWORK_MAX + 1);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receive(shelf->receiver, long_name, "{}", 2, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receive(shelf->receiver, "", "{}", 2, NULL, &failure));
    ANSWER(SKAN_OK, skan_postback_receive(shelf->receiver, long_name + 1, "{}", 2, NULL, &failure));
    free(long_name);
    free(body);
    end_shelf(shelf);
}

static void refused_ones_are_bounded(const void *subject) {
    (void)subject;
    shelf *shelf = new_shelf(&(skan_postback_receiver_options){.refused_per_hour = 2});
    char body[] = "{\"version\":\"A\"}";
    for (int i = 0; i < 6; i++) {
        EXPECT_NUMBER(i < 3, received(shelf, NULL, body).is_kept); /* each twice; a copy takes no place */
        if (i % 2 == 1) body[12]++;
    }
    EXPECT_NUMBER(2, shelf->count);
    shelf->now += INT64_C(3600000000);
    EXPECT_NUMBER(1, received(shelf, NULL, body).is_kept);
    char *valid = signed_postback("4.0", 1, "n", "");
    EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, received(shelf, NULL, valid).outcome);
    EXPECT_NUMBER(4, shelf->count);
    free(valid);
    end_shelf(shelf);
}

/* ---------------------------------------------------------------------------------------------- a store that fails */

static void the_answer_tells_what_is_stored(const void *subject) {
    (void)subject;
    static const struct { int planned, plan[3]; bool loads_fail; skan_status status; int records; } cases[] = {
        {1, {FAIL}, false, SKAN_ERROR_STORE, 0},
        {1, {APPLY_AND_LOSE}, false, SKAN_OK, 1},
        {1, {DROP_AND_LOSE}, false, SKAN_OK, 1},
        {2, {WORK, DROP_AND_LOSE}, false, SKAN_OK, 1},
        {2, {FAIL, DROP_AND_LOSE}, false, SKAN_ERROR_STORE_UNKNOWN, 0},
        {1, {APPLY_AND_LOSE}, true, SKAN_ERROR_STORE_UNKNOWN, 1},
        {1, {DROP_AND_LOSE}, true, SKAN_ERROR_STORE_UNKNOWN, 0},
    };
    char *body = signed_postback("4.0", 1, "n", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shelf *shelf = new_shelf(NULL);
        skan_postback_receipt receipt = {.size = sizeof receipt};
        memcpy(shelf->plan, cases[i].plan, sizeof cases[i].plan);
        shelf->planned = cases[i].planned;
        shelf->loads_fail = cases[i].loads_fail;
        in_round("case %zu", i);
        ANSWER(cases[i].status, skan_postback_receive(shelf->receiver, NULL, body, strlen(body), &receipt, &failure));
        EXPECT_NUMBER(cases[i].records, shelf->count);
        if (cases[i].status == SKAN_OK) EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, receipt.outcome);
        else EXPECT(receipt.key[0] == '\0' && receipt.received == 0, "the receipt is not empty");
        /* Sent again, it is stored once. */
        shelf->loads_fail = false;
        receipt = received(shelf, NULL, body);
        EXPECT_NUMBER(cases[i].records == 1 ? SKAN_POSTBACK_DUPLICATE : SKAN_POSTBACK_COUNTED, receipt.outcome);
        EXPECT_NUMBER(1, shelf->count);
        end_shelf(shelf);
    }
    free(body);
}

static void a_damaged_record_is_left_alone(const void *subject) {
    (void)subject;
    shelf *shelf = new_shelf(NULL);
    char *body = signed_postback("4.0", 1, "n", "");
    received(shelf, NULL, body);
    stored *record = &shelf->records[0];
    for (size_t i = 0; i < record->length; i++) {
        for (int bit = 0; bit < 8; bit += 7) {
            record->bytes[i] ^= (unsigned char)(1 << bit);
            skan_status status = i == 4 && record->bytes[i] > 1 ? SKAN_ERROR_RECORD_TOO_NEW : SKAN_ERROR_CORRUPT_RECORD;
            ANSWER(status, skan_postback_receive(shelf->receiver, NULL, body, strlen(body), NULL, &failure));
            ANSWER(status, skan_postback_record_read(record->bytes, record->length, NULL, NULL, &failure));
            record->bytes[i] ^= (unsigned char)(1 << bit);
        }
        ANSWER(SKAN_ERROR_CORRUPT_RECORD, skan_postback_record_read(record->bytes, i, NULL, NULL, &failure));
    }
    EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, received(shelf, NULL, body).outcome);
    free(body);
    end_shelf(shelf);
}

/* ------------------------------------------------------------------------------------------------------- decoding */

static skan_model *model(const char *name) {
    char *json = text_of("{\"schema\":1,\"id\":\"%s\",\"protocol\":4,\"currency\":\"USD\",\"windows\":[{"
                         "\"rules\":[{\"fine\":5,"
                         "\"when\":{}}]},{\"rules\":[]},{\"rules\":[]}]}", name);
    skan_model *made = NULL;
    ANSWER(SKAN_OK, skan_model_create(json, strlen(json), &made, &failure));
    free(json);
    return made;
}

static void the_model_is_that_of_the_install(const void *subject) {
    (void)subject;
    skan_model *old = model("old"), *new = model("new");
    /* Of window 0: installed 1 to 4 days before it arrives. */
    const int64_t day = 86400;
    const struct {
        int64_t from_old, from_new;
        const char *values;
        int32_t decoding;
        const skan_model *model;
    } cases[] = {
        {ARRIVAL - 4 * day, ARRIVAL - day + 1, ",\"conversion-value\":5", SKAN_POSTBACK_DECODED, old},
        {ARRIVAL - 9 * day, ARRIVAL - 4 * day, ",\"conversion-value\":5", SKAN_POSTBACK_DECODED, new},
        {ARRIVAL - 9 * day, ARRIVAL - 4 * day + 1, ",\"conversion-value\":5", SKAN_POSTBACK_AMBIGUOUS, NULL},
        {ARRIVAL - 9 * day, ARRIVAL - day, ",\"conversion-value\":5", SKAN_POSTBACK_AMBIGUOUS, NULL},
        {ARRIVAL - 3 * day, ARRIVAL, ",\"conversion-value\":5", SKAN_POSTBACK_AMBIGUOUS, NULL},
        {ARRIVAL - day + 1, ARRIVAL, ",\"conversion-value\":5", SKAN_POSTBACK_NO_MODEL, NULL},
        {ARRIVAL - 9 * day, ARRIVAL, ",\"conversion-value\":6", SKAN_POSTBACK_UNDECODABLE, old},
        {ARRIVAL - 9 * day, ARRIVAL, ",\"coarse-conversion-value\":\"low\"", SKAN_POSTBACK_UNDECODABLE, old},
        {ARRIVAL - 9 * day, ARRIVAL, "", SKAN_POSTBACK_HIDDEN, old},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const skan_postback_model models[] = {{cases[i].from_old, old}, {cases[i].from_new, new}};
        shelf *shelf = new_shelf(&(skan_postback_receiver_options){.models = models, .model_count = 2});
        char *body = signed_postback("4.0", 1, "n", cases[i].values);
        skan_postback_receipt receipt = received(shelf, NULL, body);
        const char *version = cases[i].model ? skan_model_version(cases[i].model) : "";
        in_round("case %zu", i);
        EXPECT_NUMBER(cases[i].decoding, receipt.decoding);
        EXPECT_TEXT(version, receipt.model);
        skan_postback_record record = {.size = sizeof record};
        const stored *kept = &shelf->records[0];
        ANSWER(SKAN_OK, skan_postback_record_read(kept->bytes, kept->length, &record, NULL, &failure));
        EXPECT_NUMBER(cases[i].decoding, record.decoding);
        EXPECT_TEXT(version, record.model);
        EXPECT_NUMBER(ARRIVAL - 4 * day, record.installed_from);
        EXPECT_NUMBER(ARRIVAL - day, record.installed_until);
        EXPECT_NUMBER(shelf->now, record.received);
        free(body);
        end_shelf(shelf);
    }
    skan_model_destroy(old);
    skan_model_destroy(new);
}

static skan_postback_record record_of(const stored *kept) {
    skan_postback_record record;
    memset(&record, 0xA5, sizeof record);
    record.size = sizeof record;
    ANSWER(SKAN_OK, skan_postback_record_read(kept->bytes, kept->length, &record, NULL, &failure));
    return record;
}

/* Rules, "Re-engagements": decoded by models given for them, never by those of installs; its dates are the tap's. */
static void reengagements_have_models_of_their_own(const void *subject) {
    (void)subject;
    skan_model *of_installs = model("installs"), *of_taps = model("taps"), *newer = model("newer");
    const int64_t day = 86400;
    const struct {
        const char *type;
        int64_t from_taps, from_newer; /* 0: no models for re-engagements */
        const char *values;
        int32_t decoding;
        const skan_model *model;
    } cases[] = {
        {"\"re-engagement\"", 0, 0, ",\"conversion-value\":5", SKAN_POSTBACK_NOT_DECODED, NULL},
        {"\"reengagement\"", 0, 0, "", SKAN_POSTBACK_NOT_DECODED, NULL},
        {"\"re-engagement\"", 1, ARRIVAL, ",\"conversion-value\":5", SKAN_POSTBACK_DECODED, of_taps},
        {"\"reengagement\"", 1, ARRIVAL - 4 * day, ",\"conversion-value\":5", SKAN_POSTBACK_DECODED, newer},
        {"\"re-engagement\"", 1, ARRIVAL - 3 * day, ",\"conversion-value\":5", SKAN_POSTBACK_AMBIGUOUS, NULL},
        {"\"re-engagement\"", ARRIVAL, ARRIVAL + 1, ",\"conversion-value\":5", SKAN_POSTBACK_NO_MODEL, NULL},
        {"\"re-engagement\"", 1, ARRIVAL, ",\"conversion-value\":6", SKAN_POSTBACK_UNDECODABLE, of_taps},
        {"\"re-engagement\"", 1, ARRIVAL, "", SKAN_POSTBACK_HIDDEN, of_taps},
        {"\"download\"", 1, ARRIVAL, ",\"conversion-value\":5", SKAN_POSTBACK_DECODED, of_installs},
        {"\"redownload\"", 1, ARRIVAL, ",\"conversion-value\":5", SKAN_POSTBACK_DECODED, of_installs},
        {"\"something\"", 1, ARRIVAL, ",\"conversion-value\":5", SKAN_POSTBACK_DECODED, of_installs},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const skan_postback_model installs[] = {{0, of_installs}};
        const skan_postback_model taps[] = {{cases[i].from_taps, of_taps}, {cases[i].from_newer, newer}};
        shelf *shelf = new_shelf(&(skan_postback_receiver_options){
            .models = installs, .model_count = 1, .reengagement_models = cases[i].from_taps ? taps : NULL,
            .reengagement_model_count = cases[i].from_taps ? 2 : 0});
        char *body = signed_conversion(cases[i].type, 1, "n", cases[i].values);
        in_round("case %zu", i);
        skan_postback_receipt receipt = received(shelf, NULL, body);
        const char *version = cases[i].model ? skan_model_version(cases[i].model) : "";
        EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, receipt.outcome);
        EXPECT_NUMBER(cases[i].decoding, receipt.decoding);
        EXPECT_TEXT(version, receipt.model);
        skan_postback_record record = record_of(&shelf->records[0]);
        EXPECT_NUMBER(cases[i].decoding, record.decoding);
        EXPECT_TEXT(version, record.model);
        bool is_tap = strncmp(cases[i].type, "\"re", 3) == 0 && strchr(cases[i].type, 'g');
        EXPECT_NUMBER(is_tap ? ARRIVAL - 4 * day : 0, record.reengaged_from);
        EXPECT_NUMBER(is_tap ? ARRIVAL - day : 0, record.reengaged_until);
        EXPECT_NUMBER(is_tap ? 0 : ARRIVAL - 4 * day, record.installed_from);
        EXPECT_NUMBER(is_tap ? 0 : ARRIVAL - day, record.installed_until);
        EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, received(shelf, NULL, body).outcome);
        free(body);
        end_shelf(shelf);
    }
    skan_model_destroy(of_installs);
    skan_model_destroy(of_taps);
    skan_model_destroy(newer);
}

/* -------------------------------------------------------------------------------------------------- older records */

static stored bytes_of(const char *digits) {
    stored made = {.length = strlen(digits) / 2};
    for (size_t i = 0; i < made.length; i++) {
        unsigned byte;
        if (sscanf(digits + 2 * i, "%2x", &byte) != 1) abort();
        made.bytes[i] = (unsigned char)byte;
    }
    return made;
}

static void older_records_are_read(const void *subject) {
    (void)subject;
    const int64_t day = 86400;
    static const struct { const char *digits; int32_t type; } records[] = {
        {older_install, SKAN_POSTBACK_DOWNLOAD},
        {older_download, SKAN_POSTBACK_DOWNLOAD},
        {older_reengagement, SKAN_POSTBACK_REENGAGEMENT},
    };
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        const stored kept = bytes_of(records[i].digits);
        skan_postback_record record = record_of(&kept);
        skan_postback *postback = NULL;
        skan_postback_fields fields = {.size = sizeof fields};
        in_round("record %zu", i);
        ANSWER(SKAN_OK, skan_postback_record_read(kept.bytes, kept.length, NULL, &postback, &failure));
        ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
        EXPECT_NUMBER(SKAN_POSTBACK_VALID, skan_postback_result(postback));
        EXPECT_NUMBER(records[i].type, fields.conversion_type);
        EXPECT_NUMBER(5, fields.conversion_value);
        EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, record.outcome);
        EXPECT_NUMBER(ARRIVAL * 1000000, record.received);
        bool is_tap = records[i].type == SKAN_POSTBACK_REENGAGEMENT;
        /* What a model of installs said of a re-engagement is not told again. */
        EXPECT_NUMBER(is_tap ? SKAN_POSTBACK_NOT_DECODED : SKAN_POSTBACK_DECODED, record.decoding);
        EXPECT_TEXT(is_tap ? "" : older_model, record.model);
        EXPECT_NUMBER(is_tap ? 0 : ARRIVAL - 4 * day, record.installed_from);
        EXPECT_NUMBER(is_tap ? 0 : ARRIVAL - day, record.installed_until);
        EXPECT_NUMBER(is_tap ? ARRIVAL - 4 * day : 0, record.reengaged_from);
        EXPECT_NUMBER(is_tap ? ARRIVAL - day : 0, record.reengaged_until);
        skan_postback_destroy(postback);
    }
    in_round("%s", "");
    const stored refused = bytes_of(older_refused);
    skan_postback_record record = record_of(&refused);
    EXPECT_NUMBER(SKAN_POSTBACK_REFUSED, record.outcome);
    EXPECT_TEXT("sender", record.network);
    EXPECT_NUMBER(0, record.installed_from);
    EXPECT_NUMBER(0, record.reengaged_from);
}

/* After a change of its bytes. */
static void seal(stored *kept) {
    unsigned char hash[32];
    unsigned length = 0;
    if (EVP_Digest(kept->bytes, kept->length - 8, hash, &length, EVP_sha256(), NULL) != 1) abort();
    memcpy(kept->bytes + kept->length - 8, hash, 8);
}

/* A copy of what an older receiver counted is a duplicate. */
static void a_copy_of_an_older_one_is_a_duplicate(const void *subject) {
    (void)subject;
    char *body = signed_conversion("\"re-engagement\"", 1, "n", ",\"conversion-value\":5");
    shelf *shelf = new_shelf(NULL);
    const skan_postback_receipt first = received(shelf, NULL, body);
    stored *kept = &shelf->records[0];
    EXPECT_NUMBER(4, kept->bytes[8]);
    kept->bytes[8] = 0; /* the flags as an older receiver has them */
    seal(kept);
    const skan_postback_receipt again = received(shelf, NULL, body);
    EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, again.outcome);
    EXPECT_TEXT(first.key, again.key);
    EXPECT_NUMBER(1, shelf->count);
    end_shelf(shelf);
    free(body);
}

/* A domain of digits only was none of the faults once: what was counted with it keeps its result and all its fields. */
static void an_older_domain_of_digits_is_read(const void *subject) {
    (void)subject;
    const char *separator = "\xE2\x81\xA3";
    char *signed_text = text_of("4.0%sn%s12%s7%st%sfalse%s1.3%s1%strue%s2", separator, separator, separator, separator,
                                separator, separator, separator, separator, separator);
    char *body = signed_fields("4.0", signed_text, "\"version\":\"4.0\",\"ad-network-id\":\"n\","
                               "\"source-identifier\":\"12\",\"app-id\":7,\"transaction-id\":\"t\","
                               "\"redownload\":false,\"source-domain\":\"1.3\",\"fidelity-type\":1,\"did-win\":true,"
                               "\"postback-sequence-index\":2");
    shelf *shelf = new_shelf(NULL);
    EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, received(shelf, NULL, body).outcome);
    stored *kept = &shelf->records[0];
    unsigned char *domain = memmem(kept->bytes, kept->length, "\"1.3\"", 5);
    domain[2] = '2';
    seal(kept);
    skan_postback *postback = NULL;
    skan_postback_fields fields = {.size = sizeof fields};
    size_t count;
    ANSWER(SKAN_OK, skan_postback_record_read(kept->bytes, kept->length, NULL, &postback, &failure));
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    EXPECT_NUMBER(SKAN_POSTBACK_VALID, skan_postback_result(postback));
    EXPECT_TEXT("123", fields.source_domain);
    EXPECT_NUMBER(2, fields.window);
    EXPECT_NUMBER(1, fields.did_win);
    EXPECT_TEXT(kept->key, skan_postback_key_of(postback));
    skan_postback_signed_fields(postback, &count);
    EXPECT_NUMBER(10, count);
    skan_postback_destroy(postback);
    end_shelf(shelf);
    free(body);
    free(signed_text);
}

/* ---------------------------------------------------------------------------------------------------- the contract */

/* Structs as they were before re-engagements had models: nothing is read or written behind them. */
static void older_callers_are_served(const void *subject) {
    (void)subject;
    shelf shelf = {.now = ARRIVAL * 1000000};
    const skan_store store = store_of(&shelf);
    const skan_clock clock = {sizeof clock, &shelf, now, finalize};
    skan_model *of_installs = model("installs");
    const skan_postback_model installs[] = {{0, of_installs}};
    skan_postback_receiver_options options;
    memset(&options, 0xA5, sizeof options);
    memset(&options, 0, offsetof(skan_postback_receiver_options, reengagement_models));
    options.size = offsetof(skan_postback_receiver_options, reengagement_models);
    options.store = &store;
    options.clock = &clock;
    options.keys = test_keys();
    options.models = installs;
    options.model_count = 1;
    ANSWER(SKAN_OK, skan_postback_receiver_create(&options, &shelf.receiver, &failure));
    char *body = signed_conversion("\"re-engagement\"", 1, "n", ",\"conversion-value\":5");
    EXPECT_NUMBER(SKAN_POSTBACK_NOT_DECODED, received(&shelf, NULL, body).decoding);
    skan_postback_record record;
    memset(&record, 0xA5, sizeof record);
    record.size = offsetof(skan_postback_record, reengaged_from);
    const stored *kept = &shelf.records[0];
    ANSWER(SKAN_OK, skan_postback_record_read(kept->bytes, kept->length, &record, NULL, &failure));
    EXPECT_NUMBER(0, record.installed_until);
    EXPECT_NUMBER((int64_t)0xA5A5A5A5A5A5A5A5, record.reengaged_from);
    record.size--;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           skan_postback_record_read(kept->bytes, kept->length, &record, NULL, &failure));
    skan_postback_receiver_destroy(shelf.receiver);
    free(body);
    for (size_t i = 0; i < 2; i++) {
        options.size += i == 0 ? -sizeof(void *) : sizeof(void *) + 1;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &shelf.receiver, &failure));
    }
    skan_model_destroy(of_installs);
}

static void models_are_checked(const void *subject) {
    (void)subject;
    skan_model *one = model("one");
    shelf shelf = {.now = 1};
    const skan_store store = store_of(&shelf);
    const skan_postback_model in_order[] = {{0, one}, {1, one}}, none[] = {{0, NULL}}, same[] = {{1, one}, {1, one}};
    const struct { const skan_postback_model *models; size_t count; const char *words; } cases[] = {
        {NULL, 1, "s: expected a pointer, got NULL"},
        {none, 1, "s[0].model: expected a pointer, got NULL"},
        {same, 2, "s[1].from: expected a later moment than that before"},
        {in_order, SKAN_MODELS_MAX + 1, "_count: expected at most"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        skan_postback_receiver_options options = {.size = sizeof options, .store = &store};
        skan_postback_receiver *receiver = NULL;
        in_round("case %zu", i);
        options.models = cases[i].models;
        options.model_count = cases[i].count;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
        char *words = text_of("model%s", cases[i].words);
        EXPECT(strncmp(failure_message(), words, strlen(words)) == 0, "%s", failure_message());
        free(words);
        options = (skan_postback_receiver_options){.size = sizeof options, .store = &store, .models = in_order,
                                                   .model_count = 2, .reengagement_models = cases[i].models,
                                                   .reengagement_model_count = cases[i].count};
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
        words = text_of("reengagement_model%s", cases[i].words);
        EXPECT(strncmp(failure_message(), words, strlen(words)) == 0, "%s", failure_message());
        free(words);
    }
    skan_model_destroy(one);
}

static void arguments_are_checked(const void *subject) {
    (void)subject;
    shelf shelf = {.now = 1};
    skan_store store = store_of(&shelf);
    skan_postback_receiver *receiver = NULL;
    skan_postback_receiver_options options = {.size = sizeof options};
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(NULL, &receiver, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    options.store = &store;
    options.size = 5;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    options.size = sizeof options;
    store.size = 5;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    EXPECT_NUMBER(0, shelf.finalized);
    store.size = sizeof store;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, NULL, &failure));
    EXPECT_NUMBER(1, shelf.finalized);
    store.save = NULL;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    store.save = save;
    options.model_count = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    EXPECT_NUMBER(3, shelf.finalized);
    EXPECT(!receiver, "there is a receiver");
    options.model_count = 0;
    store.size = offsetof(skan_store, load_many); /* of an older caller */
    ANSWER(SKAN_OK, skan_postback_receiver_create(&options, &receiver, &failure));
    char *large = repeated(" ", SKAN_POSTBACK_MAX + 1);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receive(NULL, NULL, "{}", 2, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receive(receiver, NULL, NULL, 2, NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_postback_receive(receiver, NULL, large, strlen(large), NULL, &failure));
    EXPECT_NUMBER(0, shelf.count);
    ANSWER(SKAN_OK, skan_postback_receive(receiver, NULL, large, strlen(large) - 1, NULL, &failure));
    EXPECT_NUMBER(1, shelf.count);
    free(large);
    skan_postback_receiver_destroy(receiver);
    skan_postback_receiver_destroy(NULL);
    EXPECT_NUMBER(4, shelf.finalized);
    struct shelf *late = new_shelf(NULL);
    late->now = -1;
    ANSWER(SKAN_ERROR_CLOCK, skan_postback_receive(late->receiver, NULL, "{}", 2, NULL, &failure));
    EXPECT_NUMBER(0, late->saves);
    end_shelf(late);
}

int main(void) {
    run_case("a copy is a duplicate", a_copy_is_a_duplicate, NULL);
    run_case("what is not valid is kept apart", what_is_not_valid_is_kept_apart, NULL);
    run_case("a sender brings its own only", a_sender_brings_its_own_only, NULL);
    run_case("refused ones are bounded", refused_ones_are_bounded, NULL);
    run_case("the answer tells what is stored", the_answer_tells_what_is_stored, NULL);
    run_case("a damaged record is left alone", a_damaged_record_is_left_alone, NULL);
    run_case("the model is that of the install", the_model_is_that_of_the_install, NULL);
    run_case("re-engagements have models of their own", reengagements_have_models_of_their_own, NULL);
    run_case("older records are read", older_records_are_read, NULL);
    run_case("a copy of an older one is a duplicate", a_copy_of_an_older_one_is_a_duplicate, NULL);
    run_case("an older domain of digits is read", an_older_domain_of_digits_is_read, NULL);
    run_case("older callers are served", older_callers_are_served, NULL);
    run_case("models are checked", models_are_checked, NULL);
    run_case("arguments are checked", arguments_are_checked, NULL);
    return finish_cases();
}

/* skan_postback_receive as C sees it: receipts, records, hooks, models, sizes. What becomes of each postback is proven in
 * Swift, in Tests/Postbacks/Receive. */
#define _GNU_SOURCE
#include "Hosts/C/host.h"
#include "signer.h"
#include "support.h"

#include <skan/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------- the store */

/* What a save does: answers, and stores before that or not. */
enum { WORK, FAIL, APPLY_AND_LOSE, DROP_AND_LOSE };

typedef struct shelf {
    host_store store; /* first: it is the context of the hooks, and so is the shelf */
    host_clock clock;
    int saves;
    int plan; /* of the next save; then WORK */
    bool loads_fail;
    skan_postback_receiver *receiver;
} shelf;

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    return ((shelf *)context)->loads_fail ? SKAN_ERROR_STORE : host_store_load(context, key, out, version);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *new_version) {
    shelf *shelf = context;
    int plan = shelf->plan;
    shelf->plan = WORK;
    shelf->saves++;
    EXPECT_NUMBER(0, expected);
    EXPECT(strlen(key) <= SKAN_INSTALL_ID_MAX && length > 0 && length <= SKAN_RECORD_MAX,
           "a record that no store takes");
    if (plan == FAIL) return SKAN_ERROR_STORE;
    if (plan == DROP_AND_LOSE) return SKAN_ERROR_STORE_UNKNOWN;
    skan_status status = host_store_save(&shelf->store, key, data, length, expected, new_version);
    return plan == WORK ? status : SKAN_ERROR_STORE_UNKNOWN;
}

static skan_store store_of(shelf *shelf) {
    skan_store hooks = host_store_hooks(&shelf->store);
    hooks.load = load;
    hooks.save = save;
    return hooks;
}

#define ARRIVAL INT64_C(1700000000)

/* A receiver of its own finalizes its hooks once. */
static void end_shelf(void *object) {
    shelf *shelf = object;
    skan_postback_receiver_destroy(shelf->receiver);
    if (shelf->receiver) EXPECT_NUMBER(1, shelf->store.finalized);
    if (shelf->receiver) EXPECT_NUMBER(1, shelf->clock.finalized);
    host_store_end(&shelf->store);
    free(shelf);
}

/* It ends with its case. */
static shelf *bare_shelf(void) {
    shelf *made = calloc(1, sizeof *made);
    if (!made) abort();
    at_end(end_shelf, made);
    host_store_init(&made->store);
    made->clock.microseconds = ARRIVAL * 1000000;
    return made;
}

static shelf *new_shelf(const skan_postback_receiver_options *more) {
    shelf *made = bare_shelf();
    const skan_store store = store_of(made);
    const skan_clock clock = host_clock_hooks(&made->clock);
    skan_postback_receiver_options options = more ? *more : (skan_postback_receiver_options){0};
    options.size = sizeof options;
    options.store = &store;
    options.clock = &clock;
    options.keys = test_keys();
    ANSWER(SKAN_OK, skan_postback_receiver_create(&options, &made->receiver, &failure));
    return made;
}

static skan_postback_receipt received(shelf *shelf, const char *network, const char *body) {
    skan_postback_receipt receipt;
    memset(&receipt, 0xA5, sizeof receipt);
    receipt.size = sizeof receipt;
    ANSWER(SKAN_OK, skan_postback_receive(shelf->receiver, network, body, strlen(body), &receipt, &failure));
    EXPECT_NUMBER(sizeof receipt, receipt.size);
    EXPECT_NUMBER(shelf->clock.microseconds, receipt.received);
    return receipt;
}

/* ---------------------------------------------------------------------------------------------- receipts and records */

static void end_model(void *model) {
    skan_model_destroy(model);
}

static skan_model *model(const char *name) {
    char *json = text_of("{\"schema\":1,\"id\":\"%s\",\"protocol\":4,\"currency\":\"USD\",\"windows\":[{"
                         "\"rules\":[{\"fine\":5,"
                         "\"when\":{}}]},{\"rules\":[]},{\"rules\":[]}]}", name);
    skan_model *made = NULL;
    ANSWER(SKAN_OK, skan_model_create(json, strlen(json), &made, &failure));
    at_end(end_model, made);
    return made;
}

static skan_postback_record record_of(const host_record *kept) {
    skan_postback_record record;
    memset(&record, 0xA5, sizeof record);
    record.size = sizeof record;
    ANSWER(SKAN_OK, skan_postback_record_read(kept->data, kept->length, &record, NULL, &failure));
    return record;
}

CASE(the_receipt_tells_what_became_of_it) {
    shelf *shelf = new_shelf(&(skan_postback_receiver_options){.refused_bytes_in_all = 100000});
    const char *unknown = "{\"version\":\"5.0\"}", *unknown_too = "{\"version\":\"5.0\",\"app-id\":1}";
    char *body = signed_postback("4.0", 1, "n.example", ",\"conversion-value\":5");
    char *other = signed_postback("4.0", 1, "n.example", ",\"conversion-value\":6");
    const struct {
        const char *network, *body;
        int32_t outcome, result, is_kept;
        const char *key, *field;
    } cases[] = {
        {"other.example", body, SKAN_POSTBACK_OTHER_NETWORK, SKAN_POSTBACK_VALID, 1, "refused/", ""},
        {"n.example", body, SKAN_POSTBACK_COUNTED, SKAN_POSTBACK_VALID, 1, "postback/", ""},
        {NULL, body, SKAN_POSTBACK_DUPLICATE, SKAN_POSTBACK_VALID, 0, "postback/", ""},
        {NULL, other, SKAN_POSTBACK_CONFLICT, SKAN_POSTBACK_VALID, 1, "refused/", ""},
        {NULL, unknown, SKAN_POSTBACK_REFUSED, SKAN_POSTBACK_UNVERIFIABLE, 1, "refused/", "version"},
        {NULL, unknown_too, SKAN_POSTBACK_REFUSED, SKAN_POSTBACK_UNVERIFIABLE, 0, "refused/", "version"}, /* its share is full */
        {NULL, "", SKAN_POSTBACK_REFUSED, SKAN_POSTBACK_MALFORMED, 1, "refused/", ""}, /* of another sort */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        in_round("case %zu", i);
        const skan_postback_receipt receipt = received(shelf, cases[i].network, cases[i].body);
        EXPECT_NUMBER(cases[i].outcome, receipt.outcome);
        EXPECT_NUMBER(cases[i].result, receipt.result);
        EXPECT_NUMBER(cases[i].is_kept, receipt.is_kept);
        EXPECT_TEXT(cases[i].field, receipt.problem_field);
        EXPECT(strncmp(cases[i].key, receipt.key, strlen(cases[i].key)) == 0, "the key is %s", receipt.key);
        if (!cases[i].is_kept) continue;
        const host_record *kept = host_store_find(&shelf->store, receipt.key);
        skan_postback *postback = NULL;
        size_t length;
        EXPECT_TEXT(i == 0 ? "other.example" : i == 1 ? "n.example" : "", record_of(kept).network);
        EXPECT_NUMBER(cases[i].outcome, record_of(kept).outcome);
        ANSWER(SKAN_OK, skan_postback_record_read(kept->data, kept->length, NULL, &postback, &failure));
        EXPECT_NUMBER(cases[i].result, skan_postback_result(postback));
        EXPECT(memcmp(skan_postback_body(postback, &length), cases[i].body, strlen(cases[i].body)) == 0, "the body");
        EXPECT_NUMBER(strlen(cases[i].body), length);
        skan_postback_destroy(postback);
    }
    EXPECT_NUMBER(5, shelf->store.count);
}

/* Of what anybody can make the beginning is kept. */
CASE(strangers_fill_no_store) {
    shelf *shelf = new_shelf(&(skan_postback_receiver_options){
        .refused_bytes_in_all = 2 * (SKAN_POSTBACK_REFUSED_MAX + 5120) + 7167});
    char *long_one = repeated("[", SKAN_POSTBACK_MAX);
    for (int post = 0; post < 5; post++) {
        long_one[0] = (char)('a' + post);
        const skan_postback_receipt receipt = received(shelf, NULL, long_one);
        EXPECT_NUMBER(SKAN_POSTBACK_MALFORMED, receipt.result);
        EXPECT_NUMBER(post < 2, receipt.is_kept);
        if (post < 2) EXPECT(host_store_find(&shelf->store, receipt.key)->length < SKAN_POSTBACK_REFUSED_MAX + 512, "all is kept");
    }
    shelf->clock.microseconds += INT64_C(86400000000);
    EXPECT_NUMBER(0, received(shelf, NULL, long_one).is_kept);
}

/* The dates are the install's, or the tap's; "" for no model. */
static void expect_counted(skan_postback_record record, bool is_tap, const char *model) {
    const int64_t from = ARRIVAL - 4 * 86400, until = ARRIVAL - 86400;
    EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, record.outcome);
    EXPECT_NUMBER(ARRIVAL * 1000000, record.received);
    EXPECT_NUMBER(model[0] ? SKAN_POSTBACK_DECODED : SKAN_POSTBACK_NOT_DECODED, record.decoding);
    EXPECT_TEXT(model, record.model);
    EXPECT_NUMBER(is_tap ? 0 : from, record.installed_from);
    EXPECT_NUMBER(is_tap ? 0 : until, record.installed_until);
    EXPECT_NUMBER(is_tap ? from : 0, record.reengaged_from);
    EXPECT_NUMBER(is_tap ? until : 0, record.reengaged_until);
}

/* A model for installs says nothing of a re-engagement. */
CASE(a_record_tells_when_and_by_which_model) {
    skan_model *of_installs = model("installs");
    const skan_postback_model installs[] = {{0, of_installs}};
    for (int is_tap = 0; is_tap < 2; is_tap++) {
        in_round("re-engagement %d", is_tap);
        shelf *shelf = new_shelf(&(skan_postback_receiver_options){.models = installs, .model_count = 1});
        received(shelf, NULL, signed_jws_postback("test/0", is_tap ? "re-engagement" : "download",
                                                  ",\"conversion-value\":5"));
        expect_counted(record_of(&shelf->store.records[0]), is_tap, is_tap ? "" : skan_model_version(of_installs));
    }
}

/* ------------------------------------------------------------------------------------------------ damaged records */

CASE(a_damaged_record_is_refused) {
    shelf *shelf = new_shelf(NULL);
    char *body = signed_postback("4.0", 1, "n", "");
    received(shelf, NULL, body);
    host_record *kept = &shelf->store.records[0];
    ((unsigned char *)kept->data)[4] ^= 2;
    ANSWER(SKAN_ERROR_RECORD_TOO_NEW, skan_postback_receive(shelf->receiver, NULL, body, strlen(body), NULL, &failure));
    ANSWER(SKAN_ERROR_RECORD_TOO_NEW, skan_postback_record_read(kept->data, kept->length, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_CORRUPT_RECORD, skan_postback_record_read(kept->data, 0, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_record_read(NULL, 0, NULL, NULL, &failure));
}

/* --------------------------------------------------------------------------------------------------------- hooks */

CASE(what_hooks_answer_is_told) {
    static const struct { int plan; bool loads_fail; skan_status status; int records; } cases[] = {
        {FAIL, false, SKAN_ERROR_STORE, 0},
        {APPLY_AND_LOSE, false, SKAN_OK, 1},
        {DROP_AND_LOSE, false, SKAN_OK, 1},
        {APPLY_AND_LOSE, true, SKAN_ERROR_STORE_UNKNOWN, 1},
    };
    char *body = signed_postback("4.0", 1, "n", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shelf *shelf = new_shelf(NULL);
        skan_postback_receipt receipt = {.size = sizeof receipt};
        shelf->plan = cases[i].plan;
        shelf->loads_fail = cases[i].loads_fail;
        in_round("case %zu", i);
        ANSWER(cases[i].status, skan_postback_receive(shelf->receiver, NULL, body, strlen(body), &receipt, &failure));
        EXPECT_NUMBER(cases[i].records, shelf->store.count);
        if (cases[i].status == SKAN_OK) EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, receipt.outcome);
        else EXPECT(receipt.key[0] == '\0' && receipt.received == 0, "the receipt is not empty");
    }
}

/* ---------------------------------------------------------------------------------------------------- the contract */

/* The arrays are the receiver's own from here on. */
CASE(only_what_is_ours_is_counted) {
    char name[] = "n.example";
    const char *names[] = {"other.example", name};
    int64_t apps[] = {7, 525463029};
    char *body = signed_postback("4.0", 1, "n.example", "");
    for (size_t i = 0; i < 3; i++) {
        in_round("case %zu", i);
        const size_t app_count = i == 1 ? 1 : 2, name_count = i == 2 ? 1 : 2;
        shelf *shelf = new_shelf(&(skan_postback_receiver_options){
            .app_ids = apps, .app_id_count = app_count, .ad_networks = names, .ad_network_count = name_count});
        apps[1] = 8;
        name[0] = 'm';
        const int32_t outcomes[] = {SKAN_POSTBACK_COUNTED, SKAN_POSTBACK_OTHER_APP, SKAN_POSTBACK_OTHER_NETWORK};
        EXPECT_NUMBER(outcomes[i], received(shelf, NULL, body).outcome);
        apps[1] = 525463029;
        name[0] = 'n';
    }
}

CASE(options_are_checked) {
    skan_model *one = model("one");
    shelf *shelf = bare_shelf();
    const skan_store store = store_of(shelf);
    char *longer = repeated("x", SKAN_POSTBACK_NETWORK_MAX + 1);
    const skan_postback_model in_order[] = {{0, one}, {1, one}}, none[] = {{0, NULL}}, same[] = {{1, one}, {1, one}};
    const int64_t apps[] = {1, 0}, negative[] = {-1};
    const char *const null[] = {NULL}, *const empty[] = {""}, *const too_long[] = {longer};
    const struct {
        skan_postback_receiver_options given;
        const char *words;
    } cases[] = {
        {{.model_count = 1}, "models: expected a pointer, got NULL"},
        {{.models = none, .model_count = 1}, "models[0].model: expected a pointer, got NULL"},
        {{.models = same, .model_count = 2}, "models[1].from: expected a later moment than in the item before"},
        {{.models = in_order, .model_count = 1025}, "model_count: expected at most 1024, got 1025"},
        {{.models = in_order, .model_count = 2, .reengagement_models = same, .reengagement_model_count = 2},
         "reengagement_models[1].from: expected a later moment than in the item before"},
        {{.app_id_count = 1}, "app_ids: expected a pointer, got NULL"},
        {{.app_ids = apps, .app_id_count = 2}, "app_ids: expected numbers above 0"},
        {{.app_ids = negative, .app_id_count = 1}, "app_ids: expected numbers above 0"},
        {{.app_ids = apps, .app_id_count = 1025}, "app_id_count: expected at most 1024, got 1025"},
        {{.ad_network_count = SIZE_MAX}, "ad_network_count: expected at most 1024, got 18446744073709551615"},
        {{.ad_network_count = 1}, "ad_networks: expected a pointer, got NULL"},
        {{.ad_networks = null, .ad_network_count = 1}, "ad_networks: expected a pointer, got NULL"},
        {{.ad_networks = empty, .ad_network_count = 1}, "ad_networks: expected 1 to 128 bytes, got none"},
        {{.ad_networks = too_long, .ad_network_count = 1}, "ad_networks: expected 1 to 128 bytes, got more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        in_round("case %zu", i);
        skan_postback_receiver *receiver = NULL;
        skan_postback_receiver_options options = cases[i].given;
        options.size = sizeof options;
        options.store = &store;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
        EXPECT_TEXT(cases[i].words, failure_message());
        EXPECT(!receiver, "a receiver");
    }
    EXPECT_NUMBER(sizeof cases / sizeof *cases, shelf->store.finalized);
}

CASE(arguments_are_checked) {
    shelf *shelf = bare_shelf();
    skan_store store = store_of(shelf);
    skan_postback_receiver *receiver = NULL;
    skan_postback_receiver_options options = {.size = sizeof options};
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(NULL, &receiver, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    options.store = &store;
    const size_t shorter[] = {5, offsetof(skan_postback_receiver_options, refused_bytes_in_all)};
    for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++) {
        options.size = shorter[i];
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    }
    options.size = sizeof options;
    store.size = 5;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    EXPECT_NUMBER(0, shelf->store.finalized);
    store.size = sizeof store;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, NULL, &failure));
    EXPECT_NUMBER(1, shelf->store.finalized);
    store.save = NULL;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receiver_create(&options, &receiver, &failure));
    EXPECT_NUMBER(2, shelf->store.finalized);
    EXPECT(!receiver, "there is a receiver");
    store.save = save;
    store.size = offsetof(skan_store, load_many); /* without optional hooks */
    ANSWER(SKAN_OK, skan_postback_receiver_create(&options, &receiver, &failure));
    char *large = repeated(" ", SKAN_POSTBACK_MAX + 1);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receive(NULL, NULL, "{}", 2, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receive(receiver, NULL, NULL, 2, NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_postback_receive(receiver, NULL, large, strlen(large), NULL, &failure));
    char *long_name = repeated("n", SKAN_POSTBACK_NETWORK_MAX + 1);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receive(receiver, long_name, "{}", 2, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_receive(receiver, "", "{}", 2, NULL, &failure));
    EXPECT_NUMBER(0, shelf->store.count);
    ANSWER(SKAN_OK, skan_postback_receive(receiver, NULL, large, strlen(large) - 1, NULL, &failure));
    ANSWER(SKAN_OK, skan_postback_receive(receiver, long_name + 1, "{}", 2, NULL, &failure));
    EXPECT_NUMBER(2, shelf->store.count);
    skan_postback_receiver_destroy(receiver);
    skan_postback_receiver_destroy(NULL);
    EXPECT_NUMBER(3, shelf->store.finalized);
    struct shelf *late = new_shelf(NULL);
    late->clock.microseconds = -1;
    ANSWER(SKAN_ERROR_CLOCK, skan_postback_receive(late->receiver, NULL, "{}", 2, NULL, &failure));
    EXPECT_NUMBER(0, late->saves);
}

/* ----------------------------------------------------------------------------------------------------------- sizes */

/* A struct of a newer caller: the bytes known here, then a tail. */
typedef union newer {
    skan_postback_receiver_options options;
    skan_postback_receipt receipt;
    skan_postback_record record;
    unsigned char bytes[1104];
} newer;

/* Of an out struct that had 0xA5 in every byte but its size: with a legal size its tail is zero; what is behind it, and
 * with an illegal size everything, is as it was. */
static void has_written(const newer *out, size_t known, size_t size, bool is_legal) {
    const size_t first = !is_legal ? sizeof size : size < known ? size : known;
    EXPECT_NUMBER(size, out->receipt.size);
    for (size_t at = first; at < sizeof *out; at++)
        EXPECT(out->bytes[at] == (is_legal && at < size ? 0 : 0xA5), "byte %zu is %d", at, out->bytes[at]);
}

static newer unwritten(size_t size) {
    newer out;
    memset(&out, 0xA5, sizeof out);
    out.receipt.size = size;
    return out;
}

/* A call that is refused stores nothing. */
CASE(a_receipt_has_a_legal_size) {
    const size_t known = sizeof(skan_postback_receipt);
    shelf *shelf = new_shelf(NULL);
    for (size_t size = 0; size <= 1030; size++) {
        in_round("size %zu", size);
        const bool is_legal = size >= known && size <= 1024;
        const size_t stored = shelf->store.count;
        char *body = signed_postback("4.0", (long long)size, "n.example", "");
        newer out = unwritten(size);
        ANSWER(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT,
               skan_postback_receive(shelf->receiver, NULL, body, strlen(body), &out.receipt, &failure));
        has_written(&out, known, size, is_legal);
        EXPECT_NUMBER(stored + is_legal, shelf->store.count);
        if (is_legal) EXPECT_NUMBER(SKAN_POSTBACK_COUNTED, out.receipt.outcome);
        if (is_legal) EXPECT(host_store_find(&shelf->store, out.receipt.key), "no record %s", out.receipt.key);
        free(body);
    }
}

CASE(a_record_has_a_legal_size) {
    const size_t known = sizeof(skan_postback_record);
    shelf *shelf = new_shelf(NULL);
    char *body = signed_postback("4.0", 1, "n.example", "");
    const host_record *kept = host_store_find(&shelf->store, received(shelf, "n.example", body).key);
    for (size_t size = 0; size <= 1030; size++) {
        in_round("size %zu", size);
        const bool is_legal = size >= known && size <= 1024;
        newer out = unwritten(size);
        ANSWER(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT,
               skan_postback_record_read(kept->data, kept->length, &out.record, NULL, &failure));
        has_written(&out, known, size, is_legal);
        if (is_legal) EXPECT_TEXT("n.example", out.record.network);
    }
}

/* With an illegal size the hooks stay the caller's. */
CASE(options_of_a_receiver_have_a_legal_size) {
    const size_t known = sizeof(skan_postback_receiver_options);
    shelf *shelf = bare_shelf();
    const skan_store store = store_of(shelf);
    newer given;
    memset(&given, 0, sizeof given);
    given.options.store = &store;
    int made = 0;
    for (size_t size = 0; size <= 1025; size++)
        for (int has_tail = 0; has_tail < (size > known ? 2 : 1); has_tail++) {
            in_round("size %zu%s", size, has_tail ? ", its last byte is not 0" : "");
            const bool is_legal = size >= known && size <= 1024 && !has_tail;
            skan_postback_receiver *receiver = NULL;
            given.options.size = size;
            if (size > known) given.bytes[size - 1] = (unsigned char)has_tail;
            given.bytes[size > known ? size : known] = 1; /* no part of them */
            ANSWER(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT,
                   skan_postback_receiver_create(&given.options, &receiver, &failure));
            EXPECT((receiver != NULL) == is_legal, "whether there is a receiver");
            EXPECT_NUMBER(made, shelf->store.finalized);
            skan_postback_receiver_destroy(receiver);
            made += is_legal;
            memset(given.bytes + known, 0, sizeof given - known);
        }
    EXPECT_NUMBER(made, shelf->store.finalized);
}

int main(void) {
    return run_cases();
}

/* Postbacks as people send them, as C sees them: what each comes to, and what a receiver makes of it.
 *   field FOLDER, which has expected.tsv, keys.json and postbacks/ */
#define _GNU_SOURCE
#include "Hosts/C/host.h"
#include "support.h"

#include <skan/postback.h>

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_NAME, RESULT, RESPELLED, FINE, COARSE, SOURCE, ILLEGAL, UNKNOWN_TYPE, TYPE, CELLS };

static const char *folder;

static char *content(const char *name, size_t *length) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 65536);
    if (file == NULL || text == NULL) {
        perror(path);
        exit(1);
    }
    *length = fread(text, 1, 65535, file);
    fclose(file);
    return text;
}

static const char *member(struct json_object *object, const char *name) {
    struct json_object *value = NULL;
    return json_object_object_get_ex(object, name, &value) ? json_object_get_string(value) : NULL;
}

/* The keys of keys.json; made once. */
static const skan_postback_keys *keys(void) {
    static skan_postback_keys *made;
    if (made) return made;
    size_t length;
    struct json_object *list = NULL, *document = json_tokener_parse(content("keys.json", &length));
    if (!json_object_object_get_ex(document, "keys", &list)) abort();
    skan_postback_key given[16];
    size_t count = json_object_array_length(list);
    if (count > 16) abort();
    for (size_t place = 0; place < count; place++) {
        struct json_object *each = json_object_array_get_idx(list, place);
        given[place] = (skan_postback_key){member(each, "name"), member(each, "spki"),
                                           strcmp(member(each, "development"), "true") == 0};
    }
    ANSWER(SKAN_OK, skan_postback_keys_create(given, count, &made, &failure));
    return made;
}

static const char *coarse_name(int32_t value) {
    static const char *const names[] = {"-", "low", "medium", "high"};
    return value >= -1 && value <= 2 ? names[value + 1] : "?";
}

static const char *told(const char *text) {
    return text ? text : "-";
}

static void judge_fields(const skan_postback *postback, char **cells) {
    skan_postback_fields fields = {.size = sizeof fields};
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    char fine[16] = "-";
    if (fields.conversion_value >= 0) snprintf(fine, sizeof fine, "%d", fields.conversion_value);
    EXPECT_TEXT(cells[FINE], fine);
    EXPECT_TEXT(cells[COARSE], coarse_name(fields.coarse_conversion_value));
    EXPECT_TEXT(cells[SOURCE], told(fields.source_identifier));
    EXPECT_TEXT(cells[UNKNOWN_TYPE], told(fields.unknown_type));
    bool has_type = fields.conversion_type != SKAN_CONVERSION_NONE;
    EXPECT_TEXT(cells[TYPE], has_type ? skan_postback_conversion_type_name(fields.conversion_type) : "-");
    const char *const *illegal = skan_postback_illegal_fields(postback, NULL);
    EXPECT_TEXT(cells[ILLEGAL], told(illegal[0]));
}

/* A receiver without models, and what it stores. */
static void judge_receipt(const char *body, size_t length, char **cells) {
    host_store store;
    host_store_init(&store);
    const skan_store hooks = host_store_hooks(&store);
    const skan_postback_receiver_options options = {.size = sizeof options, .store = &hooks, .keys = keys()};
    skan_postback_receiver *receiver = NULL;
    ANSWER(SKAN_OK, skan_postback_receiver_create(&options, &receiver, &failure));
    skan_postback_receipt receipt = {.size = sizeof receipt};
    ANSWER(SKAN_OK, skan_postback_receive(receiver, NULL, body, length, &receipt, &failure));
    bool is_valid = strcmp(cells[RESULT], "valid") == 0;
    EXPECT_NUMBER(is_valid ? SKAN_POSTBACK_COUNTED : SKAN_POSTBACK_REFUSED, receipt.outcome);
    EXPECT(receipt.is_kept, "kept");
    EXPECT_NUMBER(strcmp(cells[RESPELLED], "yes") == 0, receipt.is_respelled);
    EXPECT_TEXT(cells[UNKNOWN_TYPE], receipt.unknown_type[0] ? receipt.unknown_type : "-");
    bool is_illegal = strcmp(cells[ILLEGAL], "-") != 0;
    EXPECT_NUMBER(is_illegal ? SKAN_POSTBACK_ILLEGAL : SKAN_POSTBACK_NOT_DECODED, receipt.decoding);
    /* The next copy is another one of the same, however it is written. */
    ANSWER(SKAN_OK, skan_postback_receive(receiver, NULL, body, length, &receipt, &failure));
    if (is_valid) EXPECT_NUMBER(SKAN_POSTBACK_DUPLICATE, receipt.outcome);
    skan_postback_receiver_destroy(receiver);
    host_store_end(&store);
}

static void judge(const void *subject) {
    char **cells = (char **)subject;
    char name[256];
    snprintf(name, sizeof name, "postbacks/%s", cells[FILE_NAME]);
    size_t length;
    char *body = content(name, &length);
    const skan_postback_options options = {.size = sizeof options, .keys = keys()};
    skan_postback *postback = NULL;
    ANSWER(SKAN_OK, skan_postback_verify(body, length, &options, &postback, &failure));
    EXPECT_TEXT(cells[RESULT], skan_postback_result_name(skan_postback_result(postback)));
    EXPECT_TEXT(cells[RESPELLED], skan_postback_is_respelled(postback) ? "yes" : "no");
    judge_fields(postback, cells);
    judge_receipt(body, length, cells);
    /* What is stored is Apple's form: it is read strictly, to the same key. */
    size_t stored;
    const char *canonical = skan_postback_canonical_body(postback, &stored);
    skan_postback *again = NULL;
    ANSWER(SKAN_OK, skan_postback_verify(canonical, stored, &options, &again, &failure));
    EXPECT(!skan_postback_is_respelled(again), "the canonical form is respelled itself");
    EXPECT_TEXT(cells[RESULT], skan_postback_result_name(skan_postback_result(again)));
    skan_postback_destroy(again);
    skan_postback_destroy(postback);
    free(body);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    folder = arguments[1];
    size_t length;
    char *table = content("expected.tsv", &length), *rest = table;
    strsep(&rest, "\n");
    for (char *line; (line = strsep(&rest, "\n")) != NULL && line[0];) {
        char *cells[CELLS];
        for (int cell = 0; cell < CELLS; cell++) {
            cells[cell] = strsep(&line, "\t");
            if (cells[cell] == NULL) return 2;
        }
        run_case(cells[FILE_NAME], judge, cells);
    }
    free(table);
    return finish_cases();
}

/* What a host of the store kit sees: its struct, its reports and what it makes of a skan_store. That each law finds
 * the stores that break it is for Tests/Kit. */
#define _GNU_SOURCE
#include "host.h"
#include "support.h"

#include <skan/store_kit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAWS_MAX 200

/* A store under test, and what was reported of it. */
typedef struct subject {
    host_store records; /* first: it is the context of the hooks, and so is the subject */
    void (*change)(skan_store *opened); /* what is wrong with it; NULL: nothing */
    int handles, open, reopened;
    size_t count;
    skan_store_kit_outcome outcomes[LAWS_MAX];
    char *reasons[LAWS_MAX];
} subject;

/* -------------------------------------------------------------------------------------------------------- the store */

/* The cursor is the last key of a page, behind a mark. */
static skan_status list_with_prefix(void *context, const char *prefix, skan_buffer *cursor, skan_buffer *keys) {
    static const char mark[] = "after ";
    host_store *records = &((subject *)context)->records;
    size_t size = skan_buffer_size(cursor), begin = sizeof mark - 1, length = 0, place = 0;
    char *page = malloc(SKAN_BUFFER_MAX), last[sizeof mark + SKAN_INSTALL_ID_MAX] = "";
    bool is_ours = size == 0 || (size >= begin && size < sizeof last &&
                                 memcmp(skan_buffer_data(cursor), mark, begin) == 0);
    if (!page) abort();
    if (is_ours && size) memcpy(last, skan_buffer_data(cursor), size);
    pthread_mutex_lock(&records->mutex);
    while (size && is_ours && place < records->count && strcmp(records->records[place].key, last + begin) <= 0) place++;
    for (size_t end = place + 1000; is_ours && place < records->count && place < end; place++) {
        const char *key = records->records[place].key;
        if (strncmp(key, prefix, strlen(prefix)) == 0) length = (size_t)(stpcpy(page + length, key) - page) + 1;
        snprintf(last, sizeof last, "%s%s", mark, key);
    }
    bool goes_on = place < records->count;
    pthread_mutex_unlock(&records->mutex);
    skan_buffer_set(keys, page, length);
    if (is_ours) skan_buffer_set(cursor, last, goes_on ? strlen(last) : 0);
    free(page);
    return is_ours ? SKAN_OK : SKAN_ERROR_STORE;
}

static skan_status list_keys(void *context, skan_buffer *cursor, skan_buffer *keys) {
    return list_with_prefix(context, "", cursor, keys);
}

static void close_handle(void *context) {
    ((subject *)context)->open--;
}

static skan_status open_handle(void *context, skan_store *out) {
    subject *store = context;
    store->handles++;
    store->open++;
    *out = (skan_store){sizeof *out, context, host_store_load, host_store_save, host_store_remove, close_handle,
                        host_store_load_many, host_store_save_many, list_keys, list_with_prefix, false};
    if (store->change) store->change(out);
    return SKAN_OK;
}

static skan_status reopen(void *context) {
    subject *store = context;
    store->reopened++;
    return store->open == 0 ? SKAN_OK : SKAN_ERROR_MISUSE;
}

/* ---------------------------------------------------------------------------------------------------------- reports */

static void note(void *context, const skan_store_kit_result *result) {
    subject *store = context;
    EXPECT_NUMBER(sizeof *result, result->size);
    EXPECT_NUMBER(store->count + 1, result->number);
    EXPECT_TEXT(skan_store_kit_law(result->number), result->law);
    EXPECT((result->reason[0] == '\0') == (result->outcome == SKAN_STORE_KIT_PASSED),
           "%s: outcome %d with reason \"%s\"", result->law, (int)result->outcome, result->reason);
    if (store->count == LAWS_MAX) abort();
    store->outcomes[store->count] = result->outcome;
    store->reasons[store->count++] = text_of("%s", result->reason);
}

static void end_subject(void *object) {
    subject *store = object;
    EXPECT_NUMBER(0, store->open);
    host_store_end(&store->records);
    free(store);
}

/* It ends with its case. */
static subject *new_subject(void (*change)(skan_store *opened)) {
    subject *store = calloc(1, sizeof *store);
    if (!store) abort();
    host_store_init(&store->records);
    store->change = change;
    at_end(end_subject, store);
    return store;
}

/* Of a durable and shared store; short. */
static skan_store_kit kit_of(subject *store) {
    skan_store_kit kit = {.size = sizeof kit, .context = store, .open = open_handle, .reopen = reopen};
    kit.durable = kit.shared = true;
    kit.rounds = 20;
    kit.steps = 500;
    kit.seed = 1;
    kit.report = note;
    return kit;
}

static size_t law_count(void) {
    size_t count = 0;
    while (skan_store_kit_law(count + 1)) count++;
    return count;
}

/* From 0; ends the test where there is none. */
static size_t law_named(const char *name) {
    for (size_t i = 0; i < law_count(); i++)
        if (strcmp(skan_store_kit_law(i + 1), name) == 0) return i;
    abort();
}

static void expect_all(const subject *store, skan_store_kit_outcome outcome, const char *reason) {
    EXPECT_NUMBER(law_count(), store->count);
    for (size_t i = 0; i < store->count; i++) {
        EXPECT(store->outcomes[i] == outcome, "%s: %s", skan_store_kit_law(i + 1), store->reasons[i]);
        EXPECT_TEXT(reason, store->reasons[i]);
    }
}

/* What a run prints, for the caller to free. */
static char *printed_by(skan_store_kit *kit) {
    kit->report = NULL;
    FILE *file = tmpfile();
    int terminal = dup(STDOUT_FILENO);
    if (!file || terminal < 0) abort();
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    EXPECT_NUMBER(0, skan_store_kit_run(kit));
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    long size = lseek(fileno(file), 0, SEEK_END);
    char *text = calloc(1, (size_t)size + 1);
    if (!text || pread(fileno(file), text, (size_t)size, 0) != size) abort();
    fclose(file);
    return text;
}

/* ------------------------------------------------------------------------------------------------------------- runs */

/* With every member that is a number at its limit. Every key begins with the prefix; what is there under others
 * stays. */
CASE(a_right_store_passes) {
    subject *store = new_subject(NULL);
    skan_store_kit kit = kit_of(store);
    kit.prefix = repeated("prefix--", SKAN_STORE_KIT_PREFIX_MAX / 8);
    kit.threads = 8;
    kit.rounds = 100;
    kit.steps = 10000;
    kit.seed = UINT64_MAX;
    host_store_put(&store->records, "another's", "a record", 8);
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    expect_all(store, SKAN_STORE_KIT_PASSED, "");
    EXPECT_NUMBER(1, store->records.count);
    EXPECT(store->reopened >= 10, "reopen was called %d times", store->reopened);
}

CASE(claims_are_taken) {
    subject *store = new_subject(NULL);
    skan_store_kit kit = kit_of(store);
    kit.durable = kit.shared = false;
    host_store_put(&store->records, "another's", "a record", 8); /* also behind the prefix of NULL */
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    EXPECT_NUMBER(1, store->records.count);
    EXPECT_NUMBER(0, store->reopened);
    EXPECT_NUMBER(1, store->handles);
    size_t not_applicable = 0;
    for (size_t i = 0; i < store->count; i++) not_applicable += store->outcomes[i] == SKAN_STORE_KIT_NOT_APPLICABLE;
    EXPECT_NUMBER(13, not_applicable);
}

/* --------------------------------------------------------------------------------------------------------- structs */

/* What is behind is none of the struct. */
static void end_before_many(skan_store *opened) {
    opened->size = offsetof(skan_store, load_many);
    memset((char *)opened + opened->size, 0x5A, sizeof *opened - opened->size);
}

CASE(the_struct_may_end_before_many) {
    subject *store = new_subject(end_before_many);
    skan_store_kit kit = kit_of(store);
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    size_t first = law_named("load_many answers as load does, for 1 to 1024 keys");
    size_t end = law_named("generated sequences on one handle are as the model says");
    for (size_t i = 0; i < store->count; i++)
        EXPECT(store->outcomes[i] ==
                   (i >= first && i < end ? SKAN_STORE_KIT_NOT_APPLICABLE : SKAN_STORE_KIT_PASSED),
               "%s: %s", skan_store_kit_law(i + 1), store->reasons[i]);
}

static void end_before_finalize(skan_store *opened) {
    opened->size = offsetof(skan_store, finalize);
}

static void have_no_remove(skan_store *opened) {
    opened->remove = NULL;
}

static skan_status refuse_to_open(void *context, skan_store *out) {
    (void)context, (void)out;
    return SKAN_ERROR_STORE;
}

/* Every law fails, and says so. */
CASE(stores_that_do_not_open_fail) {
    static const struct {
        void (*change)(skan_store *opened);
        const char *reason;
    } flaws[] = {
        {have_no_remove, "there is no handle: open: a hook is NULL"},
        {end_before_finalize, "there is no handle: open: the size is neither sizeof(skan_store) nor that of one without "
                              "optional hooks"},
        {NULL, "there is no handle: open: answered SKAN_ERROR_STORE (120)"},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        subject *store = new_subject(flaws[i].change);
        skan_store_kit kit = kit_of(store);
        if (!flaws[i].change) kit.open = refuse_to_open;
        EXPECT_NUMBER(law_count(), skan_store_kit_run(&kit));
        expect_all(store, SKAN_STORE_KIT_FAILED, flaws[i].reason);
    }
}

/* ---------------------------------------------------------------------------------------------- items and buffers */

static void load_swapped(void *context, skan_load_item *items, size_t count) {
    const skan_load_item first = items[0];
    items[0] = items[count - 1];
    items[count - 1] = first;
    host_store_load_many(context, items, count);
}

static void save_swapped(void *context, skan_save_item *items, size_t count) {
    const skan_save_item first = items[0];
    items[0] = items[count - 1];
    items[count - 1] = first;
    host_store_save_many(context, items, count);
}

static void save_1000(void *context, skan_save_item *items, size_t count) {
    host_store_save_many(context, items, count < 1000 ? count : 1000);
}

/* Believes that a buffer as long as the record holds it. */
static skan_status spare_the_buffer(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    host_store *records = &((subject *)context)->records;
    pthread_mutex_lock(&records->mutex);
    const host_record *record = host_store_find(records, key);
    bool seems_there = record && record->length == skan_buffer_size(out);
    if (seems_there) *version = record->version;
    pthread_mutex_unlock(&records->mutex);
    return seems_there ? SKAN_OK : host_store_load(records, key, out, version);
}

static void swap_loads(skan_store *opened) { opened->load_many = load_swapped; }
static void swap_saves(skan_store *opened) { opened->save_many = save_swapped; }
static void pass_over_items(skan_store *opened) { opened->save_many = save_1000; }
static void spare_buffers(skan_store *opened) { opened->load = spare_the_buffer; }

/* What only a store of C can do wrong. */
CASE(what_it_is_lent_is_looked_after) {
    static const struct {
        void (*change)(skan_store *opened);
        const char *law;
    } flaws[] = {
        {swap_loads, "load_many leaves its items in place"},
        {swap_saves, "save_many leaves its items in place"},
        {pass_over_items, "save_many saves as save does, 1 to 1024 records"},
        {spare_buffers, "load replaces what the buffer held"},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        in_round("%s", flaws[i].law);
        subject *store = new_subject(flaws[i].change);
        skan_store_kit kit = kit_of(store);
        EXPECT(skan_store_kit_run(&kit) > 0, "the run tells of no failure");
        EXPECT(store->outcomes[law_named(flaws[i].law)] == SKAN_STORE_KIT_FAILED, "it is not found");
    }
}

/* ------------------------------------------------------------------------------------------------------------ texts */

CASE(lines_are_printed) {
    subject *store = new_subject(NULL);
    skan_store_kit kit = kit_of(store);
    kit.durable = false;
    char *text = printed_by(&kit);
    char *plan = text_of("1..%zu\n# seed 1\nok 1 - %s\nok 2 - ", law_count(), skan_store_kit_law(1));
    EXPECT(strncmp(text, plan, strlen(plan)) == 0, "it begins with\n%.200s", text);
    static const char law[] = "reopening keeps records and their versions";
    char *skipped = text_of("\nok %zu - %s # SKIP not applicable: the store is not durable\n", law_named(law) + 1, law);
    EXPECT(strstr(text, skipped), "what is not applicable is not said:\n%s", text);
    char *end = text_of("\n# 4 not applicable\n%zu passed, 0 failed\n", law_count() - 4);
    EXPECT(strstr(text, end) && strlen(strstr(text, end)) == strlen(end), "it does not end with%s but\n%s", end, text);
    EXPECT(!strstr(text, "not ok"), "a law failed:\n%s", text);
    free(text);
}

CASE(wrong_kits_are_refused) {
    subject *store = new_subject(NULL);
    const skan_store_kit right = kit_of(store);
    skan_store_kit wrong[7];
    for (int i = 0; i < 7; i++) wrong[i] = right;
    char *prefix = repeated("p", SKAN_STORE_KIT_PREFIX_MAX + 1);
    wrong[0].size--;
    wrong[1].open = NULL;
    wrong[2].prefix = prefix;
    wrong[3].threads = 1;
    wrong[4].threads = SKAN_STORE_KIT_THREADS_MAX + 1;
    wrong[5].rounds = 1000001;
    wrong[6].steps = 100001;
    if (!freopen("/dev/null", "w", stderr)) abort();
    EXPECT_NUMBER(-1, skan_store_kit_run(NULL));
    for (int i = 0; i < 7; i++) EXPECT_NUMBER(-1, skan_store_kit_run(&wrong[i]));
    EXPECT_NUMBER(0, store->count);
    EXPECT_NUMBER(0, store->handles);
    EXPECT(!skan_store_kit_law(0), "there is a law 0");
}

int main(void) {
    return run_cases();
}

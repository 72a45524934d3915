/* The kit finds nothing wrong with a store that is right, and in each store that is broken the law that it breaks. */
#define _GNU_SOURCE
#include "mutants.h"
#include "support.h"

#include <skan/store_kit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAWS_MAX 200

/* What a run reported. The context of kits here: the store's data comes first. */
typedef struct proof {
    mutant_data data;
    size_t count;
    skan_store_kit_outcome outcomes[LAWS_MAX];
    char *reasons[LAWS_MAX];
    int reopened;
} proof;

static skan_status reopen(void *context) {
    ((proof *)context)->reopened++;
    return mutant_reopen(context);
}

static void note(void *context, const skan_store_kit_result *result) {
    proof *proof = context;
    EXPECT_NUMBER(sizeof *result, result->size);
    EXPECT_NUMBER(proof->count + 1, result->number);
    EXPECT_TEXT(skan_store_kit_law(result->number), result->law);
    EXPECT((result->reason[0] == '\0') == (result->outcome == SKAN_STORE_KIT_PASSED),
           "%s: outcome %d with reason \"%s\"", result->law, (int)result->outcome, result->reason);
    if (proof->count == LAWS_MAX) abort();
    proof->outcomes[proof->count] = result->outcome;
    proof->reasons[proof->count++] = text_of("%s", result->reason);
}

static proof *new_proof(const mutant *mutant) {
    proof *proof = calloc(1, sizeof *proof);
    if (!proof) abort();
    mutant_data_init(&proof->data, mutant);
    return proof;
}

static void end_proof(proof *proof) {
    for (size_t i = 0; i < proof->count; i++) free(proof->reasons[i]);
    mutant_data_end(&proof->data);
    free(proof);
}

/* Of a durable and shared store; short. */
static skan_store_kit kit_of(proof *proof) {
    skan_store_kit kit = {.size = sizeof kit};
    kit.context = proof;
    kit.open = mutant_open;
    kit.reopen = reopen;
    kit.durable = true;
    kit.shared = true;
    kit.rounds = 60;
    kit.steps = 1500;
    kit.seed = 1;
    kit.report = note;
    return kit;
}

static size_t law_count(void) {
    size_t count = 0;
    while (skan_store_kit_law(count + 1)) count++;
    return count;
}

/* The number of a law, from 1; 0 = there is none. */
static size_t law_named(const char *name) {
    for (size_t number = 1; skan_store_kit_law(number); number++)
        if (strcmp(skan_store_kit_law(number), name) == 0) return number;
    return 0;
}

/* ------------------------------------------------------------------------------------------------ the right store */

static void expect_all_passed(proof *proof, int failed) {
    EXPECT_NUMBER(0, failed);
    EXPECT_NUMBER(law_count(), proof->count);
    for (size_t i = 0; i < proof->count; i++)
        EXPECT(proof->outcomes[i] == SKAN_STORE_KIT_PASSED, "%s: %s", skan_store_kit_law(i + 1), proof->reasons[i]);
    EXPECT_NUMBER(0, proof->data.open);
    EXPECT_NUMBER(0, proof->data.records.count);
}

static void a_right_store_passes(const void *subject) {
    proof *proof = new_proof(subject);
    skan_store_kit kit = kit_of(proof);
    expect_all_passed(proof, skan_store_kit_run(&kit));
    EXPECT(proof->reopened >= 10, "reopen was called %d times", proof->reopened);
    end_proof(proof);
}

static void with_other_settings_too(const void *subject) {
    const skan_store_kit *settings = subject;
    proof *proof = new_proof(&right_stores[0]);
    skan_store_kit kit = kit_of(proof);
    kit.prefix = settings->prefix;
    kit.threads = settings->threads;
    kit.rounds = settings->rounds;
    kit.steps = settings->steps;
    kit.seed = settings->seed;
    expect_all_passed(proof, skan_store_kit_run(&kit));
    end_proof(proof);
}

static void a_store_without_claims_passes(const void *subject) {
    (void)subject;
    proof *proof = new_proof(&right_stores[0]);
    skan_store_kit kit = kit_of(proof);
    kit.durable = kit.shared = false;
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    EXPECT_NUMBER(law_count(), proof->count);
    EXPECT_NUMBER(0, proof->reopened);
    EXPECT_NUMBER(1, proof->data.handles);
    static const char *const others[] = {
        "two handles see each other's writes",
        "a version that is stale through another handle conflicts",
        "no version comes twice for a key through two handles",
        "closing a handle leaves the others at work",
        "reopening keeps records and their versions",
        "no version comes twice for a key across reopening",
        "parallel writers on a handle each lose nothing",
        "load_many and save_many of two handles see each other",
        "reopening keeps what save_many saved",
        "parallel batches on a handle each lose nothing",
        "a listing goes on through another handle",
        "generated sequences on two handles are as the model says",
        "generated sequences with reopening are as the model says",
    };
    size_t not_applicable = 0;
    for (size_t i = 0; i < proof->count; i++) not_applicable += proof->outcomes[i] == SKAN_STORE_KIT_NOT_APPLICABLE;
    EXPECT_NUMBER(sizeof others / sizeof *others, not_applicable);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t number = law_named(others[i]);
        if (!EXPECT(number > 0, "there is no law \"%s\"", others[i])) continue;
        EXPECT(proof->outcomes[number - 1] == SKAN_STORE_KIT_NOT_APPLICABLE, "%s: outcome %d", others[i],
               (int)proof->outcomes[number - 1]);
    }
    end_proof(proof);
}

/* Stores from before the optional hooks, or that offer none. */
static void a_store_without_many_passes(const void *subject) {
    (void)subject;
    mutant store = right_stores[0];
    store.opened = mutant_without_many;
    proof *proof = new_proof(&store);
    skan_store_kit kit = kit_of(proof);
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    EXPECT_NUMBER(law_count(), proof->count);
    size_t first = law_named("load_many answers as load does, for 1 to 1024 keys");
    size_t end = law_named("generated sequences on one handle are as the model says");
    for (size_t i = 0; i < proof->count; i++) {
        bool is_of_many = i + 1 >= first && i + 1 < end;
        EXPECT(proof->outcomes[i] == (is_of_many ? SKAN_STORE_KIT_NOT_APPLICABLE : SKAN_STORE_KIT_PASSED), "%s: %s",
               skan_store_kit_law(i + 1), proof->reasons[i]);
        if (is_of_many) EXPECT(strncmp(proof->reasons[i], "the store has no ", 17) == 0, "%s", proof->reasons[i]);
    }
    end_proof(proof);
}

static void other_records_are_left_alone(const void *subject) {
    (void)subject;
    proof *proof = new_proof(&right_stores[0]);
    skan_store_kit kit = kit_of(proof);
    kit.prefix = "mine/";
    static const char *const others[] = {"mine", "Mine/", "mine%", "min", "yours/key", "key"};
    size_t count = sizeof others / sizeof *others;
    for (size_t i = 0; i < count; i++) host_store_put(&proof->data.records, others[i], "a record", 8);
    char *left = text_of("mine/law-%zu/missing", law_named("a missing record is not found"));
    host_store_put(&proof->data.records, left, "left behind by an earlier run", 29);
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    EXPECT_NUMBER(count, proof->data.records.count);
    for (size_t i = 0; i < count; i++) {
        host_record *record = host_store_find(&proof->data.records, others[i]);
        EXPECT(record && record->version == i + 1, "the record of %s was touched", others[i]);
    }
    free(left);
    end_proof(proof);
}

/* -------------------------------------------------------------------------------------------------------- reports */

static skan_status refuses_to_open(void *context, skan_store *out) {
    (void)context, (void)out;
    return SKAN_ERROR_STORE;
}

static void a_store_that_does_not_open_fails(const void *subject) {
    (void)subject;
    proof *proof = new_proof(&right_stores[0]);
    skan_store_kit kit = kit_of(proof);
    kit.open = refuses_to_open;
    EXPECT_NUMBER(law_count(), skan_store_kit_run(&kit));
    EXPECT_NUMBER(law_count(), proof->count);
    for (size_t i = 0; i < proof->count; i++)
        EXPECT_TEXT("there is no handle: open: answered SKAN_ERROR_STORE (120)", proof->reasons[i]);
    end_proof(proof);
}

/* What a run prints, for the caller to free. */
static char *printed_by(skan_store_kit *kit, int *failed) {
    kit->report = NULL;
    FILE *file = tmpfile();
    int terminal = dup(STDOUT_FILENO);
    if (!file || terminal < 0) abort();
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    *failed = skan_store_kit_run(kit);
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    long size = lseek(fileno(file), 0, SEEK_END);
    char *text = calloc(1, (size_t)size + 1);
    if (!text || pread(fileno(file), text, (size_t)size, 0) != size) abort();
    fclose(file);
    return text;
}

static bool ends_with(const char *text, const char *end) {
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void lines_are_printed(const void *subject) {
    (void)subject;
    proof *proof = new_proof(&right_stores[0]);
    skan_store_kit kit = kit_of(proof);
    kit.durable = false;
    int failed = 0;
    char *text = printed_by(&kit, &failed);
    char *plan = text_of("1..%zu\n# seed 1\nok 1 - %s\nok 2 - ", law_count(), skan_store_kit_law(1));
    EXPECT(strncmp(text, plan, strlen(plan)) == 0, "it begins with\n%.200s", text);
    static const char law[] = "reopening keeps records and their versions";
    char *skipped = text_of("\nok %zu - %s # SKIP not applicable: the store is not durable\n", law_named(law), law);
    EXPECT(strstr(text, skipped), "what is not applicable is not said:\n%s", text);
    char *end = text_of("\n# 4 not applicable\n%zu passed, 0 failed\n", law_count() - 4);
    EXPECT(ends_with(text, end), "it does not end with%s but\n%s", end, text);
    EXPECT(!strstr(text, "not ok"), "a law failed:\n%s", text);
    end_proof(proof);
    free(text), free(plan), free(skipped), free(end);
}

static const mutant *mutant_with(const char *flaw) {
    for (const mutant *mutant = mutants; mutant->flaw; mutant++)
        if (strcmp(mutant->flaw, flaw) == 0) return mutant;
    abort();
}

/* The seed is told, and no more operations than the failure needs. */
static void sequences_are_told(const void *subject) {
    (void)subject;
    static const char law[] = "generated sequences on one handle are as the model says";
    mutant mutant = *mutant_with("a stale save is applied");
    mutant.opened = mutant_without_many;
    proof *proof = new_proof(&mutant);
    skan_store_kit kit = kit_of(proof);
    kit.durable = kit.shared = false;
    kit.seed = 12345;
    int failed = 0;
    char *text = printed_by(&kit, &failed), *line = text_of("\nnot ok %zu - %s\n#   ", law_named(law), law);
    char *report = strstr(text, line);
    if (EXPECT(report != NULL, "there is no%s in\n%s", line, text)) {
        EXPECT(strstr(report, "#   seed 12345, operation "), "%s", report);
        EXPECT(strstr(report, "\n#   made shorter: save of "), "%s", report);
        const char *shown = strstr(report, "\n#   at the end of these operations, on keys without records:\n");
        size_t lines = 0;
        for (; shown && (shown = strstr(shown, "\n#   save key ")); shown++) lines++;
        EXPECT(lines == 3, "%zu saves are shown in %s", lines, report);
        EXPECT(strstr(report, ", expecting an old version\n"), "%s", report);
    }
    end_proof(proof);
    free(text), free(line);
}

static void sequences_of_many_are_told(const void *subject) {
    (void)subject;
    static const char law[] = "generated sequences on one handle are as the model says";
    proof *proof = new_proof(mutant_with("save_many saves all or nothing"));
    skan_store_kit kit = kit_of(proof);
    kit.durable = kit.shared = false;
    kit.seed = 12345;
    int failed = 0;
    char *text = printed_by(&kit, &failed), *line = text_of("\nnot ok %zu - %s\n#   ", law_named(law), law);
    char *report = strstr(text, line);
    if (EXPECT(report != NULL, "there is no%s in\n%s", line, text)) {
        EXPECT(strstr(report, "\n#   made shorter: save_many, item "), "%s", report);
        char *shown = strstr(report, "\n#   save_many key ");
        char *end = shown ? strchr(shown + 1, '\n') : NULL;
        if (EXPECT(end, "no save_many is shown in %s", report)) {
            *end = '\0';
            const char *first = strchr(shown, ';');
            EXPECT(first && !strchr(first + 1, ';'), "not two keys are left: %s", shown);
        }
    }
    end_proof(proof);
    free(text), free(line);
}

static void wrong_kits_are_refused(const void *subject) {
    (void)subject;
    proof *proof = new_proof(&right_stores[0]);
    if (!freopen("/dev/null", "w", stderr)) abort();
    EXPECT_NUMBER(-1, skan_store_kit_run(NULL));
    skan_store_kit kit = kit_of(proof);
    kit.size--;
    EXPECT_NUMBER(-1, skan_store_kit_run(&kit));
    kit = kit_of(proof);
    kit.open = NULL;
    EXPECT_NUMBER(-1, skan_store_kit_run(&kit));
    kit = kit_of(proof);
    char *prefix = repeated("p", SKAN_STORE_KIT_PREFIX_MAX + 1);
    kit.prefix = prefix;
    EXPECT_NUMBER(-1, skan_store_kit_run(&kit));
    kit = kit_of(proof);
    kit.threads = 1;
    EXPECT_NUMBER(-1, skan_store_kit_run(&kit));
    kit.threads = SKAN_STORE_KIT_THREADS_MAX + 1;
    EXPECT_NUMBER(-1, skan_store_kit_run(&kit));
    kit = kit_of(proof);
    kit.rounds = 1000001;
    EXPECT_NUMBER(-1, skan_store_kit_run(&kit));
    kit = kit_of(proof);
    kit.steps = 100001;
    EXPECT_NUMBER(-1, skan_store_kit_run(&kit));
    EXPECT_NUMBER(0, proof->count);
    EXPECT_NUMBER(0, proof->data.handles);
    EXPECT(!skan_store_kit_law(0), "there is a law 0");
    free(prefix);
    end_proof(proof);
}

/* What the kit needs of the library. */
static void buffers_hold_bytes(const void *subject) {
    (void)subject;
    skan_buffer *buffer = skan_buffer_create(), *other = skan_buffer_create();
    if (!EXPECT(buffer && other && buffer != other, "there are no two buffers")) return;
    EXPECT_NUMBER(0, skan_buffer_size(buffer));
    EXPECT(skan_buffer_data(buffer), "an empty buffer has no data");
    char *longest = repeated("b", SKAN_BUFFER_MAX + 1);
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(buffer, "a\0b", 3));
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(other, longest, SKAN_BUFFER_MAX));
    EXPECT_STATUS(SKAN_ERROR_LIMIT_EXCEEDED, skan_buffer_set(buffer, longest, SKAN_BUFFER_MAX + 1));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_buffer_set(buffer, NULL, 1));
    EXPECT(skan_buffer_size(buffer) == 3 && memcmp(skan_buffer_data(buffer), "a\0b", 3) == 0,
           "a buffer does not hold what it was set to");
    EXPECT(skan_buffer_size(other) == SKAN_BUFFER_MAX && memcmp(skan_buffer_data(other), longest, SKAN_BUFFER_MAX) == 0,
           "a buffer does not hold as much as it may");
    EXPECT_STATUS(SKAN_OK, skan_buffer_set(other, NULL, 0));
    EXPECT_NUMBER(0, skan_buffer_size(other));
    EXPECT_NUMBER(0, skan_buffer_size(NULL));
    EXPECT(!skan_buffer_data(NULL), "NULL has data");
    skan_buffer_destroy(buffer);
    skan_buffer_destroy(other);
    skan_buffer_destroy(NULL);
    free(longest);
}

/* -------------------------------------------------------------------------------------------------------- mutants */

/* A store without the optional hooks that are right in it will do for most, and is soon through; else it has them. */
static void the_law_finds_it(const void *subject) {
    const mutant *mutant = subject;
    size_t number = law_named(mutant->law);
    if (!EXPECT(number > 0, "there is no law \"%s\"", mutant->law)) return;
    bool is_found = false;
    for (int attempt = 0; attempt < 2 && !is_found; attempt++) {
        proof *proof = new_proof(mutant);
        proof->data.offers_least = attempt == 0;
        skan_store_kit kit = kit_of(proof);
        int failed = skan_store_kit_run(&kit);
        EXPECT_NUMBER(law_count(), proof->count);
        is_found = proof->outcomes[number - 1] == SKAN_STORE_KIT_FAILED;
        EXPECT(failed > 0 || !is_found, "a law failed, the kit tells of none");
        end_proof(proof);
    }
    EXPECT(is_found, "\"%s\" did not fail", mutant->law);
}

static void every_law_has_its_mutant(const void *subject) {
    (void)subject;
    for (size_t number = 1; skan_store_kit_law(number); number++) {
        bool named = false;
        for (const mutant *mutant = mutants; mutant->flaw && !named; mutant++)
            named = strcmp(mutant->law, skan_store_kit_law(number)) == 0;
        EXPECT(named, "no broken store is there for the law \"%s\"", skan_store_kit_law(number));
    }
}

int main(void) {
    char *longest = repeated("prefix--", SKAN_STORE_KIT_PREFIX_MAX / 8);
    const skan_store_kit settings[] = {
        {.threads = 0},
        {.prefix = "", .threads = 2, .rounds = 50, .steps = 1000, .seed = 7},
        {.prefix = longest, .threads = 8, .rounds = 100, .steps = 10000, .seed = 99},
        {.prefix = "a%_'\\{", .threads = 3, .rounds = 1, .steps = 1, .seed = UINT64_MAX},
    };
    for (const mutant *store = right_stores; store->flaw; store++) run_case(store->flaw, a_right_store_passes, store);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        run_case("the right store passes with other settings too", with_other_settings_too, &settings[i]);
    run_case("a store without claims passes", a_store_without_claims_passes, NULL);
    run_case("a store without optional hooks passes", a_store_without_many_passes, NULL);
    run_case("other records are left alone", other_records_are_left_alone, NULL);
    run_case("a store that does not open fails every law", a_store_that_does_not_open_fails, NULL);
    run_case("lines are printed", lines_are_printed, NULL);
    run_case("a sequence that fails is told", sequences_are_told, NULL);
    run_case("a sequence of many at once is told", sequences_of_many_are_told, NULL);
    run_case("buffers hold bytes", buffers_hold_bytes, NULL);
    run_case("wrong kits are refused", wrong_kits_are_refused, NULL);
    run_case("every law has its mutant", every_law_has_its_mutant, NULL);
    for (const mutant *mutant = mutants; mutant->flaw; mutant++) run_case(mutant->flaw, the_law_finds_it, mutant);
    free(longest);
    return finish_cases();
}

#define _GNU_SOURCE
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const kit_law *const kit_laws[] = {
    kit_open_laws,     kit_record_laws,    kit_version_laws,   kit_conflict_laws,       kit_key_laws,  kit_handle_laws,
    kit_parallel_laws, kit_load_many_laws, kit_save_many_laws, kit_parallel_batch_laws, kit_list_laws,
    kit_sequence_laws};

static const kit_law *law_numbered(size_t number) {
    if (number == 0) return NULL;
    for (size_t group = 0; group < sizeof kit_laws / sizeof *kit_laws; group++)
        for (const kit_law *law = kit_laws[group]; law->name; law++)
            if (--number == 0) return law;
    return NULL;
}

const char *skan_store_kit_law(size_t number) {
    const kit_law *law = law_numbered(number);
    return law ? law->name : NULL;
}

/* ------------------------------------------------------------------------------------------------------ reports */

/* Each line of a reason becomes a comment. */
static void print_reason(const char *reason) {
    while (*reason) {
        size_t length = strcspn(reason, "\n");
        printf("#   %.*s\n", (int)length, reason);
        reason += length;
        if (*reason) reason++;
    }
}

static void print_result(const skan_store_kit_result *result) {
    switch (result->outcome) {
    case SKAN_STORE_KIT_PASSED:
        printf("ok %zu - %s\n", result->number, result->law);
        break;
    case SKAN_STORE_KIT_FAILED:
        printf("not ok %zu - %s\n", result->number, result->law);
        print_reason(result->reason);
        break;
    case SKAN_STORE_KIT_NOT_APPLICABLE:
        printf("ok %zu - %s # SKIP not applicable: %s\n", result->number, result->law, result->reason);
        break;
    }
    fflush(stdout);
}

/* ---------------------------------------------------------------------------------------------------------- run */

static skan_store_kit_outcome prove(kit_run *run, const kit_law *law) {
    run->failed = run->not_applicable = false;
    run->reason.length = 0;
    kit_print(&run->reason, "%s", "");
    if (run->open)
        law->prove(run);
    else
        kit_fail(run, "there is no handle: %s", run->not_open.bytes);

    /* What the law leaves behind is not its business any more, nor is whether that can be removed. */
    bool failed = run->failed;
    run->failed = true;
    for (; run->key_count > 0; run->key_count--)
        if (run->open) kit_clear(run, run->keys[run->key_count - 1]);
    run->failed = failed;
    if (failed) return SKAN_STORE_KIT_FAILED;
    return run->not_applicable ? SKAN_STORE_KIT_NOT_APPLICABLE : SKAN_STORE_KIT_PASSED;
}

static int refuse(const char *reason) {
    fprintf(stderr, "skan_store_kit_run: %s\n", reason);
    return -1;
}

static const char *wrong_with(const skan_store_kit *kit) {
    if (!kit) return "kit is NULL";
    if (kit->size != sizeof *kit) return "size is not sizeof(skan_store_kit)";
    if (!kit->open) return "open is NULL";
    if (kit->prefix && strlen(kit->prefix) > SKAN_STORE_KIT_PREFIX_MAX) return "prefix is too long";
    if (kit->threads == 1 || kit->threads > SKAN_STORE_KIT_THREADS_MAX) return "threads is not 0 or in 2..64";
    if (kit->rounds > 1000000) return "rounds is above 1000000";
    if (kit->steps > 100000) return "steps is above 100000";
    return NULL;
}

static uint64_t seed_of_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    kit_random random = {(uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec};
    return kit_draw(&random) >> 32 | 1; /* short enough to be retyped, and not 0 */
}

int skan_store_kit_run(const skan_store_kit *kit) {
    const char *wrong = wrong_with(kit);
    if (wrong) return refuse(wrong);

    kit_run run = {.kit = kit, .prefix = kit->prefix ? kit->prefix : "skan-store-kit/"};
    run.threads = kit->threads ? kit->threads : 4;
    run.rounds = kit->rounds ? kit->rounds : 200;
    run.steps = kit->steps ? kit->steps : 4000;
    run.seed = kit->seed ? kit->seed : seed_of_clock();
    run.buffer = skan_buffer_create();

    size_t count = 0;
    while (law_numbered(count + 1)) count++;
    if (!kit->report) printf("1..%zu\n# seed %" PRIu64 "\n", count, run.seed);

    kit_open_own(&run);
    int outcomes[3] = {0, 0, 0};
    for (run.law = 1; run.law <= count; run.law++) {
        const kit_law *law = law_numbered(run.law);
        skan_store_kit_outcome outcome = prove(&run, law);
        outcomes[outcome]++;
        skan_store_kit_result result = {sizeof result, run.law, law->name, run.reason.bytes, outcome};
        if (kit->report)
            kit->report(kit->context, &result);
        else
            print_result(&result);
    }
    if (run.open) kit_close(&run.store);

    if (!kit->report) {
        if (outcomes[SKAN_STORE_KIT_NOT_APPLICABLE] > 0)
            printf("# %d not applicable\n", outcomes[SKAN_STORE_KIT_NOT_APPLICABLE]);
        printf("%d passed, %d failed\n", outcomes[SKAN_STORE_KIT_PASSED], outcomes[SKAN_STORE_KIT_FAILED]);
        fflush(stdout);
    }
    skan_buffer_destroy(run.buffer);
    free(run.keys);
    free(run.reason.bytes);
    free(run.not_open.bytes);
    return outcomes[SKAN_STORE_KIT_FAILED];
}

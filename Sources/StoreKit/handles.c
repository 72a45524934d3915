/* Laws of several handles on the same records, at once and one after the other. */
#include "run.h"

static bool open_second(kit_run *run, skan_store *second) {
    if (!run->kit->shared) {
        kit_not_applicable(run, "handles of this store do not share records");
        return false;
    }
    return kit_open(run, second);
}

/* The run's own handle is open, or no law would be tried; of a shared store there are as many as threads will want. */
static void handles_open(kit_run *run) {
    skan_store handles[SKAN_STORE_KIT_THREADS_MAX];
    uint32_t open = 0;
    while (run->kit->shared && open < run->threads && kit_open(run, &handles[open])) open++;
    while (open > 0) kit_close(&handles[--open]);
}

static void second_handle_sees(kit_run *run) {
    const char *key = kit_key(run, "key");
    skan_store second, *handles[2] = {&run->store, &second};
    if (!open_second(run, &second)) return;
    for (uint32_t round = 0; round < 8; round++) {
        skan_store *one = handles[round % 2], *other = handles[1 - round % 2];
        kit_holds_nothing(run, one, key);
        kit_holds_nothing(run, other, key);
        uint64_t version = kit_saves(run, one, key, KIT_TEXT("inserted"), 0);
        kit_holds(run, other, key, KIT_TEXT("inserted"), version);
        version = kit_saves(run, other, key, KIT_TEXT("changed"), version);
        kit_holds(run, one, key, KIT_TEXT("changed"), version);
        version = kit_saves(run, other, key, KIT_TEXT("changed"), version);
        kit_holds(run, one, key, KIT_TEXT("changed"), version);
        kit_removes(run, one, key, version);
        kit_holds_nothing(run, other, key);
    }
    kit_close(&second);
}

static void stale_through_another_handle(kit_run *run) {
    const char *key = kit_key(run, "key");
    skan_store second, *handles[2] = {&run->store, &second};
    if (!open_second(run, &second)) return;
    for (uint32_t round = 0; round < 2; round++) {
        skan_store *one = handles[round], *other = handles[1 - round];
        uint64_t first = kit_saves(run, one, key, KIT_TEXT("the first"), 0);
        kit_holds(run, other, key, KIT_TEXT("the first"), first);
        kit_save_conflicts(run, other, key, KIT_TEXT("must not get in"), 0);
        uint64_t next = kit_saves(run, other, key, KIT_TEXT("the second"), first);
        kit_save_conflicts(run, one, key, KIT_TEXT("must not get in"), first);
        kit_remove_conflicts(run, one, key, first);
        kit_holds(run, one, key, KIT_TEXT("the second"), next);
        kit_holds(run, other, key, KIT_TEXT("the second"), next);
        kit_removes(run, one, key, next);
        kit_save_conflicts(run, other, key, KIT_TEXT("must not get in"), next);
        kit_remove_conflicts(run, other, key, next);
        kit_holds_nothing(run, other, key);
    }
    kit_close(&second);
}

static void no_version_twice_across_handles(kit_run *run) {
    const char *key = kit_key(run, "key");
    skan_store second, third;
    if (!open_second(run, &second)) return;
    if (kit_open(run, &third)) {
        skan_store *handles[] = {&run->store, &second, &third};
        kit_versions versions = {0};
        kit_random random = {run->seed};
        uint64_t version = 0;
        for (uint32_t round = 0; round < 2 * run->rounds && !run->failed; round++) {
            skan_store *handle = handles[kit_draw_below(&random, 3)];
            if (version != 0 && kit_draw_below(&random, 3) == 0) {
                kit_removes(run, handle, key, version);
                version = 0;
            } else {
                version = kit_saves(run, handle, key, KIT_TEXT("a record"), version);
                kit_versions_add(&versions, version);
            }
        }
        kit_expect_no_repetition(run, &versions);
        kit_close(&third);
    }
    kit_close(&second);
}

static void closing_one_leaves_the_other(kit_run *run) {
    const char *key = kit_key(run, "key");
    skan_store second;
    if (!open_second(run, &second)) return;
    uint64_t version = kit_saves(run, &second, key, KIT_TEXT("a record"), 0);
    kit_close(&second);
    kit_holds(run, &run->store, key, KIT_TEXT("a record"), version);
    uint64_t next = kit_saves(run, &run->store, key, KIT_TEXT("the next"), version);
    if (!open_second(run, &second)) return;
    kit_holds(run, &second, key, KIT_TEXT("the next"), next);
    kit_close(&second);
}

bool kit_reopen(kit_run *run) {
    kit_close(&run->store);
    run->open = false;
    skan_status status = run->kit->reopen ? run->kit->reopen(run->kit->context) : SKAN_OK;
    if (status != SKAN_OK)
        kit_fail(run, "reopen: answered %s (%d)", skan_status_name(status), (int)status);
    return kit_open_own(run) && status == SKAN_OK;
}

bool kit_is_durable(kit_run *run) {
    if (!run->kit->durable) kit_not_applicable(run, "the store is not durable");
    return run->kit->durable;
}

static void reopening_keeps_records(kit_run *run) {
    const char *keys[] = {kit_key(run, "one"), kit_key(run, "two"), kit_key(run, "removed")};
    if (!kit_is_durable(run)) return;
    uint64_t versions[2];
    for (size_t i = 0; i < 2; i++) versions[i] = kit_saves(run, &run->store, keys[i], KIT_TEXT("inserted"), 0);
    versions[1] = kit_saves(run, &run->store, keys[1], KIT_TEXT("changed"), versions[1]);
    uint64_t removed = kit_saves(run, &run->store, keys[2], KIT_TEXT("removed"), 0);
    kit_removes(run, &run->store, keys[2], removed);
    for (int round = 0; round < 2; round++) {
        if (!kit_reopen(run)) return;
        kit_holds(run, &run->store, keys[0], KIT_TEXT("inserted"), versions[0]);
        kit_holds(run, &run->store, keys[1], KIT_TEXT("changed"), versions[1]);
        kit_holds_nothing(run, &run->store, keys[2]);
    }
    kit_save_conflicts(run, &run->store, keys[0], KIT_TEXT("must not get in"), 0);
    kit_saves(run, &run->store, keys[0], KIT_TEXT("saved with the version from before"), versions[0]);
    kit_removes(run, &run->store, keys[1], versions[1]);
}

static void no_version_twice_across_reopening(kit_run *run) {
    const char *key = kit_key(run, "key");
    if (!kit_is_durable(run)) return;
    kit_versions versions = {0};
    uint64_t version = 0;
    for (int round = 0; round < 8 && !run->failed; round++) {
        for (int saves = 0; saves < 3; saves++) {
            version = kit_saves(run, &run->store, key, KIT_TEXT("a record"), version);
            kit_versions_add(&versions, version);
        }
        if (round % 2 == 0) { /* the newest version is a removed record's */
            kit_removes(run, &run->store, key, version);
            version = 0;
        }
        if (!kit_reopen(run)) break;
    }
    kit_expect_no_repetition(run, &versions);
}

const kit_law kit_open_laws[] = {
    {"open gives a handle with every hook", handles_open},
    {NULL, NULL},
};

const kit_law kit_handle_laws[] = {
    {"two handles see each other's writes", second_handle_sees},
    {"a version that is stale through another handle conflicts", stale_through_another_handle},
    {"no version comes twice for a key through two handles", no_version_twice_across_handles},
    {"closing a handle leaves the others at work", closing_one_leaves_the_other},
    {"reopening keeps records and their versions", reopening_keeps_records},
    {"no version comes twice for a key across reopening", no_version_twice_across_reopening},
    {NULL, NULL},
};

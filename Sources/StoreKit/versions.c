/* Laws of versions: another one with every save, and none twice for a key. */
#include "run.h"

#include <inttypes.h>

static void never_0(kit_run *run) {
    const char *key = kit_key(run, "key");
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        uint64_t version = 0;
        skan_status status = kit_save(&run->store, key, KIT_TEXT("a record"), 0, &version);
        if (status == SKAN_OK && version == 0) kit_fail(run, "an insert answered SKAN_OK with version 0");
        status = kit_load(&run->store, key, run->buffer, &version);
        if (status == SKAN_OK && version == 0) kit_fail(run, "a load answered SKAN_OK with version 0");
        uint64_t next = 0;
        status = kit_save(&run->store, key, KIT_TEXT("the next"), version, &next);
        if (status == SKAN_OK && next == 0) kit_fail(run, "a save answered SKAN_OK with version 0");
        kit_clear(run, key);
    }
}

static void load_gives_the_version_of_save(kit_run *run) {
    const char *keys[] = {kit_key(run, "one"), kit_key(run, "two")};
    uint64_t versions[] = {0, 0};
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++)
        for (size_t i = 0; i < 2 && !run->failed; i++) {
            versions[i] = kit_saves(run, &run->store, keys[i], KIT_TEXT("a record"), versions[i]);
            for (size_t k = 0; k < 2; k++) {
                if (versions[k] == 0) continue;
                uint64_t loaded = 0;
                skan_status status = kit_load(&run->store, keys[k], run->buffer, &loaded);
                if (status != SKAN_OK || loaded != versions[k])
                    kit_fail(run, "save gave version %" PRIu64 ", load answered %s with version %" PRIu64, versions[k],
                             skan_status_name(status), loaded);
            }
        }
}

/* Saves `rounds` times; fails where a version is not another one than the last. */
static void save_changes_the_version(kit_run *run, bool equal) {
    const char *key = kit_key(run, "key");
    static const char *const records[] = {"a record", "b record"};
    uint64_t version = 0;
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        kit_bytes record = KIT_TEXT(records[equal ? 0 : round % 2]);
        uint64_t next = kit_saves(run, &run->store, key, record, version);
        kit_holds(run, &run->store, key, record, next);
        if (version != 0) kit_save_conflicts(run, &run->store, key, record, version);
        version = next;
    }
}

static void another_record_another_version(kit_run *run) {
    save_changes_the_version(run, false);
}

static void equal_bytes_another_version(kit_run *run) {
    save_changes_the_version(run, true);
}

static void no_version_twice(kit_run *run) {
    const char *key = kit_key(run, "key");
    static const char *const records[] = {"a", "b", "a", "c", "c"};
    kit_versions versions = {0};
    uint64_t version = 0;
    for (uint32_t round = 0; round < 4 * run->rounds && !run->failed; round++) {
        version = kit_saves(run, &run->store, key, KIT_TEXT(records[round % 5]), version);
        kit_versions_add(&versions, version);
    }
    kit_expect_no_repetition(run, &versions);
}

/* The counter of a record that starts anew, the time in seconds, a hash of the bytes: all would do without this. */
static void no_version_twice_across_removes(kit_run *run) {
    const char *key = kit_key(run, "key"), *other = kit_key(run, "other");
    kit_versions versions = {0};
    kit_random random = {run->seed};
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        uint64_t version = 0;
        for (uint64_t saves = kit_draw_below(&random, 4) + 1; saves > 0 && !run->failed; saves--) {
            version = kit_saves(run, &run->store, key, KIT_TEXT("a record"), version);
            kit_versions_add(&versions, version);
        }
        if (kit_draw_below(&random, 4) == 0) {
            uint64_t others = kit_saves(run, &run->store, other, KIT_TEXT("a record"), 0);
            kit_removes(run, &run->store, other, others);
        }
        kit_removes(run, &run->store, key, version);
    }
    kit_expect_no_repetition(run, &versions);
}

const kit_law kit_version_laws[] = {
    {"a version is never 0", never_0},
    {"load gives the version that save gave", load_gives_the_version_of_save},
    {"every save changes the version", another_record_another_version},
    {"a save of equal bytes changes the version", equal_bytes_another_version},
    {"no version comes twice for a key", no_version_twice},
    {"no version comes twice for a key across removes", no_version_twice_across_removes},
    {NULL, NULL},
};

/* Laws of compare-and-set: a save or remove with another version than the stored one changes nothing. */
#include "run.h"

#define FIRST KIT_TEXT("the first record")
#define SECOND KIT_TEXT("the second record")
#define OTHER KIT_TEXT("a record that must not get in")

static void second_insert_conflicts(kit_run *run) {
    const char *key = kit_key(run, "key");
    kit_saves(run, &run->store, key, FIRST, 0);
    kit_save_conflicts(run, &run->store, key, FIRST, 0);
    kit_save_conflicts(run, &run->store, key, FIRST, 0);
}

static void insert_over_a_record(kit_run *run) {
    const char *key = kit_key(run, "key");
    uint64_t version = kit_saves(run, &run->store, key, FIRST, 0);
    kit_save_conflicts(run, &run->store, key, OTHER, 0);
    kit_holds(run, &run->store, key, FIRST, version);
    version = kit_saves(run, &run->store, key, SECOND, version);
    kit_save_conflicts(run, &run->store, key, OTHER, 0);
    kit_holds(run, &run->store, key, SECOND, version);
}

static void stale_save(kit_run *run) {
    const char *key = kit_key(run, "key");
    uint64_t versions[5] = {0};
    for (size_t i = 0; i < 5; i++) {
        versions[i] = kit_saves(run, &run->store, key, i % 2 ? SECOND : FIRST, i ? versions[i - 1] : 0);
        for (size_t stale = 0; stale < i; stale++) {
            kit_save_conflicts(run, &run->store, key, OTHER, versions[stale]);
            kit_holds(run, &run->store, key, i % 2 ? SECOND : FIRST, versions[i]);
        }
    }
}

static void save_of_a_missing_record(kit_run *run) {
    const char *never = kit_key(run, "never there"), *removed = kit_key(run, "removed");
    kit_save_conflicts(run, &run->store, never, OTHER, 1);
    kit_holds_nothing(run, &run->store, never);
    uint64_t version = kit_saves(run, &run->store, removed, FIRST, 0);
    kit_save_conflicts(run, &run->store, never, OTHER, version);
    kit_holds_nothing(run, &run->store, never);
    kit_removes(run, &run->store, removed, version);
    kit_save_conflicts(run, &run->store, removed, OTHER, version);
    kit_holds_nothing(run, &run->store, removed);
}

/* Versions near the stored one, in the ways stores compare numbers wrongly; none is it, nor 0. */
#define STRANGE_COUNT 12

static void strange_versions(uint64_t version, uint64_t strange[STRANGE_COUNT]) {
    uint64_t numbers[STRANGE_COUNT] = {
        version + 1,                    /* not before */
        version - 1,
        version + 1000,
        version ^ (uint64_t)1 << 32,    /* equal in 32 bits */
        version ^ (uint64_t)1 << 31,    /* in 31 */
        version ^ (uint64_t)1 << 16,    /* in 16 */
        version ^ (uint64_t)1 << 53,    /* as JSON keeps numbers, or nearly */
        version ^ (uint64_t)1 << 62,    /* in 62 */
        version ^ (uint64_t)1 << 63,    /* but for the sign */
        (uint64_t)1 << 63 | 1,          /* below 0, to a store of signed numbers */
        UINT64_MAX,                     /* -1 */
        UINT64_MAX - 1,
    };
    for (size_t i = 0; i < STRANGE_COUNT; i++)
        strange[i] = numbers[i] == version || numbers[i] == 0 ? version + 2 : numbers[i];
    for (size_t i = 0; i < STRANGE_COUNT; i++)
        if (strange[i] == 0) strange[i] = 1;
}

static void save_with_a_version_never_given(kit_run *run) {
    const char *key = kit_key(run, "key");
    uint64_t version = kit_saves(run, &run->store, key, FIRST, 0), strange[STRANGE_COUNT];
    strange_versions(version, strange);
    for (size_t i = 0; i < STRANGE_COUNT; i++) {
        kit_save_conflicts(run, &run->store, key, OTHER, strange[i]);
        kit_holds(run, &run->store, key, FIRST, version);
    }
}

static void remove_with_a_version_never_given(kit_run *run) {
    const char *key = kit_key(run, "key");
    uint64_t version = kit_saves(run, &run->store, key, FIRST, 0), strange[STRANGE_COUNT];
    strange_versions(version, strange);
    for (size_t i = 0; i < STRANGE_COUNT; i++) {
        kit_remove_conflicts(run, &run->store, key, strange[i]);
        kit_holds(run, &run->store, key, FIRST, version);
    }
}

static void version_of_another_key(kit_run *run) {
    const char *one = kit_key(run, "one"), *two = kit_key(run, "two");
    uint64_t first = kit_saves(run, &run->store, one, FIRST, 0);
    uint64_t second = kit_saves(run, &run->store, two, FIRST, 0);
    second = kit_saves(run, &run->store, two, SECOND, second);
    if (first == second) first = kit_saves(run, &run->store, one, FIRST, first);
    if (first == second) return; /* two counters that go along */
    kit_save_conflicts(run, &run->store, one, OTHER, second);
    kit_remove_conflicts(run, &run->store, two, first);
    kit_holds(run, &run->store, one, FIRST, first);
    kit_holds(run, &run->store, two, SECOND, second);
}

static void remove_takes_the_record_away(kit_run *run) {
    const char *key = kit_key(run, "key");
    for (uint32_t round = 0; round < 8; round++) {
        uint64_t version = kit_saves(run, &run->store, key, FIRST, 0);
        if (round % 2) version = kit_saves(run, &run->store, key, SECOND, version);
        kit_removes(run, &run->store, key, version);
        kit_holds_nothing(run, &run->store, key);
    }
}

static void stale_remove(kit_run *run) {
    const char *key = kit_key(run, "key");
    uint64_t versions[5] = {0};
    for (size_t i = 0; i < 5; i++) {
        versions[i] = kit_saves(run, &run->store, key, i % 2 ? SECOND : FIRST, i ? versions[i - 1] : 0);
        for (size_t stale = 0; stale < i; stale++) {
            kit_remove_conflicts(run, &run->store, key, versions[stale]);
            kit_holds(run, &run->store, key, i % 2 ? SECOND : FIRST, versions[i]);
        }
    }
}

static void remove_of_a_missing_record(kit_run *run) {
    const char *never = kit_key(run, "never there"), *removed = kit_key(run, "removed");
    kit_remove_conflicts(run, &run->store, never, 1);
    uint64_t version = kit_saves(run, &run->store, removed, FIRST, 0);
    kit_remove_conflicts(run, &run->store, never, version);
    kit_removes(run, &run->store, removed, version);
    kit_remove_conflicts(run, &run->store, removed, version);
    kit_holds_nothing(run, &run->store, removed);
}

/* A late call, decided on a record that was removed and inserted again since. */
static void version_from_before_a_remove(kit_run *run) {
    const char *key = kit_key(run, "key");
    uint64_t before = kit_saves(run, &run->store, key, FIRST, 0);
    uint64_t last = kit_saves(run, &run->store, key, SECOND, before);
    kit_removes(run, &run->store, key, last);
    uint64_t version = kit_saves(run, &run->store, key, FIRST, 0);
    kit_save_conflicts(run, &run->store, key, OTHER, before);
    kit_save_conflicts(run, &run->store, key, OTHER, last);
    kit_remove_conflicts(run, &run->store, key, before);
    kit_remove_conflicts(run, &run->store, key, last);
    kit_holds(run, &run->store, key, FIRST, version);
}

const kit_law kit_conflict_laws[] = {
    {"a second insert conflicts", second_insert_conflicts},
    {"an insert over a record conflicts and changes nothing", insert_over_a_record},
    {"a stale save conflicts and changes nothing", stale_save},
    {"a save of a missing record conflicts and inserts nothing", save_of_a_missing_record},
    {"a save with a version never given conflicts and changes nothing", save_with_a_version_never_given},
    {"a remove takes the record away", remove_takes_the_record_away},
    {"a stale remove conflicts and changes nothing", stale_remove},
    {"a remove of a missing record conflicts", remove_of_a_missing_record},
    {"a remove with a version never given conflicts and changes nothing", remove_with_a_version_never_given},
    {"the version of another key conflicts and changes nothing", version_of_another_key},
    {"a version from before a remove conflicts and changes nothing", version_from_before_a_remove},
    {NULL, NULL},
};

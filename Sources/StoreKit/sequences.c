/* All laws at once: sequences of operations, generated from a seed, against a model. One that fails is made shorter
 * while it still does. */
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define KEY_COUNT 6
#define REPLAYS_MAX 400 /* to make a sequence shorter */
#define SHOWN_MAX 40    /* operations in a report */

typedef enum operation_kind { LOAD, SAVE, REMOVE, REOPEN, LOAD_MANY, SAVE_MANY, LIST } operation_kind;

/* Which version an operation expects, found when it runs. */
typedef enum choice { CURRENT, NONE, OLD, NEVER_GIVEN } choice;

typedef struct operation {
    operation_kind kind;
    choice choice;
    unsigned char key, handle;
    uint32_t which;  /* of the versions */
    uint32_t length; /* of the record */
    uint64_t content;
    unsigned char keys; /* of many: a bit for each */
} operation;

/* What a key must hold, and every version it ever had. */
typedef struct model {
    uint64_t version; /* 0 = no record */
    uint32_t length;
    uint64_t content;
    kit_versions versions;
} model;

typedef struct world {
    kit_run *run;
    skan_store second, *handles[2];
    const char *keys[KEY_COUNT];
    model models[KEY_COUNT];
    unsigned char *record;
} world;

static void fill(unsigned char *record, uint32_t length, uint64_t content) {
    kit_random random = {content};
    for (uint32_t i = 0; i < length; i++) record[i] = (unsigned char)kit_draw(&random);
}

/* --------------------------------------------------------------------------------------------------- generating */

static operation generated(kit_run *run, kit_random *random, bool reopens, bool two_handles) {
    operation made = {LOAD, CURRENT, 0, 0, 0, 0, 0, 0};
    uint64_t kind = kit_draw_below(random, 100);
    made.kind = kind < 35 ? LOAD : kind < 80 ? SAVE : REMOVE;
    uint64_t of_many = kit_draw_below(random, 100);
    if (of_many < 8 && run->store.load_many) made.kind = LOAD_MANY;
    if (of_many >= 8 && of_many < 20 && run->store.save_many) made.kind = SAVE_MANY;
    if (of_many == 20 && run->store.list) made.kind = LIST;
    made.keys = (unsigned char)(1 + kit_draw_below(random, (1 << KEY_COUNT) - 1));
    if (reopens && kit_draw_below(random, 100) == 0) made.kind = REOPEN;
    uint64_t chosen = kit_draw_below(random, 100);
    made.choice = chosen < 65 ? CURRENT : chosen < 75 ? NONE : chosen < 93 ? OLD : NEVER_GIVEN;
    made.key = (unsigned char)kit_draw_below(random, KEY_COUNT);
    made.handle = two_handles ? (unsigned char)kit_draw_below(random, 2) : 0;
    made.which = (uint32_t)(kit_draw_below(random, 2) ? kit_draw_below(random, 3) : kit_draw(random));
    uint64_t size = kit_draw_below(random, 100);
    made.length = 1 + (uint32_t)(size < 40   ? kit_draw_below(random, 8)
                                      : size < 95 ? kit_draw_below(random, 300)
                                                  : kit_draw_below(random, SKAN_RECORD_MAX));
    made.content = kit_draw_below(random, 5); /* few, so that bytes often are equal */
    return made;
}

/* ------------------------------------------------------------------------------------------------------ running */

static bool was_given(const model *model, uint64_t version) {
    for (size_t i = 0; i < model->versions.count; i++)
        if (model->versions.numbers[i] == version) return true;
    return false;
}

/* Counted back from the last one that is not the stored one; 0 where there is none. */
static uint64_t old_version(const model *model, uint32_t which) {
    size_t count = model->versions.count;
    if (model->version != 0) count--;
    return count == 0 ? 0 : model->versions.numbers[count - 1 - which % count];
}

static uint64_t expected_by(const operation *operation, const model *model) {
    switch (operation->choice) {
    case CURRENT: return model->version;
    case NONE: return 0;
    case OLD: return old_version(model, operation->which);
    case NEVER_GIVEN: break;
    }
    uint64_t version = (uint64_t)operation->which + 1;
    while (was_given(model, version)) version++;
    return version;
}

static void note_save(world *world, const operation *operation, model *model, uint64_t version) {
    if (version != 0 && was_given(model, version))
        kit_fail(world->run, "save: version %" PRIu64 " was given before for this key", version);
    kit_versions_add(&model->versions, version);
    model->version = version;
    model->length = operation->length;
    model->content = operation->content;
}

static void run_save(world *world, const operation *operation, model *model, skan_store *store, const char *key) {
    uint64_t expected = expected_by(operation, model);
    kit_bytes record = {world->record, operation->length};
    fill(world->record, operation->length, operation->content);
    if (expected != model->version) {
        kit_save_conflicts(world->run, store, key, record, expected);
        return;
    }
    note_save(world, operation, model, kit_saves(world->run, store, key, record, expected));
}

static void run_remove(world *world, const operation *operation, model *model, skan_store *store, const char *key) {
    uint64_t expected = expected_by(operation, model);
    if (expected == 0) return; /* is never asked for */
    if (expected != model->version) {
        kit_remove_conflicts(world->run, store, key, expected);
        return;
    }
    if (kit_removes(world->run, store, key, expected)) model->version = 0;
}

static void run_load(world *world, const model *model, skan_store *store, const char *key) {
    if (model->version == 0) {
        kit_holds_nothing(world->run, store, key);
        return;
    }
    fill(world->record, model->length, model->content);
    kit_holds(world->run, store, key, (kit_bytes){world->record, model->length}, model->version);
}

/* The one that an operation on many keys makes of one of them: each expects, and saves, something else. */
static operation part_of(const operation *many, size_t key) {
    kit_random random = {many->content + 16 * many->which + key};
    operation part = *many;
    part.key = (unsigned char)key;
    part.content = (many->content + key) % 5;
    part.length = 1 + (uint32_t)((many->length + 7 * key) % SKAN_RECORD_MAX);
    if (kit_draw_below(&random, 3) == 0) part.choice = (choice)kit_draw_below(&random, NEVER_GIVEN + 1);
    return part;
}

/* The keys of an operation, from one that it chooses, on and round. */
static size_t keys_of(const operation *many, size_t keys[KEY_COUNT]) {
    size_t count = 0;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        size_t key = (many->key + i) % KEY_COUNT;
        if (many->keys & 1 << key) keys[count++] = key;
    }
    return count;
}

static void run_save_many(world *world, const operation *many, skan_store *store) {
    size_t keys[KEY_COUNT], count = keys_of(many, keys);
    unsigned char *records = kit_allocate(count * SKAN_RECORD_MAX);
    kit_item items[KEY_COUNT] = {{0}};
    for (size_t i = 0; i < count; i++) {
        operation part = part_of(many, keys[i]);
        fill(records + i * SKAN_RECORD_MAX, part.length, part.content);
        items[i].key = world->keys[keys[i]];
        items[i].record = (kit_bytes){records + i * SKAN_RECORD_MAX, part.length};
        items[i].expected = expected_by(&part, &world->models[keys[i]]);
    }
    kit_save_many(store, items, count);
    for (size_t i = 0; i < count; i++) {
        operation part = part_of(many, keys[i]);
        model *model = &world->models[keys[i]];
        if (items[i].expected != model->version)
            kit_item_conflicts(world->run, items, count, i);
        else
            note_save(world, &part, model, kit_item_is_saved(world->run, items, count, i));
    }
    free(records);
}

static void run_load_many(world *world, const operation *many, skan_store *store) {
    size_t keys[KEY_COUNT], count = keys_of(many, keys);
    kit_item *items = kit_items(count);
    for (size_t i = 0; i < count; i++) items[i].key = world->keys[keys[i]];
    kit_load_many(store, items, count);
    for (size_t i = 0; i < count; i++) {
        const model *model = &world->models[keys[i]];
        fill(world->record, model->length, model->content);
        if (model->version == 0)
            kit_item_holds_nothing(world->run, items, count, i);
        else
            kit_item_holds(world->run, items, count, i, (kit_bytes){world->record, model->length}, model->version);
    }
    kit_end_items(items, count);
}

static void run_list(world *world, skan_store *store) {
    char beginning[KIT_KEY_SIZE];
    kit_listing listing = {NULL, 0, 0, 0};
    kit_law_prefix(world->run, beginning);
    if (kit_list(world->run, store, beginning, &listing))
        for (size_t i = 0; i < KEY_COUNT; i++)
            if (kit_is_listed(&listing, world->keys[i]) != (world->models[i].version != 0))
                kit_fail(world->run, "list: key %zu, which has %s record, is %s", i,
                         world->models[i].version ? "a" : "no", world->models[i].version ? "missing" : "there");
    kit_end_listing(&listing);
}

static void run_reopen(world *world) {
    bool two = world->handles[1] == &world->second;
    if (two) kit_close(&world->second);
    bool open = kit_reopen(world->run);
    if (two && !(open && kit_open(world->run, &world->second))) world->handles[1] = &world->run->store;
}

static void run_operation(world *world, const operation *operation) {
    model *model = &world->models[operation->key];
    skan_store *store = world->handles[operation->handle];
    const char *key = world->keys[operation->key];
    switch (operation->kind) {
    case LOAD: run_load(world, model, store, key); break;
    case SAVE: run_save(world, operation, model, store, key); break;
    case REMOVE: run_remove(world, operation, model, store, key); break;
    case REOPEN: run_reopen(world); break;
    case LOAD_MANY: run_load_many(world, operation, store); break;
    case SAVE_MANY: run_save_many(world, operation, store); break;
    case LIST: run_list(world, store); break;
    }
}

#define NOT_BEGUN SIZE_MAX

/* From keys without records. The number of operations until one failed, that one included; 0 = none did; NOT_BEGUN =
 * there are records that cannot be removed, or no handle. */
static size_t run_operations(world *world, const operation *operations, size_t count) {
    kit_run *run = world->run;
    run->failed = false;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (!run->open || !kit_clear(run, world->keys[i])) return NOT_BEGUN;
        world->models[i].version = 0;
        world->models[i].versions.count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        run_operation(world, &operations[i]);
        if (run->failed) return i + 1;
    }
    for (size_t i = 0; i < KEY_COUNT && !run->failed; i++)
        run_load(world, &world->models[i], world->handles[1], world->keys[i]);
    return run->failed ? count : 0;
}

static bool fails_again(world *world, const operation *operations, size_t *count, kit_text *reason) {
    size_t failed = run_operations(world, operations, *count);
    if (failed == 0 || failed == NOT_BEGUN) return false;
    *count = failed;
    reason->length = 0;
    kit_print(reason, "%s", world->run->reason.bytes);
    return true;
}

/* ---------------------------------------------------------------------------------------------------- reporting */

static const char *const choices[] = {"the current version", "version 0", "an old version", "a version never given"};

static void print_parts(kit_text *text, const operation *many) {
    size_t keys[KEY_COUNT], count = many->kind == LIST ? 0 : keys_of(many, keys);
    for (size_t i = 0; i < count; i++) {
        operation part = part_of(many, keys[i]);
        kit_print(text, "%s key %u", i ? ";" : "", part.key);
        if (many->kind == SAVE_MANY)
            kit_print(text, ", %u bytes of sort %u, expecting %s", (unsigned)part.length, (unsigned)part.content,
                      choices[part.choice]);
    }
}

static void print_operation(kit_text *text, const operation *operation, bool two_handles) {
    static const char *const kinds[] = {"load",      "save",      "remove", "reopen",
                                        "load_many", "save_many", "list"};
    kit_print(text, "\n%s", kinds[operation->kind]);
    if (operation->kind == REOPEN) return;
    if (operation->kind < REOPEN) kit_print(text, " key %u", operation->key);
    if (two_handles) kit_print(text, " through handle %u", operation->handle + 1u);
    if (operation->kind > REOPEN) {
        print_parts(text, operation);
        return;
    }
    if (operation->kind == SAVE)
        kit_print(text, ", %u bytes of sort %u", (unsigned)operation->length, (unsigned)operation->content);
    if (operation->kind != LOAD) kit_print(text, ", expecting %s", choices[operation->choice]);
}

/* Leaves out what the failure does not need; the new count, and the new reason. */
static size_t shortened(world *world, operation *operations, size_t count, kit_text *reason) {
    operation *candidate = kit_allocate(count * sizeof *candidate);
    int replays = 0;
    for (size_t chunk = count / 2; chunk > 0 && replays < REPLAYS_MAX;) {
        bool shorter = false;
        for (size_t from = 0; from + chunk <= count && count > chunk && replays < REPLAYS_MAX; replays++) {
            memcpy(candidate, operations, from * sizeof *candidate);
            memcpy(candidate + from, operations + from + chunk, (count - from - chunk) * sizeof *candidate);
            size_t left = count - chunk;
            if (fails_again(world, candidate, &left, reason)) {
                count = left;
                memcpy(operations, candidate, count * sizeof *operations);
                shorter = true;
            } else
                from += chunk;
        }
        if (!shorter || chunk >= count) chunk /= 2;
    }
    free(candidate);
    return count;
}

/* Leaves out keys of operations on many that the failure does not need. */
static size_t with_fewer_keys(world *world, operation *operations, size_t count, kit_text *reason) {
    for (size_t i = count > SHOWN_MAX ? count - SHOWN_MAX : 0; i < count; i++) {
        operation *many = &operations[i];
        bool has_keys = many->kind == LOAD_MANY || many->kind == SAVE_MANY;
        for (unsigned key = 0; has_keys && i < count && key < KEY_COUNT; key++) {
            unsigned char keys = many->keys, fewer = (unsigned char)(keys & ~(1u << key));
            if (fewer == keys || fewer == 0) continue;
            many->keys = fewer;
            if (!fails_again(world, operations, &count, reason)) many->keys = keys;
        }
    }
    return count;
}

static void report(world *world, operation *operations, size_t count, bool two_handles) {
    kit_run *run = world->run;
    kit_text text = {NULL, 0, 0}, reason = {NULL, 0, 0};
    kit_print(&text, "seed %" PRIu64 ", operation %zu: %s", run->seed, count, run->reason.bytes);
    if (fails_again(world, operations, &count, &reason)) {
        count = shortened(world, operations, count, &reason);
        count = with_fewer_keys(world, operations, count, &reason);
        kit_print(&text, "\nmade shorter: %s\nat the end of these operations, on keys without records:", reason.bytes);
    } else
        kit_print(&text, "\nnot seen again with the same operations; the last of them:");
    if (count > SHOWN_MAX) kit_print(&text, "\n... (%zu operations)", count - SHOWN_MAX);
    for (size_t i = count > SHOWN_MAX ? count - SHOWN_MAX : 0; i < count; i++)
        print_operation(&text, &operations[i], two_handles);
    run->failed = false;
    kit_fail(run, "%s", text.bytes);
    free(text.bytes);
    free(reason.bytes);
}

/* --------------------------------------------------------------------------------------------------------- laws */

static void play(kit_run *run, bool reopens, bool two_handles) {
    world world = {.run = run, .record = kit_allocate(SKAN_RECORD_MAX)};
    world.handles[0] = world.handles[1] = &run->store;
    static const char *const names[KEY_COUNT] = {"a", "A", "ab", "a ", "a%", "\xC3\xA9{b}'"};
    for (size_t i = 0; i < KEY_COUNT; i++) world.keys[i] = kit_key(run, names[i]);
    if (two_handles && kit_open(run, &world.second)) world.handles[1] = &world.second;

    operation *operations = kit_allocate(run->steps * sizeof *operations);
    kit_random random = {run->seed};
    for (uint32_t i = 0; i < run->steps; i++) operations[i] = generated(run, &random, reopens, two_handles);
    size_t failed = run->failed ? 0 : run_operations(&world, operations, run->steps);
    if (failed > 0 && failed != NOT_BEGUN) report(&world, operations, failed, two_handles);

    if (world.handles[1] == &world.second) kit_close(&world.second);
    for (size_t i = 0; i < KEY_COUNT; i++) kit_versions_end(&world.models[i].versions);
    free(operations);
    free(world.record);
}

static void on_one_handle(kit_run *run) {
    play(run, false, false);
}

static void on_two_handles(kit_run *run) {
    if (run->kit->shared)
        play(run, false, true);
    else
        kit_not_applicable(run, "handles of this store do not share records");
}

static void with_reopening(kit_run *run) {
    if (kit_is_durable(run)) play(run, true, run->kit->shared);
}

const kit_law kit_sequence_laws[] = {
    {"generated sequences on one handle are as the model says", on_one_handle},
    {"generated sequences on two handles are as the model says", on_two_handles},
    {"generated sequences with reopening are as the model says", with_reopening},
    {NULL, NULL},
};

#include "arguments.h"
#include "ending.h"
#include "messages.h"
#include "record_kind.h"
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often a record is copied again because others change it, or because an outcome is unknown. */
#define ATTEMPTS 10

typedef struct move {
    store *from;
    store *to;
    bool keeps;    /* the records of `from` */
    bool replaces; /* other records of `to` */
    skan_save_item items[SKAN_BATCH_MAX];
    batch *copies; /* what `to` has */
    skan_buffer *scratch;
    bool are_distinct; /* FROM and TO: seen to be */
    bool are_one;      /* seen not to be: nothing may be removed */
    record_counts moved;
    uint64_t differing; /* both stores have the key, and not the same record */
    uint64_t failed;
} move;

static bool are_equal(const skan_buffer *first, const skan_buffer *second) {
    return skan_buffer_size(first) == skan_buffer_size(second) &&
           memcmp(skan_buffer_data(first), skan_buffer_data(second), skan_buffer_size(first)) == 0;
}

static void fail(move *move, const char *key, const char *what, const store *store) {
    move->failed++;
    complain(key, "%s: %s", what, store_words(store));
}

/* What is to be done next with one record. */
typedef enum step {
    STEP_COPY,   /* save the record of `from` over the version of `to` that is known */
    STEP_REMOVE, /* the copy was read back and is equal */
    STEP_OVER
} step;

/* One record on its way. */
typedef struct journey {
    move *move;
    skan_load_item *source;
    skan_load_item *copy; /* as `to` has it */
    uint64_t own_version; /* of the copy, where this run saved it; 0 = it did not */
    record_kind kind;
} journey;

/* Two URLs may lead to one store, and removing the "source" would then remove the only record. Where both show the same
 * version, as else only copied files do, the copy is given another one: does the source have it too? */
static step tell_apart(journey *journey) {
    move *move = journey->move;
    skan_load_item *source = journey->source;
    skan_save_item item = {.key = source->key,
                           .data = skan_buffer_data(source->out),
                           .length = skan_buffer_size(source->out),
                           .expected_version = source->version};
    records_save(move->to, &item, 1);
    uint64_t version = 0;
    skan_status status = record_load(move->from, source->key, move->scratch, &version);
    if (status == SKAN_OK && item.status == SKAN_OK && version == source->version) {
        move->are_distinct = true;
        journey->copy->version = journey->own_version = item.new_version;
        return STEP_REMOVE;
    }
    if (status == SKAN_OK && item.status == SKAN_OK && version == item.new_version) {
        move->are_one = true;
        complain(move->from->name, "is the same store as %s; nothing is removed", move->to->name);
    } else {
        fail(move, source->key, "it cannot be told whether both are the same store", move->to);
    }
    return STEP_OVER;
}

/* Looks at the copy and decides. `saved` is what the last save of this run answered; SKAN_ERROR_STORE_CONFLICT where
 * there was none. */
static step judge_copy(journey *journey, skan_status saved) {
    move *move = journey->move;
    const char *key = journey->source->key;
    if (journey->copy->status == SKAN_ERROR_STORE) {
        fail(move, key, "its copy could not be read back", move->to);
        return STEP_OVER;
    }
    if (journey->copy->status == SKAN_NOT_FOUND) return STEP_COPY;
    if (are_equal(journey->copy->out, journey->source->out)) {
        if (!move->are_distinct && saved != SKAN_OK && journey->copy->version == journey->source->version)
            return tell_apart(journey);
        journey->own_version = journey->copy->version;
        return STEP_REMOVE;
    }
    if (saved == SKAN_OK && journey->copy->version == journey->own_version) {
        fail(move, key, "its copy is not what was saved", move->to);
        return STEP_OVER;
    }
    /* Saved by this run and changed by others since: it has arrived, and lives on there. */
    if (saved == SKAN_OK) return STEP_REMOVE;
    if (move->replaces || journey->copy->version == journey->own_version) return STEP_COPY;
    move->differing++;
    complain(key, "both stores have it, with different records; it stays in both");
    return STEP_OVER;
}

static void read_copy(journey *journey) {
    journey->copy->status =
        record_load(journey->move->to, journey->source->key, journey->copy->out, &journey->copy->version);
}

static step copy_again(journey *journey) {
    skan_save_item item = {.key = journey->source->key,
                           .data = skan_buffer_data(journey->source->out),
                           .length = skan_buffer_size(journey->source->out),
                           .expected_version = journey->copy->status == SKAN_OK ? journey->copy->version : 0};
    records_save(journey->move->to, &item, 1);
    if (item.status == SKAN_ERROR_STORE) {
        fail(journey->move, journey->source->key, "could not be saved", journey->move->to);
        return STEP_OVER;
    }
    if (item.status == SKAN_OK) journey->own_version = item.new_version;
    read_copy(journey);
    return judge_copy(journey, item.status);
}

static step remove_source(journey *journey) {
    move *move = journey->move;
    skan_load_item *source = journey->source;
    if (move->keeps) {
        record_count(&move->moved, journey->kind);
        return STEP_OVER;
    }
    switch (record_remove(move->from, source->key, source->version, move->scratch)) {
    case SKAN_OK:
    case SKAN_NOT_FOUND: /* another run of this command removed it, or an app's forget did: see the help */
        record_count(&move->moved, journey->kind);
        return STEP_OVER;
    case SKAN_ERROR_STORE_CONFLICT:
        break;
    default:
        fail(move, source->key, "was copied, but could not be removed", move->from);
        return STEP_OVER;
    }
    source->status = record_load(move->from, source->key, source->out, &source->version);
    if (source->status == SKAN_ERROR_STORE) fail(move, source->key, "could not be read again", move->from);
    if (source->status == SKAN_NOT_FOUND) record_count(&move->moved, journey->kind);
    if (source->status != SKAN_OK) return STEP_OVER;
    read_copy(journey);
    return judge_copy(journey, SKAN_ERROR_STORE_CONFLICT);
}

static void finish_one(journey *journey, step step) {
    for (int attempt = 0; attempt < ATTEMPTS && step != STEP_OVER; attempt++) {
        if (step == STEP_COPY) step = copy_again(journey);
        if (step == STEP_REMOVE) step = remove_source(journey);
    }
    if (step == STEP_OVER) return;
    journey->move->failed++;
    complain(journey->source->key, "others keep changing it; it is in both stores");
}

/* First saves of all in one round trip, and one to read them back. */
static bool visit(void *context, batch *sources) {
    move *move = context;
    uint64_t failed = move->failed;
    size_t count = 0;
    store_calm(move->to);
    batch_empty(move->copies);
    skan_load_item *origin[SKAN_BATCH_MAX];
    for (size_t index = 0; index < sources->count; index++) {
        skan_load_item *source = &sources->items[index];
        if (source->status != SKAN_OK) continue;
        move->items[count] = (skan_save_item){
            .key = source->key, .data = skan_buffer_data(source->out), .length = skan_buffer_size(source->out)};
        batch_add(move->copies, source->key);
        origin[count++] = source;
    }
    records_save(move->to, move->items, count);
    batch_load(move->copies, move->to);
    for (size_t index = 0; index < count && !is_ending() && !move->are_one; index++) {
        journey journey = {.move = move,
                           .source = origin[index],
                           .copy = &move->copies->items[index],
                           .own_version = move->items[index].new_version,
                           .kind = record_kind_of(origin[index]->key, skan_buffer_data(origin[index]->out),
                                                  skan_buffer_size(origin[index]->out))};
        if (move->items[index].status == SKAN_ERROR_STORE)
            fail(move, journey.source->key, "could not be saved", move->to);
        else
            finish_one(&journey, judge_copy(&journey, move->items[index].status));
    }
    /* A store that took none of them would take no more. */
    return !move->are_one && (count == 0 || move->failed - failed < count);
}

static int move_stores(store *from, store *to, bool keeps, bool replaces) {
    move *move = calloc(1, sizeof *move);
    if (!move) {
        complain("memory", "none is left");
        return EXIT_FOUND;
    }
    move->from = from;
    move->to = to;
    move->keeps = keeps;
    move->replaces = replaces;
    move->copies = batch_create();
    move->scratch = skan_buffer_create();
    walk walk = {.store = from, .visit = visit, .context = move};
    bool is_whole = walk_all(&walk);
    char *moved = record_counts_words(&move->moved);
    printf("%s%s %s", is_whole ? "" : "not all: ", moved, keeps ? "copied" : "moved");
    free(moved);
    if (move->differing) printf(", %" PRIu64 " in both stores with different records", move->differing);
    if (move->failed) printf(", %" PRIu64 " could not be %s", move->failed, keeps ? "copied" : "moved");
    if (walk.failed) printf(", %" PRIu64 " could not be read", walk.failed);
    putchar('\n');
    int code = is_whole && !move->differing && !move->failed && !walk.failed ? EXIT_FINE : EXIT_FOUND;
    skan_buffer_destroy(move->scratch);
    batch_destroy(move->copies);
    free(move);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {
        {"keep", no_argument, NULL, 'k'}, {"replace", no_argument, NULL, 'r'}, HELP_OPTION};
    bool keeps = false;
    bool replaces = false;
    int option;
    while ((option = option_next(self, argc, argv, options)) != -1) {
        if (option == 'k')
            keeps = true;
        else if (option == 'r')
            replaces = true;
        else
            return option_exit(option);
    }
    if (!arguments_are(self, argc, argv, 2)) return EXIT_USAGE;
    if (strcmp(argv[optind], argv[optind + 1]) == 0)
        return usage_error(self, "move", "FROM and TO are the same store");
    store from;
    store to;
    int code = store_open(argv[optind], keeps ? STORE_READS : STORE_REMOVES, &from);
    if (code != EXIT_FINE) return code;
    code = store_open(argv[optind + 1], STORE_FILLS, &to);
    if (code == EXIT_FINE) {
        code = move_stores(&from, &to, keeps, replaces);
        store_close(&to);
    }
    store_close(&from);
    return code;
}

const command move_command = {
    .name = "move",
    .arguments = "FROM TO [--keep] [--replace]",
    .summary = "moves all records from one store to another",
    .help =
        "Moves all records from one store to another, installs, postbacks and entries of\n"
        "the outbox, as bytes, damaged ones too, and says how many of each.\n"
        "Each is saved in TO, read back, compared, and only then removed from FROM, if it\n"
        "is unchanged there. It may be interrupted at any moment, also by a crash, and\n"
        "run again: nothing is lost, nothing counts twice.\n"
        "Stop first what writes to FROM. A record that changes nevertheless while it is\n"
        "on its way is copied again; but a service that goes on with FROM finds no\n"
        "install there afterwards and begins a new one.\n"
        "What both stores have with different records stays in both and is named, and the\n"
        "exit code is 1.\n"
        "  --keep     copies, and removes nothing\n"
        "  --replace  where both have different records, FROM's replaces TO's\n\n" STORE_HELP,
    .run = run,
};

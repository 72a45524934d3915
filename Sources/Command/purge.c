#include "arguments.h"
#include "ending.h"
#include "messages.h"
#include "record_kind.h"
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define DAY 86400
#define DAYS_MAX 36500

typedef struct purge {
    store *store;
    skan_buffer *scratch;
    int64_t before; /* closed windows older than this go */
    bool is_dry;
    uint64_t read;
    uint64_t removed;
    uint64_t changed;    /* meanwhile: they stay */
    uint64_t unreadable; /* they stay */
    uint64_t failed;
    record_counts others; /* no installs: left alone */
} purge;

static void remove_one(purge *purge, const skan_load_item *item) {
    if (purge->is_dry) {
        purge->removed++;
        return;
    }
    store_calm(purge->store);
    switch (record_remove(purge->store, item->key, item->version, purge->scratch)) {
    case SKAN_OK:
        purge->removed++;
        break;
    case SKAN_ERROR_STORE_CONFLICT:
        purge->changed++;
        break;
    case SKAN_NOT_FOUND:
        break;
    default:
        purge->failed++;
        complain(item->key, "could not be removed: %s", store_words(purge->store));
    }
}

static void purge_one(purge *purge, const skan_load_item *item) {
    skan_record record = {.size = sizeof record};
    skan_error *error = NULL;
    record_kind kind = record_kind_of(item->key, skan_buffer_data(item->out), skan_buffer_size(item->out));
    if (kind != RECORD_INSTALL) {
        record_count(&purge->others, kind);
        return;
    }
    purge->read++;
    if (skan_record_read(skan_buffer_data(item->out), skan_buffer_size(item->out), &record, NULL, &error) != SKAN_OK) {
        purge->unreadable++;
        complain(item->key, "stays: %s", skan_error_message(error));
        skan_error_free(error);
    } else if (record.is_registered && record.closes_at < purge->before) {
        remove_one(purge, item);
    }
}

static bool visit(void *context, batch *batch) {
    for (size_t index = 0; index < batch->count && !is_ending(); index++)
        if (batch->items[index].status == SKAN_OK) purge_one(context, &batch->items[index]);
    return true;
}

static void print_summary(const purge *purge, const walk *walk, bool is_whole) {
    printf("%s%" PRIu64 " record%s read, %" PRIu64 " %s", is_whole ? "" : "not all: ", purge->read, plural(purge->read),
           purge->removed, purge->is_dry ? "would be removed" : "removed");
    if (purge->changed) printf(", %" PRIu64 " changed meanwhile and stay", purge->changed);
    if (purge->unreadable) printf(", %" PRIu64 " damaged or too new and stay", purge->unreadable);
    if (purge->failed) printf(", %" PRIu64 " could not be removed", purge->failed);
    if (walk->failed) printf(", %" PRIu64 " could not be read", walk->failed);
    putchar('\n');
}

static int purge_store(const char *url, int64_t days, bool is_dry) {
    store store;
    int code = store_open(url, is_dry ? STORE_READS : STORE_REMOVES, &store);
    if (code != EXIT_FINE) return code;
    purge purge = {.store = &store,
                   .scratch = skan_buffer_create(),
                   .before = (int64_t)time(NULL) - days * DAY,
                   .is_dry = is_dry};
    walk walk = {.store = &store, .visit = visit, .context = &purge};
    bool is_whole = walk_all(&walk);
    print_summary(&purge, &walk, is_whole);
    bool is_fine = is_whole && !purge.unreadable && !purge.failed && !walk.failed;
    if (is_whole) is_fine &= record_counts_tell(store.name, "installs", purge.read + walk.failed, &purge.others);
    skan_buffer_destroy(purge.scratch);
    store_close(&store);
    return is_fine ? EXIT_FINE : EXIT_FOUND;
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {
        {"closed-before", required_argument, NULL, 'c'}, {"dry-run", no_argument, NULL, 'n'}, HELP_OPTION};
    int64_t days = -1;
    bool is_dry = false;
    int option;
    while ((option = option_next(self, argc, argv, options)) != -1) {
        if (option == 'c') {
            if (!argument_number(self, "--closed-before", optarg, 0, DAYS_MAX, &days)) return EXIT_USAGE;
        } else if (option == 'n') {
            is_dry = true;
        } else {
            return option_exit(option);
        }
    }
    if (!arguments_are(self, argc, argv, 1)) return EXIT_USAGE;
    if (days < 0) return usage_error(self, "purge", "expected --closed-before DAYS");
    return purge_store(argv[optind], days, is_dry);
}

const command purge_command = {
    .name = "purge",
    .arguments = "STORE --closed-before DAYS [--dry-run]",
    .summary = "removes installs whose last window closed long ago",
    .help = "Removes the record of every install whose last postback window closed more than\n"
            "DAYS days ago (0 to 36500): nothing can change its values any more. Lifetime\n"
            "revenue goes with it. Installs that were never registered stay, and so do\n"
            "damaged records, records of a newer libskan, which are named, and records that\n"
            "others change meanwhile. Postbacks and entries of the outbox are left alone,\n"
            "which is said; where a store has nothing else, the exit code is 1.\n"
            "  --closed-before DAYS  must be there\n"
            "  --dry-run             counts and removes nothing\n\n" STORE_HELP,
    .run = run,
};

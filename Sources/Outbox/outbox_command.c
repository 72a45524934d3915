/* skan outbox: what partners have not been told. */
#include "../Command/arguments.h"
#include "../Command/ending.h"
#include "../Command/messages.h"
#include "../Command/record_kind.h"
#include "../Command/walk.h"
#include "networks.h"
#include "outbox.h"
#include "template.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct review {
    store *store;
    bool retries;
    uint64_t dead, others, retried, changed, failed;
    uint64_t own;           /* records of a receiver: postbacks too */
    record_counts installs;
} review;

static void print_entry(const entry_name *name, const entry *entry) {
    char line[1024];
    snprintf(line, sizeof line,
             "{\"id\":\"%s\",\"network\":\"%s\",\"partner\":\"%s\",\"state\":\"%s\",\"attempts\":%" PRId64
             ",\"created\":%" PRId64 ",\"due\":%" PRId64 ",\"reason\":\"%s\"}",
             name->id, name->network, name->partner, entry_state_name(entry->state), entry->attempts,
             entry->created / 1000000, entry->due / 1000000, entry->reason);
    output_line(line);
}

static void retry(review *review, const skan_load_item *item, entry *entry) {
    char bytes[ENTRY_BYTES_MAX];
    uint64_t version = 0;
    const skan_store *hooks = &review->store->hooks;
    entry->state = ENTRY_WAITING;
    entry->attempts = 0;
    entry->due = outbox_now();
    store_calm(review->store);
    switch (hooks->save(hooks->context, item->key, bytes, entry_write(entry, bytes), item->version, &version)) {
    case SKAN_OK:
        review->retried++;
        break;
    case SKAN_ERROR_STORE_CONFLICT:
        review->changed++;
        break;
    default:
        review->failed++;
        complain(item->key, "could not be saved: %s", store_words(review->store));
    }
}

static void look_at(review *review, const skan_load_item *item) {
    entry_name name;
    entry entry;
    record_kind kind = record_kind_of(item->key, skan_buffer_data(item->out), skan_buffer_size(item->out));
    if (kind == RECORD_INSTALL)
        record_count(&review->installs, kind);
    else
        review->own++;
    if (kind != RECORD_OUTBOX) return;
    if (!entry_name_read(item->key, &name)) {
        review->failed++;
        complain(item->key, "wrong name: %s", record_name_problem(item->key, kind));
        return;
    }
    if (!entry_read(skan_buffer_data(item->out), skan_buffer_size(item->out), &entry)) {
        review->failed++;
        complain(item->key, "is damaged, or of a newer version");
        return;
    }
    if (entry.state == ENTRY_DEAD)
        review->dead++;
    else
        review->others++;
    if (!review->retries)
        print_entry(&name, &entry);
    else if (entry.state == ENTRY_DEAD)
        retry(review, item, &entry);
}

static bool visit(void *context, batch *batch) {
    for (size_t i = 0; i < batch->count && !is_ending(); i++)
        if (batch->items[i].status == SKAN_OK) look_at(context, &batch->items[i]);
    return true;
}

static int review_store(const char *url, bool retries) {
    store store;
    int code = store_open(url, retries ? STORE_REMOVES : STORE_READS, &store);
    if (code != EXIT_FINE) return code;
    review review = {.store = &store, .retries = retries};
    walk walk = {.store = &store, .visit = visit, .context = &review, .prints_data = !retries};
    bool is_whole = walk_all(&walk);
    if (retries) {
        printf("%s%" PRIu64 " of %" PRIu64 " given up will be tried again", is_whole ? "" : "not all: ", review.retried,
               review.dead);
        if (review.changed) printf(", %" PRIu64 " changed meanwhile", review.changed);
        putchar('\n');
    }
    bool is_fine = is_whole && !review.failed && !walk.failed;
    if (is_whole) is_fine &= record_counts_tell(store.name, "an outbox", review.own + walk.failed, &review.installs);
    store_close(&store);
    return is_fine ? EXIT_FINE : EXIT_FOUND;
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {{"retry", no_argument, NULL, 'r'}, HELP_OPTION};
    bool retries = false;
    int option;
    while ((option = option_next(self, argc, argv, options)) != -1) {
        if (option != 'r') return option_exit(option);
        retries = true;
    }
    if (!arguments_are(self, argc, argv, 1)) return EXIT_USAGE;
    return review_store(argv[optind], retries);
}

const command outbox_command = {
    .name = "outbox",
    .arguments = "STORE [--retry]",
    .summary = "lists what partners have not been told of postbacks",
    .help = "Prints a JSON line for each counted postback that a partner has not taken yet:\n"
            "its id, network and partner; the state, prepared (is told once its postback is\n"
            "counted), waiting (tried before, or being tried) or dead (tried as often as\n"
            "skan serve was told to); how often it was tried; when it was made and when it is\n"
            "due, Unix seconds; why the last attempt failed. Installs beside postbacks are\n"
            "left alone, which is said; where a store has nothing else, the exit code is 1.\n"
            "  --retry  lists nothing: what is dead will be tried again, once a skan serve\n"
            "           that runs has searched the store (--partner-search), or is started\n\n"
            NETWORKS_HELP TEMPLATE_HELP "\n" STORE_HELP,
    .run = run,
};

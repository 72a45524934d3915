#include "arguments.h"
#include "batch.h"
#include "ending.h"
#include "install_table.h"
#include "listing.h"
#include "messages.h"
#include "record_kind.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* The update that waits, which an engine knows, one that does not own the store. */
static skan_status read_pending(const store *store, const char *id, uint32_t protocol, skan_update *update,
                                skan_error **error) {
    skan_store borrowed = store->hooks;
    borrowed.finalize = NULL;
    skan_options options = {.size = sizeof options, .protocol = protocol, .store = &borrowed};
    skan *engine = NULL;
    skan_status status = skan_create(&options, &engine, error);
    if (status == SKAN_OK) status = skan_pending_update(engine, id, update, error);
    skan_destroy(engine);
    return status;
}

static int print_install(const store *store, const char *id, const skan_record *record, const char *details) {
    skan_update pending = {.size = sizeof pending};
    skan_error *error = NULL;
    skan_status status = read_pending(store, id, record->protocol, &pending, &error);
    if (status >= SKAN_ERROR_INVALID_ARGUMENT) {
        complain(id, "%s", skan_error_message(error));
        skan_error_free(error);
        return EXIT_FOUND;
    }
    install_table_print(id, record, details, &pending);
    return EXIT_FINE;
}

static int show_record(store *store, const char *id, const skan_buffer *bytes, bool is_json) {
    skan_record record = {.size = sizeof record};
    char *details = NULL;
    skan_error *error = NULL;
    int code = EXIT_FOUND;
    record_kind kind = record_kind_of(id, skan_buffer_data(bytes), skan_buffer_size(bytes));
    if (kind != RECORD_INSTALL) {
        complain(id, "expected an install, found %s: %s", record_kind_name(kind), record_kind_advice(kind));
        return EXIT_FOUND;
    }
    if (skan_record_read(skan_buffer_data(bytes), skan_buffer_size(bytes), &record, &details, &error) != SKAN_OK) {
        complain(id, "%s", skan_error_message(error));
    } else if (is_json) {
        output_line(details);
        code = EXIT_FINE;
    } else {
        code = print_install(store, id, &record, details);
    }
    skan_free(details);
    skan_error_free(error);
    return code;
}

/* The first records of the listing tell whether the store is one of installs at all. */
static void complain_of_none(store *store, const char *id) {
    record_counts others = {0};
    uint64_t installs = 0;
    listing listing;
    batch *batch = batch_create();
    complain(id, "no such install in %s", store->name);
    if (store_lists(store) && listing_begin(&listing, store)) {
        if (listing_next(&listing, batch)) batch_load(batch, store);
        listing_end(&listing);
    }
    for (size_t index = 0; index < batch->count; index++) {
        const skan_load_item *item = &batch->items[index];
        record_kind kind = record_kind_of(item->key, skan_buffer_data(item->out), skan_buffer_size(item->out));
        if (item->status == SKAN_OK && kind != RECORD_INSTALL)
            record_count(&others, kind);
        else
            installs++;
    }
    if (installs == 0) record_counts_tell(store->name, "installs", 0, &others);
    batch_destroy(batch);
}

static int show(store *store, const char *id, bool is_json) {
    skan_buffer *bytes = skan_buffer_create();
    uint64_t version = 0;
    int code = EXIT_FOUND;
    skan_status status = record_load(store, id, bytes, &version);
    if (status == SKAN_NOT_FOUND)
        complain_of_none(store, id);
    else if (status != SKAN_OK)
        complain(id, "could not be read: %s", store_words(store));
    else
        code = show_record(store, id, bytes, is_json);
    skan_buffer_destroy(bytes);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, HELP_OPTION};
    bool is_json = false;
    int option;
    while ((option = option_next(self, argc, argv, options)) != -1) {
        if (option != 'j') return option_exit(option);
        is_json = true;
    }
    if (!arguments_are(self, argc, argv, 2)) return EXIT_USAGE;
    const char *id = argv[optind + 1];
    const char *problem = install_id_problem(id, strlen(id));
    if (problem) return usage_error(self, id, "%s", problem);
    store store;
    int code = store_open(argv[optind], STORE_READS, &store);
    if (code != EXIT_FINE) return code;
    code = show(&store, id, is_json);
    store_close(&store);
    return code;
}

const command show_command = {
    .name = "show",
    .arguments = "STORE INSTALL [--json]",
    .summary = "shows what is known of one install",
    .help = "Shows what is known of one install: its windows, values and locks, its revenue\n"
            "and the update that waits for the app. Times are UTC. Exit code 1 where there\n"
            "is no such install, or its record is damaged, or a postback's; which is said.\n"
            "A user of skan serve is named v2/APP/IDFV or v2-idfa/APP/IDFA, in SKAN 3 v1/ and\n"
            "v1-idfa/. An install whose name begins with - comes after --.\n"
            "  --json  the details document, in one line\n\n" STORE_HELP,
    .run = run,
};

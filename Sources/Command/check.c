#include "../Outbox/entry.h"
#include "../Outbox/libraries.h"
#include "arguments.h"
#include "ending.h"
#include "messages.h"
#include "progress.h"
#include "record_kind.h"
#include "text.h"
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct found {
    record_counts kinds;
    uint64_t damaged;
    uint64_t too_new;
    uint64_t names;
} found;

static void name(const char *key, const char *what, const char *why) {
    progress_hide();
    text_print(stdout, key);
    printf(": %s: ", what);
    text_print(stdout, why);
    putchar('\n');
}

/* A record of a receiver of postbacks, by its library, which only stores of postbacks need. */
static skan_status read_postback(const void *data, size_t length, skan_error **error) {
    static postback_library library;
    static enum { UNKNOWN, THERE, MISSING } presence;
    if (presence == UNKNOWN) presence = postback_library_open(&library) ? THERE : MISSING;
    if (presence == THERE) return library.record_read(data, length, NULL, NULL, error);
    *error = skan_error_create(SKAN_ERROR_CORRUPT_RECORD, "postback: libskan-postback cannot be loaded to read it");
    return SKAN_ERROR_CORRUPT_RECORD;
}

static skan_status read_record(record_kind kind, const skan_buffer *out, skan_error **error) {
    const void *data = skan_buffer_data(out);
    size_t length = skan_buffer_size(out);
    entry entry;
    if (kind == RECORD_POSTBACK || kind == RECORD_APART) return read_postback(data, length, error);
    if (kind == RECORD_INSTALL) return skan_record_read(data, length, NULL, NULL, error);
    if (entry_read(data, length, &entry)) return SKAN_OK;
    *error = skan_error_create(SKAN_ERROR_CORRUPT_RECORD, "outbox: not an entry");
    return SKAN_ERROR_CORRUPT_RECORD;
}

static void check_record(found *found, const skan_load_item *item) {
    skan_error *error = NULL;
    record_kind kind = record_kind_of(item->key, skan_buffer_data(item->out), skan_buffer_size(item->out));
    skan_status status = read_record(kind, item->out, &error);
    const char *problem = install_id_problem(item->key, strlen(item->key));
    if (!problem) problem = record_name_problem(item->key, kind);
    record_count(&found->kinds, kind);
    if (problem) {
        found->names++;
        name(item->key, "wrong name", problem);
    }
    if (status == SKAN_ERROR_RECORD_TOO_NEW) {
        found->too_new++;
        name(item->key, "too new", skan_error_message(error));
    } else if (status != SKAN_OK) {
        found->damaged++;
        name(item->key, "damaged", skan_error_message(error));
    }
    skan_error_free(error);
}

static bool visit(void *context, batch *batch) {
    for (size_t index = 0; index < batch->count && !is_ending(); index++)
        if (batch->items[index].status == SKAN_OK) check_record(context, &batch->items[index]);
    return true;
}

static void print_summary(const found *found, const walk *walk, bool is_whole) {
    uint64_t records = record_counts_sum(&found->kinds);
    if (records != found->kinds.of[RECORD_INSTALL]) {
        char *words = record_counts_words(&found->kinds);
        printf("found %s\n", words);
        free(words);
    }
    printf("%s%" PRIu64 " record%s read, %" PRIu64 " damaged, %" PRIu64 " too new", is_whole ? "" : "not all: ",
           records, plural(records), found->damaged, found->too_new);
    if (found->names) printf(", %" PRIu64 " under wrong names", found->names);
    if (walk->failed) printf(", %" PRIu64 " could not be read", walk->failed);
    putchar('\n');
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {HELP_OPTION};
    int option = option_next(self, argc, argv, options);
    if (option != -1) return option_exit(option);
    if (!arguments_are(self, argc, argv, 1)) return EXIT_USAGE;
    store store;
    int code = store_open(argv[optind], STORE_READS, &store);
    if (code != EXIT_FINE) return code;
    found found = {0};
    walk walk = {.store = &store, .visit = visit, .context = &found};
    bool is_whole = walk_all(&walk);
    print_summary(&found, &walk, is_whole);
    store_close(&store);
    return is_whole && !found.damaged && !found.too_new && !found.names && !walk.failed ? EXIT_FINE : EXIT_FOUND;
}

const command check_command = {
    .name = "check",
    .arguments = "STORE",
    .summary = "reads every record and names the damaged ones",
    .help = "Reads every record, of installs, postbacks and the outbox, and names those that\n"
            "are damaged, or were written by a newer libskan, or are under a wrong name, each\n"
            "with the reason; then how many there are, by kind where there are others than\n"
            "installs. Changes nothing. Exit code 1 where it named any.\n"
            "A store that lists a key twice (Redis may) counts it twice.\n\n" STORE_HELP,
    .run = run,
};

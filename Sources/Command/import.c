#include "arguments.h"
#include "batch.h"
#include "ending.h"
#include "install_line.h"
#include "lines.h"
#include "messages.h"
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define UNKNOWN_ATTEMPTS 5
#define PROBLEM_MAX 512

/* A line that waits to be saved with others. */
typedef struct waiting {
    unsigned char *record;
    size_t length;
    uint64_t number;
} waiting;

typedef struct import {
    store *store;
    const char *file_name;
    uint32_t protocol;
    batch *batch; /* the ids of what waits, in the same order; then what the store has of them */
    waiting waiting[SKAN_BATCH_MAX];
    skan_save_item items[SKAN_BATCH_MAX];
    uint64_t lines;
    uint64_t imported;
    uint64_t there;
    uint64_t other; /* of these: with other contents */
    uint64_t refused;
    uint64_t failed;
} import;

static void refuse(import *import, uint64_t number, const char *why) {
    import->refused++;
    complain(import->file_name, "line %" PRIu64 ": %s", number, why);
}

/* ----------------------------------------------------------------------------------------------------------- saving */

static bool are_bytes_equal(const waiting *waiting, const skan_buffer *there) {
    return waiting->length == skan_buffer_size(there) &&
           memcmp(waiting->record, skan_buffer_data(there), waiting->length) == 0;
}

static char *details_of(const void *record, size_t length) {
    char *details = NULL;
    skan_record_read(record, length, NULL, &details, NULL);
    return details;
}

/* Records of the same details differ where each was made of the document by itself. */
static bool are_contents_equal(const waiting *waiting, const skan_buffer *there) {
    if (are_bytes_equal(waiting, there)) return true;
    char *own = details_of(waiting->record, waiting->length);
    char *found = details_of(skan_buffer_data(there), skan_buffer_size(there));
    bool is_equal = own && found && strcmp(own, found) == 0;
    skan_free(own);
    skan_free(found);
    return is_equal;
}

static void count_there(import *import, const waiting *waiting, const skan_buffer *there) {
    import->there++;
    if (!are_contents_equal(waiting, there)) import->other++;
}

static void count_failed(import *import, size_t index) {
    import->failed++;
    complain(import->file_name, "line %" PRIu64 ": could not be saved: %s", import->waiting[index].number,
             store_words(import->store));
}

/* What became of a save whose outcome nobody knows: looks, and saves again where there is nothing. */
static void settle_unknown(import *import, size_t index) {
    const waiting *waiting = &import->waiting[index];
    skan_load_item *found = &import->batch->items[index];
    skan_save_item *item = &import->items[index];
    for (int attempt = 0; attempt < UNKNOWN_ATTEMPTS; attempt++) {
        found->status = record_load(import->store, found->key, found->out, &found->version);
        if (found->status == SKAN_OK) {
            if (are_bytes_equal(waiting, found->out))
                import->imported++;
            else
                count_there(import, waiting, found->out);
            return;
        }
        if (found->status != SKAN_NOT_FOUND) break;
        records_save(import->store, item, 1);
        if (item->status == SKAN_OK) {
            import->imported++;
            return;
        }
    }
    count_failed(import, index);
}

static void settle_conflict(import *import, size_t index) {
    skan_load_item *found = &import->batch->items[index];
    found->status = record_load(import->store, found->key, found->out, &found->version);
    if (found->status == SKAN_OK)
        count_there(import, &import->waiting[index], found->out);
    else if (found->status == SKAN_NOT_FOUND)
        settle_unknown(import, index); /* removed since: nothing is there */
    else
        count_failed(import, index);
}

static void settle(import *import, size_t index) {
    switch (import->items[index].status) {
    case SKAN_OK:
        import->imported++;
        break;
    case SKAN_ERROR_STORE_CONFLICT:
        settle_conflict(import, index);
        break;
    case SKAN_ERROR_STORE_UNKNOWN:
        settle_unknown(import, index);
        break;
    default:
        count_failed(import, index);
    }
}

/* Saves what waits. False where the store took none of it: it would take no more. */
static bool save_waiting(import *import) {
    size_t count = import->batch->count;
    uint64_t failed = import->failed;
    for (size_t index = 0; index < count; index++)
        import->items[index] = (skan_save_item){.key = import->batch->items[index].key,
                                                .data = import->waiting[index].record,
                                                .length = import->waiting[index].length};
    store_calm(import->store);
    records_save(import->store, import->items, count);
    for (size_t index = 0; index < count; index++) settle(import, index);
    for (size_t index = 0; index < count; index++) free(import->waiting[index].record);
    batch_empty(import->batch);
    return count == 0 || import->failed - failed < count;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static bool take_line(import *import, const lines *lines) {
    char problem[PROBLEM_MAX];
    install_line line;
    if (!install_line_read(lines->text, lines->length, import->protocol, &line, problem, sizeof problem)) {
        refuse(import, lines->number, problem);
        return true;
    }
    bool goes_on = true;
    if (import->batch->count == SKAN_BATCH_MAX) goes_on = save_waiting(import);
    size_t index = import->batch->count;
    if (!batch_add(import->batch, line.id)) {
        /* The same install twice: the first is saved, this one finds it. */
        goes_on = save_waiting(import) && goes_on;
        index = 0;
        batch_add(import->batch, line.id);
    }
    import->waiting[index] = (waiting){line.record, line.length, lines->number};
    return goes_on;
}

/* Whether the end was reached. */
static bool take_lines(import *import, lines *lines) {
    bool goes_on = true;
    line_kind kind = LINE_WHOLE;
    while (goes_on && !is_ending() && (kind = lines_next(lines)) != LINES_OVER && kind != LINES_FAILED) {
        import->lines++;
        if (kind == LINE_TOO_LONG)
            refuse(import, lines->number, "longer than 256 KiB");
        else if (lines->length > 0)
            goes_on = take_line(import, lines);
        progress_step(lines->bytes);
    }
    int reason = errno;
    bool is_read = kind == LINES_OVER;
    if (kind == LINES_FAILED && !is_ending()) complain(import->file_name, "%s", strerror(reason));
    if (!save_waiting(import)) goes_on = false;
    if (!goes_on) complain(import->store->name, "the import ends after line %" PRIu64, lines->number);
    return goes_on && is_read;
}

static uint64_t size_of(FILE *file) {
    struct stat found;
    return fstat(fileno(file), &found) == 0 && S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0;
}

static void print_summary(const import *import, bool is_whole) {
    printf("%s%" PRIu64 " line%s read, %" PRIu64 " imported, %" PRIu64 " already there", is_whole ? "" : "not all: ",
           import->lines, plural(import->lines), import->imported, import->there);
    if (import->other) printf(" (%" PRIu64 " of them with other contents)", import->other);
    printf(", %" PRIu64 " refused", import->refused);
    if (import->failed) printf(", %" PRIu64 " could not be saved", import->failed);
    putchar('\n');
}

static int import_file(const char *url, const char *name, FILE *file, uint32_t protocol) {
    store store;
    int code = store_open(url, STORE_FILLS, &store);
    if (code != EXIT_FINE) return code;
    /* Too large for the stack of a thread, and needed once. */
    static import import;
    import.store = &store;
    import.file_name = name;
    import.protocol = protocol;
    import.batch = batch_create();
    lines lines;
    lines_begin(&lines, file);
    progress_begin(progress_is_seen(false), "bytes", size_of(file));
    bool is_whole = take_lines(&import, &lines);
    progress_end();
    print_summary(&import, is_whole);
    lines_end(&lines);
    batch_destroy(import.batch);
    store_close(&store);
    return is_whole && !import.refused && !import.failed ? EXIT_FINE : EXIT_FOUND;
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {{"protocol", required_argument, NULL, 'p'}, HELP_OPTION};
    int64_t protocol = 4;
    int option;
    while ((option = option_next(self, argc, argv, options)) != -1) {
        if (option != 'p') return option_exit(option);
        if (!argument_number(self, "--protocol", optarg, 3, 4, &protocol)) return EXIT_USAGE;
    }
    if (!arguments_are(self, argc, argv, 2)) return EXIT_USAGE;
    const char *name = argv[optind + 1];
    bool is_input = strcmp(name, "-") == 0;
    FILE *file = is_input ? stdin : fopen(name, "r");
    if (!file) {
        complain(name, "%s", strerror(errno));
        return EXIT_FOUND;
    }
    int code = import_file(argv[optind], is_input ? "standard input" : name, file, (uint32_t)protocol);
    if (!is_input) fclose(file);
    return code;
}

const command import_command = {
    .name = "import",
    .arguments = "STORE FILE [--protocol 3|4]",
    .summary = "takes over installs from lines of JSON",
    .help =
        "Takes over the installs of FILE, or of standard input where FILE is -: lines of\n"
        "skan export, or lines from elsewhere with \"install_id\" and \"details\" alone, the\n"
        "details document of libskan or of the published snippet. Where a line has both,\n"
        "\"record\" is taken.\n"
        "An install that has a record in STORE keeps it: running an import twice is as\n"
        "good as once. A line that is no JSON, is longer than 256 KiB, or whose record or\n"
        "details are wrong is named and left out, the others go on, and the exit code is\n"
        "1. Empty lines mean nothing.\n"
        "  --protocol 3|4  of lines with details alone; 4 where it is not given\n\n" STORE_HELP,
    .run = run,
};

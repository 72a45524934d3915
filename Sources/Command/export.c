#include "arguments.h"
#include "base64.h"
#include "ending.h"
#include "messages.h"
#include "record_kind.h"
#include "text.h"
#include "walk.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

typedef struct exported {
    uint64_t lines;
    uint64_t damaged; /* or too new: exported with "error" */
    uint64_t unnamed; /* their names cannot be written in JSON: left out */
    record_counts others; /* no installs: left alone */
} exported;

/* A member that is JSON already; `text` lives as long as the object. */
static struct json_object *verbatim(char *text) {
    struct json_object *object = json_object_new_object();
    json_object_set_serializer(object, json_object_userdata_to_json_string, text, NULL);
    return object;
}

static void print_line(exported *exported, const skan_load_item *item) {
    const void *data = skan_buffer_data(item->out);
    size_t length = skan_buffer_size(item->out);
    char *details = NULL;
    skan_error *error = NULL;
    /* Stores may hold more than records have; base64 of a record and no more fits here. */
    static char record[BASE64_LENGTH(SKAN_BUFFER_MAX) + 1];
    skan_status status = skan_record_read(data, length, NULL, &details, &error);
    base64_write(data, length, record);
    struct json_object *line = json_object_new_object();
    json_object_object_add(line, "install_id", json_object_new_string(item->key));
    if (status == SKAN_OK) {
        json_object_object_add(line, "details", verbatim(details));
    } else {
        exported->damaged++;
        json_object_object_add(line, "details", NULL);
        json_object_object_add(line, "error", json_object_new_string(skan_error_message(error)));
        complain(item->key, "%s", skan_error_message(error));
    }
    json_object_object_add(line, "record", json_object_new_string(record));
    output_line(json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    exported->lines++;
    json_object_put(line);
    skan_free(details);
    skan_error_free(error);
}

static void export_one(exported *exported, const skan_load_item *item) {
    const char *problem = install_id_problem(item->key, strlen(item->key));
    record_kind kind = record_kind_of(item->key, skan_buffer_data(item->out), skan_buffer_size(item->out));
    if (item->status == SKAN_OK && kind != RECORD_INSTALL) {
        record_count(&exported->others, kind);
    } else if (problem) {
        exported->unnamed++;
        complain(item->key, "left out, its name is wrong: %s", problem);
    } else if (item->status == SKAN_OK) {
        print_line(exported, item);
    }
}

static bool visit(void *context, batch *batch) {
    for (size_t index = 0; index < batch->count && !is_ending(); index++) export_one(context, &batch->items[index]);
    return true;
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {HELP_OPTION};
    int option = option_next(self, argc, argv, options);
    if (option != -1) return option_exit(option);
    if (!arguments_are(self, argc, argv, 1)) return EXIT_USAGE;
    store store;
    int code = store_open(argv[optind], STORE_READS, &store);
    if (code != EXIT_FINE) return code;
    exported exported = {0};
    walk walk = {.store = &store, .visit = visit, .context = &exported, .prints_data = true};
    bool is_whole = walk_all(&walk);
    bool is_fine = is_whole && !exported.damaged && !exported.unnamed && !walk.failed;
    if (!is_fine && !is_ending())
        complain(store.name,
                 "%s%" PRIu64 " line%s exported, %" PRIu64 " of them with an error; %" PRIu64
                 " could not be read, %" PRIu64 " left out",
                 is_whole ? "" : "not all: ", exported.lines, plural(exported.lines), exported.damaged, walk.failed,
                 exported.unnamed);
    uint64_t own = exported.lines + exported.unnamed + walk.failed;
    if (is_whole) is_fine &= record_counts_tell(store.name, "installs", own, &exported.others);
    store_close(&store);
    return is_fine ? EXIT_FINE : EXIT_FOUND;
}

const command export_command = {
    .name = "export",
    .arguments = "STORE",
    .summary = "prints every install as a line of JSON",
    .help =
        "Prints every install as a line of JSON, in the order of the store's listing:\n"
        "  {\"install_id\":\"player-1\",\"details\":{...},\"record\":\"<base64>\"}\n"
        "\"record\" is what skan import takes over, to the byte; \"details\" are for people\n"
        "and other programs. A damaged record, or one of a newer libskan, has \"details\":\n"
        "null and \"error\", is named on standard error and makes the exit code 1. A bar\n"
        "shows how far it is where standard error is a terminal.\n"
        "Postbacks and entries of the outbox are left alone, which is said; where a store\n"
        "has nothing else, the exit code is 1.\n"
        "While others write, each line is right for some moment of the export. A store\n"
        "that lists a key twice (Redis may) gives its line twice; importing it twice is\n"
        "as good as once.\n\n" STORE_HELP,
    .run = run,
};

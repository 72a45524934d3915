/* The laws of the store kit, on a file, for both settings of durability:
 *   laws */
#include "files.h"
#include "support.h"

#include <skan/store_kit.h>

#include <stdlib.h>

typedef struct file {
    char *path;
    skan_sqlite_options options;
} file;

static skan_status open_file(void *context, skan_store *out) {
    const file *file = context;
    return skan_sqlite_store_open(file->path, &file->options, out, NULL);
}

static void keeps_the_laws(const void *subject) {
    bool is_full = *(const bool *)subject;
    file file = {file_named("laws.db"), quick()};
    file.options.synchronous = is_full ? SKAN_SQLITE_FULL : SKAN_SQLITE_NORMAL;
    skan_store_kit kit = {.size = sizeof kit, .context = &file, .open = open_file, .durable = true, .shared = true};
    kit.prefix = is_full ? NULL : "";
    kit.rounds = is_full ? 60 : 0;
    kit.steps = is_full ? 1000 : 0;
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    free(file.path);
}

int main(void) {
    static const bool normal = false, full = true; /* whether it waits for the disk */
    run_case("NORMAL", keeps_the_laws, &normal);
    run_case("FULL", keeps_the_laws, &full);
    return finish_cases();
}

#include "command.h"
#include "companions.h"
#include "messages.h"

#include <skan/sqlite.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define COMPANION "libskan-sqlite.so.1"

int open_sqlite(const char *url, store_use use, store *out) {
    const char *path = url + strlen("sqlite:");
    if (!path[0] || (path[0] == '/' && path[1] == '/' && path[2] != '/')) {
        complain(out->name, "expected sqlite:FILE, sqlite:players.db or sqlite:/var/lib/players.db for instance");
        return EXIT_USAGE;
    }
    /* The library refuses these too, but is not asked about a file that has to be there and is not. */
    bool is_memory = strcmp(path, ":memory:") == 0;
    if (is_memory || strncmp(path, "file:", 5) == 0) {
        complain(out->name, "expected sqlite:FILE, got SQLite's name for %s",
                 is_memory ? "memory of its own, which would end with this command" : "a URI; ./file:... is a file");
        return EXIT_USAGE;
    }
    struct stat found;
    if (use != STORE_FILLS && stat(path, &found) != 0) {
        complain(out->name, "%s", strerror(errno));
        return EXIT_FOUND;
    }
    skan_status (*open)(const char *, const skan_sqlite_options *, skan_store *, skan_error **) =
        (skan_status(*)(const char *, const skan_sqlite_options *, skan_store *, skan_error **))companion_find(
            out->name, COMPANION, "skan_sqlite_store_open");
    if (!open) return EXIT_FOUND;
    void (*close)(skan_store *) =
        (void (*)(skan_store *))companion_find(out->name, COMPANION, "skan_sqlite_store_close");
    if (!close) return EXIT_FOUND;
    skan_sqlite_options options = {.size = sizeof options,
                                   .synchronous = use == STORE_REMOVES ? SKAN_SQLITE_NORMAL : SKAN_SQLITE_FULL,
                                   .report = companion_report,
                                   .report_context = out};
    skan_error *error = NULL;
    if (open(path, &options, &out->hooks, &error) != SKAN_OK) return companion_refused(out, error);
    out->close = close;
    return EXIT_FINE;
}

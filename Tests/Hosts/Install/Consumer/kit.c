/* A program that found the installed store kit: it proves the installed SQLite store, in the file that it is given, and
 * says which library it used. */
#include <skan/sqlite.h>
#include <skan/store_kit.h>

#include <stdio.h>

static size_t laws;

static skan_status open_store(void *context, skan_store *out) {
    skan_sqlite_options options = {.size = sizeof options, .synchronous = SKAN_SQLITE_NORMAL};
    return skan_sqlite_store_open(context, &options, out, NULL);
}

static void count_law(void *context, const skan_store_kit_result *result) {
    (void)context;
    if (result->outcome == SKAN_STORE_KIT_PASSED) laws++;
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    skan_store_kit kit = {.size = sizeof kit, .context = arguments[1], .open = open_store, .report = count_law};
    kit.durable = kit.shared = true;
    kit.rounds = 10;
    kit.steps = 100;
    int broken = skan_store_kit_run(&kit);
    printf("libskan %s: %s\n", skan_version(), skan_status_name(broken == 0 && laws > 0 ? SKAN_OK : SKAN_ERROR_STORE));
    return broken == 0 && laws > 0 ? 0 : 1;
}

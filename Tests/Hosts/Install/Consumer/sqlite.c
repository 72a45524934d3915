/* A program that found the installed library and its SQLite store: it keeps an install in the file that it is given,
 * and says which library it used. */
#include <skan/sqlite.h>

#include <stdio.h>

int main(int count, char **arguments) {
    skan_store store;
    skan_engine *engine = NULL;
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    skan_status status = skan_sqlite_store_open(count > 1 ? arguments[1] : NULL, NULL, &store, &error);
    skan_options options = {.size = sizeof options, .store = &store, .endpoint_url = "https://skan.example.com"};
    if (status == SKAN_OK) status = skan_create(&options, &engine, &error);
    if (status == SKAN_OK) status = skan_register(engine, "player-1", NULL, &update, &error);
    printf("libskan %s: %s%s\n", skan_version(), skan_status_name(status), skan_error_message(error));
    skan_error_free(error);
    skan_destroy(engine);
    return status == SKAN_OK && update.id > 0 ? 0 : 1;
}

/* A program that found the installed library: it uses it, and says which one. */
#include <skan/skan.h>

#include <stdio.h>

int main(void) {
    skan_engine *engine = NULL;
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    skan_status status = skan_create(NULL, &engine, &error);
    if (status == SKAN_OK) status = skan_register(engine, "player-1", &update, &error);
    if (status == SKAN_OK) status = skan_update_revenue(engine, "player-1", 4.99, "USD", false, "order-1", &error);
    char *details = NULL;
    if (status == SKAN_OK) status = skan_details(engine, "player-1", &details, &error);
    printf("libskan %s: %s%s\n", skan_version(), skan_status_name(status), skan_error_message(error));
    skan_error_free(error);
    skan_free(details);
    skan_destroy(engine);
    return status == SKAN_OK && update.id == 1 ? 0 : 1;
}

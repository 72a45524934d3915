/* A program that found the installed library: it uses it, and says which one. */
#include <skan/skan.h>

#include <stdio.h>

int main(void) {
    skan_engine *engine = NULL;
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    const skan_options options = {.size = sizeof options, .endpoint_url = "https://skan.example.com"};
    const skan_amount amount = {.text = "4.99"};
    skan_status status = skan_create(&options, &engine, &error);
    if (status == SKAN_OK) status = skan_register(engine, "player-1", NULL, &update, &error);
    if (status == SKAN_OK)
        status = skan_update_revenue(engine, "player-1", amount, "USD", SKAN_IAP, "order-1", &error);
    char *details = NULL;
    if (status == SKAN_OK) status = skan_details(engine, "player-1", &details, &error);
    printf("libskan %s: %s%s\n", skan_version(), skan_status_name(status), skan_error_message(error));
    skan_error_free(error);
    skan_free(details);
    skan_destroy(engine);
    return status == SKAN_OK && update.id > 0 ? 0 : 1;
}

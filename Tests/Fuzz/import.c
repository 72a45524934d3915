/* A document to import: any bytes, for both protocols. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (uint32_t protocol = 3; protocol <= 4; protocol++) {
        int64_t *now;
        skan_engine *engine = lasting_engine(protocol, MAIN_ENGINE, &now);
        skan_error *error = NULL;
        char *empty = details_of(engine, "install");
        skan_status status = settled(skan_import_details(engine, "install", data, size, &error), error);
        char *details = details_of(engine, "install");
        if (status == SKAN_OK) {
            require_imports_again(protocol, details);
            skan_update update = {.size = sizeof update};
            skan_call call;
            REQUIRE(waiting_call(engine, "install", &call) == SKAN_NOTHING_PENDING);
            status = settled(skan_import_details(engine, "install", data, size, &error), error);
            REQUIRE(status == SKAN_ALREADY_REGISTERED);
            status = settled(skan_register(engine, "install", NULL, &update, &error), error);
            REQUIRE(status == SKAN_OK || status == SKAN_ALREADY_REGISTERED);
        } else {
            REQUIRE(status == SKAN_ERROR_INVALID_DOCUMENT || status == SKAN_ERROR_LIMIT_EXCEEDED);
            REQUIRE(strcmp(details, empty) == 0);
        }
        skan_free(details);
        skan_free(empty);
        forget(engine, "install");
    }
    return 0;
}

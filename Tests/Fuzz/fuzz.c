#include "fuzz.h"

skan_status settled(skan_status status, skan_error *error) {
    REQUIRE(strcmp(skan_status_name(status), "SKAN_UNKNOWN_STATUS") != 0);
    REQUIRE((error != NULL) == (status >= SKAN_ERROR_INVALID_ARGUMENT));
    REQUIRE(skan_error_code(error) == (error != NULL ? status : SKAN_OK));
    REQUIRE(error == NULL || skan_error_message(error)[0] != '\0');
    skan_error_free(error);
    return status;
}

uint8_t take_byte(input *input) {
    if (input->size == 0) return 0;
    input->size--;
    return *input->data++;
}

uint32_t take_number(input *input, uint32_t below) {
    uint32_t number = 0;
    for (uint32_t range = 1; range < below && range != 0; range <<= 8) number = number << 8 | take_byte(input);
    return number % below;
}

char *take_text(input *input, size_t most) {
    size_t length = take_number(input, (uint32_t)most + 1);
    char *text = malloc(length + 1);
    REQUIRE(text != NULL);
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = take_byte(input);
        text[i] = (char)(byte == 0 ? 'a' : byte);
    }
    text[length] = '\0';
    return text;
}

static int64_t show(void *context) { return *(int64_t *)context; }

skan_clock told_clock(int64_t *microseconds) {
    return (skan_clock){.size = sizeof(skan_clock), .context = microseconds, .now = show};
}

skan_engine *engine_with(const skan_options *options) {
    skan_engine *engine = NULL;
    skan_error *error = NULL;
    REQUIRE(settled(skan_create(options, &engine, &error), error) == SKAN_OK);
    return engine;
}

skan_engine *lasting_engine(uint32_t protocol, int purpose, int64_t **microseconds) {
    static skan_engine *engines[2][2];
    static int64_t times[2][2];
    skan_engine **place = &engines[purpose][protocol - 3];
    *microseconds = &times[purpose][protocol - 3];
    **microseconds = 1700000000000000;
    if (*place != NULL) return *place;
    skan_clock clock = told_clock(*microseconds);
    skan_options options = {.size = sizeof options,
                            .protocol = protocol,
                            .clock = &clock,
                            .endpoint_url = "https://skan.example.com",
                            .sdk_key = "key"};
    return *place = engine_with(&options);
}

skan_status waiting_call(skan_engine *engine, const char *install, skan_call *waiting) {
    skan_call calls[SKAN_CALLS_MAX] = {{.size = sizeof *calls}};
    size_t count = 77;
    skan_error *error = NULL;
    skan_status status =
        settled(skan_pending_calls(engine, install, NULL, calls, SKAN_CALLS_MAX, &count, &error), error);
    REQUIRE(count <= SKAN_CALLS_MAX && (count != 0) == (status == SKAN_OK));
    memset(waiting, 0, sizeof *waiting);
    for (size_t i = 0; i < count; i++)
        if (calls[i].conversion == 0 && calls[i].framework == SKAN_SKADNETWORK) *waiting = calls[i];
    return status;
}

void forget(skan_engine *engine, const char *install) {
    skan_error *error = NULL;
    REQUIRE(settled(skan_forget(engine, install, &error), error) == SKAN_OK);
}

char *details_of(skan_engine *engine, const char *install) {
    char *details = NULL;
    skan_error *error = NULL;
    REQUIRE(settled(skan_details(engine, install, &details, &error), error) == SKAN_OK);
    return details;
}

void require_imports_again(uint32_t protocol, const char *details) {
    int64_t *now;
    skan_engine *engine = lasting_engine(protocol, IMPORT_ENGINE, &now);
    skan_error *error = NULL;
    REQUIRE(settled(skan_import_details(engine, "again", details, strlen(details), &error), error) == SKAN_OK);
    char *again = details_of(engine, "again");
    REQUIRE(strcmp(details, again) == 0);
    skan_free(again);
    forget(engine, "again");
}

/* Linked in place of libskan's pause between attempts: it would only take time. */
void __wrap_support_pause(uint32_t microseconds);
void __wrap_support_pause(uint32_t microseconds) { (void)microseconds; }

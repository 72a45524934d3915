/* The article "Getting started" in C: a model in process, installs in an SQLite file, and an app that takes an update. */
// README: imports

#include <assert.h>
#include <stdio.h>

static skan_update sent;

static void send_to_app(const skan_update *update) {
    sent = *update;
}

static int fail(skan_error *error) {
    fprintf(stderr, "%s\n", skan_error_message(error));
    skan_error_free(error);
    return 1;
}

int main(void) {
    static char json[SKAN_MODEL_MAX];
    FILE *file = fopen("model.json", "rb");
    assert(file);
    const size_t json_length = fread(json, 1, sizeof json, file);
    fclose(file);
    // README: code
    assert(sent.id == 2 && sent.window == 0 && sent.fine_value == 16 && sent.coarse_value == 1);
    return 0;
}

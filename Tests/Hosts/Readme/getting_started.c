/* The article "Getting started" in C: a model in process, installs in an SQLite file, and an app that takes a list
 * of calls. */
// README: imports

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char sent[4096];

static void send_to_app(const char *calls) {
    assert(strlen(calls) < sizeof sent);
    strcpy(sent, calls);
}

/* The app made the calls that it was sent. */
static uint64_t id_from_app(void) {
    const char *id = strstr(sent, "\"id\":");
    assert(id);
    return strtoull(id + 5, NULL, 10);
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
    assert(strstr(sent, "\"fine_value\":16,\"coarse_value\":1,"));
    assert(strstr(sent, "\"SKAdNetwork\"") && strstr(sent, "\"AdAttributionKit\""));
    return 0;
}

#include "apps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS_MAX 64            /* of an app */
#define MODEL_BYTES_MAX 65536    /* Rules, "Model document" */

typedef struct app {
    struct app *next;
    char *name; /* NULL = every other app */
    struct {
        skan_model *models[MODELS_MAX];
        size_t count;
        skan *engine;
    } protocols[2]; /* SKAN 3, SKAN 4 */
} app;

struct apps {
    app *list;
    app *others;
    skan *test; /* the test endpoint of SKAN 3 */
    skan *none; /* SKAN 4 without models */
};

static app *add_app(apps *apps, const char *name) {
    app *made = calloc(1, sizeof *made);
    if (made && name && !(made->name = strdup(name))) {
        free(made);
        return NULL;
    }
    if (!made) return NULL;
    made->next = apps->list;
    apps->list = made;
    return made;
}

apps *apps_create(void) {
    apps *made = calloc(1, sizeof *made);
    if (made && !(made->others = add_app(made, NULL))) {
        free(made);
        return NULL;
    }
    return made;
}

void apps_destroy(apps *apps) {
    while (apps->list) {
        app *ended = apps->list;
        apps->list = ended->next;
        for (int i = 0; i < 2; i++) {
            skan_destroy(ended->protocols[i].engine);
            for (size_t k = 0; k < ended->protocols[i].count; k++)
                skan_model_destroy(ended->protocols[i].models[k]);
        }
        free(ended->name);
        free(ended);
    }
    skan_destroy(apps->test);
    skan_destroy(apps->none);
    free(apps);
}

static app *find_app(const apps *apps, const char *name) {
    for (app *app = apps->list; app; app = app->next)
        if (name ? app->name && strcmp(app->name, name) == 0 : app == apps->others) return app;
    return NULL;
}

/* ----------------------------------------------------------------------------------------------------------- models */

static skan_model *read_model(const char *file, char trouble[APPS_TROUBLE_MAX]) {
    FILE *in = fopen(file, "rb");
    char *json = malloc(MODEL_BYTES_MAX + 1);
    skan_model *model = NULL;
    size_t length = in && json ? fread(json, 1, MODEL_BYTES_MAX + 1, in) : 0;
    if (!in || !json || ferror(in)) {
        snprintf(trouble, APPS_TROUBLE_MAX, "%s: %s", file, strerror(errno));
    } else {
        skan_error *error = NULL;
        if (skan_model_create(json, length, &model, &error) != SKAN_OK)
            snprintf(trouble, APPS_TROUBLE_MAX, "%s: %s", file, skan_error_message(error));
        skan_error_free(error);
    }
    free(json);
    if (in) fclose(in);
    return model;
}

/* 3 or 4; 0, and trouble, where no engine takes the model. */
static int protocol_of(skan_model *model, const char *file, char trouble[APPS_TROUBLE_MAX]) {
    for (uint32_t protocol = 4; protocol >= 3; protocol--) {
        skan_options options = {.size = sizeof options, .protocol = protocol, .models = &model, .model_count = 1};
        skan *engine = NULL;
        skan_error *error = NULL;
        skan_status status = skan_create(&options, &engine, &error);
        if (status != SKAN_OK) snprintf(trouble, APPS_TROUBLE_MAX, "%s: %s", file, skan_error_message(error));
        skan_error_free(error);
        skan_destroy(engine);
        if (status == SKAN_OK) return (int)protocol;
    }
    return 0;
}

bool apps_add_model(apps *apps, const char *name, const char *file, char trouble[APPS_TROUBLE_MAX]) {
    skan_model *model = read_model(file, trouble);
    if (!model) return false;
    int protocol = protocol_of(model, file, trouble);
    app *app = find_app(apps, name);
    if (!app && protocol) app = add_app(apps, name);
    if (!app) snprintf(trouble, APPS_TROUBLE_MAX, "%s: out of memory", file);
    if (app && protocol && app->protocols[protocol - 3].count == MODELS_MAX) {
        snprintf(trouble, APPS_TROUBLE_MAX, "%s: expected at most %d models for an app", file, MODELS_MAX);
        protocol = 0;
    }
    if (!app || !protocol) {
        skan_model_destroy(model);
        return false;
    }
    app->protocols[protocol - 3].models[app->protocols[protocol - 3].count++] = model;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- engines */

static bool open_engine(const skan_store *store, const skan_clock *clock, uint32_t protocol,
                        skan_model *const *models, size_t count, skan **engine,
                        char trouble[APPS_TROUBLE_MAX]) {
    skan_options options = {
        .size = sizeof options, .protocol = protocol, .store = store, .clock = clock, .model_count = count};
    if (count > 0) options.models = models;
    skan_error *error = NULL;
    skan_status status = skan_create(&options, engine, &error);
    if (status != SKAN_OK) snprintf(trouble, APPS_TROUBLE_MAX, "%s", skan_error_message(error));
    skan_error_free(error);
    return status == SKAN_OK;
}

bool apps_open(apps *apps, const skan_store *store, const skan_clock *clock, char trouble[APPS_TROUBLE_MAX]) {
    /* The engines borrow both. */
    skan_store borrowed_store = {0};
    skan_clock borrowed_clock = {0};
    if (store) borrowed_store = *store, borrowed_store.finalize = NULL, store = &borrowed_store;
    if (clock) borrowed_clock = *clock, borrowed_clock.finalize = NULL, clock = &borrowed_clock;
    bool has_models_of_3 = false;
    for (app *app = apps->list; app; app = app->next)
        for (int i = 0; i < 2; i++) {
            size_t count = app->protocols[i].count;
            if (count == 0) continue;
            if (i == 0) has_models_of_3 = true;
            if (!open_engine(store, clock, (uint32_t)i + 3, app->protocols[i].models, count,
                             &app->protocols[i].engine, trouble))
                return false;
        }
    if (!has_models_of_3 && !open_engine(store, clock, 3, NULL, 0, &apps->test, trouble)) return false;
    return open_engine(store, clock, 4, NULL, 0, &apps->none, trouble);
}

skan *apps_engine(const apps *apps, const char *name, int protocol) {
    app *app = name ? find_app(apps, name) : NULL;
    skan *engine = app ? app->protocols[protocol - 3].engine : NULL;
    if (!engine) engine = apps->others->protocols[protocol - 3].engine;
    if (!engine) engine = protocol == 3 ? apps->test : apps->none;
    return engine;
}

#include "values.h"

#include "../Command/command.h"
#include "../Command/memory.h"
#include "../Command/messages.h"

#include <stdlib.h>
#include <string.h>

typedef struct json_object json;

static bool window_speaks_of_revenue(const model_file *file, int window) {
    for (size_t number = 0; number < model_rule_count(file, window); number++) {
        json *revenue = model_member(model_member(model_rule(file, window, (int64_t)number), "when"), "revenue");
        if (revenue && json_object_array_length(revenue) > 0) return true;
    }
    return false;
}

int value_models_add(value_models *models, const char *path) {
    models->models = memory_grow(models->models, (models->count + 1) * sizeof *models->models);
    value_model *model = &models->models[models->count];
    memset(model, 0, sizeof *model);
    int code = model_file_open(path, &model->file);
    if (code != EXIT_FINE) return code;
    models->count++;
    if (models->currency && strcmp(models->currency, model->file.currency) != 0) {
        complain(path, "expected %s, the currency of the models before, got %s", models->currency,
                 model->file.currency);
        return EXIT_FOUND;
    }
    models->currency = model->file.currency;
    for (int window = 0; window < model->file.windows; window++)
        model->speaks_of_revenue[window] = window_speaks_of_revenue(&model->file, window);
    return EXIT_FINE;
}

void value_models_free(value_models *models) {
    for (size_t index = 0; index < models->count; index++) model_file_close(&models->models[index].file);
    free(models->models);
    memset(models, 0, sizeof *models);
}

value_model *value_models_find(const value_models *models, const char *version) {
    for (size_t index = 0; index < models->count; index++)
        if (strcmp(skan_model_version(models->models[index].file.model), version) == 0) return &models->models[index];
    return NULL;
}

enum { IAP, AD, ALL, KINDS };

/* Where several ranges hold for one amount, all of them do: scopes are one in window 0. False where a range is none. */
static bool narrow(worth *range, json *document) {
    worth told = {.kind = WORTH_KNOWN, .is_open = true};
    json *min = model_member(document, "min"), *max = model_member(document, "max");
    if (min && !money_read(json_object_get_string(min), &told.least)) return false;
    if (max && !money_read(json_object_get_string(max), &told.most)) return false;
    told.is_open = !max;
    if (range->kind == WORTH_NOT_ASKED) {
        *range = told;
        return true;
    }
    if (told.least > range->least) range->least = told.least;
    if (!told.is_open && (range->is_open || told.most < range->most)) range->most = told.most;
    range->is_open = range->is_open && told.is_open;
    return true;
}

static int kind_of(json *range) {
    const char *name = json_object_get_string(model_member(range, "kind"));
    return strcmp(name, "all") == 0 ? ALL : strcmp(name, "ad") == 0 ? AD : IAP;
}

/* Of purchases and ads together where that is told, else of both apart. Revenue since the install is the window's own
 * in window 0 alone. A value of which no range is told is worth nothing for certain, and has no upper limit. */
static worth worth_of_ranges(json *ranges, int window) {
    worth kinds[KINDS] = {{.kind = WORTH_NOT_ASKED}};
    bool is_cumulative = false;
    for (size_t index = 0; index < json_object_array_length(ranges); index++) {
        json *range = json_object_array_get_idx(ranges, index);
        bool is_lifetime = strcmp(json_object_get_string(model_member(range, "scope")), "lifetime") == 0;
        is_cumulative |= is_lifetime && window > 0;
        if (is_lifetime && window > 0) continue;
        if (!narrow(&kinds[kind_of(range)], range)) return (worth){.kind = WORTH_UNDECODABLE};
    }
    if (kinds[ALL].kind == WORTH_KNOWN) return kinds[ALL];
    worth sum = {.kind = WORTH_NOT_ASKED};
    for (int kind = IAP; kind <= AD; kind++) {
        if (kinds[kind].kind != WORTH_KNOWN) continue;
        sum.kind = WORTH_KNOWN;
        sum.is_open |= kinds[kind].is_open;
        if (!money_add(&sum.least, kinds[kind].least) || !money_add(&sum.most, kinds[kind].most))
            return (worth){.kind = WORTH_UNDECODABLE};
    }
    if (sum.kind == WORTH_KNOWN) return sum;
    return is_cumulative ? (worth){.kind = WORTH_CUMULATIVE} : (worth){.kind = WORTH_KNOWN, .is_open = true};
}

static worth ask(const value_model *model, int window, int fine, int coarse) {
    char *text = NULL;
    worth found = {.kind = WORTH_UNDECODABLE};
    if (skan_model_decode(model->file.model, window, fine, coarse, &text, NULL) == SKAN_OK) {
        json *decoded = json_tokener_parse(text);
        json *ranges = model_member(model_member(decoded, "envelope"), "revenue");
        if (!model->speaks_of_revenue[window])
            found.kind = WORTH_NO_REVENUE;
        else if (ranges)
            found = worth_of_ranges(ranges, window);
        found.is_registration = json_object_get_boolean(model_member(decoded, "registration"));
        json_object_put(decoded);
    }
    skan_free(text);
    return found;
}

const worth *value_worth(value_model *model, int window, int fine, int coarse) {
    worth *known = &model->worths[(window * 65 + fine + 1) * 4 + coarse + 1];
    if (known->kind == WORTH_NOT_ASKED) *known = ask(model, window, fine, coarse);
    return known;
}

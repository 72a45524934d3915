#include "model_trial.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

#define INSTALL "install"

static int64_t read_clock(void *context) {
    return *(const int64_t *)context;
}

bool model_trial_begin(model_trial *trial, const model_file *file, skan_error **error) {
    *trial = (model_trial){.file = file, .now = memory_take(sizeof *trial->now)};
    skan_clock clock = {.size = sizeof clock, .context = trial->now, .now = read_clock, .finalize = free};
    skan_options options = {.size = sizeof options, .protocol = file->protocol, .clock = &clock,
                            .models = &file->model, .model_count = 1};
    return skan_create(&options, &trial->engine, error) == SKAN_OK;
}

void model_trial_end(model_trial *trial) {
    skan_destroy(trial->engine);
    memset(trial, 0, sizeof *trial);
}

static skan_status take(skan *engine, const model_step *step, skan_update *update, skan_error **error) {
    switch (step->kind) {
    case STEP_REGISTER: return skan_register(engine, INSTALL, update, error);
    case STEP_REVENUE:
        return skan_update_revenue(engine, INSTALL, step->amount, step->currency, step->is_ad, step->id, error);
    case STEP_EVENT:
    case STEP_SESSION:
        return skan_update_conversion_values(engine, INSTALL, step->event, step->id, NULL, update, error);
    }
    return SKAN_ERROR_INVALID_ARGUMENT;
}

bool model_trial_step(model_trial *trial, const model_step *step, model_result *result, skan_error **error) {
    memset(result, 0, sizeof *result);
    result->update.size = sizeof result->update;
    *trial->now = step->time * 1000000;
    result->status = take(trial->engine, step, &result->update, error);
    if (result->status >= SKAN_ERROR_INVALID_ARGUMENT) return false;
    char *details = NULL;
    result->seen_status = skan_explain(trial->engine, INSTALL, &result->seen, error);
    if (result->seen_status >= SKAN_ERROR_INVALID_ARGUMENT) return false;
    if (skan_details(trial->engine, INSTALL, &details, error) != SKAN_OK) return false;
    if (result->seen) result->view = json_tokener_parse(result->seen);
    result->details = json_tokener_parse(details);
    skan_free(details);
    return true;
}

void model_result_end(model_result *result) {
    json_object_put(result->view);
    json_object_put(result->details);
    skan_free(result->seen);
    memset(result, 0, sizeof *result);
}

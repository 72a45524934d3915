/* One install that lives through a history, in memory, and what its conversion model makes of each step. */
#ifndef MODEL_TRIAL_H
#define MODEL_TRIAL_H

#include "model_file.h"
#include "model_step.h"

typedef struct model_trial {
    const model_file *file;
    skan *engine;
    int64_t *now; /* microseconds, the clock's */
} model_trial;

/* What a step came to. The texts are JSON. */
typedef struct model_result {
    skan_status status;
    skan_update update;       /* id 0 = none */
    char *seen;               /* what skan_explain gives after the step; NULL = the model sees nothing */
    skan_status seen_status;  /* why not */
    struct json_object *view; /* the same, for whole numbers and texts: amounts are in `seen` */
    struct json_object *details;
} model_result;

bool model_trial_begin(model_trial *trial, const model_file *file, skan_error **error);
void model_trial_end(model_trial *trial);

/* Does the step. False where the library does not take it: `error` says why, and nothing happened. */
bool model_trial_step(model_trial *trial, const model_step *step, model_result *result, skan_error **error);
void model_result_end(model_result *result);

#endif

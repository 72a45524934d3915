/* Why a step gave an update, or none. */
#ifndef MODEL_REASON_H
#define MODEL_REASON_H

#include "model_trial.h"

#include <stdio.h>

/* Writes why there is no update, nothing where there is one. */
void model_reason_print(FILE *out, const model_file *file, const model_step *step, const model_result *result);

/* The day of the install's life, 0 first; -1 where it is not registered. */
int64_t model_day(const model_step *step, const model_result *result);

/* Whether the model counts this event; sessions are always counted. */
bool model_counts(const model_step *step, const model_result *result);

#endif

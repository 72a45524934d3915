/* What a value is worth: the revenue that a conversion model says of it. */
#ifndef REPORT_VALUES_H
#define REPORT_VALUES_H

#include "../Command/model_file.h"
#include "money.h"

typedef enum worth_kind {
    WORTH_NOT_ASKED = 0,
    WORTH_KNOWN,
    WORTH_UNDECODABLE, /* no rule has the value */
    WORTH_NO_REVENUE,  /* the window's rules do not speak of revenue */
    WORTH_CUMULATIVE   /* windows 1 and 2: revenue since the install, which window 0 has counted already */
} worth_kind;

/* Revenue from `least` up to, not including, `most`. */
typedef struct worth {
    worth_kind kind;
    bool is_open; /* there is no `most` */
    bool is_registration; /* registering alone gives the value too, and says nothing of revenue */
    money least;
    money most;
} worth;

#define VALUE_WORTHS (MODEL_WINDOWS * 65 * 4) /* windows, fine values or none, coarse values or none */

typedef struct value_model {
    model_file file;
    bool speaks_of_revenue[MODEL_WINDOWS];
    worth worths[VALUE_WORTHS]; /* those asked before */
} value_model;

typedef struct value_models {
    value_model *models;
    size_t count;
    const char *currency; /* of all; NULL without models */
} value_models;

/* Adds a model's file. Answers EXIT_FINE, or says what is wrong, another currency than the first one's too, and
 * answers EXIT_FOUND. */
int value_models_add(value_models *models, const char *path);
void value_models_free(value_models *models);

/* By its version; NULL where it was not given. */
value_model *value_models_find(const value_models *models, const char *version);

/* Values of a postback, -1 = hidden, one of them not. */
const worth *value_worth(value_model *model, int window, int fine, int coarse);

#endif

/* A line of a history: what an install did, and when. */
#ifndef MODEL_STEP_H
#define MODEL_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum step_kind { STEP_REGISTER, STEP_EVENT, STEP_SESSION, STEP_REVENUE } step_kind;

/* A member of the line; kind is skan.h's SKAN_JSON_NULL where it is not there. */
typedef struct step_value {
    char *text; /* of a string its content, of others as it stands; NULL where it is not there */
    size_t length;
    int32_t kind;
} step_value;

/* The keys that a line may have; the first are its step_kind. */
enum { KEY_TIME = STEP_REVENUE + 1, KEY_CURRENCY, KEY_AD, KEY_ID, STEP_KEYS };

typedef struct model_step {
    step_value values[STEP_KEYS]; /* they own the texts */
    char *unknown;                /* the first key that is none of them */
    uint64_t number;              /* of the line */
    int64_t time;                 /* Unix seconds */
    const char *written_time;     /* as it stands there; NULL = that of the line before */
    step_kind kind;
    const char *event; /* NULL but for STEP_EVENT */
    const char *id;    /* NULL = none */
    double amount;
    const char *written_amount; /* as it stands there */
    const char *currency;
    bool is_ad;
} model_step;

/* The last line that was right. */
typedef struct model_before {
    int64_t time;    /* -1 = there was none */
    uint64_t number; /* of the line */
} model_before;

/* Reads the line, or writes into `why` what is wrong with it. model_step_end in both cases. */
bool model_step_read(const model_before *before, const char *text, size_t length, uint64_t number, model_step *step,
                     char *why, size_t size);
void model_step_end(model_step *step);

#endif

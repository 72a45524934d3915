/* What conversion models say, in words. */
#ifndef MODEL_WORDS_H
#define MODEL_WORDS_H

#include "model_file.h"

#include <stdio.h>

/* "low", "medium", "high". */
const char *coarse_word(int64_t value);
/* 0 to 2, also by name; -1 where the text is none. */
int coarse_named(const char *text);

/* "days 0 and 1"; "open until 24 hours pass without a new value" in SKAN 3. */
const char *window_days(const model_file *file, int window);

/* "$5", "5 EUR": the amount as it is written. */
void money_print(FILE *out, const char *amount, const char *currency);

/* "tutorial_complete, 3+ sessions, $5 to $10 IAP": a rule's conditions or an envelope; `nothing` where none is said. */
void conditions_print(FILE *out, struct json_object *when, const char *currency, const char *nothing);

/* Whether the conditions hold for everyone: conditions_print writes `nothing`. */
bool conditions_are_none(struct json_object *when);

/* "fine 5, coarse medium, locks the window": -1 for values that are not there. */
void value_print(FILE *out, int64_t fine, int64_t coarse, bool locks);
void rule_value_print(FILE *out, struct json_object *rule);

/* "0, 3 to 5": the places that are true; how many they are. */
int numbers_print(FILE *out, const bool *places, int count);

#endif

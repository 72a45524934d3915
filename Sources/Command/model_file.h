/* A conversion model's file: the model, and what the command tells of it. */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include <skan/skan.h>

#include <json-c/json.h>
#include <stdbool.h>

#define MODEL_WINDOWS 3

typedef struct model_file {
    const char *name;
    skan_model *model;
    struct json_object *document;
    const char *id;
    uint32_t protocol; /* 4 or 3 */
    const char *currency;
    bool raises_only;
    struct json_object *rates; /* NULL = none */
    int windows;               /* three, or one in SKAN 3 */
    /* Of each window an array: the rules by their numbers, as skan_model_decode gives them. */
    struct json_object *rules[MODEL_WINDOWS];
} model_file;

/* Reads FILE, "-" is standard input. Answers EXIT_FINE, or says what is wrong and answers EXIT_FOUND. */
int model_file_open(const char *path, model_file *file);
void model_file_close(model_file *file);

/* NULL where there is none, or null. */
struct json_object *model_member(struct json_object *object, const char *key);
/* `otherwise` where there is none, or null. */
int64_t model_number(struct json_object *object, const char *key, int64_t otherwise);

size_t model_rule_count(const model_file *file, int window);
/* NULL for a number that no rule has. */
struct json_object *model_rule(const model_file *file, int window, int64_t number);

/* Rules, "Model decode": registering alone gives fine 0 in window 0 too. The rule of that value, NULL = none. */
#define MODEL_REGISTRATION_FINE 0
struct json_object *model_registration_rule(const model_file *file);

/* Whether any rule asks for revenue. */
bool model_asks_revenue(const model_file *file);

#endif

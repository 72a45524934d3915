#include "model_file.h"

#include "command.h"
#include "memory.h"
#include "messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_object json;

json *model_member(json *object, const char *key) {
    json *found = NULL;
    json_object_object_get_ex(object, key, &found);
    return found;
}

int64_t model_number(json *object, const char *key, int64_t otherwise) {
    json *found = model_member(object, key);
    return found ? json_object_get_int64(found) : otherwise;
}

size_t model_rule_count(const model_file *file, int window) {
    return window < file->windows ? json_object_array_length(file->rules[window]) : 0;
}

json *model_rule(const model_file *file, int window, int64_t number) {
    if (number < 0 || (uint64_t)number >= model_rule_count(file, window)) return NULL;
    return json_object_array_get_idx(file->rules[window], (size_t)number);
}

json *model_registration_rule(const model_file *file) {
    for (size_t number = 0; number < model_rule_count(file, 0); number++) {
        json *rule = model_rule(file, 0, (int64_t)number);
        if (model_number(rule, "fine", -1) == MODEL_REGISTRATION_FINE) return rule;
    }
    return NULL;
}

bool model_asks_revenue(const model_file *file) {
    for (int window = 0; window < file->windows; window++)
        for (size_t number = 0; number < model_rule_count(file, window); number++) {
            json *when = model_member(model_rule(file, window, (int64_t)number), "when");
            if (json_object_array_length(model_member(when, "revenue")) > 0) return true;
        }
    return false;
}

/* One byte more than a model may have, so that the library refuses what is longer. */
static bool read_bytes(const char *path, const char *name, char **bytes, size_t *length) {
    bool is_input = strcmp(path, "-") == 0;
    errno = 0;
    FILE *in = is_input ? stdin : fopen(path, "rb");
    *bytes = NULL;
    if (in) {
        *bytes = memory_take(SKAN_MODEL_MAX + 1);
        *length = fread(*bytes, 1, SKAN_MODEL_MAX + 1, in);
    }
    bool is_read = in && !ferror(in);
    if (!is_read) complain(name, "%s", errno ? strerror(errno) : "could not be read");
    if (in && !is_input) fclose(in);
    return is_read;
}

static void keep_rules(model_file *file, int window, int fine, int coarse) {
    char *text = NULL;
    if (skan_model_decode(file->model, window, fine, coarse, &text, NULL) != SKAN_OK) return;
    json *decoded = json_tokener_parse(text);
    json *rules = model_member(decoded, "rules");
    for (size_t index = 0; rules && index < json_object_array_length(rules); index++) {
        json *rule = json_object_array_get_idx(rules, index);
        json_object_array_put_idx(file->rules[window], (size_t)model_number(rule, "rule", 0), json_object_get(rule));
    }
    json_object_put(decoded);
    skan_free(text);
}

/* Every rule of window 0 has a fine value, every other one a coarse value. */
static void keep_all_rules(model_file *file) {
    for (int window = 0; window < file->windows; window++) file->rules[window] = json_object_new_array();
    for (int fine = 0; fine < 64; fine++) keep_rules(file, 0, fine, -1);
    for (int window = 1; window < file->windows; window++)
        for (int coarse = 0; coarse < 3; coarse++) keep_rules(file, window, -1, coarse);
}

/* The library has checked the document: what is there has its type and range. */
static bool read_document(model_file *file, const char *bytes, size_t length) {
    struct json_tokener *tokener = json_tokener_new();
    if (tokener) file->document = json_tokener_parse_ex(tokener, bytes, (int)length);
    if (tokener) json_tokener_free(tokener);
    if (!file->document) return false;
    json *currency = model_member(file->document, "currency");
    json *raises_only = model_member(file->document, "raise_only");
    file->id = json_object_get_string(model_member(file->document, "id"));
    file->protocol = (uint32_t)model_number(file->document, "protocol", 4);
    file->windows = file->protocol == 3 ? 1 : MODEL_WINDOWS;
    file->currency = currency ? json_object_get_string(currency) : "USD";
    file->raises_only = !raises_only || json_object_get_boolean(raises_only);
    file->rates = model_member(file->document, "rates");
    return true;
}

int model_file_open(const char *path, model_file *file) {
    memset(file, 0, sizeof *file);
    file->name = strcmp(path, "-") == 0 ? "standard input" : path;
    char *bytes = NULL;
    size_t length = 0;
    skan_error *error = NULL;
    bool is_fine = read_bytes(path, file->name, &bytes, &length);
    if (is_fine && skan_model_create(bytes, length, &file->model, &error) != SKAN_OK) {
        complain(file->name, "%s", skan_error_message(error));
        is_fine = false;
    } else if (is_fine && !read_document(file, bytes, length)) {
        complain(file->name, "its JSON could not be read");
        is_fine = false;
    }
    if (is_fine) keep_all_rules(file);
    skan_error_free(error);
    free(bytes);
    if (!is_fine) model_file_close(file);
    return is_fine ? EXIT_FINE : EXIT_FOUND;
}

void model_file_close(model_file *file) {
    for (int window = 0; window < MODEL_WINDOWS; window++) json_object_put(file->rules[window]);
    json_object_put(file->document);
    skan_model_destroy(file->model);
    memset(file, 0, sizeof *file);
}

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "thread.h"

/* A json-c object whose values print texts that change from call to call. */
struct support_document {
    const char *const *keys;
    struct json_object *object;
    /* Bytes of the printed object beside its values. */
    size_t frame;
    struct support_text values[];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_thread_end;
static bool has_key;

static void free_documents(void *documents) {
    for (int slot = 0; slot < SUPPORT_DOCUMENTS; slot++) {
        support_document_free(((struct support_document **)documents)[slot]);
        ((struct support_document **)documents)[slot] = NULL;
    }
}

static void create_key(void) { has_key = pthread_key_create(&at_thread_end, free_documents) == 0; }

void support_document_free(struct support_document *document) {
    if (document == NULL) return;
    json_object_put(document->object);
    free(document);
}

/* json-c calls this to print a value: the text goes in as it is. */
static int print_text(struct json_object *value, struct printbuf *out, int level, int flags) {
    const struct support_text *text = json_object_get_userdata(value);
    (void)level, (void)flags;
    return printbuf_memappend(out, text->start, (int)text->length);
}

static struct support_document *document_create(const char *const *keys, size_t count) {
    struct support_document *document = calloc(1, sizeof *document + count * sizeof document->values[0]);
    if (document == NULL) return NULL;
    document->keys = keys;
    document->object = json_object_new_object();
    if (document->object == NULL) {
        free(document);
        return NULL;
    }
    document->frame = 2;
    for (size_t index = 0; index < count; index++) {
        document->frame += strlen(keys[index]) + (index == 0 ? 3 : 4);
        struct json_object *value = json_object_new_boolean(0);
        if (value == NULL) {
            support_document_free(document);
            return NULL;
        }
        json_object_set_serializer(value, print_text, &document->values[index], NULL);
        if (json_object_object_add_ex(document->object, keys[index], value,
                                      JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY) != 0) {
            json_object_put(value);
            support_document_free(document);
            return NULL;
        }
    }
    return document;
}

char *support_print_object(const char *const *keys, const struct support_text *values, size_t count,
                           size_t *length) {
    struct support_document **documents = support_thread.documents;
    int slot = 0;
    while (slot < SUPPORT_DOCUMENTS && documents[slot] != NULL && documents[slot]->keys != keys) slot++;
    if (slot == SUPPORT_DOCUMENTS) return NULL;
    if (documents[slot] == NULL) {
        pthread_once(&once, create_key);
        /* The thread's end frees the documents. Without a key they would leak: better no document. */
        if (!has_key || pthread_setspecific(at_thread_end, documents) != 0) return NULL;
        documents[slot] = document_create(keys, count);
        if (documents[slot] == NULL) return NULL;
    }
    struct support_document *document = documents[slot];
    memcpy(document->values, values, count * sizeof *values);
    const char *text = json_object_to_json_string_length(document->object, JSON_C_TO_STRING_PLAIN, length);
    if (text == NULL) return NULL;
    /* json-c does not say so when memory fails in the middle of an object. */
    size_t expected = document->frame;
    for (size_t index = 0; index < count; index++) expected += values[index].length;
    if (*length != expected) return NULL;
    char *copy = malloc(*length + 1);
    if (copy != NULL) memcpy(copy, text, *length + 1);
    return copy;
}

/* The next number of a JSON document; its length, 0 where none follows. */
static size_t next_number(const char **text, const char *end) {
    const char *at = *text;
    while (at < end && *at != '-' && (*at < '0' || *at > '9')) {
        if (*at++ != '"') continue;
        while (at < end && *at != '"') at += *at == '\\' ? 2 : 1;
        at++;
    }
    *text = at < end ? at : end;
    const char *last = *text;
    while (last < end && memchr("+-.eE0123456789", *last, 15) != NULL) last++;
    return (size_t)(last - *text);
}

/* Whether json-c has as many digits as the document: more than 18 may be more than it holds. */
static bool is_short_integer(const char *number, size_t length) {
    return length <= 18 || memchr(number, '.', length) != NULL || memchr(number, 'e', length) != NULL ||
           memchr(number, 'E', length) != NULL;
}

/* json-c keeps the spelling of numbers with a fraction or an exponent, and takes whole ones to 64 bits: these are
 * printed as they were written. Goes through the tree in the document's order. False where memory fails. */
static bool keep_spelling(struct json_object *json, const char **text, const char *end) {
    bool is_fine = true;
    if (json_object_is_type(json, json_type_array)) {
        size_t count = json_object_array_length(json);
        for (size_t index = 0; index < count && is_fine; index++)
            is_fine = keep_spelling(json_object_array_get_idx(json, index), text, end);
    } else if (json_object_is_type(json, json_type_object)) {
        struct json_object_iterator member = json_object_iter_begin(json);
        struct json_object_iterator last = json_object_iter_end(json);
        for (; is_fine && !json_object_iter_equal(&member, &last); json_object_iter_next(&member))
            is_fine = keep_spelling(json_object_iter_peek_value(&member), text, end);
    } else if (json_object_is_type(json, json_type_int) || json_object_is_type(json, json_type_double)) {
        size_t length = next_number(text, end);
        if (!is_short_integer(*text, length)) {
            char *spelling = strndup(*text, length);
            is_fine = spelling != NULL;
            if (is_fine)
                json_object_set_serializer(json, json_object_userdata_to_json_string, spelling,
                                           json_object_free_userdata);
        }
        *text += length;
    }
    return is_fine;
}

/* Whether any number needs it. */
static bool has_long_integer(const char *text, const char *end) {
    size_t length;
    while ((length = next_number(&text, end)) > 0) {
        if (!is_short_integer(text, length)) return true;
        text += length;
    }
    return false;
}

struct json_object *support_read_json(const char *text, size_t length) {
    /* One level more than libskan's own check lets through, since json-c counts a level for scalars. */
    struct json_tokener *tokener = json_tokener_new_ex(64);
    if (tokener == NULL) return NULL;
    struct json_object *json = json_tokener_parse_ex(tokener, text, (int)length);
    if (json_tokener_get_error(tokener) != json_tokener_success) {
        json_object_put(json);
        json = NULL;
    }
    json_tokener_free(tokener);
    const char *number = text;
    if (json != NULL && has_long_integer(text, text + length) && !keep_spelling(json, &number, text + length)) {
        json_object_put(json);
        json = NULL;
    }
    return json;
}

void support_free_json(struct json_object *json) { json_object_put(json); }

enum support_json_kind support_json_kind(const struct json_object *json) {
    switch (json_object_get_type(json)) {
    case json_type_boolean: return SUPPORT_JSON_BOOLEAN;
    case json_type_int:
    case json_type_double: return SUPPORT_JSON_NUMBER;
    case json_type_string: return SUPPORT_JSON_TEXT;
    case json_type_array: return SUPPORT_JSON_ARRAY;
    case json_type_object: return SUPPORT_JSON_OBJECT;
    case json_type_null: break;
    }
    return SUPPORT_JSON_NULL;
}

struct json_object *support_json_member(const struct json_object *json, const char *key) {
    struct json_object *value = NULL;
    json_object_object_get_ex(json, key, &value);
    return value;
}

const char *support_json_text(struct json_object *json, size_t *length) {
    if (json_object_is_type(json, json_type_string)) {
        *length = (size_t)json_object_get_string_len(json);
        return json_object_get_string(json);
    }
    const char *text = json_object_to_json_string_length(json, JSON_C_TO_STRING_PLAIN, length);
    return text == NULL ? (*length = 0, "") : text;
}

size_t support_json_count(const struct json_object *json) {
    return json_object_is_type(json, json_type_array) ? json_object_array_length(json) : 0;
}

struct json_object *support_json_element(const struct json_object *json, size_t index) {
    return json_object_array_get_idx(json, index);
}

void support_json_each(struct json_object *json, void *context,
                       bool (*body)(void *context, const char *key, struct json_object *value)) {
    struct json_object_iterator member = json_object_iter_begin(json);
    struct json_object_iterator end = json_object_iter_end(json);
    for (; !json_object_iter_equal(&member, &end); json_object_iter_next(&member)) {
        if (!body(context, json_object_iter_peek_name(&member), json_object_iter_peek_value(&member))) return;
    }
}

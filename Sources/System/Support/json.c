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

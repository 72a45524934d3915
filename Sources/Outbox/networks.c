#include "networks.h"

#include "template.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 4 << 20, NETWORKS_MAX = 1000, IDS_MAX = 1000, ID_BYTES_MAX = 128 };

struct networks {
    network *list;
    size_t count;
    size_t partner_count; /* of all of them */
};

/* Where in the file something is, for messages. */
typedef struct place {
    const char *file;
    char where[128];
    char *trouble;
} place;

static bool wrong(const place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(const place *place, const char *format, ...) {
    char words[256];
    va_list values;
    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    snprintf(place->trouble, NETWORKS_TROUBLE_MAX, "%s: %s%s%s", place->file, place->where, *place->where ? ": " : "",
             words);
    return false;
}

/* ----------------------------------------------------------------------------------------------------------- tokens */

static bool read_token_file(const place *place, const char *path, char *text, size_t size) {
    FILE *in = fopen(path, "rb");
    size_t length = in ? fread(text, 1, size - 1, in) : 0;
    bool is_read = in && !ferror(in);
    if (!is_read) wrong(place, "%s: %s", path, strerror(errno));
    if (in) fclose(in);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) length--;
    text[length] = '\0';
    return is_read;
}

static bool read_token(const place *place, const char *source, token *token) {
    char text[TOKEN_BYTES_MAX + 3]; /* with a line's end */
    if (strncmp(source, "file:", 5) == 0) {
        if (!read_token_file(place, source + 5, text, sizeof text)) return false;
    } else if (strncmp(source, "env:", 4) == 0) {
        const char *value = getenv(source + 4);
        if (!value) return wrong(place, "the environment variable %s is not set", source + 4);
        snprintf(text, sizeof text, "%s", value);
    } else {
        /* What stands there may be a token. */
        return wrong(place, "expected env:NAME or file:PATH, got something else");
    }
    size_t length = strlen(text);
    if (length < TOKEN_BYTES_MIN || length > TOKEN_BYTES_MAX)
        return wrong(place, "expected %d to %d bytes in %s", TOKEN_BYTES_MIN, TOKEN_BYTES_MAX, source);
    for (size_t i = 0; i < length; i++)
        if (text[i] < 0x21 || text[i] > 0x7E) return wrong(place, "expected printable ASCII in %s", source);
    memcpy(token->bytes, text, length);
    token->length = length;
    return true;
}

/* Whatever the bytes are, it takes equally long. */
static unsigned differ(const token *one, const token *other) {
    unsigned difference = one->length != other->length;
    for (size_t i = 0; i < TOKEN_BYTES_MAX; i++) difference |= (unsigned)(one->bytes[i] ^ other->bytes[i]);
    return difference;
}

const network *networks_admit(const networks *networks, const char *name, const char *text) {
    static const network nobody; /* what an unknown name is compared with */
    const network *found = &nobody;
    for (size_t i = 0; i < networks->count; i++)
        if (strcmp(networks->list[i].name, name) == 0) found = &networks->list[i];
    token given = {.length = strnlen(text, TOKEN_BYTES_MAX + 1)};
    memcpy(given.bytes, text, given.length < TOKEN_BYTES_MAX ? given.length : TOKEN_BYTES_MAX);
    volatile unsigned fits = 0;
    for (size_t i = 0; i < TOKENS_MAX; i++) {
        /* A slot without a token has length 0, which no token has. */
        unsigned is_same = differ(&found->tokens[i], &given) == 0;
        fits |= is_same & (unsigned)(given.length > 0);
    }
    return fits ? found : NULL;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

typedef struct json_object json;

static bool check_keys(const place *place, json *object, const char *const *keys) {
    json_object_object_foreach(object, key, value) {
        (void)value;
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0) i++;
        if (!keys[i]) return wrong(place, "unknown key \"%.64s\"%s", key, strlen(key) > 64 ? "..." : "");
    }
    return true;
}

/* A text without control characters, of so many bytes at most; NULL, and said. */
static const char *text_of(const place *place, json *value, const char *what, size_t longest) {
    if (!json_object_is_type(value, json_type_string)) {
        wrong(place, "%s: expected a text", what);
        return NULL;
    }
    const char *text = json_object_get_string(value);
    size_t length = (size_t)json_object_get_string_len(value);
    bool is_fine = length > 0 && length <= longest && strlen(text) == length;
    for (size_t i = 0; is_fine && i < length; i++) is_fine = (unsigned char)text[i] >= 0x20 && text[i] != 0x7F;
    if (is_fine) return text;
    wrong(place, "%s: expected 1 to %zu bytes without control characters", what, longest);
    return NULL;
}

static bool read_name(const place *place, json *object, char *name) {
    const char *text = text_of(place, json_object_object_get(object, "name"), "name", ENTRY_NAME_MAX);
    if (!text) return false;
    if (strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789._-") != strlen(text))
        return wrong(place, "name: expected a-z, 0-9, \".\", \"_\" and \"-\"");
    strcpy(name, text);
    return true;
}

/* An array of a member; NULL, and said, where it is something else, too long, or missing though it must be there. */
static json *array_of(const place *place, json *object, const char *key, size_t least, size_t most) {
    static json *none;
    json *array = json_object_object_get(object, key);
    if (!array && least == 0) {
        if (!none) none = json_object_new_array();
        return none;
    }
    size_t count = json_object_is_type(array, json_type_array) ? json_object_array_length(array) : SIZE_MAX;
    if (count >= least && count <= most) return array;
    wrong(place, "%s: expected an array of %zu to %zu", key, least, most);
    return NULL;
}

static bool read_ids(const place *place, json *object, network *network) {
    json *array = array_of(place, object, "ad_networks", 1, IDS_MAX);
    if (!array) return false;
    size_t count = json_object_array_length(array);
    network->ad_networks = calloc(count + 1, sizeof *network->ad_networks);
    for (size_t i = 0; i < count; i++) {
        const char *id = text_of(place, json_object_array_get_idx(array, i), "ad_networks", ID_BYTES_MAX);
        if (!id) return false;
        if (!network->ad_networks || !(network->ad_networks[i] = strdup(id))) return wrong(place, "out of memory");
    }
    return true;
}

static bool read_tokens(const place *place, json *object, network *network) {
    json *array = array_of(place, object, "tokens", 0, TOKENS_MAX);
    if (!array) return false;
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        const char *source = text_of(place, json_object_array_get_idx(array, i), "tokens", 4096);
        if (!source || !read_token(place, source, &network->tokens[network->token_count])) return false;
        network->token_count++;
    }
    return true;
}

static bool read_partner(const place *place, json *object, network *network) {
    static const char *const keys[] = {"name", "url", NULL};
    if (!json_object_is_type(object, json_type_object)) return wrong(place, "partners: expected objects");
    partner *partner = &network->partners[network->partner_count++];
    if (!check_keys(place, object, keys) || !read_name(place, object, partner->name)) return false;
    for (size_t i = 0; i + 1 < network->partner_count; i++)
        if (strcmp(network->partners[i].name, partner->name) == 0)
            return wrong(place, "partner \"%s\" is there twice", partner->name);
    const char *url = text_of(place, json_object_object_get(object, "url"), "url", TEMPLATE_BYTES_MAX);
    char problem[TEMPLATE_PROBLEM_MAX];
    if (!url) return false;
    if (!template_check(url, problem)) return wrong(place, "partner \"%s\": url: %s", partner->name, problem);
    partner->url = strdup(url);
    return partner->url || wrong(place, "out of memory");
}

static bool read_partners(const place *place, json *object, network *network) {
    json *array = array_of(place, object, "partners", 0, PARTNERS_MAX);
    if (!array) return false;
    size_t count = json_object_array_length(array);
    network->partners = calloc(count + 1, sizeof *network->partners);
    if (!network->partners) return wrong(place, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (!read_partner(place, json_object_array_get_idx(array, i), network)) return false;
    return true;
}

static bool read_network(place *place, json *object, networks *networks) {
    static const char *const keys[] = {"name", "ad_networks", "tokens", "partners", NULL};
    network *network = &networks->list[networks->count];
    snprintf(place->where, sizeof place->where, "networks[%zu]", networks->count);
    networks->count++;
    if (!json_object_is_type(object, json_type_object)) return wrong(place, "expected an object");
    if (!check_keys(place, object, keys) || !read_name(place, object, network->name)) return false;
    snprintf(place->where, sizeof place->where, "network \"%s\"", network->name);
    for (size_t i = 0; i + 1 < networks->count; i++)
        if (strcmp(networks->list[i].name, network->name) == 0) return wrong(place, "is there twice");
    if (!read_ids(place, object, network)) return false;
    for (char **id = network->ad_networks; *id; id++)
        for (size_t i = 0; i + 1 < networks->count; i++)
            if (network_has(&networks->list[i], *id))
                return wrong(place, "\"%s\" is of network \"%s\" too", *id, networks->list[i].name);
    return read_tokens(place, object, network) && read_partners(place, object, network);
}

/* Columns are characters, code points. */
static bool no_json(place *place, const char *bytes, size_t end) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < end; i++) {
        if (bytes[i] == '\n')
            line++, column = 1;
        else if (((unsigned char)bytes[i] & 0xC0) != 0x80)
            column++;
    }
    return wrong(place, "no JSON, at byte %zu (line %zu, column %zu)", end, line, column);
}

static json *read_document(place *place) {
    char *bytes = malloc(FILE_BYTES_MAX + 1);
    FILE *in = fopen(place->file, "rb");
    size_t length = in && bytes ? fread(bytes, 1, FILE_BYTES_MAX + 1, in) : 0;
    json *document = NULL;
    if (!in || !bytes || ferror(in)) {
        wrong(place, "%s", strerror(errno));
    } else if (length > FILE_BYTES_MAX) {
        wrong(place, "expected at most %d bytes", FILE_BYTES_MAX);
    } else {
        struct json_tokener *tokener = json_tokener_new();
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
        document = json_tokener_parse_ex(tokener, bytes, (int)length);
        size_t end = json_tokener_get_parse_end(tokener);
        while (end < length && strchr(" \t\r\n", bytes[end])) end++;
        if (!document || end < length) {
            no_json(place, bytes, end);
            json_object_put(document);
            document = NULL;
        }
        json_tokener_free(tokener);
    }
    if (in) fclose(in);
    free(bytes);
    return document;
}

networks *networks_open(const char *file, char trouble[NETWORKS_TROUBLE_MAX]) {
    static const char *const keys[] = {"networks", NULL};
    place place = {.file = file, .trouble = trouble};
    networks *made = calloc(1, sizeof *made);
    json *document = read_document(&place);
    json *array = NULL;
    bool is_fine = made && document;
    if (is_fine && !json_object_is_type(document, json_type_object)) is_fine = wrong(&place, "expected an object");
    if (is_fine) is_fine = check_keys(&place, document, keys);
    if (is_fine) is_fine = (array = array_of(&place, document, "networks", 1, NETWORKS_MAX)) != NULL;
    if (is_fine) {
        made->list = calloc(json_object_array_length(array), sizeof *made->list);
        if (!made->list) is_fine = wrong(&place, "out of memory");
    }
    for (size_t i = 0; is_fine && i < json_object_array_length(array); i++)
        is_fine = read_network(&place, json_object_array_get_idx(array, i), made);
    for (size_t i = 0; is_fine && i < made->count; i++)
        for (size_t k = 0; k < made->list[i].partner_count; k++)
            made->list[i].partners[k].index = made->partner_count++;
    json_object_put(document);
    if (is_fine) return made;
    networks_close(made);
    return NULL;
}

void networks_close(networks *networks) {
    if (!networks) return;
    for (size_t i = 0; i < networks->count; i++) {
        network *network = &networks->list[i];
        for (char **id = network->ad_networks; id && *id; id++) free(*id);
        free(network->ad_networks);
        for (size_t k = 0; k < network->partner_count; k++) free(network->partners[k].url);
        free(network->partners);
    }
    free(networks->list);
    free(networks);
}

/* ---------------------------------------------------------------------------------------------------------- finding */

bool network_has(const network *network, const char *ad_network) {
    for (char **id = network->ad_networks; *id; id++)
        if (strcmp(*id, ad_network) == 0) return true;
    return false;
}

const network *networks_of(const networks *networks, const char *ad_network) {
    for (size_t i = 0; i < networks->count; i++)
        if (network_has(&networks->list[i], ad_network)) return &networks->list[i];
    return NULL;
}

const partner *networks_partner(const networks *networks, const char *name, const char *partner) {
    for (size_t i = 0; i < networks->count; i++)
        for (size_t k = 0; strcmp(networks->list[i].name, name) == 0 && k < networks->list[i].partner_count; k++)
            if (strcmp(networks->list[i].partners[k].name, partner) == 0) return &networks->list[i].partners[k];
    return NULL;
}

size_t networks_partner_count(const networks *networks) { return networks->partner_count; }

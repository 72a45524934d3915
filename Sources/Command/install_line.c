#include "install_line.h"

#include "base64.h"
#include "details_record.h"
#include "members.h"
#include "memory.h"
#include "record_kind.h"
#include "text.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct problem {
    char *text;
    size_t size;
} problem;

static bool refuse(problem problem, const char *why) {
    snprintf(problem.text, problem.size, "%s", why);
    return false;
}

static struct json_object *parse(const char *text, size_t length, problem problem) {
    struct json_tokener *tokener = json_tokener_new();
    if (!tokener) return NULL;
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    /* With its NUL: a number at the end of the text is over only then. */
    struct json_object *parsed = json_tokener_parse_ex(tokener, text, (int)length + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    while (end < length && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) end++;
    if (!json_object_is_type(parsed, json_type_object) || end != length) {
        bool is_over = error == json_tokener_success || error == json_tokener_continue;
        snprintf(problem.text, problem.size, "expected one JSON object%s%s", is_over ? "" : ": ",
                 is_over ? "" : json_tokener_error_desc(error));
        json_object_put(parsed);
        parsed = NULL;
    }
    json_tokener_free(tokener);
    return parsed;
}

static struct json_object *text_member(struct json_object *object, const char *key) {
    struct json_object *found = NULL;
    json_object_object_get_ex(object, key, &found);
    return json_object_is_type(found, json_type_string) ? found : NULL;
}

/* What else this command, or Apple, writes as lines of JSON. */
static const char *other_line(struct json_object *object) {
    if (json_object_object_get_ex(object, "attribution-signature", NULL) ||
        json_object_object_get_ex(object, "jws-string", NULL))
        return "install_id: expected an install, found a postback of Apple's: skan serve --postbacks receives these";
    if (text_member(object, "partner") && text_member(object, "network"))
        return "install_id: expected an install, found a line of skan outbox";
    return "install_id: expected text";
}

static bool read_id(struct json_object *object, install_line *line, problem problem) {
    struct json_object *id = text_member(object, "install_id");
    if (!id) return refuse(problem, other_line(object));
    size_t length = (size_t)json_object_get_string_len(id);
    const char *why = install_id_problem(json_object_get_string(id), length);
    if (why) return refuse(problem, why);
    memcpy(line->id, json_object_get_string(id), length);
    line->id[length] = 0;
    return true;
}

static bool read_record(struct json_object *record, install_line *line, problem problem) {
    size_t length = (size_t)json_object_get_string_len(record);
    line->record = memory_take(length / 4 * 3);
    if (!base64_read(json_object_get_string(record), length, line->record, &line->length))
        return refuse(problem, "record: expected base64");
    record_kind kind = record_kind_of(line->id, line->record, line->length);
    if (kind != RECORD_INSTALL) {
        snprintf(problem.text, problem.size,
                 "record: expected an install, found %s: skan move takes records of every kind",
                 record_kind_name(kind));
        return false;
    }
    skan_error *error = NULL;
    bool is_fine = skan_record_read(line->record, line->length, NULL, NULL, &error) == SKAN_OK;
    if (!is_fine) snprintf(problem.text, problem.size, "record: %s", skan_error_message(error));
    skan_error_free(error);
    return is_fine;
}

/* Details of the other protocol have no key that this one knows but times and revenue. */
static bool is_of_protocol(struct json_object *details, uint32_t protocol) {
    bool has_4 = json_object_object_get_ex(details, "skan_current_conversion_value", NULL);
    bool has_3 = json_object_object_get_ex(details, "skan_conversion_value", NULL);
    return protocol == 4 ? has_4 || !has_3 : has_3 || !has_4;
}

static bool read_details(struct json_object *object, const char *text, size_t length, uint32_t protocol,
                         install_line *line, problem problem) {
    struct json_object *details = NULL;
    json_object_object_get_ex(object, "details", &details);
    if (!json_object_is_type(details, json_type_object))
        return refuse(problem, "expected a \"record\", or \"details\" that are an object");
    if (!is_of_protocol(details, protocol))
        return refuse(problem, protocol == 4 ? "details: they are of SKAN 3, which takes --protocol 3"
                                             : "details: they are of SKAN 4, which takes --protocol 4");
    const char *written = NULL;
    size_t written_length = 0;
    if (member_find(text, length, "details", &written, &written_length) != 1)
        return refuse(problem, "details: expected this key once, without escapes");
    skan_error *error = NULL;
    bool is_fine = details_record(line->id, written, written_length, protocol, &line->record, &line->length, &error);
    if (!is_fine) snprintf(problem.text, problem.size, "details: %s", skan_error_message(error));
    skan_error_free(error);
    return is_fine;
}

bool install_line_read(const char *text, size_t length, uint32_t protocol, install_line *line, char *why, size_t size) {
    problem problem = {why, size};
    memset(line, 0, sizeof *line);
    struct json_object *object = parse(text, length, problem);
    if (!object) return false;
    struct json_object *record = text_member(object, "record");
    bool is_fine = read_id(object, line, problem) &&
                   (record ? read_record(record, line, problem)
                           : read_details(object, text, length, protocol, line, problem));
    const char *wrong_name = is_fine ? record_name_problem(line->id, RECORD_INSTALL) : NULL;
    if (wrong_name) is_fine = refuse(problem, wrong_name);
    if (!is_fine) {
        free(line->record);
        line->record = NULL;
    }
    json_object_put(object);
    return is_fine;
}

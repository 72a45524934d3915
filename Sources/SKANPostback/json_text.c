/* A postback as JSON. */
#include "postback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    char *text;
    size_t length, room;
    bool is_out_of_memory, is_first; /* no comma before the next member */
} writer;

static void write_bytes(writer *writer, const char *bytes, size_t length) {
    if (writer->is_out_of_memory) return;
    if (writer->room - writer->length <= length) {
        size_t room = (writer->room + length) * 2 + 256;
        char *text = realloc(writer->text, room);
        if (!text) {
            writer->is_out_of_memory = true;
            return;
        }
        writer->text = text;
        writer->room = room;
    }
    memcpy(writer->text + writer->length, bytes, length);
    writer->length += length;
    writer->text[writer->length] = '\0';
}

static void write_text(writer *writer, const char *text) {
    write_bytes(writer, text, strlen(text));
}

static void write_string(writer *writer, span text) {
    write_text(writer, "\"");
    size_t done = 0;
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.start[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
        char escape[8];
        snprintf(escape, sizeof escape, byte < 0x20 ? "\\u%04x" : "\\%c", byte);
        write_bytes(writer, text.start + done, i - done);
        write_text(writer, escape);
        done = i + 1;
    }
    write_bytes(writer, text.start + done, text.length - done);
    write_text(writer, "\"");
}

static void write_words(writer *writer, const char *text) {
    if (text)
        write_string(writer, (span){text, strlen(text)});
    else
        write_text(writer, "null");
}

/* "name": or , "name": */
static void write_name(writer *writer, const char *name) {
    if (!writer->is_first) write_text(writer, ",");
    writer->is_first = false;
    write_words(writer, name);
    write_text(writer, ":");
}

static void begin(writer *writer, const char *name, const char *bracket) {
    write_name(writer, name);
    write_text(writer, bracket);
    writer->is_first = true;
}

static void end(writer *writer, const char *bracket) {
    write_text(writer, bracket);
    writer->is_first = false;
}

static void write_member(writer *writer, const member *member) {
    if (!writer->is_first) write_text(writer, ",");
    writer->is_first = false;
    write_string(writer, member->name);
    write_text(writer, ":");
    if (member->kind == SKAN_JSON_STRING)
        write_string(writer, member->text);
    else
        write_bytes(writer, member->text.start, member->text.length);
}

static bool is_signed(const skan_postback *postback, const member *member) {
    for (size_t i = 0; i < postback->signed_count; i++)
        if (span_is(member->name, postback->signed_fields[i])) return true;
    return false;
}

/* What is no field of the postback's own: the envelope of what is signed. */
static bool is_envelope(field field) {
    return field == FIELD_SIGNATURE || field == FIELD_JWS || field == FIELD_ALGORITHM || field == FIELD_KEY_ID ||
           field == FIELD_CRITICAL;
}

/* Of AdAttributionKit the whole payload is signed, or nothing is. */
static void write_fields(writer *writer, const skan_postback *postback, bool are_signed) {
    bool is_kit = postback->framework == SKAN_POSTBACK_ADATTRIBUTIONKIT;
    if (is_kit && are_signed == postback_is_proven(postback))
        for (const member *each = postback->proven; each; each = each->next) write_member(writer, each);
    for (int i = 0; i < FIELD_COUNT; i++) {
        const member *each = postback->fields[i];
        if (!each || is_envelope(i)) continue;
        bool is_of_payload = is_kit && (i < FIELD_CONVERSION_VALUE || i > FIELD_INTERACTION_TYPE);
        if (!is_of_payload && (!is_kit && is_signed(postback, each)) == are_signed) write_member(writer, each);
    }
}

static void write_postback(writer *writer, const skan_postback *postback) {
    bool is_kit = postback->framework == SKAN_POSTBACK_ADATTRIBUTIONKIT;
    write_text(writer, "{");
    write_name(writer, "framework");
    write_words(writer, is_kit ? "AdAttributionKit" : "SKAdNetwork");
    write_name(writer, "result");
    write_words(writer, skan_postback_result_name(postback->result));
    write_name(writer, "version");
    write_words(writer, postback->version);
    write_name(writer, "key");
    write_words(writer, skan_postback_key_of(postback));
    if (postback->problem) {
        begin(writer, "problem", "{");
        write_name(writer, "field");
        write_words(writer, postback->problem_field);
        write_name(writer, "reason");
        write_words(writer, postback->problem);
        end(writer, "}");
    } else {
        write_name(writer, "problem");
        write_text(writer, "null");
    }
    begin(writer, "signed", "{");
    write_fields(writer, postback, true);
    end(writer, "}");
    begin(writer, "unsigned", "{");
    write_fields(writer, postback, false);
    end(writer, "}");
    begin(writer, "illegal", "[");
    for (size_t i = 0; i < postback->illegal_count; i++) {
        if (i > 0) write_text(writer, ",");
        write_words(writer, postback->illegal_fields[i]);
    }
    end(writer, "]");
    write_text(writer, "}");
}

skan_status skan_postback_json(const skan_postback *postback, char **json, skan_error **error) {
    trouble trouble;
    skan_status status = SKAN_OK;
    if (json) *json = NULL;
    if (!postback || !json) {
        status = trouble_set(&trouble, SKAN_ERROR_INVALID_ARGUMENT, "%s: expected a pointer, got NULL",
                             postback ? "json" : "postback");
    } else {
        writer writer = {.is_first = true};
        write_postback(&writer, postback);
        if (writer.is_out_of_memory) {
            free(writer.text);
            status = trouble_set(&trouble, SKAN_ERROR_LIMIT_EXCEEDED, "no memory for a postback's JSON");
        } else {
            *json = writer.text;
        }
    }
    return trouble_given(error, status, &trouble);
}

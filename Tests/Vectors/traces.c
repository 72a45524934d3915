#define _GNU_SOURCE
#include "trace.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *path, const char *why) {
    fprintf(stderr, "%s: %s\n", path, why);
    exit(2);
}

json_object *member(json_object *object, const char *key) {
    json_object *value = NULL;
    return json_object_object_get_ex(object, key, &value) ? value : NULL;
}

const char *member_text(json_object *object, const char *key) {
    json_object *value = member(object, key);
    return value ? json_object_get_string(value) : NULL;
}

trace_file trace_file_read(const char *path) {
    trace_file file = {NULL, 0, 0};
    FILE *stream = fopen(path, "r");
    if (!stream) give_up(path, "cannot be opened");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, stream)) > 0) {
        for (const char *at = line; (at = strstr(at, "{\"op\":{\"op\":")); at++) file.steps++;
        json_tokener *tokener = json_tokener_new();
        json_object *object = json_tokener_parse_ex(tokener, line, (int)length);
        if (!object || json_tokener_get_error(tokener) != json_tokener_success) give_up(path, "a line is not JSON");
        json_tokener_free(tokener);
        file.traces = realloc(file.traces, (file.count + 1) * sizeof *file.traces);
        if (!file.traces) abort();
        file.traces[file.count++] = (trace){member_text(object, "id"), json_object_get_int(member(object, "protocol")),
                                            member(object, "steps"), object};
    }
    free(line);
    fclose(stream);
    if (file.count == 0) give_up(path, "has no traces");
    return file;
}

void trace_file_end(trace_file *file) {
    for (size_t i = 0; i < file->count; i++) json_object_put(file->traces[i].line);
    free(file->traces);
    *file = (trace_file){NULL, 0, 0};
}

char *plain_decimal(const char *number) {
    bool negative = *number == '-';
    if (negative) number++;
    char digits[512];
    size_t count = 0;
    long point = 0;
    bool fraction = false;
    for (; isdigit((unsigned char)*number) || *number == '.'; number++) {
        if (*number == '.') {
            fraction = true;
            continue;
        }
        if (count == sizeof digits) abort();
        digits[count++] = *number;
        if (!fraction) point++;
    }
    if (*number == 'e' || *number == 'E') point += strtol(number + 1, NULL, 10);
    while (count > 0 && digits[count - 1] == '0') count--;
    size_t zeros = 0;
    while (zeros < count && digits[zeros] == '0') zeros++;
    if (zeros == count) return strdup("0");
    const char *significant = digits + zeros;
    long length = (long)(count - zeros);
    point -= (long)zeros;

    char *plain = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&plain, &size);
    if (!out) abort();
    if (negative) fputc('-', out);
    if (point <= 0) fputc('0', out);
    for (long at = point < 0 ? point : 0; at < length || at < point; at++) {
        if (at == point && at < length) fputc('.', out);
        fputc(at >= 0 && at < length ? significant[at] : '0', out);
    }
    fclose(out);
    return plain;
}

static const char *const keys_4[] = {"skan_current_conversion_value",
                                     "prev_fine_value",
                                     "skan_first_call_to_skadnetwork_timestamp",
                                     "skan_last_call_to_skadnetwork_timestamp",
                                     "skan_total_revenue_by_currency",
                                     "skan_total_admon_revenue_by_currency",
                                     "p0_coarse",
                                     "p1_coarse",
                                     "p2_coarse",
                                     "p0_window_lock",
                                     "p1_window_lock",
                                     "p2_window_lock",
                                     "p0_prev_coarse_value",
                                     "p1_prev_coarse_value",
                                     "p2_prev_coarse_value",
                                     "p0_total_iap_revenue",
                                     "p1_total_iap_revenue",
                                     "p2_total_iap_revenue",
                                     "p0_total_admon_revenue",
                                     "p1_total_admon_revenue",
                                     "p2_total_admon_revenue",
                                     NULL};
static const char *const keys_3[] = {"skan_conversion_value", "skan_first_call_to_skadnetwork_timestamp",
                                     "skan_last_call_to_skadnetwork_timestamp", "skan_total_revenue_by_currency", NULL};

json_object *empty_details(int protocol) {
    json_object *details = json_object_new_object();
    for (const char *const *key = protocol == 3 ? keys_3 : keys_4; *key; key++)
        json_object_object_add(details, *key, NULL);
    return details;
}

static void write_table(FILE *out, json_object *table) {
    const char *separator = "{";
    json_object_object_foreach(table, currency, amount) {
        char *plain = plain_decimal(json_object_to_json_string(amount));
        fprintf(out, "%s\"%s\":%s", separator, currency, plain);
        free(plain);
        separator = ",";
    }
    fputs("}", out);
}

bool is_details(json_object *expected, const char *actual, char **difference) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    const char *separator = "{";
    json_object_object_foreach(expected, key, value) {
        fprintf(out, "%s\"%s\":", separator, key);
        separator = ",";
        if (!value)
            fputs("null", out);
        else if (json_object_is_type(value, json_type_object))
            write_table(out, value);
        else
            fprintf(out, "%lld", (long long)json_object_get_int64(value));
    }
    fputs("}", out);
    fclose(out);
    bool same = actual && strcmp(text, actual) == 0;
    if (same)
        free(text);
    else
        *difference = text;
    return same;
}

static void write_encoded(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        bool unreserved = byte < 128 && (isalnum(byte) || strchr("-._~", byte));
        fprintf(out, unreserved ? "%c" : "%%%02X", byte);
    }
}

char *encoded_query(json_object *items) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    for (size_t i = 0; i < json_object_array_length(items); i++) {
        json_object *item = json_object_array_get_idx(items, i);
        const char *name = json_object_get_string(json_object_array_get_idx(item, 0));
        json_object *value = json_object_array_get_idx(item, 1);
        fprintf(out, "%s%s=", i ? "&" : "", name);
        write_encoded(out, json_object_get_string(value), (size_t)json_object_get_string_len(value));
    }
    fclose(out);
    return text;
}

const char *short_name(skan_status status) {
    const char *name = skan_status_name(status);
    if (strncmp(name, "SKAN_ERROR_", 11) == 0) return name + 11;
    return strncmp(name, "SKAN_", 5) == 0 ? name + 5 : name;
}

static int base64_digit(char character) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = character ? strchr(digits, character) : NULL;
    return at ? (int)(at - digits) : -1;
}

void *step_body(json_object *op, size_t *length) {
    json_object *plain = member(op, "body");
    const char *source = plain ? json_object_get_string(plain) : member_text(op, "body_b64");
    size_t size = plain ? (size_t)json_object_get_string_len(plain) : strlen(source);
    char *bytes = malloc(size + 1);
    if (!bytes) abort();
    *length = 0;
    if (plain) {
        memcpy(bytes, source, size);
        *length = size;
        return bytes;
    }
    unsigned bits = 0;
    int have = 0;
    for (size_t i = 0; i < size && base64_digit(source[i]) >= 0; i++) {
        bits = bits << 6 | (unsigned)base64_digit(source[i]);
        have += 6;
        if (have >= 8) {
            have -= 8;
            bytes[(*length)++] = (char)(bits >> have & 255);
        }
    }
    return bytes;
}

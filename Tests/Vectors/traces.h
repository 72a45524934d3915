/* Tests/Vectors: reading the traces, and comparing documents and queries with them. Amounts are compared as exact
 * decimals, other numbers as numbers. */
#ifndef TRACE_H
#define TRACE_H

#include <skan/skan.h>

#include <json-c/json.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One line of a file of vectors. */
typedef struct trace {
    const char *id;
    int protocol;
    json_object *steps;
    json_object *line; /* owns the others */
} trace;

typedef struct trace_file {
    trace *traces;
    size_t count;
    size_t steps; /* counted in the text of the file, apart from the parser */
} trace_file;

/* Ends the process, saying why, where the file cannot be read. */
trace_file trace_file_read(const char *path);
void trace_file_end(trace_file *file);

/* A member of an object; NULL where it is absent or null. */
json_object *member(json_object *object, const char *key);
/* Its text, NULL where absent. */
const char *member_text(json_object *object, const char *key);

/* A number's source text as a plain decimal: no exponent, no trailing zeros. The caller frees it. */
char *plain_decimal(const char *number);

/* The details document of an install without state. */
json_object *empty_details(int protocol);

/* Whether `actual` is, byte for byte but for the spelling of numbers in `expected`, the document `expected`: the same
 * keys in the same order, plain style, plain decimals. Else `*difference`, which the caller frees, says what was
 * expected. */
bool is_details(json_object *expected, const char *actual, char **difference);

/* [[name, value]] as percent-encoded query items. The caller frees it. */
char *encoded_query(json_object *items);

/* A status without its prefix. */
const char *short_name(skan_status status);

/* The bytes of an `apply` step: `body`, or `body_b64` decoded. The caller frees them. */
void *step_body(json_object *op, size_t *length);

#ifdef __cplusplus
}
#endif

#endif

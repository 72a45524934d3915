/*
 * companion.h - for libraries beside libskan and tools: errors as libskan makes them, JSON as libskan reads it, and
 * the content of records.
 *
 *     static void note(void *context, const skan_json_member *member) { ... }
 *
 *     skan_status parse(const char *text, size_t length, skan_error **error) {
 *         skan_status status = skan_json_read(text, length, note, NULL, error);      // exactly what libskan accepts
 *         if (status == SKAN_OK && !complete) {
 *             *error = skan_error_create(SKAN_ERROR_INVALID_DOCUMENT, "price: expected a number, found none");
 *             status = SKAN_ERROR_INVALID_DOCUMENT;
 *         }
 *         return status;
 *     }
 */
#ifndef SKAN_COMPANION_H
#define SKAN_COMPANION_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------------------------- errors */

/* Makes an error with this status and a copy of the message (UTF-8; NULL is ""). It is for companion libraries and
 * hosts whose own functions report errors as these do. The caller owns it. NULL for a code below 100: outcomes have no
 * error. */
skan_error *skan_error_create(skan_status code, const char *message);

/* -------------------------------------------------------------------------------------------------------- records */

/* The data that tools and stores may read from a record's bytes. Out parameter: set `size`; the call writes the
 * rest. */
typedef struct skan_record {
    size_t size;             /* sizeof(skan_record), kept */
    uint32_t protocol;       /* 4 or 3 */
    bool is_registered;      /* whether skan_register or an import registered the install */
    int64_t first_timestamp; /* the times of the first and last call, Unix seconds; 0 if not registered */
    int64_t last_timestamp;
    int64_t closes_at;       /* when the last postback window closes, including those of re-engagements (SKAN 3: as
                              * known now), Unix seconds; 0 if there is none */
} skan_record;

/* Reads a record as a store holds it, without an engine.
 *   out   may be NULL.
 *   json  the details, as skan_details gives them; freed with skan_free. May be NULL.
 * Any thread. Rules, "Records", "Details".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (data is NULL), SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW. */
skan_status skan_record_read(const void *data, size_t length, skan_record *out, char **json, skan_error **error);

/* ----------------------------------------------------------------------------------------------------------- JSON */

/* The kind of a member's value. */
enum skan_json_kind {
    SKAN_JSON_NULL = 0,
    SKAN_JSON_FALSE = 1,
    SKAN_JSON_TRUE = 2,
    SKAN_JSON_NUMBER = 3,
    SKAN_JSON_STRING = 4,
    SKAN_JSON_ARRAY = 5,
    SKAN_JSON_OBJECT = 6
};

/* A member of a JSON object. The texts are not ended by a NUL, never NULL, and valid during the visit. */
typedef struct skan_json_member {
    const char *key; /* without escapes; has no NUL */
    size_t key_length;
    const char *text; /* a string's content without escapes, which may have NULs; other values unchanged */
    size_t text_length;
    int32_t kind; /* SKAN_JSON_... */
} skan_json_member;

/* A function that is called for each member of a JSON object, in their order. It must not throw through C. */
typedef void (*skan_json_visit)(void *context, const skan_json_member *member);

/* Checks that a text is one JSON object, as an endpoint's answer must be, and then calls `visit` for the members of
 * this object. It is for companion libraries and hosts that must agree with libskan on what is JSON. It is strict: RFC
 * 8259 in UTF-8 without a byte-order mark, nothing after the object, no key twice in an object at any depth (compared
 * without escapes), no NUL in a key, at most 32 nested arrays and objects. An unpaired surrogate escape is accepted,
 * and given as the three bytes ED A0..BF xx, which no UTF-8 text has.
 *   json, length  json may be NULL where length is 0.
 *   visit         called only if the whole text is as described.
 * Any thread. Rules, "JSON".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL), SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX
 * bytes), SKAN_ERROR_MALFORMED_RESPONSE, with the place and the reason. */
skan_status skan_json_read(const void *json, size_t length, skan_json_visit visit, void *context, skan_error **error);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_COMPANION_H */

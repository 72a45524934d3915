/* The fields of postbacks: how they are named, what they must be, and what is read of them. */
#ifndef FIELDS_H
#define FIELDS_H

#include "arena.h"
#include <skan/skan.h>

typedef enum field {
    FIELD_VERSION,
    FIELD_AD_NETWORK_ID,
    FIELD_CAMPAIGN_ID,
    FIELD_SOURCE_IDENTIFIER,
    FIELD_APP_ID,
    FIELD_TRANSACTION_ID,
    FIELD_REDOWNLOAD,
    FIELD_SOURCE_APP_ID,
    FIELD_SOURCE_DOMAIN,
    FIELD_FIDELITY_TYPE,
    FIELD_DID_WIN,
    FIELD_SEQUENCE_INDEX,
    FIELD_SIGNATURE,
    FIELD_JWS,
    FIELD_CONVERSION_VALUE,
    FIELD_COARSE_VALUE,
    FIELD_COUNTRY_CODE,
    FIELD_INTERACTION_TYPE,
    FIELD_ALGORITHM,
    FIELD_KEY_ID,
    FIELD_CRITICAL,
    FIELD_CONVERSION_TYPE,
    FIELD_COUNT
} field;

/* A member of an object, copied. `name` is ended by a NUL, and so is `text`. */
typedef struct member {
    struct member *next; /* in their order */
    span name, text;
    int32_t kind; /* SKAN_JSON_... */
} member;

/* What a field must be. */
typedef enum field_type {
    TYPE_TEXT,
    TYPE_INTEGER,
    TYPE_BOOLEAN,
    TYPE_WINDOW /* an integer of 0, 1, 2 */
} field_type;

/* Why a value is not of a type; NULL where it is. `integer` is set where it is a number. */
const char *value_fault(const member *member, field_type type, int64_t *integer);

/* An integer without fraction or exponent, within 64 bits. */
bool read_integer(span text, int64_t *integer);

#endif

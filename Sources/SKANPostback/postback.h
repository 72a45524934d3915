/* A postback while it is read, and afterwards. */
#ifndef POSTBACK_H
#define POSTBACK_H

#include "fields.h"
#include "keys.h"

struct skan_postback {
    arena memory;
    int32_t framework, result;
    span body;
    const char *problem, *problem_field;

    const member *fields[FIELD_COUNT]; /* those that are known, whatever they hold; NULL where absent */
    int64_t integers[FIELD_COUNT];     /* of those that `has_integer` names */
    uint32_t has_integer, has_text;    /* by 1 << field: of the right type, and in range where it is not signed */
    const char *version;
    bool omits_source_app; /* the signature fits without it */

    const member *proven; /* AdAttributionKit: all members of the payload */
    const char **signed_fields, **illegal_fields;
    size_t signed_count, illegal_count;
    char key[80]; /* "" for none */
};

#define FIELD_BIT(field) (UINT32_C(1) << (field))

/* One member after the other, as they come. */
typedef struct member_list {
    arena *memory;
    member *first, **end;
    bool is_out_of_memory;
} member_list;

void member_list_begin(member_list *list, arena *memory);
/* A skan_json_visit; the context is the list. */
void member_list_add(void *list, const skan_json_member *member);

/* Sets the fields that one object has, by their names. */
typedef struct named_field {
    const char *name;
    field field;
} named_field;
void postback_find(skan_postback *postback, const member *members, const named_field *names, size_t count);

/* A field must be there (`is_required`) and of its type; false, and the postback is malformed, where it is not. */
bool postback_require(skan_postback *postback, field field, const char *name, field_type type, bool is_required);

/* Makes it malformed or unverifiable. */
void postback_refuse(skan_postback *postback, int32_t result, const char *field, const char *problem);

/* Reads a checked body by the rules of a framework and sets the result; false where there is no memory. Without keys
 * the signature is not looked at: the result is there before. */
bool skadnetwork_verify(skan_postback *postback, const member *members, const skan_postback_keys *keys);
/* Whether this is a version of SKAdNetwork's postbacks. */
bool skadnetwork_knows(span version);
bool attribution_kit_verify(skan_postback *postback, const member *members, const skan_postback_keys *keys);

/* conversion-value, coarse-conversion-value, country-code and, of AdAttributionKit, ad-interaction-type. */
bool unsigned_fields_read(skan_postback *postback);

/* SKAN_POSTBACK_DOWNLOAD ...: of AdAttributionKit by its own field, else by `redownload`. */
int32_t postback_conversion_type(const skan_postback *postback);

/* Whether its result says that the signature fits. */
bool postback_is_proven(const skan_postback *postback);

/* What is known of a postback that was verified before. */
typedef struct verdict {
    int32_t result;
    bool omits_source_app;
} verdict;

/* Reads a body: verifies it with the keys, or, where they are NULL, takes an earlier verdict. */
skan_status postback_make(const void *body, size_t length, const skan_postback_keys *keys, const verdict *earlier,
                          skan_postback **out, trouble *trouble);

#endif

/*
 * postback.h - verifies Apple's install postbacks, counts each once and stores it (library libskan-postback, over
 * OpenSSL's libcrypto).
 *
 * To verify a postback, you need nothing else:
 *
 *     skan_postback *postback = NULL;
 *     skan_error *error = NULL;
 *     skan_postback_verify(body, length, NULL, &postback, &error);         // Apple's keys
 *     if (skan_postback_result(postback) == SKAN_POSTBACK_VALID) ...
 *     skan_postback_destroy(postback);
 *
 * Receiving counts each postback once, however often and wherever it arrives:
 *
 *     skan_store store;
 *     skan_sqlite_store_open("/var/lib/game/postbacks.db", NULL, &store, &error);
 *     const skan_postback_receiver_options options = {.size = sizeof options, .store = &store};
 *     skan_postback_receiver *receiver = NULL;
 *     skan_postback_receiver_create(&options, &receiver, &error);          // the receiver owns the store now
 *
 *     skan_postback_receipt receipt = {.size = sizeof receipt};            // for each POST of Apple's:
 *     if (skan_postback_receive(receiver, NULL, body, length, &receipt, &error) == SKAN_OK) ... // answer HTTP 200
 *     else ...                                                             // answer 503: Apple sends it again
 *
 * Apple posts to /.well-known/skadnetwork/report-attribution/ (SKAdNetwork 1.0 to 4.0) and
 * /.well-known/appattribution/report-attribution/ (AdAttributionKit); both kinds of body are accepted here.
 *
 * Know before production:
 * - Apple's signature proves that a postback is Apple's, not that it is yours. Give a receiver your apps and the ad
 *   networks that you work with. Otherwise anyone who owns an ad network can have postbacks of their app counted here.
 * - Conversion values and the country code are not signed. Anyone who forwards a postback can change them; the first
 *   copy that arrives is the one that counts. Accept postbacks only from Apple's devices, or from senders that you
 *   know.
 * - A value that is absent was hidden by Apple's privacy tiers. It is not 0.
 * - AdAttributionKit also reports re-engagements: a tap on an ad that led back into the app. They are not installs, and
 *   have models of their own (conversion_type, reengagement_models).
 * - Threads: any number of threads may call every function at once, except skan_..._destroy.
 * - fork: make receivers after fork(). Postbacks and key sets may be used in the child.
 * - OpenSSL: the library has a library context of its own, which neither reads nor changes the host's configuration.
 * - Memory: a failed allocation ends the process, as in skan.h; if libcrypto fails to allocate, calls answer
 *   SKAN_ERROR_LIMIT_EXCEEDED. Sizes are limited before anything is allocated.
 *
 * Errors and ownership follow the rules of skan.h: texts given through `char **` are freed with skan_free. A reference
 * such as Rules, "Receiving postbacks" names a section of Rules.md, as there. Apple's own description is in "Verifying
 * an install-validation postback" (SKAdNetwork) and "Verifying a postback" (AdAttributionKit). As in skan.h, the ABI
 * only grows.
 */
#ifndef SKAN_POSTBACK_H
#define SKAN_POSTBACK_H

#include "model.h"
#include "store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------------------------- keys */

/* A public key. SKAdNetwork has one for each version of postbacks, AdAttributionKit one for each key id. */
typedef struct skan_postback_key {
    const char *name;   /* "1.0" "2.0" "2.1" "2.2" "3.0" "4.0", or the `kid` of a JWS; 1..128 bytes */
    const char *spki;   /* the key as Apple publishes it: a SubjectPublicKeyInfo in padded base64 without line ends. Its
                         * curve is P-256, or for versions also P-192. NULL = no key: such postbacks are unverifiable */
    bool is_development; /* a postback that it signs is SKAN_POSTBACK_DEVELOPMENT, not valid */
} skan_postback_key;

#define SKAN_POSTBACK_KEYS_MAX 256 /* keys in one set */

/* A set of keys, parsed and checked. It never changes. Opaque; safe for any number of threads. */
typedef struct skan_postback_keys skan_postback_keys;

/* Makes a set of Apple's keys, with some replaced or added. This is for tests, which sign with keys of their own, and
 * for keys that are newer than this library. A name that is not given has Apple's key. Rules, "Postback keys".
 *   keys, count  up to SKAN_POSTBACK_KEYS_MAX; if a name is given several times, the last key counts. Copied. May be
 *                NULL where count is 0.
 *   out          owned by the caller until skan_postback_keys_destroy. Receivers keep the set that they were given.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, a name or a key is not as described),
 * SKAN_ERROR_LIMIT_EXCEEDED. */
skan_status skan_postback_keys_create(const skan_postback_key *keys, size_t count, skan_postback_keys **out,
                                      skan_error **error);
/* Releases the caller's share of a set. NULL is fine. */
void skan_postback_keys_destroy(skan_postback_keys *keys);

/* --------------------------------------------------------------------------------------------------------- verify */

/* The result of verifying a postback. Rules, "Postback verification". */
enum skan_postback_result_code {
    SKAN_POSTBACK_VALID = 0,        /* signed by Apple; every signed field is as it was signed */
    SKAN_POSTBACK_INVALID = 1,      /* the signature does not match: it is not Apple's, or a field was changed */
    SKAN_POSTBACK_UNVERIFIABLE = 2, /* its version or its key is not known here; it may be newer */
    SKAN_POSTBACK_DEVELOPMENT = 3,  /* the signature matches a development key of AdAttributionKit: a test */
    SKAN_POSTBACK_MALFORMED = 4     /* not a postback: not JSON, or a field is missing or of the wrong type */
};

/* How postbacks are verified. Set `size`; everything else may be zero. */
typedef struct skan_postback_options {
    size_t size;                    /* sizeof(skan_postback_options) */
    const skan_postback_keys *keys; /* NULL = Apple's */
} skan_postback_options;

/* A postback that was read and verified. It never changes. Opaque; safe for any number of threads. */
typedef struct skan_postback skan_postback;

/* Reads a postback of SKAdNetwork 1.0 to 4.0 or AdAttributionKit, and verifies its signature. Keys are parsed once for
 * all calls.
 *   body, length  the body of Apple's HTTP request, unchanged: at most SKAN_RESPONSE_MAX bytes. Copied. A byte-order
 *                 mark in front is passed over.
 *   options       NULL = Apple's keys.
 *   out           owned by the caller until skan_postback_destroy. There is a postback whatever the result is.
 * For SKAdNetwork these are checked in this order: JSON (as skan_json_read does); the version; required fields in the
 * order of the signed text; the form of the signature, padded base64 and DER; the signature. For AdAttributionKit:
 * JSON; the form of the JWS, `alg`, the signature's length; `crit` and `kid`; the payload's required fields; the
 * signature. What fits in none of these ways may have been written otherwise than Apple writes it, by a service that
 * passed it on: numbers as text, null for a field that is absent. It is then read in these ways too, and is valid if
 * the signature proves one of them. Rules, "Postback verification", "Respelled postbacks", "SKAdNetwork signatures",
 * "AdAttributionKit signatures".
 * SKAN_OK, with any result; SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, a size is illegal);
 * SKAN_ERROR_LIMIT_EXCEEDED (too long). */
skan_status skan_postback_verify(const void *body, size_t length, const skan_postback_options *options,
                                 skan_postback **out, skan_error **error);

/* Destroys a postback, and all texts that belong to it. NULL is fine. */
void skan_postback_destroy(skan_postback *postback);

/* The result of verifying it: SKAN_POSTBACK_VALID ... SKAN_POSTBACK_MALFORMED. -1 for NULL. */
int32_t skan_postback_result(const skan_postback *postback);

/* The name of a result: "valid", "invalid", "unverifiable", "development", "malformed"; "unknown" for a number that is
 * not a valid result. The string is static. */
const char *skan_postback_result_name(int32_t result);

/* A description of what is wrong with a malformed postback, or why a postback is unverifiable; "" for other results.
 * Valid until skan_postback_destroy. */
const char *skan_postback_problem(const skan_postback *postback);
/* The name of the field that makes the postback malformed or unverifiable, for example "app-id". For a JWS it is the
 * part or its field: "header", "payload", "signature", "alg", "kid", "postback-identifier". NULL for other results, and
 * if the postback is not JSON. */
const char *skan_postback_problem_field(const skan_postback *postback);

/* The names of the fields that the signature covers, in the order of the signed text, ended by a NULL; for
 * AdAttributionKit these are all keys of the payload. The list is empty unless the postback is valid or development:
 * otherwise nothing is proven. `count` may be NULL. Valid until skan_postback_destroy; never NULL for a postback. */
const char *const *skan_postback_signed_fields(const skan_postback *postback, size_t *count);

/* Whether the postback was written otherwise than Apple writes it, and the signature proves how it is meant. Its fields
 * are then those that Apple signed. false for NULL. Rules, "Respelled postbacks". */
bool skan_postback_is_respelled(const skan_postback *postback);

/* The names of unsigned fields that have a value without a meaning, ended by a NULL: 64, or "abc". Numbers as text, and
 * words in other letters, have one. Such fields count as absent and do not change the result. Rules, "Unsigned fields".
 * `count` and the list's lifetime are as above. */
const char *const *skan_postback_illegal_fields(const skan_postback *postback, size_t *count);

/* The fields of a postback. The result and skan_postback_signed_fields say whether a field is proven. Out parameter:
 * set `size`; the call writes the rest. A pointer is NULL if its field is absent or has another type, and is valid
 * until skan_postback_destroy. Texts are UTF-8, are cut at a NUL, and have U+FFFD for unpaired surrogates. A field that
 * the version does not know is absent. In a malformed postback, so are the fields after the one that makes it
 * malformed. */
typedef struct skan_postback_fields {
    size_t size;                     /* sizeof(skan_postback_fields), kept */
    int32_t framework;               /* SKAN_SKADNETWORK or SKAN_ADATTRIBUTIONKIT: with "jws-string" and without
                                      * "attribution-signature" */
    int32_t postback_sequence_index; /* 0..2; 0 if the version has no such field */
    const char *version;             /* SKAdNetwork: "1.0" also if the field is absent; AdAttributionKit: NULL */
    const char *ad_network_id;       /* ad-network-id, ad-network-identifier */
    const char *transaction_id;      /* transaction-id, postback-identifier */
    const char *source_identifier;   /* SKAN 4.0 and AdAttributionKit: two to four digits */
    const char *source_domain;       /* SKAN 4.0: the web site of the ad; if it has only digits, it is malformed */
    const char *country_code;        /* not signed: two capital letters, ISO 3166-1 */
    const char *ad_interaction_type; /* not signed, AdAttributionKit: "click" or "view" */
    const char *key_id;              /* AdAttributionKit: `kid` */
    const int64_t *campaign_id;      /* before SKAN 4.0 */
    const int64_t *app_id;           /* app-id, advertised-item-identifier: the app that was installed */
    const int64_t *source_app_id;    /* source-app-id, publisher-item-identifier: the app that showed the ad */
    const int64_t *fidelity_type;    /* 0 view-through, 1 StoreKit-rendered */
    int32_t did_win;                 /* 1, 0; -1 = absent. 0: another network won the install */
    int32_t redownload;              /* 1, 0; -1 = absent */
    int32_t conversion_value;        /* not signed: fine value 0..63; -1 = hidden, or illegal: see
                                      * skan_postback_illegal_fields */
    int32_t coarse_conversion_value; /* not signed: 0 low, 1 medium, 2 high; -1 = hidden, or illegal */
    int32_t conversion_type;         /* SKAN_CONVERSION_NONE ... SKAN_CONVERSION_REENGAGEMENT, or
                                      * SKAN_CONVERSION_OTHER: unknown_type names it. For SKAdNetwork
                                      * it follows from `redownload`, for AdAttributionKit from conversion-type, which
                                      * is signed */
    int32_t reserved;                /* 0 */
    const char *unknown_type;        /* Apple's word for a conversion type, impression type or version that is not known
                                      * here, or the `kid` of a key; NULL = all are known. The postback is then
                                      * neither an install nor a re-engagement. Rules, "Unknown types" */
} skan_postback_fields;

/* Reads the fields of a postback. If conversion_type is a re-engagement, a model for re-engagements defines what the
 * values mean: do not give them to skan_model_decode with a model for installs. That model sees only the values and
 * would answer nevertheless. Rules, "Re-engagements".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, out's size is illegal). */
skan_status skan_postback_read(const skan_postback *postback, skan_postback_fields *out, skan_error **error);

/* The name of a conversion type: "download", "redownload", "re-engagement", "unknown_type" for SKAN_CONVERSION_OTHER;
 * "unknown" for any other number. The string is static. */
const char *skan_postback_conversion_type_name(int32_t conversion_type);

/* The key that identifies this postback wherever it arrives again. It is also the key of its record in a receiver's
 * store: "postback/" and the SHA-256, as 64 hexadecimal digits, of framework, ad network, transaction or postback
 * identifier and sequence index (0 if there is none). NULL for a malformed postback, and if one of these could not be
 * read. Valid until skan_postback_destroy. Rules, "Duplicate postbacks". */
const char *skan_postback_record_key(const skan_postback *postback);

/* The body, unchanged but for a byte-order mark in front. Valid until skan_postback_destroy. */
const void *skan_postback_body(const skan_postback *postback, size_t *length);
/* The body as Apple would have written it, if the postback was respelled; otherwise as skan_postback_body. This is what
 * a receiver stores. Valid until skan_postback_destroy. */
const void *skan_postback_canonical_body(const skan_postback *postback, size_t *length);

/* Writes the postback as JSON, which is freed with skan_free: {"framework": "SKAdNetwork" or "AdAttributionKit",
 * "result": its name, "version", "key": as skan_postback_record_key, "respelled": as skan_postback_is_respelled,
 * "problem": {"field", "reason"} or null, "signed": {field: value}, "unsigned": {field: value}, "illegal": [field]}.
 * Fields have Apple's names. "signed" contains exactly the fields that the signature proves. "unsigned" contains the
 * other fields that the version knows; if the signature proves nothing, that is all of them. Numbers and texts are as
 * in skan_postback_canonical_body.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED. */
skan_status skan_postback_json(const skan_postback *postback, char **json, skan_error **error);

/* -------------------------------------------------------------------------------------------------------- receive */

/* The outcome of receiving a postback. */
enum skan_postback_outcome {
    SKAN_POSTBACK_COUNTED = 0,       /* valid and the first copy: it counts */
    SKAN_POSTBACK_DUPLICATE = 1,     /* counted before: nothing changes */
    SKAN_POSTBACK_CONFLICT = 2,      /* counted before, with other values: the first copy stays, this one is
                                      * stored separately */
    SKAN_POSTBACK_REFUSED = 3,       /* its result is not valid: stored separately, never counted */
    SKAN_POSTBACK_OTHER_NETWORK = 4, /* valid, but it belongs to another ad network than its sender, or to none of
                                      * the receiver's ad_networks: stored separately, never counted */
    SKAN_POSTBACK_OTHER_APP = 5      /* valid, but for none of the receiver's app_ids: stored separately, never
                                      * counted */
};

/* The result of decoding a postback's value by a conversion model. Installs and redownloads are decoded by one of the
 * receiver's `models`, re-engagements by one of its `reengagement_models`, never the other way round. Rules, "Decoding
 * postbacks", "Re-engagements". */
enum skan_postback_decoding {
    SKAN_POSTBACK_NOT_DECODED = 0, /* the receiver has no models for this kind, or the postback was not counted */
    SKAN_POSTBACK_DECODED = 1,     /* skan_model_decode with this model gives the meaning of the value */
    SKAN_POSTBACK_HIDDEN = 2,      /* there is no value: Apple hid it */
    SKAN_POSTBACK_UNDECODABLE = 3, /* the model has no rule with this value */
    SKAN_POSTBACK_AMBIGUOUS = 4,   /* the model changed during the time in which the install, or the re-engagement,
                                    * may have happened: the receiver does not guess */
    SKAN_POSTBACK_NO_MODEL = 5,    /* the install, or the re-engagement, is older than the first model */
    SKAN_POSTBACK_ILLEGAL = 6      /* the value has no meaning, such as 64 or "abc": whoever passed the postback on
                                    * changed it. Apple did not hide it */
};

/* A conversion model, and the time from which new installs, or new re-engagements, had it. */
typedef struct skan_postback_model {
    int64_t from;            /* Unix seconds; the model applies until the `from` of the next one. Ascending */
    const skan_model *model; /* must outlive the receiver */
} skan_postback_model;

#define SKAN_POSTBACK_SCOPE_MAX 1024 /* the most apps, or ad networks, of a receiver */

/* The most bytes that are kept of a malformed or invalid postback.
 * Refused postbacks are stored separately in four kinds: malformed ones; invalid ones; unverifiable ones; and the rest,
 * which only Apple can sign (conflicts, postbacks of another app or ad network, postbacks signed with a development
 * key). Each kind has a budget of its own, so that one kind cannot use up the space of another. Of malformed and
 * invalid postbacks, the first SKAN_POSTBACK_REFUSED_MAX bytes are kept; the others are kept whole. One unknown version
 * or key may use a sixteenth of the budget for unverifiable postbacks on a day. Of the rest, each postback is kept once
 * for each of its values, however many forms of it are sent. The bytes of a budget are those of the bodies that are
 * kept, plus 5 120 for the data beside each body, which is as much as SQLite takes. With the default, that is at most
 * 2 GiB in all. `skan purge --refused-before DAYS` removes them. */
#define SKAN_POSTBACK_REFUSED_MAX 2048

/* How a receiver is made. Set `size` and `store`; everything else may be zero. */
typedef struct skan_postback_receiver_options {
    size_t size;                       /* sizeof(skan_postback_receiver_options) */
    const skan_store *store;           /* owned by the receiver, as in skan_create. It may hold installs too */
    const skan_clock *clock;           /* NULL = the system clock; owned, as in skan_create */
    const skan_postback_keys *keys;    /* NULL = Apple's */
    const skan_postback_model *models; /* for installs: all models that were ever used; copied. NULL = none */
    size_t model_count;                /* at most SKAN_MODELS_MAX */
    const skan_postback_model *reengagement_models; /* the same for re-engagements; a model may be in both lists.
                                                     * NULL = none: re-engagements are counted, not decoded */
    size_t reengagement_model_count;                /* at most SKAN_MODELS_MAX */
    const int64_t *app_ids;         /* the App Store ids, above 0, of the apps whose postbacks are counted; copied. NULL
                                     * = those of any app are counted. Rules, "Receiving postbacks" */
    size_t app_id_count;            /* at most SKAN_POSTBACK_SCOPE_MAX */
    const char *const *ad_networks; /* the ad networks, "example.skadnetwork", "example.adattributionkit", whose
                                     * postbacks are counted, 1..SKAN_POSTBACK_NETWORK_MAX bytes each; copied. NULL =
                                     * those of any ad network are counted */
    size_t ad_network_count;        /* at most SKAN_POSTBACK_SCOPE_MAX */
    uint64_t refused_bytes_in_all;  /* how many bytes of refused postbacks of each kind this receiver stores, so that
                                     * untrusted senders cannot fill the store. Beyond that, postbacks are refused and
                                     * not stored. 0 = 536 870 912 (512 MiB), UINT64_MAX = no limit. See
                                     * SKAN_POSTBACK_REFUSED_MAX */
} skan_postback_receiver_options;

/* A receiver, which stores postbacks. Opaque; safe for any number of threads. Any number of receivers and processes may
 * share the storage behind a store. */
typedef struct skan_postback_receiver skan_postback_receiver;

/* Makes a receiver. `finalize` of store and clock is called as skan_create would call it.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  a pointer is NULL, a size is illegal, a hook is missing, the store is NULL; the models
 *                              of a list are too many, NULL or not ascending; or an app's id or an ad network's name is
 *                              not as described, or there are too many of them
 * SKAN_ERROR_LIMIT_EXCEEDED */
skan_status skan_postback_receiver_create(const skan_postback_receiver_options *options, skan_postback_receiver **out,
                                          skan_error **error);
/* Destroys a receiver and finalizes its hooks. NULL is fine. No thread may be in a call on it. */
void skan_postback_receiver_destroy(skan_postback_receiver *receiver);

#define SKAN_POSTBACK_MAX 30720       /* the most bytes of a postback that is received: it fits into a record */
#define SKAN_POSTBACK_NETWORK_MAX 128 /* the most bytes of a network's name */

/* The receipt for a postback. Out parameter: set `size`; the call writes the rest. */
typedef struct skan_postback_receipt {
    size_t size;             /* sizeof(skan_postback_receipt), kept */
    int32_t outcome;         /* SKAN_POSTBACK_COUNTED ... SKAN_POSTBACK_OTHER_APP */
    int32_t result;          /* the result of verifying it */
    int32_t decoding;        /* SKAN_POSTBACK_NOT_DECODED ... SKAN_POSTBACK_ILLEGAL */
    bool is_kept;            /* a record holds this copy, or one with the same content; false: a duplicate, or refused
                              * beyond the limit */
    int64_t received;        /* microseconds since 1970 */
    char key[80];            /* the key of the record: "postback/..." or "refused/..." */
    char model[72];          /* the version of the model that applies, skan_model_version; "" if there is none */
    char problem_field[128]; /* skan_postback_problem_field, cut; "" if there is none */
    char unknown_type[120];  /* unknown_type of skan_postback_fields, cut; "" if there is none */
    bool is_respelled;       /* skan_postback_is_respelled: it is stored as Apple would have written it */
} skan_postback_receipt;

/* Receives one postback: verifies it, counts it if it is valid and the first copy, decodes it, and stores it. Answer
 * HTTP 200 when this answers SKAN_OK, and only then. The store then holds every postback that counts; of a duplicate,
 * and of a refused postback beyond a limit, it holds no further copy (`is_kept`). After an error nothing is lost: Apple
 * sends the postback again, and if this copy was stored meanwhile, the next one is a duplicate.
 *   network       NULL, or the ad network that the sender is known to be, for instance by a token. Postbacks of other
 *                 networks are then SKAN_POSTBACK_OTHER_NETWORK, since their unsigned values could be forged. 1..128
 *                 bytes of UTF-8.
 *   body, length  at most SKAN_POSTBACK_MAX bytes.
 *   out           may be NULL.
 * Two postbacks are copies of each other if skan_postback_record_key is the same. A copy is a conflict if any of its
 * values, as skan_postback_read gives them, differs from the first copy's. Clock.
 *
 * The value is decoded with the model that applied at the time of install. A postback does not carry this time. It lies
 * between the earliest and the latest moment that Apple's timers allow for the postback's window and its arrival. If
 * these two moments have different models, the decoding is SKAN_POSTBACK_AMBIGUOUS. The windows of a re-engagement
 * count from the tap on the ad: these moments are then those of the tap and say nothing about the install, and the
 * model is one of reengagement_models. Rules, "Receiving postbacks", "Time of install", "Re-engagements".
 * SKAN_OK, with any outcome
 * SKAN_ERROR_INVALID_ARGUMENT  an argument is not as described
 * SKAN_ERROR_LIMIT_EXCEEDED    more than SKAN_POSTBACK_MAX bytes: not a postback of Apple's; nothing was stored
 * SKAN_ERROR_STORE, SKAN_ERROR_STORE_UNKNOWN
 * SKAN_ERROR_STORE_CONFLICT    the record was removed and made again at each attempt in 10 s
 * SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW  the record of the first copy; it is left unchanged
 * SKAN_ERROR_CLOCK */
skan_status skan_postback_receive(skan_postback_receiver *receiver, const char *network, const void *body,
                                  size_t length, skan_postback_receipt *out, skan_error **error);

/* --------------------------------------------------------------------------------------------------------- records */

/* The content of a receiver's record besides the postback. Out parameter: set `size`; the call writes the rest. */
typedef struct skan_postback_record {
    size_t size;             /* sizeof(skan_postback_record), kept */
    int32_t outcome;         /* SKAN_POSTBACK_COUNTED, SKAN_POSTBACK_CONFLICT, ... as in the receipt */
    int32_t decoding;        /* as in the receipt */
    int64_t received;        /* microseconds since 1970 */
    int64_t installed_from;  /* the install's earliest and latest moment, Unix seconds; 0 if the postback was not
                              * counted or is a re-engagement */
    int64_t installed_until;
    char model[72];          /* as in the receipt */
    char network[136];       /* the network that sent it; "" if unknown */
    int64_t reengaged_from;  /* the same two moments for the tap that led to a re-engagement; 0 for an install */
    int64_t reengaged_until;
} skan_postback_record;

/* Reads a record of a receiver as its store holds it, under a key that begins with "postback/" or "refused/". A
 * re-engagement that was received before receivers had models for re-engagements was decoded as an install; it is now
 * SKAN_POSTBACK_NOT_DECODED. Everything else in such a record is unchanged.
 *   out       may be NULL.
 *   postback  the postback with the result that it had; its signature is not checked again. Owned by the caller. May be
 *             NULL.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (data is NULL, out's size is illegal), SKAN_ERROR_CORRUPT_RECORD,
 * SKAN_ERROR_RECORD_TOO_NEW, SKAN_ERROR_LIMIT_EXCEEDED. */
skan_status skan_postback_record_read(const void *data, size_t length, skan_postback_record *out,
                                      skan_postback **postback, skan_error **error);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_POSTBACK_H */

/*
 * postback.h - Apple's install postbacks for libskan: verified, counted once, kept (library libskan-postback, over
 * OpenSSL's libcrypto).
 *
 * Verifying needs nothing else:
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
 * /.well-known/appattribution/report-attribution/ (AdAttributionKit); both bodies are taken here.
 *
 * Know before production:
 * - Apple's signature says that a postback is Apple's, not that it is yours: tell a receiver your apps, and the ad
 *   networks that you work with, or whoever has an ad network of their own can have postbacks of their app counted here.
 * - Conversion values and the country code are not signed. Whoever passes a postback on can change them; the first copy
 *   that arrives is the one that counts. Take postbacks only from Apple's devices, or from senders that you know.
 * - A value that is not there is hidden by Apple's privacy tiers. It is not 0.
 * - AdAttributionKit tells of re-engagements too: a tap on an ad that led back into the app. They are no installs,
 *   and have models of their own (conversion_type, reengagement_models).
 * - Threads: every function may be called by any number of threads at once, skan_..._destroy apart.
 * - fork: make receivers after fork(). Postbacks and key sets may be used in the child.
 * - OpenSSL: the library has a library context of its own, which neither reads nor changes the host's configuration.
 * - Memory: a failed allocation ends the process, as in skan.h; where libcrypto has none, calls answer
 *   SKAN_ERROR_LIMIT_EXCEEDED. Sizes are limited before anything is allocated.
 *
 * Errors and ownership are as in skan.h: texts given through `char **` are freed with skan_free. What a comment names,
 * Rules, "Receiving postbacks" for instance, stands in Rules.md, as there; Apple's words are in "Verifying an
 * install-validation postback" (SKAdNetwork) and "Verifying a postback" (AdAttributionKit). The ABI only grows, as
 * there.
 */
#ifndef SKAN_POSTBACK_H
#define SKAN_POSTBACK_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------------------------- keys */

/* A public key. SKAdNetwork has one for each version of postbacks, AdAttributionKit one for each key id. */
typedef struct skan_postback_key {
    const char *name;   /* "1.0" "2.0" "2.1" "2.2" "3.0" "4.0", or the `kid` of a JWS; 1..128 bytes */
    const char *spki;   /* the key as Apple publishes it: a SubjectPublicKeyInfo, in padded base64 without line ends, of
                         * curve P-256 or, for versions, P-192. NULL = none: such postbacks are unverifiable */
    int is_development; /* not 0: what it signs is SKAN_POSTBACK_DEVELOPMENT, not valid */
} skan_postback_key;

#define SKAN_POSTBACK_KEYS_MAX 256 /* of one set */

/* Keys, parsed and checked; never changes. Opaque; safe for any number of threads. */
typedef struct skan_postback_keys skan_postback_keys;

/* Rules, "Postback keys": Apple's, with some replaced or added: for tests, which sign with keys of their own, and for
 * keys that are newer than this library. The key of a name that is not given is Apple's.
 *   keys, count  up to SKAN_POSTBACK_KEYS_MAX; the last of a name counts. Copied. May be NULL where count is 0.
 *   out          owned by the caller until skan_postback_keys_destroy. Receivers keep what they were given.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, a name or a key is not as described),
 * SKAN_ERROR_LIMIT_EXCEEDED. */
skan_status skan_postback_keys_create(const skan_postback_key *keys, size_t count, skan_postback_keys **out,
                                      skan_error **error);
/* Gives up the caller's share of a set. NULL is fine. */
void skan_postback_keys_destroy(skan_postback_keys *keys);

/* --------------------------------------------------------------------------------------------------------- verify */

/* What a postback is by its signature. Rules, "Postback verification". */
enum skan_postback_result_code {
    SKAN_POSTBACK_VALID = 0,        /* signed by Apple, every signed field is as it was signed */
    SKAN_POSTBACK_INVALID = 1,      /* the signature does not fit: not of Apple, or changed on the way */
    SKAN_POSTBACK_UNVERIFIABLE = 2, /* of a version, or signed with a key, that is not known here; maybe newer */
    SKAN_POSTBACK_DEVELOPMENT = 3,  /* the signature fits, and is of a development key of AdAttributionKit: a test */
    SKAN_POSTBACK_MALFORMED = 4     /* no postback: no JSON, a field is missing or of the wrong type */
};

/* Where a postback comes from. */
enum skan_postback_source {
    SKAN_POSTBACK_SKADNETWORK = 0,
    SKAN_POSTBACK_ADATTRIBUTIONKIT = 1 /* has a "jws-string", and no "attribution-signature" */
};

/* What the ad brought about. */
enum skan_postback_conversion_type {
    SKAN_POSTBACK_CONVERSION_UNKNOWN = 0, /* not told, or in a word that this library does not know */
    SKAN_POSTBACK_DOWNLOAD = 1,           /* the first install of the app by this person */
    SKAN_POSTBACK_REDOWNLOAD = 2,         /* an install by someone who had the app before */
    SKAN_POSTBACK_REENGAGEMENT = 3        /* AdAttributionKit: no install; a tap on an ad led back into the app */
};

/* How postbacks are verified. Set `size`; everything else may be zero. */
typedef struct skan_postback_options {
    size_t size;                    /* sizeof(skan_postback_options) */
    const skan_postback_keys *keys; /* NULL = Apple's */
} skan_postback_options;

/* A postback that was read and verified; never changes. Opaque; safe for any number of threads. */
typedef struct skan_postback skan_postback;

/* Reads a postback of SKAdNetwork 1.0 to 4.0 or AdAttributionKit, and verifies its signature. Keys are parsed once for
 * all calls.
 *   body, length  of Apple's HTTP request, as it came: at most SKAN_RESPONSE_MAX bytes. Copied.
 *   options       NULL = Apple's keys.
 *   out           owned by the caller until skan_postback_destroy. There is one whatever the result is.
 * Checked in this order: JSON (as skan_json_read); the version; required fields in the order of the signed text; the
 * form of the signature, padded base64 and DER; the signature. Of AdAttributionKit: the form of the JWS, `alg`, the
 * signature's length; `crit` and `kid`; the payload's required fields; the signature. Rules, "Postback verification",
 * "SKAdNetwork signatures", "AdAttributionKit signatures".
 * SKAN_OK, with any result; SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, a size is illegal);
 * SKAN_ERROR_LIMIT_EXCEEDED (too long). */
skan_status skan_postback_verify(const void *body, size_t length, const skan_postback_options *options,
                                 skan_postback **out, skan_error **error);

/* Ends a postback, and all texts that it gave. NULL is fine. */
void skan_postback_destroy(skan_postback *postback);

/* SKAN_POSTBACK_VALID ... SKAN_POSTBACK_MALFORMED. -1 for NULL. */
int32_t skan_postback_result(const skan_postback *postback);

/* "valid", "invalid", "unverifiable", "development", "malformed"; "unknown" for a number that is none. Static. */
const char *skan_postback_result_name(int32_t result);

/* What is wrong with a malformed postback, or why it is unverifiable, in words; "" for other results. Valid until
 * skan_postback_destroy. */
const char *skan_postback_problem(const skan_postback *postback);
/* The field that makes it malformed or unverifiable, "app-id"; of a JWS the part or its field, "header", "payload",
 * "signature", "alg", "kid", "postback-identifier". NULL for other results, and where it is no JSON. */
const char *skan_postback_problem_field(const skan_postback *postback);

/* The names of the fields that the signature covers, ended by a NULL, in the order of the signed text; of
 * AdAttributionKit all keys of the payload. Empty unless the postback is valid or development: nothing is proven
 * otherwise. `count` may be NULL. Valid until skan_postback_destroy; never NULL for a postback. */
const char *const *skan_postback_signed_fields(const skan_postback *postback, size_t *count);

/* The names of unsigned fields that have a value of the wrong type or out of range, ended by a NULL: they count as
 * absent and change no result. Rules, "Unsigned fields". The same otherwise. */
const char *const *skan_postback_illegal_fields(const skan_postback *postback, size_t *count);

/* What stands in a postback; whether it is proven tell the result and skan_postback_signed_fields. Out parameter: set
 * `size`, the call writes the rest. Pointers are NULL where the field is absent or not of its type, and valid until
 * skan_postback_destroy. Texts are UTF-8, cut at a NUL, with U+FFFD for unpaired surrogates. Of versions that do not
 * know a field it is absent; of a malformed one so is what comes after the field that makes it malformed. */
typedef struct skan_postback_fields {
    size_t size;                   /* sizeof(skan_postback_fields), kept */
    int32_t framework;             /* SKAN_POSTBACK_SKADNETWORK or SKAN_POSTBACK_ADATTRIBUTIONKIT */
    int32_t window;                /* postback-sequence-index, 0..2; 0 where the version has none */
    const char *version;           /* of SKAdNetwork, "1.0" also where the field is absent; NULL of AdAttributionKit */
    const char *ad_network_id;     /* ad-network-id, ad-network-identifier */
    const char *transaction_id;    /* transaction-id, postback-identifier */
    const char *source_identifier; /* SKAN 4.0 and AdAttributionKit: two to four digits */
    const char *source_domain;     /* SKAN 4.0: the web site of the ad; one of digits only is malformed */
    const char *country_code;      /* not signed: two capital letters, ISO 3166-1 */
    const char *interaction_type;  /* not signed, AdAttributionKit: "click" or "view" */
    const char *key_id;            /* AdAttributionKit: `kid` */
    const int64_t *campaign_id;    /* before SKAN 4.0 */
    const int64_t *app_id;         /* app-id, advertised-item-identifier: the app that was installed */
    const int64_t *source_app_id;  /* source-app-id, publisher-item-identifier: the app that showed the ad */
    const int64_t *fidelity_type;  /* 0 view-through, 1 StoreKit-rendered */
    int32_t did_win;               /* 1, 0; -1 = absent. 0: another network won the install */
    int32_t redownload;            /* 1, 0; -1 = absent */
    int32_t conversion_value;      /* not signed: fine value 0..63; -1 = hidden */
    int32_t coarse_value;          /* not signed: 0 low, 1 medium, 2 high; -1 = hidden */
    int32_t conversion_type;       /* SKAN_POSTBACK_CONVERSION_UNKNOWN ... SKAN_POSTBACK_REENGAGEMENT: of SKAdNetwork by
                                    * `redownload`, of AdAttributionKit by conversion-type, which is signed */
    int32_t reserved;              /* 0 */
} skan_postback_fields;

/* The values of a re-engagement, as conversion_type tells, mean what a model for re-engagements says: do not give them
 * to skan_model_decode with a model for installs, which knows values alone and would answer all the same. Rules,
 * "Re-engagements".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, out's size is illegal). */
skan_status skan_postback_read(const skan_postback *postback, skan_postback_fields *out, skan_error **error);

/* "download", "redownload", "re-engagement"; "unknown" for any other number. Static. */
const char *skan_postback_conversion_type_name(int32_t conversion_type);

/* What names this postback wherever it arrives again, also as the key of its record in a receiver's store: "postback/"
 * and the SHA-256, 64 hexadecimal digits, of framework, ad network, transaction or postback identifier and sequence
 * index (none = 0). NULL of a malformed one, and where one of
 * them could not be read. Valid until skan_postback_destroy. Rules, "Duplicate postbacks". */
const char *skan_postback_key_of(const skan_postback *postback);

/* The body as it came. Valid until skan_postback_destroy. */
const void *skan_postback_body(const skan_postback *postback, size_t *length);

/* The postback as JSON; freed with skan_free: {"framework": "SKAdNetwork" or "AdAttributionKit", "result": its name,
 * "version", "key": as skan_postback_key_of, "problem": {"field", "reason"} or null, "signed": {field: value},
 * "unsigned": {field: value}, "illegal": [field]}. Fields have Apple's names. "signed" has what the signature proves
 * and nothing else; the other fields that the version knows, all of them where it proves nothing, stand in "unsigned".
 * Numbers and texts as they came.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED. */
skan_status skan_postback_json(const skan_postback *postback, char **json, skan_error **error);

/* -------------------------------------------------------------------------------------------------------- receive */

/* What became of a postback that was received. */
enum skan_postback_outcome {
    SKAN_POSTBACK_COUNTED = 0,       /* valid, the first copy: it counts */
    SKAN_POSTBACK_DUPLICATE = 1,     /* counted before: nothing changes */
    SKAN_POSTBACK_CONFLICT = 2,      /* counted before, with other values: the first copy stays, this one is
                                      * stored separately */
    SKAN_POSTBACK_REFUSED = 3,       /* its result is not valid: stored separately, never counted */
    SKAN_POSTBACK_OTHER_NETWORK = 4, /* valid, but not of the ad network that sends it, or of none of the receiver's
                                      * ad_networks: stored separately, never counted */
    SKAN_POSTBACK_OTHER_APP = 5      /* valid, but of none of the receiver's app_ids: stored separately, never
                                      * counted */
};

/* What a conversion model said of a postback's value: of installs and redownloads one of the receiver's `models`, of
 * re-engagements one of its `reengagement_models`, never the other way round. Rules, "Decoding postbacks",
 * "Re-engagements". */
enum skan_postback_decoding {
    SKAN_POSTBACK_NOT_DECODED = 0, /* the receiver has no models for it, or the postback was not counted */
    SKAN_POSTBACK_DECODED = 1,     /* skan_model_decode with this model says what it means */
    SKAN_POSTBACK_HIDDEN = 2,      /* there is no value */
    SKAN_POSTBACK_UNDECODABLE = 3, /* the model has no rule with this value */
    SKAN_POSTBACK_AMBIGUOUS = 4,   /* the model changed while the install, or the re-engagement, may have happened: no
                                    * guess */
    SKAN_POSTBACK_NO_MODEL = 5     /* the install, or the re-engagement, is older than the first model */
};

/* A conversion model and from when on new installs, or new re-engagements, had it. */
typedef struct skan_postback_model {
    int64_t from;            /* Unix seconds; until the next one's. Ascending */
    const skan_model *model; /* outlives the receiver */
} skan_postback_model;

#define SKAN_POSTBACK_SCOPE_MAX 1024 /* apps, or ad networks, of a receiver */

/* Refused postbacks are stored separately in four sorts, each with its own budget, so that none hides another: what is
 * malformed, what is invalid, what is unverifiable, and the rest, which only Apple can sign (conflicts, of another app or
 * ad network, of a development key). Of the first two the first SKAN_POSTBACK_REFUSED_MAX bytes are kept; the others are
 * kept whole. One unknown version or key has a sixteenth of the unverifiable ones of an hour. Of the rest, each postback
 * is kept once for each of its values, however many forms of it are sent. A budget's bytes are those of bodies that are
 * kept, and 5 120 of each for what stands beside it, as much as SQLite takes. As the defaults are, that is at most 256 MiB
 * in an hour and 1 GiB in all. `skan purge --refused-before DAYS` removes them. */
#define SKAN_POSTBACK_REFUSED_MAX 2048

/* How a receiver is made. Set `size` and `store`; everything else may be zero. */
typedef struct skan_postback_receiver_options {
    size_t size;                       /* sizeof(skan_postback_receiver_options) */
    const skan_store *store;           /* owned from here on, as in skan_create. Installs may be in it too */
    const skan_clock *clock;           /* NULL = the system's; owned, as in skan_create */
    const skan_postback_keys *keys;    /* NULL = Apple's */
    const skan_postback_model *models; /* of installs: every version there was; copied. NULL = none */
    size_t model_count;                /* at most SKAN_MODELS_MAX */
    uint32_t refused_per_hour;         /* how many postbacks of each sort this receiver keeps apart in an hour, so that
                                        * strangers cannot fill the store; what comes above is refused but not kept.
                                        * 0 = 10 000, UINT32_MAX = no limit. See SKAN_POSTBACK_REFUSED_MAX */
    uint32_t reserved;                 /* 0 */
    const skan_postback_model *reengagement_models; /* the same of re-engagements; a model may be in both lists. NULL =
                                                     * none: re-engagements are counted and not decoded */
    size_t reengagement_model_count;                /* at most SKAN_MODELS_MAX */
    const int64_t *app_ids;         /* the apps, by their ids of the App Store, above 0, whose postbacks are counted;
                                     * copied. NULL = any app's. Rules, "Receiving postbacks" */
    size_t app_id_count;            /* at most SKAN_POSTBACK_SCOPE_MAX */
    const char *const *ad_networks; /* the ad networks, "example.skadnetwork", "example.adattributionkit", whose
                                     * postbacks are counted, 1..SKAN_POSTBACK_NETWORK_MAX bytes each; copied. NULL =
                                     * any one's */
    size_t ad_network_count;        /* at most SKAN_POSTBACK_SCOPE_MAX */
    uint64_t refused_bytes_per_hour; /* the same by bytes. 0 = 67 108 864 (64 MiB), UINT64_MAX = no limit */
    uint64_t refused_in_all;         /* of each sort, since this receiver was made. 0 = 50 000, UINT64_MAX = no limit */
    uint64_t refused_bytes_in_all;   /* the same by bytes. 0 = 268 435 456 (256 MiB), UINT64_MAX = no limit */
} skan_postback_receiver_options;

/* Receives postbacks into a store. Opaque; safe for any number of threads; any number of receivers and processes may
 * share what is behind the store. */
typedef struct skan_postback_receiver skan_postback_receiver;

/* Makes a receiver. `finalize` of store and clock is called as skan_create would.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT: a pointer is NULL, a size is illegal, a hook is missing, the store is NULL,
 * models, of either list, are too many, NULL or not ascending, an app's id or an ad network's name is not as described,
 * or there are too many; SKAN_ERROR_LIMIT_EXCEEDED. */
skan_status skan_postback_receiver_create(const skan_postback_receiver_options *options, skan_postback_receiver **out,
                                          skan_error **error);
/* Ends a receiver and finalizes its hooks. NULL is fine. No thread may be in a call on it. */
void skan_postback_receiver_destroy(skan_postback_receiver *receiver);

#define SKAN_POSTBACK_MAX 30720       /* bytes of a postback that is received: it fits into a record */
#define SKAN_POSTBACK_NETWORK_MAX 128 /* bytes of a network's name */

/* What became of a postback. Out parameter: set `size`, the call writes the rest. */
typedef struct skan_postback_receipt {
    size_t size;             /* sizeof(skan_postback_receipt), kept */
    int32_t outcome;         /* SKAN_POSTBACK_COUNTED ... SKAN_POSTBACK_OTHER_APP */
    int32_t result;          /* of verifying it */
    int32_t decoding;        /* SKAN_POSTBACK_NOT_DECODED ... SKAN_POSTBACK_NO_MODEL */
    int32_t is_kept;         /* 1: a record holds this copy, or one that says the same; 0: a duplicate, or refused
                              * above the limit */
    int64_t received;        /* microseconds since 1970 */
    char key[80];            /* of the record: "postback/..." or "refused/..." */
    char model[72];          /* the version of the model that applies, skan_model_version; "" for none */
    char problem_field[128]; /* skan_postback_problem_field, cut; "" for none */
} skan_postback_receipt;

/* Receives one postback: verifies it, counts it if it is valid and the first copy, decodes it, and stores it. The store
 * holds it when this answers SKAN_OK: answer HTTP 200 then, and only then. After an error nothing is lost: Apple sends
 * the postback again, and what was stored meanwhile makes that one a duplicate.
 *   network       NULL, or the ad network that the sender is known to be, by a token for instance: postbacks of others
 *                 are SKAN_POSTBACK_OTHER_NETWORK, since their unsigned values could be forged. 1..128 bytes of UTF-8.
 *   body, length  at most SKAN_POSTBACK_MAX bytes.
 *   out           may be NULL.
 * A copy is the same by skan_postback_key_of. It is a conflict where any of its values, as skan_postback_read gives
 * them, differs from the first copy's. Clock.
 *
 * The model is that of the time of install, which a postback does not tell: it is between the earliest and the latest
 * moment that Apple's timers allow for its window and the moment it arrived. Where these have different models it is
 * SKAN_POSTBACK_AMBIGUOUS. The windows of a re-engagement count from the tap on the ad: these moments are the tap's,
 * they tell nothing of the install, and the model is one of reengagement_models. Rules, "Receiving postbacks",
 * "Time of install", "Re-engagements".
 * SKAN_OK, with any outcome
 * SKAN_ERROR_INVALID_ARGUMENT  an argument is not as described
 * SKAN_ERROR_LIMIT_EXCEEDED    more than SKAN_POSTBACK_MAX bytes: no postback of Apple's; nothing was stored
 * SKAN_ERROR_STORE, SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE_CONFLICT (removed and made again each of 100 times)
 * SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW  the record of the first copy; it is left as it is
 * SKAN_ERROR_CLOCK */
skan_status skan_postback_receive(skan_postback_receiver *receiver, const char *network, const void *body,
                                  size_t length, skan_postback_receipt *out, skan_error **error);

/* --------------------------------------------------------------------------------------------------------- records */

/* What a receiver's record holds beside the postback. Out parameter: set `size`, the call writes the rest. */
typedef struct skan_postback_record {
    size_t size;             /* sizeof(skan_postback_record), kept */
    int32_t outcome;         /* SKAN_POSTBACK_COUNTED, SKAN_POSTBACK_CONFLICT, ... as in the receipt */
    int32_t decoding;        /* the same */
    int64_t received;        /* microseconds since 1970 */
    int64_t installed_from;  /* the install's earliest and latest moment, Unix seconds; 0 where not counted, and of a
                              * re-engagement */
    int64_t installed_until;
    char model[72];          /* as in the receipt */
    char network[136];       /* whom it came from; "" for unknown */
    int64_t reengaged_from;  /* of a re-engagement the same of the tap that led to it; 0 of an install */
    int64_t reengaged_until;
} skan_postback_record;

/* Reads a record of a receiver as its store holds it, under a key that begins with "postback/" or "refused/". A
 * re-engagement that was received before receivers knew models for them, and so decoded as an install, is
 * SKAN_POSTBACK_NOT_DECODED; what else such records hold is as it was.
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

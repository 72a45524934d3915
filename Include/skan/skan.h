/*
 * skan.h - the C interface of libskan: SKAdNetwork (SKAN) state for server-to-server integrations.
 *
 * A game's back end keeps, for every app install, the data that Apple's SKAdNetwork needs: when the install was first
 * seen, its revenue, its conversion values and its current postback window. The whole life of an install:
 *
 *     skan_engine *engine = NULL;
 *     skan_error *error = NULL;
 *     skan_options options = {.size = sizeof options, .sdk_key = "...", .bundle_id = "com.example.game",
 *                             .app_version = "1.0",
 *                             .endpoint_url = "https://skan.example.com"};  // NULL: a third party's, see there
 *     skan_create(&options, &engine, &error);                  // in-memory store, system clock, SKAN 4
 *
 *     skan_update update = {.size = sizeof update};
 *     skan_register(engine, "player-1", &update, &error);      // first launch
 *     skan_update_revenue(engine, "player-1", 4.99, "USD", false, "order-1", &error);
 *
 *     char *url; uint64_t ticket;                              // ask the endpoint for the next value ...
 *     skan_conversion_request(engine, "player-1", "purchase", NULL, &url, &ticket, &error);
 *     // ... GET url with your HTTP client ...
 *     skan_apply_response(engine, "player-1", ticket, body, length, &update, &error);
 *     skan_free(url);
 *
 *     skan_pending_update(engine, "player-1", &update, &error);           // when the app calls next: give it this,
 *     skan_acknowledge_update(engine, "player-1", update.id, true, &error);  // and report that it arrived
 *     skan_destroy(engine);
 *
 * Know before production:
 * - Threads: any number of threads may use an engine at once, and any number of processes may share a store: every
 *   change is a compare-and-set on the install's record. skan_destroy must be the last call.
 * - fork: an engine that was made before fork() may be used in the child, even if other threads of the parent are in
 *   calls during the fork, provided that the host's hooks allow it. The in-memory store is copied: after the fork, each
 *   process has its own.
 * - Statuses: 0 is OK. 1..99 are outcomes, which are expected in normal operation. 100 and more are errors. Unless a
 *   function says otherwise, every status but SKAN_OK leaves the install unchanged.
 * - Ownership: text that a call gives through `char **` is freed with skan_free, an error with skan_error_free. On any
 *   status but SKAN_OK every other out parameter is NULL or zero. What the caller passes is copied, or is read only
 *   during the call.
 * - Errors: the last parameter of a call may be NULL. Otherwise it is always written: with NULL, or, for statuses of
 *   100 and more, with an object that the caller owns. There is no hidden "last error".
 * - Memory: a failed allocation ends the process, as in most Swift programs. Sizes are limited before anything is
 *   allocated, so no input can cause a large allocation: a record has at most 32 KiB, an answer at most 64 KiB.
 * - Text is UTF-8, terminated by a NUL. Times are Unix seconds unless a name says microseconds.
 *
 * A reference such as Rules, "Register" means that the function follows that section of Rules.md, which is
 * share/doc/skan/Rules.md where libskan is installed and Sources/Core/Rules.md in its source tree. Apple's own
 * description is in the documentation of SKAdNetwork, "Receiving ad attributions and postbacks".
 *
 * The ABI only grows: numbers are never reused, functions never change, and structs only get new members at the end.
 */
#ifndef SKAN_SKAN_H
#define SKAN_SKAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- statuses and errors */

/* The status that a call answers. Rules, "Statuses". The values are named below; skan_status_name gives the names as
 * text. */
typedef int32_t skan_status;

enum skan_status_code {
    SKAN_OK = 0,

    /* Outcomes: they are expected; nothing is wrong, and nothing was changed. */
    SKAN_ALREADY_REGISTERED = 1, /* the install was registered (or imported) before */
    SKAN_DUPLICATE_EVENT = 2,    /* this event id was counted before: the call is a retry and counts nothing */
    SKAN_NO_NEW_VALUE = 3,       /* the answer carries no value to apply */
    SKAN_STALE_RESPONSE = 4,     /* the answer is for another window, or a newer answer was applied before */
    SKAN_WINDOW_LOCKED = 5,      /* the current postback window was locked before; Apple ignores updates to it */
    SKAN_WINDOW_CLOSED = 6,      /* the last postback window is over (SKAN 3: 24 h without a new value) */
    SKAN_NOT_REGISTERED = 7,     /* skan_register was never called for this install */
    SKAN_NOTHING_PENDING = 8,    /* no update waits for the app */
    SKAN_NOT_FOUND = 9,          /* store hooks: there is no record under this key; skan_model_decode: no rule gives the
                                  * value; re-engagements: none with this number is kept */
    SKAN_UNSUPPORTED = 10,       /* the device's system does not support re-engagements: it is older than iOS 18 */

    /* Errors of the caller. */
    SKAN_ERROR_INVALID_ARGUMENT = 100, /* an argument does not have the form that its function requires */
    SKAN_ERROR_MISUSE = 101,           /* this engine does not allow the call, or does not allow it now */
    SKAN_ERROR_LIMIT_EXCEEDED = 102,   /* too many currencies, too large a total, or too large a size */
    SKAN_ERROR_INVALID_DOCUMENT = 103, /* an imported document, or a conversion model, breaks its rules */

    /* Errors of the endpoint's answer. */
    SKAN_ERROR_MALFORMED_RESPONSE = 110, /* not one JSON object */
    SKAN_ERROR_ILLEGAL_VALUE = 111,      /* a member has the wrong type or is out of range */
    SKAN_ERROR_REJECTED = 112,           /* the endpoint gave no value; the message is its reason */

    /* Errors of the store. */
    SKAN_ERROR_STORE = 120,          /* the store failed; nothing was applied */
    SKAN_ERROR_STORE_CONFLICT = 121, /* others changed the record before each of 100 attempts; nothing was applied */
    SKAN_ERROR_STORE_UNKNOWN = 122,  /* it is not known whether the change was applied */
    SKAN_ERROR_CORRUPT_RECORD = 123, /* the record is damaged; it is left unchanged (skan_forget removes it) */
    SKAN_ERROR_RECORD_TOO_NEW = 124, /* the record was written by a newer libskan */

    SKAN_ERROR_TRANSPORT = 130, /* the transport hook got no answer with HTTP status 200 */

    SKAN_ERROR_MODEL_UNKNOWN = 140, /* the install was registered with a conversion model that this engine does not
                                     * have, or without a model although this engine has models */

    SKAN_ERROR_CLOCK = 150 /* the clock failed */
};

/* The name of a status with its prefix, "SKAN_STALE_RESPONSE"; "SKAN_UNKNOWN_STATUS" for a number that is not a valid
 * status. A static string, never NULL. */
const char *skan_status_name(skan_status status);

/* An error: the reason why a call failed. It has a status of 100 or more, and a message that names the argument, field
 * or hook, what was expected and what was found. For SKAN_ERROR_REJECTED the message is the endpoint's reason,
 * unchanged (cut at a NUL; unpaired surrogates become U+FFFD), or libskan's own words if the answer gave no reason. If
 * the reason is "Conversion Management: Invalid parameter app_v given", the text ": the option app_version sets it" is
 * appended. The same is done for every item that a member of the options or of the device sets. For input that is not
 * JSON, the message gives the byte, from 0, and the line and column, from 1 (columns are characters, that is code
 * points). SDK keys are never in a message. */
typedef struct skan_error skan_error;

/* The status of the call that returned this error; SKAN_OK for NULL. */
skan_status skan_error_code(const skan_error *error);
/* The message, UTF-8, valid until skan_error_free; "" for NULL. */
const char *skan_error_message(const skan_error *error);
/* Makes an error with this status and a copy of the message (UTF-8; NULL is ""). It is for companion libraries and
 * hosts whose own functions report errors as these do. The caller owns it. NULL for a code below 100: outcomes have no
 * error. */
skan_error *skan_error_create(skan_status code, const char *message);
/* Frees an error. NULL is fine. */
void skan_error_free(skan_error *error);

/* Frees text that a call gave through `char **`. NULL is fine. */
void skan_free(void *memory);

/* The library's version, "1.0.0", a static string. */
const char *skan_version(void);
/* The version of this ABI. A program that was built for it runs with every library that returns the same number. */
uint32_t skan_abi_version(void);
#define SKAN_ABI_VERSION 1

/* --------------------------------------------------------------------------------------------------------- limits */

#define SKAN_INSTALL_ID_MAX 128      /* bytes of an install id */
#define SKAN_EVENT_ID_MAX 128        /* bytes of an event id */
#define SKAN_EVENT_NAME_MAX 32       /* bytes of an event name */
#define SKAN_TEXT_MAX 256            /* bytes of an SDK key, bundle id, version, idfv or idfa */
#define SKAN_AMOUNT_TEXT_MAX 1024    /* bytes of an amount that is given as text */
#define SKAN_ENDPOINT_URL_MAX 2048   /* bytes of an endpoint URL */
#define SKAN_RESPONSE_MAX 65536      /* bytes of an endpoint's answer, and of an imported document */
#define SKAN_REQUEST_MAX 65536       /* bytes of a request's path and query */
#define SKAN_RECORD_MAX 32768        /* bytes of a stored record */
#define SKAN_MODEL_MAX 65536         /* bytes of a conversion model's document */
#define SKAN_MODELS_MAX 1024         /* conversion models of an engine */
#define SKAN_BUFFER_MAX 1048576      /* bytes a hook may put into a skan_buffer */
#define SKAN_BATCH_MAX 1024          /* items of one call of load_many or save_many */
#define SKAN_REVENUE_MANY_MAX 65536  /* items of one call of skan_update_revenue_many */
#define SKAN_REENGAGEMENTS_MAX 6     /* re-engagements kept for an install */
#define SKAN_TAG_MAX 256             /* bytes of a conversion tag */
#define SKAN_REFERENCE_MAX 64        /* bytes of a host's reference */
#define SKAN_CALLS_MAX 16            /* calls of a list: enough room for every list; today there are at most 8 */
#define SKAN_COOLDOWN_HOURS_MAX 720  /* hours in which a further tap is not a conversion */

/* ---------------------------------------------------------------------------------------------------------- hooks */
/*
 * Hooks are the store, the clock and the transport that an engine uses. Each is a struct of functions and a `context`
 * that is passed back to them. Hooks may be called from any thread that uses the engine, and from several threads at
 * once, also for the same key; no lock is held during the call. They must not throw through C. If a hook calls back
 * into its own engine on the same thread, that call answers SKAN_ERROR_MISUSE. If hooks switch to another coroutine of
 * their thread, see skan_options.switches_stacks.
 *
 * `finalize`, if it is not NULL, is called with the context exactly once for each skan_create whose struct sizes are
 * legal: by skan_destroy, or, if skan_create fails, before it returns. With an illegal size the caller keeps the
 * contexts.
 */

/* A buffer into which a hook puts bytes. A buffer that is passed to a hook is valid only during the hook. */
typedef struct skan_buffer skan_buffer;

/* Replaces the content of the buffer by a copy of the `length` bytes at `data`.
 * SKAN_OK; SKAN_ERROR_LIMIT_EXCEEDED above SKAN_BUFFER_MAX; SKAN_ERROR_INVALID_ARGUMENT if the buffer is NULL, or if
 * data is NULL and length is not 0. On an error the buffer keeps its content. */
skan_status skan_buffer_set(skan_buffer *buffer, const void *data, size_t length);

/* Makes an empty buffer with which the caller can call a hook: in a hook that wraps another one, for instance a cache
 * in front of a store, and in tests of hooks. The caller owns it and frees it with skan_buffer_destroy. Only one thread
 * at a time may use it. Never NULL. */
skan_buffer *skan_buffer_create(void);
/* The content, valid until the buffer is set again or destroyed; never NULL for a buffer, NULL for NULL. */
const void *skan_buffer_data(const skan_buffer *buffer);
/* The number of bytes of the content; 0 for NULL. */
size_t skan_buffer_size(const skan_buffer *buffer);
/* Destroys a buffer of skan_buffer_create, and only such a buffer. NULL is fine. */
void skan_buffer_destroy(skan_buffer *buffer);

/* One load of a batch, with the arguments and results of skan_store.load. The hook does not change key and out. */
typedef struct skan_load_item {
    const char *key;
    skan_buffer *out;   /* filled if status is SKAN_OK */
    uint64_t version;   /* set if status is SKAN_OK */
    skan_status status; /* set by the hook */
} skan_load_item;

/* One save of a batch, with the arguments and results of skan_store.save. The hook sets only the last two members. */
typedef struct skan_save_item {
    const char *key;
    const void *data;
    size_t length;
    uint64_t expected_version;
    uint64_t new_version; /* set if status is SKAN_OK */
    skan_status status;   /* set by the hook */
} skan_save_item;

/*
 * Durable storage of records, one per install id. A record is opaque bytes with a version.
 *
 * Version 0 means "no record". Every save gives the record another version, even if the bytes are equal. A version is
 * never used twice for a key, not even after a remove: take it from a counter of the whole store, or draw it at random.
 * Rules, "Store contract", "Unknown saves". Keys are 1..128 bytes of UTF-8 without bytes 00-1F and 7F; records have
 * 1..32768 bytes.
 */
typedef struct skan_store {
    size_t size; /* sizeof(skan_store), set by the code that fills the struct */
    void *context;
    /* Loads the record. SKAN_OK with bytes and version set; SKAN_NOT_FOUND; SKAN_ERROR_STORE. Any other status, and
     * SKAN_OK with version 0, counts as SKAN_ERROR_STORE. */
    skan_status (*load)(void *context, const char *key, skan_buffer *out, uint64_t *version);
    /* Stores the record if the stored version is `expected_version` (0: if there is none) and sets `new_version`.
     * SKAN_OK; SKAN_ERROR_STORE_CONFLICT: there is another version or no record, and nothing was changed;
     * SKAN_ERROR_STORE: the change was certainly not applied; SKAN_ERROR_STORE_UNKNOWN: it may have been applied, for
     * instance after a time-out that followed the sending. Any other status, and SKAN_OK with version 0 or the expected
     * one, counts as SKAN_ERROR_STORE_UNKNOWN. */
    skan_status (*save)(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version);
    /* Removes the record if its version is `expected_version`. Answers as save does. */
    skan_status (*remove)(void *context, const char *key, uint64_t expected_version);
    void (*finalize)(void *context); /* may be NULL */

    /* Optional hooks: NULL if the store does not offer them. A struct may also end before any of them. */

    /* Many loads, or saves, in one round trip. The `status` of each item is what load or save would have answered for
     * it, independent of the other items (a store may still commit them together). Keys are distinct, and `count`
     * is 1..SKAN_BATCH_MAX. If the hook does not set the status of an item, it counts as SKAN_ERROR_STORE when loading
     * and as SKAN_ERROR_STORE_UNKNOWN when saving. */
    void (*load_many)(void *context, skan_load_item *items, size_t count);
    void (*save_many)(void *context, skan_save_item *items, size_t count);

    /* Lists one page of the keys, in an order that the store chooses. Puts the keys into `keys`, each ended by a NUL,
     * and the place where the next page begins into `cursor`, which the caller passes in again for the next page. An
     * empty cursor starts at the beginning, and the last page leaves an empty cursor. A page may be empty. A key that
     * exists from the first page to the last is listed at least once; a key that is added or removed meanwhile may be
     * listed or not. No engine calls this hook: it is for tools, such as libskan's `skan` command. SKAN_OK, or
     * SKAN_ERROR_STORE, also for a cursor that the store did not make. */
    skan_status (*list)(void *context, skan_buffer *cursor, skan_buffer *keys);

    /* Lists one page of the keys that begin with `prefix`, as list does for all keys. If the store can, it does not
     * read the others. `prefix` is written like a key, or is empty for all keys, and is the same for all
     * pages of a listing. A key that does not begin with it is never listed. */
    skan_status (*list_with_prefix)(void *context, const char *prefix, skan_buffer *cursor, skan_buffer *keys);
} skan_store;

/* A clock. `now` returns microseconds since 1970-01-01T00:00:00Z. -1 (any number from -999999 to -1, or before the year
 * 1) means that the clock does not know the time. Other times before 1970 are accepted unchanged. Rules, "Clock". */
typedef struct skan_clock {
    size_t size; /* sizeof(skan_clock) */
    void *context;
    int64_t (*now)(void *context);
    void (*finalize)(void *context); /* may be NULL */
} skan_clock;

/* A transport: HTTP GET, for skan_update_conversion_values; libskan itself sends nothing. URLs begin with endpoint_url
 * of the engine's options, which is Singular's server by default. `get` puts the body into the buffer and answers
 * SKAN_OK, only for HTTP status 200. A buffer that is not set is an empty body, which means "no value".
 * SKAN_ERROR_LIMIT_EXCEEDED is passed on to the caller; every other status becomes SKAN_ERROR_TRANSPORT.
 * The URL contains the SDK key: keep it out of logs. */
typedef struct skan_transport {
    size_t size; /* sizeof(skan_transport) */
    void *context;
    skan_status (*get)(void *context, const char *url, skan_buffer *body);
    void (*finalize)(void *context); /* may be NULL */
} skan_transport;

/* ---------------------------------------------------------------------------------------------- conversion models */
/*
 * A conversion model decides values locally, without an endpoint. It is a JSON document whose rules define which fine
 * or coarse value an install has, by revenue, events, sessions and days. share/skan/models describes its form
 * (README.md there) and has ready models to start with. Engines are given models in skan_options. Rules, "Model
 * document", "Model versions".
 */

/* A conversion model, read and checked; it never changes. Opaque; safe for any number of threads. */
typedef struct skan_model skan_model;

/* Reads a conversion model.
 *   json, length  the document, at most SKAN_MODEL_MAX bytes.
 *   out           the model, owned by the caller until skan_model_destroy. Engines keep the models they were given as
 *                 long as they need them: the caller may destroy a model right after skan_create.
 * Any thread.
 * SKAN_OK; SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL); SKAN_ERROR_INVALID_DOCUMENT: the message gives the place as
 * a JSON pointer (RFC 6901) in quotes, and the reason: `model at "/windows/0/rules/3/fine": expected ...`; also for a
 * document over the limit. */
skan_status skan_model_create(const void *json, size_t length, skan_model **out, skan_error **error);

/* Releases the caller's share of a model. NULL is fine. */
void skan_model_destroy(skan_model *model);

/* The model's version: the SHA-256 of its document's bytes, 64 hexadecimal digits in lower case. Valid until
 * skan_model_destroy; NULL for NULL. Store every document under its version: installs keep the model that they were
 * registered with. */
const char *skan_model_version(const skan_model *model);

/* Gives the meaning of a value: all rules of the window that have this value, and the ranges that hold for all of them.
 *   window  0, 1 or 2; 0 in SKAN 3.
 *   fine    0..63, -1 = not given.
 *   coarse  0..2, -1 = not given. At least one of the two must be given; if both are, the rules with both values count.
 *   json    freed with skan_free: {"window", "currency", "rules": [{"rule": its number from 0, "fine", "coarse",
 *           "lock", "when"}], "envelope"}, where `when` and `envelope` are {"events": [{"name", "min_count",
 *           "max_count"}], "revenue": [{"kind", "scope", "min", "max"}], "sessions": {"min", "max"}, "day": {"min",
 *           "max"}}. Ranges are [min, max), and a null is an open end; sessions and day are null if no rule mentions
 *           them; amounts are exact decimals in the model's currency.
 * Fine 0 in window 0, without a coarse value, is also the value after skan_register alone (in SKAN 3 too, where no
 * value counts as 0). The document then ends in "registration": true, and its envelope includes an install of which
 * nothing else is known: each min above 0 is 0, and a revenue's max of 0 or less is open. The rules are given
 * unchanged. If no rule has fine 0, "rules" is empty and the envelope restricts nothing.
 * A value that a postback does not carry is hidden by Apple, not 0. Any thread. Rules, "Model decode".
 * SKAN_OK; SKAN_NOT_FOUND: nothing gives the value, so it cannot be decoded; SKAN_ERROR_INVALID_ARGUMENT. */
skan_status skan_model_decode(const skan_model *model, int window, int fine, int coarse, char **json,
                              skan_error **error);

/* --------------------------------------------------------------------------------------------------------- engine */

/* An engine, which applies the rules of one protocol to one store. Opaque; safe for any number of threads. */
typedef struct skan_engine skan_engine;

/* How an engine is made. Set `size`; everything else may be zero. The strings are copied. Structs only grow: a struct
 * that is larger than this library's, up to 1024 bytes, is accepted if its unknown tail is zero. */
typedef struct skan_options {
    size_t size;                     /* sizeof(skan_options) */
    uint32_t protocol;               /* 4, or 0 = SKAN 4; 3 = SKAN 3 */
    uint32_t reserved;               /* 0 */
    const skan_store *store;         /* NULL = an in-memory store that only this engine uses */
    const skan_clock *clock;         /* NULL = the system's clock */
    const skan_transport *transport; /* NULL = none: skan_update_conversion_values is misuse */
    const char *endpoint_url;        /* where requests go: http(s), without `?`, `#`, space. NULL = Singular's server,
                                      * "https://sdk-api-v1.singular.net" */
    const char *sdk_key;             /* item `a` of requests; NULL or "" = omitted, here and below */
    const char *bundle_id;           /* item `i`, the app's bundle id */
    const char *app_version;         /* item `app_v` */
    /* Conversion models for the engine's protocol. The first is for new installs, the others are for installs that were
     * registered with them. NULL and 0 = none. An engine with models has no transport, and its skan_conversion_request
     * and skan_apply_response answer SKAN_ERROR_MISUSE. */
    skan_model *const *models;
    size_t model_count; /* at most SKAN_MODELS_MAX */
    /* 1 = hooks may switch to another stack of their thread, as coroutines, fibers and green threads do, or to another
     * thread. Then no call is refused because its thread is in a hook: the engine cannot know whether the hook makes
     * the call. A hook must not call its own engine even then. 0 = a hook returns on its thread; while it is suspended,
     * calls of its thread to its engine are SKAN_ERROR_MISUSE. */
    uint32_t switches_stacks;
    uint32_t reserved2; /* 0 */
    /* Conversion models for re-engagements ("conversion": "re-engagement"), SKAN 4 only. The first is for new
     * re-engagements, the others are for those that were recorded with them. NULL and 0 = none: skan_reengage answers
     * SKAN_ERROR_MISUSE. */
    skan_model *const *reengagement_models;
    size_t reengagement_model_count; /* at most SKAN_MODELS_MAX */
    int32_t reengagement_credit;     /* SKAN_CREDIT_ALL or SKAN_CREDIT_NEWEST */
    /* The app's cool-down in hours, as in its Info.plist: 0..SKAN_COOLDOWN_HOURS_MAX. */
    uint32_t reengagement_cooldown_hours;
} skan_options;

/* The re-engagements for which purchases and events count if a call names none. */
enum skan_credit { SKAN_CREDIT_ALL = 0, SKAN_CREDIT_NEWEST = 1 };

/* Makes an engine. If options is NULL, it has an in-memory store, the system clock and SKAN 4, and its requests are for
 * Singular's server. A slash at the end of endpoint_url is dropped.
 * SKAN_OK; SKAN_ERROR_INVALID_ARGUMENT: out is NULL, a size is illegal, a hook's function is missing, a text is too
 * long or not as described, protocol is none of 0, 3, 4, switches_stacks is neither 0 nor 1, a model is NULL or for the
 * other protocol, there are both models and a transport, a model is for the other kind of conversion, or the credit or
 * the cool-down is out of range. */
skan_status skan_create(const skan_options *options, skan_engine **out, skan_error **error);

/* Destroys an engine and finalizes its hooks. NULL is fine. Forbidden inside a hook of this engine, and while another
 * thread is in a call on it. */
void skan_destroy(skan_engine *engine);

/* An update that the app passes to Apple, by SKAdNetwork.updatePostbackConversionValue or the older functions. Out
 * parameter: set `size`; the call writes the rest. All zero (id 0) = no update. */
typedef struct skan_update {
    size_t size;          /* sizeof(skan_update), kept */
    uint64_t id;          /* the number of this update of this install, from 1; 0 = no update */
    int32_t window;       /* the postback window 0, 1 or 2 that the update is for; 0 in SKAN 3 */
    int32_t fine_value;   /* 0..63; -1 = none: pass the install's current fine value to Apple */
    int32_t coarse_value; /* 0 low, 1 medium, 2 high; -1 = none */
    int32_t lock_window;  /* 1 = lock the window, 0 = do not */
    int64_t timestamp;    /* when the update was decided, Unix seconds */
} skan_update;

/* What is known about the device that an event came from: items `v`, `idfv`, `idfa` of a request. Members that are NULL
 * or "" are omitted. Each has at most SKAN_TEXT_MAX bytes of UTF-8 without bytes 00-1F and 7F. */
typedef struct skan_device {
    size_t size;            /* sizeof(skan_device) */
    const char *os_version; /* iOS version, "16.1" */
    const char *idfv;       /* identifier for vendor */
    const char *idfa;       /* identifier for advertisers */
} skan_device;

/*
 * Every function below takes an engine and an install id: 1..SKAN_INSTALL_ID_MAX bytes of UTF-8 without bytes
 * 00-1F and 7F. The host chooses the id, and the store receives it unchanged (two apps that share a store need a
 * prefix). An install that is not known has an empty state.
 *
 * Besides the statuses that each function lists, every function may answer
 *   SKAN_ERROR_INVALID_ARGUMENT  an argument is not as described; this is checked before anything else,
 *   SKAN_ERROR_MISUSE            the call comes from a hook of this engine, or the install's record is of the other
 *                                protocol,
 *   SKAN_ERROR_STORE, SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW.
 * Functions that change state may also answer
 *   SKAN_ERROR_STORE_CONFLICT, SKAN_ERROR_STORE_UNKNOWN.
 * Functions whose rule depends on the time, which say "Clock", may also answer
 *   SKAN_ERROR_CLOCK.
 */

/* Registers the install, once, at its first launch. SKAN 4: sets the fine value 0 and gives update 1 {window 0, fine
 * 0}; SKAN 3: gives no update (id 0). `out` may be NULL, here and below. If the engine has conversion models, the
 * install keeps the first of them. Clock. Rules, "Register", "SKAN 3", "Model versions".
 * SKAN_OK, SKAN_ALREADY_REGISTERED. */
skan_status skan_register(skan_engine *engine, const char *install_id, skan_update *out, skan_error **error);

/* Adds an amount to the install's totals: a purchase, an ad impression's revenue or, if negative, a refund. It is added
 * to the lifetime total, and to the current window's total if the install is registered and a window is open. The sum
 * is exact: the amount is read as its shortest decimal form, rounded half-even to 12 places, and added in decimal.
 *   amount           finite, |amount| < 1e12, in units of the currency. 0 adds nothing but records its event id.
 *   currency         three ASCII letters, ISO 4217; stored in upper case.
 *   ad_monetization  true = ad revenue, false = in-app purchase (IAP). SKAN 3 has no ad revenue.
 *   event_id         NULL, or 1..SKAN_EVENT_ID_MAX bytes of any kind that identify this purchase. If the id is among
 *                    the install's last 64, the call counts nothing. Use an event id wherever a call may be repeated,
 *                    especially after SKAN_ERROR_STORE_UNKNOWN.
 * Clock. Rules, "Update revenue", "Revenue tables", "Money is exact", "Event ids".
 * SKAN_OK, SKAN_DUPLICATE_EVENT, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED (more than 64 currencies
 * in a table, or a total of 1e18 or more). */
skan_status skan_update_revenue(skan_engine *engine, const char *install_id, double amount, const char *currency,
                                bool ad_monetization, const char *event_id, skan_error **error);

/* One amount of a list, with the arguments of skan_update_revenue. Set `size` in each struct. All structs have the same
 * size, a multiple of 8, and follow each other without a gap. */
typedef struct skan_revenue {
    size_t size; /* sizeof(skan_revenue) */
    const char *install_id;
    double amount;
    const char *currency;
    const char *event_id; /* may be NULL */
    bool ad_monetization;
    /* NULL = `amount` is used. Otherwise an exact amount that replaces it, for hosts that keep money in decimal: a
     * number in JSON's notation, "4.99", "-0.5", "499e-2", of at most SKAN_AMOUNT_TEXT_MAX bytes. It is rounded
     * half-even to 12 places; its absolute value must then be below 1e12. A struct may end before this member. */
    const char *amount_text;
    /* The re-engagement that is credited in addition to the install: 0 = as the options of the engine define; otherwise
     * only this one, if it is active. To name a re-engagement for a single amount, use a list of one. A struct may end
     * before this member. */
    uint32_t reengagement;
} skan_revenue;

/* Does what skan_update_revenue does, for each item in their order, also for several items of one install: for example
 * all purchases of a match at once. Each install is loaded once and saved once (again if others change it meanwhile).
 * Up to SKAN_BATCH_MAX installs take one round trip if the store offers load_many or save_many; otherwise they are
 * loaded and saved one after the other. Installs do not depend on each other: one that fails does not stop the others.
 * What is counted for one install is saved completely or not at all. If its save fails, each of its items that would
 * have changed it, or that repeats the event id of such an item, has the status of the save. If the install cannot be
 * loaded, all of its items have the status of the load.
 *   items, count  up to SKAN_REVENUE_MANY_MAX; items may be NULL where count is 0.
 *   statuses      room for `count` statuses: for each item, what skan_update_revenue would have answered. For an
 *                 argument that is not as described, the status of its item is SKAN_ERROR_INVALID_ARGUMENT. May be NULL
 *                 where count is 0.
 * The time is read once. Clock. Rules, "Many amounts", "Update revenue".
 * SKAN_OK if every status is SKAN_OK or an outcome. Otherwise the first error among them, with the message of
 * skan_update_revenue, preceded by the item's number, from 0: "items[17]: ". If the whole call fails, every status is
 * its error: SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, sizes differ or are illegal), SKAN_ERROR_LIMIT_EXCEEDED
 * (too many items), SKAN_ERROR_MISUSE, SKAN_ERROR_CLOCK. */
skan_status skan_update_revenue_many(skan_engine *engine, const skan_revenue *items, size_t count, skan_status *statuses,
                                     skan_error **error);

/* Makes the request for the next conversion value: a URL to GET, and a ticket to pass to skan_apply_response with the
 * answer. Changes nothing.
 *   event_name  1..SKAN_EVENT_NAME_MAX printable ASCII bytes; NULL = a session, "__SESSION__".
 *   device      may be NULL.
 *   url         endpoint (endpoint_url in the options; Singular's by default), path and query; not NULL. Owned by
 *               the caller, freed with skan_free. It contains the SDK key: keep it out of logs.
 *   ticket      orders requests: newer ones are greater. Below 2^63. May be NULL.
 * Clock. Rules, "Request", "SKAN 3 requests", "Tickets".
 * SKAN_OK, SKAN_NOT_REGISTERED, SKAN_WINDOW_CLOSED, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_MISUSE (also if the
 * engine has conversion models), SKAN_ERROR_MODEL_UNKNOWN (the install has a conversion model), SKAN_ERROR_CLOCK (also
 * if no greater ticket is left). */
skan_status skan_conversion_request(skan_engine *engine, const char *install_id, const char *event_name,
                                    const skan_device *device, char **url, uint64_t *ticket, skan_error **error);

/* Applies the endpoint's answer to a request.
 *   ticket        the ticket of the request; 0 = none: the order of answers is then neither checked nor recorded. Below
 *                 2^63.
 *   body, length  the answer's body, unchanged (HTTP status 200 only); body may be NULL where length is 0.
 *   out           the update for the app; it also stays pending until acknowledged.
 * Clock. Rules, "Apply response", "SKAN 3 values".
 * SKAN_OK, SKAN_NO_NEW_VALUE, SKAN_STALE_RESPONSE, SKAN_WINDOW_LOCKED, SKAN_WINDOW_CLOSED, SKAN_NOT_REGISTERED,
 * SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX bytes),
 * SKAN_ERROR_MALFORMED_RESPONSE, SKAN_ERROR_ILLEGAL_VALUE, SKAN_ERROR_REJECTED, SKAN_ERROR_MISUSE (also where the
 * engine has conversion models), SKAN_ERROR_MODEL_UNKNOWN (the install has a conversion model). */
skan_status skan_apply_response(skan_engine *engine, const char *install_id, uint64_t ticket, const void *body,
                                size_t length, skan_update *out, skan_error **error);

/* Decides the next conversion value after a session or an event. In one call it makes the request, sends the GET by the
 * engine's transport, and applies the answer; if the engine has conversion models, the install's model decides instead.
 * If others change the record meanwhile, only the last step is repeated, never the GET.
 *   event_name  as for skan_conversion_request.
 *   event_id    NULL, or as for skan_update_revenue, with a list of its own: if the id is among the install's last 64
 *               of these calls, the call makes no request and counts nothing. The id is recorded when the call ends in
 *               SKAN_OK or an outcome other than SKAN_NOT_REGISTERED, not when it ends in an error.
 * A model counts each call as one session or event of the current window, and decides by these counts, by revenue and
 * by the day. Counts are also kept with SKAN_NO_NEW_VALUE and SKAN_WINDOW_LOCKED: apart from the recorded event ids,
 * these are the only outcomes that change something. An install's window never goes back, because hosts' clocks differ:
 * once a value was taken or something was counted in a window, an earlier clock counts as that window's first second,
 * for every function here, and is stored so (skan_update.timestamp, last call, lock). Without a model, a clock that is
 * more than an hour earlier than that second was set back on purpose, and is used as it is.
 * Clock. Rules, "Update conversion values", "Event ids", "Windows", "Model decision", "Model counts".
 * With a transport: the statuses of skan_conversion_request and skan_apply_response. With models: SKAN_OK,
 * SKAN_NO_NEW_VALUE, SKAN_WINDOW_LOCKED, SKAN_WINDOW_CLOSED, SKAN_NOT_REGISTERED, SKAN_ERROR_MODEL_UNKNOWN. Also
 * SKAN_DUPLICATE_EVENT, SKAN_ERROR_TRANSPORT, SKAN_ERROR_MISUSE (the engine has neither transport nor models). */
skan_status skan_update_conversion_values(skan_engine *engine, const char *install_id, const char *event_name,
                                          const char *event_id, const skan_device *device, skan_update *out,
                                          skan_error **error);

/* A session or an event, and the money that came with it. Set `size`; everything else may be zero. */
typedef struct skan_event {
    size_t size;               /* sizeof(skan_event) */
    const char *name;          /* as event_name of skan_conversion_request; NULL = a session */
    const char *event_id;      /* NULL, or as for skan_update_revenue */
    const skan_device *device; /* may be NULL */
    const char *currency;      /* NULL = no amount: the members below are then zero. Otherwise three ASCII letters */
    double amount;             /* as for skan_update_revenue; negative = a refund */
    const char *amount_text;   /* NULL = `amount` is used. Otherwise the exact amount, as in skan_revenue */
    bool ad_monetization;      /* true = ad revenue, false = IAP. SKAN 3 has no ad revenue */
} skan_event;

/* Does what skan_update_conversion_values does, for an event that may carry its amount: revenue and event are one call,
 * and the model sees both. The amount is added as skan_update_revenue adds it, unless the event id is among those of
 * revenue. It counts in the measures of the model that name the event. So an id counts an amount once and an event
 * once, whether they come in one call, in two, or repeatedly. With SKAN_WINDOW_CLOSED the amount remains added.
 *   event  an amount without a currency, or a currency without an amount that can be read, is
 *          SKAN_ERROR_INVALID_ARGUMENT.
 *   out    as for skan_update_conversion_values.
 * With models everything is one change of the record, and an error changes nothing. With a transport the amount is
 * saved before the request is made, and remains if the request ends in an error: give an event id, and repeat the call.
 * Requests to an endpoint_url carry the amount too; requests to the published endpoint never do. Clock. Rules, "Events
 * with an amount", "Update conversion values", "Model measures".
 * The statuses of skan_update_conversion_values, and SKAN_ERROR_LIMIT_EXCEEDED as for skan_update_revenue. */
skan_status skan_update_conversion_values_with(skan_engine *engine, const char *install_id, const skan_event *event,
                                               skan_update *out, skan_error **error);

/* Explains what the install's conversion model sees now, and which of its rules applies. Changes nothing.
 *   json  freed with skan_free: {"model": its version, "id", "window", "day", "sessions", "events": {name: count},
 *         "currency", "revenue": {"window": {"iap", "ad", "all"}, "lifetime": {...}}, "currencies_without_rate": [...],
 *         "rule": its number in the window from 0, or null, "fine", "coarse", "lock"}. Revenue is in the model's
 *         currency. Revenue in a currency without a rate does not count, and the currency is listed. The rule's value
 *         is the one that skan_update_conversion_values would set, unless the window is locked, or the install already
 *         has this value, or has a higher one under raise_only.
 * Clock. Rules, "Model explanation".
 * SKAN_OK, SKAN_NOT_REGISTERED, SKAN_WINDOW_CLOSED, SKAN_ERROR_INVALID_ARGUMENT (json is NULL),
 * SKAN_ERROR_MODEL_UNKNOWN, SKAN_ERROR_MISUSE (the engine has no models). */
skan_status skan_explain(skan_engine *engine, const char *install_id, char **json, skan_error **error);

/* Answers a request to a conversion-value endpoint, as the `skan serve` command does over HTTP: the counterpart of
 * skan_conversion_request. The engine's conversion models decide, for new users the first of them. They decide from
 * what the request reports about the install, and from the counts of sessions and events, which the request does not
 * report. These counts are kept in the engine's store, in one record for each app and user. The user is the idfv,
 * otherwise the idfa; an identifier of zeros counts as absent. The record's key begins with the path's version:
 * "v2/com.app/..." for an idfv, "v2-idfa/com.app/..." for an idfa. If the first-call timestamp differs from the one
 * before, this is a new install of that user: its counts start again, with the first model. Of the data in requests,
 * the store keeps only that timestamp; the record's last call is the time when the user was last seen, to within a day.
 * An engine of SKAN 3 without models is the published test endpoint: it answers 0, 1, 2 to the first three events of a
 * user, then no value, and requires neither a key nor an app.
 *   target   path and query, exactly as in the request line: "/api/v2/conversion_value?a=...", v1 for SKAN 3; at
 *            most SKAN_REQUEST_MAX bytes.
 *   outcome  the outcome in the answer: SKAN_OK (a value), SKAN_NO_NEW_VALUE, SKAN_WINDOW_LOCKED, SKAN_ERROR_REJECTED
 *            (a reason, in the words of the published endpoint). May be NULL.
 *   json     the answer's body, for HTTP status 200; freed with skan_free.
 * This function takes no install id; everything else is as described above. A repeated request counts its event again.
 * Clock. Rules, "Endpoint requests", "Endpoint reasons", "Endpoint users", "Endpoint decisions", "Test endpoint".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, the path is a different one, or the target is too long),
 * SKAN_ERROR_MISUSE (the engine has a transport), SKAN_ERROR_MODEL_UNKNOWN. */
skan_status skan_answer_request(skan_engine *engine, const char *target, skan_status *outcome, char **json,
                                skan_error **error);

/* Gives the update that waits for the app: the last one, until it is acknowledged as delivered, while its window is
 * open. Changes nothing. Clock. Rules, "Pending and acknowledge".
 * SKAN_OK, SKAN_NOTHING_PENDING. */
skan_status skan_pending_update(skan_engine *engine, const char *install_id, skan_update *out, skan_error **error);

/* Reports whether an update was delivered: true = the app passed it to Apple; false makes it pending again. A number
 * other than the last update's is fine and changes nothing. Rules, "Pending and acknowledge".
 * SKAN_OK. */
skan_status skan_acknowledge_update(skan_engine *engine, const char *install_id, uint64_t id, bool delivered,
                                    skan_error **error);

/* Gives the whole state as a JSON object. Every key is present, with null for no value; amounts are exact decimals. If
 * re-engagements are kept, "reengagements" is at the end, as skan_reengagements gives it. `json` is owned by the
 * caller, freed with skan_free. Changes nothing. Rules, "Details".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_details(skan_engine *engine, const char *install_id, char **json, skan_error **error);

/* Gives the metadata that the host adds to its S2S session and event calls: percent-encoded query items, "a=1&b=2",
 * without a leading `?`; "" for an empty state. `query` is owned by the caller, freed with skan_free. Changes nothing.
 * Rules, "Metadata". SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (query is NULL). */
skan_status skan_metadata(skan_engine *engine, const char *install_id, char **query, skan_error **error);

/* Imports the state of an install that has no record here from a details document: this library's or the published
 * snippet's. Nothing is pending afterwards. If the engine has conversion models, a registered install keeps the first
 * of them from now on. Rules, "Import".
 * SKAN_OK, SKAN_ALREADY_REGISTERED (there is a record, registered or not), SKAN_ERROR_INVALID_ARGUMENT (json is
 * NULL and length is not 0), SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX bytes),
 * SKAN_ERROR_INVALID_DOCUMENT, naming the key (a 65th currency too). */
skan_status skan_import_details(skan_engine *engine, const char *install_id, const void *json, size_t length,
                                skan_error **error);

/* Deletes the install's record, whatever it holds, even if it is damaged, newer or of the other protocol. An install
 * that is not known is fine. Rules, "Forget".
 * SKAN_OK. */
skan_status skan_forget(skan_engine *engine, const char *install_id, skan_error **error);

/* ------------------------------------------------------------------------------------------------ re-engagements */
/*
 * A person who has the app taps an ad and comes back: AdAttributionKit counts this as a re-engagement conversion, with
 * postbacks of its own. The app reports the tap. The engine decides the values by a conversion model, and gives the app
 * one list of calls to make to Apple, for the install and for its re-engagements. With re-engagements, send the app
 * skan_pending_calls instead of skan_pending_update, whose lock could reach a re-engagement.
 *
 * SKAN 4 only: with SKAN 3 each of these functions is SKAN_ERROR_MISUSE. share/doc/skan/AppCalls.md, in the source
 * tree Sources/Core/Swift/SKAN.docc/AppCalls.md, describes what the app does with a list. Rules, "Conversions".
 */

/* A tap on an ad that led back into the app, as the app reports it. Set `size`; everything else may be zero. */
typedef struct skan_reengagement {
    size_t size;            /* sizeof(skan_reengagement) */
    const char *open_id;    /* identifies this open, 1..SKAN_EVENT_ID_MAX bytes; NULL = none: repeats are hard to
                             * detect */
    const char *tag;        /* the conversion tag, up to SKAN_TAG_MAX bytes; NULL or "" = none. A secret of the device:
                             * libskan puts it into no message; keep it out of logs */
    const char *reference;  /* the host's own: campaign, deep link; up to SKAN_REFERENCE_MAX bytes, NULL or "" = none */
    int64_t opened_at;      /* Unix seconds: the server's time minus the age that the app reports; 0 = now */
    int32_t is_started;     /* 1 = the app made its first call at this open */
    int32_t is_overlapping; /* 1 = the link's value is a conversion tag: the app has opted in, on iOS 18.4 or newer.
                             * 0 = the tag is ignored */
    const skan_device *device; /* its os_version is read; NULL = not known */
} skan_reengagement;

/* Records a re-engagement.
 *   report  not NULL. Its texts are UTF-8 without bytes 00-1F and 7F.
 *   number  the number of the re-engagement, from 1, also for a repeated open; 0 if there is none. May be NULL.
 * If the app reports that it already made a first call, which may have overwritten values, those values are due again,
 * whatever the status below 100. Clock. Rules, "Re-engage".
 * SKAN_OK; SKAN_DUPLICATE_EVENT (this open is already known); SKAN_WINDOW_CLOSED (too late, or a newer one began);
 * SKAN_UNSUPPORTED; SKAN_ERROR_INVALID_ARGUMENT; SKAN_ERROR_MISUSE (the engine has no models for re-engagements). */
skan_status skan_reengage(skan_engine *engine, const char *install_id, const skan_reengagement *report, uint32_t *number,
                          skan_error **error);

/* Does what skan_update_conversion_values_with does, for the install and its re-engagements in one step. It gives no
 * update: skan_pending_calls gives the calls.
 *   event         as there, not NULL; event ids are shared with that function. The amount is added first, as
 *                 skan_update_revenue_many adds one that names the re-engagement.
 *   reengagement  the re-engagement that is credited in addition to the install: 0 = as the options of the engine
 *                 define; otherwise only this one, if it is active.
 * An engine without models and transport counts for re-engagements only. Clock. Rules, "Update conversions", "Credit".
 * SKAN_OK if any conversion has a new value, SKAN_NO_NEW_VALUE (also for windows that are locked),
 * SKAN_DUPLICATE_EVENT, SKAN_NOT_REGISTERED (and no re-engagement is active), SKAN_WINDOW_CLOSED (of all conversions);
 * SKAN_ERROR_MODEL_UNKNOWN (also for an active re-engagement that is named), SKAN_ERROR_MISUSE (the engine has neither
 * transport nor models of any kind), and the errors of skan_update_conversion_values_with. After an error nothing is
 * counted, except an amount that was saved before a request. */
skan_status skan_update_conversions(skan_engine *engine, const char *install_id, const skan_event *event,
                                    uint32_t reengagement, skan_error **error);

/* The types that a call to AdAttributionKit names. */
enum skan_conversion_type { SKAN_TYPE_NONE = 0, SKAN_TYPE_INSTALL = 1, SKAN_TYPE_REENGAGEMENT = 2 };

/* A call that the app makes to Apple. Out parameter: set `size` in the first struct, a multiple of 8; the function
 * writes the rest. */
typedef struct skan_call {
    size_t size;             /* sizeof(skan_call) */
    uint64_t id;             /* the id of its update, for skan_acknowledge_calls */
    uint32_t conversion;     /* 0 = the install, otherwise the re-engagement's number */
    int32_t framework;       /* 0 SKAdNetwork, 1 AdAttributionKit, as in postback.h */
    int32_t conversion_type; /* SKAN_TYPE_... */
    int32_t window;          /* the postback window of the update: 0, 1 or 2 */
    int32_t fine_value;      /* 0..63; always present */
    int32_t coarse_value;    /* 0 low, 1 medium, 2 high; -1 = nil */
    int32_t lock_window;     /* 1 = lock the window, 0 = do not */
    int32_t reserved;        /* 0 */
    int64_t timestamp;       /* when the update was decided, Unix seconds */
    int64_t valid_until;     /* Unix seconds; from this time on the app discards the list */
    char tag[SKAN_TAG_MAX + 1]; /* "" = without a tag */
} skan_call;

/* Gives the calls that wait for the app, in the order in which the app must make them; also for an install without
 * re-engagements. May save the record.
 *   device  its os_version is read: calls that the system does not have are omitted. NULL = not known: all calls are
 *           given.
 *   out     room for `room` calls; SKAN_CALLS_MAX is enough. The `size` of its first struct is that of all. May be NULL
 *           where room is 0.
 *   count   receives the number of calls, even if the room is less. Not NULL.
 * Clock. Rules, "Calls".
 * SKAN_OK, SKAN_NOTHING_PENDING, SKAN_ERROR_LIMIT_EXCEEDED (the room is less than *count). */
skan_status skan_pending_calls(skan_engine *engine, const char *install_id, const skan_device *device, skan_call *out,
                               size_t room, size_t *count, skan_error **error);

/* Gives the same calls as JSON, in the form that a server sends to its app.
 *   json  {"valid_seconds": how long the list is valid from now on, null if it is empty, "calls": [{"id",
 *         "conversion", "framework": "SKAdNetwork" or "AdAttributionKit", "conversion_type": null, "install" or
 *         "re-engagement", "window", "fine_value", "coarse_value": null = nil, "lock_window", "tag": null = none}]};
 *         with SKAN_NOTHING_PENDING too. Freed with skan_free.
 * Clock. Rules, "Calls".
 * SKAN_OK, SKAN_NOTHING_PENDING, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_pending_calls_json(skan_engine *engine, const char *install_id, const skan_device *device, char **json,
                                    skan_error **error);

/* The result of a call. */
enum skan_call_result {
    SKAN_CALL_FAILED = 0,
    SKAN_CALL_DELIVERED = 1,
    SKAN_CALL_INVALID_TAG = 2,      /* AdAttributionKitError.invalidConversionTag */
    SKAN_CALL_TAG_NOT_SUPPORTED = 3 /* AdAttributionKitError.conversionTagNotSupported */
};

/* The result of the calls with one id: the worst of their results. Set `size` in each struct. All structs have the same
 * size, a multiple of 8. */
typedef struct skan_acknowledgement {
    size_t size;      /* sizeof(skan_acknowledgement) */
    uint64_t id;      /* skan_call.id */
    int32_t result;   /* SKAN_CALL_... */
    int32_t reserved; /* 0 */
} skan_acknowledgement;

/* Reports the results of a list's calls, in the order of the list, with one save. An id that is not the last update of
 * any conversion is ignored.
 * skan_acknowledge_update does the same for one id, delivered or not.
 *   results  may be NULL where count is 0.
 *   count    up to SKAN_BATCH_MAX.
 * Clock. Rules, "Acknowledging calls".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, a size or a result is not as described),
 * SKAN_ERROR_LIMIT_EXCEEDED (too many). */
skan_status skan_acknowledge_calls(skan_engine *engine, const char *install_id, const skan_acknowledgement *results,
                                   size_t count, skan_error **error);

/* Ends a re-engagement: from then on it counts nothing and has no calls. One that has already ended is not changed.
 * Rules, "End". SKAN_OK, SKAN_NOT_FOUND (none of this number is kept), SKAN_ERROR_INVALID_ARGUMENT (number is 0). */
skan_status skan_end_reengagement(skan_engine *engine, const char *install_id, uint32_t number, skan_error **error);

/* Gives the re-engagements that are kept, by number, as a JSON array; "[]" if there are none. Changes nothing. Rules,
 * "Re-engagement details".
 *   json  freed with skan_free: [{"number", "tag", "open_id", "reference", "start", "ended": null, "superseded",
 *         "host", "invalid tag" or "tag not supported", "model", "window", "sessions", "events": {name: count},
 *         "revenue": {"conversion": {"iap", "ad"}, "window": {...}}, "fine_value", "coarse_value": [of each window],
 *         "window_lock": [timestamps], "update": {"id", "window", "fine_value", "coarse_value", "lock_window",
 *         "timestamp"}, "delivered"}]. It contains tags: keep it out of logs.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_reengagements(skan_engine *engine, const char *install_id, char **json, skan_error **error);

/* Explains what the model of a re-engagement sees now: the document of skan_explain, and revenue of scope "conversion".
 * Changes nothing. Clock. Rules, "Model explanation".
 * SKAN_OK, SKAN_NOT_FOUND, SKAN_WINDOW_CLOSED (it is not active), SKAN_ERROR_INVALID_ARGUMENT (json is NULL, number is
 * 0), SKAN_ERROR_MODEL_UNKNOWN. */
skan_status skan_explain_reengagement(skan_engine *engine, const char *install_id, uint32_t number, char **json,
                                      skan_error **error);

/* -------------------------------------------------------------------------------------------------------- records */

/* The data that tools and stores may read from a record's bytes. Out parameter: set `size`; the call writes the
 * rest. */
typedef struct skan_record {
    size_t size;             /* sizeof(skan_record), kept */
    uint32_t protocol;       /* 4 or 3 */
    int32_t is_registered;   /* 1 or 0 */
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

#endif /* SKAN_SKAN_H */

/*
 * skan.h - the C interface of libskan: SKAdNetwork (SKAN) state for server-to-server integrations.
 *
 * A game's back end keeps, for every app install, what Apple's SKAdNetwork needs: when the install was first
 * seen, its revenue, its conversion values and which postback window it is in. The whole life of an install:
 *
 *     skan *engine = NULL;
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
 *     skan_pending_update(engine, "player-1", &update, &error);           // when the app calls next: hand it this,
 *     skan_acknowledge_update(engine, "player-1", update.id, true, &error);  // and say that it arrived
 *     skan_destroy(engine);
 *
 * Know before production:
 * - Threads: an engine may be used by any number of threads at once, and any number of processes may share a
 *   store: every change is a compare-and-set on the install's record. skan_destroy must be the last call.
 * - fork: an engine made before fork() may be used in the child, also while other threads of the parent are in calls,
 *   if the host's hooks allow it. The in-memory store is copied: from then on the two processes differ.
 * - Statuses: 0 is OK; 1..99 are outcomes, expected in normal life, that change nothing; 100 and more are errors.
 *   Unless a function says otherwise, every status but SKAN_OK leaves the install as it was.
 * - Ownership: what a call gives through `char **` is freed with skan_free, an error with skan_error_free. On any
 *   status but SKAN_OK every other out parameter is NULL or zero. What a call takes is copied or only read during
 *   the call.
 * - Errors: the last parameter of a call may be NULL. It is always written: NULL, or, for statuses of 100 and
 *   more, an object the caller owns. There is no hidden "last error".
 * - Memory: a failed allocation ends the process, as in most Swift programs. Sizes are limited before
 *   anything is allocated, so no input can ask for much: a record has at most 32 KiB, an answer 64 KiB.
 * - Text is UTF-8, terminated by a NUL. Times are Unix seconds unless a name says microseconds.
 *
 * Where a comment names Rules, "Register" for instance, it follows that rule of Rules.md: share/doc/skan/Rules.md where
 * libskan is installed, Sources/Core/Rules.md in its source tree. Apple's own words are in the documentation of
 * SKAdNetwork, "Receiving ad attributions and postbacks".
 *
 * The ABI only grows: numbers are never reused, functions never change, structs only get new members at the end.
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

/* Rules, "Statuses": what a call answers. The names of the numbers are below; skan_status_name gives them as text. */
typedef int32_t skan_status;

enum skan_status_code {
    SKAN_OK = 0,

    /* Outcomes: expected, nothing is wrong, nothing was changed. */
    SKAN_ALREADY_REGISTERED = 1, /* the install was registered (or imported) before */
    SKAN_DUPLICATE_EVENT = 2,    /* this event id was counted before: a retry, counted once */
    SKAN_NO_NEW_VALUE = 3,       /* the answer carries no value that would be taken */
    SKAN_STALE_RESPONSE = 4,     /* the answer is for another window, or a newer one was applied before */
    SKAN_WINDOW_LOCKED = 5,      /* the current postback window was locked before; Apple ignores updates to it */
    SKAN_WINDOW_CLOSED = 6,      /* the last postback window is over (SKAN 3: 24 h without a new value) */
    SKAN_NOT_REGISTERED = 7,     /* skan_register was never called for this install */
    SKAN_NOTHING_PENDING = 8,    /* no update waits for the app */
    SKAN_NOT_FOUND = 9,          /* store hooks: no record under this key; skan_model_decode: nothing gives the value;
                                  * no re-engagement of this number is kept */
    SKAN_UNSUPPORTED = 10,       /* the device's system has no re-engagements: it is older than iOS 18 */

    /* The caller's errors. */
    SKAN_ERROR_INVALID_ARGUMENT = 100, /* an argument has not the form its function asks for */
    SKAN_ERROR_MISUSE = 101,           /* a call that this engine cannot take, or not now */
    SKAN_ERROR_LIMIT_EXCEEDED = 102,   /* more than libskan keeps: currencies, total, size */
    SKAN_ERROR_INVALID_DOCUMENT = 103, /* an imported document, or a conversion model, breaks its rules */

    /* The endpoint's answer. */
    SKAN_ERROR_MALFORMED_RESPONSE = 110, /* not one JSON object */
    SKAN_ERROR_ILLEGAL_VALUE = 111,      /* a member has the wrong type or is out of range */
    SKAN_ERROR_REJECTED = 112,           /* the endpoint gave no value; the message is its reason */

    /* The store. */
    SKAN_ERROR_STORE = 120,          /* the store failed; nothing was applied */
    SKAN_ERROR_STORE_CONFLICT = 121, /* others changed the record each of 100 times; nothing was applied */
    SKAN_ERROR_STORE_UNKNOWN = 122,  /* the change may have been applied, or not; it cannot be told */
    SKAN_ERROR_CORRUPT_RECORD = 123, /* the record is damaged; it is left as it is (skan_forget removes it) */
    SKAN_ERROR_RECORD_TOO_NEW = 124, /* the record was written by a newer libskan */

    SKAN_ERROR_TRANSPORT = 130, /* the transport hook got no answer with HTTP status 200 */

    SKAN_ERROR_MODEL_UNKNOWN = 140, /* the install was registered with a conversion model this engine has not, or
                                     * without one where this engine has models */

    SKAN_ERROR_CLOCK = 150 /* the clock failed */
};

/* The name of a status with its prefix, "SKAN_STALE_RESPONSE"; "SKAN_UNKNOWN_STATUS" for a number that is none.
 * A static string, never NULL. */
const char *skan_status_name(skan_status status);

/* Why a call failed: a status of 100 or more and a message that names the argument, field or hook, what was
 * expected and what was there. For SKAN_ERROR_REJECTED the message is the endpoint's reason, unchanged (cut at a
 * NUL; unpaired surrogates become U+FFFD), or, where the answer gave none, libskan's words for that. Where the reason
 * is "Conversion Management: Invalid parameter app_v given", ": the option app_version sets it" stands behind it; the
 * same of every item that a member of the options or of the device sets. Of what is not JSON the message tells the
 * byte, from 0, and line and column, from 1 (columns are characters, code points). SDK keys are never in a message. */
typedef struct skan_error skan_error;

/* The status of the call that gave this error; SKAN_OK for NULL. */
skan_status skan_error_code(const skan_error *error);
/* The message, UTF-8, valid until skan_error_free; "" for NULL. */
const char *skan_error_message(const skan_error *error);
/* Makes an error with this status and a copy of the message (UTF-8; NULL is ""), for companion libraries and hosts
 * whose own functions answer as these do. The caller owns it. NULL for a code below 100: outcomes have no error. */
skan_error *skan_error_create(skan_status code, const char *message);
/* Ends an error. NULL is fine. */
void skan_error_free(skan_error *error);

/* Frees text that a call gave through `char **`. NULL is fine. */
void skan_free(void *memory);

/* The library's version, "1.0.0", a static string. */
const char *skan_version(void);
/* The version of this ABI. Programs built for it run with every library that answers the same number. */
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
#define SKAN_REENGAGEMENTS_MAX 6     /* re-engagements kept of an install */
#define SKAN_TAG_MAX 256             /* bytes of a conversion tag */
#define SKAN_REFERENCE_MAX 64        /* bytes of a host's reference */
#define SKAN_CALLS_MAX 16            /* calls of a list: room that is enough for every one; today there are at most 8 */
#define SKAN_COOLDOWN_HOURS_MAX 720  /* hours in which a further tap is no conversion */

/* ---------------------------------------------------------------------------------------------------------- hooks */
/*
 * What an engine is given: a store, a clock, a transport. Each is a struct of functions and a `context` that is
 * passed back to them. Hooks may be called from any thread that uses the engine, several at once, also for the same
 * key; no lock is held meanwhile. They must not throw through C. A hook that calls back into its own engine on
 * the same thread is answered SKAN_ERROR_MISUSE there. Where hooks switch to another coroutine of their thread, see
 * skan_options.switches_stacks.
 *
 * `finalize`, where not NULL, is called with the context exactly once for each skan_create whose struct sizes are
 * legal: at skan_destroy, or before a skan_create that fails returns. With an illegal size the caller keeps the
 * contexts.
 */

/* Where a hook puts bytes. The one a hook is given is valid only during the hook. */
typedef struct skan_buffer skan_buffer;

/* Makes `length` bytes at `data` the content of the buffer, in place of what was there; they are copied.
 * SKAN_OK; SKAN_ERROR_LIMIT_EXCEEDED above SKAN_BUFFER_MAX; SKAN_ERROR_INVALID_ARGUMENT where the buffer is NULL, or
 * data is NULL and length is not 0. On an error the buffer keeps what it had. */
skan_status skan_buffer_set(skan_buffer *buffer, const void *data, size_t length);

/* An empty buffer of one's own, to call a hook with: for a hook around another one, a cache before a store for
 * instance, and for tests of hooks. Owned by the caller, ended with skan_buffer_destroy; for one thread at a time.
 * Never NULL. */
skan_buffer *skan_buffer_create(void);
/* The content, valid until the buffer is set again or ended; never NULL for a buffer, NULL for NULL. */
const void *skan_buffer_data(const skan_buffer *buffer);
/* Bytes of the content; 0 for NULL. */
size_t skan_buffer_size(const skan_buffer *buffer);
/* Ends a buffer of skan_buffer_create, no other. NULL is fine. */
void skan_buffer_destroy(skan_buffer *buffer);

/* One load of many: what skan_store.load takes and gives. The hook leaves key and out as they are. */
typedef struct skan_load_item {
    const char *key;
    skan_buffer *out;   /* set where status is SKAN_OK */
    uint64_t version;   /* the same */
    skan_status status; /* set by the hook */
} skan_load_item;

/* One save of many: what skan_store.save takes and gives. The hook sets only the last two. */
typedef struct skan_save_item {
    const char *key;
    const void *data;
    size_t length;
    uint64_t expected_version;
    uint64_t new_version; /* set where status is SKAN_OK */
    skan_status status;   /* set by the hook */
} skan_save_item;

/*
 * Durable storage of records, one per install id. A record is opaque bytes with a version.
 *
 * Version 0 means "no record". Every save gives the record another version, also when the bytes are equal, and a
 * version is never used twice for a key, also not after a remove: take it from a counter of the whole store, or draw it
 * at random. Rules, "Store contract", "Unknown saves". Keys are 1..128 bytes of UTF-8 without bytes 00-1F and 7F;
 * records have 1..32768 bytes.
 */
typedef struct skan_store {
    size_t size; /* sizeof(skan_store), set by whoever fills the struct */
    void *context;
    /* SKAN_OK with bytes and version set; SKAN_NOT_FOUND; SKAN_ERROR_STORE. Anything else, and SKAN_OK with version 0,
     * counts as the last. */
    skan_status (*load)(void *context, const char *key, skan_buffer *out, uint64_t *version);
    /* Stores the record if the stored version is `expected_version` (0: if there is none) and sets `new_version`.
     * SKAN_OK; SKAN_ERROR_STORE_CONFLICT: another version, or no record, nothing changed; SKAN_ERROR_STORE:
     * certainly not applied; SKAN_ERROR_STORE_UNKNOWN: may have been applied, a time-out after sending for
     * instance. Anything else, and SKAN_OK with version 0 or the expected one, counts as the last. */
    skan_status (*save)(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version);
    /* Removes the record if its version is `expected_version`. Answers as save does. */
    skan_status (*remove)(void *context, const char *key, uint64_t expected_version);
    void (*finalize)(void *context); /* may be NULL */

    /* Optional, NULL where a store offers none; a struct may also end before any of them. */

    /* Many loads, or saves, in one round trip: each item is answered as load or save would have answered it, in its
     * `status`, whatever becomes of the others (a store may still seal them together). Keys are distinct, `count` is
     * 1..SKAN_BATCH_MAX. An item whose status is left as it was counts as SKAN_ERROR_STORE when loading and as
     * SKAN_ERROR_STORE_UNKNOWN when saving. */
    void (*load_many)(void *context, skan_load_item *items, size_t count);
    void (*save_many)(void *context, skan_save_item *items, size_t count);

    /* One page of the keys, in an order of the store's own: puts them into `keys`, each ended by a NUL, and the place
     * to go on into `cursor`, which the caller hands in again for the next page. An empty cursor begins, and is what
     * the last page leaves. A page may be empty. A key that is there from the first page to the last is given at least
     * once; one that comes or goes meanwhile may be given or not. No engine calls it: it is for tools, libskan's `skan`
     * command among them. SKAN_OK, or SKAN_ERROR_STORE, also for a cursor that it did not make. */
    skan_status (*list)(void *context, skan_buffer *cursor, skan_buffer *keys);
} skan_store;

/* The time. `now` answers microseconds since 1970-01-01T00:00:00Z; -1 (any number from -999999 to -1, or before the
 * year 1) means that it cannot tell. Other times before 1970 are taken as they are. Rules, "Clock". */
typedef struct skan_clock {
    size_t size; /* sizeof(skan_clock) */
    void *context;
    int64_t (*now)(void *context);
    void (*finalize)(void *context); /* may be NULL */
} skan_clock;

/* HTTP GET, for skan_update_conversion_values; libskan itself sends nothing. URLs begin with endpoint_url of the
 * engine's options: Singular's server, unless said otherwise. `get` puts the body into the buffer and answers SKAN_OK,
 * only for HTTP status 200. A buffer that is not set is an empty body, which means "no value".
 * SKAN_ERROR_LIMIT_EXCEEDED is passed on to the caller; everything else becomes SKAN_ERROR_TRANSPORT.
 * The URL carries the SDK key: keep it out of logs. */
typedef struct skan_transport {
    size_t size; /* sizeof(skan_transport) */
    void *context;
    skan_status (*get)(void *context, const char *url, skan_buffer *body);
    void (*finalize)(void *context); /* may be NULL */
} skan_transport;

/* ---------------------------------------------------------------------------------------------- conversion models */
/*
 * A conversion model decides values locally, without an endpoint: a JSON document whose rules say which fine or coarse
 * value an install has, by revenue, events, sessions and days. Its form, and ready models to begin with, stand in
 * share/skan/models (README.md there). Given to engines in skan_options. Rules, "Model document", "Model versions".
 */

/* A conversion model, read and checked; it never changes. Opaque; safe for any number of threads. */
typedef struct skan_model skan_model;

/* Reads a conversion model.
 *   json, length  the document, at most SKAN_MODEL_MAX bytes.
 *   out           the model, owned by the caller until skan_model_destroy. Engines keep what they were given as long as
 *                 they need it: a model may be ended right after skan_create.
 * Any thread.
 * SKAN_OK; SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL); SKAN_ERROR_INVALID_DOCUMENT: the message tells the place as
 * a JSON pointer (RFC 6901) in quotes, and the reason: `model at "/windows/0/rules/3/fine": expected ...`; also for a
 * document over the limit. */
skan_status skan_model_create(const void *json, size_t length, skan_model **out, skan_error **error);

/* Gives up the caller's share of a model. NULL is fine. */
void skan_model_destroy(skan_model *model);

/* The model's version: the SHA-256 of its document's bytes, 64 hexadecimal digits in lower case. Valid until
 * skan_model_destroy; NULL for NULL. Keep every document under its version: installs stay on the model they were
 * registered with. */
const char *skan_model_version(const skan_model *model);

/* What a value means: all rules of the window with it, and the ranges that hold for all of them.
 *   window  0, 1 or 2; 0 in SKAN 3.
 *   fine    0..63, -1 = not given.
 *   coarse  0..2, -1 = not given. One of the two at least; with both, rules with both.
 *   json    freed with skan_free: {"window", "currency", "rules": [{"rule": its number from 0, "fine", "coarse",
 *           "lock", "when"}], "envelope"}, where `when` and `envelope` are {"events": [{"name", "min_count",
 *           "max_count"}], "revenue": [{"kind", "scope", "min", "max"}], "sessions": {"min", "max"}, "day": {"min",
 *           "max"}}. Ranges are [min, max), a null is open, sessions and day are null where no rule speaks of them;
 *           amounts are exact decimals in the model's currency.
 * Fine 0 in window 0, asked for without a coarse value, is also what skan_register alone leaves (in SKAN 3 too, where
 * no value counts as 0). The document then ends in "registration": true, and its envelope holds an install of which
 * nothing else is known: each min above 0 is 0, and a revenue's max of 0 or less is open; the rules are told as they
 * are. Where no rule has fine 0, "rules" is empty and the envelope speaks of nothing.
 * A value that a postback does not carry is hidden by Apple, not 0. Any thread. Rules, "Model decode".
 * SKAN_OK; SKAN_NOT_FOUND: nothing gives the value, it cannot be decoded; SKAN_ERROR_INVALID_ARGUMENT. */
skan_status skan_model_decode(const skan_model *model, int window, int fine, int coarse, char **json,
                              skan_error **error);

/* --------------------------------------------------------------------------------------------------------- engine */

/* An engine: the rules of one protocol over one store. Opaque; safe for any number of threads. */
typedef struct skan skan;

/* How an engine is made. Set `size`; everything else may be zero. The strings are copied. Structs only grow: one that
 * is larger than this library's, up to 1024 bytes, is taken if its unknown tail is zero. */
typedef struct skan_options {
    size_t size;                     /* sizeof(skan_options) */
    uint32_t protocol;               /* 4, or 0 = SKAN 4; 3 = SKAN 3 */
    uint32_t reserved;               /* 0 */
    const skan_store *store;         /* NULL = an in-memory store of this engine's own */
    const skan_clock *clock;         /* NULL = the system's clock */
    const skan_transport *transport; /* NULL = none: skan_update_conversion_values is misuse */
    const char *endpoint_url;        /* where requests go: http(s), without `?`, `#`, space. NULL = Singular's server,
                                      * "https://sdk-api-v1.singular.net" */
    const char *sdk_key;             /* item `a` of requests; NULL or "" = left out, here and below */
    const char *bundle_id;           /* item `i`, the app's bundle id */
    const char *app_version;         /* item `app_v` */
    /* Conversion models, of the engine's protocol: the first is for new installs, the others are for those that were
     * registered with them. NULL and 0 = none. With models there is no transport, and skan_conversion_request and
     * skan_apply_response are misuse. */
    skan_model *const *models;
    size_t model_count; /* at most SKAN_MODELS_MAX */
    /* 1 = hooks may switch to another stack of their thread, as coroutines, fibers and green threads do, or to another
     * thread. Then no call is refused because its thread is in a hook: the engine cannot tell whether the hook makes
     * the call. A hook must not call its own engine all the same. 0 = a hook returns on its thread; while it is
     * suspended, calls of its thread on its engine are SKAN_ERROR_MISUSE. */
    uint32_t switches_stacks;
    uint32_t reserved2; /* 0 */
    /* Conversion models of re-engagements ("conversion": "re-engagement"), SKAN 4 only: the first is for new ones, the
     * others are for those that were taken with them. NULL and 0 = none: skan_reengage is misuse. */
    skan_model *const *reengagement_models;
    size_t reengagement_model_count; /* at most SKAN_MODELS_MAX */
    int32_t reengagement_credit;     /* SKAN_CREDIT_ALL or SKAN_CREDIT_NEWEST */
    /* The app's cool-down, as in its Info.plist: 0..SKAN_COOLDOWN_HOURS_MAX. */
    uint32_t reengagement_cooldown_hours;
} skan_options;

/* Which re-engagements purchases and events count for where a call names none. */
enum skan_credit { SKAN_CREDIT_ALL = 0, SKAN_CREDIT_NEWEST = 1 };

/* Makes an engine. options NULL: in-memory store, system clock, SKAN 4, requests for Singular's server. A slash at the
 * end of endpoint_url is dropped.
 * SKAN_OK; SKAN_ERROR_INVALID_ARGUMENT: out is NULL, a size is illegal, a hook's function is missing, a text is
 * too long or not as described, protocol is none of 0, 3, 4, switches_stacks is neither 0 nor 1, a model is NULL or of
 * the other protocol, or there are both models and a transport; a model is for the other sort of conversion, or the
 * credit or the cool-down is out of range. */
skan_status skan_create(const skan_options *options, skan **out, skan_error **error);

/* Ends an engine and finalizes its hooks. NULL is fine. Forbidden inside a hook of this engine, and while another
 * thread is in a call on it. */
void skan_destroy(skan *engine);

/* An update for the app to pass to Apple: SKAdNetwork.updatePostbackConversionValue and its elders. Out parameter:
 * set `size`, the call writes the rest. All zero (id 0) = no update. */
typedef struct skan_update {
    size_t size;          /* sizeof(skan_update), kept */
    uint64_t id;          /* number of this update of this install, from 1; 0 = no update */
    int32_t window;       /* postback window 0, 1, 2 the update is for; 0 in SKAN 3 */
    int32_t fine_value;   /* 0..63; -1 = none: pass Apple the install's current fine value */
    int32_t coarse_value; /* 0 low, 1 medium, 2 high; -1 = none */
    int32_t lock_window;  /* 1 = lock the window, 0 = do not */
    int64_t timestamp;    /* when the update was decided, Unix seconds */
} skan_update;

/* What is known of the device an event came from; items `v`, `idfv`, `idfa` of a request. Members may be NULL or
 * "": left out. Each has at most SKAN_TEXT_MAX bytes of UTF-8 without bytes 00-1F and 7F. */
typedef struct skan_device {
    size_t size;            /* sizeof(skan_device) */
    const char *os_version; /* iOS version, "16.1" */
    const char *idfv;       /* identifier for vendor */
    const char *idfa;       /* identifier for advertisers */
} skan_device;

/*
 * Every function below takes an engine and an install id: 1..SKAN_INSTALL_ID_MAX bytes of UTF-8 without bytes
 * 00-1F and 7F, chosen by the host and given to the store as it is (two apps that share a store need a prefix). An
 * install never heard of has an empty state.
 *
 * Beside what each function lists, every one may answer
 *   SKAN_ERROR_INVALID_ARGUMENT  an argument is not as described; checked before anything else,
 *   SKAN_ERROR_MISUSE            called from a hook of this engine; or the install's record is of the other
 *                                protocol,
 *   SKAN_ERROR_STORE, SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW,
 * those that change state also
 *   SKAN_ERROR_STORE_CONFLICT, SKAN_ERROR_STORE_UNKNOWN,
 * and those whose rule depends on the time, which say "Clock", also
 *   SKAN_ERROR_CLOCK.
 */

/* First launch: registers the install, once. SKAN 4: sets the fine value 0 and gives update 1 {window 0, fine 0};
 * SKAN 3: gives no update (id 0). `out` may be NULL, here and below. Where the engine has conversion models, the
 * install stays on the first of them. Clock. Rules, "Register", "SKAN 3", "Model versions".
 * SKAN_OK, SKAN_ALREADY_REGISTERED. */
skan_status skan_register(skan *engine, const char *install_id, skan_update *out, skan_error **error);

/* Adds a purchase, an ad impression's revenue or, below zero, a refund to the install's totals: to the lifetime
 * total, and to the current window's if the install is registered and a window is open. Exact: the amount is read
 * as its shortest decimal form, rounded half-even to 12 places, and summed in decimal.
 *   amount           finite, |amount| < 1e12, in units of the currency. 0 adds nothing but records its event id.
 *   currency         three ASCII letters, ISO 4217; stored in upper case.
 *   ad_monetization  true = ad revenue, false = in-app purchase (IAP). SKAN 3 knows only the latter.
 *   event_id         NULL, or 1..SKAN_EVENT_ID_MAX bytes of any sort that name this purchase: among the install's
 *                    last 64, a second call with the same id counts nothing. Use one wherever a call may be
 *                    repeated, after SKAN_ERROR_STORE_UNKNOWN above all.
 * Clock. Rules, "Update revenue", "Revenue tables", "Money is exact", "Event ids".
 * SKAN_OK, SKAN_DUPLICATE_EVENT, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED (more than 64 currencies
 * in a table, or a total of 1e18 or more). */
skan_status skan_update_revenue(skan *engine, const char *install_id, double amount, const char *currency,
                                bool ad_monetization, const char *event_id, skan_error **error);

/* One of many amounts: what skan_update_revenue takes. Set `size` in each: all are of one size, a multiple of 8, and
 * one follows the other. */
typedef struct skan_revenue {
    size_t size; /* sizeof(skan_revenue) */
    const char *install_id;
    double amount;
    const char *currency;
    const char *event_id; /* may be NULL */
    bool ad_monetization;
    /* NULL = `amount`. In its place an exact amount, for hosts that keep money in decimal: a number as JSON spells it,
     * "4.99", "-0.5", "499e-2", of at most SKAN_AMOUNT_TEXT_MAX bytes, rounded half-even to 12 places and then below
     * 1e12 either way. A struct may end before it. */
    const char *amount_text;
    /* The re-engagement that is credited beside the install: 0 = as the engine credits, else this one alone, if it is
     * active. Of one amount make a batch of one. A struct may end before it. */
    uint32_t reengagement;
} skan_revenue;

/* Does skan_update_revenue for each item, in their order, for the same install too: a match's purchases at once. Each
 * install is loaded once and saved once (again where others change it meanwhile), and up to SKAN_BATCH_MAX of them in
 * one round trip where the store offers load_many or save_many; otherwise one after the other. Installs do not depend
 * on each other: one that fails holds up none of the others. What is counted of one install is saved whole or not at
 * all: where its save fails, each of its items that would have changed it, or repeats the event id of such an item, has
 * the save's status; where it cannot be loaded, all of its items have the load's.
 *   items, count  up to SKAN_REVENUE_MANY_MAX; items may be NULL where count is 0.
 *   statuses      room for `count`: what skan_update_revenue would have answered, item by item; an argument that is
 *                 not as described is SKAN_ERROR_INVALID_ARGUMENT of its item. May be NULL where count is 0.
 * The time is read once. Clock. Rules, "Many amounts", "Update revenue".
 * SKAN_OK where every status is SKAN_OK or an outcome. Otherwise the first error among them; its message is that of
 * skan_update_revenue behind the item's number, from 0: "items[17]: ". Where the error is the call's, every status is
 * it: SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, sizes differ or are illegal), SKAN_ERROR_LIMIT_EXCEEDED (too many
 * items), SKAN_ERROR_MISUSE, SKAN_ERROR_CLOCK. */
skan_status skan_update_revenue_many(skan *engine, const skan_revenue *items, size_t count, skan_status *statuses,
                                     skan_error **error);

/* The request for the next conversion value: a URL to GET, and a ticket to hand to skan_apply_response with the
 * answer. Changes nothing.
 *   event_name  1..SKAN_EVENT_NAME_MAX printable ASCII bytes; NULL = a session, "__SESSION__".
 *   device      may be NULL.
 *   url         endpoint (endpoint_url in the options; Singular's unless said otherwise), path and query; not NULL.
 *               Owned by the caller, freed with skan_free. It carries the SDK key: keep it out of logs.
 *   ticket      orders requests: newer ones are greater. Below 2^63. May be NULL.
 * Clock. Rules, "Request", "SKAN 3 requests", "Tickets".
 * SKAN_OK, SKAN_NOT_REGISTERED, SKAN_WINDOW_CLOSED, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_MISUSE (also where the
 * engine has conversion models), SKAN_ERROR_MODEL_UNKNOWN (the install has a conversion model), SKAN_ERROR_CLOCK (also
 * where no greater ticket is left). */
skan_status skan_conversion_request(skan *engine, const char *install_id, const char *event_name,
                                    const skan_device *device, char **url, uint64_t *ticket, skan_error **error);

/* Applies the endpoint's answer to a request.
 *   ticket        of the request; 0 = none: the order of answers is then neither checked nor recorded. Below 2^63.
 *   body, length  the answer's body as it came (HTTP status 200 only); body may be NULL where length is 0.
 *   out           the update for the app; it also stays pending until acknowledged.
 * Clock. Rules, "Apply response", "SKAN 3 values".
 * SKAN_OK, SKAN_NO_NEW_VALUE, SKAN_STALE_RESPONSE, SKAN_WINDOW_LOCKED, SKAN_WINDOW_CLOSED, SKAN_NOT_REGISTERED,
 * SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX bytes),
 * SKAN_ERROR_MALFORMED_RESPONSE, SKAN_ERROR_ILLEGAL_VALUE, SKAN_ERROR_REJECTED, SKAN_ERROR_MISUSE (also where the
 * engine has conversion models), SKAN_ERROR_MODEL_UNKNOWN (the install has a conversion model). */
skan_status skan_apply_response(skan *engine, const char *install_id, uint64_t ticket, const void *body,
                                size_t length, skan_update *out, skan_error **error);

/* The next conversion value, after a session or an event: request, GET by the engine's transport, and apply, in one
 * call; where the engine has conversion models, the install's model decides instead. Where others change the record
 * meanwhile, only the last step runs again, never the GET.
 *   event_name  as for skan_conversion_request.
 *   event_id    NULL, or as for skan_update_revenue, with memory of its own: among the install's last 64 of these
 *               calls, a second call with the same id makes no request and counts nothing. Remembered when the call
 *               ends in SKAN_OK or an outcome other than SKAN_NOT_REGISTERED, not when it ends in an error.
 * A model counts each call as one session or event of the current window, and decides by these counts, by revenue and
 * by the day. Counts are kept with SKAN_NO_NEW_VALUE and SKAN_WINDOW_LOCKED too: the only outcomes that change
 * something, beside what is remembered of event ids. A model's window never goes back, as hosts' clocks differ: once
 * something was counted in a window, an earlier clock counts as that window's first second, for every function here,
 * and is stored so (skan_update.timestamp, last call, lock).
 * Clock. Rules, "Update conversion values", "Event ids", "Model decision", "Model counts".
 * With a transport as skan_conversion_request and skan_apply_response, with models SKAN_OK, SKAN_NO_NEW_VALUE,
 * SKAN_WINDOW_LOCKED, SKAN_WINDOW_CLOSED, SKAN_NOT_REGISTERED, SKAN_ERROR_MODEL_UNKNOWN; and
 * SKAN_DUPLICATE_EVENT, SKAN_ERROR_TRANSPORT, SKAN_ERROR_MISUSE (the engine has neither transport nor models). */
skan_status skan_update_conversion_values(skan *engine, const char *install_id, const char *event_name,
                                          const char *event_id, const skan_device *device, skan_update *out,
                                          skan_error **error);

/* A session or an event, and the money that came with it. Set `size`; everything else may be zero. */
typedef struct skan_event {
    size_t size;               /* sizeof(skan_event) */
    const char *name;          /* as event_name of skan_conversion_request; NULL = a session */
    const char *event_id;      /* NULL, or as for skan_update_revenue */
    const skan_device *device; /* may be NULL */
    const char *currency;      /* NULL = no amount: the members below are then zero. Otherwise three ASCII letters */
    double amount;             /* as for skan_update_revenue; below zero a refund */
    const char *amount_text;   /* NULL = `amount`. In its place the exact amount, as in skan_revenue */
    bool ad_monetization;      /* true = ad revenue, false = IAP. SKAN 3 knows only the latter */
} skan_event;

/* skan_update_conversion_values for an event that may carry its amount: revenue and event in one call, of which the
 * model sees both. The amount is added as skan_update_revenue adds it, unless the event id is among those of revenue,
 * and counts in the measures of the model that name the event. So one id counts an amount once and an event once,
 * whether they come in one call, in two, or again. With SKAN_WINDOW_CLOSED the amount stays added.
 *   event  an amount without a currency, or a currency without an amount to be read, is SKAN_ERROR_INVALID_ARGUMENT.
 *   out    as for skan_update_conversion_values.
 * With models all of it is one change of the record, and an error changes nothing. With a transport the amount is saved
 * before the request is made, and stays if that ends in an error: give an event id, and repeat the call. Requests to an
 * endpoint_url carry the amount too, those to the published endpoint never. Clock. Rules, "Events with an amount",
 * "Update conversion values", "Model measures". What skan_update_conversion_values answers, and
 * SKAN_ERROR_LIMIT_EXCEEDED, as for skan_update_revenue. */
skan_status skan_update_conversion_values_with(skan *engine, const char *install_id, const skan_event *event,
                                               skan_update *out, skan_error **error);

/* What the install's conversion model sees now, and which of its rules holds. Changes nothing.
 *   json  freed with skan_free: {"model": its version, "id", "window", "day", "sessions", "events": {name: count},
 *         "currency", "revenue": {"window": {"iap", "ad", "all"}, "lifetime": {...}}, "currencies_without_rate": [...],
 *         "rule": its number in the window from 0, or null, "fine", "coarse", "lock"}. Revenue is in the model's
 *         currency; what came in a currency without a rate counts as nothing, and is named. The rule's value is what
 *         skan_update_conversion_values would take, unless the window is locked, or the install has it, or a higher one
 *         under raise_only.
 * Clock. Rules, "Model explanation".
 * SKAN_OK, SKAN_NOT_REGISTERED, SKAN_WINDOW_CLOSED, SKAN_ERROR_INVALID_ARGUMENT (json is NULL),
 * SKAN_ERROR_MODEL_UNKNOWN, SKAN_ERROR_MISUSE (the engine has no models). */
skan_status skan_explain(skan *engine, const char *install_id, char **json, skan_error **error);

/* The other side of skan_conversion_request: answers a request to a conversion-value endpoint, as the `skan serve`
 * command does over HTTP. The engine's conversion models decide, the first of them for new users, from what the request
 * tells of the install, and from the counts of sessions and events, which it does not tell: those are kept in the
 * engine's store, in a record for each app and user (idfv, otherwise idfa; one of zeros is none) whose key begins with
 * the path's version, "v2/com.app/..." for an idfv, "v2-idfa/com.app/..." for an idfa. A first-call timestamp other
 * than before is a new install of that user: its counts start again, by the first model. Of what requests tell no more
 * than that timestamp is kept; the record's last call is when the user was seen, within a day. An engine of SKAN 3
 * without models is the published test endpoint: it answers 0, 1, 2 to the first three events of a user, then no value,
 * and asks neither for a key nor for an app.
 *   target   path and query, as they stand in the request line: "/api/v2/conversion_value?a=...", v1 for SKAN 3; at
 *            most SKAN_REQUEST_MAX bytes.
 *   outcome  what was answered: SKAN_OK (a value), SKAN_NO_NEW_VALUE, SKAN_WINDOW_LOCKED, SKAN_ERROR_REJECTED (a
 *            reason, in the words of the published endpoint). May be NULL.
 *   json     the answer's body, for HTTP status 200; freed with skan_free.
 * No install id; otherwise as described above. The same request counts its event again. Clock. Rules,
 * "Endpoint requests", "Endpoint reasons", "Endpoint users", "Endpoint decisions", "Test endpoint".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, the path is another one, or the target too long),
 * SKAN_ERROR_MISUSE (the engine has a transport), SKAN_ERROR_MODEL_UNKNOWN. */
skan_status skan_answer_request(skan *engine, const char *target, skan_status *outcome, char **json,
                                skan_error **error);

/* The update that waits for the app: the last one, until acknowledged as delivered, while its window is open. Changes
 * nothing. Clock. Rules, "Pending and acknowledge".
 * SKAN_OK, SKAN_NOTHING_PENDING. */
skan_status skan_pending_update(skan *engine, const char *install_id, skan_update *out, skan_error **error);

/* Says what became of an update: delivered = true, the app passed it to Apple; false makes it pending again.
 * Another number than the last update's changes nothing and is fine. Rules, "Pending and acknowledge".
 * SKAN_OK. */
skan_status skan_acknowledge_update(skan *engine, const char *install_id, uint64_t id, bool delivered,
                                    skan_error **error);

/* The whole state as a JSON object: every key, null for none, amounts as exact decimals; where re-engagements are kept,
 * "reengagements" at the end, as skan_reengagements gives it. `json` is owned by the caller, freed with skan_free.
 * Changes nothing. Rules, "Details".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_details(skan *engine, const char *install_id, char **json, skan_error **error);

/* What the host adds to its S2S session and event calls: percent-encoded query items, "a=1&b=2", without a leading
 * `?`; "" for an empty state. `query` is owned by the caller, freed with skan_free. Changes nothing. Rules, "Metadata".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (query is NULL). */
skan_status skan_metadata(skan *engine, const char *install_id, char **query, skan_error **error);

/* Takes over the state of an install that has no record here, from a details document: this library's or the
 * published snippet's. Nothing is pending afterwards. Where the engine has conversion models, a registered install
 * stays on the first of them from here on. Rules, "Import".
 * SKAN_OK, SKAN_ALREADY_REGISTERED (there is a record, registered or not), SKAN_ERROR_INVALID_ARGUMENT (json is
 * NULL and length is not 0), SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX bytes),
 * SKAN_ERROR_INVALID_DOCUMENT, naming the key (a 65th currency too). */
skan_status skan_import_details(skan *engine, const char *install_id, const void *json, size_t length,
                                skan_error **error);

/* Deletes the install's record, whatever it holds; damaged, newer and other protocol's ones too. An install never
 * heard of is fine. Rules, "Forget".
 * SKAN_OK. */
skan_status skan_forget(skan *engine, const char *install_id, skan_error **error);

/* ------------------------------------------------------------------------------------------------ re-engagements */
/*
 * A person who has the app taps an ad and comes back: AdAttributionKit counts this as a re-engagement conversion, with
 * postbacks of its own. The app reports the tap, the engine decides the values by a conversion model, and gives the app
 * one list of calls to make to Apple, for the install and for its re-engagements. With re-engagements the app gets
 * skan_pending_calls in place of skan_pending_update, whose lock could reach a re-engagement.
 *
 * SKAN 4 only: with SKAN 3 each of these functions is SKAN_ERROR_MISUSE. What the app does with a list stands in
 * share/doc/skan/AppCalls.md, in the source tree Sources/Core/AppCalls.md. Rules, "Conversions".
 */

/* A tap on an ad that led back into the app, as the app reports it. Set `size`; everything else may be zero. */
typedef struct skan_reengagement {
    size_t size;            /* sizeof(skan_reengagement) */
    const char *open_id;    /* names this open, 1..SKAN_EVENT_ID_MAX bytes; NULL = none: repeats are hard to tell */
    const char *tag;        /* the conversion tag, up to SKAN_TAG_MAX bytes; NULL or "" = none. A secret of the device:
                             * it is in no message, and belongs into no log */
    const char *reference;  /* the host's own: campaign, deep link; up to SKAN_REFERENCE_MAX bytes, NULL or "" = none */
    int64_t opened_at;      /* Unix seconds: the server's time minus the age that the app tells; 0 = now */
    int32_t is_started;     /* 1 = the app made its first call at this open */
    int32_t is_overlapping; /* 1 = the link's value is a conversion tag: the app has opted in, on iOS 18.4 or newer.
                             * 0 = the tag is not looked at */
    const skan_device *device; /* its os_version is read; NULL = not known */
} skan_reengagement;

/* Takes a re-engagement.
 *   report  not NULL. Its texts are UTF-8 without bytes 00-1F and 7F.
 *   number  which one it is, from 1, also of a repeated open; 0 where there is none. May be NULL.
 * Where the app made a first call that may have overwritten values, those are due again, also with an outcome. Clock.
 * Rules, "Re-engage".
 * SKAN_OK; SKAN_DUPLICATE_EVENT (this open is known); SKAN_WINDOW_CLOSED (too late, or a newer one began);
 * SKAN_UNSUPPORTED; SKAN_ERROR_INVALID_ARGUMENT; SKAN_ERROR_MISUSE (the engine has no models for re-engagements). */
skan_status skan_reengage(skan *engine, const char *install_id, const skan_reengagement *report, uint32_t *number,
                          skan_error **error);

/* skan_update_conversion_values_with for the install and its re-engagements, in one step. No update is given: calls tell
 * it.
 *   event         as there, not NULL; event ids are shared with it. Its amount is added first, as
 *                 skan_update_revenue_many adds one that names the re-engagement.
 *   reengagement  which one is credited beside the install: 0 = as the engine credits, else this one alone, if it is
 *                 active.
 * An engine without models and transport counts for re-engagements alone. Clock. Rules, "Update conversions", "Credit".
 * SKAN_OK where any conversion has a new value, SKAN_NO_NEW_VALUE (windows that are locked too), SKAN_DUPLICATE_EVENT,
 * SKAN_NOT_REGISTERED (and no re-engagement is active), SKAN_WINDOW_CLOSED (of all conversions);
 * SKAN_ERROR_MODEL_UNKNOWN (also of an active re-engagement that is named), SKAN_ERROR_MISUSE (the engine has neither
 * transport nor models of any sort), and the errors of skan_update_conversion_values_with: then nothing is counted,
 * but for an amount that was saved before a request. */
skan_status skan_update_conversions(skan *engine, const char *install_id, const skan_event *event,
                                    uint32_t reengagement, skan_error **error);

/* The types that a call to AdAttributionKit names. */
enum skan_conversion_type { SKAN_TYPE_NONE = 0, SKAN_TYPE_INSTALL = 1, SKAN_TYPE_REENGAGEMENT = 2 };

/* A call for the app to make to Apple. Out parameter: set `size` in the first, the call writes the rest. */
typedef struct skan_call {
    size_t size;             /* sizeof(skan_call) */
    uint64_t id;             /* of its update; goes to skan_acknowledge_calls */
    uint32_t conversion;     /* 0 = the install, else the re-engagement's number */
    int32_t framework;       /* 0 SKAdNetwork, 1 AdAttributionKit, as in postback.h */
    int32_t conversion_type; /* SKAN_TYPE_... */
    int32_t window;          /* 0, 1 or 2, for which it was decided */
    int32_t fine_value;      /* 0..63, always */
    int32_t coarse_value;    /* 0 low, 1 medium, 2 high; -1 = nil */
    int32_t lock_window;     /* 1 = lock the window, 0 = do not */
    int32_t reserved;        /* 0 */
    int64_t timestamp;       /* when it was decided, Unix seconds */
    int64_t valid_until;     /* Unix seconds: from then on the app drops the list */
    char tag[SKAN_TAG_MAX + 1]; /* "" = without a tag */
} skan_call;

/* The calls that wait, in the order to make them; with or without re-engagements. May save.
 *   device  its os_version is read: calls that the system lacks are left out. NULL = not known: everything.
 *   out     room for `room` calls; SKAN_CALLS_MAX is enough. Its first struct tells the size of all. May be NULL where
 *           room is 0.
 *   count   how many calls there are, also where the room is less. Not NULL.
 * Clock. Rules, "Calls".
 * SKAN_OK, SKAN_NOTHING_PENDING, SKAN_ERROR_LIMIT_EXCEEDED (the room is less than *count). */
skan_status skan_pending_calls(skan *engine, const char *install_id, const skan_device *device, skan_call *out,
                               size_t room, size_t *count, skan_error **error);

/* The same as JSON, as a server sends it to its app.
 *   json  {"valid_seconds": how long the list is valid from now on, null where it is empty, "calls": [{"id",
 *         "conversion", "framework": "SKAdNetwork" or "AdAttributionKit", "conversion_type": null, "install" or
 *         "re-engagement", "window", "fine_value", "coarse_value": null = nil, "lock_window", "tag": null = none}]};
 *         with SKAN_NOTHING_PENDING too. Freed with skan_free.
 * Clock. Rules, "Calls".
 * SKAN_OK, SKAN_NOTHING_PENDING, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_pending_calls_json(skan *engine, const char *install_id, const skan_device *device, char **json,
                                    skan_error **error);

/* What came of a call. */
enum skan_call_result {
    SKAN_CALL_FAILED = 0,
    SKAN_CALL_DELIVERED = 1,
    SKAN_CALL_INVALID_TAG = 2,      /* AdAttributionKitError.invalidConversionTag */
    SKAN_CALL_TAG_NOT_SUPPORTED = 3 /* AdAttributionKitError.conversionTagNotSupported */
};

/* What came of the calls with one id: the worst of them. Set `size` in each. */
typedef struct skan_acknowledgement {
    size_t size;      /* sizeof(skan_acknowledgement) */
    uint64_t id;      /* skan_call.id */
    int32_t result;   /* SKAN_CALL_... */
    int32_t reserved; /* 0 */
} skan_acknowledgement;

/* Says what became of a list, in its order; one save. An id that is no conversion's last update is passed over.
 * skan_acknowledge_update does the same for one id, delivered or not.
 *   results  may be NULL where count is 0.
 *   count    up to SKAN_BATCH_MAX.
 * Clock. Rules, "Acknowledging calls".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, a size or a result is not as described),
 * SKAN_ERROR_LIMIT_EXCEEDED (too many). */
skan_status skan_acknowledge_calls(skan *engine, const char *install_id, const skan_acknowledgement *results,
                                   size_t count, skan_error **error);

/* Ends a re-engagement: it counts nothing any more, and has no calls. One that has ended stays as it is. Rules, "End".
 * SKAN_OK, SKAN_NOT_FOUND (none of this number is kept), SKAN_ERROR_INVALID_ARGUMENT (number is 0). */
skan_status skan_end_reengagement(skan *engine, const char *install_id, uint32_t number, skan_error **error);

/* The re-engagements that are kept, by number, as a JSON array; "[]" where there are none. Changes nothing. Rules,
 * "Re-engagement details".
 *   json  freed with skan_free: [{"number", "tag", "open_id", "reference", "start", "ended": null, "superseded",
 *         "host", "invalid tag" or "tag not supported", "model", "window", "sessions", "events": {name: count},
 *         "revenue": {"conversion": {"iap", "ad"}, "window": {...}}, "fine_value", "coarse_value": [of each window],
 *         "window_lock": [timestamps], "update": {"id", "window", "fine_value", "coarse_value", "lock_window",
 *         "timestamp"}, "delivered"}]. It holds tags: keep it out of logs.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_reengagements(skan *engine, const char *install_id, char **json, skan_error **error);

/* What the model of a re-engagement sees now: the document of skan_explain, with revenue of scope "conversion" too.
 * Changes nothing. Clock. Rules, "Model explanation".
 * SKAN_OK, SKAN_NOT_FOUND, SKAN_WINDOW_CLOSED (it is not active), SKAN_ERROR_INVALID_ARGUMENT (json is NULL, number is
 * 0), SKAN_ERROR_MODEL_UNKNOWN. */
skan_status skan_explain_reengagement(skan *engine, const char *install_id, uint32_t number, char **json,
                                      skan_error **error);

/* -------------------------------------------------------------------------------------------------------- records */

/* What tools and stores may know of a record's bytes. Out parameter: set `size`, the call writes the rest. */
typedef struct skan_record {
    size_t size;             /* sizeof(skan_record), kept */
    uint32_t protocol;       /* 4 or 3 */
    int32_t is_registered;   /* 1 or 0 */
    int64_t first_timestamp; /* of the first and last call, Unix seconds; 0 where it is not registered */
    int64_t last_timestamp;
    int64_t closes_at;       /* when the last postback window closes, also of a re-engagement (SKAN 3: as far as is
                              * known now), Unix seconds; 0 where there is none */
} skan_record;

/* Reads a record as a store holds it, without an engine.
 *   out   may be NULL.
 *   json  the details, as skan_details gives them; freed with skan_free. May be NULL.
 * Any thread. Rules, "Records", "Details".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (data is NULL), SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW. */
skan_status skan_record_read(const void *data, size_t length, skan_record *out, char **json, skan_error **error);

/* ----------------------------------------------------------------------------------------------------------- JSON */

/* What a member's value is. */
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
    const char *key; /* without escapes, has no NUL */
    size_t key_length;
    const char *text; /* of a string its content without escapes, which may have NULs; of others as it stands */
    size_t text_length;
    int32_t kind; /* SKAN_JSON_... */
} skan_json_member;

/* Told each member of a JSON object, in their order. It must not throw through C. */
typedef void (*skan_json_visit)(void *context, const skan_json_member *member);

/* Checks that a text is one JSON object, as an endpoint's answer must be, and then tells the members of this object;
 * for companion libraries and hosts that must agree with libskan on what is JSON. Strict: RFC 8259 in UTF-8 without a
 * byte-order mark, nothing behind the object, no key twice in an object at any depth (compared without escapes), no NUL
 * in a key, at most 32 nested arrays and objects. An unpaired surrogate escape is accepted, and told as the three bytes
 * ED A0..BF xx, which no UTF-8 text has.
 *   json, length  json may be NULL where length is 0.
 *   visit         not called unless all of the text is as described.
 * Any thread. Rules, "JSON".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL), SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX
 * bytes), SKAN_ERROR_MALFORMED_RESPONSE, with the place and the reason. */
skan_status skan_json_read(const void *json, size_t length, skan_json_visit visit, void *context, skan_error **error);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_SKAN_H */

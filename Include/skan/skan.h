/*
 * skan.h - the life of an install: the C interface of libskan, which keeps SKAdNetwork (SKAN) state for
 * server-to-server integrations.
 *
 * A game's back end keeps, for every app install, the data that Apple's SKAdNetwork needs: when the install was first
 * seen, its revenue, its conversion values and its current postback window. A whole life:
 *
 *     #include <skan/skan.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         skan_engine *engine = NULL;                             // in-memory store, system clock, SKAN 4
 *         skan_options options = {.size = sizeof options, .sdk_key = "...", .bundle_id = "com.example.game",
 *                                 .app_version = "1.0", .endpoint_url = "https://skan.example.com"};
 *         if (skan_create(&options, &engine, NULL) != SKAN_OK) return 1;
 *
 *         skan_register(engine, "install-1", NULL, NULL, NULL);   // first launch
 *
 *         // A purchase: count its money and make the request for the next value ...
 *         skan_event event = {.size = sizeof event, .name = "purchase", .event_id = "order-1",
 *                             .amount = {.text = "4.99"}, .currency = "USD", .kind = SKAN_IAP};
 *         char *url = NULL;
 *         uint64_t ticket = 0;
 *         skan_update update = {.size = sizeof update};
 *         if (skan_conversion_request(engine, "install-1", &event, &url, &ticket, NULL) == SKAN_OK) {
 *             // ... GET url with an HTTP client, and apply the answer.
 *             const char body[] = "{\"conversion_value\": 5}";
 *             skan_apply_response(engine, "install-1", &event, ticket, body, sizeof body - 1, &update, NULL);
 *             skan_free(url);
 *         }
 *
 *         char *json = NULL;                                      // when the app calls next: send it this ...
 *         if (skan_pending_calls_json(engine, "install-1", NULL, &json, NULL) == SKAN_OK) puts(json);
 *         skan_free(json);
 *         skan_acknowledgement result = {.size = sizeof result, .id = update.id, .result = SKAN_CALL_DELIVERED};
 *         skan_acknowledge_calls(engine, "install-1", &result, 1, NULL);  // ... and note what it reports
 *
 *         skan_destroy(engine);
 *         return 0;
 *     }
 *
 * An engine with a transport makes the request itself, and one with conversion models needs none: both do all of that
 * in one call, skan_update_conversion_values.
 *
 * Further headers, each of which includes this one: store.h (own stores, clocks and transports), model.h (conversion
 * models, and answering requests as an endpoint), reengagement.h (taps on ads that lead back into the app), companion.h
 * (for libraries beside this one). sqlite.h, postgres.h, redis.h, http.h and postback.h have libraries of their own.
 *
 * Know before production:
 * - Threads: any number of threads may use an engine at once, and any number of processes may share a store: every
 *   change is a compare-and-set on the install's record. Calls of one engine that change the same install come to the
 *   store in turns, so only other processes and engines can come in between. skan_destroy must be the last call. Rules,
 *   "Turns", "Conflicts".
 * - fork: an engine that was made before fork() may be used in the child, even if other threads of the parent are in
 *   calls during the fork, provided that the host's hooks allow it. The in-memory store is copied: after the fork, each
 *   process has its own.
 * - Statuses: 0 is OK. 1..99 are outcomes, which are expected in normal operation. 100 and more are errors. Unless a
 *   function says otherwise, every status but SKAN_OK leaves the install unchanged.
 * - Ownership: text that a call gives through `char **` is freed with skan_free, an error with skan_error_free. Unless
 *   a function says otherwise, every other out parameter is NULL or zero on any status but SKAN_OK. What the caller
 *   passes is copied, or is read only during the call.
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
 * From the first release on, the ABI only grows: numbers are never reused, functions never change, and structs only get
 * new members at the end.
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
    SKAN_ERROR_STORE_CONFLICT = 121, /* others changed the record before each attempt in 10 s; nothing was applied */
    SKAN_ERROR_STORE_UNKNOWN = 122,  /* it is not known whether the change was applied */
    SKAN_ERROR_CORRUPT_RECORD = 123, /* the record is damaged; it is left unchanged (skan_forget removes it) */
    SKAN_ERROR_RECORD_TOO_NEW = 124, /* the record was written by a newer libskan */

    SKAN_ERROR_TRANSPORT = 130,         /* the transport hook got no answer with HTTP status 200; if the hook is that of
                                         * http.h, the endpoint has counted nothing */
    SKAN_ERROR_TRANSPORT_UNKNOWN = 131, /* the same after the request was sent: the endpoint may have counted the event;
                                         * repeat the call with the same event id */

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
/* Frees an error. NULL is fine. */
void skan_error_free(skan_error *error);

/* Frees text that a call gave through `char **`. NULL is fine. */
void skan_free(void *memory);

/* The version of this header. A test compares it with the library's. */
#define SKAN_VERSION "0.2.0"
#define SKAN_VERSION_MAJOR 0
#define SKAN_VERSION_MINOR 2
#define SKAN_VERSION_PATCH 0

/* The version of the linked library, "1.0.0", a static string. */
const char *skan_version(void);
/* The version of this ABI. A program that was built for it runs with every library that returns the same number. */
uint32_t skan_abi_version(void);
#define SKAN_ABI_VERSION 1

/* --------------------------------------------------------------------------------------------------------- limits */

#define SKAN_INSTALL_ID_MAX 128      /* bytes of an install id */
#define SKAN_EVENT_ID_MAX 128        /* bytes of an event id */
#define SKAN_EVENT_NAME_MAX 64       /* bytes of an event name ... */
#define SKAN_REQUEST_EVENT_NAME_MAX 32 /* ... for an engine that asks an endpoint */
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

/* ---------------------------------------------------------------------------------------------------------- words */

/* What brought money. SKAN 3 has no ad revenue. */
enum skan_revenue_kind {
    SKAN_IAP = 0, /* an in-app purchase, or its refund */
    SKAN_AD = 1   /* an ad that the app showed: ad monetization */
};

/* A coarse value. */
enum skan_coarse_value { SKAN_COARSE_NONE = -1, SKAN_COARSE_LOW = 0, SKAN_COARSE_MEDIUM = 1, SKAN_COARSE_HIGH = 2 };

/* Apple's framework that a call is made to, or that a postback comes from. */
enum skan_framework { SKAN_SKADNETWORK = 0, SKAN_ADATTRIBUTIONKIT = 1 };

/* The kind of conversion that an ad led to. A postback has one of the first four or SKAN_CONVERSION_OTHER, a call to
 * AdAttributionKit names SKAN_CONVERSION_INSTALL, SKAN_CONVERSION_REENGAGEMENT or none. */
enum skan_conversion_type {
    SKAN_CONVERSION_NONE = 0,         /* a call names none; a postback has none */
    SKAN_CONVERSION_DOWNLOAD = 1,     /* the first install of the app by this person */
    SKAN_CONVERSION_REDOWNLOAD = 2,   /* an install by someone who had the app before */
    SKAN_CONVERSION_REENGAGEMENT = 3, /* not an install: a tap on an ad led back into the app */
    SKAN_CONVERSION_INSTALL = 4,      /* a download or a redownload */
    SKAN_CONVERSION_OTHER = 5         /* a postback has a type that is not known here: it is none of the others */
};

/* An amount of money, in units of its currency. */
typedef struct skan_amount {
    const char *text; /* exact: a number in JSON's notation, "4.99", "-0.5", "499e-2", of at most SKAN_AMOUNT_TEXT_MAX
                       * bytes, rounded half-even to 12 places. NULL = `number` is used */
    double number;    /* finite; read as its shortest decimal form, and rounded in the same way */
} skan_amount;

/* --------------------------------------------------------------------------------------------------------- engine */

/* An engine, which applies the rules of one protocol to one store. Opaque; safe for any number of threads. */
typedef struct skan_engine skan_engine;

/* store.h describes these three, model.h the last one. */
typedef struct skan_store skan_store;
typedef struct skan_clock skan_clock;
typedef struct skan_transport skan_transport;
typedef struct skan_model skan_model;

/* The published endpoint, Singular's, as endpoint_url of an engine that asks it. */
#define SKAN_ENDPOINT_SINGULAR "https://sdk-api-v1.singular.net"

/* How an engine is made. Set `size`; everything else may be zero. The strings are copied. Structs only grow: a struct
 * that is larger than this library's, up to 1024 bytes, is accepted if its unknown tail is zero. */
typedef struct skan_options {
    size_t size;                     /* sizeof(skan_options) */
    uint32_t protocol;               /* 4, or 0 = SKAN 4; 3 = SKAN 3 */
    const skan_store *store;         /* NULL = an in-memory store that only this engine uses */
    const skan_clock *clock;         /* NULL = the system's clock */
    const skan_transport *transport; /* NULL = none: skan_update_conversion_values is misuse */
    const char *endpoint_url;        /* where requests go: http(s), host and perhaps a prefix, without `?`, `#`, space;
                                      * requests append /api/v2/conversion_value (SKAN 3: /api/v1/conversion_value).
                                      * SKAN_ENDPOINT_SINGULAR is the published endpoint. An engine without models
                                      * needs it, unless it is of SKAN 3 and answers as the test endpoint (model.h) */
    const char *sdk_key;             /* item `a` of requests; NULL or "" = omitted, here and below */
    const char *bundle_id;           /* item `i`, the app's bundle id */
    const char *app_version;         /* item `app_v` */
    /* Conversion models for the engine's protocol. The first is for new installs, the others are for installs that were
     * registered with them. NULL and 0 = none. An engine with models has no transport, and its skan_conversion_request
     * and skan_apply_response answer SKAN_ERROR_MISUSE. */
    skan_model *const *models;
    size_t model_count; /* at most SKAN_MODELS_MAX */
    /* true = hooks may switch to another stack of their thread, as coroutines, fibers and green threads do, or to
     * another thread. Then no call is refused because its thread is in a hook: the engine cannot know whether the hook
     * makes the call. A hook must not call its own engine even then. Nor does any call wait for its turn or between
     * attempts, unless the store has keeps_stack: its thread may be needed elsewhere. Rules, "Turns". false = a hook
     * returns on its thread; while it is suspended, calls of its thread to its engine are SKAN_ERROR_MISUSE. */
    bool switches_stacks;
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

/* Makes an engine. A slash at the end of endpoint_url is dropped.
 * SKAN_OK; SKAN_ERROR_INVALID_ARGUMENT: options or out is NULL, a size is illegal, a hook's function is missing, a text
 * is too long or not as described, an endpoint_url is needed, protocol is none of 0, 3, 4, a model is NULL or for the
 * other protocol, there are both models and a transport, a model is for the other kind of conversion, or the credit or
 * the cool-down is out of range. */
skan_status skan_create(const skan_options *options, skan_engine **out, skan_error **error);

/* Destroys an engine and finalizes its hooks. NULL is fine. Forbidden inside a hook of this engine, and while another
 * thread is in a call on it. */
void skan_destroy(skan_engine *engine);

/* A new value of the install, which skan_pending_calls hands to the app. Out parameter: set `size`; the call writes the
 * rest. All zero (id 0) = no update. */
typedef struct skan_update {
    size_t size;          /* sizeof(skan_update), kept */
    uint64_t id;          /* the number of this update of this install, below 2^53; the next one has the next number,
                           * also in a new life (Rules, "Update numbers"); 0 = no update */
    int32_t window;       /* the postback window 0, 1 or 2 that the update is for; 0 in SKAN 3 */
    int32_t fine_value;   /* 0..63; -1 = none: the install's current one stays */
    int32_t coarse_value; /* SKAN_COARSE_LOW ... SKAN_COARSE_HIGH; SKAN_COARSE_NONE = none */
    bool lock_window;     /* whether the app locks the window */
    int64_t timestamp;    /* when the update was decided, Unix seconds */
} skan_update;

/* What is known about the device that an event came from: items `v`, `idfv`, `idfa` of a request. Members that are NULL
 * or "" are omitted. Each has at most SKAN_TEXT_MAX bytes of UTF-8 without bytes 00-1F and 7F. */
typedef struct skan_device {
    size_t size;            /* sizeof(skan_device) */
    const char *os_version; /* iOS version, "16.1"; what is not numbers and dots counts as not known */
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

/* How skan_register registers an install. Set `size`; everything else may be zero. */
typedef struct skan_registration {
    size_t size;          /* sizeof(skan_registration) */
    int64_t first_launch; /* when the app was launched first after it was installed, Unix seconds, at most a minute
                           * ahead of the clock; 0 = now. Windows count from it. Keep it with the install id, and name
                           * the same time in every call: then a repeated call changes nothing */
    bool begins_again;    /* what becomes of an install that was registered with an earlier first launch: false = it
                           * stays as it is; true = it was installed anew, and a new life begins */
    bool keeps_revenue;   /* whether the lifetime totals stay when a new life begins; those of windows never do */
} skan_registration;

/* Registers the install, once, at its first launch. SKAN 4: sets the fine value 0 and gives the first update {window 0,
 * fine 0}, if window 0 is open; SKAN 3: gives no update (id 0). `out` may be NULL, here and below. If the engine has
 * conversion models, the install keeps the first of them. A new life, if `registration` asks for one, begins without
 * values, counts and window totals, and ends re-engagements; event ids stay known, and acknowledgements and answers of
 * the older life do nothing. Clock. Rules, "Register", "SKAN 3", "Model versions".
 *   registration  NULL = now, and an install that is registered stays as it is.
 * SKAN_OK, SKAN_ALREADY_REGISTERED, SKAN_ERROR_INVALID_ARGUMENT. */
skan_status skan_register(skan_engine *engine, const char *install_id, const skan_registration *registration,
                          skan_update *out, skan_error **error);

/* Adds an amount to the install's totals: a purchase, an ad impression's revenue or, if negative, a refund. It is added
 * to the lifetime total, and to the current window's total if the install is registered and a window is open. The sum
 * is exact: amounts are added in decimal. No value is decided: the next event does that.
 *   amount    {.text = "4.99"} or {.number = 4.99}; its absolute value is below 1e12. 0 adds nothing but records its
 *             event id.
 *   currency  three ASCII letters, ISO 4217; stored in upper case.
 *   kind      SKAN_IAP or SKAN_AD. SKAN 3 has no ad revenue.
 *   event_id  NULL, or 1..SKAN_EVENT_ID_MAX bytes of any kind that identify this purchase or impression. An amount
 *             whose id is that of one of the install's last 64 IAP amounts, or last 64 ad amounts, counts nothing;
 *             neither kind displaces the other, nor do events. Use an event id wherever a call may be repeated,
 *             especially after SKAN_ERROR_STORE_UNKNOWN. A refund needs an id of its own: under its purchase's it is a
 *             duplicate.
 * Clock. Rules, "Update revenue", "Revenue tables", "Money is exact", "Event ids".
 * SKAN_OK, SKAN_DUPLICATE_EVENT, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED (more than 64 currencies
 * in a table, or a total of 1e18 or more). */
skan_status skan_update_revenue(skan_engine *engine, const char *install_id, skan_amount amount,
                                const char *currency, int32_t kind, const char *event_id, skan_error **error);

/* One amount of a list, with the arguments of skan_update_revenue. Set `size` in each struct. All structs have the same
 * size, a multiple of 8, and follow each other without a gap. */
typedef struct skan_revenue {
    size_t size; /* sizeof(skan_revenue) */
    const char *install_id;
    skan_amount amount;
    const char *currency;
    const char *event_id;  /* may be NULL */
    int32_t kind;          /* SKAN_IAP or SKAN_AD */
    uint32_t reengagement; /* as in skan_event. To name a re-engagement for a single amount, use a list of one */
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
skan_status skan_update_revenue_many(skan_engine *engine, const skan_revenue *items, size_t count,
                                     skan_status *statuses, skan_error **error);

/* A session or an event, with the money that came with it. Set `size`; everything else may be zero. */
typedef struct skan_event {
    size_t size;               /* sizeof(skan_event) */
    const char *name;          /* NULL = a session, "__SESSION__"; else 1..SKAN_EVENT_NAME_MAX bytes of UTF-8 without
                                * bytes 00-1F and 7F; for an engine without models that has an endpoint_url, 1..
                                * SKAN_REQUEST_EVENT_NAME_MAX printable ASCII bytes */
    const char *event_id;      /* NULL, or as for skan_update_revenue: an event with the id of one of the install's last
                                * 64 events without an amount, or with that of a remembered amount which came with an
                                * event, counts nothing */
    const skan_device *device; /* may be NULL */
    skan_amount amount;        /* as for skan_update_revenue; negative = a refund */
    const char *currency;      /* NULL = no amount, and then `amount` and `kind` are zero. With a currency, an amount
                                * that is all zero is 0: its id is recorded */
    int32_t kind;              /* SKAN_IAP or SKAN_AD */
    uint32_t reengagement;     /* the re-engagement for which it counts in addition to the install: 0 = as the options
                                * of the engine define; SKAN_INSTALL_ALONE = none; otherwise only this one, if it is
                                * active */
} skan_event;

#define SKAN_INSTALL_ALONE UINT32_MAX

/* Reports a session or an event, and decides the next conversion values. The engine's transport asks the endpoint; if
 * the engine has conversion models, the install's model decides instead. Active re-engagements that are credited are
 * decided by their own models in the same step.
 *   event  NULL = a session.
 *   out    the install's new value, which stays among the pending calls until it is acknowledged; all zero if it has
 *          none. May be NULL.
 * An amount is added first, as skan_update_revenue adds it, unless an amount was counted under the event id; measures
 * of the model that name the event count it too. So one id counts an amount once and an event once, whether they come
 * in one call, in two, or repeatedly. The id is recorded when the call ends in SKAN_OK or an outcome other than
 * SKAN_NOT_REGISTERED, not when it ends in an error. With SKAN_WINDOW_CLOSED the amount remains added.
 *
 * A model counts each call as one session or event of the current window, and decides by these counts, by revenue and
 * by the day. Counts are also kept with SKAN_NO_NEW_VALUE and SKAN_WINDOW_LOCKED: apart from the recorded event ids,
 * these are the only outcomes that change something. An install's window never goes back, because hosts' clocks differ:
 * once a value was taken or something was counted in a window, an earlier clock counts as that window's first second,
 * for every function here, and is stored so (skan_update.timestamp, last call, lock). Without a model, a clock that is
 * more than an hour earlier than that second was set back on purpose, and is used as it is.
 *
 * With models everything is one change of the record, and an error changes nothing. With a transport the amount is
 * saved before the request is made, and remains if the request ends in an error: give an event id, and repeat the call.
 * Requests carry the amount and the event id too, except those to the published endpoint: an endpoint of one's own
 * counts a repeated id once. SKAN_ERROR_TRANSPORT_UNKNOWN means that the endpoint may have counted the event. If others
 * change the record meanwhile, only the last step is repeated, never the GET.
 *
 * In an engine with models for re-engagements, and where `reengagement` names one, SKAN_OK means that any conversion
 * has a new value; SKAN_NO_NEW_VALUE is also given for windows that are locked; SKAN_NOT_REGISTERED means that no
 * re-engagement is active either, and SKAN_WINDOW_CLOSED that all windows are closed.
 * Clock. Rules, "Update conversion values", "Events with an amount", "Update conversions", "Event ids", "Windows",
 * "Model decision", "Model counts", "Credit".
 * With a transport: the statuses of skan_conversion_request and skan_apply_response. With models: SKAN_OK,
 * SKAN_NO_NEW_VALUE, SKAN_WINDOW_LOCKED, SKAN_WINDOW_CLOSED, SKAN_NOT_REGISTERED, SKAN_ERROR_MODEL_UNKNOWN (also for an
 * active re-engagement that is named). Also SKAN_DUPLICATE_EVENT, SKAN_ERROR_TRANSPORT, SKAN_ERROR_TRANSPORT_UNKNOWN,
 * SKAN_ERROR_INVALID_ARGUMENT (an amount without a currency, or a currency without an amount that can be read),
 * SKAN_ERROR_LIMIT_EXCEEDED as for skan_update_revenue, SKAN_ERROR_MISUSE (the engine has neither transport nor models;
 * SKAN 3 and a re-engagement). */
skan_status skan_update_conversion_values(skan_engine *engine, const char *install_id, const skan_event *event,
                                          skan_update *out, skan_error **error);

/* Makes the request for the next conversion value, for hosts with an HTTP client of their own: a URL to GET, and a
 * ticket. With skan_apply_response it does in two steps what skan_update_conversion_values does with a transport. An
 * amount of the event is added, and saved, as there; with SKAN_WINDOW_CLOSED the event id is recorded. Otherwise the
 * call changes nothing; in an engine with models for re-engagements see Rules, "Update conversions".
 *   event   NULL = a session.
 *   url     endpoint_url, path and query; not NULL. Owned by the caller, freed with skan_free. It contains the SDK key:
 *           keep it out of logs.
 *   ticket  orders requests: newer ones are greater. Below 2^63. May be NULL.
 * Clock. Rules, "Request", "Events with an amount", "SKAN 3 requests", "Tickets".
 * SKAN_OK, SKAN_DUPLICATE_EVENT, SKAN_NOT_REGISTERED, SKAN_WINDOW_CLOSED, SKAN_ERROR_INVALID_ARGUMENT,
 * SKAN_ERROR_LIMIT_EXCEEDED as for skan_update_revenue, SKAN_ERROR_MISUSE (also if the engine has conversion models or
 * no endpoint), SKAN_ERROR_MODEL_UNKNOWN (the install has a conversion model), SKAN_ERROR_CLOCK (also if no greater
 * ticket is left). */
skan_status skan_conversion_request(skan_engine *engine, const char *install_id, const skan_event *event, char **url,
                                    uint64_t *ticket, skan_error **error);

/* Applies the endpoint's answer to a request, and records the event's id.
 *   event         the event of the request: without it the id is not recorded. NULL = a session without an id. Its
 *                 device and amount are not read.
 *   ticket        the ticket of the request; 0 = none: the order of answers is then neither checked nor recorded. Below
 *                 2^63.
 *   body, length  the answer's body, unchanged (HTTP status 200 only); body may be NULL where length is 0.
 *   out           as for skan_update_conversion_values.
 * Credited re-engagements are decided in the same step, unless the answer is stale. Clock. Rules, "Apply response",
 * "SKAN 3 values", "Event ids".
 * SKAN_OK, SKAN_DUPLICATE_EVENT, SKAN_NO_NEW_VALUE, SKAN_STALE_RESPONSE, SKAN_WINDOW_LOCKED, SKAN_WINDOW_CLOSED,
 * SKAN_NOT_REGISTERED, SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX bytes),
 * SKAN_ERROR_MALFORMED_RESPONSE, SKAN_ERROR_ILLEGAL_VALUE, SKAN_ERROR_REJECTED, SKAN_ERROR_MISUSE (also where the
 * engine has conversion models or no endpoint), SKAN_ERROR_MODEL_UNKNOWN (the install has a conversion model). */
skan_status skan_apply_response(skan_engine *engine, const char *install_id, const skan_event *event, uint64_t ticket,
                                const void *body, size_t length, skan_update *out, skan_error **error);

/* ---------------------------------------------------------------------------------------------- calls for the app */

/* A call that the app makes to Apple. Out parameter: set `size` in the first struct, a multiple of 8; the function
 * writes the rest. */
typedef struct skan_call {
    size_t size;             /* sizeof(skan_call) */
    uint64_t id;             /* the id of its update, for skan_acknowledge_calls */
    uint32_t conversion;     /* 0 = the install, otherwise the re-engagement's number */
    int32_t framework;       /* SKAN_SKADNETWORK or SKAN_ADATTRIBUTIONKIT */
    int32_t conversion_type; /* SKAN_CONVERSION_INSTALL, SKAN_CONVERSION_REENGAGEMENT; SKAN_CONVERSION_NONE = none */
    int32_t window;          /* the postback window of the update: 0, 1 or 2 */
    int32_t fine_value;      /* 0..63; always present */
    int32_t coarse_value;    /* SKAN_COARSE_LOW ... SKAN_COARSE_HIGH; SKAN_COARSE_NONE = nil */
    bool lock_window;        /* whether it locks the window */
    int64_t timestamp;       /* when the update was decided, Unix seconds */
    int64_t valid_until;     /* Unix seconds; from this time on the app discards the list */
    char tag[SKAN_TAG_MAX + 1]; /* "" = without a tag */
} skan_call;

/* Gives the calls that wait for the app, in the order in which the app must make them: those of the install's last
 * update, until it is acknowledged as delivered, while its window is open; and those of its re-engagements. SKAN 3 has
 * calls to SKAdNetwork only. May save the record of an install with re-engagements.
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
    size_t size;    /* sizeof(skan_acknowledgement) */
    uint64_t id;    /* skan_call.id */
    int32_t result; /* SKAN_CALL_... */
} skan_acknowledgement;

/* Reports the results of a list's calls, in the order of the list, with one save. An id that is not the last update of
 * any conversion is ignored. SKAN_CALL_FAILED makes the update wait again.
 *   results  may be NULL where count is 0.
 *   count    up to SKAN_BATCH_MAX.
 * Clock. Rules, "Acknowledging calls".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, a size or a result is not as described),
 * SKAN_ERROR_LIMIT_EXCEEDED (too many). */
skan_status skan_acknowledge_calls(skan_engine *engine, const char *install_id, const skan_acknowledgement *results,
                                   size_t count, skan_error **error);

/* ------------------------------------------------------------------------------------------------------ documents */

/* Gives the whole state as a JSON object. Every key is present, with null for no value; amounts are exact decimals, by
 * currency: "skan_current_conversion_value" (the fine value), "prev_fine_value", the timestamps
 * "skan_first_call_to_skadnetwork_timestamp" and "skan_last_call_to_skadnetwork_timestamp",
 * "skan_total_revenue_by_currency" (IAP), "skan_total_admon_revenue_by_currency" (ad revenue); and for window 0, and in
 * the same way for 1 and 2, "p0_coarse", "p0_window_lock" (a timestamp), "p0_prev_coarse_value", "p0_total_iap_revenue"
 * and "p0_total_admon_revenue". SKAN 3 has "skan_conversion_value", the timestamps and IAP. If re-engagements are kept,
 * "reengagements" is at the end, as skan_reengagements gives it. `json` is owned by the caller, freed with skan_free.
 * Changes nothing. Rules, "Details".
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_details(skan_engine *engine, const char *install_id, char **json, skan_error **error);

/* Gives the metadata that the host adds to its S2S session and event calls: percent-encoded query items, "a=1&b=2",
 * without a leading `?`; "" for an empty state. `query` is owned by the caller, freed with skan_free. Changes nothing.
 * Rules, "Metadata". SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (query is NULL). */
skan_status skan_metadata(skan_engine *engine, const char *install_id, char **query, skan_error **error);

/* Imports the state of an install that has no record here from a details document: this library's or the published
 * snippet's. Nothing is pending afterwards. The document has no event ids, counts of a model or re-engagements: what is
 * repeated afterwards counts again. To move whole records, copy them from one store to the other (`skan move`). If the
 * engine has conversion models, a registered install keeps the first of them from now on. Rules, "Import".
 * SKAN_OK, SKAN_ALREADY_REGISTERED (there is a record, registered or not), SKAN_ERROR_INVALID_ARGUMENT (json is
 * NULL and length is not 0), SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_RESPONSE_MAX bytes),
 * SKAN_ERROR_INVALID_DOCUMENT, naming the key (a 65th currency too). */
skan_status skan_import_details(skan_engine *engine, const char *install_id, const void *json, size_t length,
                                skan_error **error);

/* Deletes the install's record, whatever it holds, even if it is damaged, newer or of the other protocol. An install
 * that is not known is fine. Rules, "Forget".
 * SKAN_OK. */
skan_status skan_forget(skan_engine *engine, const char *install_id, skan_error **error);

/* Gives the install of `old_id` the id `new_id`, as when a player who was anonymous logs in. Everything moves: event
 * ids, the pending update, tickets, counts and re-engagements. Before, calls on `old_id` find the install; afterwards
 * calls on `new_id` do, and `old_id` is unknown. Others may use both ids meanwhile. If the call fails or the process is
 * killed, one of the two ids has the install, and calling again ends the rename. The same id twice changes nothing.
 * Rules, "Rename".
 * SKAN_OK, SKAN_NOT_FOUND (`old_id` has no record: it is unknown, or was renamed before), SKAN_ALREADY_REGISTERED
 * (`new_id` has a record, registered or not; nothing changes). */
skan_status skan_rename(skan_engine *engine, const char *old_id, const char *new_id, skan_error **error);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_SKAN_H */

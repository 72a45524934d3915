/* A second, slow and simple libskan to compare with: one install's state, and what each operation does to it. Written
 * from Sources/Core/Rules.md, not from libskan's sources. */
#ifndef INSTALL_MODEL_H
#define INSTALL_MODEL_H

#include <skan/skan.h>

enum { CURRENCIES = 66, TABLES = 8, EVENT_IDS = 64, NONE = -1 };

/* Amounts in units of 10^-12. */
__extension__ typedef __int128 money;

typedef struct event_ids {
    int count;
    char ids[EVENT_IDS][SKAN_EVENT_ID_MAX + 1];
} event_ids;

typedef struct install_model {
    bool is_stored, is_registered;
    int64_t first, last;
    int fine, previous_fine;
    struct {
        int coarse, previous_coarse;
        bool is_locked;
        int64_t lock;
    } windows[3];
    /* By table: lifetime IAP, lifetime ad, then IAP and ad of each window. */
    struct {
        bool is_there;
        money units;
    } totals[TABLES][CURRENCIES];
    event_ids revenue_events, conversion_events;
    uint64_t newest_ticket;
    skan_update last_update; /* id 0 = none */
    bool is_delivered;
} install_model;

extern const install_model empty_install;

/* What an endpoint's answer says to an engine of one protocol. */
typedef struct answer {
    skan_status error; /* SKAN_OK, or why it is refused */
    bool has_value;
    int fine, coarse, window;
    bool locks;
} answer;

typedef enum operation_kind {
    REGISTER,
    UPDATE_REVENUE,
    APPLY_RESPONSE,
    UPDATE_CONVERSION_VALUES,
    ACKNOWLEDGE,
    IMPORT_DETAILS,
    FORGET
} operation_kind;

/* A change of one install. */
typedef struct operation {
    operation_kind kind;
    money amount;
    int currency;
    bool is_ad;
    const char *event_id; /* NULL = none */
    answer answer;
    bool is_answered; /* of UPDATE_CONVERSION_VALUES: the endpoint was asked */
    uint64_t ticket;
    uint64_t update_id;
    bool is_delivered;
    const install_model *imported;
} operation;

/* How an operation ends on a state. SKAN_OK without a change for UPDATE_CONVERSION_VALUES that is not answered yet: the
 * endpoint is asked now. */
typedef struct ending {
    skan_status status;
    bool is_changed;
    skan_update update; /* id 0 = none */
} ending;

ending run_operation(install_model *install, const operation *operation, uint32_t protocol, int64_t now);

/* The open window at a time; NONE where there is none. */
int open_window(const install_model *install, uint32_t protocol, int64_t now);

/* The update that waits for the app; id 0 = none. */
skan_update waiting_update(const install_model *install, uint32_t protocol, int64_t now);

/* The three letters of a currency, 0..<CURRENCIES, in alphabetical order. */
void currency_name(int currency, char name[4]);

/* A double as its shortest decimal form, rounded half-even to 12 places. */
money money_of(double amount);

/* Texts the caller frees. */
char *model_details(const install_model *install, uint32_t protocol);
char *model_metadata(const install_model *install, uint32_t protocol);
/* The query items of a request that describe the install, with `&` before each. */
char *model_request_items(const install_model *install, uint32_t protocol);
char *percent_encoded(const char *text);

#endif

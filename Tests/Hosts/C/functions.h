/* Every function of skan.h on an install, called with legal arguments: what contract and fault tests walk through. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <skan/skan.h>

typedef struct function {
    const char *name;
    /* Calls it; answers its status, `failure` is written. `*given` is what its out parameters hold, as text the
     * caller frees: "" for nothing. Fails the running case where out parameters are not as skan.h says: empty on any
     * status but SKAN_OK. A ticket, which no two calls share, is not in the text. */
    skan_status (*call)(skan_engine *engine, const char *install_id, char **given);
    bool asks_clock;
} function;

enum {
    REGISTER,
    UPDATE_REVENUE,
    UPDATE_REVENUE_MANY,
    CONVERSION_REQUEST,
    APPLY_RESPONSE,
    UPDATE_CONVERSION_VALUES,
    UPDATE_WITH_AMOUNT,
    PENDING_CALLS,
    PENDING_CALLS_JSON,
    ACKNOWLEDGE_CALLS,
    DETAILS,
    METADATA,
    IMPORT_DETAILS,
    FORGET,
    FUNCTION_COUNT
};
extern const function functions[FUNCTION_COUNT];

/* Where they put their error: &failure, unless a case says NULL. */
extern skan_error **error_out;

/* An update with every byte but its size set, so that what a call leaves unwritten is seen. */
skan_update unwritten_update(void);

/* The details of an install, as text_of gives texts. The call must succeed. */
char *details_of(skan_engine *engine, const char *install_id);

#endif

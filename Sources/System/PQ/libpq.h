#include <libpq-fe.h>

/* Fields of an error: libpq's are macros of characters, which Swift does not take. */
enum {
    pq_severity = PG_DIAG_SEVERITY,
    pq_severity_nonlocalized = PG_DIAG_SEVERITY_NONLOCALIZED,
    pq_sqlstate = PG_DIAG_SQLSTATE,
    pq_message_primary = PG_DIAG_MESSAGE_PRIMARY,
    pq_source_function = PG_DIAG_SOURCE_FUNCTION
};

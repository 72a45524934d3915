/* The calls that workers of several processes make, each of installs of its own, and what becomes of an install. */
#ifndef CALLS_H
#define CALLS_H

#include <skan/skan.h>

enum { PROCESSES = 2, THREADS = 2, WORKERS = PROCESSES * THREADS, INSTALLS = 12 };
enum { PURCHASE, REENGAGE, REGISTER, APPLY, ACKNOWLEDGE, FORGET, LOOK };

/* What an install is known to be. */
typedef struct install {
    long long dollars; /* 0: no revenue */
    bool is_registered;
    uint64_t newest;  /* update, of the install or of a re-engagement: they are numbered in one sequence */
    uint64_t pending; /* update of the install */
    uint64_t returns; /* the number of the newest re-engagement */
} install;

typedef struct call {
    int index, operation;
    long long dollars;
    uint64_t event, update;
} call;

/* An engine of this user of the database, with a clock that stands. */
skan_engine *open_engine(const char *user);

/* Of one of the worker's own installs; without event and update. */
call draw(unsigned *chance, int worker);

skan_status perform(skan_engine *engine, call *call);
/* What a call that answered SKAN_OK makes of an install. */
void apply(install *install, const call *call);
bool changes_nothing(const install *install, const call *call);
/* The update that a call without an answer gave, if it was applied: the next one after the newest. The first one of a
 * life is any above the clock's time (Rules, "Update numbers"), so only what was found can tell it. */
uint64_t update_given(const install *before, const install *found);

/* Whether the call made again, after it was applied, is answered SKAN_DUPLICATE_EVENT. */
bool has_id(const call *call);

/* What can be seen of an install, by skan_details and skan_pending_calls. */
skan_status see(skan_engine *engine, const char *id, install *seen, skan_error **error);
bool is(const install *expected, const install *seen);
/* Of what skan_details says. */
long long dollars_in(const char *details);

#endif

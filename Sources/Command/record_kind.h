/* What kinds of records a store may hold, and how they are told apart: the one place that knows.
 *
 * A record's first bytes say it: an install's begins with its format, 1 or 2; a postback's with "skpb"; an entry of the
 * outbox with {"outbox":. What begins otherwise is damaged or newer, and of the kind that its key is made for. What
 * skan serve keeps of users are records of installs, under v2/APP/USER, v1/APP/USER in SKAN 3, or v2-idfa and v1-idfa
 * where all that is known of the user is an idfa. */
#ifndef RECORD_KIND_H
#define RECORD_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum record_kind {
    RECORD_INSTALL,
    RECORD_POSTBACK, /* counted */
    RECORD_APART,    /* a postback that was received and not counted */
    RECORD_OUTBOX,   /* an entry: a partner is to be told of a postback */
    RECORD_KINDS
} record_kind;

record_kind record_kind_of(const char *key, const void *data, size_t length);

/* NULL, or why a record of this kind does not stand under this key. */
const char *record_name_problem(const char *key, record_kind kind);

/* "a postback", "an outbox entry"; and the subcommand for it: "skan report tells what postbacks say". */
const char *record_kind_name(record_kind kind);
const char *record_kind_advice(record_kind kind);

/* Whether the key has the form of those that skan serve gives to users; then its app and its user. A host may name its
 * installs so as well. */
typedef struct served_user {
    const char *app;
    int app_length;
    const char *sort; /* "idfa", or "user": an idfv, or of older records either */
    const char *user;
} served_user;
bool record_served_user(const char *key, served_user *user);

/* How many records of each kind there are. */
typedef struct record_counts {
    uint64_t of[RECORD_KINDS];
} record_counts;

void record_count(record_counts *counts, record_kind kind);
uint64_t record_counts_sum(const record_counts *counts);

/* "5 installs, 3 postbacks and 1 outbox entry"; "0 installs" where there is nothing. Freed with free(). */
char *record_counts_words(const record_counts *counts);

/* Says which records a subcommand left alone, and where there are none of its own (`own`, "installs"), which
 * subcommands are for those that are there. False in the latter case. */
bool record_counts_tell(const char *store_name, const char *own, uint64_t own_count, const record_counts *others);

#endif

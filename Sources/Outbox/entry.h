/* An entry of the outbox: a counted postback that a partner has to be told of. */
#ifndef ENTRY_H
#define ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENTRY_PREFIX "outbox/"
#define ENTRY_NAME_MAX 24  /* bytes of a network's or a partner's name: keys of stores have 128 at most */
#define ENTRY_KEY_SIZE 128 /* with its NUL */
#define ENTRY_BYTES_MAX 1024

typedef enum entry_state {
    ENTRY_PREPARED, /* written before its postback is counted: there is nothing to tell unless it was */
    ENTRY_WAITING,  /* tried before, or taken by a worker until it is due */
    ENTRY_DEAD      /* tried as often as it may be; stays until someone has it tried again */
} entry_state;

typedef struct entry {
    entry_state state;
    int64_t attempts; /* that were begun */
    int64_t created;  /* microseconds since 1970, as `due` */
    int64_t due;      /* nobody takes it before */
    char reason[256]; /* why the last attempt failed; "" for none */
} entry;

/* What the parts of an entry's key say. */
typedef struct entry_name {
    char postback[80]; /* key of the postback's record */
    char network[ENTRY_NAME_MAX + 1];
    char partner[ENTRY_NAME_MAX + 1];
    char id[100]; /* what a partner knows it by, the same in every attempt */
} entry_name;

/* `key` has room for ENTRY_KEY_SIZE; false where the postback's key is none. */
bool entry_key(char *key, const char *postback, const char *network, const char *partner);
/* False where the key is no entry's. */
bool entry_name_read(const char *key, entry_name *name);

const char *entry_state_name(entry_state state);

/* Into ENTRY_BYTES_MAX bytes; its length. */
size_t entry_write(const entry *entry, char *bytes);
/* False where the bytes are no entry. */
bool entry_read(const void *bytes, size_t length, entry *entry);

#endif

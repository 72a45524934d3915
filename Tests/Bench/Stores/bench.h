/* A store beside the same statements or commands by hand, on the same database with the same settings. */
#ifndef BENCH_H
#define BENCH_H

#include <skan/store.h>

enum { RECORD = 130, BATCH = 1000 };

/* One way to run both; the store's own file has them, the last one with a NULL name. */
typedef struct setting {
    const char *name;
    int count, rounds; /* calls of a round; rounds of a batch */
    bool reopens;      /* for each round: which processor a server's process runs on may matter more than the rest */
} setting;

extern const setting settings[];

/* Opens the store and what is done by hand. */
void open_both(const setting *setting, skan_store *store);
void close_by_hand(void);

/* Loads and saves the records of some calls by hand: load puts the record into `buffer`, each save changes `record`. */
void run_by_hand(int first, int count);

extern skan_buffer *buffer;
extern char record[RECORD];
void key_of(int call, char *key); /* into 32 bytes */
void must(bool holds, const char *what);

#endif

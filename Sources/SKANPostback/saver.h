/* Saves of many threads, made together: a store that waits for a disk waits once for all of them. */
#ifndef SAVER_H
#define SAVER_H

#include <skan/skan.h>

typedef struct saver saver;

/* Over a store that outlives it; NULL where there is no memory. */
saver *saver_create(const skan_store *store);
void saver_destroy(saver *saver);

/* Saves a record where there is none; answers as skan_store's save does. */
skan_status saver_save(saver *saver, const char *key, const void *data, size_t length);

#endif

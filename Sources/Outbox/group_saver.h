/* Records that many threads make at the same time, saved together: a store that waits for a disk waits once for all. */
#ifndef GROUP_SAVER_H
#define GROUP_SAVER_H

#include <skan/skan.h>

typedef struct group_saver group_saver;

/* Over a store that outlives it; NULL where there is no memory. */
group_saver *group_saver_create(const skan_store *store);
void group_saver_destroy(group_saver *saver);

/* Saves some records; each item is answered as save_many would. Keys are distinct, 1 to SKAN_BATCH_MAX. Any thread. */
void group_saver_save(group_saver *saver, skan_save_item *items, size_t count);

#endif

/* The file of a store, before SQLite opens it. */
#ifndef FILE_H
#define FILE_H

#include "../StoreSupport/trouble.h"

/* The directory as it is now, with the file's own name: what comes later opens the same file from any directory.
 * `found` is freed by the caller. */
skan_status file_find(const char *path, char **found, trouble *trouble);

/* An empty file only its owner may read, where there is none: SQLite would let the umask decide. `-wal` and `-shm` get
 * the file's mode. Closing a file drops the locks of its process on it: no connection to it may be opened meanwhile. */
skan_status file_make(const char *path, trouble *trouble);

#endif

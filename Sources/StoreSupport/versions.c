#include "versions.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

skan_status version_draw(uint64_t other_than, uint64_t *version, trouble *trouble) {
    do {
        ssize_t got;
        do {
            got = getrandom(version, sizeof *version, 0);
        } while (got < 0 && errno == EINTR);
        if (got != (ssize_t)sizeof *version)
            return trouble_set(trouble, SKAN_ERROR_STORE, "save: no random number: %s", strerror(errno));
        *version >>= 1;
    } while (*version == 0 || *version == other_than);
    return SKAN_OK;
}

#include "options.h"

#include <string.h>

skan_status options_read(const void *given, void *read, size_t known, trouble *trouble) {
    memset(read, 0, known);
    if (!given) return SKAN_OK;
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size < known || size > 1024)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "options.size: expected %zu to 1024, got %zu", known,
                           size);
    for (size_t i = known; i < size; i++)
        if (((const char *)given)[i] != 0)
            return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                               "options: byte %zu, which this library does not know, is not zero", i);
    memcpy(read, given, known);
    return SKAN_OK;
}

bool option_is_at_most(const char *name, uint32_t value, uint32_t most, trouble *trouble) {
    if (value <= most) return true;
    trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "options.%s: expected at most %u, got %u", name, (unsigned)most,
                (unsigned)value);
    return false;
}

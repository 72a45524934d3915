#include "out_struct.h"

#include <string.h>

skan_status out_begin(void *out, size_t first, trouble *trouble) {
    size_t size;
    memcpy(&size, out, sizeof size);
    if (size < first || size > 1024)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out.size: expected %zu to 1024, got %zu", first,
                           size);
    memset((char *)out + sizeof size, 0, size - sizeof size);
    return SKAN_OK;
}

void out_give(void *out, const void *made, size_t known) {
    size_t size;
    memcpy(&size, out, sizeof size);
    memcpy((char *)out + sizeof size, (const char *)made + sizeof size, (size < known ? size : known) - sizeof size);
}

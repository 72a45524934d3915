#include "out_struct.h"

#include <string.h>

skan_status out_begin(void *out, size_t known, trouble *trouble) {
    size_t size;
    memcpy(&size, out, sizeof size);
    if (size < known || size > 1024)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out.size: expected %zu to 1024, got %zu", known,
                           size);
    memset((char *)out + sizeof size, 0, size - sizeof size);
    return SKAN_OK;
}

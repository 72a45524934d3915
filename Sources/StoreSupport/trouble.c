#include "trouble.h"

#include <stdarg.h>
#include <stdio.h>

skan_status trouble_set(trouble *trouble, skan_status status, const char *format, ...) {
    trouble->status = status;
    va_list values;
    va_start(values, format);
    vsnprintf(trouble->message, sizeof trouble->message, format, values);
    va_end(values);
    return status;
}

skan_status trouble_reported(const reporter *reporter, skan_status status, const trouble *trouble) {
    if (status >= 100 && status != SKAN_ERROR_STORE_CONFLICT && reporter->report)
        reporter->report(reporter->context, status, trouble->message);
    return status;
}

skan_status trouble_given(skan_error **error, skan_status status, const trouble *trouble) {
    if (error) *error = status == SKAN_OK ? NULL : skan_error_create(status, trouble->message);
    return status;
}

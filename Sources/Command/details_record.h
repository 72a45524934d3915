/* The record that skan_import_details makes of a document, without a store. */
#ifndef DETAILS_RECORD_H
#define DETAILS_RECORD_H

#include <skan/skan.h>

/* `record` is freed by the caller; false, and an error, where the document is refused. */
bool details_record(const char *id, const char *json, size_t json_length, uint32_t protocol, unsigned char **record,
                    size_t *length, skan_error **error);

#endif

/* What a partner is told of a counted postback. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "libraries.h"
#include "networks.h"

/* The models that decode postbacks, and since when each was that of new installs, or of new re-engagements. */
typedef struct message_models {
    const skan_postback_model *installs;
    size_t install_count;
    const skan_postback_model *reengagements;
    size_t reengagement_count;
} message_models;

/* The URL for an entry, of malloc, from the record of its postback; NULL, and why in `problem`, where the record cannot
 * be read. */
char *message_url(const postback_library *library, const message_models *models, const entry_name *name,
                  const partner *partner, const void *record, size_t length, char *problem, size_t size);

#endif

/* Rules, "Decoding postbacks": which conversion model a postback's value is of, and whether it can be decoded. */
#ifndef DECODING_H
#define DECODING_H

#include "record.h"

/* Models by the time from when on they were used. */
typedef struct model_list {
    skan_postback_model *models;
    size_t count;
} model_list;

/* Sets the record's times of install or re-engagement, its model and decoding, for a postback that arrived at
 * `received`. */
void decode(const skan_postback *postback, const model_list *installs, const model_list *reengagements, record *record);

#endif

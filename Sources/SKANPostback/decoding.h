/* Which conversion model a postback's value is of, and whether it can be decoded. */
#ifndef DECODING_H
#define DECODING_H

#include "record.h"

/* Sets the record's times of install, model and decoding, for a postback that arrived at `received`. */
void decode(const skan_postback *postback, const skan_postback_model *models, size_t count, record *record);

#endif

/* A record of a receiver: what is known of a postback, and its body as it came. */
#ifndef RECORD_H
#define RECORD_H

#include "postback.h"

enum {
    WRITE_ID_BYTES = 16,
    MODEL_BYTES = 32, /* of a model's version */
    RECORD_HEAD_MAX = 128,
    RECORD_BYTES_MAX = RECORD_HEAD_MAX + SKAN_POSTBACK_NETWORK_MAX + SKAN_POSTBACK_MAX
};

typedef struct record {
    uint8_t write_id[WRITE_ID_BYTES]; /* of the call that wrote it */
    int32_t outcome, decoding;
    verdict verdict;
    int64_t received, from, until; /* the earliest and latest moment of the install or re-engagement */
    bool is_reengagement;          /* decoded as one: older records hold what a model of installs said of it */
    bool has_model;
    uint8_t model[MODEL_BYTES];
    span network, body; /* where they stand, in the bytes of a record that was read */
} record;

/* Writes a record of at most RECORD_BYTES_MAX bytes; its length, 0 where there is no memory for its checksum. */
size_t record_write(const record *record, const skan_postback_keys *keys, unsigned char *bytes);

/* Reads the bytes of a record. SKAN_OK, SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW. */
skan_status record_read(const void *bytes, size_t length, const skan_postback_keys *keys, record *record,
                        trouble *trouble);

/* A model's version as text, "" for none; `text` has room for 65 bytes. */
void record_model_text(const record *record, char *text);

#endif

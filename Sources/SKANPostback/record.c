/*
 * Bytes of a record, numbers in little-endian order:
 *   "skpb" · format 1 · result · outcome · decoding · flags (1 omits source-app-id, 2 has a model, 4 decoded as a
 *   re-engagement) · 16 bytes write id · received 8 · installed or re-engaged from 8, until 8 · [model 32] ·
 *   length of network 1, network · length of body 4, body · checksum: the first 8 bytes of the SHA-256 of all before
 */
#include "record.h"

#include "out_struct.h"

#include <stdio.h>
#include <string.h>

enum { FORMAT = 1, OMITS_SOURCE_APP = 1, HAS_MODEL = 2, IS_REENGAGEMENT = 4, CHECKSUM_BYTES = 8 };
static const char magic[4] = {'s', 'k', 'p', 'b'};

/* --------------------------------------------------------------------------------------------------------- writing */

static unsigned char *put(unsigned char *next, const void *bytes, size_t length) {
    if (length > 0) memcpy(next, bytes, length);
    return next + length;
}

static unsigned char *put_number(unsigned char *next, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) *next++ = (unsigned char)(number >> 8 * i);
    return next;
}

size_t record_write(const record *record, const skan_postback_keys *keys, unsigned char *bytes) {
    unsigned char hash[SHA256_BYTES], *next = put(bytes, magic, sizeof magic);
    int flags = (record->verdict.omits_source_app ? OMITS_SOURCE_APP : 0) | (record->has_model ? HAS_MODEL : 0) |
                (record->is_reengagement ? IS_REENGAGEMENT : 0);
    *next++ = FORMAT;
    *next++ = (unsigned char)record->verdict.result;
    *next++ = (unsigned char)record->outcome;
    *next++ = (unsigned char)record->decoding;
    *next++ = (unsigned char)flags;
    next = put(next, record->write_id, WRITE_ID_BYTES);
    next = put_number(next, (uint64_t)record->received, 8);
    next = put_number(next, (uint64_t)record->from, 8);
    next = put_number(next, (uint64_t)record->until, 8);
    if (record->has_model) next = put(next, record->model, MODEL_BYTES);
    *next++ = (unsigned char)record->network.length;
    next = put(next, record->network.start, record->network.length);
    next = put_number(next, record->body.length, 4);
    next = put(next, record->body.start, record->body.length);
    if (!sha256(keys, bytes, (size_t)(next - bytes), hash)) return 0;
    return (size_t)(put(next, hash, CHECKSUM_BYTES) - bytes);
}

/* --------------------------------------------------------------------------------------------------------- reading */

typedef struct reading {
    const unsigned char *next, *end;
    bool is_short;
} reading;

static const unsigned char *take(reading *reading, size_t length) {
    static const unsigned char nothing[32];
    if (reading->is_short || (size_t)(reading->end - reading->next) < length) {
        reading->is_short = true;
        return nothing;
    }
    reading->next += length;
    return reading->next - length;
}

static uint64_t take_number(reading *reading, int bytes) {
    const unsigned char *next = take(reading, (size_t)bytes);
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint64_t)next[i] << 8 * i;
    return number;
}

static span take_text(reading *reading, int bytes_of_length) {
    size_t length = (size_t)take_number(reading, bytes_of_length);
    const char *start = (const char *)take(reading, length);
    return (span){start, reading->is_short ? 0 : length};
}

static skan_status corrupt(const char *why, trouble *trouble) {
    return trouble_set(trouble, SKAN_ERROR_CORRUPT_RECORD, "record of a postback: %s", why);
}

skan_status record_read(const void *bytes, size_t length, const skan_postback_keys *keys, record *record,
                        trouble *trouble) {
    reading reading = {bytes, (const unsigned char *)bytes + length, false};
    unsigned char hash[SHA256_BYTES];
    if (memcmp(take(&reading, sizeof magic), magic, sizeof magic) != 0)
        return corrupt("does not begin as one does", trouble);
    int format = (int)take_number(&reading, 1);
    if (format > FORMAT && !reading.is_short)
        return trouble_set(trouble, SKAN_ERROR_RECORD_TOO_NEW, "record of a postback: format %d, known is %d", format,
                           FORMAT);
    if (length < CHECKSUM_BYTES || format != FORMAT) return corrupt("its format is none", trouble);
    reading.end -= CHECKSUM_BYTES;
    if (!sha256(keys, bytes, length - CHECKSUM_BYTES, hash))
        return trouble_set(trouble, SKAN_ERROR_LIMIT_EXCEEDED, "no memory for a checksum");
    if (memcmp(reading.end, hash, CHECKSUM_BYTES) != 0) return corrupt("the checksum does not fit", trouble);
    record->verdict.result = (int32_t)take_number(&reading, 1);
    record->outcome = (int32_t)take_number(&reading, 1);
    record->decoding = (int32_t)take_number(&reading, 1);
    int flags = (int)take_number(&reading, 1);
    record->verdict.omits_source_app = flags & OMITS_SOURCE_APP;
    record->has_model = flags & HAS_MODEL;
    record->is_reengagement = flags & IS_REENGAGEMENT;
    memcpy(record->write_id, take(&reading, WRITE_ID_BYTES), WRITE_ID_BYTES);
    record->received = (int64_t)take_number(&reading, 8);
    record->from = (int64_t)take_number(&reading, 8);
    record->until = (int64_t)take_number(&reading, 8);
    if (record->has_model) memcpy(record->model, take(&reading, MODEL_BYTES), MODEL_BYTES);
    record->network = take_text(&reading, 1);
    record->body = take_text(&reading, 4);
    if (reading.is_short || reading.next != reading.end || record->network.length > SKAN_POSTBACK_NETWORK_MAX ||
        record->body.length > SKAN_POSTBACK_MAX || record->verdict.result > SKAN_POSTBACK_MALFORMED)
        return corrupt("its parts do not fit", trouble);
    return SKAN_OK;
}

void record_model_text(const record *record, char *text) {
    text[0] = '\0';
    for (int i = 0; i < MODEL_BYTES && record->has_model; i++) text += sprintf(text, "%02x", record->model[i]);
}

static void tell(const record *read, const skan_postback *postback, skan_postback_record *out) {
    bool is_reengagement = postback_conversion_type(postback) == SKAN_POSTBACK_REENGAGEMENT;
    bool is_decoded = read->is_reengagement == is_reengagement;
    out->outcome = read->outcome;
    out->decoding = is_decoded ? read->decoding : SKAN_POSTBACK_NOT_DECODED;
    out->received = read->received;
    *(is_reengagement ? &out->reengaged_from : &out->installed_from) = read->from;
    *(is_reengagement ? &out->reengaged_until : &out->installed_until) = read->until;
    if (is_decoded) record_model_text(read, out->model);
    memcpy(out->network, read->network.start, read->network.length);
}

skan_status skan_postback_record_read(const void *data, size_t length, skan_postback_record *out,
                                      skan_postback **postback, skan_error **error) {
    trouble trouble;
    record read;
    skan_postback_record told = {0};
    skan_postback *made = NULL;
    skan_postback_keys *keys = NULL;
    skan_status status = out ? out_begin(out, offsetof(skan_postback_record, reengaged_from), &trouble) : SKAN_OK;
    if (postback) *postback = NULL;
    if (status == SKAN_OK && !data)
        status = trouble_set(&trouble, SKAN_ERROR_INVALID_ARGUMENT, "data: expected a pointer, got NULL");
    if (status == SKAN_OK) {
        keys = keys_share(NULL, &trouble);
        status = keys ? record_read(data, length, keys, &read, &trouble) : trouble.status;
    }
    if (status == SKAN_OK)
        status = postback_make(read.body.start, read.body.length, NULL, &read.verdict, &made, &trouble);
    if (status == SKAN_OK && out) {
        tell(&read, made, &told);
        out_give(out, &told, sizeof told);
    }
    if (status == SKAN_OK && postback)
        *postback = made;
    else
        skan_postback_destroy(made);
    skan_postback_keys_destroy(keys);
    return trouble_given(error, status, &trouble);
}

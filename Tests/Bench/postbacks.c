/*
 * What verifying and receiving cost:
 *   bench [seconds]
 * Verifying beside libcrypto's bare ECDSA verification of the same signature and text, alternating, so that both meet
 * the same machine; receiving into an SQLite file that waits for the disk, by 8 threads.
 */
#define _GNU_SOURCE
#include "Postbacks/Library/signer.h"
#include "measure.h"
#include "support.h"

#include <openssl/evp.h>
#include <pthread.h>
#include <skan/sqlite.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8 };

/* Of this thread alone. */
static double processor_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void bare_verify(EVP_PKEY *key, const bare_signature *signature, const char *text, size_t length) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) != 1 ||
        EVP_DigestVerify(context, signature->bytes, signature->length, (const unsigned char *)text, length) != 1)
        abort();
    EVP_MD_CTX_free(context);
}

static void bench_verify(const char *version, bool is_p192, double seconds) {
    enum { ROUND = 50, ROUNDS_MAX = 10000 };
    static double ours[ROUNDS_MAX], bare[ROUNDS_MAX];
    const skan_postback_options options = {sizeof options, test_keys()};
    char *postback = signed_postback(version, 1, "com.example", ",\"conversion-value\":20");
    const char text[] = "4.0|com.example|5239|525463029|6aafb7a5-0170-41b5-bbe4-fe71dedf1e30|false|1|true|0";
    bare_signature signature = sign_text(is_p192, text, sizeof text);
    size_t length = strlen(postback);
    int rounds = 0;
    for (double end = seconds_now() + seconds; seconds_now() < end && rounds < ROUNDS_MAX; rounds++) {
        double begin = processor_seconds();
        for (int i = 0; i < ROUND; i++) {
            skan_postback *read = NULL;
            if (skan_postback_verify(postback, length, &options, &read, NULL) != SKAN_OK) abort();
            if (skan_postback_result(read) != SKAN_POSTBACK_VALID) abort();
            skan_postback_destroy(read);
        }
        double middle = processor_seconds();
        for (int i = 0; i < ROUND; i++) bare_verify(signing_key(is_p192), &signature, text, sizeof text);
        ours[rounds] = (middle - begin) / ROUND;
        bare[rounds] = (processor_seconds() - middle) / ROUND;
    }
    double one = median(ours, (size_t)rounds), other = median(bare, (size_t)rounds);
    printf("verify %s: %.1f us, bare libcrypto %.1f us, ratio %.3f (medians of %d rounds)\n", version, one * 1e6,
           other * 1e6, one / other, rounds);
    free(postback);
}

static skan_postback_receiver *receiver;
static char **postbacks;
static int count;
static atomic_int next;

static void *send_postbacks(void *context) {
    for (int i; (i = atomic_fetch_add(&next, 1)) < count;) {
        skan_postback_receipt receipt = {.size = sizeof receipt};
        const char *body = postbacks[i];
        if (skan_postback_receive(receiver, NULL, body, strlen(body), &receipt, NULL) != SKAN_OK) abort();
        if (receipt.outcome != SKAN_POSTBACK_COUNTED) abort();
    }
    return context;
}

static void bench_receive(int how_many) {
    char directory[] = "/var/tmp/skan-postback-XXXXXX", path[64];
    if (!mkdtemp(directory)) abort();
    snprintf(path, sizeof path, "%s/postbacks.db", directory);
    skan_store store;
    if (skan_sqlite_store_open(path, NULL, &store, NULL) != SKAN_OK) abort();
    const skan_postback_receiver_options options = {.size = sizeof options, .store = &store, .keys = test_keys()};
    if (skan_postback_receiver_create(&options, &receiver, NULL) != SKAN_OK) abort();
    count = how_many;
    postbacks = calloc((size_t)count, sizeof *postbacks);
    for (int i = 0; i < count; i++) postbacks[i] = signed_postback("4.0", i, "com.example", ",\"conversion-value\":20");
    pthread_t threads[THREADS];
    double begin = seconds_now();
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, send_postbacks, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    double taken = seconds_now() - begin;
    printf("receive, SQLite FULL, %d threads: %d postbacks in %.2f s, %.0f a second\n", THREADS, count, taken,
           count / taken);
    skan_postback_receiver_destroy(receiver);
    for (int i = 0; i < count; i++) free(postbacks[i]);
    free(postbacks);
    const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/postbacks.db%s", directory, ends[i]);
        unlink(path);
    }
    rmdir(directory);
}

int main(int argc, char **arguments) {
    double seconds = argc > 1 ? atof(arguments[1]) : 3;
    bench_verify("4.0", false, seconds);
    bench_verify("2.0", true, seconds);
    bench_receive((int)(seconds * 4000));
    return 0;
}

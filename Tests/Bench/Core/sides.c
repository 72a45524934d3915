/* sides.c - libskan's side, and what both are told. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

int64_t bench_now = BENCH_START * INT64_C(1000000);

const skan_device bench_device = {.size = sizeof bench_device,
                                  .os_version = "16.1",
                                  .idfv = "21DB6612-09B3-4ECC-84AC-B353B0AF1334",
                                  .idfa = "DFC5A647-9043-4699-B2A5-76F03A97064B"};

static int64_t now(void *context) {
    (void)context;
    return bench_now;
}

static skan *create(void) {
    const skan_clock clock = {.size = sizeof clock, .now = now};
    const skan_options options = {.size = sizeof options,
                                  .clock = &clock,
                                  .endpoint_url = BENCH_ENDPOINT,
                                  .sdk_key = BENCH_SDK_KEY,
                                  .bundle_id = BENCH_BUNDLE_ID,
                                  .app_version = BENCH_APP_VERSION};
    skan *engine = NULL;
    if (skan_create(&options, &engine, NULL) != SKAN_OK) abort();
    return engine;
}

const side side_skan = {.name = "libskan",
                        .create = create,
                        .destroy = skan_destroy,
                        .add = skan_register,
                        .revenue = skan_update_revenue,
                        .request = skan_conversion_request,
                        .apply = skan_apply_response,
                        .details = skan_details,
                        .forget = skan_forget,
                        .release = skan_free};

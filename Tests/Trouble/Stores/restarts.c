#include "support.h"
#include "trouble.h"

/* Before it is started again, calls fail where `fails`, each with one report. */
static void end_and_start(server *server, const char *mode, bool fails, skan_store *store, uint64_t version) {
    if (mode) server_stop(server, mode);
    else server_kill(server);
    if (fails) {
        EXPECT_TOLD(SKAN_ERROR_STORE, "", save_text(store, PLAYER, "lost", version, NULL));
        EXPECT_TOLD(SKAN_ERROR_STORE, "", load(store, PLAYER)->status);
    }
    server_again(server, "");
}

void restart_between_calls(server *server, skan_store *store, uint64_t version, void (*disconnect)(void)) {
    static const char *const modes[] = {"fast", "immediate", NULL, "disconnect"};
    for (int i = 0; i < 12; i++) {
        in_round("round %d", i);
        if (i % 4 == 3)
            disconnect();
        else
            end_and_start(server, modes[i % 4], i % 4 < 2 && i / 4 != 1, store, version);
        if (i >= 8) EXPECT(holds_text(store, PLAYER, "kept"), "it can be read");
        if (i >= 4 && i < 8) {
            EXPECT_STATUS(SKAN_OK, save_two(store, version));
            version = load(store, PLAYER)->version;
            EXPECT_STATUS(SKAN_OK, remove_key(store, "another", load(store, "another")->version));
        }
        EXPECT_STATUS(SKAN_OK, save_text(store, PLAYER, "kept", version, &version));
        EXPECT(told.count == 0, "no trouble reaches the caller: %s", told.message);
    }
    in_round("%s", "");
    expect_mended(store, version);
}

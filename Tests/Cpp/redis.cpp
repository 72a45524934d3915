/* The Redis store in C++, on a server that runs already: redis URL DIRECTORY, of Tests/Servers/redis.sh. */
#include "support.h"

#include <skan/redis.hpp>

#include <cstdlib>
#include <vector>

namespace {

using std::string;

string url, directory;

std::shared_ptr<skan::store> opened(const char *prefix, skan::redis_options options = {}) {
    options.prefix = prefix;
    return skan::redis_store(url, options);
}

skan::options on(std::shared_ptr<skan::store> store) {
    skan::options options;
    options.store = std::move(store);
    return options;
}

void server(const char *command) {
    const string line = "Tests/Servers/redis.sh " + string(command) + " " + directory;
    EXPECT_NUMBER(0, std::system(line.c_str()));
}

void installs_outlive_their_engine(const void *) {
    (void)skan::engine(on(opened("outlives"))).register_install("player-1");
    skan::engine engine(on(opened("outlives")));
    EXPECT(engine.register_install("player-1").outcome == skan::outcome::already_registered, "a second launch");
}

void many_are_counted_at_once(const void *) {
    skan::engine engine(on(opened("many")));
    const std::vector<string> players = {"player-0", "player-1", "player-2"};
    std::vector<libskan::revenue> items;
    for (int i = 0; i < 300; i++) items.push_back({players[i % 3], 1, "USD", false, std::nullopt});
    const auto result = engine.update_revenue_many(items);
    EXPECT(bool(result) && result.statuses == std::vector<skan_status>(300, SKAN_OK), "all are counted");
    EXPECT(engine.details("player-2").find("\"USD\": 100") != string::npos ||
               engine.details("player-2").find("\"USD\":100") != string::npos,
           "%s", engine.details("player-2").c_str());
}

void many_are_answered_each(const void *) {
    const std::shared_ptr<skan::store> store = opened("each");
    libskan::many_store *many = store->many();
    EXPECT(many != nullptr, "the store has hooks for many");
    if (!many) return;
    const std::uint64_t version = store->save("there", "old", 0);
    const std::vector<libskan::save_result> saved =
        many->save_many({{"there", "new", version}, {"new", "bytes", 0}, {"gone", "bytes", 5}});
    EXPECT(!saved[0].thrown && saved[0].version != version && !saved[1].thrown, "two are saved");
    bool is_conflict = false;
    try {
        if (saved[2].thrown) std::rethrow_exception(saved[2].thrown);
    } catch (const skan::store_conflict &) {
        is_conflict = true;
    }
    EXPECT(is_conflict, "the third is a conflict");
    const std::vector<libskan::load_result> loaded = many->load_many({"there", "nothing", "new"});
    EXPECT(loaded[0].record && loaded[0].record->data == "new" && loaded[0].record->version == saved[0].version, "new");
    EXPECT(!loaded[1].record && !loaded[1].thrown, "nothing is there");
    EXPECT(loaded[2].record && loaded[2].record->data == "bytes", "bytes");
}

void errors_have_the_words_of_the_server(const void *) {
    try {
        (void)skan::redis_store("redis+unix://" + directory + "/no-such-socket");
        EXPECT(false, "there is no such server");
    } catch (const skan::error &error) {
        EXPECT_NUMBER(SKAN_ERROR_STORE, error.status());
        EXPECT(string(error.what()).find("no-such-socket") != string::npos, "%s", error.what());
    }
    string reported;
    skan::redis_options options;
    options.report = [&](skan_status, const string &words) { reported = words; };
    options.timeout = std::chrono::seconds(2);
    skan::engine engine(on(opened("words", options)));
    server("stop");
    try {
        (void)engine.register_install("player-1");
        EXPECT(false, "the server is down");
    } catch (const skan::store_failed &error) {
        EXPECT(!reported.empty() && reported == error.what(), "%s", error.what());
    }
    server("again");
    EXPECT(bool(engine.register_install("player-1")), "once it is up again");
}

} // namespace

int main(int count, char **arguments) {
    if (count < 3) return 2;
    url = arguments[1];
    directory = arguments[2];
    run_case("installs outlive their engine", installs_outlive_their_engine, nullptr);
    run_case("many are counted at once", many_are_counted_at_once, nullptr);
    run_case("many are answered each", many_are_answered_each, nullptr);
    run_case("errors have the words of the server", errors_have_the_words_of_the_server, nullptr);
    return finish_cases();
}

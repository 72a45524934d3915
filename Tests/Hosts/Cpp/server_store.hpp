/* A store in C++ on a server that runs already: PROGRAM URL DIRECTORY, of a script in Tests/Trouble/Servers. What is the
 * store's own, a program gives as a type:
 *   options, script          of the store; in Tests/Trouble/Servers
 *   open(name, options)      opens it, its records apart from those of other names
 *   open_what_is_missing()   throws an error with `missing` in its words */
#ifndef SERVER_STORE_HPP
#define SERVER_STORE_HPP

#include "support.h"

#include <skan/skan.hpp>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace server_store {

using std::string;

inline string url, directory;

inline skan::options on(std::shared_ptr<skan::store> store) {
    skan::options options;
    options.store = std::move(store);
    return options;
}

template <typename Server> void tell(const char *command) {
    const string line = string(Server::script) + " " + command + " " + directory;
    EXPECT_NUMBER(0, std::system(line.c_str()));
}

template <typename Server> void installs_outlive_their_engine(const void *) {
    (void)skan::engine(on(Server::open("outlives"))).register_install("player-1");
    skan::engine engine(on(Server::open("outlives")));
    EXPECT(engine.register_install("player-1").outcome == skan::outcome::already_registered, "a second launch");
}

template <typename Server> void many_are_counted_at_once(const void *) {
    skan::engine engine(on(Server::open("many")));
    const std::vector<string> players = {"player-0", "player-1", "player-2"};
    std::vector<libskan::revenue> items;
    for (int i = 0; i < 300; i++) items.push_back({players[i % 3], 1, "USD", false, std::nullopt});
    const auto result = engine.update_revenue_many(items);
    EXPECT(bool(result) && result.statuses == std::vector<skan_status>(300, SKAN_OK), "all are counted");
    EXPECT(engine.details("player-2").find("\"USD\": 100") != string::npos ||
               engine.details("player-2").find("\"USD\":100") != string::npos,
           "%s", engine.details("player-2").c_str());
}

template <typename Server> void many_are_answered_each(const void *) {
    const std::shared_ptr<skan::store> store = Server::open("each");
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

template <typename Server> void errors_have_the_words_of_the_server(const void *) {
    try {
        Server::open_what_is_missing();
        EXPECT(false, "it is missing");
    } catch (const skan::error &error) {
        EXPECT_NUMBER(SKAN_ERROR_STORE, error.status());
        EXPECT(string(error.what()).find(Server::missing) != string::npos, "%s", error.what());
    }
    string reported;
    typename Server::options options;
    options.report = [&](skan_status, const string &words) { reported = words; };
    options.timeout = std::chrono::seconds(2);
    skan::engine engine(on(Server::open("words", options)));
    tell<Server>("stop");
    try {
        (void)engine.register_install("player-1");
        EXPECT(false, "the server is down");
    } catch (const skan::store_failed &error) {
        EXPECT(!reported.empty() && reported == error.what(), "%s", error.what());
    }
    tell<Server>("again");
    EXPECT(bool(engine.register_install("player-1")), "once it is up again");
}

template <typename Server> int run(int count, char **arguments) {
    if (count < 3) return 2;
    url = arguments[1];
    directory = arguments[2];
    run_case("installs outlive their engine", installs_outlive_their_engine<Server>, nullptr);
    run_case("many are counted at once", many_are_counted_at_once<Server>, nullptr);
    run_case("many are answered each", many_are_answered_each<Server>, nullptr);
    run_case("errors have the words of the server", errors_have_the_words_of_the_server<Server>, nullptr);
    return finish_cases();
}

} // namespace server_store

#endif

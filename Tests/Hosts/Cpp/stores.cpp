/* A companion's store in C++, of SQLite or on a server of Tests/Trouble/Servers:
 *   stores | stores URL DIRECTORY */
#include "thrown.hpp"

#include <skan/postgres.hpp>
#include <skan/redis.hpp>
#include <skan/sqlite.hpp>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <vector>

namespace {

using std::string;
using namespace std::chrono_literals;

struct settings {
    std::chrono::milliseconds timeout = 2s;
    unsigned max_connections = 2;
    skan::store_report report = {};
};

/* Where the records of this run are. */
struct place {
    /* Its records are apart from those of other names. */
    std::function<std::shared_ptr<skan::store>(const string &name, const settings &settings)> open;
    std::function<void()> open_what_is_missing;
    string missing; /* in the words of its error */
    std::function<void()> breaks, mends; /* for stores that are open */
} here;

place in_files(const string &folder) {
    const string data = folder + "/data", gone = folder + "/elsewhere";
    std::filesystem::create_directory(data);
    return {[=](const string &name, const settings &settings) {
                skan::sqlite_options options;
                options.synchronous = SKAN_SQLITE_NORMAL;
                options.busy_timeout = settings.timeout;
                options.max_connections = settings.max_connections;
                options.report = settings.report;
                return skan::sqlite_store(data + "/" + name, options);
            },
            [=] { (void)skan::sqlite_store(folder + "/none/installs.db"); }, "none/installs.db",
            [=] { std::filesystem::rename(data, gone); }, [=] { std::filesystem::rename(gone, data); }};
}

void tell(const string &script, const char *command, const string &directory) {
    EXPECT_NUMBER(0, std::system(("Tests/Trouble/Servers/" + script + " " + command + " " + directory).c_str()));
}

place on_postgres(const string &url, const string &directory) {
    return {[=](const string &name, const settings &settings) {
                skan::postgres_options options;
                options.table = name;
                options.create_table = true;
                options.timeout = settings.timeout;
                options.max_connections = settings.max_connections;
                options.report = settings.report;
                return skan::postgres_store(url, options);
            },
            [=] {
                skan::postgres_options options;
                options.table = "no_such_table";
                (void)skan::postgres_store(url, options);
            },
            "no_such_table", [=] { tell("postgres.sh", "stop", directory); },
            [=] { tell("postgres.sh", "again", directory); }};
}

place on_redis(const string &url, const string &directory) {
    return {[=](const string &name, const settings &settings) {
                skan::redis_options options;
                options.prefix = name;
                options.timeout = settings.timeout;
                options.max_connections = settings.max_connections;
                options.report = settings.report;
                return skan::redis_store(url, options);
            },
            [=] { (void)skan::redis_store("redis+unix://" + directory + "/no-such-socket"); }, "no-such-socket",
            [=] { tell("redis.sh", "stop", directory); }, [=] { tell("redis.sh", "again", directory); }};
}

skan::engine engine_on(std::shared_ptr<skan::store> store) {
    skan::options options;
    options.store = std::move(store);
    options.endpoint_url = "https://skan.example.com";
    return skan::engine(options);
}

CASE(the_store_is_one_of_cpp) {
    const std::shared_ptr<skan::store> store = here.open("alone", {});
    EXPECT(!store->load("key"), "nothing is there");
    const std::uint64_t first = store->save("key", string("a\0b", 3), 0);
    const std::optional<skan::record> loaded = store->load("key");
    EXPECT(loaded && loaded->data == string("a\0b", 3) && loaded->version == first, "what was saved");
    thrown_by<skan::store_conflict>([&] { (void)store->save("key", "c", 0); });
    thrown_by<skan::store_conflict>([&] { store->remove("key", first + 1); });
    const std::uint64_t second = store->save("key", "c", first);
    EXPECT(second != first, "another version");
    store->remove("key", second);
    EXPECT(!store->load("key"), "removed");
}

CASE(many_are_answered_each) {
    const std::shared_ptr<skan::store> store = here.open("each", {});
    skan::engine engine = engine_on(store);
    const skan::many_result result = engine.update_revenue_many({{"a", 1, "USD"}, {"b", 1, "USD"}, {"a", 1, "USD"}});
    EXPECT(result && result.statuses == std::vector<skan_status>(3, SKAN_OK), "all are counted");
    EXPECT(engine.details("a").json.find("\"USD\":2") != string::npos, "%s", engine.details("a").json.c_str());

    skan::many_store *many = store->many();
    EXPECT(many != nullptr, "the store has hooks for many");
    if (!many) return;
    const std::uint64_t version = store->save("there", "old", 0);
    const std::vector<skan::save_result> saved =
        many->save_many({{"there", "new", version}, {"new", "bytes", 0}, {"gone", "bytes", 5}});
    EXPECT(!saved[0].thrown && saved[0].version != version && !saved[1].thrown, "two are saved");
    thrown_by<skan::store_conflict>([&] {
        if (saved[2].thrown) std::rethrow_exception(saved[2].thrown);
    });
    const std::vector<skan::load_result> loaded = many->load_many({"there", "nothing", "new"});
    EXPECT(loaded[0].record && loaded[0].record->data == "new" && loaded[0].record->version == saved[0].version, "new");
    EXPECT(!loaded[1].record && !loaded[1].thrown, "nothing is there");
    EXPECT(loaded[2].record && loaded[2].record->data == "bytes", "bytes");
}

CASE(errors_have_the_words_of_the_library) {
    std::mutex mutex;
    string reported;
    const skan::store_report report = [&](skan_status status, const string &words) {
        EXPECT_NUMBER(SKAN_ERROR_STORE, status);
        const std::lock_guard<std::mutex> lock(mutex);
        reported = words;
    };
    skan::engine engine = engine_on(here.open("words", {2s, 2, report}));
    const std::shared_ptr<skan::store> throwing =
        here.open("words", {2s, 2, [](skan_status, const string &) { throw std::runtime_error("the log is full"); }});
    (void)engine.register_install("player-1");
    here.breaks();
    const skan::store_failed error =
        thrown_by<skan::store_failed>([&] { (void)engine.update_revenue("player-1", 1, "USD"); });
    EXPECT_NUMBER(SKAN_ERROR_STORE, error.status());
    EXPECT_TEXT(reported.c_str(), error.what());
    EXPECT(!reported.empty(), "it has no words");
    const skan::store_failed other = thrown_by<skan::store_failed>([&] { (void)throwing->load("key"); });
    EXPECT(string(other.what()).find("the log") == string::npos, "what a report throws is dropped: %s", other.what());
    here.mends();
    EXPECT(bool(engine.update_revenue("player-1", 1, "USD")), "once it is mended");
}

CASE(what_cannot_be_opened_is_refused) {
    const skan::error missing = thrown_by(here.open_what_is_missing);
    EXPECT_NUMBER(SKAN_ERROR_STORE, missing.status());
    EXPECT(string(missing.what()).find(here.missing) != string::npos, "%s", missing.what());
    const settings wrong[] = {{0ms}, {-1ms}, {3600001ms}, {std::chrono::milliseconds(1LL << 32)}, {2s, 0}, {2s, 1025}};
    for (const settings &each : wrong)
        EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, here.open("wrong", each));
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, here.open(string("wrong\0x", 7), {}));
}

void a_file_of_sqlite_is_a_file_of_its_own(const void *folder) {
    const string file = static_cast<const char *>(folder) + string("/of-its-own");
    skan::sqlite_options options;
    options.synchronous = 2;
    EXPECT_ERROR(SKAN_ERROR_INVALID_ARGUMENT, skan::sqlite_store(file, options));
    std::shared_ptr<skan::store> store = skan::sqlite_store(file);
    EXPECT(bool(engine_on(store).register_install("player-1")), "registered");
    EXPECT(std::filesystem::exists(file + "-wal"), "the store is open");
    store.reset();
    EXPECT(!std::filesystem::exists(file + "-wal"), "the last connection cleans up");
}

/* Two engines on one store of C++: it is closed with the last of them. */
CASE(engines_may_share_a_store) {
    std::shared_ptr<skan::store> store = here.open("shared", {});
    const std::weak_ptr<skan::store> watched = store;
    {
        skan::engine first = engine_on(store), second = engine_on(store);
        store.reset();
        EXPECT(bool(first.register_install("player-1")), "by the first");
        EXPECT(second.register_install("player-1").outcome == skan::outcome::already_registered, "by the second");
    }
    EXPECT(watched.expired(), "the store is closed");
}

} // namespace

int main(int count, char **arguments) {
    string folder = (std::filesystem::temp_directory_path() / "skan-cpp-XXXXXX").string();
    if (!mkdtemp(folder.data())) return 2;
    const string url = count == 3 ? arguments[1] : "", directory = count == 3 ? arguments[2] : "";
    here = url.empty() ? in_files(folder)
                       : (url.rfind("redis", 0) == 0 ? on_redis : on_postgres)(url, directory);
    if (url.empty()) run_case("SQLite's file is its own", a_file_of_sqlite_is_a_file_of_its_own, folder.c_str());
    const int ending = run_cases();
    std::filesystem::remove_all(folder);
    return ending;
}

/* The SQLite store in C++: what it keeps, whose words its errors have, what it refuses. */
#include "support.h"

#include <skan/sqlite.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <vector>

namespace {

using std::string;
using std::filesystem::path;

/* A folder of a case's own. */
class folder {
public:
    folder() {
        string name = (std::filesystem::temp_directory_path() / "skan-cpp-XXXXXX").string();
        if (!mkdtemp(name.data())) std::abort();
        path_ = name;
    }
    ~folder() { std::filesystem::remove_all(path_); }
    folder(const folder &) = delete;
    folder &operator=(const folder &) = delete;
    string operator/(const char *file) const { return (path_ / file).string(); }

private:
    path path_;
};

skan::options on(std::shared_ptr<skan::store> store) {
    skan::options options;
    options.store = std::move(store);
    return options;
}

/* The error that a function throws; of status SKAN_OK where it throws none. */
template <typename Error = skan::error, typename Function> Error thrown_by(Function function) {
    try {
        function();
    } catch (const Error &error) {
        return error;
    }
    EXPECT(false, "expected an exception");
    std::exit(1);
}

void installs_outlive_their_engine(const void *) {
    const folder folder;
    {
        skan::engine engine(on(skan::sqlite_store(folder / "installs.db")));
        EXPECT(bool(engine.register_install("player-1")), "a first launch");
        EXPECT(bool(engine.update_revenue("player-1", 4.99, "USD", false, "order-1")), "a first purchase");
    }
    skan::sqlite_options options;
    options.synchronous = SKAN_SQLITE_NORMAL;
    options.busy_timeout = std::chrono::seconds(1);
    options.max_connections = 2;
    skan::engine engine(on(skan::sqlite_store(folder / "installs.db", options)));
    EXPECT(engine.register_install("player-1").outcome == skan::outcome::already_registered, "a second launch");
    EXPECT(engine.update_revenue("player-1", 4.99, "USD", false, "order-1").outcome ==
               skan::outcome::duplicate_event,
           "a retry");
}

void the_store_is_one_of_cpp(const void *) {
    const folder folder;
    const std::shared_ptr<skan::store> store = skan::sqlite_store(folder / "installs.db");
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

/* A file that is gone is noticed by the next call. */
void errors_have_the_words_of_sqlite(const void *) {
    const folder folder;
    std::mutex mutex;
    std::vector<string> reported;
    std::filesystem::create_directory(folder / "data");
    skan::sqlite_options options;
    options.report = [&](skan_status status, const string &words) {
        EXPECT_NUMBER(SKAN_ERROR_STORE, status);
        const std::lock_guard<std::mutex> lock(mutex);
        reported.push_back(words);
    };
    skan::engine engine(on(skan::sqlite_store(folder / "data/installs.db", options)));
    (void)engine.register_install("player-1");
    std::filesystem::rename(folder / "data", folder / "elsewhere");
    const skan::store_failed error =
        thrown_by<skan::store_failed>([&] { (void)engine.update_revenue("player-1", 1, "USD", false, std::nullopt); });
    EXPECT_NUMBER(SKAN_ERROR_STORE, error.status());
    EXPECT(string(error.what()).find("installs.db") != string::npos, "%s", error.what());
    EXPECT(!reported.empty() && reported.back() == error.what(), "the report and the exception say the same");

    std::filesystem::rename(folder / "elsewhere", folder / "data");
    EXPECT(bool(engine.update_revenue("player-1", 1, "USD", false, std::nullopt)), "once it is mended");
}

void what_a_report_throws_is_dropped(const void *) {
    const folder folder;
    skan::sqlite_options options;
    options.report = [](skan_status, const string &) { throw std::runtime_error("the log is full"); };
    std::filesystem::create_directory(folder / "data");
    const std::shared_ptr<skan::store> store = skan::sqlite_store(folder / "data/installs.db", options);
    std::filesystem::rename(folder / "data", folder / "elsewhere");
    const skan::store_failed error = thrown_by<skan::store_failed>([&] { (void)store->load("key"); });
    EXPECT(string(error.what()).find("installs.db") != string::npos, "%s", error.what());
}

void what_cannot_be_opened_is_refused(const void *) {
    const folder folder;
    const skan::error missing = thrown_by([&] { (void)skan::sqlite_store(folder / "none/installs.db"); });
    EXPECT_NUMBER(SKAN_ERROR_STORE, missing.status());
    EXPECT(string(missing.what()).find("none/installs.db") != string::npos, "%s", missing.what());

    std::ofstream(folder / "text") << "not a database, but as long as a header of one; " << string(200, '.');
    const skan::error text = thrown_by([&] { (void)skan::sqlite_store(folder / "text"); });
    EXPECT(string(text.what()).find("not a database") != string::npos, "%s", text.what());

    const auto refused = [&](const string &path, const skan::sqlite_options &options) {
        EXPECT_NUMBER(SKAN_ERROR_INVALID_ARGUMENT,
                      thrown_by([&] { (void)skan::sqlite_store(path, options); }).status());
        EXPECT(!std::filesystem::exists(folder / "installs.db"), "no file is made");
    };
    skan::sqlite_options options;
    refused("", options);
    refused(string(folder / "installs.db") + string(1, '\0') + "x", options);
    options.synchronous = 2;
    refused(folder / "installs.db", options);
    options = {};
    for (const long long time : {0LL, -1LL, 3600001LL, 1LL << 32}) {
        options.busy_timeout = std::chrono::milliseconds(time);
        refused(folder / "installs.db", options);
    }
    options = {};
    for (const unsigned connections : {0U, 1025U}) {
        options.max_connections = connections;
        refused(folder / "installs.db", options);
    }
}

/* Two engines on one store of C++: it is closed with the last of them. */
void engines_may_share_a_store(const void *) {
    const folder folder;
    std::shared_ptr<skan::store> store = skan::sqlite_store(folder / "installs.db");
    const std::weak_ptr<skan::store> watched = store;
    {
        skan::engine first(on(store)), second(on(store));
        store.reset();
        EXPECT(bool(first.register_install("player-1")), "by the first");
        EXPECT(second.register_install("player-1").outcome == skan::outcome::already_registered, "by the second");
    }
    EXPECT(watched.expired(), "the store is closed");
    EXPECT(!std::filesystem::exists(folder / "installs.db-wal"), "the last connection cleans up");
}

} // namespace

int main() {
    run_case("installs outlive their engine", installs_outlive_their_engine, nullptr);
    run_case("the store is one of C++", the_store_is_one_of_cpp, nullptr);
    run_case("errors have the words of SQLite", errors_have_the_words_of_sqlite, nullptr);
    run_case("what a report throws is dropped", what_a_report_throws_is_dropped, nullptr);
    run_case("what cannot be opened is refused", what_cannot_be_opened_is_refused, nullptr);
    run_case("engines may share a store", engines_may_share_a_store, nullptr);
    return finish_cases();
}

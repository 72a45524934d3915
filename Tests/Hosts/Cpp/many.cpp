/* Many amounts in one call through skan.hpp, stores that load and save many, and records read without an engine. */
#include "memory_store.hpp"
#include "thrown.hpp"

namespace {

using std::string;

/* Lets a case change what it answers. */
class moody_store : public plural_store {
public:
    std::vector<std::size_t> counts;
    std::function<void(std::vector<skan::load_result> &)> change_loads;
    std::function<void(std::vector<skan::save_result> &)> change_saves;
    std::exception_ptr unsaved; /* in place of saving "a" */

    std::uint64_t save(std::string_view key, std::string_view data, std::uint64_t expected) override {
        if (unsaved && key == "a") std::rethrow_exception(unsaved);
        return plural_store::save(key, data, expected);
    }

    std::vector<skan::load_result> load_many(const std::vector<std::string_view> &keys) override {
        counts.push_back(keys.size());
        std::vector<skan::load_result> results = plural_store::load_many(keys);
        if (change_loads) change_loads(results);
        return results;
    }

    std::vector<skan::save_result> save_many(const std::vector<skan::record_save> &saves) override {
        counts.push_back(saves.size());
        std::vector<skan::save_result> results = plural_store::save_many(saves);
        if (change_saves) change_saves(results);
        return results;
    }
};

skan::engine engine_over(const std::shared_ptr<skan::store> &store, unsigned protocol = 4) {
    skan::options options;
    options.store = store;
    options.protocol = protocol;
    options.endpoint_url = "https://skan.example.com";
    options.clock = skan::make_clock([] { return std::int64_t(1700000000) * 1000000; });
    return skan::engine(options);
}

/* Three items of "a", with one of "b" between them. */
std::vector<skan::revenue> mixed() {
    const skan::revenue_kind iap = skan::revenue_kind::iap;
    return {{"a", 1, "USD", iap, "1"}, {"b", 2, "USD"}, {"a", 4, "USD", iap, "1"}, {"a", 8, "USD"}};
}

bool has_total(skan::engine &engine, const string &install_id, const string &total) {
    const skan::revenue_table expected = {{"USD", total}};
    return engine.details(install_id).iap_revenue == (total.empty() ? skan::revenue_table() : expected);
}

using statuses = std::vector<skan_status>;

CASE(a_store_may_load_and_save_many) {
    const auto store = std::make_shared<moody_store>();
    for (const auto &each : {std::shared_ptr<skan::store>(), std::shared_ptr<skan::store>(store)}) {
        skan::engine engine = engine_over(each);
        const skan::many_result result = engine.update_revenue_many(mixed());
        EXPECT(static_cast<bool>(result), "no item failed");
        EXPECT(result.statuses == statuses({0, 0, SKAN_DUPLICATE_EVENT, 0}), "counted");
        EXPECT(has_total(engine, "a", "9") && has_total(engine, "b", "2"), "all are counted");
        EXPECT(engine.update_revenue_many({}).statuses.empty(), "nothing is nothing");
    }
    EXPECT(store->counts == std::vector<std::size_t>({2, 2}), "in two calls");
}

/* What else is wrong with an item is told in the vectors. */
CASE(a_nul_in_an_item_holds_up_no_other) {
    using namespace std::string_view_literals;
    skan::engine engine = engine_over(std::make_shared<moody_store>());
    const skan::revenue good{"a", 3, "USD"};
    const skan::revenue_kind iap = skan::revenue_kind::iap;
    for (const skan::revenue &wrong : {skan::revenue{"a\0b"sv, 1, "USD"}, {"a", 1, "USD", iap, "\0"sv}}) {
        engine.forget("a");
        const skan::many_result result = engine.update_revenue_many({good, wrong, good, wrong});
        EXPECT(result.statuses == statuses({0, SKAN_ERROR_INVALID_ARGUMENT, 0, SKAN_ERROR_INVALID_ARGUMENT}), "which");
        const skan::error alone =
            thrown_by([&] { engine.update_revenue(wrong.install_id, 1, "USD", iap, wrong.event_id); });
        EXPECT_TEXT(("items[1]: " + string(alone.what())).c_str(), words_of(result.error).c_str());
        EXPECT(has_total(engine, "a", "6"), "the others are counted: %s", engine.details("a").json.c_str());
    }
}

CASE(what_is_wrong_with_the_call_is_thrown) {
    skan::engine engine = engine_over(std::make_shared<moody_store>());
    EXPECT_ERROR(SKAN_ERROR_LIMIT_EXCEEDED,
                 engine.update_revenue_many(std::vector<skan::revenue>(65537, {"a", 1, "USD"})));
    skan::options options;
    options.endpoint_url = "https://skan.example.com";
    options.clock = skan::make_clock([]() -> std::int64_t { throw outage("no clock"); });
    skan::engine timeless(options);
    EXPECT_THROWS(outage, "no clock", timeless.update_revenue_many(mixed()));
}

CASE(what_a_store_throws_is_of_its_install) {
    const std::pair<std::exception_ptr, skan_status> faults[] = {
        {std::make_exception_ptr(skan::store_failed("full")), SKAN_ERROR_STORE},
        {std::make_exception_ptr(skan::store_conflict()), SKAN_ERROR_STORE_CONFLICT},
        {std::make_exception_ptr(outage("lost")), SKAN_ERROR_STORE_UNKNOWN}};
    for (const auto &[thrown, status] : faults) {
        const auto store = std::make_shared<moody_store>();
        store->unsaved = thrown;
        skan::engine engine = engine_over(store);
        const skan::many_result result = engine.update_revenue_many(mixed());
        EXPECT(result.statuses == statuses({status, 0, status, status}), "came %d, %d, %d, %d",
               result.statuses[0], result.statuses[1], result.statuses[2], result.statuses[3]);
        EXPECT_TEXT(words_of(thrown).c_str(), words_of(result.error).c_str());
        EXPECT(has_total(engine, "a", "") && has_total(engine, "b", "2"), "b alone is counted");
    }
    const auto store = std::make_shared<moody_store>();
    store->change_loads = [](auto &results) { results[1].thrown = std::make_exception_ptr(outage("gone")); };
    skan::engine engine = engine_over(store);
    const skan::many_result result = engine.update_revenue_many(mixed());
    EXPECT(result.statuses == statuses({0, SKAN_ERROR_STORE, SKAN_DUPLICATE_EVENT, 0}), "b alone is not loaded");
    EXPECT_TEXT("gone", words_of(result.error).c_str());
}

/* A later item that fails in the same way does not replace what the first one threw. */
CASE(the_error_is_that_of_the_first_item_that_failed) {
    const auto store = std::make_shared<moody_store>();
    skan::engine engine = engine_over(store);
    store->change_loads = [](auto &results) {
        results[0].thrown = std::make_exception_ptr(outage("of a"));
        results[1].thrown = std::make_exception_ptr(outage("of b"));
    };
    EXPECT_TEXT("of a", words_of(engine.update_revenue_many(mixed()).error).c_str());
    store->change_loads = nullptr;
    store->change_saves = [](auto &results) {
        for (std::size_t i = 0; i < results.size(); i++)
            results[i].thrown = std::make_exception_ptr(skan::store_failed("save " + std::to_string(i)));
    };
    EXPECT_TEXT("save 0", words_of(engine.update_revenue_many(mixed()).error).c_str());
    store->change_saves = nullptr;
    /* Two batches, of which neither can be loaded. */
    int batches = 0;
    store->change_loads = [&batches](auto &) { throw outage("batch " + std::to_string(++batches)); };
    std::vector<string> names;
    for (int i = 0; i < SKAN_BATCH_MAX + 1; i++) names.push_back("player-" + std::to_string(i));
    std::vector<skan::revenue> items;
    for (const string &name : names) items.push_back({name, 1, "USD"});
    EXPECT_TEXT("batch 1", words_of(engine.update_revenue_many(items).error).c_str());
    EXPECT(batches == 2, "in two batches");
}

CASE(another_number_of_results_is_not_trusted) {
    const auto store = std::make_shared<moody_store>();
    store->change_loads = [](auto &results) { results.pop_back(); };
    skan::engine engine = engine_over(store);
    const skan::many_result failed = engine.update_revenue_many(mixed());
    EXPECT(failed.statuses == statuses(4, SKAN_ERROR_STORE), "nothing was loaded");
    EXPECT_TEXT("load_many answered 1 results for 2 keys", words_of(failed.error).c_str());
    store->change_loads = nullptr;
    store->change_saves = [&store](auto &results) {
        results.pop_back();
        store->change_saves = nullptr;
    };
    EXPECT(engine.update_revenue_many(mixed()).statuses == statuses({0, 0, SKAN_DUPLICATE_EVENT, 0}), "found");
    EXPECT(has_total(engine, "a", "9"), "counted once");
}

CASE(a_record_is_read_without_an_engine) {
    const auto store = std::make_shared<memory_store>();
    skan::engine engine = engine_over(store, 3);
    (void)engine.register_install("a");
    const skan::record_content record = skan::read_record(store->load("a")->data);
    EXPECT(record.protocol == 3 && record.is_registered, "registered");
    EXPECT_NUMBER(1700000000, record.first_timestamp);
    EXPECT_NUMBER(1700000000, record.last_timestamp);
    EXPECT_NUMBER(1700000000 + 86400, record.closes_at);
    EXPECT_TEXT(engine.details("a").json.c_str(), record.details.json.c_str());
    EXPECT_ERROR(SKAN_ERROR_CORRUPT_RECORD, skan::read_record(""));
    EXPECT_ERROR(SKAN_ERROR_RECORD_TOO_NEW, skan::read_record("x"));
}

} // namespace

int main() {
    return run_cases();
}

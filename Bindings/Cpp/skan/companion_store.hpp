/*
 * companion_store.hpp - the common part of the C++ headers of libskan's stores: it wraps a C skan_store as a
 * skan::store. Hosts include the header of the store that they want.
 */
#ifndef SKAN_COMPANION_STORE_HPP
#define SKAN_COMPANION_STORE_HPP

#include <skan/skan.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skan {

namespace detail {

/* A C store, and the function to which it reports. The store is closed with this object. */
class native_store {
public:
    template <typename Open, typename Options>
    native_store(Open open, const char *address, Options options, store_report report)
        : report_(std::make_unique<store_report>(std::move(report))) {
        options.report = &report_words;
        options.report_context = report_.get();
        called(open, address, &options, &hooks_);
    }
    native_store(native_store &&other) noexcept
        : report_(std::move(other.report_)), hooks_(std::exchange(other.hooks_, skan_store{})) {}
    ~native_store() {
        if (hooks_.finalize) hooks_.finalize(hooks_.context);
    }
    native_store &operator=(native_store &&) = delete;

    [[nodiscard]] const skan_store &hooks() const noexcept { return hooks_; }

private:
    std::unique_ptr<store_report> report_; /* on the heap: C keeps its address */
    skan_store hooks_ = {};
};

/* Throws the status of a hook as an exception with the text that the hook reported. */
inline void throw_unless_ok(skan_status status) {
    if (status == SKAN_OK) return;
    if (status == SKAN_ERROR_STORE_CONFLICT) throw store_conflict();
    const std::string words = reported_words().empty() ? skan_status_name(status) : reported_words();
    if (status == SKAN_ERROR_STORE) throw store_failed(words);
    throw error(status, words);
}

inline std::exception_ptr exception_unless_ok(skan_status status) {
    try {
        throw_unless_ok(status);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

/* A C store as a C++ store, of class store or many_store. */
template <typename Base> class companion_store : public Base {
public:
    explicit companion_store(native_store native) : native_(std::move(native)) {}

    [[nodiscard]] std::optional<record> load(std::string_view key) override {
        const c_text text("key", key);
        const owned_buffer buffer(skan_buffer_create());
        std::uint64_t version = 0;
        reported_words().clear();
        const skan_status status = hooks().load(hooks().context, text, buffer.get(), &version);
        if (status == SKAN_NOT_FOUND) return std::nullopt;
        throw_unless_ok(status);
        return record{content_of(buffer), version};
    }

    [[nodiscard]] std::uint64_t save(std::string_view key, std::string_view data,
                                     std::uint64_t expected_version) override {
        const c_text text("key", key);
        std::uint64_t version = 0;
        reported_words().clear();
        throw_unless_ok(hooks().save(hooks().context, text, data.data(), data.size(), expected_version, &version));
        return version;
    }

    void remove(std::string_view key, std::uint64_t expected_version) override {
        const c_text text("key", key);
        reported_words().clear();
        throw_unless_ok(hooks().remove(hooks().context, text, expected_version));
    }

    [[nodiscard]] bool keeps_stack() const noexcept override { return true; }

protected:
    [[nodiscard]] const skan_store &hooks() const noexcept { return native_.hooks(); }

    native_store native_;
};

/* A C store with load_many and save_many, as a C++ store. */
class companion_many_store final : public companion_store<many_store> {
public:
    using companion_store<many_store>::companion_store;

    [[nodiscard]] std::vector<load_result> load_many(const std::vector<std::string_view> &keys) override {
        check_count(keys.size());
        std::vector<std::string> texts;
        std::vector<owned_buffer> buffers;
        std::vector<skan_load_item> items;
        texts.reserve(keys.size());
        for (const std::string_view key : keys) {
            buffers.emplace_back(skan_buffer_create());
            items.push_back({kept(texts, key), buffers.back().get(), 0, SKAN_ERROR_STORE});
        }
        reported_words().clear();
        hooks().load_many(hooks().context, items.data(), items.size());
        std::vector<load_result> results(items.size());
        for (std::size_t i = 0; i < items.size(); i++) {
            if (items[i].status == SKAN_NOT_FOUND) continue;
            results[i].thrown = exception_unless_ok(items[i].status);
            if (!results[i].thrown) results[i].record = record{content_of(buffers[i]), items[i].version};
        }
        return results;
    }

    [[nodiscard]] std::vector<save_result> save_many(const std::vector<record_save> &saves) override {
        check_count(saves.size());
        std::vector<std::string> texts;
        std::vector<skan_save_item> items;
        texts.reserve(saves.size());
        for (const record_save &save : saves)
            items.push_back({kept(texts, save.key), save.data.data(), save.data.size(), save.expected_version, 0,
                             SKAN_ERROR_STORE_UNKNOWN});
        reported_words().clear();
        hooks().save_many(hooks().context, items.data(), items.size());
        std::vector<save_result> results(items.size());
        for (std::size_t i = 0; i < items.size(); i++)
            results[i] = {items[i].new_version, exception_unless_ok(items[i].status)};
        return results;
    }

private:
    static void check_count(std::size_t count) {
        if (count < 1 || count > SKAN_BATCH_MAX)
            throw store_failed("expected 1 to " + std::to_string(SKAN_BATCH_MAX) + " keys at once, got " +
                               std::to_string(count));
    }

    /* The key as C text. `texts` must have enough capacity, so that the text keeps its address. */
    static const char *kept(std::vector<std::string> &texts, std::string_view key) {
        if (key.find('\0') != std::string_view::npos) throw store_failed("a key has no NUL");
        return texts.emplace_back(key).c_str();
    }
};

/* Opens a store of C: `open` is its skan_..._store_open, and `options` are all but the report. */
template <typename Open, typename Options>
[[nodiscard]] std::shared_ptr<store> open_companion(Open open, const char *address, const Options &options,
                                                    store_report report) {
    native_store native(open, address, options, std::move(report));
    if (native.hooks().load_many && native.hooks().save_many)
        return std::make_shared<companion_many_store>(std::move(native));
    return std::make_shared<companion_store<store>>(std::move(native));
}

/* A number for an option of C. Refuses zero, which would mean the default in C. */
inline std::uint32_t option(const char *name, long long number) {
    if (number >= 1 && number <= UINT32_MAX) return static_cast<std::uint32_t>(number);
    throw error(SKAN_ERROR_INVALID_ARGUMENT, std::string("options.") + name + ": expected a number from 1 on, got " +
                                                 std::to_string(number));
}

} // namespace detail
} // namespace skan

#endif /* SKAN_COMPANION_STORE_HPP */

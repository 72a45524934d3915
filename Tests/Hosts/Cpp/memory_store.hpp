/* Stores of the host in C++: records in a map, versions from one counter. */
#ifndef MEMORY_STORE_HPP
#define MEMORY_STORE_HPP

#include <skan/skan.hpp>

#include <map>
#include <mutex>

class memory_store : public skan::store {
public:
    std::optional<skan::record> load(std::string_view key) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = records_.find(key);
        if (found == records_.end()) return std::nullopt;
        return found->second;
    }

    std::uint64_t save(std::string_view key, std::string_view data, std::uint64_t expected_version) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = records_.find(key);
        if ((found == records_.end() ? 0 : found->second.version) != expected_version) throw skan::store_conflict();
        records_.insert_or_assign(std::string(key), skan::record{std::string(data), ++newest_version_});
        return newest_version_;
    }

    void remove(std::string_view key, std::uint64_t expected_version) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = records_.find(key);
        if (found == records_.end() || found->second.version != expected_version) throw skan::store_conflict();
        records_.erase(found);
    }

private:
    std::mutex mutex_;
    std::map<std::string, skan::record, std::less<>> records_;
    std::uint64_t newest_version_ = 0;
};

/* The same of a host that loads and saves many. */
class plural_store : public skan::many_store {
public:
    std::optional<skan::record> load(std::string_view key) override { return base_.load(key); }
    std::uint64_t save(std::string_view key, std::string_view data, std::uint64_t expected) override {
        return base_.save(key, data, expected);
    }
    void remove(std::string_view key, std::uint64_t expected) override { base_.remove(key, expected); }

    std::vector<skan::load_result> load_many(const std::vector<std::string_view> &keys) override {
        std::vector<skan::load_result> results;
        for (std::string_view key : keys) results.push_back({load(key), nullptr});
        return results;
    }

    std::vector<skan::save_result> save_many(const std::vector<skan::record_save> &saves) override {
        std::vector<skan::save_result> results;
        for (const skan::record_save &each : saves) {
            try {
                results.push_back({save(each.key, each.data, each.expected_version), nullptr});
            } catch (...) {
                results.push_back({0, std::current_exception()});
            }
        }
        return results;
    }

private:
    memory_store base_;
};

#endif

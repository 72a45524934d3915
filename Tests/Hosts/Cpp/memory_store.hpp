/* A store of the host in C++: records in a map, versions from one counter. */
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

#endif

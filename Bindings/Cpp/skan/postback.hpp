/*
 * postback.hpp - verifies Apple's install postbacks and counts each once, for C++17. Header only; link libskan-postback
 * and libskan.
 *
 *     skan::postback postback = skan::verify_postback(body);                // Apple's keys
 *     if (postback.result() == SKAN_POSTBACK_VALID) use(postback.fields());
 *
 *     skan_store store;
 *     skan_sqlite_store_open("/var/lib/game/postbacks.db", nullptr, &store, nullptr);
 *     skan::postback_receiver receiver(store);                              // owns the store now
 *     skan_postback_receipt receipt = receiver.receive(body);               // answer HTTP 200 when it returns
 *
 * postback.h describes what to know before production and what each value means. Errors are exceptions.
 */
#ifndef SKAN_POSTBACK_HPP
#define SKAN_POSTBACK_HPP

#include <skan/postback.h>
#include <skan/skan.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skan {

namespace detail {

struct destroy_postback {
    void operator()(skan_postback *postback) const noexcept { skan_postback_destroy(postback); }
    void operator()(skan_postback_receiver *receiver) const noexcept { skan_postback_receiver_destroy(receiver); }
};

} // namespace detail

/* A public key, as skan_postback_key describes it. */
struct postback_key {
    std::string name = {};
    std::optional<std::string> spki = {}; /* nullopt = none: such postbacks are unverifiable */
    bool is_development = false;
};

/* Apple's keys, with some replaced or added. They are parsed once, and copies share them. Any thread. */
class postback_keys {
public:
    /* Apple's keys. */
    postback_keys() = default;
    /* Apple's keys, with `keys` replaced or added. Throws the errors of skan_postback_keys_create. */
    explicit postback_keys(const std::vector<postback_key> &keys) {
        std::vector<skan_postback_key> given;
        for (const postback_key &key : keys)
            given.push_back({key.name.c_str(), key.spki ? key.spki->c_str() : nullptr, key.is_development});
        skan_postback_keys *made = nullptr;
        detail::called(skan_postback_keys_create, given.data(), given.size(), &made);
        keys_ = std::shared_ptr<skan_postback_keys>(made, skan_postback_keys_destroy);
    }

    [[nodiscard]] const skan_postback_keys *native() const noexcept { return keys_.get(); }

private:
    std::shared_ptr<skan_postback_keys> keys_;
};

/* A postback that was read and verified. It never changes. Its texts and pointers are valid as long as it exists. */
class postback {
public:
    explicit postback(skan_postback *native) noexcept : native_(native) {}

    /* SKAN_POSTBACK_VALID ... SKAN_POSTBACK_MALFORMED */
    [[nodiscard]] std::int32_t result() const noexcept { return skan_postback_result(native_.get()); }
    [[nodiscard]] std::string_view result_name() const noexcept { return skan_postback_result_name(result()); }
    /* The reason why the postback is malformed or unverifiable, and the field that is the cause; otherwise "". */
    [[nodiscard]] std::string_view problem() const noexcept { return skan_postback_problem(native_.get()); }
    [[nodiscard]] std::optional<std::string_view> problem_field() const noexcept {
        return text(skan_postback_problem_field(native_.get()));
    }
    /* The fields that the signature proves. */
    [[nodiscard]] std::vector<std::string_view> signed_fields() const { return names(skan_postback_signed_fields); }
    /* Whether it was written otherwise than Apple writes it, and the signature proves how it is meant. */
    [[nodiscard]] bool is_respelled() const noexcept { return skan_postback_is_respelled(native_.get()); }
    /* Unsigned fields whose value has no meaning: they count as absent, and Apple did not hide them. */
    [[nodiscard]] std::vector<std::string_view> illegal_fields() const { return names(skan_postback_illegal_fields); }
    [[nodiscard]] skan_postback_fields fields() const {
        auto fields = detail::sized<skan_postback_fields>();
        detail::called(skan_postback_read, native_.get(), &fields);
        return fields;
    }
    /* The name of fields().conversion_type: skan_postback_conversion_type_name. */
    [[nodiscard]] std::string_view conversion_type_name() const {
        return skan_postback_conversion_type_name(fields().conversion_type);
    }
    /* The key that identifies this postback wherever it arrives again. */
    [[nodiscard]] std::optional<std::string_view> key() const noexcept {
        return text(skan_postback_record_key(native_.get()));
    }
    [[nodiscard]] std::string_view body() const noexcept { return bytes(skan_postback_body); }
    /* The body as Apple would have written it, if it was respelled; otherwise the same. This is what is stored. */
    [[nodiscard]] std::string_view canonical_body() const noexcept { return bytes(skan_postback_canonical_body); }
    /* The whole postback as JSON, with signed and unsigned fields separately. */
    [[nodiscard]] std::string json() const {
        char *json = nullptr;
        detail::called(skan_postback_json, native_.get(), &json);
        return detail::taken(json);
    }

private:
    static std::optional<std::string_view> text(const char *text) noexcept {
        return text ? std::optional<std::string_view>(text) : std::nullopt;
    }

    template <typename List> [[nodiscard]] std::vector<std::string_view> names(List list) const {
        std::size_t count = 0;
        const char *const *names = list(native_.get(), &count);
        return {names, names + count};
    }
    template <typename Body> [[nodiscard]] std::string_view bytes(Body body) const noexcept {
        std::size_t length = 0;
        const char *start = static_cast<const char *>(body(native_.get(), &length));
        return {start, length};
    }

    std::unique_ptr<skan_postback, detail::destroy_postback> native_;
};

/* Reads a postback and verifies its signature. Every result is a value, not an exception. Any thread.
 * Throws SKAN_ERROR_LIMIT_EXCEEDED for more than SKAN_RESPONSE_MAX bytes. */
[[nodiscard]] inline postback verify_postback(std::string_view body, const postback_keys &keys = {}) {
    const skan_postback_options options = {sizeof options, keys.native()};
    skan_postback *native = nullptr;
    detail::called(skan_postback_verify, body.data(), body.size(), &options, &native);
    return postback(native);
}

/* How a receiver is made: skan_postback_receiver_options. The models must outlive the receiver. */
struct postback_receiver_options {
    postback_keys keys = {}; /* Apple's */
    std::vector<skan_postback_model> models = {};
    std::vector<skan_postback_model> reengagement_models = {};
    std::vector<std::int64_t> app_ids = {};    /* App Store ids; empty = any */
    std::vector<std::string> ad_networks = {}; /* "example.skadnetwork"; empty = any */
    std::uint64_t refused_bytes_in_all = 0;    /* 0 = 512 MiB */
};

/* A receiver, which stores postbacks and counts each of them once. Any thread. */
class postback_receiver {
public:
    /* Takes ownership of the store, even if this throws SKAN_ERROR_INVALID_ARGUMENT or SKAN_ERROR_LIMIT_EXCEEDED. */
    explicit postback_receiver(const skan_store &store, const postback_receiver_options &options = {}) {
        auto chosen = detail::sized<skan_postback_receiver_options>();
        chosen.store = &store;
        chosen.keys = options.keys.native();
        chosen.models = options.models.data();
        chosen.model_count = options.models.size();
        chosen.reengagement_models = options.reengagement_models.data();
        chosen.reengagement_model_count = options.reengagement_models.size();
        chosen.app_ids = options.app_ids.data();
        chosen.app_id_count = options.app_ids.size();
        const std::vector<const char *> ad_networks = names_of(options, store);
        chosen.ad_networks = ad_networks.data();
        chosen.ad_network_count = ad_networks.size();
        chosen.refused_bytes_in_all = options.refused_bytes_in_all;
        skan_postback_receiver *made = nullptr;
        detail::called(skan_postback_receiver_create, &chosen, &made);
        native_.reset(made);
    }

    /* skan_postback_receive: answer HTTP 200 when it returns, and only then. network: that of the sender, if known. */
    skan_postback_receipt receive(std::string_view body, const std::optional<std::string> &network = std::nullopt) {
        auto receipt = detail::sized<skan_postback_receipt>();
        const detail::c_text sender("network", network);
        detail::called(skan_postback_receive, native_.get(), sender, body.data(), body.size(), &receipt);
        return receipt;
    }

private:
    /* The receiver owns the store, even if this throws. */
    static std::vector<const char *> names_of(const postback_receiver_options &options, const skan_store &store) try {
        std::vector<const char *> names;
        for (const std::string &name : options.ad_networks) {
            const detail::c_text without_nul("ad_networks", name);
            names.push_back(name.c_str());
        }
        return names;
    } catch (...) {
        if (store.finalize) store.finalize(store.context);
        throw;
    }

    std::unique_ptr<skan_postback_receiver, detail::destroy_postback> native_;
};

} // namespace skan

#endif /* SKAN_POSTBACK_HPP */

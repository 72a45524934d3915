/*
 * skan.hpp - libskan for C++17: the engine of skan.h as a C++ type. Header only; link libskan.
 *
 *     #include <skan/skan.hpp>
 *     #include <iostream>
 *
 *     int main() {
 *         skan::options options;                                   // in-memory store, system clock, SKAN 4
 *         options.sdk_key = "...", options.bundle_id = "com.example.game", options.app_version = "1.0";
 *         options.endpoint_url = "https://skan.example.com";
 *         skan::engine engine(options);
 *
 *         engine.register_install("player-1");                     // first launch
 *
 *         // A purchase: count its money and make the request for the next value ...
 *         const skan::event purchase("purchase", "order-1", {}, "4.99", "USD");
 *         if (const skan::request request = engine.conversion_request("player-1", purchase)) {
 *             // ... GET request.url with an HTTP client, and apply the answer.
 *             engine.apply_response("player-1", purchase, request.ticket, "{\"conversion_value\": 5}");
 *         }
 *
 *         std::cout << engine.pending_calls_json("player-1");      // when the app calls next: send it this ...
 *         for (const skan::call &call : engine.pending_calls("player-1"))
 *             engine.acknowledge_calls("player-1", {{call.id, skan::call_result::delivered}}); // ... and note it
 *     }
 *
 * skan.h, store.h, model.h, reengagement.h and companion.h say what each call, member and number means: a comment here
 * refers to the C function or struct of the same name. This header adds:
 * - Names: functions are named as in C, without the prefix, except that `register`, a C++ keyword, is register_install.
 * - Outcomes (statuses below 100) are values: a result converts to true if the outcome is ok. Failures are exceptions:
 *   skan::error with the status of skan.h and its message.
 * - Stores, clocks and transports are C++ objects. An exception that one of them throws never crosses C: the engine
 *   sees a failed hook, and if the call ends in that failure, it throws the original exception. If the engine recovers
 *   (for instance because a second attempt resolves a conflict), the exception is dropped.
 * - Text arguments are string_views. A NUL inside one is refused; the text is never cut there.
 * - Threads: any number of threads may use an engine at once. Do not move or destroy it during a call.
 */
#ifndef SKAN_SKAN_HPP
#define SKAN_SKAN_HPP

#include <skan/companion.h>
#include <skan/model.h>
#include <skan/reengagement.h>
#include <skan/store.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace skan {

/* ----------------------------------------------------------------------------------------- outcomes and failures */

/* The outcome of a call that did not fail: enum skan_status_code. */
enum class outcome : skan_status {
    ok = SKAN_OK,
    already_registered = SKAN_ALREADY_REGISTERED,
    duplicate_event = SKAN_DUPLICATE_EVENT,
    no_new_value = SKAN_NO_NEW_VALUE,
    stale_response = SKAN_STALE_RESPONSE,
    window_locked = SKAN_WINDOW_LOCKED,
    window_closed = SKAN_WINDOW_CLOSED,
    not_registered = SKAN_NOT_REGISTERED,
    nothing_pending = SKAN_NOTHING_PENDING,
    not_found = SKAN_NOT_FOUND,
    unsupported = SKAN_UNSUPPORTED,
};

/* skan_status_name: static text, NUL-terminated. */
[[nodiscard]] inline std::string_view status_name(skan_status status) noexcept {
    return skan_status_name(status);
}
[[nodiscard]] inline std::string_view status_name(outcome outcome) noexcept {
    return skan_status_name(static_cast<skan_status>(outcome));
}

/* skan_version: static text, NUL-terminated. */
[[nodiscard]] inline std::string_view version() noexcept {
    return skan_version();
}

/* The failure of a call; what() is the message of its skan_error, unchanged. */
class error : public std::runtime_error {
public:
    error(skan_status status, const std::string &message) : std::runtime_error(message), status_(status) {}

    /* SKAN_ERROR_..., 100 or more. */
    [[nodiscard]] skan_status status() const noexcept { return status_; }

private:
    skan_status status_;
};

/* Thrown by a store's save or remove: there is another version, or no record. Nothing was changed. */
class store_conflict : public error {
public:
    explicit store_conflict(const std::string &message = "the record has another version")
        : error(SKAN_ERROR_STORE_CONFLICT, message) {}
};

/* Thrown by a store's save or remove: the store failed, and the change was certainly not applied. */
class store_failed : public error {
public:
    explicit store_failed(const std::string &message) : error(SKAN_ERROR_STORE, message) {}
};

/* Thrown by a transport that has sent the request and got no answer: the endpoint may have counted the event. */
class transport_unknown : public error {
public:
    explicit transport_unknown(const std::string &message) : error(SKAN_ERROR_TRANSPORT_UNKNOWN, message) {}
};

/* Thrown by a transport that stops reading an answer because it is too long. */
class limit_exceeded : public error {
public:
    explicit limit_exceeded(const std::string &message) : error(SKAN_ERROR_LIMIT_EXCEEDED, message) {}
};

namespace detail {

/* A text that a call gave, freed; "" for NULL. */
inline std::string taken(char *text) {
    const std::unique_ptr<char, decltype(&skan_free)> owned(text, skan_free);
    return owned ? std::string(owned.get()) : std::string();
}

/* A struct of C with its size set, and nothing else. */
template <typename Struct> Struct sized() noexcept {
    Struct made = {};
    made.size = sizeof made;
    return made;
}

struct destroy_buffer {
    void operator()(skan_buffer *buffer) const noexcept { skan_buffer_destroy(buffer); }
};
using owned_buffer = std::unique_ptr<skan_buffer, destroy_buffer>;

inline std::string content_of(const owned_buffer &buffer) {
    return {static_cast<const char *>(skan_buffer_data(buffer.get())), skan_buffer_size(buffer.get())};
}

/* A view as C text; nullopt becomes NULL. `name` is the name of the argument, for the message. */
class c_text {
public:
    c_text(const char *name, std::optional<std::string_view> view) {
        if (!view) return;
        const std::size_t nul = view->find('\0');
        if (nul != std::string_view::npos)
            throw error(SKAN_ERROR_INVALID_ARGUMENT,
                        std::string(name) + " must not contain a NUL, has one at byte " + std::to_string(nul));
        if (view->size() < small_.size()) {
            std::copy(view->begin(), view->end(), small_.begin());
            small_[view->size()] = '\0';
            text_ = small_.data();
        } else {
            text_ = large_.assign(*view).c_str();
        }
    }
    c_text(const c_text &) = delete;
    c_text &operator=(const c_text &) = delete;

    operator const char *() const noexcept { return text_; }

private:
    std::array<char, SKAN_INSTALL_ID_MAX + 1> small_;
    std::string large_;
    const char *text_ = nullptr;
};

/* One call of C. It keeps the exceptions that its hooks throw, by the status that the hook returned in place of
 * the exception; a call for many installs keeps them by install too. */
class call {
public:
    explicit call(bool is_for_many = false) noexcept : is_for_many_(is_for_many) { running() = this; }
    ~call() {
        skan_error_free(failure_);
        running() = nullptr;
    }
    call(const call &) = delete;
    call &operator=(const call &) = delete;

    /* A hook that is running. It belongs to the call that runs on this thread when the hook begins. While the hook is
     * suspended, calls of other coroutines may run on the thread; when it ends, its own call is current again. */
    class hook {
    public:
        hook() noexcept : call_(running()) {}
        ~hook() { running() = call_; }
        hook(const hook &) = delete;
        hook &operator=(const hook &) = delete;

        /* Keeps the current exception and returns `status`. For use in an exception handler. `key` is the install's, if
         * the hook was called for one install. */
        skan_status threw(skan_status status, const char *key = nullptr) const noexcept {
            if (call_) call_->keep(status, key);
            return status;
        }

    private:
        call *call_;
    };

    [[nodiscard]] skan_error **failure() noexcept { return &failure_; }

    /* The exception for an install's status: the exception of the hook that caused the status, otherwise the engine's
     * error; null for an outcome. */
    std::exception_ptr exception(skan_status status, const char *key) const {
        const auto found = key ? by_install_.find({key, status}) : by_install_.end();
        try {
            if (found != by_install_.end()) std::rethrow_exception(found->second);
            ended(status);
        } catch (...) {
            return std::current_exception();
        }
        return nullptr;
    }

    /* Returns the outcome. If `status` is an error, throws the exception of the hook that caused it, otherwise the
     * engine's error. */
    outcome ended(skan_status status) const {
        if (status < SKAN_ERROR_INVALID_ARGUMENT) return static_cast<outcome>(status);
        for (const thrown &slot : thrown_)
            if (slot.exception && slot.status == status) std::rethrow_exception(slot.exception);
        throw error(status, skan_error_message(failure_));
    }

private:
    struct thrown {
        skan_status status = SKAN_OK;
        std::exception_ptr exception;
    };

    /* A later exception replaces an earlier one: hooks are called again after a failure. */
    void keep(skan_status status, const char *key) noexcept {
        if (is_for_many_ && key) {
            try {
                by_install_[{key, status}] = std::current_exception();
                return;
            } catch (...) { /* no memory: keep it without the install, below */
            }
        }
        for (thrown &slot : thrown_)
            if (slot.status == status || !slot.exception) {
                slot = {status, std::current_exception()};
                return;
            }
    }

    static call *&running() noexcept {
        static thread_local call *current = nullptr;
        return current;
    }

    skan_error *failure_ = nullptr;
    std::array<thrown, 7> thrown_; /* store, conflict, unknown, transport, its unknown, limit, clock */
    std::map<std::pair<std::string, skan_status>, std::exception_ptr> by_install_;
    bool is_for_many_;
};

/* Calls a function of C whose last argument is the error. Returns the outcome, or throws. */
template <typename Function, typename... Arguments> outcome called(Function function, const Arguments &...arguments) {
    call call;
    return call.ended(function(arguments..., call.failure()));
}

} // namespace detail

/* ---------------------------------------------------------------------------------------------------------- hooks */

/* A record, as a store holds it: 1..SKAN_RECORD_MAX opaque bytes, and their version, which is never 0. */
struct record {
    std::string data = {};
    std::uint64_t version = 0;
};

class many_store;

/* Durable storage of records, one per install id: skan_store says what it has to do. The functions are called from any
 * thread, from several at once, also for the same key. They must not call their own engine (SKAN_ERROR_MISUSE). */
class store {
public:
    virtual ~store() = default;

    /* This store, if it can load and save many records at once; otherwise null. */
    [[nodiscard]] virtual many_store *many() noexcept { return nullptr; }

    /* Whether its functions never switch to another coroutine or thread, even if options::switches_stacks is true. */
    [[nodiscard]] virtual bool keeps_stack() const noexcept { return false; }

    /* Returns the record under `key`; nullopt if there is none. Any exception is SKAN_ERROR_STORE. */
    [[nodiscard]] virtual std::optional<record> load(std::string_view key) = 0;

    /* Stores `data` if the stored version is `expected_version` (0: if there is no record), and returns the new
     * version, which this key never had. Throws store_conflict or store_failed; any other exception means that the
     * change may have been applied: the engine then checks. */
    [[nodiscard]] virtual std::uint64_t save(std::string_view key, std::string_view data,
                                             std::uint64_t expected_version) = 0;

    /* Removes the record if its version is `expected_version`. Throws as save does. */
    virtual void remove(std::string_view key, std::uint64_t expected_version) = 0;
};

/* One save of a batch. */
struct record_save {
    std::string_view key = {};
    std::string_view data = {};
    std::uint64_t expected_version = 0;
};

/* The result of one load of a batch: a record, none, or the exception that load would have thrown. */
struct load_result {
    std::optional<skan::record> record = {};
    std::exception_ptr thrown = {};
};

/* The result of one save of a batch: the new version, or the exception that save would have thrown. */
struct save_result {
    std::uint64_t version = 0;
    std::exception_ptr thrown = {};
};

/* A store that loads and saves 1..SKAN_BATCH_MAX records of distinct keys in one round trip. Each function returns one
 * result for each, in their order; another number counts as an exception, which is the result of each item. */
class many_store : public store {
public:
    [[nodiscard]] many_store *many() noexcept final { return this; }
    [[nodiscard]] virtual std::vector<load_result> load_many(const std::vector<std::string_view> &keys) = 0;
    [[nodiscard]] virtual std::vector<save_result> save_many(const std::vector<record_save> &saves) = 0;
};

/* A function that is called whenever a call of one of libskan's stores fails, for a log: with SKAN_ERROR_STORE or
 * SKAN_ERROR_STORE_UNKNOWN, and words without keys, records and passwords. It is called from any thread, from several
 * at once. What it throws is dropped. It must not call the store or its engine. */
using store_report = std::function<void(skan_status status, const std::string &words)>;

/* A clock: skan_clock. It is called from any thread, from several at once. */
class clock {
public:
    virtual ~clock() = default;

    /* Returns microseconds since 1970-01-01T00:00:00Z. Any exception, or -1, is SKAN_ERROR_CLOCK. */
    [[nodiscard]] virtual std::int64_t now() = 0;
};

/* A transport, HTTP GET: skan_transport. It is called from any thread, from several at once. */
class transport {
public:
    virtual ~transport() = default;

    /* Returns the body of an answer of HTTP status 200. The URL contains the SDK key: keep it out of logs. Throws
     * limit_exceeded: the answer is too long; transport_unknown: the endpoint may have counted the event; any other
     * exception is SKAN_ERROR_TRANSPORT. A URL without an event_id must not be sent again after it was sent. */
    [[nodiscard]] virtual std::string get(const std::string &url) = 0;
};

/* Makes a clock from a function. */
[[nodiscard]] inline std::shared_ptr<clock> make_clock(std::function<std::int64_t()> now) {
    class function_clock final : public clock {
    public:
        explicit function_clock(std::function<std::int64_t()> now) : now_(std::move(now)) {}
        std::int64_t now() override { return now_(); }

    private:
        std::function<std::int64_t()> now_;
    };
    return std::make_shared<function_clock>(std::move(now));
}

/* Makes a transport from a function. */
[[nodiscard]] inline std::shared_ptr<transport> make_transport(std::function<std::string(const std::string &)> get) {
    class function_transport final : public transport {
    public:
        explicit function_transport(std::function<std::string(const std::string &)> get) : get_(std::move(get)) {}
        std::string get(const std::string &url) override { return get_(url); }

    private:
        std::function<std::string(const std::string &)> get_;
    };
    return std::make_shared<function_transport>(std::move(get));
}

/* ---------------------------------------------------------------------------------------------- conversion models */

/* A coarse value. */
enum class coarse_value : std::int32_t { low = SKAN_COARSE_LOW, medium = SKAN_COARSE_MEDIUM, high = SKAN_COARSE_HIGH };

/* A conversion model, read and checked (model.h). Copies share it; it never changes. Any thread. */
class model {
public:
    /* skan_model_create. Throws SKAN_ERROR_INVALID_DOCUMENT with the place and the reason. */
    explicit model(std::string_view json) {
        skan_model *made = nullptr;
        detail::called(skan_model_create, json.data(), json.size(), &made);
        model_.reset(made, skan_model_destroy);
    }

    /* skan_model_version; valid as long as a copy of the model exists. */
    [[nodiscard]] std::string_view version() const noexcept {
        return model_ ? skan_model_version(model_.get()) : std::string_view();
    }

    /* The meaning of a value, as the document of skan_model_decode; nullopt: nothing gives the value. At least one of
     * fine (0..63) and coarse is required. Throws SKAN_ERROR_INVALID_ARGUMENT. */
    [[nodiscard]] std::optional<std::string> decode(int window, std::optional<int> fine,
                                                    std::optional<coarse_value> coarse = std::nullopt) const {
        if (fine && (*fine < 0 || *fine > 63)) /* C's words are of -1, too */
            throw error(SKAN_ERROR_INVALID_ARGUMENT, "fine: expected 0 to 63, got " + std::to_string(*fine));
        const int by_coarse = coarse ? static_cast<int>(*coarse) : SKAN_COARSE_NONE;
        char *json = nullptr;
        const outcome found =
            detail::called(skan_model_decode, model_.get(), window, fine.value_or(-1), by_coarse, &json);
        return found == outcome::ok ? std::optional(detail::taken(json)) : std::nullopt;
    }

    /* The C model, for calls of C; valid as long as a copy of this object exists. */
    [[nodiscard]] skan_model *get() const noexcept { return model_.get(); }

private:
    std::shared_ptr<skan_model> model_;
};

/* ------------------------------------------------------------------------------------------------ what calls take */

/* What brought money: enum skan_revenue_kind. */
enum class revenue_kind : std::int32_t { iap = SKAN_IAP, ad = SKAN_AD };

/* The re-engagements for which purchases and events count if a call names none: enum skan_credit. */
enum class reengagement_credit : std::int32_t { all = SKAN_CREDIT_ALL, newest = SKAN_CREDIT_NEWEST };

/* As the re-engagement of an event or an amount: it counts for the install only. */
inline constexpr std::uint32_t install_alone = SKAN_INSTALL_ALONE;

/* The published endpoint, Singular's, as options::endpoint_url. */
inline constexpr const char *endpoint_singular = SKAN_ENDPOINT_SINGULAR;

/* How an engine is made: skan_options, with empty for NULL. Hooks may be given as unique_ptr too. The engine keeps a
 * share of each until it is destroyed, or its constructor throws. */
struct options {
    unsigned protocol = 4; /* 4 or 3 */
    std::shared_ptr<skan::store> store;
    std::shared_ptr<skan::clock> clock;
    std::shared_ptr<skan::transport> transport;
    std::string endpoint_url;
    std::string sdk_key;
    std::string bundle_id;
    std::string app_version;
    std::vector<skan::model> models; /* the first is for new installs */
    bool switches_stacks = false;    /* whether hooks may switch to another coroutine or thread */
    std::vector<skan::model> reengagement_models;
    skan::reengagement_credit reengagement_credit = skan::reengagement_credit::all;
    unsigned reengagement_cooldown_hours = 0; /* 0..SKAN_COOLDOWN_HOURS_MAX */
};

/* An amount of money, in units of its currency: a text, which is exact, or a number (skan_amount). */
class amount {
public:
    template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>, int> = 0>
    amount(Number number) noexcept : number_(static_cast<double>(number)) {}
    amount(std::string_view text) : text_(text) {}
    amount(std::string text) : text_(std::move(text)) {}
    amount(const char *text) : text_(text) {}
    amount(std::nullptr_t) = delete;

    [[nodiscard]] std::optional<std::string_view> text() const noexcept { return text_; }
    [[nodiscard]] double number() const noexcept { return number_; }

private:
    std::optional<std::string> text_;
    double number_ = 0;
};

/* How register_install registers an install: skan_registration. */
struct registration {
    std::int64_t first_launch = 0; /* Unix seconds; 0 = now */
    bool begins_again = false;     /* whether a later first launch than the install's begins a new life */
    bool keeps_revenue = false;    /* whether the lifetime totals stay then */
};

/* What is known about the device that an event came from: skan_device. Empty = not known. */
struct device {
    std::string os_version = {}; /* iOS version, "16.1" */
    std::string idfv = {};
    std::string idfa = {};
};

/* One amount of a list, with the arguments of engine::update_revenue. What its views show must live until the call
 * ends. */
struct revenue {
    std::string_view install_id = {};
    skan::amount amount = 0;
    std::string_view currency = {};
    revenue_kind kind = revenue_kind::iap;
    std::optional<std::string_view> event_id = {};
    std::uint32_t reengagement = 0; /* as in event */
};

/* A tap on an ad that led back into the app, as the app reports it: skan_reengagement_report, with "" for none. What
 * its views show must live until the call ends. */
struct reengagement_report {
    std::optional<std::string_view> open_id = {};
    std::string_view tag = {}; /* a secret of the device: keep it out of logs */
    std::string_view reference = {};
    std::int64_t opened_at = 0; /* Unix seconds; 0 = now */
    bool is_started = false;
    bool is_overlapping = false;
    std::optional<skan::device> device = {}; /* its os_version is read; nullopt = not known */
};

/* The result of the calls with one id, the worst of their results: enum skan_call_result. */
enum class call_result : std::int32_t {
    failed = SKAN_CALL_FAILED,
    delivered = SKAN_CALL_DELIVERED,
    invalid_tag = SKAN_CALL_INVALID_TAG,
    tag_not_supported = SKAN_CALL_TAG_NOT_SUPPORTED,
};

/* A session or an event, with the money that came with it: skan_event. A name converts to one: calls take "purchase",
 * and {"purchase", "order-1"}. It owns its texts, since it is kept until the answer to its request arrives. */
struct event {
    std::optional<std::string> name = {}; /* nullopt = a session */
    std::optional<std::string> event_id = {};
    skan::device device = {};
    std::optional<skan::amount> amount = {}; /* nullopt = none, and then no currency */
    std::string currency = {};
    revenue_kind kind = revenue_kind::iap;
    std::uint32_t reengagement = 0; /* 0 = as in the engine's options; install_alone = none */

    event() = default;
    template <typename Name = std::optional<std::string_view>,
              std::enable_if_t<std::is_convertible_v<const Name &, std::optional<std::string_view>>, int> = 0>
    event(const Name &of_name, std::optional<std::string_view> of_id = {}, skan::device of_device = {},
          std::optional<skan::amount> of_amount = {}, std::string_view of_currency = {},
          revenue_kind of_kind = revenue_kind::iap, std::uint32_t of_reengagement = 0)
        : name(owned(of_name)),
          event_id(owned(of_id)),
          device(std::move(of_device)),
          amount(std::move(of_amount)),
          currency(of_currency),
          kind(of_kind),
          reengagement(of_reengagement) {}

private:
    static std::optional<std::string> owned(std::optional<std::string_view> text) {
        return text ? std::optional<std::string>(*text) : std::nullopt;
    }
};

/* ------------------------------------------------------------------------------------------------ what calls give */

/* The results of a list of amounts. */
struct [[nodiscard]] many_result {
    std::vector<skan_status> statuses; /* of each item, in their order: an outcome, or an error's status */
    std::exception_ptr error; /* what a call for the first failed item would have thrown, with the item's number in its
                               * message; null if no item failed */

    [[nodiscard]] explicit operator bool() const noexcept { return !error; }
};

/* The result of recording a re-engagement: the outcome, and its number, also for a repeated open; 0 = none. */
struct [[nodiscard]] reengaged {
    skan::outcome outcome = skan::outcome::ok;
    std::uint32_t number = 0;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* Apple's framework that a call is made to: enum skan_framework. */
enum class framework : std::int32_t { skadnetwork = SKAN_SKADNETWORK, adattributionkit = SKAN_ADATTRIBUTIONKIT };

/* The conversion type that a call to AdAttributionKit names: enum skan_conversion_type. */
enum class conversion_type : std::int32_t {
    none = SKAN_CONVERSION_NONE,
    reengagement = SKAN_CONVERSION_REENGAGEMENT,
    install = SKAN_CONVERSION_INSTALL,
};

/* A call that the app makes to Apple: skan_call. */
struct app_call {
    std::uint64_t id = 0;         /* the id of its update, for acknowledge_calls */
    std::uint32_t conversion = 0; /* 0 = the install, otherwise the re-engagement's number */
    skan::framework framework = skan::framework::skadnetwork;
    skan::conversion_type conversion_type = skan::conversion_type::none;
    int window = 0;     /* 0, 1 or 2 */
    int fine_value = 0; /* 0..63 */
    std::optional<skan::coarse_value> coarse_value = {};
    bool lock_window = false;
    std::int64_t timestamp = 0;   /* when the update was decided, Unix seconds */
    std::int64_t valid_until = 0; /* Unix seconds */
    std::optional<std::string> tag = {};
};

/* The calls that wait for the app, in the order in which the app must make them. */
struct [[nodiscard]] calls {
    skan::outcome outcome = skan::outcome::nothing_pending;
    std::vector<app_call> list = {};

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* A new value: skan_update. */
struct update {
    std::uint64_t id = 0;          /* the number of this update of this install, below 2^53 */
    int window = 0;                /* 0, 1 or 2; 0 in SKAN 3 */
    std::optional<int> fine_value; /* 0..63; none: the current one stays */
    std::optional<skan::coarse_value> coarse_value;
    bool lock_window = false;
    std::int64_t timestamp = 0; /* when the update was decided, Unix seconds */
};

/* The outcome of a call, and the update that it gave, if any: only if the outcome is ok, and not even then from a
 * SKAN 3 registration and from calls that give no updates. */
struct result {
    skan::outcome outcome = skan::outcome::ok;
    std::optional<skan::update> update;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* A request for the next conversion value; url and ticket are set only if the outcome is ok. */
struct [[nodiscard]] request {
    skan::outcome outcome = skan::outcome::ok;
    std::string url; /* to GET. It contains the SDK key: keep it out of logs */
    std::uint64_t ticket = 0;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* The answer of a conversion-value endpoint: the body, for HTTP status 200, and the outcome: ok (a value), no_new_value
 * or window_locked; nullopt if the body gives the reason of a refusal. */
struct [[nodiscard]] request_answer {
    std::optional<skan::outcome> outcome;
    std::string json;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* What a conversion model sees: the document of skan_explanation, only if the outcome is ok. */
struct [[nodiscard]] explanation {
    skan::outcome outcome = skan::outcome::ok;
    std::string json;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* Why a re-engagement ended. */
enum class reengagement_end { superseded, host, invalid_tag, tag_not_supported };

/* A re-engagement of an install. Rules, "Re-engagement details". */
struct reengagement {
    /* Exact decimals in the model's currency, with up to 24 places. */
    struct sums {
        std::string iap = "0";
        std::string ad = "0";
    };
    /* Since the tap, and in the window. */
    struct revenue_sums {
        sums conversion = {};
        sums window = {};
    };

    std::uint32_t number = 0;            /* from 1 */
    std::optional<std::string> tag = {}; /* a secret of the device: keep it out of logs */
    std::optional<std::string> open_id = {};
    std::optional<std::string> reference = {};
    std::int64_t start = 0;                     /* the time of the tap, Unix seconds */
    std::optional<reengagement_end> ended = {}; /* none: it did not end before its windows */
    std::string model = {};                     /* the version of its model */
    int window = 0;                             /* that of the counts: 0, 1 or 2 */
    std::int64_t sessions = 0;
    std::map<std::string, std::int64_t> events = {}; /* counts by name */
    revenue_sums revenue = {};
    int fine_value = 0; /* 0..63 */
    std::array<std::optional<skan::coarse_value>, 3> coarse_value = {}; /* of each window */
    std::array<std::optional<std::int64_t>, 3> window_lock = {};        /* of each window, Unix seconds */
    std::optional<skan::update> update = {};                            /* the last one */
    bool delivered = false;                                             /* whether this update was delivered */
};

/* Exact decimals by currency, {"USD", "4.99"}. */
using revenue_table = std::map<std::string, std::string>;

/* A postback window of an install. */
struct window_details {
    std::optional<skan::coarse_value> coarse_value = {};
    std::optional<skan::coarse_value> previous_coarse_value = {};
    std::optional<std::int64_t> lock_timestamp = {}; /* when the window was locked, Unix seconds */
    revenue_table iap_revenue = {};                  /* while the window was open */
    revenue_table ad_revenue = {};
};

/* The whole state of an install. Rules, "Details". */
struct details {
    std::optional<int> fine_value = {};               /* 0..63 */
    std::optional<int> previous_fine_value = {};      /* 0..63 */
    std::optional<std::int64_t> first_timestamp = {}; /* when it was registered, Unix seconds; none: it is not */
    std::optional<std::int64_t> last_timestamp = {};  /* when the newest value was accepted, Unix seconds */
    revenue_table iap_revenue = {};                   /* of the whole lifetime */
    revenue_table ad_revenue = {};
    std::array<window_details, 3> windows = {}; /* SKAN 3: all are empty */
    std::vector<skan::reengagement> reengagements = {}; /* by number */
    std::string json = {}; /* the document of skan_details, which import_details takes */
};

/* ------------------------------------------------------------------------------------------- between C++ and C */

namespace detail {

/* A hook's object that is passed to an engine. The engine deletes it through `finalize`. If skan_create refuses the
 * sizes of the call, this object deletes it. */
template <typename Object> class lent {
public:
    explicit lent(const std::shared_ptr<Object> &object)
        : context_(object ? new context{object, &finalized_} : nullptr) {}
    ~lent() {
        if (!finalized_) delete context_;
    }
    lent(const lent &) = delete;
    lent &operator=(const lent &) = delete;

    [[nodiscard]] void *get() const noexcept { return context_; }
    explicit operator bool() const noexcept { return context_ != nullptr; }

    /* Notes that skan_create took ownership. */
    void release() noexcept {
        if (context_) context_->finalized = nullptr;
        context_ = nullptr;
    }

    static Object &object(void *pointer) noexcept { return *static_cast<context *>(pointer)->object; }
    static void finalize(void *pointer) noexcept {
        context *ended = static_cast<context *>(pointer);
        if (ended->finalized) *ended->finalized = true;
        try {
            delete ended;
        } catch (...) {
        }
    }

private:
    struct context {
        std::shared_ptr<Object> object;
        bool *finalized;
    };

    bool finalized_ = false;
    context *context_;
};

/* The C side of each hook. Nothing is thrown through C. */

/* Answers a load with what was found. */
inline skan_status answer(const std::optional<record> &found, skan_buffer *out, std::uint64_t *version) {
    if (!found) return SKAN_NOT_FOUND;
    if (skan_buffer_set(out, found->data.data(), found->data.size()) != SKAN_OK)
        throw store_failed("the store's record has " + std::to_string(found->data.size()) + " bytes");
    *version = found->version;
    return SKAN_OK;
}

inline skan_status load(void *context, const char *key, skan_buffer *out, std::uint64_t *version) noexcept {
    const call::hook hook;
    try {
        return answer(lent<store>::object(context).load(key), out, version);
    } catch (...) {
        return hook.threw(SKAN_ERROR_STORE, key);
    }
}

/* Keeps the exception of a save or a remove and returns its status. For use in an exception handler. */
inline skan_status write_threw(const call::hook &hook, const char *key) noexcept {
    try {
        throw;
    } catch (const store_conflict &) {
        return hook.threw(SKAN_ERROR_STORE_CONFLICT, key);
    } catch (const store_failed &) {
        return hook.threw(SKAN_ERROR_STORE, key);
    } catch (...) {
        return hook.threw(SKAN_ERROR_STORE_UNKNOWN, key);
    }
}

inline skan_status save(void *context, const char *key, const void *data, std::size_t length,
                        std::uint64_t expected_version, std::uint64_t *new_version) noexcept {
    const call::hook hook;
    try {
        const std::string_view bytes(static_cast<const char *>(data), length);
        *new_version = lent<store>::object(context).save(key, bytes, expected_version);
        return SKAN_OK;
    } catch (...) {
        return write_threw(hook, key);
    }
}

/* Loads items; an item whose status is not set has failed. */
inline void load_many(void *context, skan_load_item *items, std::size_t count) noexcept {
    const call::hook hook;
    try {
        std::vector<std::string_view> keys;
        keys.reserve(count);
        for (std::size_t i = 0; i < count; i++) keys.emplace_back(items[i].key);
        const std::vector<load_result> results = lent<store>::object(context).many()->load_many(keys);
        if (results.size() != count)
            throw store_failed("load_many answered " + std::to_string(results.size()) + " results for " +
                               std::to_string(count) + " keys");
        for (std::size_t i = 0; i < count; i++) {
            try {
                if (results[i].thrown) std::rethrow_exception(results[i].thrown);
                items[i].status = answer(results[i].record, items[i].out, &items[i].version);
            } catch (...) {
                items[i].status = hook.threw(SKAN_ERROR_STORE, items[i].key);
            }
        }
    } catch (...) {
        for (std::size_t i = 0; i < count; i++) hook.threw(SKAN_ERROR_STORE, items[i].key);
    }
}

/* Saves items; an item whose status is not set may have been applied. */
inline void save_many(void *context, skan_save_item *items, std::size_t count) noexcept {
    const call::hook hook;
    try {
        std::vector<record_save> saves;
        saves.reserve(count);
        for (std::size_t i = 0; i < count; i++)
            saves.push_back({items[i].key,
                             {static_cast<const char *>(items[i].data), items[i].length},
                             items[i].expected_version});
        const std::vector<save_result> results = lent<store>::object(context).many()->save_many(saves);
        if (results.size() != count)
            throw std::length_error("save_many answered " + std::to_string(results.size()) + " results for " +
                                    std::to_string(count) + " saves");
        for (std::size_t i = 0; i < count; i++) {
            try {
                if (results[i].thrown) std::rethrow_exception(results[i].thrown);
                items[i].new_version = results[i].version;
                items[i].status = SKAN_OK;
            } catch (...) {
                items[i].status = write_threw(hook, items[i].key);
            }
        }
    } catch (...) {
        for (std::size_t i = 0; i < count; i++) items[i].status = write_threw(hook, items[i].key);
    }
}

inline skan_status remove(void *context, const char *key, std::uint64_t expected_version) noexcept {
    const call::hook hook;
    try {
        lent<store>::object(context).remove(key, expected_version);
        return SKAN_OK;
    } catch (...) {
        return write_threw(hook, key);
    }
}

inline std::int64_t now(void *context) noexcept {
    const call::hook hook;
    try {
        return lent<clock>::object(context).now();
    } catch (...) {
        hook.threw(SKAN_ERROR_CLOCK);
        return -1;
    }
}

inline skan_status get(void *context, const char *url, skan_buffer *body) noexcept {
    const call::hook hook;
    try {
        const std::string answer = lent<transport>::object(context).get(url);
        if (skan_buffer_set(body, answer.data(), answer.size()) != SKAN_OK)
            throw limit_exceeded("the endpoint's answer has " + std::to_string(answer.size()) + " bytes");
        return SKAN_OK;
    } catch (const limit_exceeded &) {
        return hook.threw(SKAN_ERROR_LIMIT_EXCEEDED);
    } catch (const error &failure) {
        const bool is_unknown = failure.status() == SKAN_ERROR_TRANSPORT_UNKNOWN;
        return hook.threw(is_unknown ? SKAN_ERROR_TRANSPORT_UNKNOWN : SKAN_ERROR_TRANSPORT);
    } catch (...) {
        return hook.threw(SKAN_ERROR_TRANSPORT);
    }
}

/* The error text that a companion's hook reported on this thread, before it returned. */
inline std::string &reported_words() {
    static thread_local std::string words;
    return words;
}

/* The C side of a companion's report; the context is a store_report, or null. */
inline void report_words(void *context, skan_status status, const char *message) noexcept {
    try {
        reported_words().clear();
        reported_words() = message;
        const store_report *report = static_cast<const store_report *>(context);
        if (report && *report) (*report)(status, reported_words());
    } catch (...) {
    }
}

/* An amount in C's form. */
class c_amount {
public:
    explicit c_amount(const amount &amount) : text_("amount", amount.text()), number_(amount.number()) {}
    operator skan_amount() const noexcept { return {text_, number_}; }

private:
    c_text text_;
    double number_;
};

inline std::optional<coarse_value> given(std::int32_t coarse) noexcept {
    return coarse == SKAN_COARSE_NONE ? std::nullopt : std::optional(static_cast<coarse_value>(coarse));
}

inline std::optional<update> given(const skan_update &update) {
    if (update.id == 0) return std::nullopt;
    const std::optional<int> fine = update.fine_value < 0 ? std::nullopt : std::optional<int>(update.fine_value);
    return skan::update{update.id,          update.window,    fine, given(update.coarse_value),
                        update.lock_window, update.timestamp};
}

inline app_call given(const skan_call &call) {
    return {call.id,
            call.conversion,
            static_cast<framework>(call.framework),
            static_cast<conversion_type>(call.conversion_type),
            call.window,
            call.fine_value,
            given(call.coarse_value),
            call.lock_window,
            call.timestamp,
            call.valid_until,
            call.tag[0] ? std::optional<std::string>(call.tag) : std::nullopt};
}

/* A value of a JSON document: the content of a text, or the text of anything else. */
class json_value {
public:
    json_value() = default;
    json_value(std::int32_t kind, std::string text) : kind_(kind), text_(std::move(text)) {}

    [[nodiscard]] std::optional<std::string> text() const {
        return kind_ == SKAN_JSON_NULL ? std::nullopt : std::optional(text_);
    }

    [[nodiscard]] bool is_true() const noexcept { return kind_ == SKAN_JSON_TRUE; }

    template <typename Integer = int> [[nodiscard]] std::optional<Integer> integer() const {
        if (kind_ == SKAN_JSON_NULL) return std::nullopt;
        Integer number = 0;
        const char *const end = text_.data() + text_.size();
        const std::from_chars_result read = std::from_chars(text_.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end) throw unexpected();
        return number;
    }

    [[nodiscard]] std::optional<coarse_value> coarse() const {
        return given(integer<std::int32_t>().value_or(SKAN_COARSE_NONE));
    }

    [[nodiscard]] std::optional<reengagement_end> end() const {
        if (kind_ == SKAN_JSON_NULL) return std::nullopt;
        constexpr std::array<std::string_view, 4> names = {"superseded", "host", "invalid tag", "tag not supported"};
        const auto found = std::find(names.begin(), names.end(), text_);
        if (found == names.end()) throw unexpected();
        return static_cast<reengagement_end>(found - names.begin());
    }

    /* The elements of an array; none of null. */
    [[nodiscard]] std::vector<json_value> elements() const;

private:
    /* The library is newer than this header, and writes what the header does not know. */
    [[nodiscard]] error unexpected() const {
        return error(SKAN_ERROR_MISUSE, "a document of libskan " + std::string(version()) + " has \"" + text_ + "\"");
    }

    std::int32_t kind_ = SKAN_JSON_NULL;
    std::string text_;
};

/* A JSON object, read by skan_json_read. */
class json_object {
public:
    json_object() = default;
    explicit json_object(std::string_view json) {
        reading reading{&members_, nullptr};
        call call;
        const skan_status status = skan_json_read(json.data(), json.size(), visit, &reading, call.failure());
        if (reading.thrown) std::rethrow_exception(reading.thrown);
        call.ended(status);
    }
    explicit json_object(const json_value &value) {
        if (const std::optional<std::string> text = value.text()) *this = json_object(std::string_view(*text));
    }

    /* The value of a member; null if there is no such member. */
    [[nodiscard]] json_value operator[](std::string_view key) const {
        const auto found = members_.find(key);
        return found == members_.end() ? json_value() : found->second;
    }

    /* The members by name, each as `of` reads it. */
    template <typename Read> [[nodiscard]] auto table(Read of) const {
        std::map<std::string, decltype(of(json_value()))> read;
        for (const auto &[key, value] : members_) read.emplace(key, of(value));
        return read;
    }

private:
    using members = std::map<std::string, json_value, std::less<>>;
    struct reading {
        members *into;
        std::exception_ptr thrown;
    };

    static void visit(void *context, const skan_json_member *member) noexcept {
        reading &reading = *static_cast<struct reading *>(context);
        try {
            reading.into->insert_or_assign(std::string(member->key, member->key_length),
                                           json_value(member->kind, std::string(member->text, member->text_length)));
        } catch (...) {
            reading.thrown = std::current_exception();
        }
    }

    members members_;
};

/* skan_json_read reads objects: each element is read as the only member of one. */
inline std::vector<json_value> json_value::elements() const {
    std::vector<json_value> found;
    if (kind_ != SKAN_JSON_ARRAY || text_ == "[]") return found;
    std::size_t start = 1, depth = 0;
    bool is_in_text = false;
    for (std::size_t at = 1; at < text_.size(); at++) {
        const char byte = text_[at];
        if (is_in_text) {
            if (byte == '\\') at++;
            is_in_text = byte != '"';
        } else if (byte == '"') {
            is_in_text = true;
        } else if (byte == '[' || byte == '{') {
            depth++;
        } else if (depth > 0) {
            if (byte == ']' || byte == '}') depth--;
        } else if (byte == ',' || byte == ']') {
            found.push_back(json_object("{\"0\":" + text_.substr(start, at - start) + "}")["0"]);
            start = at + 1;
        }
    }
    return found;
}

inline revenue_table revenue_of(const json_value &table) {
    return json_object(table).table([](const json_value &amount) { return amount.text().value_or(""); });
}

inline reengagement::sums sums_of(const json_value &sums) {
    const json_object object(sums);
    return {object["iap"].text().value_or("0"), object["ad"].text().value_or("0")};
}

inline std::optional<update> update_of(const json_value &update) {
    const json_object object(update);
    const std::optional<std::uint64_t> id = object["id"].integer<std::uint64_t>();
    if (!id) return std::nullopt;
    return skan::update{*id,
                        object["window"].integer().value_or(0),
                        object["fine_value"].integer(),
                        object["coarse_value"].coarse(),
                        object["lock_window"].is_true(),
                        object["timestamp"].integer<std::int64_t>().value_or(0)};
}

inline reengagement reengagement_of(const json_value &value) {
    const json_object object(value), revenue(object["revenue"]);
    reengagement read;
    read.number = object["number"].integer<std::uint32_t>().value_or(0);
    read.tag = object["tag"].text();
    read.open_id = object["open_id"].text();
    read.reference = object["reference"].text();
    read.start = object["start"].integer<std::int64_t>().value_or(0);
    read.ended = object["ended"].end();
    read.model = object["model"].text().value_or("");
    read.window = object["window"].integer().value_or(0);
    read.sessions = object["sessions"].integer<std::int64_t>().value_or(0);
    read.events = json_object(object["events"]).table([](const json_value &count) {
        return count.integer<std::int64_t>().value_or(0);
    });
    read.revenue = {sums_of(revenue["conversion"]), sums_of(revenue["window"])};
    read.fine_value = object["fine_value"].integer().value_or(0);
    const std::vector<json_value> coarse = object["coarse_value"].elements(), locks = object["window_lock"].elements();
    for (std::size_t i = 0; i < coarse.size() && i < read.coarse_value.size(); i++)
        read.coarse_value[i] = coarse[i].coarse();
    for (std::size_t i = 0; i < locks.size() && i < read.window_lock.size(); i++)
        read.window_lock[i] = locks[i].integer<std::int64_t>();
    read.update = update_of(object["update"]);
    read.delivered = object["delivered"].is_true();
    return read;
}

inline std::vector<reengagement> reengagements_of(const json_value &array) {
    std::vector<reengagement> read;
    for (const json_value &each : array.elements()) read.push_back(reengagement_of(each));
    return read;
}

/* Details of either protocol; what SKAN 3 does not have is absent. */
inline details details_of(std::string json) {
    const json_object object{std::string_view(json)};
    details read;
    read.fine_value = object["skan_current_conversion_value"].integer();
    if (!read.fine_value) read.fine_value = object["skan_conversion_value"].integer();
    read.previous_fine_value = object["prev_fine_value"].integer();
    read.first_timestamp = object["skan_first_call_to_skadnetwork_timestamp"].integer<std::int64_t>();
    read.last_timestamp = object["skan_last_call_to_skadnetwork_timestamp"].integer<std::int64_t>();
    read.iap_revenue = revenue_of(object["skan_total_revenue_by_currency"]);
    read.ad_revenue = revenue_of(object["skan_total_admon_revenue_by_currency"]);
    for (std::size_t i = 0; i < read.windows.size(); i++) {
        const std::string window = "p" + std::to_string(i) + "_";
        read.windows[i] = {object[window + "coarse"].coarse(), object[window + "prev_coarse_value"].coarse(),
                           object[window + "window_lock"].integer<std::int64_t>(),
                           revenue_of(object[window + "total_iap_revenue"]),
                           revenue_of(object[window + "total_admon_revenue"])};
    }
    read.reengagements = reengagements_of(object["reengagements"]);
    read.json = std::move(json);
    return read;
}

} // namespace detail

/* --------------------------------------------------------------------------------------------------------- engine */

/*
 * An engine, which applies the rules of one protocol to one store. Move-only; a moved-from engine answers every call
 * with SKAN_ERROR_INVALID_ARGUMENT. Destroying an engine releases its hooks. It is forbidden inside one of them, and
 * while another thread is in a call.
 *
 * Each function does what the C function of its name does, which gives the units, limits and rules of its arguments.
 * Of the statuses that are listed there, those below 100 are outcomes, the others are thrown as skan::error; if a hook
 * caused the error by throwing, the hook's exception is thrown instead.
 */
class engine {
public:
    /* skan_create. Throws also SKAN_ERROR_MISUSE: the linked library has another ABI than this header. */
    explicit engine(const skan::options &options) {
        if (skan_abi_version() != SKAN_ABI_VERSION)
            throw error(SKAN_ERROR_MISUSE, "libskan has ABI " + std::to_string(skan_abi_version()) +
                                               ", this program was built for " + std::to_string(SKAN_ABI_VERSION));
        const detail::c_text endpoint_url("endpoint_url", options.endpoint_url);
        const detail::c_text sdk_key("sdk_key", options.sdk_key);
        const detail::c_text bundle_id("bundle_id", options.bundle_id);
        const detail::c_text app_version("app_version", options.app_version);

        detail::lent<skan::store> store(options.store);
        detail::lent<skan::clock> clock(options.clock);
        detail::lent<skan::transport> transport(options.transport);
        auto store_hooks = detail::sized<skan_store>();
        store_hooks.context = store.get();
        store_hooks.load = detail::load;
        store_hooks.save = detail::save;
        store_hooks.remove = detail::remove;
        store_hooks.finalize = store.finalize;
        store_hooks.keeps_stack = options.store && options.store->keeps_stack();
        if (options.store && options.store->many()) {
            store_hooks.load_many = detail::load_many;
            store_hooks.save_many = detail::save_many;
        }
        const skan_clock clock_hooks = {sizeof(skan_clock), clock.get(), detail::now, clock.finalize};
        const skan_transport transport_hooks = {sizeof(skan_transport), transport.get(), detail::get,
                                                transport.finalize};

        auto chosen = detail::sized<skan_options>();
        chosen.protocol = options.protocol;
        chosen.store = store ? &store_hooks : nullptr;
        chosen.clock = clock ? &clock_hooks : nullptr;
        chosen.transport = transport ? &transport_hooks : nullptr;
        if (!options.endpoint_url.empty()) chosen.endpoint_url = endpoint_url;
        chosen.sdk_key = sdk_key;
        chosen.bundle_id = bundle_id;
        chosen.app_version = app_version;
        std::vector<skan_model *> models, reengagement_models;
        for (const skan::model &model : options.models) models.push_back(model.get());
        for (const skan::model &model : options.reengagement_models) reengagement_models.push_back(model.get());
        chosen.models = models.data();
        chosen.model_count = models.size();
        chosen.switches_stacks = options.switches_stacks;
        chosen.reengagement_models = reengagement_models.data();
        chosen.reengagement_model_count = reengagement_models.size();
        chosen.reengagement_credit = static_cast<std::int32_t>(options.reengagement_credit);
        chosen.reengagement_cooldown_hours = options.reengagement_cooldown_hours;

        skan_engine *made = nullptr;
        detail::called(skan_create, &chosen, &made);
        store.release();
        clock.release();
        transport.release();
        engine_.reset(made);
    }

    /* Registers the install, at its first launch: skan_register. Outcomes: ok, already_registered. */
    result register_install(std::string_view install_id, const skan::registration &registration = {}) {
        const skan_registration given = {sizeof given, registration.first_launch, registration.begins_again,
                                         registration.keeps_revenue};
        return updating(skan_register, install_id, &given);
    }

    /* Adds a purchase, an ad impression's revenue or, if negative, a refund. Use an event id wherever a call may be
     * repeated. Outcomes: ok, duplicate_event. */
    result update_revenue(std::string_view install_id, const amount &amount, std::string_view currency,
                          revenue_kind kind = revenue_kind::iap,
                          std::optional<std::string_view> event_id = std::nullopt) {
        const detail::c_amount number(amount);
        const detail::c_text money("currency", currency), event("event_id", event_id);
        return {ended(skan_update_revenue, install_id, number, money, static_cast<std::int32_t>(kind), event), {}};
    }

    /* Does what update_revenue does, for each item in their order, in few round trips if the store is a many_store. A
     * failed item throws nothing: the result has the status of each. If the whole call fails, it throws. */
    many_result update_revenue_many(const std::vector<revenue> &items) {
        std::vector<std::string> texts;
        texts.reserve(4 * items.size()); /* enough: a text keeps its address */
        std::vector<skan_revenue> given(items.size());
        std::size_t refused = items.size();
        std::exception_ptr refusal;
        for (std::size_t i = 0; i < items.size(); i++) {
            given[i] = detail::sized<skan_revenue>();
            try {
                const char *install_id = kept(texts, "install_id", items[i].install_id);
                given[i].currency = kept(texts, "currency", items[i].currency);
                if (items[i].event_id) given[i].event_id = kept(texts, "event_id", *items[i].event_id);
                given[i].amount.number = items[i].amount.number();
                if (items[i].amount.text()) given[i].amount.text = kept(texts, "amount", *items[i].amount.text());
                given[i].kind = static_cast<std::int32_t>(items[i].kind);
                given[i].reengagement = items[i].reengagement;
                given[i].install_id = install_id;
            } catch (const error &wrong) {
                /* The item is passed on without an install id, so that C refuses it too. */
                if (refusal) continue;
                refused = i;
                refusal = std::make_exception_ptr(
                    error(wrong.status(), "items[" + std::to_string(i) + "]: " + wrong.what()));
            }
        }
        many_result result;
        result.statuses.resize(items.size());
        detail::call call(true);
        const skan_status status = skan_update_revenue_many(engine_.get(), given.data(), given.size(),
                                                            result.statuses.data(), call.failure());
        const std::string_view message = skan_error_message(*call.failure());
        if (status >= SKAN_ERROR_INVALID_ARGUMENT && message.substr(0, 6) != "items[") call.ended(status);
        const auto is_error = [](skan_status each) { return each >= SKAN_ERROR_INVALID_ARGUMENT; };
        const auto found = std::find_if(result.statuses.begin(), result.statuses.end(), is_error);
        const std::size_t first = static_cast<std::size_t>(found - result.statuses.begin());
        result.error = call.exception(status, first < given.size() ? given[first].install_id : nullptr);
        if (refusal && first == refused) result.error = refusal;
        return result;
    }

    /* Reports a session or an event, and decides the next conversion values. event: "purchase", {"purchase", "order-1"}
     * and so on; {} = a session. Outcomes: those of apply_response. */
    result update_conversion_values(std::string_view install_id, const event &event = {}) {
        return updating(skan_update_conversion_values, install_id, c_event(event));
    }

    /* Makes the request for the next conversion value, for hosts with an HTTP client of their own. Outcomes: ok,
     * duplicate_event, not_registered, window_closed. */
    request conversion_request(std::string_view install_id, const event &event = {}) {
        char *url = nullptr;
        std::uint64_t ticket = 0;
        const outcome outcome = ended(skan_conversion_request, install_id, c_event(event), &url, &ticket);
        return {outcome, detail::taken(url), ticket};
    }

    /* Applies the endpoint's answer (HTTP status 200 only) to the request for an event. ticket: the request's, or 0.
     * Outcomes: ok, duplicate_event, no_new_value, stale_response, window_locked, window_closed, not_registered. */
    result apply_response(std::string_view install_id, const event &event, std::uint64_t ticket,
                          std::string_view body) {
        return updating(skan_apply_response, install_id, c_event(event), ticket, body.data(), body.size());
    }

    /* Explains what the install's conversion model sees now, or that of a re-engagement (its number; 0 = the install),
     * and which of its rules applies. Outcomes: ok, not_registered, not_found, window_closed. */
    skan::explanation explanation(std::string_view install_id, std::uint32_t reengagement = 0) {
        return document(skan_explanation, install_id, reengagement);
    }

    /* Answers a request to a conversion-value endpoint. target: path and query exactly as in the request line. */
    request_answer answer_request(std::string_view target) {
        const detail::c_text from("target", target);
        detail::call call;
        char *json = nullptr;
        const skan_status status = skan_answer_request(engine_.get(), from, &json, call.failure());
        std::string body = detail::taken(json);
        if (status == SKAN_ERROR_REJECTED) return {std::nullopt, std::move(body)};
        return {call.ended(status), std::move(body)};
    }

    /* Records a re-engagement. Outcomes: ok, duplicate_event, window_closed, unsupported. */
    reengaged reengage(std::string_view install_id, const reengagement_report &report) {
        const detail::c_text open_id("open_id", report.open_id), tag("tag", report.tag);
        const detail::c_text reference("reference", report.reference);
        const c_device from(report.device.value_or(device()));
        auto given = detail::sized<skan_reengagement_report>();
        given.open_id = open_id;
        given.tag = tag;
        given.reference = reference;
        given.opened_at = report.opened_at;
        given.is_started = report.is_started;
        given.is_overlapping = report.is_overlapping;
        given.device = from;
        std::uint32_t number = 0;
        const outcome outcome = ended(skan_reengage, install_id, &given, &number);
        return {outcome, number};
    }

    /* Gives the calls that wait for the app, in the order in which the app must make them; those that the device's
     * system does not have are omitted, if its version is given. Outcomes: ok, nothing_pending. */
    calls pending_calls(std::string_view install_id, const device &device = {}) {
        const c_device from(device);
        std::array<skan_call, SKAN_CALLS_MAX> list;
        list[0].size = sizeof(skan_call);
        std::size_t count = 0;
        calls found;
        found.outcome = ended(skan_pending_calls, install_id, from, list.data(), list.size(), &count);
        for (std::size_t i = 0; i < count; i++) found.list.push_back(detail::given(list[i]));
        return found;
    }

    /* Gives the same calls as the JSON that a server sends to its app. */
    [[nodiscard]] std::string pending_calls_json(std::string_view install_id, const device &device = {}) {
        return document(skan_pending_calls_json, install_id, c_device(device)).json;
    }

    /* Reports the results of a list's calls, in the order of the list: one result for each id. */
    void acknowledge_calls(std::string_view install_id,
                           const std::vector<std::pair<std::uint64_t, call_result>> &results) {
        std::vector<skan_acknowledgement> given;
        for (const auto &[id, result] : results)
            given.push_back({sizeof(skan_acknowledgement), id, static_cast<std::int32_t>(result)});
        ended(skan_acknowledge_calls, install_id, given.data(), given.size());
    }

    /* Ends a re-engagement: from then on it counts nothing and has no calls. Outcomes: ok, not_found. */
    outcome end_reengagement(std::string_view install_id, std::uint32_t number) {
        return ended(skan_end_reengagement, install_id, number);
    }

    /* Gives the re-engagements that are kept, by number. */
    [[nodiscard]] std::vector<skan::reengagement> reengagements(std::string_view install_id) {
        return detail::reengagements_of({SKAN_JSON_ARRAY, document(skan_reengagements, install_id).json});
    }

    /* Gives the whole state. */
    [[nodiscard]] skan::details details(std::string_view install_id) {
        return detail::details_of(document(skan_details, install_id).json);
    }

    /* Gives the metadata that the host adds to its S2S session and event calls, "a=1&b=2". */
    [[nodiscard]] std::string metadata(std::string_view install_id) {
        return document(skan_metadata, install_id).json;
    }

    /* Imports the state of an install that has no record here. Outcomes: ok, already_registered. */
    result import_details(std::string_view install_id, std::string_view json) {
        return {ended(skan_import_details, install_id, json.data(), json.size()), {}};
    }

    /* Deletes the install's record, whatever it holds. */
    void forget(std::string_view install_id) { ended(skan_forget, install_id); }

    /* Gives the install `old_id` the id `new_id`: its whole record moves. Calling again after a failure or a kill ends
     * it. Outcomes: ok, not_found (`old_id` has no record), already_registered (`new_id` has one). */
    outcome rename(std::string_view old_id, std::string_view new_id) {
        const detail::c_text from("old_id", old_id), to("new_id", new_id);
        return detail::called(skan_rename, engine_.get(), from, to);
    }

    /* The C engine, owned by this object, for calls of C. */
    [[nodiscard]] skan_engine *get() const noexcept { return engine_.get(); }

private:
    /* A device in C's form. */
    class c_device {
    public:
        explicit c_device(const device &device)
            : os_version_("device.os_version", device.os_version),
              idfv_("device.idfv", device.idfv),
              idfa_("device.idfa", device.idfa),
              device_{sizeof(skan_device), os_version_, idfv_, idfa_} {}
        operator const skan_device *() const noexcept { return &device_; }

    private:
        detail::c_text os_version_, idfv_, idfa_;
        skan_device device_;
    };

    /* An event in C's form. An amount without a currency gets an empty currency, and a currency without an amount an
     * empty amount, which C refuses. */
    class c_event {
    public:
        explicit c_event(const event &event)
            : name_("event_name", event.name),
              id_("event_id", event.event_id),
              currency_("currency", event.currency),
              amount_(event.amount.value_or(event.currency.empty() ? amount(0) : amount(""))),
              device_(event.device) {
            event_.name = name_;
            event_.event_id = id_;
            event_.device = device_;
            event_.amount = amount_;
            if (event.amount || !event.currency.empty()) event_.currency = currency_;
            event_.kind = static_cast<std::int32_t>(event.kind);
            event_.reengagement = event.reengagement;
        }
        operator const skan_event *() const noexcept { return &event_; }

    private:
        detail::c_text name_, id_, currency_;
        detail::c_amount amount_;
        c_device device_;
        skan_event event_ = detail::sized<skan_event>();
    };

    /* Calls a function of C. */
    template <typename Function, typename... Arguments>
    outcome ended(Function function, std::string_view install_id, const Arguments &...arguments) {
        return detail::called(function, engine_.get(), detail::c_text("install_id", install_id), arguments...);
    }

    /* Calls a function that gives an update. */
    template <typename Function, typename... Arguments>
    result updating(Function function, std::string_view install_id, const Arguments &...arguments) {
        auto update = detail::sized<skan_update>();
        const outcome outcome = ended(function, install_id, arguments..., &update);
        return {outcome, detail::given(update)};
    }

    /* Calls a function that gives a text. */
    template <typename Function, typename... Arguments>
    skan::explanation document(Function function, std::string_view install_id, const Arguments &...arguments) {
        char *text = nullptr;
        const outcome outcome = ended(function, install_id, arguments..., &text);
        return {outcome, detail::taken(text)};
    }

    /* A view as C text, in a vector that has enough room for it. */
    static const char *kept(std::vector<std::string> &texts, const char *name, std::string_view view) {
        detail::c_text(name, view);
        return texts.emplace_back(view).c_str();
    }

    struct destroy {
        void operator()(skan_engine *engine) const noexcept { skan_destroy(engine); }
    };
    std::unique_ptr<skan_engine, destroy> engine_;
};

/* --------------------------------------------------------------------------------------------------------- records */

/* The data of a record: skan_record. */
struct record_content {
    unsigned protocol = 4; /* 4 or 3 */
    bool is_registered = false;
    std::int64_t first_timestamp = 0; /* Unix seconds, 0 = none, as the next two */
    std::int64_t last_timestamp = 0;
    std::int64_t closes_at = 0; /* when the last postback window closes */
    skan::details details = {};
};

/* skan_record_read: reads a record of either protocol without an engine. Any thread. Throws SKAN_ERROR_CORRUPT_RECORD,
 * SKAN_ERROR_RECORD_TOO_NEW. */
[[nodiscard]] inline record_content read_record(std::string_view data) {
    auto record = detail::sized<skan_record>();
    char *json = nullptr;
    detail::called(skan_record_read, data.data() ? data.data() : "", data.size(), &record, &json);
    return {record.protocol,       record.is_registered, record.first_timestamp,
            record.last_timestamp, record.closes_at,     detail::details_of(detail::taken(json))};
}

} // namespace skan

#endif /* SKAN_SKAN_HPP */

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
 *         engine.acknowledge_calls("player-1", {{2, skan::call_result::delivered}}); // ... and note what it reports
 *     }
 *
 * skan.h, store.h, model.h and reengagement.h describe the rules and the meaning of every call. This header adds:
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

/* The outcome of a call that did not fail. Every outcome but `ok` changed nothing. The numbers are those of skan.h. */
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
    not_found = SKAN_NOT_FOUND,     /* no re-engagement with this number is kept */
    unsupported = SKAN_UNSUPPORTED, /* the system has no re-engagements */
};

/* The name of a status or outcome as in skan.h, "SKAN_STALE_RESPONSE". Static text, NUL-terminated. */
[[nodiscard]] inline std::string_view status_name(skan_status status) noexcept {
    return skan_status_name(status);
}
[[nodiscard]] inline std::string_view status_name(outcome outcome) noexcept {
    return skan_status_name(static_cast<skan_status>(outcome));
}

/* The version of the linked library, "1.0.0". Static text, NUL-terminated. */
[[nodiscard]] inline std::string_view version() noexcept {
    return skan_version();
}

/* The failure of a call. what() is the message of skan.h, unchanged. For SKAN_ERROR_REJECTED it is the endpoint's
 * reason, with the option that sets the refused item, or libskan's own words if the answer gave no reason. */
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
    std::array<thrown, 6> thrown_; /* store, conflict, unknown, transport, limit, clock */
    std::map<std::pair<std::string, skan_status>, std::exception_ptr> by_install_;
    bool is_for_many_;
};

} // namespace detail

/* ---------------------------------------------------------------------------------------------------------- hooks */

/* A record, as a store holds it under a key: 1..SKAN_RECORD_MAX opaque bytes, and their version, which is never 0. */
struct record {
    std::string data = {};
    std::uint64_t version = 0;
};

/*
 * Durable storage of records, one per install id.
 *
 * Every save gives the record another version, even if the bytes are equal. A version is never used twice for a key,
 * not even after a remove: take it from a counter of the whole store, or draw it at random. Keys are 1..128 bytes of
 * UTF-8 without bytes 00-1F and 7F. The functions are called from any thread that uses the engine, and from several
 * threads at once, also for the same key. They must not call their own engine (SKAN_ERROR_MISUSE).
 */
class many_store;

class store {
public:
    virtual ~store() = default;

    /* This store, if it can load and save many records at once; otherwise null. */
    [[nodiscard]] virtual many_store *many() noexcept { return nullptr; }

    /* Returns the record under `key`; nullopt if there is none. Any exception is SKAN_ERROR_STORE. */
    [[nodiscard]] virtual std::optional<record> load(std::string_view key) = 0;

    /* Stores `data` if the stored version is `expected_version` (0: if there is no record), and returns the new
     * version. Throws store_conflict: there is another version or no record, and nothing was changed; store_failed: the
     * change was certainly not applied. Any other exception means that the change may have been applied, for instance
     * after a time-out: the engine then checks. */
    [[nodiscard]] virtual std::uint64_t save(std::string_view key, std::string_view data,
                                             std::uint64_t expected_version) = 0;

    /* Removes the record if its version is `expected_version`. Throws as save does. */
    virtual void remove(std::string_view key, std::uint64_t expected_version) = 0;
};

/* One save of a batch, with the arguments of store::save. */
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

/* A store that loads and saves many records in one round trip, for engine::update_revenue_many. Each function receives
 * 1..SKAN_BATCH_MAX items with distinct keys, and returns one result for each, in their order. Any other number of
 * results counts as an exception. If the function throws, the exception is the result of each item. */
class many_store : public store {
public:
    [[nodiscard]] many_store *many() noexcept final { return this; }
    [[nodiscard]] virtual std::vector<load_result> load_many(const std::vector<std::string_view> &keys) = 0;
    [[nodiscard]] virtual std::vector<save_result> save_many(const std::vector<record_save> &saves) = 0;
};

/* A function that is called whenever a call of one of libskan's stores fails, with the words of the library behind the
 * store: for a log. The status is SKAN_ERROR_STORE or SKAN_ERROR_STORE_UNKNOWN. The words contain no key, record or
 * password. It is called from any thread, also from several at once. An exception that it throws is dropped. It must
 * not call the store or its engine. */
using store_report = std::function<void(skan_status status, const std::string &words)>;

/* A clock. It is called from any thread that uses the engine, also from several at once. */
class clock {
public:
    virtual ~clock() = default;

    /* Returns microseconds since 1970-01-01T00:00:00Z. Any exception, or -1 (as skan.h says), is SKAN_ERROR_CLOCK. */
    [[nodiscard]] virtual std::int64_t now() = 0;
};

/* A transport: HTTP GET, for update_conversion_values. It is called from any thread that uses the engine, also from
 * several at once. */
class transport {
public:
    virtual ~transport() = default;

    /* Returns the body of the answer, for HTTP status 200 only. The URL begins with options.endpoint_url. It contains
     * the SDK key: keep it out of logs. Throws limit_exceeded: the answer is too long (an answer of more than
     * SKAN_BUFFER_MAX bytes always is); any other exception is SKAN_ERROR_TRANSPORT. */
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

/* A conversion model, read and checked. It decides values locally, without an endpoint. Copies share it; it never
 * changes and may be used by any number of threads and engines. share/skan/models describes its form and has ready
 * models. Rules, "Model document", "Model versions". */
class model {
public:
    /* Reads a model's document of at most SKAN_MODEL_MAX bytes. Throws SKAN_ERROR_INVALID_DOCUMENT: the message gives
     * the place as a JSON pointer in quotes, and the reason. */
    explicit model(std::string_view json) {
        detail::call call;
        skan_model *made = nullptr;
        call.ended(skan_model_create(json.data(), json.size(), &made, call.failure()));
        model_.reset(made, skan_model_destroy);
    }

    /* The SHA-256 of the document's bytes, 64 hexadecimal digits in lower case; valid as long as a copy of the model
     * exists. Store every document under its version: installs keep the model that they were registered with. */
    [[nodiscard]] std::string_view version() const noexcept {
        return model_ ? skan_model_version(model_.get()) : std::string_view();
    }

    /* Gives the meaning of a value, as the JSON document that skan.h describes: all rules of the window that have this
     * value, and the ranges that hold for all of them. At least one of fine and coarse is required; if both are given,
     * the rules with both values count. Fine 0 in window 0 without a coarse value is also the value after registering
     * alone ("registration": true). nullopt: nothing gives the value, so it cannot be decoded. Rules, "Model decode".
     * Throws SKAN_ERROR_INVALID_ARGUMENT. */
    [[nodiscard]] std::optional<std::string> decode(int window, std::optional<int> fine,
                                                    std::optional<coarse_value> coarse = std::nullopt) const {
        if (fine && (*fine < 0 || *fine > 63)) /* C's words are of -1, too */
            throw error(SKAN_ERROR_INVALID_ARGUMENT, "fine: expected 0 to 63, got " + std::to_string(*fine));
        const int by_coarse = coarse ? static_cast<int>(*coarse) : SKAN_COARSE_NONE;
        detail::call call;
        char *json = nullptr;
        if (call.ended(skan_model_decode(model_.get(), window, fine.value_or(-1), by_coarse, &json, call.failure())) !=
            outcome::ok)
            return std::nullopt;
        return detail::taken(json);
    }

    /* The C model, for calls through skan.h; valid as long as a copy of this object exists. */
    [[nodiscard]] skan_model *get() const noexcept { return model_.get(); }

private:
    std::shared_ptr<skan_model> model_;
};

/* ------------------------------------------------------------------------------------------------ what calls take */

/* What brought money: an in-app purchase (or its refund), or an ad that the app showed. SKAN 3 has no ad revenue. */
enum class revenue_kind : std::int32_t { iap = SKAN_IAP, ad = SKAN_AD };

/* The re-engagements for which purchases and events count if a call names none. */
enum class reengagement_credit : std::int32_t { all = SKAN_CREDIT_ALL, newest = SKAN_CREDIT_NEWEST };

/* As the re-engagement of an event or an amount: it counts for the install only. */
inline constexpr std::uint32_t install_alone = SKAN_INSTALL_ALONE;

/* The published endpoint, Singular's, as options::endpoint_url. */
inline constexpr const char *endpoint_singular = SKAN_ENDPOINT_SINGULAR;

/* How an engine is made. Hooks may be given as unique_ptr too. The engine keeps a share of each and releases it when
 * the engine is destroyed, also if the constructor throws. Texts have at most SKAN_TEXT_MAX bytes; empty ones are
 * omitted. */
struct options {
    unsigned protocol = 4;                      /* 4 or 3 */
    std::shared_ptr<skan::store> store;         /* null = an in-memory store that only this engine uses */
    std::shared_ptr<skan::clock> clock;         /* null = the system's clock */
    std::shared_ptr<skan::transport> transport; /* null = none: update_conversion_values then needs models */
    std::string endpoint_url; /* where requests go, at most SKAN_ENDPOINT_URL_MAX bytes; needed without models */
    std::string sdk_key;      /* item `a` of requests */
    std::string bundle_id;    /* item `i`, the app's bundle id */
    std::string app_version;  /* item `app_v` */
    /* Conversion models for the engine's protocol. The first is for new installs, the others are for installs that were
     * registered with them. An engine with models has no transport, and its conversion_request and apply_response are
     * SKAN_ERROR_MISUSE. */
    std::vector<skan::model> models;
    bool switches_stacks = false; /* whether hooks may switch to another coroutine; see skan_options.switches_stacks */
    /* Conversion models for re-engagements, SKAN 4 only. The first is for new re-engagements, the others are for those
     * that were recorded with them. Without these models, reengage is SKAN_ERROR_MISUSE. */
    std::vector<skan::model> reengagement_models;
    skan::reengagement_credit reengagement_credit = skan::reengagement_credit::all;
    unsigned reengagement_cooldown_hours = 0; /* the app's cool-down in hours, as in its Info.plist: 0..720 */
};

/* An amount of money, in units of its currency: a text, which is exact, or a number, which is read as its shortest
 * decimal form. skan_amount describes both. */
class amount {
public:
    template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>, int> = 0>
    amount(Number number) noexcept : number_(static_cast<double>(number)) {}
    amount(std::string_view text) noexcept : text_(text) {}
    amount(const std::string &text) noexcept : text_(text) {}
    amount(const char *text) noexcept : text_(text) {}
    amount(std::nullptr_t) = delete;

    [[nodiscard]] std::optional<std::string_view> text() const noexcept { return text_; }
    [[nodiscard]] double number() const noexcept { return number_; }

private:
    std::optional<std::string_view> text_;
    double number_ = 0;
};

/* What is known about the device that an event came from: items `v`, `idfv`, `idfa` of a request. Each has at most
 * SKAN_TEXT_MAX bytes; empty ones are omitted. */
struct device {
    std::string os_version = {}; /* iOS version, "16.1" */
    std::string idfv = {};       /* identifier for vendor */
    std::string idfa = {};       /* identifier for advertisers */
};

/* One amount of a list, with the arguments of engine::update_revenue. */
struct revenue {
    std::string_view install_id = {};
    skan::amount amount = 0;
    std::string_view currency = {};
    revenue_kind kind = revenue_kind::iap;
    std::optional<std::string_view> event_id = {};
    std::uint32_t reengagement = 0; /* as in event */
};

/* A tap on an ad that led back into the app, as the app reports it; skan.h describes the members. */
struct reengagement_report {
    std::optional<std::string_view> open_id = {}; /* identifies this open; without it, repeats are hard to detect */
    std::string_view tag = {};                    /* the conversion tag, a secret of the device; "" = none */
    std::string_view reference = {};              /* chosen by the host, such as a campaign; "" = none */
    std::int64_t opened_at = 0;  /* Unix seconds: the server's time minus the age that the app reports; 0 = now */
    bool is_started = false;     /* whether the app made its first call at this open */
    bool is_overlapping = false; /* whether the link's value is a conversion tag */
    std::optional<skan::device> device = {}; /* its os_version is read; nullopt = not known */
};

/* The result of the calls with one id: the worst of their results. */
enum class call_result : std::int32_t {
    failed = SKAN_CALL_FAILED,
    delivered = SKAN_CALL_DELIVERED,
    invalid_tag = SKAN_CALL_INVALID_TAG,
    tag_not_supported = SKAN_CALL_TAG_NOT_SUPPORTED,
};

/* A session or an event, with the money that came with it. A name converts to one: calls take "purchase", and
 * {"purchase", "order-1"}. An amount without a currency, or the reverse, is SKAN_ERROR_INVALID_ARGUMENT. */
struct event {
    std::optional<std::string_view> name = {}; /* 1..SKAN_EVENT_NAME_MAX printable ASCII bytes; nullopt = a session */
    std::optional<std::string_view> event_id = {}; /* as for update_revenue, with a list of its own */
    skan::device device = {};
    std::optional<skan::amount> amount = {}; /* nullopt = none; negative = a refund */
    std::string_view currency = {};          /* of the amount; "" without one */
    revenue_kind kind = revenue_kind::iap;
    std::uint32_t reengagement = 0; /* the one that is credited in addition to the install: 0 = as in the engine's
                                     * options; install_alone = none */

    event() = default;
    template <typename Name = std::optional<std::string_view>,
              std::enable_if_t<std::is_convertible_v<const Name &, std::optional<std::string_view>>, int> = 0>
    event(const Name &of_name, std::optional<std::string_view> of_id = {}, skan::device of_device = {},
          std::optional<skan::amount> of_amount = {}, std::string_view of_currency = {},
          revenue_kind of_kind = revenue_kind::iap, std::uint32_t of_reengagement = 0)
        : name(of_name),
          event_id(of_id),
          device(std::move(of_device)),
          amount(of_amount),
          currency(of_currency),
          kind(of_kind),
          reengagement(of_reengagement) {}
};

/* ------------------------------------------------------------------------------------------------ what calls give */

/* The results of a list of amounts. */
struct [[nodiscard]] many_result {
    /* For each item, in their order, the result that a call of its own would have had: an outcome, or an error's
     * status. */
    std::vector<skan_status> statuses;
    /* The exception that a call for the first failed item would have thrown, with the item's number in its message;
     * null if no item failed. */
    std::exception_ptr error;

    [[nodiscard]] explicit operator bool() const noexcept { return !error; }
};

/* The result of recording a re-engagement: the outcome, and the re-engagement's number, also for a repeated open; 0 if
 * there is none. */
struct [[nodiscard]] reengaged {
    skan::outcome outcome = skan::outcome::ok;
    std::uint32_t number = 0;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* Apple's framework that a call is made to. */
enum class framework : std::int32_t { skadnetwork = SKAN_SKADNETWORK, adattributionkit = SKAN_ADATTRIBUTIONKIT };

/* The conversion type that a call to AdAttributionKit names. */
enum class conversion_type : std::int32_t {
    none = SKAN_CONVERSION_NONE,
    reengagement = SKAN_CONVERSION_REENGAGEMENT,
    install = SKAN_CONVERSION_INSTALL,
};

/* A call that the app makes to Apple. */
struct app_call {
    std::uint64_t id = 0;         /* the id of its update, for acknowledge_calls */
    std::uint32_t conversion = 0; /* 0 = the install, otherwise the re-engagement's number */
    skan::framework framework = skan::framework::skadnetwork;
    skan::conversion_type conversion_type = skan::conversion_type::none;
    int window = 0; /* the postback window of the update: 0, 1 or 2 */
    int fine_value = 0;
    std::optional<skan::coarse_value> coarse_value = {};
    bool lock_window = false;     /* whether it locks the window */
    std::int64_t timestamp = 0;   /* when the update was decided, Unix seconds */
    std::int64_t valid_until = 0; /* Unix seconds; from this time on the app discards the list */
    std::optional<std::string> tag = {};
};

/* The calls that wait for the app, in the order in which the app must make them. */
struct [[nodiscard]] calls {
    skan::outcome outcome = skan::outcome::nothing_pending;
    std::vector<app_call> list = {};

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* A new value of the install, which pending_calls hands to the app. */
struct update {
    std::uint64_t id = 0;          /* the number of this update of this install, from 1 */
    int window = 0;                /* postback window 0, 1, 2; 0 in SKAN 3 */
    std::optional<int> fine_value; /* 0..63; none: the install's current one stays */
    std::optional<skan::coarse_value> coarse_value;
    bool lock_window = false;
    std::int64_t timestamp = 0; /* when the update was decided, Unix seconds */
};

/* The outcome of a call, and the update that it gave, if any. There is an update only if the outcome is ok. Even then
 * there is none from a SKAN 3 registration and from calls that give no updates. */
struct result {
    skan::outcome outcome = skan::outcome::ok;
    std::optional<skan::update> update;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* A request for the next conversion value; url and ticket are set only if the outcome is ok. */
struct [[nodiscard]] request {
    skan::outcome outcome = skan::outcome::ok;
    std::string url;          /* to GET. It contains the SDK key: keep it out of logs */
    std::uint64_t ticket = 0; /* for apply_response; newer ones are greater */

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* The answer of a conversion-value endpoint: the body, for HTTP status 200, and the outcome: ok (a value), no_new_value
 * or window_locked; nullopt if the body gives a reason, in the words of the published endpoint. */
struct [[nodiscard]] request_answer {
    std::optional<skan::outcome> outcome;
    std::string json;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
};

/* What an install's conversion model sees: the document that skan.h describes. It is set only if the outcome is ok. */
struct [[nodiscard]] explanation {
    skan::outcome outcome = skan::outcome::ok;
    std::string json;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == skan::outcome::ok; }
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

inline skan_status load(void *context, const char *key, skan_buffer *out, std::uint64_t *version) noexcept {
    const call::hook hook;
    try {
        const std::optional<record> found = lent<store>::object(context).load(key);
        if (!found) return SKAN_NOT_FOUND;
        if (skan_buffer_set(out, found->data.data(), found->data.size()) != SKAN_OK)
            throw store_failed("the store's record has " + std::to_string(found->data.size()) + " bytes");
        *version = found->version;
        return SKAN_OK;
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
                const std::optional<record> &found = results[i].record;
                if (found && skan_buffer_set(items[i].out, found->data.data(), found->data.size()) != SKAN_OK)
                    throw store_failed("the store's record has " + std::to_string(found->data.size()) + " bytes");
                items[i].version = found ? found->version : 0;
                items[i].status = found ? SKAN_OK : SKAN_NOT_FOUND;
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
    } catch (...) {
        return hook.threw(SKAN_ERROR_TRANSPORT);
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

} // namespace detail

/* --------------------------------------------------------------------------------------------------------- engine */

/*
 * An engine, which applies the rules of one protocol to one store. Move-only; a moved-from engine answers every call
 * with SKAN_ERROR_INVALID_ARGUMENT. Destroying an engine releases its hooks. It is forbidden inside one of them, and
 * while another thread is in a call.
 *
 * Install ids are 1..SKAN_INSTALL_ID_MAX bytes of UTF-8 without bytes 00-1F and 7F. The host chooses them, and the
 * store receives them unchanged. Besides the errors that a call lists, every call may throw skan::error with
 * SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_MISUSE, SKAN_ERROR_STORE, SKAN_ERROR_CORRUPT_RECORD,
 * SKAN_ERROR_RECORD_TOO_NEW; calls that change state also SKAN_ERROR_STORE_CONFLICT and SKAN_ERROR_STORE_UNKNOWN;
 * calls marked "Clock" also SKAN_ERROR_CLOCK. If a hook caused the error by throwing, the call throws the hook's
 * exception instead. A reference such as Rules, "Register" names a section of Rules.md, as in skan.h.
 */
class engine {
public:
    /* Makes an engine. Throws SKAN_ERROR_INVALID_ARGUMENT: an option is not as described, or there is neither an
     * endpoint_url nor a model; SKAN_ERROR_MISUSE: the linked library has another ABI than this header. */
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
        skan_store store_hooks = {};
        store_hooks.size = sizeof store_hooks;
        store_hooks.context = store.get();
        store_hooks.load = detail::load;
        store_hooks.save = detail::save;
        store_hooks.remove = detail::remove;
        store_hooks.finalize = store.finalize;
        if (options.store && options.store->many()) {
            store_hooks.load_many = detail::load_many;
            store_hooks.save_many = detail::save_many;
        }
        const skan_clock clock_hooks = {sizeof(skan_clock), clock.get(), detail::now, clock.finalize};
        const skan_transport transport_hooks = {sizeof(skan_transport), transport.get(), detail::get,
                                                transport.finalize};

        skan_options chosen = {};
        chosen.size = sizeof chosen;
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
        chosen.models = models.empty() ? nullptr : models.data();
        chosen.model_count = models.size();
        chosen.switches_stacks = options.switches_stacks;
        chosen.reengagement_models = reengagement_models.empty() ? nullptr : reengagement_models.data();
        chosen.reengagement_model_count = reengagement_models.size();
        chosen.reengagement_credit = static_cast<std::int32_t>(options.reengagement_credit);
        chosen.reengagement_cooldown_hours = options.reengagement_cooldown_hours;

        detail::call call;
        skan_engine *made = nullptr;
        call.ended(skan_create(&chosen, &made, call.failure()));
        store.release();
        clock.release();
        transport.release();
        engine_.reset(made);
    }

    /* Registers the install, once, at its first launch. SKAN 4 gives update 1 {window 0, fine 0}; SKAN 3 gives none.
     * Clock. Rules, "Register", "SKAN 3", "Model versions". Outcomes: ok, already_registered. */
    result register_install(std::string_view install_id) { return updating(skan_register, install_id); }

    /* Adds a purchase, an ad impression's revenue or, if negative, a refund, exactly, to the install's totals.
     *   amount    "4.99" or 4.99; |amount| < 1e12; 0 adds nothing but records its event id
     *   currency  three ASCII letters, ISO 4217
     *   event_id  nullopt, or 1..SKAN_EVENT_ID_MAX bytes that identify this purchase. If the id is among the install's
     *             last 64, the call counts nothing. Use one wherever a call may be repeated.
     * Clock. Rules, "Update revenue", "Revenue tables", "Money is exact", "Event ids". Outcomes: ok, duplicate_event.
     * Throws also SKAN_ERROR_LIMIT_EXCEEDED. */
    result update_revenue(std::string_view install_id, const amount &amount, std::string_view currency,
                          revenue_kind kind = revenue_kind::iap,
                          std::optional<std::string_view> event_id = std::nullopt) {
        const detail::c_text install("install_id", install_id);
        const detail::c_amount number(amount);
        const detail::c_text money("currency", currency);
        const detail::c_text event("event_id", event_id);
        detail::call call;
        return {call.ended(skan_update_revenue(engine_.get(), install, number, money, static_cast<std::int32_t>(kind),
                                               event, call.failure())),
                std::nullopt};
    }

    /* Does what update_revenue does, for each item in their order, also for several items of one install: for example
     * all purchases of a match at once. Each install is loaded once and saved once, and many of them in one round trip
     * if the store is a many_store. Installs do not depend on each other: one that fails does not stop the others. What
     * is counted for one install is saved completely or not at all: if its save fails, each of its items whose answer
     * depends on it has the status of the save. A failed item throws nothing: the result has the status of each item.
     * Clock. Rules, "Many amounts", "Update revenue". If the whole call fails, it throws and nothing was changed:
     * SKAN_ERROR_LIMIT_EXCEEDED (more than SKAN_REVENUE_MANY_MAX items), SKAN_ERROR_MISUSE, SKAN_ERROR_CLOCK. */
    many_result update_revenue_many(const std::vector<revenue> &items) {
        std::vector<std::string> texts;
        texts.reserve(4 * items.size()); /* enough: a text keeps its address */
        std::vector<skan_revenue> given(items.size());
        std::size_t refused = items.size();
        std::exception_ptr refusal;
        for (std::size_t i = 0; i < items.size(); i++) {
            given[i] = {};
            given[i].size = sizeof given[i];
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

    /* Reports a session or an event, and decides the next conversion values: by the endpoint that the transport asks,
     * or by the install's conversion model, which counts the call also when it answers no_new_value or window_locked.
     * Active re-engagements that are credited are decided by their own models in the same step.
     *   event  "purchase"; {"purchase", "order-1"}, ...; {} = a session. Its amount is added first, as by
     *          update_revenue, unless its id is among those of revenue; with window_closed it remains added. The id is
     *          recorded when the call ends in an outcome other than not_registered.
     * With models an error changes nothing. With a transport the amount is saved before the request is made: give an
     * event id, and repeat the call. Clock. Rules, "Update conversion values", "Events with an amount", "Update
     * conversions", "Event ids", "Model decision", "Model counts", "Credit". Outcomes: those of apply_response. Throws
     * also what apply_response does, SKAN_ERROR_TRANSPORT, SKAN_ERROR_MODEL_UNKNOWN, and SKAN_ERROR_MISUSE: the engine
     * has neither transport nor models. */
    result update_conversion_values(std::string_view install_id, const event &event = {}) {
        return updating(skan_update_conversion_values, install_id, c_event(event));
    }

    /* Makes the request for the next conversion value, for hosts with an HTTP client of their own: a URL to GET and a
     * ticket. With apply_response it does in two steps what update_conversion_values does with a transport: an amount
     * of the event is added here. Clock. Rules, "Request", "Events with an amount", "SKAN 3 requests", "Tickets".
     * Outcomes: ok, duplicate_event, not_registered, window_closed. Throws also SKAN_ERROR_LIMIT_EXCEEDED. */
    request conversion_request(std::string_view install_id, const event &event = {}) {
        const detail::c_text install("install_id", install_id);
        const c_event given(event);
        detail::call call;
        char *url = nullptr;
        std::uint64_t ticket = 0;
        const outcome outcome =
            call.ended(skan_conversion_request(engine_.get(), install, given, &url, &ticket, call.failure()));
        return {outcome, detail::taken(url), ticket};
    }

    /* Applies the endpoint's answer (HTTP status 200 only) to the request for an event, and records the event's id.
     * ticket: the request's; 0 = none, the order of answers is then neither checked nor recorded. Clock. Rules, "Apply
     * response", "SKAN 3 values", "Event ids". Outcomes: ok, duplicate_event, no_new_value, stale_response,
     * window_locked, window_closed, not_registered. Throws also SKAN_ERROR_LIMIT_EXCEEDED,
     * SKAN_ERROR_MALFORMED_RESPONSE, SKAN_ERROR_ILLEGAL_VALUE, SKAN_ERROR_REJECTED. */
    result apply_response(std::string_view install_id, const event &event, std::uint64_t ticket,
                          std::string_view body) {
        return updating(skan_apply_response, install_id, c_event(event), ticket, body.data(), body.size());
    }

    /* Explains what the install's conversion model sees now, and which of its rules applies. Changes nothing. Clock.
     * Rules, "Model explanation". Outcomes: ok, not_registered, window_closed. Throws also SKAN_ERROR_MODEL_UNKNOWN,
     * and SKAN_ERROR_MISUSE: the engine has no models. */
    explanation explain(std::string_view install_id) { return document(skan_explain, install_id); }

    /* Answers a request to a conversion-value endpoint: the counterpart of conversion_request. The engine's conversion
     * models decide, from what the request reports and from the counts that the engine's store keeps for each app and
     * user; skan.h describes how. An engine of SKAN 3 without models is the published test endpoint. target: path and
     * query exactly as in the request line, "/api/v2/conversion_value?a=...", v1 for SKAN 3. A repeated request counts
     * its event again. Clock. Rules, "Endpoint requests", "Endpoint reasons", "Endpoint users", "Endpoint decisions",
     * "Test endpoint". Throws also SKAN_ERROR_MODEL_UNKNOWN, and SKAN_ERROR_MISUSE: the engine has a transport. */
    request_answer answer_request(std::string_view target) {
        const detail::c_text from("target", target);
        detail::call call;
        char *json = nullptr;
        const skan_status status = skan_answer_request(engine_.get(), from, &json, call.failure());
        std::string body = detail::taken(json);
        if (status == SKAN_ERROR_REJECTED) return {std::nullopt, std::move(body)};
        return {call.ended(status), std::move(body)};
    }

    /* Records a re-engagement. If the app made a first call that may have overwritten values, those are due again,
     * whatever the outcome. Clock. Rules, "Re-engage". Outcomes: ok, duplicate_event (this open is already known),
     * window_closed (too late, or a newer one began), unsupported. Throws also SKAN_ERROR_MISUSE: no models for
     * re-engagements. */
    reengaged reengage(std::string_view install_id, const reengagement_report &report) {
        const detail::c_text install("install_id", install_id);
        const detail::c_text open_id("open_id", report.open_id), tag("tag", report.tag);
        const detail::c_text reference("reference", report.reference);
        const c_device from(report.device.value_or(device()));
        skan_reengagement_report given = {};
        given.size = sizeof given;
        given.open_id = open_id;
        given.tag = tag;
        given.reference = reference;
        given.opened_at = report.opened_at;
        given.is_started = report.is_started;
        given.is_overlapping = report.is_overlapping;
        given.device = from;
        std::uint32_t number = 0;
        detail::call call;
        const outcome outcome = call.ended(skan_reengage(engine_.get(), install, &given, &number, call.failure()));
        return {outcome, number};
    }

    /* Gives the calls that wait for the app, in the order in which the app must make them: those of the install's last
     * update, until it is acknowledged as delivered, while its window is open; and those of its re-engagements. May
     * save the record. Calls that the device's system does not have are omitted; if its version is not known, none are
     * omitted. Clock. Rules, "Calls". Outcomes: ok, nothing_pending. */
    calls pending_calls(std::string_view install_id, const device &device = {}) {
        const detail::c_text install("install_id", install_id);
        const c_device from(device);
        std::array<skan_call, SKAN_CALLS_MAX> list;
        list[0].size = sizeof(skan_call);
        std::size_t count = 0;
        detail::call call;
        calls found;
        found.outcome = call.ended(skan_pending_calls(engine_.get(), install, from, list.data(), list.size(), &count,
                                                      call.failure()));
        for (std::size_t i = 0; i < count; i++) found.list.push_back(detail::given(list[i]));
        return found;
    }

    /* Gives the same calls as the JSON that a server sends to its app; skan.h describes it. */
    [[nodiscard]] std::string pending_calls_json(std::string_view install_id, const device &device = {}) {
        return document(skan_pending_calls_json, install_id, c_device(device)).json;
    }

    /* Reports the results of a list's calls, in the order of the list: one result for each id, the worst of its calls.
     * One save. Clock. Rules, "Acknowledging calls". */
    void acknowledge_calls(std::string_view install_id,
                           const std::vector<std::pair<std::uint64_t, call_result>> &results) {
        const detail::c_text install("install_id", install_id);
        std::vector<skan_acknowledgement> given;
        for (const auto &[id, result] : results)
            given.push_back({sizeof(skan_acknowledgement), id, static_cast<std::int32_t>(result)});
        detail::call call;
        call.ended(skan_acknowledge_calls(engine_.get(), install, given.data(), given.size(), call.failure()));
    }

    /* Ends a re-engagement: from then on it counts nothing and has no calls. Rules, "End". Outcomes: ok, not_found. */
    outcome end_reengagement(std::string_view install_id, std::uint32_t number) {
        const detail::c_text install("install_id", install_id);
        detail::call call;
        return call.ended(skan_end_reengagement(engine_.get(), install, number, call.failure()));
    }

    /* Gives the re-engagements that are kept, by number, as the JSON array that skan.h describes. It contains tags:
     * keep it out of logs. Rules, "Re-engagement details". */
    [[nodiscard]] std::string reengagements(std::string_view install_id) {
        return document(skan_reengagements, install_id).json;
    }

    /* Explains what the model of a re-engagement sees now: the document of explain, and revenue of scope "conversion".
     * Clock. Rules, "Model explanation". Outcomes: ok, not_found, window_closed (it is not active). Throws also
     * SKAN_ERROR_MODEL_UNKNOWN. */
    explanation explain_reengagement(std::string_view install_id, std::uint32_t number) {
        return document(skan_explain_reengagement, install_id, number);
    }

    /* Gives the whole state as a JSON object: every key is present, with null for no value; amounts are exact decimals.
     * Rules, "Details". */
    [[nodiscard]] std::string details(std::string_view install_id) { return document(skan_details, install_id).json; }

    /* Gives the metadata that the host adds to its S2S session and event calls: percent-encoded query items without a
     * leading `?`. Rules, "Metadata". */
    [[nodiscard]] std::string metadata(std::string_view install_id) {
        return document(skan_metadata, install_id).json;
    }

    /* Imports the state of an install that has no record here from a details document. Rules, "Import". Outcomes:
     * ok, already_registered. Throws also SKAN_ERROR_LIMIT_EXCEEDED and SKAN_ERROR_INVALID_DOCUMENT. */
    result import_details(std::string_view install_id, std::string_view json) {
        const detail::c_text install("install_id", install_id);
        detail::call call;
        return {call.ended(skan_import_details(engine_.get(), install, json.data(), json.size(), call.failure())),
                std::nullopt};
    }

    /* Deletes the install's record, whatever it holds. An install that is not known is fine. Rules, "Forget". */
    void forget(std::string_view install_id) {
        const detail::c_text install("install_id", install_id);
        detail::call call;
        call.ended(skan_forget(engine_.get(), install, call.failure()));
    }

    /* The C engine, owned by this object, for calls through skan.h. */
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
            event_.size = sizeof event_;
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
        skan_event event_ = {};
    };

    /* Calls a function that gives an update. */
    template <typename Function, typename... Arguments>
    result updating(Function function, std::string_view install_id, const Arguments &...arguments) {
        const detail::c_text install("install_id", install_id);
        skan_update update = {};
        update.size = sizeof update;
        detail::call call;
        const outcome outcome = call.ended(function(engine_.get(), install, arguments..., &update, call.failure()));
        return {outcome, detail::given(update)};
    }

    /* Calls a function that gives a text. */
    template <typename Function, typename... Arguments>
    explanation document(Function function, std::string_view install_id, const Arguments &...arguments) {
        const detail::c_text install("install_id", install_id);
        char *text = nullptr;
        detail::call call;
        const outcome outcome = call.ended(function(engine_.get(), install, arguments..., &text, call.failure()));
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

/* The data of a record. */
struct record_content {
    unsigned protocol = 4; /* 4 or 3 */
    bool is_registered = false;
    std::int64_t first_timestamp = 0; /* the times of the first and last call, Unix seconds; 0 if not registered */
    std::int64_t last_timestamp = 0;
    std::int64_t closes_at = 0; /* when the last postback window closes (SKAN 3: as known now); 0 if there is none */
    std::string details;        /* as engine::details gives them */
};

/* Reads a record as a store holds it, of either protocol, without an engine. Any thread. Rules, "Records", "Details".
 * Throws SKAN_ERROR_CORRUPT_RECORD, SKAN_ERROR_RECORD_TOO_NEW. */
[[nodiscard]] inline record_content read_record(std::string_view data) {
    skan_record record = {};
    record.size = sizeof record;
    char *json = nullptr;
    detail::call call;
    call.ended(skan_record_read(data.data() ? data.data() : "", data.size(), &record, &json, call.failure()));
    return {record.protocol,       record.is_registered, record.first_timestamp,
            record.last_timestamp, record.closes_at,     detail::taken(json)};
}

} // namespace skan

#endif /* SKAN_SKAN_HPP */

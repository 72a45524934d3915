/*
 * skan.hpp - libskan for C++17: the engine of skan.h as a C++ type. Header only; link libskan.
 *
 *     skan::engine engine;                                     // in-memory store, system clock, SKAN 4
 *
 *     skan::result launched = engine.register_install("player-1");
 *     if (launched.update) send_to_app(*launched.update);
 *
 *     if (!engine.update_revenue("player-1", 4.99, "USD", false, "order-1")) log("order-1 was counted before");
 *
 *     if (skan::request request = engine.conversion_request("player-1", "purchase")) {
 *         skan::result applied = engine.apply_response("player-1", request.ticket, http_get(request.url));
 *         if (applied.update) log("the app has a new value to fetch");
 *     }
 *
 *     if (skan::result waiting = engine.pending_update("player-1")) {           // when the app calls next
 *         send_to_app(*waiting.update);
 *         engine.acknowledge_update("player-1", waiting.update->id, true);
 *     }
 *
 * The rules, and what every call means, are those of skan.h; this header adds:
 * - Names: C's type `skan` keeps its name, so the namespace is `libskan`; `skan::engine` is `libskan::engine`, and so
 *   on for everything here. Functions are named as in C, without the prefix; `register` is a C++ keyword and becomes
 *   register_install.
 * - Outcomes (statuses below 100) are values: a result converts to true if the outcome is ok. Failures are exceptions:
 *   libskan::error with the status of skan.h and its message.
 * - Stores, clocks and transports are C++ objects. What one of them throws never crosses C: the engine sees a failed
 *   hook, and if the call ends in that failure the original exception is thrown out of it. If the engine recovers
 *   (a conflict that a second attempt resolves, say) the exception is dropped.
 * - Text arguments are string_views. A NUL inside one is refused, never a place to cut.
 * - Threads: an engine may be used by any number of threads at once; moving and destroying it may not overlap a call.
 */
#ifndef SKAN_SKAN_HPP
#define SKAN_SKAN_HPP

#include <skan/skan.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace libskan {

/* ----------------------------------------------------------------------------------------- outcomes and failures */

/* How a call ended that did not fail. Everything but `ok` changed nothing. Numbers as in skan.h. */
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

/* A call that failed. what() is the message of skan.h, unchanged: for SKAN_ERROR_REJECTED the endpoint's reason. */
class error : public std::runtime_error {
public:
    error(skan_status status, const std::string &message) : std::runtime_error(message), status_(status) {}

    /* SKAN_ERROR_..., 100 or more. */
    [[nodiscard]] skan_status status() const noexcept { return status_; }

private:
    skan_status status_;
};

/* Thrown by a store's save or remove: the stored version is another one, or there is none. Nothing was changed. */
class store_conflict : public error {
public:
    explicit store_conflict(const std::string &message = "the record has another version")
        : error(SKAN_ERROR_STORE_CONFLICT, message) {}
};

/* Thrown by a store's save or remove: it failed, and the change was certainly not applied. */
class store_failed : public error {
public:
    explicit store_failed(const std::string &message) : error(SKAN_ERROR_STORE, message) {}
};

/* Thrown by a transport that stops reading an answer because it is too long. */
class limit_exceeded : public error {
public:
    explicit limit_exceeded(const std::string &message) : error(SKAN_ERROR_LIMIT_EXCEEDED, message) {}
};

/* ---------------------------------------------------------------------------------------------------------- hooks */

/* What a store holds under a key: 1..SKAN_RECORD_MAX opaque bytes, and their version, never 0. */
struct record {
    std::string data;
    std::uint64_t version = 0;
};

/*
 * Durable storage of records, one per install id.
 *
 * Every save gives the record another version, also when the bytes are equal, and a version is never used twice for a
 * key, also not after a remove: take it from a counter of the whole store, or draw it at random. Keys are 1..128
 * bytes of UTF-8 without bytes 00-1F and 7F. Called from any thread that uses the engine, several at once, also for
 * the same key; must not call its own engine (SKAN_ERROR_MISUSE).
 */
class store {
public:
    virtual ~store() = default;

    /* The record under `key`; nullopt if there is none. Any exception is SKAN_ERROR_STORE. */
    [[nodiscard]] virtual std::optional<record> load(std::string_view key) = 0;

    /* Stores `data` if the stored version is `expected_version` (0: if there is no record); answers the new version.
     * Throws store_conflict: another version, or no record, nothing changed; store_failed: certainly not applied.
     * Any other exception means that it may have been applied, after a time-out for instance: the engine looks. */
    [[nodiscard]] virtual std::uint64_t save(std::string_view key, std::string_view data,
                                             std::uint64_t expected_version) = 0;

    /* Removes the record if its version is `expected_version`. Throws as save does. */
    virtual void remove(std::string_view key, std::uint64_t expected_version) = 0;
};

/* The time. Called from any thread that uses the engine, several at once. */
class clock {
public:
    virtual ~clock() = default;

    /* Microseconds since 1970-01-01T00:00:00Z. Any exception, or -1 (as skan.h says), is SKAN_ERROR_CLOCK. */
    [[nodiscard]] virtual std::int64_t now() = 0;
};

/* HTTP GET, for update_conversion_values. Called from any thread that uses the engine, several at once. */
class transport {
public:
    virtual ~transport() = default;

    /* The body of the answer, for HTTP status 200 only. The URL carries the SDK key: keep it out of logs. Throws
     * limit_exceeded: the answer is too long (more than SKAN_BUFFER_MAX bytes are, anyway); any other exception is
     * SKAN_ERROR_TRANSPORT. */
    [[nodiscard]] virtual std::string get(const std::string &url) = 0;
};

/* A clock from a function. */
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

/* A transport from a function. */
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

/* ------------------------------------------------------------------------------------------------ what calls take */

/* How an engine is made. Hooks may be given as unique_ptr too; the engine keeps a share of each and releases it when
 * it ends, also when the constructor throws. Texts have at most SKAN_TEXT_MAX bytes; empty ones are left out. */
struct options {
    unsigned protocol = 4;                         /* 4 or 3 */
    std::shared_ptr<libskan::store> store;         /* null = an in-memory store of this engine's own */
    std::shared_ptr<libskan::clock> clock;         /* null = the system's clock */
    std::shared_ptr<libskan::transport> transport; /* null = none: update_conversion_values is misuse */
    std::optional<std::string> endpoint_url;       /* nullopt = "https://sdk-api-v1.singular.net" */
    std::string sdk_key;                           /* item `a` of requests */
    std::string bundle_id;                         /* item `i`, the app's bundle id */
    std::string app_version;                       /* item `app_v` */
};

/* What is known of the device an event came from: items `v`, `idfv`, `idfa` of a request. At most SKAN_TEXT_MAX bytes
 * each; empty ones are left out. */
struct device {
    std::string os_version; /* iOS version, "16.1" */
    std::string idfv;       /* identifier for vendor */
    std::string idfa;       /* identifier for advertisers */
};

/* ------------------------------------------------------------------------------------------------ what calls give */

/* An update for the app to pass to Apple. */
struct update {
    std::uint64_t id = 0;            /* number of this update of this install, from 1 */
    int window = 0;                  /* postback window 0, 1, 2; 0 in SKAN 3 */
    std::optional<int> fine_value;   /* 0..63; none: pass Apple the install's current fine value */
    std::optional<int> coarse_value; /* 0 low, 1 medium, 2 high */
    bool lock_window = false;
    std::int64_t timestamp = 0; /* when the update was decided, Unix seconds */
};

/* How a call ended, and the update it gave, if any: only where the outcome is ok, and also then none from a SKAN 3
 * registration and from calls that give no updates. */
struct [[nodiscard]] result {
    libskan::outcome outcome = libskan::outcome::ok;
    std::optional<libskan::update> update;

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == libskan::outcome::ok; }
};

/* A request for the next conversion value; url and ticket only where the outcome is ok. */
struct [[nodiscard]] request {
    libskan::outcome outcome = libskan::outcome::ok;
    std::string url;          /* to GET. It carries the SDK key: keep it out of logs */
    std::uint64_t ticket = 0; /* for apply_response; newer ones are greater */

    [[nodiscard]] explicit operator bool() const noexcept { return outcome == libskan::outcome::ok; }
};

/* ------------------------------------------------------------------------------------------- between C++ and C */

namespace detail {

struct free_error {
    void operator()(skan_error *error) const noexcept { skan_error_free(error); }
};
struct free_text {
    void operator()(char *text) const noexcept { skan_free(text); }
};
struct destroy_engine {
    void operator()(::skan *engine) const noexcept { skan_destroy(engine); }
};

/* A view as C text, nullopt as NULL. `name` is the argument's, for the message. */
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

/* One call of an engine on this thread: keeps what its hooks throw, by the status that it became for the engine. */
class call {
public:
    call() noexcept : outer_(innermost()) { innermost() = this; }
    ~call() { innermost() = outer_; }
    call(const call &) = delete;
    call &operator=(const call &) = delete;

    /* In a hook's handler: keeps the exception, and answers its status. */
    static skan_status threw(skan_status status) noexcept {
        if (call *current = innermost())
            for (thrown &slot : current->thrown_)
                if (slot.status == status || !slot.exception) {
                    slot = {status, std::current_exception()};
                    break;
                }
        return status;
    }

    [[nodiscard]] skan_error **failure() noexcept { return &failure_; }

    /* The outcome; or throws what the hook threw that this status comes from, else the engine's error. */
    outcome ended(skan_status status) {
        const std::unique_ptr<skan_error, free_error> failure(failure_);
        failure_ = nullptr;
        if (status < SKAN_ERROR_INVALID_ARGUMENT) return static_cast<outcome>(status);
        for (const thrown &slot : thrown_)
            if (slot.exception && slot.status == status) std::rethrow_exception(slot.exception);
        throw error(status, skan_error_message(failure.get()));
    }

private:
    struct thrown {
        skan_status status = SKAN_OK;
        std::exception_ptr exception;
    };

    static call *&innermost() noexcept {
        static thread_local call *current = nullptr;
        return current;
    }

    call *outer_;
    skan_error *failure_ = nullptr;
    std::array<thrown, 6> thrown_; /* store, conflict, unknown, transport, limit, clock */
};

/* A hook's object while an engine has it. The engine deletes it through `finalize`, unless skan_create refuses the
 * call's sizes: then nobody else would. */
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

    /* skan_create took it. */
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
    try {
        const std::optional<record> found = lent<store>::object(context).load(key);
        if (!found) return SKAN_NOT_FOUND;
        if (skan_buffer_set(out, found->data.data(), found->data.size()) != SKAN_OK)
            throw store_failed("the store's record has " + std::to_string(found->data.size()) + " bytes");
        *version = found->version;
        return SKAN_OK;
    } catch (...) {
        return call::threw(SKAN_ERROR_STORE);
    }
}

inline skan_status save(void *context, const char *key, const void *data, std::size_t length,
                        std::uint64_t expected_version, std::uint64_t *new_version) noexcept {
    try {
        const std::string_view bytes(static_cast<const char *>(data), length);
        *new_version = lent<store>::object(context).save(key, bytes, expected_version);
        return SKAN_OK;
    } catch (const store_conflict &) {
        return call::threw(SKAN_ERROR_STORE_CONFLICT);
    } catch (const store_failed &) {
        return call::threw(SKAN_ERROR_STORE);
    } catch (...) {
        return call::threw(SKAN_ERROR_STORE_UNKNOWN);
    }
}

inline skan_status remove(void *context, const char *key, std::uint64_t expected_version) noexcept {
    try {
        lent<store>::object(context).remove(key, expected_version);
        return SKAN_OK;
    } catch (const store_conflict &) {
        return call::threw(SKAN_ERROR_STORE_CONFLICT);
    } catch (const store_failed &) {
        return call::threw(SKAN_ERROR_STORE);
    } catch (...) {
        return call::threw(SKAN_ERROR_STORE_UNKNOWN);
    }
}

inline std::int64_t now(void *context) noexcept {
    try {
        return lent<clock>::object(context).now();
    } catch (...) {
        call::threw(SKAN_ERROR_CLOCK);
        return -1;
    }
}

inline skan_status get(void *context, const char *url, skan_buffer *body) noexcept {
    try {
        const std::string answer = lent<transport>::object(context).get(url);
        if (skan_buffer_set(body, answer.data(), answer.size()) != SKAN_OK)
            throw limit_exceeded("the endpoint's answer has " + std::to_string(answer.size()) + " bytes");
        return SKAN_OK;
    } catch (const limit_exceeded &) {
        return call::threw(SKAN_ERROR_LIMIT_EXCEEDED);
    } catch (...) {
        return call::threw(SKAN_ERROR_TRANSPORT);
    }
}

inline std::optional<update> given(const skan_update &given) {
    if (given.id == 0) return std::nullopt;
    update update;
    update.id = given.id;
    update.window = given.window;
    if (given.fine_value >= 0) update.fine_value = given.fine_value;
    if (given.coarse_value >= 0) update.coarse_value = given.coarse_value;
    update.lock_window = given.lock_window != 0;
    update.timestamp = given.timestamp;
    return update;
}

} // namespace detail

/* --------------------------------------------------------------------------------------------------------- engine */

/*
 * An engine: the rules of one protocol over one store. Move-only; a moved-from engine answers every call with
 * SKAN_ERROR_INVALID_ARGUMENT. Destroying an engine releases its hooks; it is forbidden inside one of them, and while
 * another thread is in a call.
 *
 * Install ids are 1..SKAN_INSTALL_ID_MAX bytes of UTF-8 without bytes 00-1F and 7F, chosen by the host and given to
 * the store as they are. Every call may throw, beside what it lists, libskan::error with
 * SKAN_ERROR_INVALID_ARGUMENT, SKAN_ERROR_MISUSE, SKAN_ERROR_STORE, SKAN_ERROR_CORRUPT_RECORD,
 * SKAN_ERROR_RECORD_TOO_NEW; those that change state also SKAN_ERROR_STORE_CONFLICT and SKAN_ERROR_STORE_UNKNOWN;
 * those marked "Clock" also SKAN_ERROR_CLOCK; or, in place of an error that a hook brought about by throwing, what it
 * threw. "SPEC" names the section of libskan's rules.
 */
class engine {
public:
    /* Makes an engine; everything in `options` may be left as it is. Throws SKAN_ERROR_INVALID_ARGUMENT: a text or the
     * protocol is not as described; SKAN_ERROR_MISUSE: the linked library has another ABI than this header. */
    explicit engine(const libskan::options &options = {}) {
        if (skan_abi_version() != SKAN_ABI_VERSION)
            throw error(SKAN_ERROR_MISUSE, "libskan has ABI " + std::to_string(skan_abi_version()) +
                                               ", this program was built for " + std::to_string(SKAN_ABI_VERSION));
        const detail::c_text endpoint_url("endpoint_url", options.endpoint_url);
        const detail::c_text sdk_key("sdk_key", options.sdk_key);
        const detail::c_text bundle_id("bundle_id", options.bundle_id);
        const detail::c_text app_version("app_version", options.app_version);

        detail::lent<libskan::store> store(options.store);
        detail::lent<libskan::clock> clock(options.clock);
        detail::lent<libskan::transport> transport(options.transport);
        const skan_store store_hooks = {sizeof(skan_store), store.get(),    detail::load,
                                        detail::save,       detail::remove, store.finalize};
        const skan_clock clock_hooks = {sizeof(skan_clock), clock.get(), detail::now, clock.finalize};
        const skan_transport transport_hooks = {sizeof(skan_transport), transport.get(), detail::get,
                                                transport.finalize};

        skan_options chosen = {};
        chosen.size = sizeof chosen;
        chosen.protocol = options.protocol;
        chosen.store = store ? &store_hooks : nullptr;
        chosen.clock = clock ? &clock_hooks : nullptr;
        chosen.transport = transport ? &transport_hooks : nullptr;
        chosen.endpoint_url = endpoint_url;
        chosen.sdk_key = sdk_key;
        chosen.bundle_id = bundle_id;
        chosen.app_version = app_version;

        detail::call call;
        ::skan *made = nullptr;
        call.ended(skan_create(&chosen, &made, call.failure()));
        store.release();
        clock.release();
        transport.release();
        engine_.reset(made);
    }

    /* First launch: registers the install, once. SKAN 4 gives update 1 {window 0, fine 0}; SKAN 3 gives none. Clock.
     * SPEC 2 and 3, "register". Outcomes: ok, already_registered. */
    result register_install(std::string_view install_id) {
        const detail::c_text install("install_id", install_id);
        return updating([&](skan_update *out, skan_error **failure) {
            return skan_register(engine_.get(), install, out, failure);
        });
    }

    /* Adds a purchase, an ad impression's revenue or, below zero, a refund, exactly, to the install's totals.
     *   amount           finite, |amount| < 1e12, in units of the currency; 0 adds nothing but records its event id
     *   currency         three ASCII letters, ISO 4217
     *   ad_monetization  true = ad revenue, false = in-app purchase; SKAN 3 knows only the latter
     *   event_id         nullopt, or 1..SKAN_EVENT_ID_MAX bytes that name this purchase: a repeated call with one of
     *                    the install's last 64 counts nothing. Use one wherever a call may be repeated.
     * Clock. SPEC 2, "update revenue". Outcomes: ok, duplicate_event. Throws also SKAN_ERROR_LIMIT_EXCEEDED. */
    result update_revenue(std::string_view install_id, double amount, std::string_view currency, bool ad_monetization,
                          std::optional<std::string_view> event_id) {
        const detail::c_text install("install_id", install_id);
        const detail::c_text money("currency", currency);
        const detail::c_text event("event_id", event_id);
        detail::call call;
        return {call.ended(
                    skan_update_revenue(engine_.get(), install, amount, money, ad_monetization, event, call.failure())),
                std::nullopt};
    }

    /* The request for the next conversion value: a URL to GET and a ticket to hand to apply_response with the answer.
     * Changes nothing. event_name: 1..SKAN_EVENT_NAME_MAX printable ASCII bytes; nullopt = a session. Clock. SPEC 2,
     * "request". Outcomes: ok, not_registered, window_closed. */
    request conversion_request(std::string_view install_id, std::optional<std::string_view> event_name = std::nullopt,
                               const device &device = {}) {
        const detail::c_text install("install_id", install_id);
        const detail::c_text event("event_name", event_name);
        const c_device from(device);
        detail::call call;
        char *url = nullptr;
        std::uint64_t ticket = 0;
        const outcome outcome =
            call.ended(skan_conversion_request(engine_.get(), install, event, from, &url, &ticket, call.failure()));
        return {outcome, taken(url), ticket};
    }

    /* Applies the endpoint's answer (HTTP status 200 only) to a request. ticket: the request's; 0 = none, the order of
     * answers is then neither checked nor recorded. Clock. SPEC 2 and 3, "apply response". Outcomes: ok with an update,
     * no_new_value, stale_response, window_locked, window_closed, not_registered. Throws also
     * SKAN_ERROR_LIMIT_EXCEEDED, SKAN_ERROR_MALFORMED_RESPONSE, SKAN_ERROR_ILLEGAL_VALUE, SKAN_ERROR_REJECTED. */
    result apply_response(std::string_view install_id, std::uint64_t ticket, std::string_view body) {
        const detail::c_text install("install_id", install_id);
        return updating([&](skan_update *out, skan_error **failure) {
            return skan_apply_response(engine_.get(), install, ticket, body.data(), body.size(), out, failure);
        });
    }

    /* Request, GET by the engine's transport, and apply, in one call. event_id: as for update_revenue, with a memory
     * of its own, kept when the call ends in an outcome other than not_registered. Clock. SPEC 2, "update conversion
     * values". Outcomes: those of apply_response, duplicate_event. Throws also what apply_response does,
     * SKAN_ERROR_TRANSPORT, and SKAN_ERROR_MISUSE: the engine has no transport. */
    result update_conversion_values(std::string_view install_id, std::optional<std::string_view> event_name,
                                    std::optional<std::string_view> event_id, const device &device = {}) {
        const detail::c_text install("install_id", install_id);
        const detail::c_text name("event_name", event_name);
        const detail::c_text event("event_id", event_id);
        const c_device from(device);
        return updating([&](skan_update *out, skan_error **failure) {
            return skan_update_conversion_values(engine_.get(), install, name, event, from, out, failure);
        });
    }

    /* The update that waits for the app: the last one, until acknowledged, while its window is open. Changes nothing.
     * Clock. SPEC 2, "pending / acknowledge". Outcomes: ok with an update, nothing_pending. */
    result pending_update(std::string_view install_id) {
        const detail::c_text install("install_id", install_id);
        return updating([&](skan_update *out, skan_error **failure) {
            return skan_pending_update(engine_.get(), install, out, failure);
        });
    }

    /* Says what became of an update: delivered = true, the app passed it to Apple; false makes it pending again.
     * Another number than the last update's changes nothing. SPEC 2, "pending / acknowledge". */
    void acknowledge_update(std::string_view install_id, std::uint64_t id, bool delivered) {
        const detail::c_text install("install_id", install_id);
        detail::call call;
        call.ended(skan_acknowledge_update(engine_.get(), install, id, delivered, call.failure()));
    }

    /* The whole state as a JSON object: every key, null for none, amounts as exact decimals. SPEC 4, "details". */
    [[nodiscard]] std::string details(std::string_view install_id) {
        const detail::c_text install("install_id", install_id);
        detail::call call;
        char *json = nullptr;
        call.ended(skan_details(engine_.get(), install, &json, call.failure()));
        return taken(json);
    }

    /* What the host adds to its S2S session and event calls: percent-encoded query items without a leading `?`. SPEC 4,
     * "metadata". */
    [[nodiscard]] std::string metadata(std::string_view install_id) {
        const detail::c_text install("install_id", install_id);
        detail::call call;
        char *query = nullptr;
        call.ended(skan_metadata(engine_.get(), install, &query, call.failure()));
        return taken(query);
    }

    /* Takes over the state of an install that has no record here, from a details document. SPEC 4, "import". Outcomes:
     * ok, already_registered. Throws also SKAN_ERROR_LIMIT_EXCEEDED and SKAN_ERROR_INVALID_DOCUMENT. */
    result import_details(std::string_view install_id, std::string_view json) {
        const detail::c_text install("install_id", install_id);
        detail::call call;
        return {call.ended(skan_import_details(engine_.get(), install, json.data(), json.size(), call.failure())),
                std::nullopt};
    }

    /* Deletes the install's record, whatever it holds. An install never heard of is fine. SPEC 2, "forget". */
    void forget(std::string_view install_id) {
        const detail::c_text install("install_id", install_id);
        detail::call call;
        call.ended(skan_forget(engine_.get(), install, call.failure()));
    }

    /* The C engine, owned by this object, for calls through skan.h. */
    [[nodiscard]] ::skan *get() const noexcept { return engine_.get(); }

private:
    /* A device as C sees it. */
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

    template <typename Function> result updating(Function function) {
        skan_update update = {};
        update.size = sizeof update;
        detail::call call;
        const outcome outcome = call.ended(function(&update, call.failure()));
        return {outcome, detail::given(update)};
    }

    static std::string taken(char *text) {
        const std::unique_ptr<char, detail::free_text> owned(text);
        return owned ? std::string(owned.get()) : std::string();
    }

    std::unique_ptr<::skan, detail::destroy_engine> engine_;
};

} // namespace libskan

/* The short name of everything above. C's opaque type `skan` rules out a namespace of that name; this completes it. */
struct skan {
    skan() = delete;
    ~skan() = delete;

    using engine = libskan::engine;
    using options = libskan::options;
    using device = libskan::device;
    using update = libskan::update;
    using outcome = libskan::outcome;
    using result = libskan::result;
    using request = libskan::request;
    using error = libskan::error;
    using store = libskan::store;
    using record = libskan::record;
    using store_conflict = libskan::store_conflict;
    using store_failed = libskan::store_failed;
    using clock = libskan::clock;
    using transport = libskan::transport;
    using limit_exceeded = libskan::limit_exceeded;

    [[nodiscard]] static std::string_view version() noexcept { return libskan::version(); }
    [[nodiscard]] static std::string_view status_name(skan_status status) noexcept {
        return libskan::status_name(status);
    }
    [[nodiscard]] static std::string_view status_name(outcome outcome) noexcept {
        return libskan::status_name(outcome);
    }
    [[nodiscard]] static std::shared_ptr<clock> make_clock(std::function<std::int64_t()> now) {
        return libskan::make_clock(std::move(now));
    }
    [[nodiscard]] static std::shared_ptr<transport> make_transport(
        std::function<std::string(const std::string &)> get) {
        return libskan::make_transport(std::move(get));
    }
};

#endif /* SKAN_SKAN_HPP */

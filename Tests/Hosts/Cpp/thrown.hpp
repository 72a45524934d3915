/* What calls of C++ throw, to be expected by type, by words and by status. */
#ifndef THROWN_HPP
#define THROWN_HPP

#include "support.h"

#include <skan/skan.hpp>

#include <cstdlib>
#include <functional>

/* What a host throws. */
struct outage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/* Ends the case where a function does not throw it. */
template <typename Thrown = skan::error, typename Function> Thrown thrown_by(Function function) {
    try {
        function();
        EXPECT(false, "expected an exception");
    } catch (const Thrown &thrown) {
        return thrown;
    } catch (const std::exception &other) {
        EXPECT(false, "expected another exception, came: %s", other.what());
    }
    std::exit(1);
}

template <typename Function> skan_status status_of(Function function) {
    try {
        function();
    } catch (const skan::error &error) {
        return error.status();
    }
    return SKAN_OK;
}

inline std::string words_of(const std::exception_ptr &thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const std::exception &exception) {
        return exception.what();
    }
    return "";
}

#define EXPECT_THROWS(Thrown, message, call) \
    EXPECT_TEXT(std::string(message).c_str(), thrown_by<Thrown>([&] { (void)(call); }).what())
#define EXPECT_ERROR(expected, call) EXPECT_STATUS((expected), status_of([&] { (void)(call); }))

#endif

internal import CSKANSystem

package typealias Bytes = UnsafeRawBufferPointer

/// errno, which C has as a macro.
package var systemError: Int32 { __errno_location().pointee }

/// So that what is there afterwards was set by the next call.
package func clearSystemError() { __errno_location().pointee = 0 }

/// Milliseconds on the clock that nobody sets.
package func millisecondsNow() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}

/// Microseconds on the same clock.
package func microsecondsNow() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(bitPattern: Int64(now.tv_sec)) &* 1_000_000 &+ UInt64(bitPattern: Int64(now.tv_nsec)) / 1000
}

/// Microseconds since 1970, on the clock that says what time it is.
package func microsecondsSince1970() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
}

/// What is freed goes back to the system early: of itself libc keeps the more, the larger the blocks were that came and
/// went.
package func returnFreedMemory() { mallopt(M_TRIM_THRESHOLD, 128 << 10) }

internal import CSKANSystem

package typealias Bytes = UnsafeRawBufferPointer

extension [UInt8] {
    /// Passes the bytes to a function that throws only its own type of error; `withUnsafeBytes` would throw any error.
    @inline(__always)
    package func withBytes<Result, Problem: Error>(_ body: (Bytes) throws(Problem) -> Result) throws(Problem) -> Result
    {
        try withUnsafeBufferPointer { (bytes) throws(Problem) in try body(Bytes(bytes)) }
    }
}

/// The value of errno, which is a macro in C.
package var systemError: Int32 { __errno_location().pointee }

/// Clears errno, so that any value found there afterwards comes from a later call.
package func clearSystemError() { __errno_location().pointee = 0 }

/// Milliseconds on the system's monotonic clock, which is never set.
package func millisecondsNow() -> Int64 { Int64(bitPattern: microsecondsNow() / 1000) }

/// Microseconds on the system's monotonic clock.
package func microsecondsNow() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(bitPattern: Int64(now.tv_sec)) &* 1_000_000 &+ UInt64(bitPattern: Int64(now.tv_nsec)) / 1000
}

/// Returns freed memory to the kernel early. glibc's threshold otherwise grows with the largest block ever freed.
package func returnFreedMemory() { mallopt(M_TRIM_THRESHOLD, 128 << 10) }

/// Fills a number, or several, with random bits from the system. Returns false if the system gives none; `systemError`
/// then has the reason.
package func fillRandom<Bits: BitwiseCopyable>(_ bits: inout Bits) -> Bool {
    let size = MemoryLayout<Bits>.size
    var count: Int
    repeat { count = getrandom(&bits, size, 0) } while count < 0 && systemError == EINTR
    return count == size
}

import SKANCore

/// Rules, "Clock": what a clock may answer: microseconds since 1970. A number within the second before 1970 says that
/// the clock failed, and so does a time before the year 1. CLOCK.
@inline(__always)
package func checkTime(_ microseconds: Int64) throws(Failure) {
    guard microseconds >= 0 || (microseconds <= -1_000_000 && microseconds >= -62_135_596_800_000_000) else {
        throw Failure(.clock, "clock.now: expected microseconds since 1970, got \(microseconds)")
    }
}

/// Unix seconds of a time in microseconds.
@inline(__always)
package func seconds(_ microseconds: Int64) -> Int64 {
    let seconds = microseconds / 1_000_000
    return microseconds < seconds * 1_000_000 ? seconds - 1 : seconds
}

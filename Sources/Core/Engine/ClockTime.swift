import SKANCore

/// Rules, "Clock": checks a time in microseconds since 1970 that a clock returned. Throws CLOCK for times before the
/// year 1 and for numbers from −999 999 to −1, with which a clock says that it does not know the time.
@inline(__always)
package func checkTime(_ microseconds: Int64) throws(Failure) {
    guard microseconds >= 0 || (microseconds <= -1_000_000 && microseconds >= -62_135_596_800_000_000) else {
        throw Failure(.clock, "clock.now: expected microseconds since 1970, got \(microseconds)")
    }
}

/// Converts microseconds since 1970 to Unix seconds, rounded down.
@inline(__always)
package func seconds(_ microseconds: Int64) -> Int64 {
    let seconds = microseconds / 1_000_000
    return microseconds < seconds * 1_000_000 ? seconds - 1 : seconds
}

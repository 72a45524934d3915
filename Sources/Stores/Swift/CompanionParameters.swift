internal import SKAN
internal import SKANStorePool

/// Checks a store's parameters and converts them to C types.
package enum Option {
    /// Converts a time to whole milliseconds, rounded up. Throws an error that begins with the parameter's name if the
    /// time is not above zero, or is more than an hour.
    package static func milliseconds(_ time: Duration, _ name: String) throws -> UInt32 {
        guard time > .zero, time <= .milliseconds(Int(StoreLimits.timeout)) else {
            throw SKANError(.invalidArgument, "\(name): expected a time above zero, at most an hour, got \(time)")
        }
        let (seconds, attoseconds) = time.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return UInt32(seconds * 1000 + (attoseconds + perMillisecond - 1) / perMillisecond)
    }

    /// Converts a number, such as a number of connections. Throws an error that begins with the parameter's name if the
    /// number is not in 1...`most`.
    package static func count(
        _ count: Int, _ name: String, upTo most: Int = Int(StoreLimits.connections)
    ) throws -> UInt32 {
        guard 1...most ~= count, let number = UInt32(exactly: count) else {
            throw SKANError(.invalidArgument, "\(name): expected 1 to \(most), got \(count)")
        }
        return number
    }
}

/// Throws an error that begins with the parameter's name if the text contains a NUL, because the libraries behind the
/// stores take C strings.
package func checkText(_ text: String, _ name: String) throws {
    if text.utf8.contains(0) { throw SKANError(.invalidArgument, "\(name): has a NUL") }
}

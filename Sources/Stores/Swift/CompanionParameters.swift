internal import SKAN
internal import SKANStorePool

/// Checks of the parameters of a store, which convert them to C's types.
package enum Option {
    /// A time in whole milliseconds, rounded up, of up to an hour.
    package static func milliseconds(_ time: Duration, _ name: String) throws -> UInt32 {
        guard time > .zero, time <= .milliseconds(Int(StoreLimits.timeout)) else {
            throw SKANError(.invalidArgument, "\(name): expected a time above zero, at most an hour, got \(time)")
        }
        let (seconds, attoseconds) = time.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return UInt32(seconds * 1000 + (attoseconds + perMillisecond - 1) / perMillisecond)
    }

    /// A number from 1 up to a limit, for example of connections.
    package static func count(
        _ count: Int, _ name: String, upTo most: Int = Int(StoreLimits.connections)
    ) throws -> UInt32 {
        guard 1...most ~= count, let number = UInt32(exactly: count) else {
            throw SKANError(.invalidArgument, "\(name): expected 1 to \(most), got \(count)")
        }
        return number
    }
}

/// The libraries behind stores take C strings.
package func checkText(_ text: String, _ name: String) throws {
    if text.utf8.contains(0) { throw SKANError(.invalidArgument, "\(name): has a NUL") }
}

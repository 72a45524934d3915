internal import SKAN

/// Numbers of options as C has them, where zero would mean the default.
package enum Option {
    /// A time in whole milliseconds, rounded up, of up to an hour.
    package static func milliseconds(_ time: Duration, _ name: String) throws -> UInt32 {
        guard time > .zero, time <= .seconds(3600) else {
            throw SKANError(.invalidArgument, "\(name): expected a time above zero, at most an hour, got \(time)")
        }
        let (seconds, attoseconds) = time.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return UInt32(seconds * 1000 + (attoseconds + perMillisecond - 1) / perMillisecond)
    }

    /// Connections of a store, or another number.
    package static func count(_ count: Int, _ name: String, upTo most: Int = 1024) throws -> UInt32 {
        guard 1...most ~= count, let number = UInt32(exactly: count) else {
            throw SKANError(.invalidArgument, "\(name): expected 1 to \(most), got \(count)")
        }
        return number
    }
}

/// What is no C string cannot be given to C.
package func checkText(_ text: String, _ name: String) throws {
    if text.utf8.contains(0) { throw SKANError(.invalidArgument, "\(name): has a NUL") }
}

/// Does what waits for a disk or a server on a thread of its own, so that no task's thread waits.
package func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await OneThread.run(work)
}

/// A text as C has it, NULL for nil.
package func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
}

internal import CSKANSystem
package import SKANCore

/// "2026-01-31T10:00:00Z", of seconds since 1970.
package func utcTime(_ seconds: Int64) -> Message { timeText(seconds, "%Y-%m-%dT%H:%M:%SZ") }

/// "2026-01-31 10:00:00 UTC", of seconds since 1970.
package func utcText(_ seconds: Int64) -> Message { timeText(seconds, "%Y-%m-%d %H:%M:%S UTC") }

/// "2026-01-31", of seconds since 1970.
package func utcDay(_ seconds: Int64) -> Message { timeText(seconds, "%Y-%m-%d") }

/// A year that the calendar does not have leaves the seconds.
private func timeText(_ seconds: Int64, _ form: StaticString) -> Message {
    var moment = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&moment, &parts) != nil else { return "\(seconds) s" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
        let form = UnsafeRawPointer(form.utf8Start).assumingMemoryBound(to: CChar.self)
        let length = strftime(text.baseAddress, text.count, form, &parts)
        return length == 0 ? "\(seconds) s" : Message(utf8: [UInt8](UnsafeRawBufferPointer(text).prefix(length)))
    }
}

import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANHTTPClient
import SKANSystem

private var hour: UInt32 { 3_600_000 }

extension HTTPSettings {
    /// Reads a caller's options; a zero means the default.
    init(_ given: skan_http_options) throws(Failure) {
        self.init()
        try take(given.timeout_ms, "timeout_ms", atMost: hour, &timeout)
        try take(given.attempt_timeout_ms, "attempt_timeout_ms", atMost: hour, &attemptTimeout)
        try take(given.connect_timeout_ms, "connect_timeout_ms", atMost: hour, &connectTimeout)
        try take(given.max_attempts, "max_attempts", atMost: 100, &maxAttempts)
        try take(given.backoff_ms, "backoff_ms", atMost: hour, &backoff)
        try take(given.max_backoff_ms, "max_backoff_ms", atMost: hour, &maxBackoff)
        try take(given.max_connections, "max_connections", atMost: 4096, &maxConnections)
        try checkOption("reserved", given.reserved, atMost: 0)
        caFile = given.ca_file.map { CText(copying: $0) }
        proxy = given.proxy.map { CText(copying: $0) }
    }
}

private func take(
    _ given: UInt32, _ name: StaticString, atMost most: UInt32, _ taken: inout UInt32
) throws(Failure) {
    try checkOption(name, given, atMost: most)
    if given > 0 { taken = given }
}

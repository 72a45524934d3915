/// The limits that the rules set, and those that the rules leave to the library. skan.h has the same numbers.
package enum Limits {
    package static var installIDBytes: Int { 128 }
    package static var eventIDBytes: Int { 128 }
    package static var eventNameBytes: Int { 64 }
    package static var requestEventNameBytes: Int { 32 }
    package static var eventIDs: Int { 64 }
    package static var currencies: Int { 64 }
    package static var reengagements: Int { 6 }
    package static var tagBytes: Int { 256 }
    package static var referenceBytes: Int { 64 }
    package static var cooldownHours: UInt32 { 720 }
    package static var textBytes: Int { 256 }
    package static var amountBytes: Int { 1024 }
    package static var endpointBytes: Int { 2048 }
    package static var responseBytes: Int { 65_536 }
    package static var modelBytes: Int { 65_536 }
    package static var modelIDBytes: Int { 64 }
    package static var modelRules: Int { 256 }
    package static var modelMeasures: Int { 32 }
    package static var measureNameBytes: Int { 32 }
    /// The maximum number of digits in one generator of rules.
    package static var modelDigits: Int { 6 }
    package static var modelEvents: Int { 64 }
    /// One for each event, and one for sessions.
    package static var modelCounts: Int { modelEvents + 1 }
    package static var models: Int { 1024 }
    package static var requestBytes: Int { 65_536 }
    package static var recordBytes: Int { 32_768 }
    package static var bufferBytes: Int { 1_048_576 }
    /// The maximum number of amounts in one call.
    package static var revenueItems: Int { 65_536 }
    /// The maximum number of records in one call of a store's hook, and of results in one acknowledgement of calls.
    package static var batchItems: Int { 1024 }
    package static var nesting: Int { 32 }
    /// Rules, "Windows": the maximum number of seconds by which the clocks of two hosts may differ if an endpoint
    /// decides.
    package static var clockDifference: Int64 { 3600 }
    /// Rules, "Register", "Endpoint requests": the maximum number of seconds by which a first launch may be ahead of
    /// the clock.
    package static var secondsAhead: Int64 { 60 }
    /// The range of Unix seconds that 64-bit microseconds can express.
    package static var timestamps: ClosedRange<Int64> { -9_223_372_036_854...9_223_372_036_854 }
}

/// The Makefile has the same version.
package var libraryVersion: StaticString { "0.2.0" }

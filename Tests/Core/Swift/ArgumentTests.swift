import SKAN
import Testing

/// Rules, "Arguments": a wrong argument is INVALID_ARGUMENT before anything else is looked at, and the message names
/// it.
struct ArgumentTests {
    private let engine: Engine

    init() throws {
        // Its store and clock fail: whatever gets past the arguments' checks ends in another error.
        engine = try Engine(store: BrokenStore(), transport: Endpoint().transport, clock: { throw TimeOut() })
    }

    private struct BrokenStore: Store {
        func load(_ key: String) throws -> StoredRecord? { throw TimeOut() }
        func save(_ key: String, _ record: [UInt8], expected: UInt64) throws -> SaveResult { throw TimeOut() }
        func remove(_ key: String, expected: UInt64) throws -> RemoveResult { throw TimeOut() }
    }

    private func expectInvalid(
        _ argument: String, _ sourceLocation: SourceLocation = #_sourceLocation,
        _ call: () async throws -> Void
    ) async {
        let error = await failure(sourceLocation, of: call)
        #expect(error?.code == .invalidArgument, sourceLocation: sourceLocation)
        #expect(
            error?.message.hasPrefix("\(argument): expected ") == true, "\(error?.message ?? "")",
            sourceLocation: sourceLocation)
    }

    @Test(arguments: ["", String(repeating: "x", count: 129), "a\0b", "a\nb", "\u{7F}"])
    func installIDs(_ id: String) async {
        await expectInvalid("installID") { try await engine.register(id) }
        await expectInvalid("installID") {
            try await engine.updateRevenue(id, amount: .infinity, currency: "")
        }
        await expectInvalid("installID") {
            try await engine.updateRevenue(id, amount: Amount.zero, currency: "")
        }
        await expectInvalid("installID") { _ = try await engine.conversionRequest(id) }
        await expectInvalid("installID") { try await engine.applyResponse(id, body: []) }
        await expectInvalid("installID") { try await engine.updateConversionValues(id) }
        await expectInvalid("installID") { _ = try await engine.pendingUpdate(id) }
        await expectInvalid("installID") { try await engine.acknowledgeUpdate(id, id: 1) }
        await expectInvalid("installID") { _ = try await engine.details(id) }
        await expectInvalid("installID") { _ = try await engine.metadata(id) }
        await expectInvalid("installID") { try await engine.importDetails(id, json: []) }
        await expectInvalid("installID") { try await engine.forget(id) }
    }

    @Test(arguments: ["x", String(repeating: "x", count: 128), "ä é 🎮", " "])
    func installIDsOf1To128BytesAreFine(_ id: String) async throws {
        let engine = try Engine(store: HostStore())
        #expect(try await engine.register(id).outcome == .ok)
        #expect(try await engine.register(id).outcome == .alreadyRegistered)
    }

    @Test func theMessageSaysWhatWasThere() async {
        let error = await failure { try await engine.register("a\0b") }
        #expect(
            error?.message
                == #"installID: expected 1 to 128 bytes of UTF-8 without control bytes, got "a\x00b""#)
    }

    @Test(arguments: ["", String(repeating: "x", count: 129), "order\u{0}1"])
    func eventIDs(_ id: String) async {
        await expectInvalid("eventID") {
            try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: id)
        }
        await expectInvalid("eventID") {
            try await engine.updateConversionValues("player-1", eventID: id)
        }
    }

    /// Texts of C end at a NUL: were these cut there, the second would be a duplicate of the first.
    @Test func eventIDsAreNeverCut() async throws {
        let engine = try Engine()
        #expect(try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: "order") == .ok)
        await expectInvalid("eventID") {
            try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: "order\u{0}2")
        }
    }

    /// Event ids are bytes: "é" as one scalar is another id than "é" as two.
    @Test func eventIDsAreComparedAsBytes() async throws {
        let engine = try Engine()
        #expect(try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: "\u{E9}") == .ok)
        #expect(try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: "e\u{301}") == .ok)
        #expect(
            try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: "\u{E9}")
                == .duplicateEvent)
    }

    @Test(arguments: ["", String(repeating: "x", count: 33), "é", "a\0", "a\tb"])
    func eventNames(_ name: String) async {
        await expectInvalid("event") {
            _ = try await engine.conversionRequest("player-1", event: name)
        }
        await expectInvalid("event") {
            try await engine.updateConversionValues("player-1", event: name)
        }
    }

    @Test(arguments: ["", "US", "USDX", "U$D", "US\0", "ÄÖÜ"])
    func currencies(_ currency: String) async {
        await expectInvalid("currency") {
            try await engine.updateRevenue("player-1", amount: 1, currency: currency)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e12, -1e12, .greatestFiniteMagnitude])
    func amounts(_ amount: Double) async {
        await expectInvalid("amount") {
            try await engine.updateRevenue("player-1", amount: amount, currency: "USD")
        }
    }

    @Test func adRevenueInSKAN3() async throws {
        let engine = try Engine(Configuration(protocolVersion: .skan3))
        await expectInvalid("adMonetization") {
            try await engine.updateRevenue("player-1", amount: 1, currency: "USD", adMonetization: true)
        }
    }

    @Test(arguments: [String(repeating: "x", count: 257), "16\01", "a\nb"])
    func devices(_ text: String) async {
        for (name, device) in [
            ("osVersion", Device(osVersion: text)), ("idfv", Device(idfv: text)), ("idfa", Device(idfa: text)),
        ] {
            await expectInvalid(name) {
                _ = try await engine.conversionRequest("player-1", device: device)
            }
            await expectInvalid(name) {
                try await engine.updateConversionValues("player-1", device: device)
            }
        }
    }

    @Test func tickets() async {
        await expectInvalid("ticket") {
            try await engine.applyResponse("player-1", ticket: 1 << 63, body: [])
        }
    }

    @Test func answersOver64KiB() async {
        let oversized = [UInt8](repeating: 0x20, count: 65_537)
        let error = await failure { try await engine.applyResponse("player-1", body: oversized) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message == "body: 65537 bytes, the limit is 65536")
    }

    @Test(arguments: [
        "", "ftp://example.com", "https://", "https://example.com/?key=1", "https://example.com/#a",
        "https://exa mple.com", "https://example.com/\0", "https://" + String(repeating: "x", count: 2041),
    ])
    func endpoints(_ url: String) async {
        await expectInvalid("endpointURL") {
            _ = try Engine(Configuration(endpointURL: url))
        }
    }

    @Test func whatRequestsSayOfTheApp() async {
        let long = String(repeating: "x", count: 257)
        for (name, configuration) in [
            ("sdkKey", Configuration(sdkKey: long)), ("sdkKey", Configuration(sdkKey: "key\0")),
            ("bundleID", Configuration(bundleID: long)), ("appVersion", Configuration(appVersion: "1\n2")),
        ] {
            await expectInvalid(name) { _ = try Engine(configuration) }
        }
    }

    @Test func protocolVersions() {
        #expect(ProtocolVersion(rawValue: 4) == .skan4)
        #expect(ProtocolVersion(rawValue: 3) == .skan3)
        for number in [-1, 0, 1, 2, 5, 256 + 4, Int.max] { #expect(ProtocolVersion(rawValue: number) == nil) }
        #expect(ProtocolVersion.skan4.rawValue == 4)
    }

    @Test func coarseValues() {
        #expect([0, 1, 2].map { CoarseValue(rawValue: $0) } == [.low, .medium, .high])
        #expect(CoarseValue(rawValue: 3) == nil)
        #expect(CoarseValue(rawValue: -1) == nil)
        #expect(CoarseValue.low < .high)
        #expect("\(CoarseValue.medium)" == "medium")
    }
}

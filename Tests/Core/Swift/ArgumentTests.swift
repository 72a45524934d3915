import SKAN
import Testing

/// Rules, "Arguments": a wrong argument is INVALID_ARGUMENT before anything else is looked at, and the message names
/// it. Which values are wrong is in Tests/Core/Rules; here each call is shown to look at each of its arguments, whole.
struct ArgumentTests {
    private let engine: Engine

    init() throws {
        // Its store and clock fail: whatever gets past the arguments' checks ends in another error.
        engine = try Engine(.asking, store: BrokenStore(), transport: Endpoint().transport, clock: { throw TimeOut() })
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

    /// Texts of C end at a NUL: were these cut there, they would be taken.
    private static func wrong(longerThan most: Int) -> [String] {
        [String(repeating: "x", count: most + 1), "a\0b", "a\nb"]
    }

    @Test(arguments: wrong(longerThan: 128) + [""])
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
        await expectInvalid("installID") { _ = try await engine.pendingCalls(id) }
        await expectInvalid("installID") { try await engine.acknowledgeCalls(id, [(1, .delivered)]) }
        await expectInvalid("installID") { _ = try await engine.details(id) }
        await expectInvalid("installID") { _ = try await engine.metadata(id) }
        await expectInvalid("installID") { try await engine.importDetails(id, json: []) }
        await expectInvalid("installID") { try await engine.forget(id) }
    }

    @Test func theMessageSaysWhatWasThere() async {
        let error = await failure { try await engine.register("a\0b") }
        #expect(
            error?.message
                == #"installID: expected 1 to 128 bytes of UTF-8 without control bytes, got "a\x00b""#)
    }

    @Test func theMessageShowsATextThatIsTooLong() async {
        let error = await failure { try await engine.updateRevenue("player-1", amount: 1, currency: "DOLLAR") }
        #expect(error?.message == #"currency: expected three ASCII letters, got "DOLLAR""#)
    }

    @Test(arguments: ["", String(repeating: "x", count: 129), "order\0"])
    func eventIDs(_ id: String) async {
        await expectInvalid("eventID") {
            try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: id)
        }
        await expectInvalid("eventID") {
            try await engine.updateConversionValues("player-1", Event(eventID: id))
        }
    }

    /// Ids are bytes: "é" as one scalar is another id than "é" as two, though Swift calls the texts equal.
    @Test(arguments: [MemoryStore(), HostStore()] as [any Store])
    func idsAreComparedAsBytes(_ store: any Store) async throws {
        let engine = try Engine(.asking, store: store)
        for id in ["\u{E9}", "e\u{301}"] {
            #expect(try await engine.register(id).outcome == .ok)
            #expect(try await engine.updateRevenue("player-1", amount: 1, currency: "USD", eventID: id) == .ok)
        }
    }

    @Test(arguments: wrong(longerThan: 32) + ["", "é"])
    func eventNames(_ name: String) async {
        await expectInvalid("event") {
            _ = try await engine.conversionRequest("player-1", Event(name))
        }
        await expectInvalid("event") {
            try await engine.updateConversionValues("player-1", Event(name))
        }
    }

    @Test(arguments: ["", "US", "US\0", "ÄÖÜ"])
    func currencies(_ currency: String) async {
        await expectInvalid("currency") {
            try await engine.updateRevenue("player-1", amount: 1, currency: currency)
        }
    }

    @Test(arguments: [Double.nan, -.infinity, 1e12])
    func amounts(_ amount: Double) async {
        await expectInvalid("amount") {
            try await engine.updateRevenue("player-1", amount: amount, currency: "USD")
        }
    }

    @Test func exactAmounts() async throws {
        let tooMuch = try #require(Amount("-1000000000000"))
        let error = await failure { try await engine.updateRevenue("player-1", amount: tooMuch, currency: "USD") }
        #expect(error?.message == "amount: expected a finite number between -1e12 and 1e12, got -1000000000000")
    }

    @Test func adRevenueInSKAN3() async throws {
        let engine = try Engine(Configuration(protocolVersion: .skan3))
        await expectInvalid("kind") {
            try await engine.updateRevenue("player-1", amount: 1, currency: "USD", kind: .ad)
        }
    }

    @Test(arguments: wrong(longerThan: 256))
    func devicesAndTheApp(_ text: String) async {
        for (name, device) in [
            ("osVersion", Device(osVersion: text)), ("idfv", Device(idfv: text)), ("idfa", Device(idfa: text)),
        ] {
            await expectInvalid(name) {
                _ = try await engine.conversionRequest("player-1", Event(device: device))
            }
            await expectInvalid(name) {
                try await engine.updateConversionValues("player-1", Event(device: device))
            }
        }
        for (name, configuration) in [
            ("sdkKey", Configuration(sdkKey: text)), ("bundleID", Configuration(bundleID: text)),
            ("appVersion", Configuration(appVersion: text)),
        ] {
            await expectInvalid(name) { _ = try Engine(configuration) }
        }
    }

    @Test func tickets() async {
        await expectInvalid("ticket") {
            try await engine.applyResponse("player-1", ticket: 1 << 63, body: [])
        }
    }

    @Test func bodiesOver64KiB() async {
        let oversized = [UInt8](repeating: 0x20, count: 65_537)
        let answer = await failure { try await engine.applyResponse("player-1", body: oversized) }
        let document = await failure { try await engine.importDetails("player-1", json: oversized) }
        for (error, name) in [(answer, "body"), (document, "json")] {
            #expect(error?.code == .limitExceeded)
            #expect(error?.message == "\(name): 65537 bytes, the limit is 65536")
        }
    }

    @Test(arguments: ["", "ftp://example.com", "https://example.com/\0"])
    func endpoints(_ url: String) async {
        await expectInvalid("endpointURL") {
            _ = try Engine(Configuration(endpointURL: url))
        }
    }

    @Test func protocolVersionsAndCoarseValuesAreNumbers() {
        for number in [-1, 0, 1, 2, 3, 4, 5, 256 + 4, Int.max] {
            #expect(ProtocolVersion(rawValue: number)?.rawValue == ([3, 4].contains(number) ? number : nil))
            #expect(CoarseValue(rawValue: number)?.rawValue == ((0...2).contains(number) ? number : nil))
        }
        #expect(ProtocolVersion.skan4.rawValue == 4)
        #expect([CoarseValue.low, .medium, .high].map(\.rawValue) == [0, 1, 2])
        #expect(CoarseValue.low < .high)
        #expect("\(CoarseValue.medium)" == "medium")
    }
}

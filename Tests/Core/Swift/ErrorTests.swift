import Foundation
import SKAN
import Testing

struct ErrorTests {
    private static let outcomes: [Outcome] = [
        .ok, .alreadyRegistered, .duplicateEvent, .noNewValue, .staleResponse, .windowLocked, .windowClosed,
        .notRegistered, .nothingPending, .notFound, .unsupported,
    ]
    private static let codes: [SKANError.Code] = [
        .invalidArgument, .misuse, .limitExceeded, .invalidDocument, .malformedResponse, .illegalValue, .rejected,
        .store, .storeConflict, .storeUnknown, .corruptRecord, .recordTooNew, .transport, .transportUnknown,
        .modelUnknown, .clock,
    ]

    /// Every status has its error; StatusTests show that names and numbers are those of skan.h.
    @Test func everyStatusHasItsPlace() {
        let names = ErrorTests.outcomes.map { "\($0)" } + ErrorTests.codes.map { "\($0)" }
        let all = Set((Int32(0)..<1000).map { "\(SKANError.Code(rawValue: $0))" })
        #expect(Set(names).count == names.count)
        #expect(all.subtracting(names) == ["SKAN_UNKNOWN_STATUS"])
    }

    @Test func unknownNumbersStayWhatTheyAre() {
        #expect(SKANError.Code(rawValue: 999).rawValue == 999)
        #expect("\(SKANError.Code(rawValue: 999))" == "SKAN_UNKNOWN_STATUS")
        #expect("\(Outcome(rawValue: 99))" == "SKAN_UNKNOWN_STATUS")
    }

    @Test func aCatchNamesTheCode() async throws {
        func catching(_ call: () async throws -> Void) async throws -> String {
            do {
                try await call()
                return "nothing"
            } catch SKANError.Code.rejected, SKANError.Code.transport {
                return "no value now"
            } catch let error as SKANError where error.code == .invalidArgument {
                return error.message
            } catch SKANError.Code.clock {
                return "the clock"
            }
        }
        let engine = try Engine(.asking, transport: { _ in throw TimeOut() })
        try await engine.register("player-1")
        #expect(try await catching { try await engine.updateConversionValues("player-1") } == "no value now")
        #expect(try await catching { try await engine.register("") }.hasPrefix("installID: "))
        #expect(try await catching { throw SKANError(.clock, "") } == "the clock")
        #expect(try await catching {} == "nothing")
        await #expect(throws: TimeOut.self) { try await catching { throw TimeOut() } }
        await #expect(throws: SKANError.self) { try await catching { throw SKANError(.misuse, "") } }
    }

    /// The description is the message even of an error whose type is not known, as most handlers have it.
    @Test func foundationsDescriptionIsTheMessage() async throws {
        var caught: (any Error)?
        do { try await Engine(.asking).register("") } catch { caught = error }
        let message = "installID: expected 1 to 128 bytes of UTF-8 without control bytes, got an empty text"
        #expect(caught?.localizedDescription == message)
        let failure: any Error = StoreFailure("the disk is full")
        #expect(failure.localizedDescription == "the disk is full")
    }

    @Test func theDescriptionHasCodeNumberAndMessage() {
        let error = SKANError(.storeUnknown, "it cannot be told")
        #expect("\(error)" == "SKAN_ERROR_STORE_UNKNOWN (122): it cannot be told")
        #expect(error.underlying == nil)
    }

    // MARK: Secrets

    @Test func nothingPrintsTheKey() async throws {
        let configuration = Configuration(
            endpointURL: "https://skan.example.com", sdkKey: "secret-key", bundleID: "com.example.game")
        let engine = try Engine(configuration, transport: { url in throw URLError(.badURL, userInfo: ["url": url]) })
        try await engine.register("player-1")
        let result = try await engine.conversionRequest("player-1")
        let request = try #require(result.request)
        #expect(request.url.contains("secret-key"))
        let error = await failure { try await engine.updateConversionValues("player-1") }
        for shown in ["\(configuration)", "\(request)", "\(result)", "\([request])", error.map { "\($0)" } ?? ""] {
            #expect(!shown.isEmpty)
            #expect(!shown.contains("secret-key"))
        }
    }

    // MARK: The transport

    @Test func whatTheTransportThrowsIsUnderneath() async throws {
        let engine = try Engine(.asking) { _ in throw TimeOut() }
        try await engine.register("player-1")
        let error = await failure { try await engine.updateConversionValues("player-1") }
        #expect(error?.code == .transport)
        #expect(error?.message == "transport: threw TimeOut")
        #expect(error?.underlying is TimeOut)
    }

    /// The description of an error as `HTTPTransport` throws it.
    @Test func theDescriptionHasWhatLibskansOwnTransportSays() async throws {
        let engine = try Engine(.asking) { _ in throw SKANError(.transport, "Empty reply from server") }
        try await engine.register("player-1")
        let error: (any Error)? = await failure { try await engine.updateConversionValues("player-1") }
        #expect(error?.localizedDescription == "transport: Empty reply from server")
    }

    @Test func aTransportMaySayThatAnAnswerIsTooLong() async throws {
        let engine = try Engine(.asking) { _ in throw SKANError(.limitExceeded, "1 MiB is enough") }
        try await engine.register("player-1")
        let error = await failure { try await engine.updateConversionValues("player-1") }
        #expect(error?.code == .limitExceeded)
    }

    /// Remembered with an outcome, not with an error.
    @Test func anEventIDOfAFailedCallCanBeUsedAgain() async throws {
        let endpoint = Endpoint("nonsense")
        let engine = try Engine(.asking, transport: endpoint.transport)
        try await engine.register("player-1")
        let error = await failure {
            try await engine.updateConversionValues("player-1", Event(eventID: "order-1"))
        }
        #expect(error?.code == .malformedResponse)
        endpoint.answer = Array(#"{"conversion_value":5}"#.utf8)
        #expect(try await engine.updateConversionValues("player-1", Event(eventID: "order-1")).outcome == .ok)
        #expect(
            try await engine.updateConversionValues("player-1", Event(eventID: "order-1")).outcome == .duplicateEvent)
        #expect(endpoint.urls.count == 2)
    }

    // MARK: The clock

    @Test func aClockMayFailOrShowNoTime() async throws {
        let engine = try Engine(.asking, clock: { throw TimeOut() })
        let error = await failure { try await engine.register("player-1") }
        #expect(error?.code == .clock)
        #expect(error?.underlying is TimeOut)
        #expect(try await engine.details("player-1") == Details())
        let before1970 = await failure { try await Engine(.asking, clock: { -1 }).register("player-1") }
        #expect(before1970?.message == "clock: expected microseconds since 1970, got -1")
    }

    @Test func withoutAClockTheSystemsIsRead() async throws {
        let before = Int64(Date().timeIntervalSince1970)
        let timestamp = try #require(try await Engine(.asking).register("player-1").update?.timestamp)
        #expect(timestamp >= before)
        #expect(timestamp <= before + 60)
    }
}

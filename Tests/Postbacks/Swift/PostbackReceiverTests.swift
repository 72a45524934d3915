import Foundation
import SKAN
import SKANPostback
import Testing

/// The receiver in Swift: what it counts is in Tests/Postbacks/Receive; here is what Swift's hooks and arguments add.
struct PostbackReceiverTests {
    private static let june2026: Int64 = 1_780_000_000

    private static func clock() -> Int64 { june2026 * 1_000_000 }

    /// A store whose next load and save can fail, the latter also after it saved.
    private actor TableStore: Store {
        private var records: [String: StoredRecord] = [:]
        private var versions: UInt64 = 0
        private var load: (any Error)?
        private var save: (any Error)?
        private var isSaved = false

        func fail(load: (any Error)? = nil, save: (any Error)? = nil, afterSaving: Bool = false) {
            (self.load, self.save, isSaved) = (load, save, afterSaving)
        }

        func load(_ key: String) throws -> StoredRecord? {
            defer { load = nil }
            if let load { throw load }
            return records[key]
        }

        func save(_ key: String, _ record: [UInt8], expected: UInt64) throws -> SaveResult {
            defer { save = nil }
            if let save, !isSaved { throw save }
            guard records[key]?.version ?? 0 == expected else { return .conflict }
            versions += 1
            records[key] = StoredRecord(record, version: versions)
            if let save { throw save }
            return .saved(version: versions)
        }

        func remove(_ key: String, expected: UInt64) -> RemoveResult { .conflict }
    }

    private struct Gone: Error {}

    private func model(_ fine: Int = 0) throws -> ConversionModel {
        let windows = #"[{"rules": [{"fine": \#(fine), "coarse": 2}]}, {"rules": [{"coarse": 2}]}, {"rules": []}]"#
        return try ConversionModel(json: #"{"schema": 1, "id": "m\#(fine)", "windows": \#(windows)}"#.utf8)
    }

    @Test func aPostbackCountsOnce() async throws {
        let store = TableStore()
        let receiver = try PostbackReceiver(store: store, clock: Self.clock)
        let body = try sample("coarse")
        let first = try await receiver.receive(body)
        #expect(first.outcome == .counted && first.result == .valid && first.isKept)
        #expect(first.decoding == .notDecoded && first.model == nil && first.problemField == nil)
        #expect(first.key == (try Postback(verifying: body)).key)
        #expect(first.received == Self.clock())
        let other = try PostbackReceiver(store: store, clock: Self.clock)
        let second = try await other.receive(body)
        #expect(second.outcome == .duplicate && !second.isKept)
        #expect(second.key == first.key)
    }

    @Test func othersAndFalseOnesAreRefused() async throws {
        let body = try sample("coarse")
        let forOthers = try PostbackReceiver(store: TableStore(), appIDs: [1], clock: Self.clock)
        #expect(try await forOthers.receive(body).outcome == .otherApp)
        let ofOthers = try PostbackReceiver(store: TableStore(), adNetworks: ["other.skadnetwork"], clock: Self.clock)
        #expect(try await ofOthers.receive(body).outcome == .otherNetwork)
        let receiver = try PostbackReceiver(store: TableStore(), appIDs: [525_463_029], clock: Self.clock)
        #expect(try await receiver.receive(body, network: "other.skadnetwork").outcome == .otherNetwork)
        let malformed = try await receiver.receive("{\"version\":\"4.0\"}".utf8)
        #expect(malformed.outcome == .refused && malformed.result == .malformed)
        #expect(malformed.problemField == "ad-network-id" && malformed.key.hasPrefix("refused/"))
        #expect(try await receiver.receive(body).outcome == .counted)
    }

    /// The model is that of the time of install. Between two models there is no guess.
    @Test func valuesAreDecoded() async throws {
        let body = try sample("coarse")
        let one = try model()
        let decoded = try await PostbackReceiver(
            store: TableStore(), models: [(from: 0, model: one)], clock: Self.clock
        )
        .receive(body)
        #expect(decoded.decoding == .decoded && decoded.model == one.version)
        let late = [(from: Self.june2026 + 1, model: one)]
        let tooEarly = try await PostbackReceiver(store: TableStore(), models: late, clock: Self.clock).receive(body)
        #expect(tooEarly.decoding == .noModel && tooEarly.model == nil)
        let two = [(from: 0, model: one), (from: Self.june2026 - 3 * 86_400, model: try model(1))]
        let between = try await PostbackReceiver(store: TableStore(), models: two, clock: Self.clock).receive(body)
        #expect(between.decoding == .ambiguous)
    }

    @Test func aStoreThatFailsLosesNothing() async throws {
        let store = TableStore()
        let receiver = try PostbackReceiver(store: store, clock: Self.clock)
        let body = try sample("coarse")
        await store.fail(save: StoreFailure("the disk is full"))
        await #expect { try await receiver.receive(body) } throws: { error in
            (error as? SKANError)?.code == .store && (error as? SKANError)?.underlying is StoreFailure
        }
        await store.fail(save: Gone(), afterSaving: true)
        let receipt = try await receiver.receive(body)
        #expect(receipt.outcome == .counted)
        #expect(try await receiver.receive(body).outcome == .duplicate)
        await store.fail(load: Gone(), save: Gone())
        await #expect(throws: SKANError.self) { try await receiver.receive(try sample("v2.0")) }
        #expect(try await receiver.receive(try sample("v2.0")).outcome == .counted)
    }

    @Test func argumentsAreChecked() async throws {
        let store = TableStore()
        let two = [(from: Int64(2), model: try model()), (from: Int64(2), model: try model())]
        #expect(throws: SKANError.self) { try PostbackReceiver(store: MemoryStore()) }
        #expect(throws: SKANError.self) { try PostbackReceiver(store: store, appIDs: [0]) }
        #expect(throws: SKANError.self) { try PostbackReceiver(store: store, adNetworks: [""]) }
        #expect(throws: SKANError.self) { try PostbackReceiver(store: store, models: two) }
        #expect(throws: SKANError.self) { try PostbackReceiver(store: store, appIDs: Array(1...1025)) }
        let receiver = try PostbackReceiver(store: store, clock: { throw Gone() })
        await #expect { try await receiver.receive([]) } throws: { ($0 as? SKANError)?.code == .clock }
        let ready = try PostbackReceiver(store: store, clock: Self.clock)
        await #expect { try await ready.receive([UInt8](repeating: 32, count: 30_721)) } throws: {
            ($0 as? SKANError)?.code == .limitExceeded
        }
        await #expect { try await ready.receive([], network: "") } throws: {
            ($0 as? SKANError)?.code == .invalidArgument
        }
    }
}

import SKANCore
import SKANSystem
import Synchronization
import Testing

@testable import SKANStoreLaws

/// What a store answers may be anything: laws fail, the process goes on.
@Suite(.timeLimit(.minutes(5)))
struct NonsenseTests {
    private static let settings = {
        var settings = LawSettings()
        (settings.isDurable, settings.isShared) = (true, true)
        (settings.rounds, settings.steps, settings.threads, settings.seed) = (3, 50, 3, 1)
        return settings
    }()

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func answersDrawnAtRandomFailLaws(seed: UInt64) {
        var failed = 0
        Law.proveAll(NonsenseTests.settings, NonsenseOpener(seed: seed)) { _, _, outcome in
            if case .failure(.broken) = outcome { failed += 1 }
        }
        #expect(failed > 80)
    }
}

private final class NonsenseOpener: StoreUnderTestOpener {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    func open() -> any StoreUnderTest { NonsenseStore(seed: seed) }

    func reopen() -> Status { .ok }
}

/// Answers by chance, now and then what would be right.
private final class NonsenseStore: StoreUnderTest {
    private let drawing: Mutex<Drawing>

    init(seed: UInt64) { drawing = Mutex(Drawing(seed: seed)) }

    private func below(_ limit: Int) -> Int { drawing.withLock { $0.below(limit) } }

    private var status: Status {
        [.ok, .ok, .ok, .notFound, .notFound, .storeConflict, .store, .storeUnknown, Status(rawValue: .min)][below(9)]
    }

    private var version: UInt64 { [0, 1, 2, 3, 1 << 63, .max - 1, .max][below(7)] }

    private var bytes: [UInt8] {
        let count = [0, 1, 2, 130, 300][below(5)]
        return drawing.withLock { $0.bytes(count) }
    }

    private var loaded: Loaded { Loaded(status, version: version, bytes, isItemChanged: below(4) == 0) }
    private var written: Written { Written(status, version: version, isItemChanged: below(4) == 0) }

    var offers: OptionalCalls { [.loadMany, .saveMany, .list, .listWithPrefix] }
    func load(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded] { keys.map { _ in loaded } }
    func save(_ key: UnsafePointer<CChar>, _ record: Bytes, expected: UInt64) -> Written { written }
    func remove(_ key: UnsafePointer<CChar>, expected: UInt64) -> Status { status }
    func loadMany(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded] { keys.map { _ in loaded } }
    func saveMany(_ saves: [LentSave]) -> [Written] { saves.map { _ in written } }
    func list(withPrefix prefix: UnsafePointer<CChar>?, after cursor: Bytes) -> Listed {
        Listed(status, keys: bytes, cursor: bytes)
    }
    func close() {}
}

import SKANCore
import SKANEngine
import Testing

/// Rules, "Unknown saves": a transaction of something else than an install: a record that is made once and never
/// changed, as those of postbacks. It begins with the save; a write id tells whose the record is that is there.
struct RecordOnceTests {
    /// A write id, then what was written.
    private struct Once: StoredState {
        var found: [UInt8]?
        var own: [UInt8] = []

        static func drawWriteID(_ random: () -> UInt64) -> UInt8 { UInt8(truncatingIfNeeded: random()) }

        mutating func clear() { found = nil }

        mutating func read(_ record: UnsafeRawBufferPointer) throws(Failure) {
            guard !record.isEmpty else { throw Failure(.corruptRecord, "empty") }
            found = [UInt8](record)
        }

        mutating func add(_ write: UInt8, _ random: () -> UInt64) { own = [write] + own.suffix(1) }

        func holds(_ write: UInt8) -> Bool { found?.first == write }

        var writeCount: UInt64 { 0 }

        /// Whoever was first stays.
        func excludes(_ write: UInt8, since doubt: WriteBase) -> Bool { found != nil }
    }

    private struct Making: StoredRule {
        let content: UInt8

        mutating func run(on state: inout Once) throws(Failure) -> Verdict {
            guard let found = state.found else {
                state.own = [0, content]
                return .changed(.ok)
            }
            return .unchanged(found.last == content ? .duplicateEvent : .staleResponse)
        }
    }

    private static let ourID: UInt8 = 7

    /// What a store does with the saves that come one after the other.
    private enum End {
        case applied, failed
        /// Whether it was applied all the same.
        case unknown(Bool)
        /// Unknown; it is applied when the next one comes.
        case late
        /// Before it, another one was made.
        case after(content: UInt8)
        case conflictWithNothing
    }

    private final class Store {
        var record: [UInt8]?
        var loads = 0
        private var late: [UInt8]?

        func save(_ bytes: [UInt8], _ end: End) -> WriteEnd {
            if let late, record == nil { record = late }
            late = nil
            if case .after(let content) = end, record == nil { record = [9, content] }
            if case .conflictWithNothing = end { return .conflict }
            if case .failed = end { return .failed("full") }
            if case .late = end {
                late = bytes
                return .unknown("timed out")
            }
            if case .unknown(false) = end { return .unknown("timed out") }
            let isFirst = record == nil
            if isFirst { record = bytes }
            if case .unknown = end { return .unknown("timed out") }
            return isFirst ? .applied : .conflict
        }
    }

    /// Makes the record over a store that takes saves so, then well.
    private func make(_ ends: [End], _ store: Store = Store(), failingLoad: Int = 0) -> String {
        var transaction = Transaction(Making(content: 1), on: Once(), writeID: RecordOnceTests.ourID)
        var step = transaction.loaded(nil, version: 0)
        var saves = 0
        while true {
            switch step {
            case .load:
                store.loads += 1
                if store.loads == failingLoad {
                    step = transaction.loadFailed("no route")
                } else if let record = store.record {
                    step = record.withUnsafeBytes { transaction.loaded($0, version: 5) }
                } else {
                    step = transaction.loaded(nil, version: 0)
                }
            case .save(let expected):
                #expect(expected == 0)
                let bytes = transaction.state.own
                #expect(bytes == [RecordOnceTests.ourID, 1])
                let end = saves < ends.count ? ends[saves] : .applied
                saves += 1
                step = transaction.saved(store.save(bytes, end))
            case .done(let status): return status.description
            case .fail(let failure): return failure.status.description
            }
        }
    }

    @Test func aFirstOneIsSavedWithoutALoad() {
        let store = Store()
        #expect(make([.applied], store) == "SKAN_OK")
        #expect(store.loads == 0 && store.record == [7, 1])
    }

    @Test func whatIsThereBeforeStays() {
        for (content, expected) in [(UInt8(1), "SKAN_DUPLICATE_EVENT"), (2, "SKAN_STALE_RESPONSE")] {
            let store = Store()
            #expect(make([.after(content: content)], store) == expected)
            #expect(store.record == [9, content])
        }
    }

    @Test func aSaveOfUnknownEndIsFoundByItsID() {
        let stories: [[End]] = [
            [.unknown(true)], [.unknown(false)], [.late], [.unknown(false), .unknown(true)], [.late, .late],
        ]
        for ends in stories {
            let store = Store()
            #expect(make(ends, store) == "SKAN_OK", "\(ends)")
            #expect(store.record == [7, 1])
        }
    }

    @Test func whoIsThereAfterASaveOfUnknownEndWasFirst() {
        #expect(make([.unknown(false), .after(content: 1)]) == "SKAN_DUPLICATE_EVENT")
        #expect(make([.unknown(false), .after(content: 2)]) == "SKAN_STALE_RESPONSE")
        // Found by a load that does not follow a conflict.
        let store = Store()
        store.record = [9, 2]
        #expect(make([.unknown(false)], store) == "SKAN_STALE_RESPONSE")
    }

    @Test func whatIsNotCertainIsUnknown() {
        #expect(make([.failed]) == "SKAN_ERROR_STORE")
        #expect(make([.unknown(false), .failed]) == "SKAN_ERROR_STORE_UNKNOWN")
        #expect(make([.unknown(true)], failingLoad: 1) == "SKAN_ERROR_STORE_UNKNOWN")
        #expect(make([.conflictWithNothing], failingLoad: 1) == "SKAN_ERROR_STORE")
        #expect(make([End](repeating: .unknown(false), count: 100)) == "SKAN_ERROR_STORE_UNKNOWN")
        #expect(make([End](repeating: .conflictWithNothing, count: 100)) == "SKAN_ERROR_STORE_CONFLICT")
        #expect(make([End](repeating: .unknown(false), count: 99)) == "SKAN_OK")
    }

    @Test func aDamagedRecordIsNotReplaced() {
        let store = Store()
        store.record = []
        #expect(make([], store) == "SKAN_ERROR_CORRUPT_RECORD")
        #expect(store.record == [])
    }
}

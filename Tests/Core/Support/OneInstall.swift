import SKANCore
import SKANEngine

/// A store with the record of one install, which misbehaves as told and knows what really happened.
struct OneInstall {
    /// How the store takes a save.
    enum End {
        case applied
        /// So many others wrote before.
        case conflict(others: Int)
        case failed
        /// The caller learns nothing; then comes what else happens before it looks again.
        case unknown(isApplied: Bool, then: Aftermath)
        /// The caller learns nothing; the save arrives after it has looked again.
        case late

        enum Aftermath {
            case nothing
            case overwritten(times: Int)
            case removed
            case removedAndMadeAgain
        }

        static var all: [End] {
            let times = [1, 6, 7, 8, 9]
            let aftermaths: [Aftermath] =
                [.nothing] + times.map { .overwritten(times: $0) } + [.removed, .removedAndMadeAgain]
            return [.applied, .conflict(others: 0), .conflict(others: 1), .conflict(others: 9), .failed, .late]
                + [true, false].flatMap { isApplied in aftermaths.map { .unknown(isApplied: isApplied, then: $0) } }
        }
    }

    struct Stored {
        var record: [UInt8]
        var version: UInt64
        /// Counts how often the record was made anew.
        var life: Int
        /// Whether each save of this life was ours.
        var isOurs: [Bool]
    }

    private(set) var stored: Stored?
    /// How often our change came into the store.
    private(set) var applications = 0
    /// How often at most between the record's making and its end.
    private(set) var applicationsInOneLife = 0
    private(set) var saves = 0
    private var lastVersion: UInt64 = 0
    private var lives = 0
    private var late: (record: [UInt8], expected: UInt64)?
    private var chance: Chance

    init(seed: UInt64, writes: Int) {
        chance = Chance(seed)
        for _ in 0..<writes { write() }
    }

    var isSavePending: Bool { late != nil }

    /// Another writer adds a euro, by the rules of the store contract.
    private mutating func write() {
        var state = stored.flatMap { Record.state($0.record).value } ?? InstallState(.skan4)
        if stored == nil { state.writes = .new(startingAt: chance.next()) }
        _ = state.revenue.add(Money(units: Money.scale), .euro, to: .lifetime(.iap))
        state.writes.add(UInt32(truncatingIfNeeded: chance.next()))
        put(Record.bytes(state), isOurs: false)
    }

    private mutating func put(_ record: [UInt8], isOurs: Bool) {
        lastVersion += 1
        if isOurs { applications += 1 }
        if let old = stored {
            stored = Stored(
                record: record, version: lastVersion, life: old.life, isOurs: old.isOurs + [isOurs])
        } else {
            lives += 1
            stored = Stored(record: record, version: lastVersion, life: lives, isOurs: [isOurs])
        }
        applicationsInOneLife = max(applicationsInOneLife, stored?.isOurs.filter { $0 }.count ?? 0)
    }

    /// Our save, if the version still fits.
    private mutating func apply(_ record: [UInt8], _ expected: UInt64) -> Bool {
        guard expected == stored?.version ?? 0 else { return false }
        put(record, isOurs: true)
        return true
    }

    mutating func save(_ record: [UInt8], expected: UInt64, _ end: End) -> WriteEnd {
        saves += 1
        if let late { _ = apply(late.record, late.expected) }
        late = nil
        switch end {
        case .applied:
            return apply(record, expected) ? .applied : .conflict
        case .conflict(let others):
            for _ in 0..<others { write() }
            return .conflict
        case .failed:
            return .failed("the disk is full")
        case .unknown(let isApplied, let aftermath):
            if isApplied { _ = apply(record, expected) }
            switch aftermath {
            case .nothing: break
            case .overwritten(let times): for _ in 0..<times { write() }
            case .removed: stored = nil
            case .removedAndMadeAgain:
                stored = nil
                write()
            }
            return .unknown("timed out")
        case .late:
            late = (record, expected)
            return .unknown("timed out")
        }
    }
}

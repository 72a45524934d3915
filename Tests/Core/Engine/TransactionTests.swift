import SKANCore
import SKANEngine
import Testing

/// Rules, "Unknown saves", "Conflicts": what a change comes to over a store that may do anything a store may do.
/// Tests/Trouble/Core/faults.c judges one fault in a call. These tests alone judge sequences of faults, what a call
/// answers whose rule runs again, a record that cannot be used while a save is in doubt, a record of the other
/// protocol, the pauses between attempts, and which write ids a record keeps.
struct TransactionTests {
    /// What a call must answer, told from what really happened in the store instead of from records.
    private struct Expectation {
        var answer: String?
        private var base: (version: UInt64, life: Int, writes: Int) = (0, 0, 0)
        private var doubt: (version: UInt64, life: Int, writes: Int)?

        /// The record is looked at before a save.
        mutating func look(at store: OneInstall) {
            let stored = store.stored
            let found = (version: stored?.version ?? 0, life: stored?.life ?? 0, writes: stored?.isOurs.count ?? 0)
            defer { base = found }
            guard let doubt else { return }
            if stored?.isOurs.suffix(8).contains(true) == true {
                answer = "SKAN_OK"
            } else if found.version != doubt.version {
                if found.life == doubt.life, doubt.life != 0, found.writes - doubt.writes < 8 {
                    self.doubt = nil
                } else {
                    answer = "SKAN_ERROR_STORE_UNKNOWN"
                }
            }
        }

        mutating func saved(_ end: WriteEnd) {
            switch end {
            case .applied: answer = "SKAN_OK"
            case .conflict: break
            case .failed: answer = doubt == nil ? "SKAN_ERROR_STORE" : "SKAN_ERROR_STORE_UNKNOWN"
            case .unknown: doubt = base
            }
        }
    }

    private var purchase: RevenueUpdate {
        RevenueUpdate(amount: Money(units: Money.scale), currency: .dollar, kind: .iap, eventID: nil, now: 0)
    }

    /// Buys something for a dollar over a store that takes its saves so; after these it does well. Answers whether all
    /// ends were used, so that there may be more.
    private func run(_ ends: [OneInstall.End], writesBefore: Int) -> Bool {
        var store = OneInstall(seed: UInt64(ends.count), writes: writesBefore)
        var transaction = Changing(purchase, .skan4)
        var expectation = Expectation()
        var answer: String?
        var step = Step.load(after: 0)
        while answer == nil {
            switch step {
            case .load:
                expectation.look(at: store)
                let stored = store.stored
                step =
                    stored.map { stored in
                        stored.record.withUnsafeBytes { transaction.loaded($0, version: stored.version) }
                    } ?? transaction.loaded(nil, version: 0)
            case .save(let expected):
                let record = transaction.record()
                let end = store.save(
                    record, expected: expected, store.saves < ends.count ? ends[store.saves] : .applied)
                expectation.saved(end)
                step = transaction.saved(end)
            case .done, .fail:
                answer = step.answer
            }
        }
        // Only where a judge complains: to describe thousands of sequences takes longer than to run them.
        var story: String { "\(writesBefore) writes before; \(ends)" }
        expect(answer == expectation.answer, "\(story): \(answer ?? "") instead of \(expectation.answer ?? "")")
        // A change that made the record, was forgotten unseen and is made again counts once in each life of the record.
        let applications = writesBefore == 0 ? store.applicationsInOneLife : store.applications
        expect(applications <= 1, "\(story): counted \(applications) times")
        switch answer {
        case "SKAN_OK": expect(store.applications >= 1, "\(story): OK, but not counted")
        case "SKAN_ERROR_STORE": expect(store.applications == 0 && !store.isSavePending, "\(story): STORE, but counted")
        case "SKAN_ERROR_STORE_UNKNOWN": break
        default: Issue.record("\(story): \(answer ?? "")")
        }
        // What is stored says the same as what happened: nothing of ours or of others is lost or counted twice.
        if let stored = store.stored, let state = Record.state(stored.record).value {
            let ours = state.revenue.total(.lifetime(.iap), .dollar)?.units ?? 0
            let theirs = state.revenue.total(.lifetime(.iap), .euro)?.units ?? 0
            let expectedOurs = Money.scale * Int128(stored.isOurs.filter { $0 }.count)
            let expectedTheirs = Money.scale * Int128(stored.isOurs.filter { !$0 }.count)
            expect(ours == expectedOurs && theirs == expectedTheirs, "\(story): \(ours) and \(theirs) are stored")
        }
        return store.saves > ends.count
    }

    @Test(arguments: [0, 1, 8])
    func everySequenceOfFourEndsCountsOnceAndAnswersTheTruth(writesBefore: Int) {
        var open: [[OneInstall.End]] = [[]]
        var sequences = 0
        for _ in 0..<4 {
            var longer: [[OneInstall.End]] = []
            for prefix in open {
                for end in OneInstall.End.all {
                    sequences += 1
                    if run(prefix + [end], writesBefore: writesBefore) { longer.append(prefix + [end]) }
                }
            }
            open = longer
        }
        // Not a few: sequences that end a call early have no longer ones.
        #expect(sequences > 5000)
    }

    // MARK: The rule is run on what is stored now

    /// Runs a registration on a store whose record changes to `other` before the first save.
    private func register(_ first: WriteEnd, other: InstallState) -> (answer: String, update: ValueUpdate?) {
        var transaction = Changing(Registration(now: 5000), .skan4)
        let record = Record.bytes(other)
        guard case .save(expected: 0) = transaction.loaded(nil, version: 0) else { return ("no save", nil) }
        guard case .load = transaction.saved(first) else { return ("no load", nil) }
        let step = record.withUnsafeBytes { transaction.loaded($0, version: 9) }
        if case .save(let expected) = step { return ("save over \(expected)", transaction.rule.update) }
        return (step.answer ?? "load", transaction.rule.update)
    }

    @Test func afterAConflictTheAnswerIsThatOfTheLastRun() {
        var registered = InstallState(.skan4)
        (registered.conversion.first, registered.conversion.last, registered.conversion.fine) = (1000, 1000, 0)
        let late = register(.conflict, other: registered)
        #expect(late.answer == "SKAN_ALREADY_REGISTERED")
        #expect(late.update == nil)

        let again = register(.conflict, other: InstallState(.skan4))
        #expect(again.answer == "save over 9")
        #expect(again.update?.timestamp == 5000)
    }

    @Test func aRecordOfTheOtherProtocolIsMisuse() {
        for (ours, theirs) in [(ProtocolVersion.skan3, ProtocolVersion.skan4), (.skan4, .skan3)] {
            var transaction = Changing(Reading(), ours)
            let record = Record.bytes(InstallState(theirs))
            let step = record.withUnsafeBytes { transaction.loaded($0, version: 1) }
            #expect(step.failure?.status == .misuse)
        }
    }

    @Test func inDoubtEveryFailureIsUnknown() {
        let failures: [(inout Changing<RevenueUpdate>) -> Step] = [
            { $0.loadFailed("no route") },
            { transaction in [UInt8](repeating: 0, count: 200).withUnsafeBytes { transaction.loaded($0, version: 1) } },
            { transaction in Record.bytes(InstallState(.skan3)).withUnsafeBytes { transaction.loaded($0, version: 1) }
            },
            { transaction in [9, 9].withUnsafeBytes { transaction.loaded($0, version: 1) } },
        ]
        for fail in failures {
            var transaction = Changing(purchase, .skan4)
            _ = transaction.loaded(nil, version: 0)
            _ = transaction.saved(.unknown("timed out"))
            #expect(fail(&transaction).failure?.status == .storeUnknown)
        }
    }

    // MARK: How long it goes on

    /// Every save ends so. The pauses count though nobody waits here.
    @Test(arguments: [(WriteEnd.conflict, Status.storeConflict), (.unknown("timed out"), .storeUnknown)])
    func after10SecondsItGivesUp(end: WriteEnd, expected: Status) {
        var transaction = Changing(purchase, .skan4)
        var saves = 0
        var pauses: [UInt32] = []
        var step = transaction.loaded(nil, version: 0)
        while step.answer == nil {
            if case .load(let pause) = step {
                pauses.append(pause)
                step = transaction.loaded(nil, version: 0)
            } else {
                saves += 1
                step = transaction.saved(end)
            }
        }
        #expect(step.failure?.status == expected)
        #expect(saves == pauses.count + 1)
        #expect(pauses.prefix(3) == [0, 0, 0])
        #expect(pauses.allSatisfy { $0 < 12_800 })
        let paused = pauses.reduce(0) { $0 + Int($1) }
        #expect((10_000_000 - 12_800)..<10_000_000 ~= paused)
        // Drawn at random, so that writers do not keep step.
        #expect(Set(pauses.dropFirst(20)).count > 20)
    }

    @Test func aRecordKeepsTheLast8Writes() {
        for start in [0, 1, 7, UInt64.max - 3, UInt64.max] {
            var writes = WriteHistory.new(startingAt: start)
            #expect(writes.count == start)
            for number in UInt32(1)...40 {
                writes.add(number * 1_000_003)
                #expect(writes.count == start &+ UInt64(number))
                for other in UInt32(1)...40 {
                    let isKept = other <= number && number - other < 8
                    expect(writes.contains(other * 1_000_003) == isKept, "\(other) after \(number) from \(start)")
                }
            }
        }
    }
}

/// Rules, "Forget", "Unknown saves", over a store that may do anything. Tests/Trouble/Core/faults.c judges one fault in
/// a removal and the limit of attempts. This test alone judges sequences of three ends, and which version is removed.
struct RemovalTests {
    private enum Change: CaseIterable {
        case none, other, gone
    }

    private static let ends: [WriteEnd] = [.applied, .conflict, .failed("the disk is full"), .unknown("timed out")]

    /// Every sequence of three ends, with what happened to the record after each.
    @Test func everySequenceOfThreeEndsAnswersTheTruth() {
        let pairs = RemovalTests.ends.flatMap { end in Change.allCases.map { (end, $0) } }
        for first in pairs {
            for second in pairs {
                for third in pairs { run([first, second, third]) }
            }
        }
    }

    private func run(_ sequence: [(WriteEnd, Change)]) {
        let removal = SingleInstall(removing: UnsafeRawBufferPointer(start: nil, count: 0))
        var version: UInt64? = 1
        var doubt: UInt64?
        var expected: String?
        var step = removal.load(version)
        for (end, change) in sequence {
            guard case .save(let over) = step else { break }
            expect(over == version, "\(sequence): removes version \(over)")
            step = removal.remove(end)
            switch end {
            case .applied: expected = "SKAN_OK"
            case .failed: expected = doubt == nil ? "SKAN_ERROR_STORE" : "SKAN_ERROR_STORE_UNKNOWN"
            case .unknown: doubt = version
            case .conflict: break
            }
            guard case .load = step else { break }
            switch change {
            case .none: break
            case .other: version = version.map { $0 + 1 }
            case .gone: version = nil
            }
            if version == nil {
                expected = "SKAN_OK"
            } else if let doubt, doubt != version {
                expected = "SKAN_ERROR_STORE_UNKNOWN"
            }
            step = removal.load(version)
        }
        expect(step.answer == expected, "\(sequence): \(step.answer ?? "goes on") instead of \(expected ?? "going on")")
    }
}

extension Step {
    fileprivate var failure: Failure? {
        guard case .fail(let failure) = self else { return nil }
        return failure
    }

    /// The status that it ends with.
    fileprivate var answer: String? {
        guard case .done(let status) = self else { return failure?.status.description }
        return status.description
    }
}

extension SingleInstall {
    fileprivate func load(_ version: UInt64?) -> Step {
        [1].withUnsafeBytes { loaded(0, version == nil ? nil : $0, version: version ?? 0) }
        return step
    }

    fileprivate func remove(_ end: WriteEnd) -> Step {
        ended(0, end)
        return step
    }
}

/// A rule and its transaction.
private struct Changing<R: Rule>: ~Copyable {
    private(set) var rule: R
    private var transaction: Transaction<InstallState>

    init(_ rule: R, _ protocolVersion: ProtocolVersion) {
        self.rule = rule
        transaction = Transaction(on: InstallState(protocolVersion))
    }

    mutating func loaded(_ record: UnsafeRawBufferPointer?, version: UInt64) -> Step {
        var rule = rule
        defer { self.rule = rule }
        return transaction.loaded(record, version: version) { state throws(Failure) in try rule.run(on: &state) }
    }

    mutating func loadFailed(_ message: Message) -> Step { transaction.loadFailed(message) }

    mutating func saved(_ end: WriteEnd) -> Step { transaction.saved(end) }

    /// The record to be saved.
    mutating func record() -> [UInt8] {
        written(atMost: transaction.recordBound) { transaction.writeRecord(to: $0) }
    }
}

import SKANCore
import SKANEngine
import Testing

/// Many amounts in one call over a store that misbehaves. Tests/Hosts/C/contract_many.c and ManyTests judge one fault
/// of one install. These tests alone let every fault strike at each load and save of a call, compare each answer with
/// what is stored then, and judge damaged records beside others and what a second attempt answers.
struct RevenuePartTests {
    // MARK: Faults

    /// Seven of three installs, mixed. Each has a digit of its own, so that a total tells what was counted.
    private let mixed: [Item] = [
        Item("a", 1, event: "1"), Item("b", 10, event: "2"), Item("a", 100, event: "3"), Item("c", 1000, event: "4"),
        Item("a", 10_000, event: "1"), Item("b", 7, event: "x"), Item("c", 100_000, event: "5"),
    ]
    private let repeated = [4, 5]

    @Test(arguments: Shelf.Fault.allCases, [false, true])
    private func aFaultAtAnyItemIsToldTruly(_ fault: Shelf.Fault, isLasting: Bool) {
        var place = 0
        while performs(with: fault, at: place, isLasting: isLasting) { place += 1 }
        #expect(place == 3)
    }

    /// Whether the fault came up.
    private func performs(with fault: Shelf.Fault, at place: Int, isLasting: Bool) -> Bool {
        var shelf = Shelf()
        _ = shelf.perform([Item("b", 1_000_000, event: "x")], .skan4, now: 1)
        (shelf.fault, shelf.place, shelf.isLasting) = (fault, place, isLasting)
        let answers = shelf.perform(mixed, .skan4, now: 2)
        shelf.fault = nil
        let recovers = !isLasting && fault != .loadFails && fault != .saveFails
        for (index, item) in mixed.enumerated() {
            let answer = answers[index].status
            let story = "\(fault) at \(place), lasting \(isLasting), item \(index): \(answer)"
            expect(!recovers || answers[index].message == nil, story)
            if repeated.contains(index) { continue }
            let isCounted = shelf.total(item.install) / item.units % 10 == 1
            expect(answer == .storeUnknown || isCounted == (answer == .ok), "\(story), counted \(isCounted)")
        }
        // The id of the first item is there only with it; the one of long before is known once the record is.
        #expect(answers[4].status == (answers[0].status == .ok ? .duplicateEvent : answers[0].status))
        #expect(answers[5].status == .duplicateEvent || fault == .loadFails && answers[5].status == .store)
        // The same call once more completes it.
        let again = shelf.perform(mixed, .skan4, now: 3)
        #expect(again.allSatisfy { $0.message == nil })
        #expect(["a", "b", "c"].map { shelf.total($0) } == [101, 1_000_010, 101_000])
        return shelf.faults > 0
    }

    @Test func aDamagedRecordIsOfItsInstallAlone() {
        var shelf = Shelf()
        shelf.put("a", Array("\u{1}rubbish".utf8))
        shelf.put("b", [0xFF] + Array("newer".utf8))
        let items = [Item("c", 1), Item("b", 1), Item("a", 1), Item("a", 1, event: "x")]
        let answers = shelf.perform(items, .skan4, now: 1)
        #expect(answers.map(\.status) == [.ok, .recordTooNew, .corruptRecord, .corruptRecord])
        #expect(shelf.records["a"]?.record == Array("\u{1}rubbish".utf8))
    }

    // MARK: A second attempt

    /// What comes of a euro and a dollar for one install, which at first has so many dollars' units and, since another
    /// comes before the first save, so many at the second attempt; this attempt's save fails, or not.
    private func answers(first: Int128, second: Int128, fails: Bool = false) -> [Answer] {
        var shelf = Shelf()
        var euro = Item("a", 1)
        euro.currency = .euro
        shelf.put("a", Shelf.record(dollars: first))
        (shelf.fault, shelf.meanwhile, shelf.failsLater) = (.conflict, Shelf.record(dollars: second), fails)
        return shelf.perform([euro, Item("a", 1)], .skan4, now: 1)
    }

    @Test func eachAnswerIsThatOfTheLastAttempt() {
        let most = Money.limit - 1
        #expect(answers(first: most, second: 0) == [Answer.ok, .ok])
        // What is refused keeps its reason, what was counted fails with its save.
        for fails in [false, true] {
            let answers = answers(first: 0, second: most, fails: fails)
            #expect(answers.map(\.status) == [fails ? .store : .ok, .limitExceeded])
            #expect(answers[1].message?.contains("USD") == true)
        }
        let failed = answers(first: 0, second: 0, fails: true)
        #expect(failed.map(\.status) == [.store, .store])
        #expect(failed.allSatisfy { $0.message?.contains("the disk is full") == true })
    }
}

// MARK: - The store

/// What came of an amount.
private struct Answer: Equatable {
    let status: Status
    let message: String?

    static let ok = Answer(status: .ok, message: nil)
}

private struct Item {
    let install: String
    let units: Int128
    var currency = Currency.dollar
    let event: String?

    init(_ install: String, _ units: Int128, event: String? = nil) {
        (self.install, self.units, self.event) = (install, units, event)
    }
}

/// Keys and event ids of a batch, which stand as long as this does.
private final class Standing {
    private var texts: [UnsafeMutableRawBufferPointer] = []

    func bytes(_ text: String) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        copy.copyBytes(from: text.utf8)
        texts.append(copy)
        return UnsafeRawBufferPointer(copy)
    }

    func rule(_ item: Item, now: Int64) -> RevenueUpdate {
        RevenueUpdate(
            amount: Money(units: item.units), currency: item.currency, kind: .iap, eventID: item.event.map(bytes),
            now: now)
    }

    deinit { for text in texts { text.deallocate() } }
}

/// Records by their installs; it misbehaves at one load or save, or at all from then on.
private struct Shelf {
    enum Fault: CaseIterable {
        case loadFails, saveFails, conflict, unknownApplied, unknownNotApplied
    }

    private(set) var records: [String: (record: [UInt8], version: UInt64)] = [:]
    private var newest: UInt64 = 0
    var fault: Fault?
    var place = 0
    var isLasting = false
    private var seen = 0
    private(set) var faults = 0
    /// The record that another saved, where a save meets a conflict; nil: the same under another version.
    var meanwhile: [UInt8]?
    /// Whether the save after a conflict fails.
    var failsLater = false

    /// The record of an install with so much lifetime revenue.
    static func record(dollars units: Int128) -> [UInt8] {
        var state = InstallState(.skan4)
        #expect(state.revenue.add(Money(units: units), .dollar, to: .lifetime(.iap)) == nil)
        return Record.bytes(state)
    }

    mutating func put(_ install: String, _ record: [UInt8]) {
        newest += 1
        records[install] = (record, newest)
    }

    func total(_ install: String) -> Int128 {
        let state = records[install].flatMap { Record.state($0.record).value }
        return state?.revenue.total(.lifetime(.iap), .dollar)?.units ?? 0
    }

    private mutating func isFaulty(loads: Bool) -> Bool {
        guard let fault, (fault == .loadFails) == loads else { return false }
        defer { seen += 1 }
        guard seen == place || isLasting && seen > place else { return false }
        faults += 1
        return true
    }

    private mutating func save(_ install: String, _ record: [UInt8], expected: UInt64) -> WriteEnd {
        guard records[install]?.version ?? 0 == expected else { return .conflict }
        guard isFaulty(loads: false) else {
            put(install, record)
            return .applied
        }
        switch fault {
        case .conflict:
            if let record = meanwhile ?? records[install]?.record { put(install, record) }
            if failsLater { (fault, place) = (.saveFails, place + 1) }
            return .conflict
        case .unknownApplied: put(install, record)
        case .unknownNotApplied: break
        default: return .failed("the disk is full")
        }
        return .unknown("timed out")
    }

    mutating func perform(_ items: [Item], _ version: ProtocolVersion, now: Int64) -> [Answer] {
        let standing = Standing()
        var batch = RevenueBatch(version, count: items.count)
        defer { batch.destroy() }
        for (index, item) in items.enumerated() {
            batch.add(index, standing.bytes(item.install), standing.rule(item, now: now))
        }
        carryOut(batch)
        return withExtendedLifetime(standing) {
            items.indices.map { Answer(status: batch.status($0), message: batch.failure($0)?.message.text) }
        }
    }

    private mutating func carryOut(_ batch: RevenueBatch) {
        let part = RevenuePart(batch, [Int](0..<batch.installCount))
        while true {
            let step = part.next()
            if case .done = step { return }
            for position in part.due {
                let install = String(decoding: batch.key(position), as: UTF8.self)
                if case .save = step {
                    let record = written(atMost: part.recordBound(position)) { part.writeRecord(position, to: $0) }
                    part.ended(position, save(install, record, expected: part.expectedVersion(position)))
                } else if isFaulty(loads: true) {
                    part.loadFailed(position, "no route")
                } else if let stored = records[install] {
                    stored.record.withUnsafeBytes { part.loaded(position, $0, version: stored.version) }
                } else {
                    part.loaded(position, nil, version: 0)
                }
            }
        }
    }
}

import SKANCore
import SKANEngine
import Testing

/// Many amounts of one call over a store that misbehaves: what the answers say is what is stored, one install's trouble is
/// no other's, and each is as single calls would have left it.
struct RevenuePartTests {
    // MARK: Faults

    /// Seven of three installs, mixed. Each has a digit of its own, so that a total tells what was counted.
    private let mixed: [Item] = [
        Item("a", 1, event: "1"), Item("b", 10, event: "2"), Item("a", 100, event: "3"), Item("c", 1000, event: "4"),
        Item("a", 10_000, event: "1"), Item("b", 7, event: "x"), Item("c", 100_000, event: "5"),
    ]
    private let repeated = [4, 5]

    @Test(arguments: Shelf.Fault.allCases, [false, true])
    private func aFaultAtAnyItemIsToldTruly(_ fault: Shelf.Fault, isLasting: Bool) throws {
        var place = 0
        while try performs(with: fault, at: place, isLasting: isLasting) { place += 1 }
        #expect(place == 3)
    }

    /// Whether the fault came up.
    private func performs(with fault: Shelf.Fault, at place: Int, isLasting: Bool) throws -> Bool {
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

    @Test(arguments: [
        (Shelf.Fault.loadFails, Status.store, 1), (.saveFails, .store, 1), (.conflict, .storeConflict, 100),
        (.unknownNotApplied, .storeUnknown, 100),
    ])
    private func anInstallThatFailsHoldsUpNoOther(_ fault: Shelf.Fault, _ status: Status, attempts: Int) throws {
        var shelf = Shelf()
        (shelf.fault, shelf.isLasting, shelf.only) = (fault, true, "a")
        let answers = shelf.perform(mixed, .skan4, now: 1)
        for (item, answer) in zip(mixed, answers) {
            #expect(answer.status == (item.install == "a" ? status : .ok))
            #expect(answer.message != nil || item.install != "a")
        }
        #expect(shelf.faults == attempts)
        #expect(["a", "b", "c"].map { shelf.total($0) } == [0, 17, 101_000])
    }

    /// A save that was applied unseen, whose record went away before anyone looked: nobody can tell any more.
    @Test func doubtLasts() {
        var shelf = Shelf()
        _ = shelf.perform([Item("a", 5)], .skan4, now: 1)
        (shelf.fault, shelf.only) = (.unknownAppliedAndGone, "a")
        let answers = shelf.perform([Item("a", 1, event: "1"), Item("b", 1, event: "1")], .skan4, now: 2)
        #expect(answers.map(\.status) == [.storeUnknown, .ok])
        #expect(shelf.records["a"] == nil)
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

    // MARK: As single calls

    @Test(arguments: [ProtocolVersion.skan4, .skan3])
    func theSameAnswersAndStatesAsSingleCalls(_ version: ProtocolVersion) throws {
        var seen: Set<Int32> = []
        for seed in UInt64(0)..<40 {
            var chance = Chance(seed)
            var many = try Shelf.atLimits(version)
            var single = many
            for call in 0..<4 {
                let now = Int64(chance.number(0...3) * 86_400 * call)
                let items = (0..<chance.number(1...90)).map { _ in Item.drawn(&chance, version) }
                for (item, answer) in zip(items, many.perform(items, version, now: now)) {
                    let alone = single.performAlone(item, version, now: now)
                    expect(answer == alone, "seed \(seed), call \(call): \(answer), alone \(alone)")
                    seen.insert(alone.status.rawValue)
                }
                expect(many.contents == single.contents, "seed \(seed), call \(call)")
            }
        }
        #expect(seen == Set([Status.ok, .duplicateEvent, .limitExceeded].map(\.rawValue)))
    }

    @Test func theLast64EventIDsOfACallAreKept() {
        var shelf = Shelf()
        let items = (0..<100).map { Item("a", 1, event: "event \($0)") }
        _ = shelf.perform(Array(items[..<50]), .skan4, now: 1)
        let answers = shelf.perform(items, .skan4, now: 2)
        #expect(answers.map(\.status) == (0..<100).map { $0 < 50 ? .duplicateEvent : .ok })
        for item in items[36...] { #expect(shelf.performAlone(item, .skan4, now: 3).status == .duplicateEvent) }
        #expect(shelf.performAlone(items[35], .skan4, now: 3).status == .ok)
        #expect(shelf.total("a") == 101)
    }
}

// MARK: - The store

/// What came of an amount.
private struct Answer: Equatable {
    let status: Status
    let message: String?
}

private struct Item {
    let install: String
    let units: Int128
    var currency = "USD"
    var kind = RevenueKind.iap
    let event: String?

    init(_ install: String, _ units: Int128, event: String? = nil) {
        (self.install, self.units, self.event) = (install, units, event)
    }

    static func drawn(_ chance: inout Chance, _ version: ProtocolVersion) -> Item {
        let installs = ["a", "b", "c", "full", "rich", "window"]
        let units: [Int128] = [1, -2, 0, 4_990_000_000_000, Money.scale, -Money.scale * 1_000_000]
        let events = chance.happens() ? [nil, "1", "2", "3", "order-1234567", "order-1234568"] : [nil]
        let event = events[chance.number(0...events.count - 1)]
        var item = Item(installs[chance.number(0...5)], units[chance.number(0...5)], event: event)
        item.currency = ["USD", "USD", "EUR", "JPY", "GBP"][chance.number(0...4)]
        if version == .skan4, chance.number(0...5) == 0 { item.kind = .ad }
        return item
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
        guard let currency = item.currency.withBytes({ Currency($0) }) else { preconditionFailure(item.currency) }
        return RevenueUpdate(
            amount: Money(units: item.units), currency: currency, kind: item.kind, eventID: item.event.map(bytes),
            now: now)
    }

    deinit { for text in texts { text.deallocate() } }
}

/// Records by their installs; it misbehaves at one load or save, or at all from then on.
private struct Shelf {
    enum Fault: CaseIterable {
        case loadFails, saveFails, conflict, unknownApplied, unknownNotApplied, unknownAppliedAndGone

        /// Those after which the same call can still be completed.
        static let allCases: [Fault] = [.loadFails, .saveFails, .conflict, .unknownApplied, .unknownNotApplied]
    }

    private(set) var records: [String: (record: [UInt8], version: UInt64)] = [:]
    private var newest: UInt64 = 0
    var fault: Fault?
    var place = 0
    var isLasting = false
    /// Only of this install.
    var only: String?
    private var seen = 0
    private(set) var faults = 0

    /// Installs that are registered, and ones with no room for another currency, or for more of one.
    static func atLimits(_ version: ProtocolVersion) throws -> Shelf {
        var shelf = Shelf()
        let dollar = try #require("USD".withBytes { Currency($0) })
        for install in ["a", "b", "full", "rich", "window"] {
            var state = InstallState(version)
            if install.utf8.count == 1 || install == "window" { (state.first, state.last) = (0, 0) }
            let most = Money(units: Money.limit - 1)
            switch install {
            case "full":
                for number in UInt8(0)..<64 {
                    let name = [65, 65 + number / 26, 65 + number % 26]
                    let currency = try #require(name.withUnsafeBytes { Currency($0) })
                    #expect(state.revenue.add(Money(units: 1), currency, to: .lifetime(.iap)) == nil)
                }
            case "rich": #expect(state.revenue.add(most, dollar, to: .lifetime(.iap)) == nil)
            case "window" where version == .skan4:
                #expect(state.revenue.add(most, dollar, to: .window(.first, .iap)) == nil)
            default: break
            }
            shelf.put(install, Record.bytes(state))
        }
        return shelf
    }

    mutating func put(_ install: String, _ record: [UInt8]) {
        newest += 1
        records[install] = (record, newest)
    }

    func total(_ install: String) -> Int128 {
        guard let state = records[install].flatMap({ Record.state($0.record).value }),
            let dollar = "USD".withBytes({ Currency($0) })
        else { return 0 }
        return state.revenue.total(.lifetime(.iap), dollar)?.units ?? 0
    }

    /// All states, without the marks of their writes.
    var contents: [String: String] {
        records.mapValues { stored in
            let lines = Record.state(stored.record).value?.contents.split(separator: "\n") ?? []
            return lines.filter { !$0.hasPrefix("writes ") }.joined(separator: "\n")
        }
    }

    private mutating func isFaulty(_ install: String, loads: Bool) -> Bool {
        guard let fault, (fault == .loadFails) == loads, only == nil || only == install else { return false }
        defer { seen += 1 }
        guard seen == place || isLasting && seen > place else { return false }
        faults += 1
        return true
    }

    private mutating func save(_ install: String, _ record: [UInt8], expected: UInt64) -> WriteEnd {
        guard records[install]?.version ?? 0 == expected else { return .conflict }
        guard isFaulty(install, loads: false) else {
            put(install, record)
            return .applied
        }
        switch fault {
        case .conflict:
            // Somebody saved the same under another version.
            if let stored = records[install] { put(install, stored.record) }
            return .conflict
        case .unknownApplied: put(install, record)
        case .unknownAppliedAndGone: records[install] = nil
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
        var part = RevenuePart(batch, 0..<batch.installCount)
        defer { part.destroy() }
        while true {
            let step = part.next()
            if case .done = step { return }
            for position in part.due {
                let install = String(decoding: batch.key(position), as: UTF8.self)
                if case .save = step {
                    let record = [UInt8](unsafeUninitializedCapacity: part.recordBound(position)) { memory, count in
                        if let base = memory.baseAddress { count = part.writeRecord(position, to: base) }
                    }
                    part.saved(position, save(install, record, expected: part.expectedVersion(position)))
                } else if isFaulty(install, loads: true) {
                    part.loadFailed(position, "no route")
                } else if let stored = records[install] {
                    stored.record.withUnsafeBytes { part.loaded(position, $0, version: stored.version) }
                } else {
                    part.loaded(position, nil, version: 0)
                }
            }
        }
    }

    /// The single call.
    mutating func performAlone(_ item: Item, _ version: ProtocolVersion, now: Int64) -> Answer {
        let standing = Standing()
        var transaction = Transaction(standing.rule(item, now: now), version)
        var step = Step.load(after: 0)
        while true {
            switch step {
            case .load:
                step =
                    records[item.install].map { stored in
                        stored.record.withUnsafeBytes { transaction.loaded($0, version: stored.version) }
                    } ?? transaction.loaded(nil, version: 0)
            case .save(let expected):
                step = transaction.saved(save(item.install, transaction.record(), expected: expected))
            case .done(let status):
                return withExtendedLifetime(standing) { Answer(status: status, message: nil) }
            case .fail(let failure):
                return Answer(status: failure.status, message: failure.message.text)
            }
        }
    }
}

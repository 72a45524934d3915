import SKANCore
import SKANEngine
import Testing

/// Rules, "Store contract", as the in-memory store keeps it. The kit's laws judge its keys, versions, conflicts and
/// threads with a few records of about one size (Tests/Stores/Swift/MemoryStoreTests). These tests alone notice how a
/// record grows and shrinks in its place, how tables grow and close the gaps that removals leave, and whether a
/// transaction that changes nothing leaves the record and its version as they were.
struct MemoryRecordsTests {
    /// A store that ends with the test.
    private final class Held: Sendable {
        let store = MemoryRecords()
        deinit { store.destroy() }
    }

    private func load(_ held: Held, _ key: String) -> (record: [UInt8], version: UInt64)? {
        key.withBytes { key in held.store.withRecord(key) { stored in stored.map { ([UInt8]($0.record), $0.version) } }
        }
    }

    private func save(_ held: Held, _ key: String, _ record: [UInt8], expected: UInt64) -> UInt64? {
        key.withBytes { key in record.withUnsafeBytes { held.store.save(key, $0, expected: expected) } }
    }

    private func remove(_ held: Held, _ key: String, expected: UInt64) -> Bool {
        key.withBytes { held.store.remove($0, expected: expected) }
    }

    /// A record that tells what it is; as long as asked for.
    private func record(_ number: Int, of size: Int = 120) -> [UInt8] {
        var chance = Chance(UInt64(number))
        return Record.sealed([1] + chance.bytes(size - 1))
    }

    @Test func recordsGrowAndShrinkInPlace() throws {
        let held = Held()
        var version: UInt64 = 0
        var chance = Chance(51)
        for round in 0..<500 {
            // Of a byte and a checksum at least.
            let sizes = [1 + 8, 32_768, chance.number(9...400), chance.number(9...400)]
            let record = record(round, of: sizes[round % 4])
            version = try #require(save(held, "a", record, expected: version))
            _ = try #require(save(held, "neighbour \(round)", self.record(round + 1), expected: 0))
            #expect(load(held, "a")?.record == record)
        }
    }

    // MARK: Many keys

    /// A version that no record has now: of another key, of none, of an earlier save, or none at all.
    private func stale(_ version: UInt64, _ newest: UInt64, _ chance: inout Chance) -> UInt64 {
        let versions = [0, 1, newest, newest &+ 1, version &+ 1, version &- 1, version &- 2, .max]
        let drawn = versions[chance.number(0...versions.count - 1)]
        return drawn == version ? version &+ 1 : drawn
    }

    /// Tables that fill up, grow and are emptied again: collisions, and removal that moves entries up. No version of a
    /// key is used twice, and what expects another one changes nothing.
    @Test func anySequenceOfCallsIsThatOfADictionary() {
        let held = Held()
        var chance = Chance(52)
        var model: [Int: (record: Int, version: UInt64)] = [:]
        var versions: [Int: Set<UInt64>] = [:]
        var newest: UInt64 = 0
        // Grows to thousands of keys, shrinks to few, and again.
        for (mostKeys, calls, removals) in [
            (700, 6000, 30), (700, 3000, 70), (6000, 20_000, 30), (6000, 20_000, 60), (50, 3000, 50),
        ] {
            for call in 0..<calls {
                let number = chance.number(0...mostKeys - 1)
                let key = "install-\(number)"
                let version = model[number]?.version ?? 0
                if chance.number(0...9) == 0 {
                    let stale = stale(version, newest, &chance)
                    expect(save(held, key, record(7), expected: stale) == nil, "save \(key) over \(stale)")
                    expect(!remove(held, key, expected: stale), "remove \(key) over \(stale)")
                } else if chance.number(0...99) < removals {
                    let expected = version == 0 ? [0, newest][chance.number(0...1)] : version
                    let isRemoved = remove(held, key, expected: expected)
                    expect(isRemoved == (model[number] != nil), "remove \(key)")
                    model[number] = nil
                } else {
                    let saved = save(held, key, record(call % 50), expected: version)
                    expect(saved ?? 0 != 0, "save \(key)")
                    expect(versions[number, default: []].insert(saved ?? 0).inserted, "save \(key)")
                    model[number] = saved.map { (call % 50, $0) }
                    newest = saved ?? newest
                }
                let other = chance.number(0...mostKeys - 1)
                let found = load(held, "install-\(other)")
                expect(found?.version == model[other]?.version, "load install-\(other)")
            }
            for number in 0..<mostKeys {
                let found = load(held, "install-\(number)")
                expect(
                    found?.version == model[number]?.version
                        && found?.record == model[number].map { record($0.record) },
                    "install-\(number)")
            }
        }
    }

    /// 64 tables of about 11 keys in 16 slots: most removals leave entries behind them that have to be found still.
    @Test func removingSomeLeavesAllOthersInTheirPlaces() throws {
        let held = Held()
        let keys = (0..<704).map { "player \($0)" }
        var versions: [UInt64] = []
        for (number, key) in keys.enumerated() {
            versions.append(try #require(save(held, key, record(number % 50), expected: 0)))
        }
        for start in [0, 2, 1] {
            let removed = stride(from: start, to: keys.count, by: 3)
            for number in removed { expect(remove(held, keys[number], expected: versions[number]), keys[number]) }
            for (number, key) in keys.enumerated() {
                let isRemoved = number % 3 == start
                expect(load(held, key)?.version == (isRemoved ? nil : versions[number]), "\(key) after a removal")
            }
            // There is one entry for a key: it is made again where none is, and not beside one that was not found.
            for (number, key) in keys.enumerated() {
                let version = save(held, key, record(number % 50), expected: 0)
                expect((version != nil) == (number % 3 == start), "\(key) made again")
                if let version { versions[number] = version }
            }
        }
    }

    // MARK: Transactions

    private func purchase(units: Int128 = Money.scale) -> RevenueUpdate {
        RevenueUpdate(amount: Money(units: units), currency: .dollar, kind: .iap, eventID: nil, now: 10)
    }

    private func perform<R: Rule>(_ held: Held, _ key: String, _ rule: R) -> String? {
        var rule = rule
        var state = InstallState(.skan4)
        let ended = key.withBytes { key in
            outcome { () throws(Failure) in try held.store.perform(&state, key, &rule).description }
        }
        return ended.failedStatus ?? ended.value
    }

    @Test func aRefusedTransactionChangesNothing() throws {
        let held = Held()
        #expect(perform(held, "a", purchase()) == "SKAN_OK")
        let before = try #require(load(held, "a"))
        #expect(perform(held, "a", purchase(units: Money.limit - 1)) == "SKAN_ERROR_LIMIT_EXCEEDED")
        let told = CallAcknowledgement(1) { _ in (1, .delivered) }
        #expect(perform(held, "a", ReengagementRule(told)) == "SKAN_OK")
        #expect(perform(held, "a", Reading()) == "SKAN_OK")
        #expect(try #require(load(held, "a")) == before)
    }
}

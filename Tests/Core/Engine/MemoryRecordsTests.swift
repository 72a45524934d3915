import Dispatch
import Foundation
import SKANCore
import SKANEngine
import Synchronization
import Testing

/// Rules, "Store contract", as the in-memory store keeps it.
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

    // MARK: Laws

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

    @Test func keysAreComparedWhole() throws {
        let held = Held()
        let keys =
            ["a", "b", "aa", "ab", "12345678", "12345679", "123456789", "é", String(repeating: "k", count: 128)]
            + (1...128).map { String(repeating: "x", count: $0) }
        for (number, key) in keys.enumerated() { _ = try #require(save(held, key, record(number), expected: 0)) }
        for (number, key) in keys.enumerated() { #expect(load(held, key)?.record == record(number), "\(key)") }
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

    private func purchase(_ id: UnsafeRawBufferPointer? = nil, units: Int128 = Money.scale) -> RevenueUpdate {
        RevenueUpdate(amount: Money(units: units), currency: .dollar, kind: .iap, eventID: id, now: 10)
    }

    private func perform<R: Rule>(_ held: Held, _ key: String, _ rule: R) -> String? {
        var rule = rule
        var state = InstallState(.skan4)
        let ended = key.withBytes { key in
            outcome { () throws(Failure) in try held.store.perform(&state, key, &rule).description }
        }
        return ended.failedStatus ?? ended.value
    }

    @Test func aTransactionLeavesARecordForAnyStore() throws {
        let held = Held()
        #expect(perform(held, "a", Registration(now: 5)) == "SKAN_OK")
        #expect(perform(held, "a", Registration(now: 6)) == "SKAN_ALREADY_REGISTERED")
        for number in 0..<70 {
            let id = [UInt8]("order \(number)")
            #expect(id.withUnsafeBytes { perform(held, "a", purchase($0)) } == "SKAN_OK")
            #expect(id.withUnsafeBytes { perform(held, "a", purchase($0)) } == "SKAN_DUPLICATE_EVENT")
        }
        let stored = try #require(load(held, "a"))
        let state = try Record.state(stored.record).get()
        #expect(state.conversion.first == 5 && state.conversion.fine == 0)
        #expect(state.revenue.total(.lifetime(.iap), .dollar)?.units == 70 * Money.scale)
        #expect(state.revenue.total(.window(.first, .iap), .dollar)?.units == 70 * Money.scale)
        #expect(state.revenueEvents.count == 64)
        #expect([UInt8]("order 69").withUnsafeBytes { state.revenueEvents.contains($0) })
        #expect(![UInt8]("order 5").withUnsafeBytes { state.revenueEvents.contains($0) })
        // It goes on from a record that came by `save`.
        _ = try #require(save(held, "a", Record.bytes(state), expected: stored.version))
        #expect(perform(held, "a", purchase()) == "SKAN_OK")
        let after = try Record.state(try #require(load(held, "a")).record).get()
        #expect(after.revenue.total(.lifetime(.iap), .dollar)?.units == 71 * Money.scale)
    }

    @Test func aRefusedTransactionChangesNothing() throws {
        let held = Held()
        #expect(perform(held, "a", purchase()) == "SKAN_OK")
        let before = try #require(load(held, "a"))
        #expect(perform(held, "a", purchase(units: Money.limit - 1)) == "SKAN_ERROR_LIMIT_EXCEEDED")
        #expect(perform(held, "a", Acknowledgement(id: 1, isDelivered: true)) == "SKAN_OK")
        #expect(perform(held, "a", Reading()) == "SKAN_OK")
        #expect(try #require(load(held, "a")) == before)
    }

    /// Threads of their own, which run beside each other whatever other tests do; so many rounds that they meet.
    @Test func nothingIsLostBetweenThreads() throws {
        let held = Held()
        let rounds = 20_000
        let refused = Atomic(0)
        let running = DispatchGroup()
        for thread in 0..<4 {
            running.enter()
            Thread.detachNewThread {
                for round in 0..<rounds {
                    // One install of all threads, and many that come and go.
                    let key = "install \(round % 300)"
                    for key in ["all", key] where perform(held, key, purchase()) != "SKAN_OK" {
                        refused.add(1, ordering: .relaxed)
                    }
                    if round % 7 == thread { key.withBytes { held.store.remove($0) } }
                }
                running.leave()
            }
        }
        running.wait()
        #expect(refused.load(ordering: .relaxed) == 0)
        let state = try Record.state(try #require(load(held, "all")).record).get()
        #expect(state.revenue.total(.lifetime(.iap), .dollar)?.units == Money.scale * Int128(4 * rounds))
    }

    @Test func ofSaversWithTheSameVersionOneWins() async throws {
        let held = Held()
        var version: UInt64 = 0
        for round in 0..<300 {
            let expected = version
            let winners = await withTaskGroup(of: UInt64?.self) { group in
                for thread in 0..<4 {
                    group.addTask { save(held, "a", record(round * 4 + thread), expected: expected) }
                }
                return await group.reduce(into: [UInt64]()) { winners, version in
                    if let version { winners.append(version) }
                }
            }
            #expect(winners.count == 1)
            version = try #require(winners.first)
        }
    }
}

import SKANCore
import SKANEngine
import Testing

/// Many amounts of one call: each item's answer is that of the attempt that was saved, or of the save that failed.
struct RevenueBatchTests {
    private let dollar = "USD".withBytes { Currency($0) }
    private let euro = "EUR".withBytes { Currency($0) }

    /// The record of an install with so much lifetime revenue.
    private func record(_ units: Int128, _ currency: Currency) -> [UInt8] {
        var state = InstallState(.skan4)
        _ = state.revenue.add(Money(units: units), currency, to: .lifetime(.iap))
        return Record.bytes(state)
    }

    /// A euro and a dollar for one install, whose record another changes after the first look; the second save ends so.
    /// Gives what came of the dollar.
    private func dollarAfter(first: Int128, second: Int128, _ end: WriteEnd) throws -> (Status, Failure?) {
        let (dollar, euro) = (try #require(dollar), try #require(euro))
        var batch = RevenueBatch(.skan4, count: 2)
        defer { batch.destroy() }
        let key = [UInt8]("a")
        return key.withUnsafeBytes { key in
            for (index, currency) in [euro, dollar].enumerated() {
                let one = Money(units: Money.scale)
                let rule = RevenueUpdate(amount: one, currency: currency, kind: .iap, eventID: nil, now: 1)
                batch.add(index, key, rule)
            }
            var part = RevenuePart(batch, 0..<batch.installCount)
            defer { part.destroy() }
            let attempts = [(record(first, dollar), WriteEnd.conflict), (record(second, dollar), end)]
            for (version, attempt) in attempts.enumerated() {
                guard case .load = part.next() else {
                    Issue.record("no load")
                    break
                }
                attempt.0.withUnsafeBytes { part.loaded(0, $0, version: UInt64(version) + 1) }
                guard case .save = part.next() else {
                    Issue.record("no save")
                    break
                }
                part.saved(0, attempt.1)
            }
            guard case .done = part.next() else {
                Issue.record("not done")
                return (batch.status(1), batch.failure(1))
            }
            // The euro was counted each time.
            #expect(batch.status(0) == (batch.failure(0)?.status ?? .ok))
            return (batch.status(1), batch.failure(1))
        }
    }

    private let most = Money.limit - 1

    @Test func whatIsCountedOnTheSecondAttemptHasNotFailed() throws {
        let (status, failure) = try dollarAfter(first: most, second: 0, .applied)
        #expect(status == .ok)
        #expect(failure == nil, "\(failure?.message.text ?? "")")
    }

    @Test func whatIsRefusedOnTheSecondAttemptKeepsItsReason() throws {
        for end in [WriteEnd.applied, .failed("the disk is full")] {
            let (status, failure) = try dollarAfter(first: 0, second: most, end)
            #expect(status == .limitExceeded)
            #expect(failure?.message.text.contains("USD") == true)
        }
        // What was counted fails with its save.
        let (status, failure) = try dollarAfter(first: 0, second: 0, .failed("the disk is full"))
        #expect(status == .store)
        #expect(failure?.message.text.contains("the disk is full") == true)
    }

    // MARK: Event ids

    /// A dollar for each of these ids, for one install, which counted "old" before; the only save ends so. nil: the
    /// record is not loaded.
    private func statuses(ofIDs ids: [String], _ end: WriteEnd?) throws -> [Status] {
        let dollar = try #require(dollar)
        var state = InstallState(.skan4)
        "old".withBytes { state.revenueEvents.remember($0) }
        let record = Record.bytes(state)
        var batch = RevenueBatch(.skan4, count: ids.count)
        defer { batch.destroy() }
        let (key, texts) = ([UInt8]("a"), [UInt8](ids.joined()))
        return key.withUnsafeBytes { key in
            texts.withUnsafeBytes { texts in
                var position = 0
                for (index, id) in ids.enumerated() {
                    let bytes = UnsafeRawBufferPointer(rebasing: texts[position..<(position + id.utf8.count)])
                    let one = Money(units: Money.scale)
                    batch.add(
                        index, key,
                        RevenueUpdate(amount: one, currency: dollar, kind: .iap, eventID: bytes, now: 1))
                    position += id.utf8.count
                }
                var part = RevenuePart(batch, 0..<batch.installCount)
                defer { part.destroy() }
                _ = part.next()
                guard let end else {
                    part.loadFailed(0, "the disk is full")
                    return ids.indices.map(batch.status)
                }
                record.withUnsafeBytes { part.loaded(0, $0, version: 1) }
                if case .save = part.next() { part.saved(0, end) }
                return ids.indices.map(batch.status)
            }
        }
    }

    @Test func aRetryOfWhatThisCallCountsIsCountedWithIt() throws {
        let ids = ["old", "new", "new"]
        #expect(try statuses(ofIDs: ids, .applied) == [.duplicateEvent, .ok, .duplicateEvent])
        // The retry would be told that it is counted, and it is not; what was counted before stays counted.
        #expect(try statuses(ofIDs: ids, .failed("the disk is full")) == [.duplicateEvent, .store, .store])
    }

    @Test func withoutARecordNothingIsKnownOfAnyID() throws {
        #expect(try statuses(ofIDs: ["old", "new"], nil) == [.store, .store])
    }
}

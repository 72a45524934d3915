import SKANCore
import Testing

@testable import SKANCommandStores

private let key = Array("outbox/\(String(repeating: "a", count: 64))/example/partner".utf8)
private let entry = OutboxEntry(
    .waiting, attempts: 3, created: 1_700_000_000_000_000, due: 5, asked: 7, reason: Array("no".utf8))

private func read(_ record: [UInt8], under key: [UInt8] = key) -> OutboxEntry? {
    key.withUnsafeBytes { key in record.withUnsafeBytes { OutboxEntry($0, under: key) } }
}

@Suite("An outbox entry's record")
struct OutboxEntryTests {
    @Test("is read as it was written")
    func isRead() throws {
        let found = try #require(read(entry.record(under: key)))
        #expect(found.state == .waiting && found.attempts == 3 && found.created == 1_700_000_000_000_000)
        #expect(found.due == 5 && found.asked == 7 && found.reason == Array("no".utf8))
    }

    @Test("is no entry once any bit of it has changed, or any byte is missing or added")
    func isSealed() {
        let record = entry.record(under: key)
        for place in record.indices {
            for bit in 0..<8 {
                var changed = record
                changed[place] ^= 1 << bit
                #expect(read(changed) == nil, "bit \(bit) of byte \(place)")
            }
            #expect(read(Array(record[..<place])) == nil)
        }
        #expect(read(record + [0x20]) == nil && read([0x20] + record) == nil)
    }

    @Test("is no entry under another key")
    func isOfItsKey() {
        let record = entry.record(under: key)
        for place in key.indices {
            var other = key
            other[place] ^= 1
            #expect(read(record, under: other) == nil)
        }
        #expect(read(record, under: []) == nil)
    }
}

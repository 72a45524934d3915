import SKANCore
import Testing

/// Rules, "Event ids": the last 64 event ids, whole, not hashed. The ids of the vectors are short and differ clearly.
/// These tests alone notice ids that differ in one byte or stand inside the list, lists of a damaged record that are
/// longer than lists may be, and lists that stand in a record of the in-memory store.
struct EventIDsTests {
    private func contains(_ ids: EventIDs, _ id: [UInt8]) -> Bool { id.withUnsafeBytes { ids.contains($0) } }
    private func remember(_ ids: inout EventIDs, _ id: [UInt8]) { id.withUnsafeBytes { ids.remember($0) } }

    @Test func idsAreComparedWhole() {
        var ids = EventIDs()
        let most = [UInt8](repeating: 7, count: 128)
        let known: [[UInt8]] = [[1], [0], [1, 1], [UInt8]("12345678"), [UInt8]("123456789"), [3, 97, 98, 99], most]
        for id in known { remember(&ids, id) }
        for id in known {
            #expect(contains(ids, id))
            for index in id.indices {
                var other = id
                other[index] ^= 0x40
                #expect(!contains(ids, other), "\(id) with another byte \(index)")
            }
            #expect(!contains(ids, id + [0]))
        }
        // What stands inside the list is not therefore an id.
        for id in [[97, 98, 99], [1, 1, 2, 1], [UInt8]("2345678"), [2], [UInt8](repeating: 7, count: 127)] {
            #expect(!contains(ids, id), "\(id)")
        }
    }

    @Test func aStoredListHasAtMost64IdsOf128Bytes() {
        func read(_ count: Int, of length: Int) -> EventIDs? {
            let id = [UInt8(length)] + [UInt8](repeating: 0x61, count: length)
            let bytes = [UInt8]((0..<count).map { _ in id }.joined())
            return bytes.withUnsafeBytes { EventIDs(stored: $0, count: count) }
        }
        #expect(read(64, of: 128) != nil)
        #expect(read(65, of: 1) == nil)
        #expect(read(1, of: 129) == nil)
        #expect(read(1, of: 255) == nil)
    }

    /// The in-memory store's lists stand in its records; they have to behave like any other.
    @Test func borrowedListsAreTheSame() throws {
        var chance = Chance(11)
        for round in 0..<200 {
            let texts = (0..<chance.number(1...64)).map { number in
                chance.bytes(chance.number(1...20)) + [UInt8](" \(number)")
            }
            var owned = EventIDs()
            for text in texts { remember(&owned, text) }
            let bytes = owned.stored
            let added = chance.bytes(12)
            bytes.withUnsafeBytes { memory in
                added.withUnsafeBytes { added in
                    var borrowed = EventIDs(borrowed: memory, count: texts.count)
                    #expect(borrowed.stored == bytes)
                    for text in texts { expect(contains(borrowed, text), "round \(round)") }
                    #expect(!borrowed.contains(added))
                    borrowed.remember(added)
                    owned.remember(added)
                    #expect(borrowed.count == owned.count)
                    #expect(borrowed.stored == owned.stored, "round \(round)")
                    // A second one makes the list its own.
                    for text in [[UInt8]("x"), [UInt8]("y")] {
                        remember(&borrowed, text)
                        remember(&owned, text)
                        #expect(borrowed.stored == owned.stored, "round \(round)")
                        #expect(contains(borrowed, text))
                    }
                }
            }
        }
    }
}

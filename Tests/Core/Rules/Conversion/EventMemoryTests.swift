import SKANCore
import Testing

/// Rules, "Event ids": three lists of 64 that do not displace each other. The ids of the vectors are short and differ
/// clearly. These tests alone notice ids that differ in one byte or stand inside a list, ids above 64 bytes, and lists
/// that stand in a record of the in-memory store.
struct EventMemoryTests {
    @Test func idsAreComparedWhole() {
        var events = EventMemory()
        let most = [UInt8](repeating: 7, count: 128)
        let known: [[UInt8]] = [
            [1], [0], [1, 1], [UInt8]("12345678"), [UInt8]("123456789"), [3, 97, 98, 99], [UInt8](most.prefix(64)),
            [UInt8](most.prefix(65)), most,
        ]
        for id in known { events.countEvent(id) }
        for id in known {
            #expect(events.knows(id).hasEvent)
            for index in id.indices {
                var other = id
                other[index] ^= 0x40
                #expect(!events.knows(other).hasEvent, "\(id) with another byte \(index)")
            }
            #expect(known.contains(id + [0]) || !events.knows(id + [0]).hasEvent)
        }
        // What stands inside the list is not therefore an id.
        for id in [[97, 98, 99], [1, 1, 2, 1], [UInt8]("2345678"), [2], [UInt8](repeating: 7, count: 127)] {
            #expect(!events.knows(id).hasEvent, "\(id)")
        }
    }

    /// 64 ids of each kind, whatever comes of the other kinds.
    @Test func aListForgetsItsOldestOnly() {
        var events = EventMemory()
        for number in 0..<200 {
            events.countAmount([UInt8]("ad \(number)"), .ad)
            events.countEvent([UInt8]("event \(number)"))
            if number < 64 { events.countAmount([UInt8]("order \(number)"), .iap) }
        }
        for number in 0..<200 {
            #expect(events.knows([UInt8]("order \(number)")).hasAmount == (number < 64))
            #expect(events.knows([UInt8]("ad \(number)")).hasAmount == (number >= 136))
            #expect(events.knows([UInt8]("event \(number)")).hasEvent == (number >= 136))
        }
        events.countAmount([UInt8]("order 64"), .iap)
        #expect(!events.knows([UInt8]("order 0")).hasAmount && events.knows([UInt8]("order 1")).hasAmount)
    }

    /// An event whose id has an amount stands with the amount, so that no other event displaces it. An id counts an
    /// amount once, whatever its kind, and an event once.
    @Test(arguments: [RevenueKind.iap, .ad], [false, true])
    func anAmountKeepsItsEvent(kind: RevenueKind, eventFirst: Bool) {
        var events = EventMemory()
        let id = [UInt8]("order 1")
        if eventFirst { events.countEvent(id) }
        events.countAmount(id, kind)
        #expect(events.knows(id).hasAmount && events.knows(id).hasEvent == eventFirst)
        events.countEvent(id)
        for number in 0..<100 { events.countEvent([UInt8]("event \(number)")) }
        #expect(events.knows(id).hasAmount && events.knows(id).hasEvent)
        #expect(events.count(.events) == 64)
        // The 64th other amount of its kind displaces both.
        for number in 0..<63 { events.countAmount([UInt8]("other \(number)"), kind) }
        #expect(events.knows(id).hasAmount && events.knows(id).hasEvent)
        events.countAmount([UInt8]("other 63"), kind)
        #expect(!events.knows(id).hasAmount && !events.knows(id).hasEvent)
    }

    @Test func aStoredListHasAtMost64Ids() {
        /// The marks, the shape, and a list of so many events of so many bytes.
        func read(_ count: Int, of length: Int) -> EventMemory? {
            let entry = [UInt8(length)] + [UInt8](repeating: 0x61, count: length)
            let list = [UInt8]((0..<count).map { _ in entry }.joined())
            let shape = (UInt64(count) | UInt64(list.count) << 7) << 40
            let marks = [UInt8](repeating: 0, count: 16)
            let bytes = marks + withUnsafeBytes(of: shape.littleEndian) { [UInt8]($0) } + list
            return bytes.withUnsafeBytes { EventMemory(stored: $0) }
        }
        #expect(read(64, of: 65) != nil)
        #expect(read(65, of: 1) == nil)
        #expect(read(1, of: 66) == nil)
        #expect(read(1, of: 255) == nil)
    }

    /// The second amount of a call may come while the lists still stand in a record of the in-memory store.
    @Test(arguments: [RevenueKind.iap, .ad])
    func anAmountUnderTheIDOfAnEventIsKnownAtOnce(kind: RevenueKind) {
        var counted = EventMemory()
        counted.countEvent([UInt8]("level 1"))
        counted.stored.withUnsafeBytes { memory in
            [UInt8]("level 1").withUnsafeBytes { (id: UnsafeRawBufferPointer) in
                var events = EventMemory(borrowed: memory)
                events.rememberAmount(id, events.find(id), kind)
                #expect(events.find(id).hasAmount && events.find(id).hasEvent)
            }
        }
    }

    /// The in-memory store's lists stand in its records; they have to behave like any other.
    @Test func borrowedListsAreTheSame() throws {
        var chance = Chance(11)
        for round in 0..<300 {
            var owned = chance.state(mostTotals: 0, mostEvents: 150).events
            let bytes = owned.stored
            let first = chance.bytes(chance.number(1...100)) + [UInt8]("first")
            bytes.withUnsafeBytes { memory in
                first.withUnsafeBytes { (first: UnsafeRawBufferPointer) in
                    var borrowed = EventMemory(borrowed: memory)
                    #expect(borrowed.stored == bytes)
                    let kind: RevenueKind = chance.happens() ? .iap : .ad
                    if chance.happens() {
                        borrowed.rememberAmount(first, .none, kind)
                        owned.rememberAmount(first, .none, kind)
                    } else {
                        borrowed.rememberEvent(first, .none, nil)
                        owned.rememberEvent(first, .none, nil)
                    }
                    expect(borrowed.stored == owned.stored, "round \(round)")
                    expect(borrowed.find(first).hasAmount || borrowed.find(first).hasEvent, "round \(round)")
                    // A second one makes the lists their own.
                    for other in [[UInt8]("second"), [UInt8](first), chance.bytes(65), [UInt8]("second")] {
                        borrowed.countAmount(other, kind)
                        owned.countAmount(other, kind)
                        borrowed.countEvent(other)
                        owned.countEvent(other)
                        expect(borrowed.stored == owned.stored, "round \(round)")
                        expect(borrowed.knows(other).hasAmount && borrowed.knows(other).hasEvent, "round \(round)")
                    }
                }
            }
        }
    }
}

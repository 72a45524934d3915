/// Rules, "Event ids": the event ids that are remembered of an install. There are three lists, each with its own limit:
/// the last 64 purchases, the last 64 ad impressions and the last 64 events. An entry in one of the first two says that
/// an amount was counted under the id; if the entry is marked, an event was counted under it, too. An entry in the
/// third list says that an event was counted under the id.
///
/// The lists are stored one after the other, in the same form as in a record. `EventKey` describes an entry.
package struct EventMemory: @unchecked Sendable {
    /// The lists in the memory of the record that was read, borrowed to save a copy; nil if they are in `owned`.
    private var borrowed: UnsafeRawPointer?
    /// Empty while the lists are borrowed.
    private var owned: [UInt8] = []
    private var places: InlineArray<3, Place>
    /// The newest id of the list `addedTo`, in the caller's memory; empty if there is none. Used only with borrowed
    /// lists, which cannot be appended to.
    private var added = UnsafeRawBufferPointer(start: nil, count: 0)
    private var addedTo = EventList.events

    /// The place of a list among the bytes of all lists, and the marks of its entries.
    fileprivate struct Place {
        /// The offset at which the first entry starts.
        var start: UInt16 = 0
        /// The offset at which the last entry ends.
        var end: UInt16 = 0
        var count: UInt16 = 0
        /// One bit for each entry, set if the entry is marked. The lowest bit is that of the oldest entry.
        var marks: UInt64 = 0

        @inline(__always)
        init() {}
    }

    @inline(__always)
    package init() { places = InlineArray(repeating: Place()) }

    @inline(__always)
    package var isEmpty: Bool { places[0].count | places[1].count | places[2].count == 0 }

    package func count(_ list: EventList) -> Int { Int(places[list.rawValue].count) }
}

/// The lists, in their order in a record.
package enum EventList: Int, Sendable {
    case purchases = 0
    case impressions = 1
    case events = 2

    @inline(__always)
    package init(_ kind: RevenueKind) { self = kind == .iap ? .purchases : .impressions }
}

/// The result of looking up one id. It is valid until another id is remembered.
package struct KnownEvent {
    /// The fields, from the lowest bit on: whether an amount was counted, whether an event was counted, the number of
    /// the list (2 bits), and the number of the entry in the list.
    private let bits: UInt32

    @inline(__always)
    package static var none: KnownEvent { KnownEvent(bits: 0) }

    @inline(__always)
    private init(bits: UInt32) { self.bits = bits }

    @inline(__always)
    fileprivate init(hasEvent: Bool, in list: EventList, at index: Int) {
        let counted: UInt32 = (list == .events ? 0 : 1) | (hasEvent ? 2 : 0)
        bits = counted | UInt32(truncatingIfNeeded: list.rawValue << 2 | index << 4)
    }

    @inline(__always)
    package var hasAmount: Bool { bits & 1 != 0 }

    @inline(__always)
    package var hasEvent: Bool { bits & 2 != 0 }

    fileprivate var list: Int { Int(bits >> 2 & 3) }
    fileprivate var index: Int { Int(bits >> 4) }
}

// MARK: Looking up

extension EventMemory {
    @inline(__always)
    package func find(_ id: UnsafeRawBufferPointer) -> KnownEvent { isEmpty ? .none : findAmongMany(id) }

    @inline(__always)
    package func find(_ id: UnsafeRawBufferPointer?) -> KnownEvent {
        guard let id, !isEmpty else { return .none }
        return findAmongMany(id)
    }

    @inline(never)
    private func findAmongMany(_ id: UnsafeRawBufferPointer) -> KnownEvent {
        EventKey.with(id) { key in withLists { find(key, in: $0) } }
    }

    @inline(__always)
    private func withLists<Result>(_ body: (UnsafeRawPointer?) -> Result) -> Result {
        if let borrowed { return body(borrowed) }
        return owned.withUnsafeBytes { body($0.baseAddress) }
    }

    /// Finds a key. An id can have two entries: one in the list of events, and a later one in a list of amounts, which
    /// says that both were counted. So the newest id and the lists of amounts are searched before the list of events.
    @inline(__always)
    private func find(_ key: UnsafeRawBufferPointer, in lists: UnsafeRawPointer?) -> KnownEvent {
        if !added.isEmpty, EventKey.areEqual(added, key) {
            return known(addedTo.rawValue, Int(places[addedTo.rawValue].count) &- 1)
        }
        if let lists {
            for number in places.indices where places[number].start < places[number].end {
                let start = lists + Int(places[number].start)
                if let found = EventKey.find(key, from: start, to: lists + Int(places[number].end)) {
                    return known(number, EventKey.number(of: found, from: start))
                }
            }
        }
        return .none
    }

    private func known(_ number: Int, _ index: Int) -> KnownEvent {
        let list = EventList(rawValue: number) ?? .events
        return KnownEvent(
            hasEvent: list == .events || places[number].marks >> UInt64(index) & 1 != 0, in: list, at: index)
    }
}

// MARK: Remembering

extension EventMemory {
    /// Remembers that an amount was counted under an id that had no amount before. `known` is the result of looking up
    /// the id.
    package mutating func rememberAmount(_ id: UnsafeRawBufferPointer, _ known: KnownEvent, _ kind: RevenueKind) {
        let list = EventList(kind)
        append(id, to: list)
        if known.hasEvent { mark(list.rawValue, count(list) &- 1) }
    }

    /// Remembers that an event was counted under an id that had no event before. `known` is the result of looking up
    /// the id at the start of the call. `amount` is the kind of the amount that the call remembered since then; nil if
    /// it remembered none.
    package mutating func rememberEvent(_ id: UnsafeRawBufferPointer, _ known: KnownEvent, _ amount: RevenueKind?) {
        if known.hasAmount {
            mark(known.list, known.index)
        } else if let amount {
            mark(EventList(amount).rawValue, count(EventList(amount)) &- 1)
        } else {
            append(id, to: .events)
        }
    }

    private mutating func mark(_ list: Int, _ index: Int) { places[list].marks |= 1 << UInt64(index) }

    /// Appends an id of 1...128 bytes to a list, and removes the oldest entry of a full list. While the lists are
    /// borrowed, the first new id is not copied either if it has at most 64 bytes, because its text stays valid while
    /// the rule is used. A longer id or a second one copies everything.
    private mutating func append(_ id: UnsafeRawBufferPointer, to list: EventList) {
        assert(id.count >= 1 && id.count <= Limits.eventIDBytes)
        if count(list) == Limits.eventIDs { forgetOldest(of: list) }
        places[list.rawValue].count &+= 1
        if borrowed != nil, added.isEmpty, id.count <= EventKey.wholeBytes {
            (added, addedTo) = (id, list)
        } else {
            EventKey.with(id) { own($0, list) }
        }
    }

    private mutating func forgetOldest(of list: EventList) {
        let place = places[list.rawValue]
        if place.start < place.end {
            let oldest = withLists { $0?.load(fromByteOffset: Int(place.start), as: UInt8.self) ?? 0 }
            places[list.rawValue].start &+= 1 &+ UInt16(oldest)
        } else if addedTo == list {
            added = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        places[list.rawValue].count &-= 1
        places[list.rawValue].marks >>= 1
    }

    /// Copies the lists, and appends a key to one of them. The list's count already includes the key.
    @inline(never)
    private mutating func own(_ key: UnsafeRawBufferPointer, _ list: EventList) {
        var copy: [UInt8] = []
        copy.reserveCapacity(keyBytes &+ 1 &+ key.count)
        for number in places.indices {
            let start = UInt16(truncatingIfNeeded: copy.count)
            withKeys(of: number) { copy.append(contentsOf: $0) }
            if number == addedTo.rawValue, !added.isEmpty { EventKey.append(added, to: &copy) }
            if number == list.rawValue { EventKey.append(key, to: &copy) }
            (places[number].start, places[number].end) = (start, UInt16(truncatingIfNeeded: copy.count))
        }
        (owned, borrowed) = (copy, nil)
        added = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    @inline(__always)
    private func withKeys(of list: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        let place = places[list]
        guard place.start < place.end else { return }
        withLists { lists in
            let count = Int(place.end &- place.start)
            body(UnsafeRawBufferPointer(start: lists.map { $0 + Int(place.start) }, count: count))
        }
    }
}

// MARK: In a record

/// The form in a record: the marks of the first two lists (u64 each), the shape (u64), and the lists. The shape has 20
/// bits for each list, from the first list in the lowest bits on: the number of its entries (7 bits), and its size in
/// bytes (13 bits). A memory without ids takes no bytes.
extension EventMemory {
    private static var headerBytes: Int { 24 }

    @inline(__always)
    package var byteCount: Int { isEmpty ? 0 : EventMemory.headerBytes &+ keyBytes }

    private var keyBytes: Int {
        var bytes = added.isEmpty ? 0 : 1 &+ added.count
        for number in places.indices { bytes &+= Int(places[number].end &- places[number].start) }
        return bytes
    }

    /// Writes `byteCount` bytes.
    @inline(never)
    package func write(to memory: UnsafeMutableRawPointer) {
        memory.storeBytes(of: places[0].marks.littleEndian, as: UInt64.self)
        memory.storeBytes(of: places[1].marks.littleEndian, toByteOffset: 8, as: UInt64.self)
        let shape = withLists { writeLists($0, to: memory + EventMemory.headerBytes) }
        memory.storeBytes(of: shape.littleEndian, toByteOffset: 16, as: UInt64.self)
    }

    /// Returns the shape of the lists.
    @inline(__always)
    private func writeLists(_ lists: UnsafeRawPointer?, to memory: UnsafeMutableRawPointer) -> UInt64 {
        var (end, shape) = (memory, UInt64(0))
        for number in places.indices where places[number].count > 0 {
            let (place, start) = (places[number], end)
            if let lists, place.start < place.end {
                end.copyMemory(from: lists + Int(place.start), byteCount: Int(place.end &- place.start))
                end += Int(place.end &- place.start)
            }
            if number == addedTo.rawValue, let base = added.baseAddress {
                end.storeBytes(of: UInt8(truncatingIfNeeded: added.count), as: UInt8.self)
                (end + 1).copyMemory(from: base, byteCount: added.count)
                end += 1 &+ added.count
            }
            shape |= (UInt64(place.count) | UInt64(end - start) << 7) << UInt64(number &* 20)
        }
        return shape
    }

    /// Borrows what `write` wrote. The record needs no check, and must stay in place unchanged while this value is
    /// used.
    @inline(never)
    package init(borrowed stored: UnsafeRawBufferPointer) {
        self.init()
        guard stored.count > EventMemory.headerBytes, let base = stored.baseAddress else { return }
        readHeader(base)
        borrowed = base + EventMemory.headerBytes
        assert(EventMemory(stored: stored) != nil)
    }

    /// Checks and copies what `write` wrote; nil if the bytes do not have this form.
    @inline(never)
    package init?(stored: UnsafeRawBufferPointer) {
        self.init()
        guard stored.count > EventMemory.headerBytes, let base = stored.baseAddress else { return nil }
        readHeader(base)
        owned = [UInt8](stored[EventMemory.headerBytes...])
        let unused = stored[EventMemory.headerBytes &- 1] >> 4
        guard Int(places[2].end) == owned.count, unused == 0, !isEmpty, areSound else { return nil }
    }

    @inline(__always)
    private mutating func readHeader(_ base: UnsafeRawPointer) {
        places[0].marks = UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
        places[1].marks = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        var shape = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        var end: UInt16 = 0
        for number in places.indices {
            places[number].count = UInt16(truncatingIfNeeded: shape & 0x7F)
            places[number].start = end
            end &+= UInt16(truncatingIfNeeded: shape >> 7 & 0x1FFF)
            places[number].end = end
            shape >>= 20
        }
    }

    /// Whether every list in `owned` has exactly as many entries as its count says, and no marks beyond them.
    private var areSound: Bool {
        for number in places.indices {
            let place = places[number]
            guard place.count <= Limits.eventIDs, place.start <= place.end, Int(place.end) <= owned.count,
                place.count == Limits.eventIDs || place.marks >> UInt64(place.count) == 0
            else { return false }
            var position = Int(place.start)
            for _ in 0..<place.count {
                guard position < place.end, owned[position] >= 1, owned[position] <= EventKey.mostBytes else {
                    return false
                }
                position &+= 1 &+ Int(owned[position])
            }
            guard position == place.end else { return false }
        }
        return true
    }
}

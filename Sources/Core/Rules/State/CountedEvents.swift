/// The names of the events that a re-engagement has counted in its window. Counts are stored by index in the model.
/// With the names they can be read without the model.
package struct CountedEvents: Sendable {
    /// The counted events, each as its index in the model (one byte), the length of its name (one byte), and the name.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Checks and copies stored names; nil if they do not have the form of `bytes`.
    @_optimize(size)
    package init?(stored: UnsafeRawBufferPointer) {
        bytes = [UInt8](stored)
        var position = 0
        while position < bytes.count {
            guard let name = name(at: position), bytes[position] > 0, Int(bytes[position]) < Limits.modelCounts,
                name.withUnsafeBytes({ EventName($0) }) != nil
            else { return nil }
            position &+= 2 &+ name.count
        }
    }

    private func name(at position: Int) -> ArraySlice<UInt8>? {
        guard position &+ 1 < bytes.count else { return nil }
        let end = position &+ 2 &+ Int(bytes[position &+ 1])
        return end <= bytes.count ? bytes[(position &+ 2)..<end] : nil
    }

    /// Calls `body` with each index and name, sorted by name.
    @_optimize(size)
    package func forEach(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var last: UnsafeRawBufferPointer?
            while let next = CountedEvents.next(after: last, in: bytes) {
                body(next.place, next.name)
                last = next.name
            }
        }
    }

    /// The event with the smallest name that is greater than `last`. A search is enough, since there are at most 64
    /// names.
    @_optimize(size)
    private static func next(
        after last: UnsafeRawBufferPointer?, in bytes: UnsafeRawBufferPointer
    ) -> (place: Int, name: UnsafeRawBufferPointer)? {
        var found: (place: Int, name: UnsafeRawBufferPointer)?
        var position = 0
        while position &+ 1 < bytes.count {
            let end = position &+ 2 &+ Int(bytes[position &+ 1])
            let name = UnsafeRawBufferPointer(rebasing: bytes[(position &+ 2)..<min(end, bytes.count)])
            let isGreater = last.map { comes($0, before: name) } ?? true
            if isGreater, found.map({ comes(name, before: $0.name) }) ?? true { found = (Int(bytes[position]), name) }
            position = end
        }
        return found
    }

    @_optimize(size)
    private static func comes(_ left: UnsafeRawBufferPointer, before right: UnsafeRawBufferPointer) -> Bool {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }

    @_optimize(size)
    mutating func add(_ event: EventName, _ place: Int) {
        var position = 0
        while let name = name(at: position) {
            if Int(bytes[position]) == place { return }
            position &+= 2 &+ name.count
        }
        var name = ByteBuffer(capacity: Limits.eventNameBytes)
        event.write(to: &name)
        bytes.append(UInt8(truncatingIfNeeded: place))
        bytes.append(UInt8(truncatingIfNeeded: name.count))
        bytes.append(contentsOf: name.array)
    }

    /// The size in bytes of as many whole entries, from the first on, as fit into `most` bytes.
    @_optimize(size)
    func prefix(_ most: Int) -> Int {
        var position = 0
        while let name = name(at: position), position &+ 2 &+ name.count <= most { position &+= 2 &+ name.count }
        return position
    }
}

internal import SKANCore

/// A store to run sequences on, and a shelf that says what each key must hold.
struct SequenceWorld {
    private let run: LawRun
    private let keys: [Key]
    private var shelf: Shelf
    private var second: Handle?

    init(_ run: LawRun, hasTwoHandles: Bool) throws(LawEnd) {
        let names: [Message] = ["a", "A", "ab", "a ", "a%", "\u{E9}{b}'"]
        self.run = run
        keys = try run.keys(names.count) { names[$0] }
        shelf = Shelf(keys)
        second = hasTwoHandles ? try run.another() : nil
    }

    /// Runs the operations on keys without records. If one fails, returns the reason and the number of operations up to
    /// and including it. Returns nil if none fails, or if none could be run.
    mutating func run(_ operations: [SequenceOperation]) -> (count: Int, reason: Message)? {
        shelf = Shelf(keys)
        do throws(LawEnd) { for key in keys { try run.handle().clear(key) } } catch { return nil }
        var count = 0
        do throws(LawEnd) {
            for operation in operations {
                count += 1
                try perform(operation)
            }
            try shelf.look(handle(1))
            return nil
        } catch {
            if case .broken(let reason) = error { return (count, reason) }
            return nil
        }
    }

    // MARK: Operations

    private mutating func perform(_ operation: SequenceOperation) throws(LawEnd) {
        let handle = try handle(operation.handle)
        switch operation.kind {
        case .load: try shelf.look(handle, [operation.key])
        case .save: try save([operation], through: handle)
        case .remove: try remove(operation, through: handle)
        case .reopen: try reopen()
        case .loadMany: try shelf.look(handle.by(.loadMany), operation.chosenKeys)
        case .saveMany: try save(operation.chosenKeys.map { operation.part($0) }, through: handle.by(.saveMany))
        case .list: try list(through: handle)
        }
    }

    private func handle(_ number: Int) throws(LawEnd) -> Handle {
        if number == 1, let second { return second }
        return try run.handle()
    }

    private mutating func save(_ operations: [SequenceOperation], through handle: Handle) throws(LawEnd) {
        try shelf.save(
            handle, operations.map { ($0.key, $0.record, expected: shelf.places[$0.key].expected(by: $0)) })
    }

    private mutating func remove(_ operation: SequenceOperation, through handle: Handle) throws(LawEnd) {
        let expected = shelf.places[operation.key].expected(by: operation)
        if expected == 0 { return }  // no engine asks for this
        try shelf.remove(handle, operation.key, over: expected)
    }

    private mutating func reopen() throws(LawEnd) {
        let hadTwo = second != nil
        second = nil
        _ = try run.reopen()
        if hadTwo { second = try run.another() }
    }

    private func list(through handle: Handle) throws(LawEnd) {
        let listing = try Listing(handle, of: run.beginning)
        for (index, place) in shelf.places.enumerated() {
            let hasRecord = place.version != 0
            if listing.contains(place.key) == hasRecord { continue }
            let (has, found): (Message, Message) = hasRecord ? ("a", "missing") : ("no", "there")
            throw .broken("list: key \(index), which has \(has) record, is \(found)")
        }
    }
}

extension Shelf.Place {
    fileprivate func expected(by operation: SequenceOperation) -> UInt64 {
        switch operation.choice {
        case .current: return version
        case .noVersion: return 0
        case .old: return oldVersion(operation.which)
        case .neverGiven:
            var version = UInt64(operation.which) + 1
            while given.contains(version) { version += 1 }
            return version
        }
    }

    /// Returns one of the versions that are no longer stored; 0 if there is none. `which` selects it, counting back
    /// from the newest one.
    private func oldVersion(_ which: UInt32) -> UInt64 {
        let old = version == 0 ? given.numbers[...] : given.numbers.dropLast()
        return old.isEmpty ? 0 : old[old.endIndex - 1 - Int(which) % old.count]
    }
}

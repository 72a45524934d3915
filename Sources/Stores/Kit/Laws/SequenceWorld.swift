internal import SKANCore

/// A store that sequences run on, and the model beside it: what each key must hold.
struct SequenceWorld {
    private struct Model {
        /// 0 = no record.
        var version: UInt64 = 0
        var record: RecordBytes = ""
        /// Every version that the key ever had.
        var versions: [UInt64] = []

        /// Counted back from the last one that is not the stored one; 0 where there is none.
        func oldVersion(_ which: UInt32) -> UInt64 {
            let old = version == 0 ? versions[...] : versions.dropLast()
            return old.isEmpty ? 0 : old[old.endIndex - 1 - Int(which) % old.count]
        }

        func expected(by operation: SequenceOperation) -> UInt64 {
            switch operation.choice {
            case .current: return version
            case .noVersion: return 0
            case .old: return oldVersion(operation.which)
            case .neverGiven:
                var version = UInt64(operation.which) + 1
                while versions.contains(version) { version += 1 }
                return version
            }
        }

        /// A save that was answered OK.
        mutating func save(_ record: RecordBytes, _ version: UInt64) throws(LawEnd) {
            if versions.contains(version) {
                throw .broken("save: version \(version) was given before for this key")
            }
            versions.append(version)
            self.version = version
            self.record = record
        }
    }

    private let run: LawRun
    private let keys: [Key]
    private var models: [Model] = []
    private var own: Handle
    private var second: Handle?

    init(_ run: LawRun, _ own: Handle, hasTwoHandles: Bool) throws(LawEnd) {
        let names: [Message] = ["a", "A", "ab", "a ", "a%", "\u{E9}{b}'"]
        self.run = run
        self.own = own
        keys = try run.keys(names.count) { names[$0] }
        second = hasTwoHandles ? try run.open() : nil
    }

    func end() { second?.close() }

    /// How a sequence ended.
    enum End {
        case held
        /// The number of operations until one failed, that one included.
        case failed(after: Int, Message)
        /// There are records that cannot be removed, or there is no handle.
        case notBegun
    }

    /// Runs the operations on keys without records.
    mutating func run(_ operations: [SequenceOperation]) -> End {
        guard let own = run.own else { return .notBegun }
        self.own = own
        models = [Model](repeating: Model(), count: keys.count)
        do throws(LawEnd) { for key in keys { try own.clear(key) } } catch { return .notBegun }
        var count = 0
        do throws(LawEnd) {
            for operation in operations {
                count += 1
                try perform(operation)
            }
            for key in keys.indices { try load(key, through: second ?? own) }
            return .held
        } catch {
            if case .broken(let reason) = error { return .failed(after: count, reason) }
            return .notBegun
        }
    }

    // MARK: Operations

    private mutating func perform(_ operation: SequenceOperation) throws(LawEnd) {
        let handle = operation.handle == 1 ? second ?? own : own
        switch operation.kind {
        case .load: try load(operation.key, through: handle)
        case .save: try save(operation, through: handle)
        case .remove: try remove(operation, through: handle)
        case .reopen: try reopen()
        case .loadMany: try loadMany(operation.chosenKeys, through: handle)
        case .saveMany: try saveMany(operation.chosenKeys.map { operation.part($0) }, through: handle)
        case .list: try list(through: handle)
        }
    }

    private func load(_ key: Int, through handle: Handle) throws(LawEnd) {
        try handle.holds(keys[key], asSaved: models[key].record, models[key].version)
    }

    private mutating func save(_ operation: SequenceOperation, through handle: Handle) throws(LawEnd) {
        let (key, model) = (keys[operation.key], models[operation.key])
        let (record, expected) = (operation.record, model.expected(by: operation))
        if expected != model.version { return try handle.saveConflicts(key, record, over: expected) }
        let version = try handle.saves(key, record, over: expected)
        try models[operation.key].save(record, version)
    }

    private mutating func remove(_ operation: SequenceOperation, through handle: Handle) throws(LawEnd) {
        let (key, model) = (keys[operation.key], models[operation.key])
        let expected = model.expected(by: operation)
        if expected == 0 { return }  // is never asked for
        if expected != model.version { return try handle.removeConflicts(key, over: expected) }
        try handle.removes(key, over: expected)
        models[operation.key].version = 0
    }

    private mutating func reopen() throws(LawEnd) {
        let hadTwo = second != nil
        second?.close()
        second = nil
        own = try run.reopen()
        if hadTwo { second = try run.open() }
    }

    private func loadMany(_ chosen: [Int], through handle: Handle) throws(LawEnd) {
        let loaded = handle.loadMany(chosen.map { keys[$0] })
        for (index, key) in chosen.enumerated() {
            try loaded.holds(at: index, models[key].record, models[key].version)
        }
    }

    private mutating func saveMany(_ parts: [SequenceOperation], through handle: Handle) throws(LawEnd) {
        let saved = handle.saveMany(
            parts.map { Save(key: keys[$0.key], record: $0.record, expected: models[$0.key].expected(by: $0)) })
        for (index, part) in parts.enumerated() {
            if saved.saves[index].expected != models[part.key].version {
                try saved.conflicts(at: index)
            } else {
                try models[part.key].save(saved.saves[index].record, saved.version(at: index))
            }
        }
    }

    private func list(through handle: Handle) throws(LawEnd) {
        let listing = try Listing(handle, of: run.beginning)
        for (index, key) in keys.enumerated() {
            let hasRecord = models[index].version != 0
            if listing.contains(key) == hasRecord { continue }
            let (has, found): (Message, Message) = hasRecord ? ("a", "missing") : ("no", "there")
            throw .broken("list: key \(index), which has \(has) record, is \(found)")
        }
    }
}

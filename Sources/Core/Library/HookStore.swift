import CSKAN
import CSKANSupport
import SKANCore
import SKANEngine

/// A host's store, reached through its hooks.
struct HookStore: BlockingStore {
    let engine: Engine
    private let store: skan_store

    init(_ engine: Engine, _ store: skan_store) {
        self.engine = engine
        self.store = store
    }

    /// If the work can change the install, waits for the install's turn first.
    func perform(_ work: any InstallWork, mayChange: Bool = true) {
        guard mayChange, let turns = engine.pointee.turns else { return drive(work) }
        let turn = turns.take(work.key(0))
        drive(work)
        turns.end(turn)
    }

    /// Applies all amounts of a batch. If the store has no hooks for many records, handles one install at a time,
    /// because holding more records at once would gain nothing.
    func perform(_ batch: RevenueBatch) {
        let most = store.load_many == nil && store.save_many == nil ? 1 : Limits.batchItems
        var start = 0
        while start < batch.installCount {
            let end = min(start &+ most, batch.installCount)
            perform(batch, [Int](start..<end))
            start = end
        }
    }

    private func perform(_ batch: RevenueBatch, _ installs: [Int]) {
        guard let turns = engine.pointee.turns else { return drive(RevenuePart(batch, installs)) }
        var left = installs
        while let first = left.first {
            let turn = turns.take(batch.key(first))
            let round = TurnRound(left, of: batch, first: turn, turns)
            drive(RevenuePart(batch, round.installs))
            round.end(turns)
            left = round.left
        }
    }

    func pause(_ microseconds: UInt32) {
        if engine.pointee.turns != nil { support_pause(microseconds) }
    }

    func next(_ work: any InstallWork) -> StoreStep { work.next() }

    // MARK: Loading

    func load(_ work: any InstallWork) {
        if work.isMany, let hook = store.load_many { return load(work, hook) }
        guard let hook = store.load else { return }
        for position in work.due {
            var buffer = BufferObject()
            var version: UInt64 = 0
            let status = withUnsafeMutablePointer(to: &buffer) { buffer in
                engine.inHook { hook(store.context, text(work.key(position)), OpaquePointer(buffer), &version) }
            }
            buffer.bytes.withBytes { loaded(work, position, status, $0, version, "store.load") }
        }
    }

    private func load(_ work: any InstallWork, _ hook: LoadMany) {
        let due = work.due
        let buffers = UnsafeMutablePointer<BufferObject>.allocate(capacity: due.count)
        let items = UnsafeMutablePointer<skan_load_item>.allocate(capacity: due.count)
        for index in 0..<due.count {
            (buffers + index).initialize(to: BufferObject())
            (items + index).initialize(
                to: skan_load_item(
                    key: text(work.key(due[index])), out: OpaquePointer(buffers + index), version: 0,
                    status: Status.store.rawValue))
        }
        engine.inHook { hook(store.context, items, due.count) }
        for index in 0..<due.count {
            let (status, version) = (items[index].status, items[index].version)
            buffers[index].bytes.withBytes { loaded(work, due[index], status, $0, version, "store.load_many") }
            (buffers + index).deinitialize(count: 1)
        }
        items.deallocate()
        buffers.deallocate()
    }

    private func loaded(
        _ work: any InstallWork, _ position: Int, _ status: skan_status, _ record: UnsafeRawBufferPointer,
        _ version: UInt64, _ hook: StaticString
    ) {
        switch Status(rawValue: status) {
        case .ok where version != 0: work.loaded(position, record, version: version)
        case .notFound: work.loaded(position, nil, version: 0)
        case let status:
            let status = status == .ok ? Status.store : status
            let expected: Message = "\(hook): expected SKAN_OK with a version or SKAN_NOT_FOUND"
            work.loadFailed(position, "\(expected), got \(status.name) (\(status.rawValue))")
        }
    }

    // MARK: Saving

    func save(_ work: any InstallWork) {
        let due = work.due
        let records = WrittenRecords(work, due)
        defer { records.memory.deallocate() }
        if work.isMany, let hook = store.save_many { return save(work, due, records, hook) }
        guard let hook = store.save else { return }
        for index in 0..<due.count {
            let (record, expected) = (records[index], work.expectedVersion(due[index]))
            var version: UInt64 = 0
            let status = engine.inHook {
                hook(store.context, text(work.key(due[index])), record.baseAddress, record.count, expected, &version)
            }
            work.ended(due[index], saveEnd(status, version, expected, "store.save"))
        }
    }

    private func save(_ work: any InstallWork, _ due: [Int], _ records: WrittenRecords, _ hook: SaveMany) {
        let items = UnsafeMutablePointer<skan_save_item>.allocate(capacity: due.count)
        defer { items.deallocate() }
        for index in 0..<due.count {
            (items + index).initialize(
                to: skan_save_item(
                    key: text(work.key(due[index])), data: records[index].baseAddress, length: records[index].count,
                    expected_version: work.expectedVersion(due[index]), new_version: 0,
                    status: Status.storeUnknown.rawValue))
        }
        engine.inHook { hook(store.context, items, due.count) }
        for index in 0..<due.count {
            let (status, version) = (items[index].status, items[index].new_version)
            let expected = work.expectedVersion(due[index])
            work.ended(due[index], saveEnd(status, version, expected, "store.save_many"))
        }
    }

    private func saveEnd(_ status: skan_status, _ version: UInt64, _ expected: UInt64, _ hook: StaticString) -> WriteEnd
    {
        if status == Status.ok.rawValue, version == 0 || version == expected {
            return .unknown("\(hook): answered SKAN_OK with version \(version) after version \(expected)")
        }
        return WriteEnd(Status(rawValue: status), hook)
    }

    func remove(_ work: any InstallWork) {
        guard let hook = store.remove else { return }
        for position in work.due {
            let status = engine.inHook {
                hook(store.context, text(work.key(position)), work.expectedVersion(position))
            }
            work.ended(position, WriteEnd(Status(rawValue: status), "store.remove"))
        }
    }
}

private typealias LoadMany =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<skan_load_item>?, Int) -> Void
private typealias SaveMany =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<skan_save_item>?, Int) -> Void

/// A key as a C string. Every key that work on installs returns is followed by a NUL in memory.
private func text(_ key: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? {
    key.baseAddress?.assumingMemoryBound(to: CChar.self)
}

/// The records of several installs, one after the other in one allocation. The creator must free it.
private struct WrittenRecords {
    let memory: UnsafeMutableRawPointer
    private var places: [(start: Int, count: Int)] = []

    init(_ work: any InstallWork, _ positions: [Int]) {
        var size = 0
        for position in positions { size &+= work.recordBound(position) }
        memory = .allocate(byteCount: size, alignment: 8)
        places.reserveCapacity(positions.count)
        var start = 0
        for position in positions {
            let count = work.writeRecord(position, to: memory + start)
            places.append((start, count))
            start &+= count
        }
    }

    subscript(index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + places[index].start, count: places[index].count)
    }
}

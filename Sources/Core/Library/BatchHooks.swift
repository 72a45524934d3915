import CSKAN
import CSKANSupport
import SKANCore
import SKANEngine

/// The blocking driver of batches: many loads and saves in one call of a hook, where the store has one for many.
extension Engine {
    func perform(_ batch: RevenueBatch) {
        switch pointee.store {
        case .memory(let memory):
            batch.perform(on: memory)
        case .hooks(let store):
            // Without hooks for many nothing is gained by holding many at once.
            let most = store.load_many == nil && store.save_many == nil ? 1 : Limits.batchItems
            var start = 0
            while start < batch.installCount {
                let end = min(start &+ most, batch.installCount)
                perform(batch, start..<end, store)
                start = end
            }
        }
    }

    private func perform(_ batch: RevenueBatch, _ installs: Range<Int>, _ store: skan_store) {
        var part = RevenuePart(batch, installs)
        defer { part.destroy() }
        while true {
            switch part.next() {
            case .load(let pause):
                if pause > 0 { support_pause(pause) }
                load(batch, &part, store)
            case .save:
                save(batch, &part, store)
            case .done:
                return
            }
        }
    }

    // MARK: Loading

    private func load(_ batch: RevenueBatch, _ part: inout RevenuePart, _ store: skan_store) {
        let due = part.due
        guard let hook = store.load_many else {
            for position in due {
                guard let key = InstallKey(batch.key(part.installs.lowerBound &+ position)) else { continue }
                var buffer = BufferObject()
                var version: UInt64 = 0
                let end = load(store, key, &buffer, &version)
                report(end, "store.load", buffer.bytes.bytes, version, position, &part)
            }
            return
        }
        let buffers = UnsafeMutablePointer<BufferObject>.allocate(capacity: due.count)
        let items = UnsafeMutablePointer<skan_load_item>.allocate(capacity: due.count)
        for index in 0..<due.count {
            (buffers + index).initialize(to: BufferObject())
            let key = batch.key(part.installs.lowerBound &+ due[index])
            (items + index).initialize(
                to: skan_load_item(
                    key: key.baseAddress?.assumingMemoryBound(to: CChar.self), out: OpaquePointer(buffers + index),
                    version: 0, status: Status.store.rawValue))
        }
        inHook { hook(store.context, items, due.count) }
        for index in 0..<due.count {
            let end = loadEnd(items[index].status, items[index].version)
            report(end, "store.load_many", buffers[index].bytes.bytes, items[index].version, due[index], &part)
            (buffers + index).deinitialize(count: 1)
        }
        items.deallocate()
        buffers.deallocate()
    }

    private func report(
        _ end: Status, _ hook: StaticString, _ record: UnsafeRawBufferPointer, _ version: UInt64, _ position: Int,
        _ part: inout RevenuePart
    ) {
        switch end {
        case .ok: part.loaded(position, record, version: version)
        case .notFound: part.loaded(position, nil, version: 0)
        default: part.loadFailed(position, failedLoad(end, hook))
        }
    }

    // MARK: Saving

    private func save(_ batch: RevenueBatch, _ part: inout RevenuePart, _ store: skan_store) {
        let due = part.due
        let records = Records(part, due)
        defer { records.memory.deallocate() }
        guard let hook = store.save_many else {
            for index in 0..<due.count {
                guard let key = InstallKey(batch.key(part.installs.lowerBound &+ due[index])) else { continue }
                part.saved(due[index], save(store, key, records[index], part.expectedVersion(due[index])))
            }
            return
        }
        let items = UnsafeMutablePointer<skan_save_item>.allocate(capacity: due.count)
        defer { items.deallocate() }
        for index in 0..<due.count {
            let key = batch.key(part.installs.lowerBound &+ due[index])
            (items + index).initialize(
                to: skan_save_item(
                    key: key.baseAddress?.assumingMemoryBound(to: CChar.self), data: records[index].baseAddress,
                    length: records[index].count, expected_version: part.expectedVersion(due[index]), new_version: 0,
                    status: Status.storeUnknown.rawValue))
        }
        inHook { hook(store.context, items, due.count) }
        for index in 0..<due.count {
            let (status, version) = (items[index].status, items[index].new_version)
            let expected = part.expectedVersion(due[index])
            part.saved(due[index], saveEnd(status, version, expected, "store.save_many"))
        }
    }
}

/// The records of some installs in one piece of memory, which whoever makes them frees.
private struct Records {
    let memory: UnsafeMutableRawPointer
    /// Where each begins, and its length.
    private var places: [(start: Int, count: Int)] = []

    init(_ part: RevenuePart, _ positions: [Int]) {
        var size = 0
        for position in positions { size &+= part.recordBound(position) }
        memory = .allocate(byteCount: size, alignment: 8)
        places.reserveCapacity(positions.count)
        var start = 0
        for position in positions {
            let count = part.writeRecord(position, to: memory + start)
            places.append((start, count))
            start &+= count
        }
    }

    subscript(index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + places[index].start, count: places[index].count)
    }
}

extension InstallKey {
    /// The key of a batch's install, which ends at a NUL as it came.
    fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return nil }
        self.init(text: start.assumingMemoryBound(to: CChar.self), bytes: bytes)
    }
}

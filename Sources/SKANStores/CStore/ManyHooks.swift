internal import CSKAN
internal import CStoreAccess
internal import SKAN

/// Many records in one call of C; one by one where the store has no such hook.
extension Hooks {
    func loadMany(_ keys: [String]) -> [Loaded] {
        guard let hook = store.load_many else { return keys.map { load($0) } }
        var memory = BatchMemory()
        defer { memory.free() }
        var items = keys.map { key in
            skan_load_item(key: memory.text(key), out: skan_buffer_create(), version: 0, status: Answer.failed)
        }
        defer { for item in items { skan_buffer_destroy(item.out) } }
        skan_access_words_clear()
        hook(store.context, &items, items.count)
        return items.map { Loaded($0.status, $0.out, $0.version) }
    }

    func saveMany(_ saves: [SaveRequest]) -> [Written] {
        guard let hook = store.save_many else { return saves.map { save($0.key, $0.record, $0.expected) } }
        var memory = BatchMemory()
        defer { memory.free() }
        var items = saves.map { save in
            skan_save_item(
                key: memory.text(save.key), data: memory.bytes(save.record), length: save.record.count,
                expected_version: save.expected, new_version: 0, status: skan_status(SKAN_ERROR_STORE_UNKNOWN))
        }
        skan_access_words_clear()
        hook(store.context, &items, items.count)
        return items.map { Written(status: $0.status, version: $0.new_version, words: words($0.status)) }
    }
}

/// Bytes that stay where they are while C reads them.
private struct BatchMemory {
    private var kept: [UnsafeMutableRawBufferPointer] = []

    mutating func bytes(_ bytes: some Collection<UInt8>) -> UnsafeRawPointer? {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
        copy.copyBytes(from: bytes)
        kept.append(copy)
        return UnsafeRawPointer(copy.baseAddress)
    }

    mutating func text(_ text: String) -> UnsafePointer<CChar>? {
        bytes(Array(text.utf8) + [0])?.assumingMemoryBound(to: CChar.self)
    }

    func free() {
        for copy in kept { copy.deallocate() }
    }
}

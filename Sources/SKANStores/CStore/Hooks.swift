internal import CSKAN
internal import CStoreAccess
internal import SKAN

/// What hooks answer, in the type that they have.
enum Answer {
    static let ok = skan_status(SKAN_OK)
    static let notFound = skan_status(SKAN_NOT_FOUND)
    static let conflict = skan_status(SKAN_ERROR_STORE_CONFLICT)
    static let failed = skan_status(SKAN_ERROR_STORE)
}

/// The hooks of a store in C, which any thread may call, and what they answer.
struct Hooks: @unchecked Sendable {
    let store: skan_store

    struct Loaded: Sendable {
        let status: skan_status
        let record: StoredRecord?
        let words: String

        func found() throws -> StoredRecord? {
            switch status {
            case Answer.ok: return record
            case Answer.notFound: return nil
            default: throw StoreFailure(words)
            }
        }
    }

    struct Written: Sendable {
        let status: skan_status
        let version: UInt64
        let words: String

        /// True: applied; false: a conflict.
        func isApplied() throws -> Bool {
            switch status {
            case Answer.ok: return true
            case Answer.conflict: return false
            case Answer.failed: throw StoreFailure(words)
            default: throw SKANError(.storeUnknown, words)
            }
        }

        func saved() throws -> SaveResult {
            try isApplied() ? .saved(version: version) : .conflict
        }
    }

    func load(_ key: String) -> Loaded {
        let buffer = skan_buffer_create()
        defer { skan_buffer_destroy(buffer) }
        var version: UInt64 = 0
        skan_access_words_clear()
        let status = store.load?(store.context, key, buffer, &version) ?? Answer.failed
        return Loaded(status, buffer, version)
    }

    func save(_ key: String, _ record: [UInt8], _ expected: UInt64) -> Written {
        var version: UInt64 = 0
        skan_access_words_clear()
        let status = record.withUnsafeBytes { bytes in
            store.save?(store.context, key, bytes.baseAddress, bytes.count, expected, &version) ?? Answer.failed
        }
        return Written(status: status, version: version, words: words(status))
    }

    func remove(_ key: String, _ expected: UInt64) -> Written {
        skan_access_words_clear()
        let status = store.remove?(store.context, key, expected) ?? Answer.failed
        return Written(status: status, version: 0, words: words(status))
    }
}

extension Hooks.Loaded {
    init(_ status: skan_status, _ buffer: OpaquePointer?, _ version: UInt64) {
        self.status = status
        words = SKANCStore.words(status)
        guard status == Answer.ok else {
            record = nil
            return
        }
        let bytes = UnsafeRawBufferPointer(start: skan_buffer_data(buffer), count: skan_buffer_size(buffer))
        record = StoredRecord([UInt8](bytes), version: version)
    }
}

/// What the hook that this thread has just called reported.
func words(_ status: skan_status) -> String {
    guard status >= SKAN_ERROR_INVALID_ARGUMENT, status != Answer.conflict else { return "" }
    let words = String(cString: skan_access_words())
    return words.isEmpty ? "answered \(SKANError.Code(rawValue: status))" : words
}

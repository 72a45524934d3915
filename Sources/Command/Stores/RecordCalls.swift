package import SKANCore
package import SKANStorePool
package import SKANSystem

/// A loaded record; its status is `.ok`, `.notFound` or `.store`.
package struct LoadedRecord {
    package let status: Status
    package let version: UInt64
    package let bytes: [UInt8]

    package init(status: Status, version: UInt64, bytes: [UInt8]) {
        self.status = status
        self.version = version
        self.bytes = bytes
    }
}

extension OpenStore {
    /// The maximum number of times that a removal with an unknown outcome is tried.
    private static var attempts: Int { 5 }

    package func load(_ key: Bytes) -> LoadedRecord {
        var bytes: [UInt8] = []
        var version: UInt64 = 0
        let status = ended { () throws(Failure) in
            let isThere = try records.load(key) { record, found in
                guard record.count <= Limits.bufferBytes else { return false }
                bytes = [UInt8](record)
                version = found
                return true
            }
            return isThere ? .ok : .notFound
        }
        return LoadedRecord(status: loadStatus(status, version), version: version, bytes: bytes)
    }

    /// Saves many records with distinct keys, and sets the status of each to `.ok`, `.storeConflict`, `.store` or
    /// `.storeUnknown`.
    package func save(_ items: UnsafeMutableBufferPointer<SaveItem>) {
        for index in items.indices {
            items[index].version = 0
            items[index].status = .storeUnknown
        }
        if items.isEmpty { return }
        _ = ended { () throws(Failure) in
            try records.saveMany(items)
            return .ok
        }
        for index in items.indices {
            let item = items[index]
            items[index].status = saveStatus(item.status, item.version, expected: item.expected)
        }
    }

    package func save(_ key: Bytes, _ record: Bytes, expected: UInt64) -> (status: Status, version: UInt64) {
        var version: UInt64 = 0
        let status = ended { () throws(Failure) in
            guard let new = try records.save(key, record, expected: expected) else { return .storeConflict }
            version = new
            return .ok
        }
        return (saveStatus(status, version, expected: expected), version)
    }

    /// Removes a record, and tries again while the outcome is unknown. Returns `.ok` (removed), `.storeConflict` (there
    /// is another version), `.notFound` (someone else removed it) or `.store`.
    package func remove(_ key: Bytes, version: UInt64) -> Status {
        for _ in 0..<OpenStore.attempts {
            let status = changeStatus(
                ended { () throws(Failure) in try records.remove(key, expected: version) ? .ok : .storeConflict })
            if status == .ok || status == .store { return status }
            let there = load(key)
            if there.status == .notFound { return status == .storeUnknown ? .ok : .notFound }
            if there.status == .ok && there.version != version { return .storeConflict }
        }
        return .store
    }
}

func loadStatus(_ status: Status, _ version: UInt64) -> Status {
    status == .notFound || (status == .ok && version != 0) ? status : .store
}

private func changeStatus(_ status: Status) -> Status {
    status == .ok || status == .storeConflict || status == .store ? status : .storeUnknown
}

private func saveStatus(_ status: Status, _ version: UInt64, expected: UInt64) -> Status {
    status == .ok && (version == 0 || version == expected) ? .storeUnknown : changeStatus(status)
}

private func ended(_ body: () throws(Failure) -> Status) -> Status {
    do throws(Failure) { return try body() } catch { return error.status }
}

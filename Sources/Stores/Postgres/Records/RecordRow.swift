internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

extension ServerAnswer {
    /// What a row of `load` or `loadMany` gave.
    func showRecord(
        _ row: Int32, _ settings: PostgresSettings, _ take: (Bytes, _ version: UInt64) -> Bool
    ) throws(Failure) {
        guard let version = number(row, 0), let record = value(row, 1) else {
            throw settings.failure(
                .store, "load: expected a version of 8 bytes and a record, got \(columns) columns")
        }
        guard 1...greatestVersion ~= version else {
            throw settings.failure(.store, "load: a record has version \(Int64(bitPattern: version))")
        }
        guard take(record, version) else {
            throw settings.failure(.store, "load: a record has \(record.count) bytes")
        }
    }
}

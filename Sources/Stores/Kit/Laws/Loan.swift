internal import CSKANSystem
internal import SKANSystem

/// Memory that a store may read only during a call. Afterwards its bytes are changed, so a store must copy what it
/// keeps.
struct Loan {
    let key: UnsafeMutablePointer<CChar>
    let record: UnsafeMutableRawBufferPointer
    private let keyLength: Int

    init(_ key: Key, _ record: RecordBytes = "") {
        keyLength = key.bytes.count
        self.key = .allocate(capacity: keyLength + 1)
        self.key.initialize(from: key.text, count: keyLength + 1)
        self.record = .allocate(byteCount: record.bytes.count, alignment: 1)
        self.record.copyBytes(from: record.bytes)
    }

    func spoilKey() { memset(key, Int32(UInt8(ascii: "?")), keyLength) }

    func spoilRecord() {
        if let start = record.baseAddress { memset(start, Int32(UInt8(ascii: "?")), record.count) }
    }

    func restore(_ original: Key) { key.update(from: original.text, count: keyLength + 1) }

    func end() {
        spoilKey()
        spoilRecord()
        key.deallocate()
        record.deallocate()
    }
}

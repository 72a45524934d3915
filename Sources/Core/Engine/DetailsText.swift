import CSKANSupport
import SKANCore

extension InstallState {
    /// Rules, "Details": the details as a JSON document, printed by json-c. The result is NUL-terminated and comes from
    /// malloc; the caller frees it.
    package func detailsText() throws(Failure) -> (start: UnsafeMutablePointer<CChar>, count: Int) {
        var values = DetailsValues()
        writeDetails(to: &values)
        let printed = try values.print(keys: DetailsKeys.shared(conversion.protocolVersion))
        return reengagements.isEmpty ? printed : withReengagements(printed)
    }

    /// Rules, "Re-engagement details": adds the key `reengagements` at the end of the document. Frees `details`.
    @_optimize(size)
    private func withReengagements(
        _ details: (start: UnsafeMutablePointer<CChar>, count: Int)
    ) -> (start: UnsafeMutablePointer<CChar>, count: Int) {
        defer { details.start.deallocate() }
        var json = JSONWriter(capacity: 1024)
        writeReengagements(to: &json)
        let array = json.finish()
        var text = ByteBuffer(capacity: details.count &+ array.count &+ 20)
        text.append(UnsafeRawBufferPointer(start: details.start, count: details.count &- 1))
        text.append(",\"reengagements\":")
        text.append(array)
        text.append("}")
        let count = text.count
        text.append(0)
        return (UnsafeMutableRawPointer(text.take()).assumingMemoryBound(to: CChar.self), count)
    }
}

/// A writer that prints the values of a details document as JSON, separated by commas.
private struct DetailsValues: DetailsWriter, ~Copyable {
    private var values = JSONWriter(capacity: 768)
    /// The offset in `values` at which each value ends.
    private var ends = [Int]()

    init() { ends.reserveCapacity(24) }

    @inline(never)
    mutating func write(_ key: DocumentKey, integer: Int64?) {
        values.integer(integer)
        ends.append(values.text.count)
    }

    @inline(never)
    mutating func write(_ key: DocumentKey, table: Span<RevenueTotal>) {
        if table.isEmpty { values.null() } else { values.table(table) }
        ends.append(values.text.count)
    }

    func print(keys: DetailsKeys) throws(Failure) -> (start: UnsafeMutablePointer<CChar>, count: Int) {
        let printed = withUnsafeTemporaryAllocation(of: support_text.self, capacity: ends.count) { texts in
            var start = 0
            for index in 0..<ends.count {
                let bytes = UnsafeRawPointer(values.text.base + start).assumingMemoryBound(to: CChar.self)
                texts[index] = support_text(start: bytes, length: ends[index] &- start)
                start = ends[index] &+ 1
            }
            var length = 0
            let text = support_print_object(keys.names, texts.baseAddress, ends.count, &length)
            return (start: text, count: length)
        }
        guard let start = printed.start else { throw Failure(.limitExceeded, "details: json-c got no memory") }
        return (start, printed.count)
    }
}

/// A writer that collects the keys of a details document, as C strings that are never freed.
private struct DetailsKeys: DetailsWriter, @unchecked Sendable {
    private(set) var names: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private var count = 0

    private init(_ protocolVersion: ProtocolVersion) {
        names = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 24)
        InstallState(protocolVersion).writeDetails(to: &self)
    }

    private static let skan4 = DetailsKeys(.skan4)
    private static let skan3 = DetailsKeys(.skan3)

    static func shared(_ protocolVersion: ProtocolVersion) -> DetailsKeys {
        switch protocolVersion {
        case .skan4: skan4
        case .skan3: skan3
        }
    }

    private mutating func add(_ key: DocumentKey) {
        var name = ByteBuffer(capacity: 48)
        key.write(to: &name)
        name.append(0)
        names[count] = UnsafePointer(UnsafeMutableRawPointer(name.take()).assumingMemoryBound(to: CChar.self))
        count &+= 1
    }

    mutating func write(_ key: DocumentKey, integer: Int64?) { add(key) }
    mutating func write(_ key: DocumentKey, table: Span<RevenueTotal>) { add(key) }
}

import CSKANSupport
import SKANCore

extension InstallState {
    /// Rules, "Details": the details as a JSON document, printed by json-c. Memory of malloc, ended by a NUL.
    package func detailsText() throws(Failure) -> (start: UnsafeMutablePointer<CChar>, count: Int) {
        var values = DetailsValues()
        writeDetails(to: &values)
        return try values.print(keys: DetailsKeys.shared(protocolVersion))
    }
}

/// The values of a details document as JSON texts, one after the other.
private struct DetailsValues: DetailsWriter, ~Copyable {
    private var text = ByteBuffer(capacity: 768)
    /// Where each text ends.
    private var ends = [Int]()

    init() { ends.reserveCapacity(24) }

    @inline(never)
    mutating func write(_ key: DocumentKey, integer: Int64?) {
        if let integer { text.append(decimal: integer) } else { text.append("null") }
        ends.append(text.count)
    }

    @inline(never)
    mutating func write(_ key: DocumentKey, table: Span<RevenueTotal>) {
        if table.isEmpty { text.append("null") } else { text.append(table: table) }
        ends.append(text.count)
    }

    func print(keys: DetailsKeys) throws(Failure) -> (start: UnsafeMutablePointer<CChar>, count: Int) {
        let printed = withUnsafeTemporaryAllocation(of: support_text.self, capacity: ends.count) { values in
            var start = 0
            for index in 0..<ends.count {
                let bytes = UnsafeRawPointer(text.base + start).assumingMemoryBound(to: CChar.self)
                values[index] = support_text(start: bytes, length: ends[index] &- start)
                start = ends[index]
            }
            var length = 0
            let text = support_print_object(keys.names, values.baseAddress, ends.count, &length)
            return (start: text, count: length)
        }
        guard let start = printed.start else { throw Failure(.limitExceeded, "details: json-c got no memory") }
        return (start, printed.count)
    }
}

extension ByteBuffer {
    /// A revenue table as compact JSON, currencies in order.
    fileprivate mutating func append(table: Span<RevenueTotal>) {
        var isFirst = true
        for index in table.indices {
            let total = table[index]
            guard let currency = total.currency else { continue }
            append(isFirst ? "{\"" : ",\"")
            currency.write(to: &self)
            append("\":")
            total.total.write(to: &self)
            isFirst = false
        }
        append("}")
    }
}

/// The keys of a details document, as C strings that live for ever.
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

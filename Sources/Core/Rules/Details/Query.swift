/// Rules, "Query items": writes percent-encoded items. Everything except RFC 3986's unreserved characters is encoded,
/// including `+`.
package struct Query: ~Copyable {
    package var text: ByteBuffer
    private var isEmpty = true

    /// The query is appended to `text`.
    package init(_ text: consuming ByteBuffer) { self.text = text }

    @inline(never)
    private mutating func begin(_ key: DocumentKey) {
        if !isEmpty { text.append(UInt8(ascii: "&")) }
        isEmpty = false
        key.write(to: &text)
        text.append(UInt8(ascii: "="))
    }

    /// Adds an item and encodes its value. There is no item if the value is nil.
    package mutating func add(_ key: DocumentKey, _ value: UnsafeRawBufferPointer?) {
        guard let value else { return }
        begin(key)
        text.appendPercentEncoded(value)
    }

    /// Adds an item whose value is already encoded. There is no item if the value is empty.
    package mutating func add(_ key: DocumentKey, encoded value: [UInt8]) {
        guard !value.isEmpty else { return }
        begin(key)
        value.withUnsafeBytes { text.append($0) }
    }

    package mutating func add(_ key: DocumentKey, _ value: Int64?) {
        guard let value else { return }
        begin(key)
        text.append(decimal: value)
    }

    package mutating func add(_ key: DocumentKey, _ amount: Money) {
        begin(key)
        amount.write(to: &text)
    }

    /// Adds a revenue table as compact JSON, sorted by currency.
    package mutating func add(_ key: DocumentKey, _ table: Span<RevenueTotal>) {
        begin(key)
        text.append("%7B")
        var isFirst = true
        for index in table.indices {
            let total = table[index]
            guard let currency = total.currency else { continue }
            text.append(isFirst ? "%22" : "%2C%22")
            currency.write(to: &text)
            text.append("%22%3A")
            total.total.write(to: &text)
            isFirst = false
        }
        text.append("%7D")
    }
}

/// Absent details have no item.
extension Query: DetailsWriter {
    @inline(__always)
    package mutating func write(_ key: DocumentKey, integer: Int64?) { add(key, integer) }

    @inline(__always)
    package mutating func write(_ key: DocumentKey, table: Span<RevenueTotal>) {
        if !table.isEmpty { add(key, table) }
    }
}

extension Query {
    package consuming func finish() -> ByteBuffer { text }
}

/// Rules, "Endpoint requests": the items of a received query, percent-decoded. `+` is a space, as HTML forms and Java's
/// URLEncoder write it. The items are valid as long as the memory that they are decoded into.
package struct QueryItems {
    private struct Item {
        let key: Range<Int>
        let value: Range<Int>
        let isWellFormed: Bool
    }

    private let text: UnsafeMutableRawBufferPointer
    private var used = 0
    private var items: [Item] = []

    /// Nil if the query has more than 128 items, which no request has, or is larger than the memory.
    package init?(_ query: UnsafeRawBufferPointer, in memory: UnsafeMutableRawBufferPointer) {
        guard memory.count >= query.count else { return nil }
        text = memory
        var position = 0
        while position < query.count {
            let end = query[position...].firstIndex(of: UInt8(ascii: "&")) ?? query.count
            if end > position {
                guard items.count < 128 else { return nil }
                let equals = query[position..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
                let key = decode(UnsafeRawBufferPointer(rebasing: query[position..<equals]))
                let value = decode(UnsafeRawBufferPointer(rebasing: query[min(equals &+ 1, end)..<end]))
                items.append(Item(key: key.range, value: value.range, isWellFormed: key.isWhole && value.isWhole))
            }
            position = end &+ 1
        }
    }

    /// Appends the decoded bytes to the memory. `isWhole` is false if a `%` is not followed by two digits.
    private mutating func decode(_ encoded: UnsafeRawBufferPointer) -> (range: Range<Int>, isWhole: Bool) {
        let start = used
        let memory = UnsafeMutableRawBufferPointer(rebasing: text[start...])
        let (count, isWhole) = PercentCoding.decode(encoded, into: memory, plusIsSpace: true)
        used &+= count
        return (start..<used, isWhole)
    }

    package enum Found {
        case none
        case value(UnsafeRawBufferPointer)
        /// The item occurs twice, or has an invalid escape.
        case unfit
    }

    /// An empty value counts as absent. The value that was found is valid as long as the items.
    package func find(_ name: DocumentKey) -> Found {
        var found: Item?
        for item in items where name.isEqual(bytes(item.key)) {
            guard item.isWellFormed, found == nil else { return .unfit }
            found = item
        }
        guard let found, !found.value.isEmpty else { return .none }
        return .value(bytes(found.value))
    }

    private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: text[range])
    }
}

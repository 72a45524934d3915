internal import SKANCommandOutput
internal import SKANCore

/// Members of a report's document; null for what there is not.
extension JSONWriter {
    mutating func write(_ name: StaticString, text: [UInt8]?) {
        key(name)
        if let text { text.withUnsafeBytes { string(utf8: $0) } } else { null() }
    }

    mutating func write(_ name: StaticString, count: UInt64) {
        key(name)
        integer(Int64(clamping: count))
    }

    mutating func write(_ name: StaticString, bool value: Bool) {
        key(name)
        bool(value)
    }

    /// A number as it was rounded.
    mutating func write(_ name: StaticString, quotient: Message?) {
        key(name)
        if let quotient { quotient.utf8.withUnsafeBytes { json(utf8: $0) } } else { null() }
    }

    /// Unix seconds.
    mutating func write(_ name: StaticString, moment: Int64?) { write(name, text: moment.map { utcTime($0).utf8 }) }

    mutating func write(_ name: StaticString, money: Money?) { write(name, text: money?.exactText.utf8) }
}

internal import SKANCommandOutput
internal import SKANCore

/// Members of a report's document; null for what there is not.
extension JSONWriter {
    mutating func write(_ name: StaticString, count: UInt64) { member(name, Int64(clamping: count)) }

    /// Unix seconds.
    mutating func write(_ name: StaticString, moment: Int64?) { member(name, text: moment.map { utcTime($0).utf8 }) }

    mutating func write(_ name: StaticString, money: Money?) { member(name, text: money?.exactText.utf8) }
}

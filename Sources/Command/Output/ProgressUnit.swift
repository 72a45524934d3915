import SKANCore

/// The unit of progress, and how its amounts are written.
package enum ProgressUnit {
    /// Bytes, shown in kB, MB or GB (powers of 1000).
    case bytes
    /// Items with this plural noun, such as "records".
    case things(StaticString)

    /// Returns an amount as text: "138 MB", "1500 records".
    func amount(_ done: UInt64) -> Message {
        switch self {
        case .bytes: sized(Double(done))
        case .things(let name): "\(done) \(name)"
        }
    }

    /// Returns an amount out of a total as text: "138 of 669 MB", "1500 of 5000 records".
    func amount(_ done: UInt64, of total: UInt64) -> Message {
        switch self {
        case .bytes:
            let scale = ByteScale(of: Double(total))
            return "\(scale.number(Double(done))) of \(scale.number(Double(total))) \(scale.name)"
        case .things(let name): return "\(done) of \(total) \(name)"
        }
    }

    /// Returns a rate as text: "21.6 MB/s", "1200/s".
    func rate(_ perSecond: Double) -> Message {
        switch self {
        case .bytes: "\(sized(perSecond))/s"
        case .things: "\(fixedText(perSecond, places: 0))/s"
        }
    }

    private func sized(_ bytes: Double) -> Message {
        let scale = ByteScale(of: bytes)
        return "\(scale.number(bytes)) \(scale.name)"
    }
}

/// The unit in which a number of bytes is written: kB, MB or GB.
private struct ByteScale {
    let name: StaticString
    private let size: Double

    init(of bytes: Double) {
        (name, size) = bytes < 1e6 ? ("kB", 1e3) : bytes < 1e9 ? ("MB", 1e6) : ("GB", 1e9)
    }

    /// Returns the number in this unit, with one decimal place if it is below 100.
    func number(_ bytes: Double) -> Message {
        let scaled = bytes / size
        return fixedText(scaled, places: scaled < 99.95 && bytes > 0 ? 1 : 0)
    }
}

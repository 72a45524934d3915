import SKANCommandOutput
import SKANCore

/// Counts of opens. An open is a tap on an ad that opened the app, as the app reported. At most six are stored for an
/// install.
struct OpenCounts {
    var opens: UInt64 = 0
    /// The number of opens with a conversion tag.
    var tagged: UInt64 = 0
    /// The number of opens that ended for each reason; the index is the reason's number minus one.
    private var ended = InlineArray<4, UInt64>(repeating: 0)

    subscript(reason: ReengagementEnd) -> UInt64 { ended[Int(reason.rawValue) - 1] }

    mutating func add(_ reengagement: Reengagement) {
        opens += 1
        if reengagement.hasTag { tagged += 1 }
        if let reason = reengagement.ended { ended[Int(reason.rawValue) - 1] += 1 }
    }
}

/// The opens that the app reported, by the reference that the app gave to each.
struct ReportedOpens {
    /// The store's URL without the password.
    let store: Message
    private(set) var sum = OpenCounts()
    /// The number of installs with at least one open.
    private(set) var installs: UInt64 = 0
    private(set) var references: [[UInt8]: OpenCounts] = [:]
    private let from: Int64
    private let to: Int64

    /// Prepares to count opens that began from `from` on and before `to`, in Unix seconds; nil means no bound.
    init(_ store: Message, from: Int64?, to: Int64?) {
        self.store = store
        self.from = from ?? .min
        self.to = to ?? .max
    }

    /// Counts the install's opens that began within the bounds.
    mutating func add(_ install: borrowing InstallState) {
        var hasOpen = false
        for each in install.reengagements where each.start >= from && each.start < to {
            hasOpen = true
            sum.add(each)
            references[each.reference, default: OpenCounts()].add(each)
        }
        if hasOpen { installs += 1 }
    }
}

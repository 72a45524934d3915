internal import SKANCommandOutput
internal import SKANCore

/// How many taps on ads an app reported that led back into it, of those that the installs still keep: six at most each.
struct OpenCounts {
    var opens: UInt64 = 0
    /// Those that came with a conversion tag.
    var tagged: UInt64 = 0
    /// Those that ended for each reason, by its number less one.
    private var ended = InlineArray<4, UInt64>(repeating: 0)

    subscript(reason: ReengagementEnd) -> UInt64 { ended[Int(reason.rawValue) - 1] }

    mutating func add(_ reengagement: Reengagement) {
        opens += 1
        if reengagement.hasTag { tagged += 1 }
        if let reason = reengagement.ended { ended[Int(reason.rawValue) - 1] += 1 }
    }
}

/// The opens that the app reported, by the reference that it gave each.
struct ReportedOpens {
    /// The store's URL without the password.
    let store: Message
    private(set) var sum = OpenCounts()
    /// The number of installs with an open.
    private(set) var installs: UInt64 = 0
    private(set) var references: [[UInt8]: OpenCounts] = [:]
    private let from: Int64
    private let to: Int64

    /// Counts opens from this moment on, and before that one, Unix seconds; nil = open.
    init(_ store: Message, from: Int64?, to: Int64?) {
        self.store = store
        self.from = from ?? .min
        self.to = to ?? .max
    }

    /// Counts the opens of an install that began in this time.
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

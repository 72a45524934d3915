import SKANCore

/// The values of installs and redownloads that postbacks of window 0 reported, counted by line, model, day of install
/// and value. Takes about 16 bytes for each of these combinations.
package struct PostbackValues {
    private var counts: [UInt64: UInt32] = [:]
    /// The counts, sorted by line; empty until `end` was called.
    private(set) var values: [PostbackValueCount] = []
    /// The App Store id of the app that the first postback with such an id names.
    private var app: Int64?
    private(set) var hasSeveralApps = false
    private(set) var facts = PostbackFacts()
    private(set) var later = LaterPostbacks()

    package init() {}

    @export(interface)
    package mutating func add(_ observed: ReportedPostback, line: Int, model: Int) {
        if let app, app != observed.app { hasSeveralApps = true }
        app = app ?? observed.app
        let key = PostbackValueKey(line: line, model: model, day: observed.day, value: observed.value)
        counts[key.bits, default: 0] += 1
        facts.add(observed)
        later.add(observed, line: line, model: model)
    }

    /// Counts a postback of window 1 or 2.
    @export(interface)
    package mutating func add(later observed: ReportedPostback, line: Int) {
        later.add(observed, line: line, model: PlaceOfModel.other)
    }

    /// Sorts the counts by line. Call it once, after all postbacks have been added.
    @export(interface)
    package mutating func end() {
        values.reserveCapacity(counts.count)
        for (bits, count) in counts {
            values.append(PostbackValueCount(key: PostbackValueKey(bits: bits), count: count))
        }
        counts = [:]
        values.sort { $0.key.bits < $1.key.bits }
    }

    /// The first and the last day of install, in days since 1970; nil if there are no installs, or before `end` was
    /// called.
    package var days: ClosedRange<Int64>? {
        guard let first = values.map({ $0.key.day }).min(), let last = values.map({ $0.key.day }).max() else {
            return nil
        }
        return first...last
    }
}

struct PostbackValueCount {
    var key: PostbackValueKey
    let count: UInt32
}

/// A line, model, day and value, packed into one word.
struct PostbackValueKey {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    init(line: Int, model: Int, day: Int64, value: ReportedValue) {
        let code: UInt64 =
            switch value {
            case .fine(let fine): UInt64(truncatingIfNeeded: fine & 63)
            case .coarse(let coarse): 64 + UInt64(truncatingIfNeeded: coarse & 3)
            case .hidden: PostbackValueKey.hidden
            }
        let day = UInt64(clamping: min(max(day, 0), 0xFF_FFFF))
        bits = UInt64(truncatingIfNeeded: line) << 40 | UInt64(truncatingIfNeeded: model & 0xFF) << 32 | day << 8 | code
    }

    var line: Int { Int(bits >> 40) }
    /// The day of install, in days since 1970.
    var day: Int64 { Int64(bits >> 8 & 0xFF_FFFF) }

    var model: Int { Int(bits >> 32 & 0xFF) }

    private static var hidden: UInt64 { 68 }

    var value: ReportedValue {
        let code = Int(bits & 0xFF)
        return code < 64 ? .fine(code) : code < 68 ? .coarse(code - 64) : .hidden
    }
}

/// The numbers of installs and redownloads, and of their postbacks of window 0 that have certain properties.
struct PostbackFacts {
    /// Redownloads included.
    private(set) var installs: UInt64 = 0
    private(set) var redownloads: UInt64 = 0
    /// The number of postbacks from before SKAdNetwork 4.0 that have a fine value.
    private(set) var fineOfOlderVersions: UInt64 = 0
    /// The number of SKAN 4 postbacks with three or four digits of the source identifier.
    private(set) var longIdentifiers: UInt64 = 0
    private(set) var longIdentifiersWithoutValue: UInt64 = 0

    mutating func add(_ observed: ReportedPostback) {
        installs += 1
        if observed.isRedownload { redownloads += 1 }
        if observed.isBeforeSKAN4 {
            if observed.fine != nil { fineOfOlderVersions += 1 }
        } else if observed.hasLongIdentifier {
            longIdentifiers += 1
            if observed.fine == nil, observed.coarse == nil { longIdentifiersWithoutValue += 1 }
        }
    }
}

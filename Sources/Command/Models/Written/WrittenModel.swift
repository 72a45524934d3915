import SKANCore

/// A conversion model that is to be written as a document.
struct WrittenModel {
    var id: [UInt8]
    var protocolVersion = ProtocolVersion.skan4
    /// Empty for installs.
    var conversion: [UInt8] = []
    var currency: [UInt8] = [UInt8](StaticString("USD").bytes)
    var rates: [(currency: [UInt8], rate: [UInt8])] = []
    var raiseOnly = true
    var measures = WrittenMeasures()
    /// SKAN 3 has one window, SKAN 4 has three.
    var windows: [WrittenWindow]
}

struct WrittenWindow {
    var rules: [WrittenRule] = []
    /// nil if coarse values are not decided separately.
    var coarseRules: [WrittenRule]?
}

/// A rule, or a generator of rules if it has digits.
struct WrittenRule: Equatable {
    var fine: Int?
    var coarse: Int?
    var locksWindow = false
    var when = WrittenConditions()
    var digits: [WrittenDigit] = []
    /// The lowest fine values for which a generator gives the coarse values medium and high.
    var coarseSteps: (medium: Int, high: Int)?

    static func == (one: WrittenRule, other: WrittenRule) -> Bool {
        one.fine == other.fine && one.coarse == other.coarse && one.locksWindow == other.locksWindow
            && one.when == other.when && one.digits.isEmpty && other.digits.isEmpty
    }
}

struct WrittenConditions: Equatable {
    var events: [WrittenEvent] = []
    var revenue: [WrittenRevenue] = []
    var measures: [WrittenMeasureRange] = []
    private var ranges = [WrittenRange<Int64>?](repeating: nil, count: ConditionKey.all.count)

    /// nil if there is no condition with this key.
    subscript(key: ConditionKey) -> WrittenRange<Int64>? {
        get { ranges[Int(key.rawValue)] }
        set { ranges[Int(key.rawValue)] = newValue }
    }
}

struct WrittenEvent: Equatable {
    var name: [UInt8]
    var count = WrittenRange<Int64>()
}

struct WrittenRevenue: Equatable {
    var axis: RevenueAxis
    var amount: WrittenRange<Money>
}

/// A condition on a measure. If the measure counts events, the bounds are still of the type `Money`, but whole numbers.
struct WrittenMeasureRange: Equatable {
    var measure: [UInt8]
    var range: WrittenRange<Money>
}

struct WrittenDigit: Equatable {
    enum Subject: Equatable {
        case event([UInt8])
        case revenue(RevenueAxis)
        case range(ConditionKey)
    }

    var subject: Subject
    /// The bounds that divide the digit's values, as written: amounts for revenue, whole numbers for everything else.
    var bounds: [[UInt8]]
}

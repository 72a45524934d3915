import SKANCore

/// A conversion model from which a document is written.
struct WrittenModel {
    var id: [UInt8]
    var protocolVersion = ProtocolVersion.skan4
    /// The kind of conversion; empty for installs.
    var conversion: [UInt8] = []
    var currency: [UInt8] = [UInt8](StaticString("USD").bytes)
    /// The rates as written.
    var rates: [(currency: [UInt8], rate: [UInt8])] = []
    var raiseOnly = true
    var measures: [WrittenMeasure] = []
    /// The windows, as many as the protocol has.
    var windows: [WrittenWindow]

    /// The name of an equal measure in the model; adds the measure if there is none.
    mutating func measure(_ measure: WrittenMeasure) -> [UInt8] {
        for known in measures where known.isSame(measure) { return known.name }
        var made = measure
        var number = 1
        while measures.contains(where: { $0.name == made.name }) {
            number += 1
            let ending: Message = " \(number)"
            made.name = measure.name.prefix(Limits.measureNameBytes - ending.utf8.count) + ending.utf8
        }
        measures.append(made)
        return made.name
    }
}

struct WrittenMeasure: Equatable {
    var name: [UInt8]
    var counting: ModelMeasure.Counting
    var events: [[UInt8]]
    var isLifetime = false
    /// The kind of revenue that counts; nil for any event.
    var kind: RevenueKind?
    var amount: WrittenRange<Money>?
    var day: WrittenRange<Int64>?
    var hours: WrittenRange<Int64>?

    /// Whether it is equal except for the name.
    func isSame(_ other: WrittenMeasure) -> Bool {
        var other = other
        other.name = name
        return self == other
    }
}

struct WrittenWindow {
    var rules: [WrittenRule] = []
    /// nil if coarse values are not decided separately.
    var coarseRules: [WrittenRule]?
}

/// A rule, or a generator if it has digits.
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

/// The range [min, max); nil means no bound.
struct WrittenRange<Number: Equatable>: Equatable {
    var min: Number?
    var max: Number?
}

struct WrittenConditions: Equatable {
    var events: [WrittenEvent] = []
    var revenue: [WrittenRevenue] = []
    var measures: [WrittenMeasureRange] = []
    private var ranges = [WrittenRange<Int64>?](repeating: nil, count: ConditionKey.all.count)

    /// The range of a key that has one.
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

/// A condition on a measure. Counts are written as whole amounts.
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
    /// The bounds as written: amounts for revenue, whole numbers for everything else.
    var bounds: [[UInt8]]
}

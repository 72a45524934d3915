/// Rules, "Model document": a conversion model, read and checked: which value an install has, by what happened in its
/// current window.
package final class ConversionModel: Sendable {
    /// SHA-256 of the document's bytes.
    package let version: SHA256
    /// 1...64 printable ASCII bytes.
    package let id: [UInt8]
    package let protocolVersion: ProtocolVersion
    /// Rules, "Re-engagement models": whether it is one.
    package let isForReengagements: Bool
    /// What revenue is counted in.
    package let currency: Currency
    /// Other currencies, sorted.
    package let rates: [ModelRate]
    package let raiseOnly: Bool
    /// The events that are counted; one that is named n-th here has the n-th count, the sessions' is the 0th.
    package let events: [EventName]
    /// As many as the protocol has.
    package let windows: [ModelWindow]

    init(
        version: SHA256, id: [UInt8], protocolVersion: ProtocolVersion, isForReengagements: Bool, currency: Currency,
        rates: [ModelRate], raiseOnly: Bool, events: [EventName], windows: [ModelWindow]
    ) {
        assert(windows.count == protocolVersion.windowCount && events.count <= Limits.modelEvents)
        self.version = version
        self.id = id
        self.protocolVersion = protocolVersion
        self.isForReengagements = isForReengagements
        self.currency = currency
        self.rates = rates
        self.raiseOnly = raiseOnly
        self.events = events
        self.windows = windows
    }

    /// The place of an event among the counts, nil for one that is not counted.
    @inline(__always)
    package func place(of event: EventName) -> Int? {
        if event.isSession { return 0 }
        for index in events.indices where events[index] == event { return index &+ 1 }
        return nil
    }

    /// The event that a condition counts, nil where it is about sessions or days.
    package func event(of condition: CountCondition) -> EventName? {
        condition.axis >= 1 && condition.axis <= events.count ? events[condition.axis &- 1] : nil
    }

    /// The rules of a window.
    @inline(__always)
    package func window(_ window: Window) -> ModelWindow? {
        let index = Int(window.rawValue)
        return index < windows.count ? windows[index] : nil
    }
}

/// What one of a currency counts in the model's.
package struct ModelRate: Sendable {
    package let currency: Currency
    /// In 10⁻¹².
    package let units: Int128
}

/// The rules of one window, the last one that holds wins.
package struct ModelWindow: Sendable {
    package var rules: [ModelRule] = []
    /// The conditions of all rules, one rule's after the other's, each rule's by axis.
    package var conditions: [CountCondition] = []
    /// The revenue that rules ask for, one bit for each `RevenueAxis`.
    package var revenueAxes: UInt16 = 0
}

package struct ModelRule: Sendable {
    package var fine: UInt8?
    package var coarse: UInt8?
    package var locksWindow: Bool
    /// Its part of the window's conditions.
    package var conditions: Range<Int>
    package var revenue: RevenueCondition?
}

/// A range of a count or of days, [min, max).
package struct CountCondition: Sendable {
    /// The place of a count, or `day`.
    package var axis: Int
    package var min: Int64
    package var max: Int64

    package static var sessions: Int { 0 }
    package static var day: Int { Limits.modelCounts }
    package static var axes: Int { Limits.modelCounts &+ 1 }
    /// A max that is not there.
    package static var open: Int64 { Int64.max }
}

/// A range of revenue in the model's currency, [min, max), in units of money.
package struct RevenueCondition: Sendable {
    package var axis: RevenueAxis
    package var min: Int128
    package var max: Int128

    /// A bound that is not there.
    package static var open: Int128 { Int128.max }
    package static var openBelow: Int128 { Int128.min }

    /// nil where it is open.
    package var least: Money? { min == RevenueCondition.openBelow ? nil : Money(units: min) }
    /// What is less than this is in the range; nil where it is open.
    package var end: Money? { max == RevenueCondition.open ? nil : Money(units: max) }
}

/// Rules, "Re-engagement models": what revenue is counted from: the window, the install, or the re-engagement's start.
package enum RevenueScope: UInt8, Sendable {
    case window = 0
    case lifetime = 1
    case conversion = 2

    package var name: StaticString {
        switch self {
        case .window: "window"
        case .lifetime: "lifetime"
        case .conversion: "conversion"
        }
    }
}

/// Revenue by the numbers of axes.
package typealias RevenueByAxis = InlineArray<9, Int128>

/// Which revenue is meant: IAP, ad or all, of a scope.
package struct RevenueAxis: Equatable, Sendable {
    package let number: UInt8

    package init(number: UInt8) { self.number = number }

    package init(_ kind: RevenueKind?, _ scope: RevenueScope) {
        let kind: UInt8 = kind.map { $0.rawValue } ?? 2
        number = kind &+ scope.rawValue &* 3
    }

    package init(_ kind: RevenueKind?, lifetime: Bool) { self.init(kind, lifetime ? .lifetime : .window) }

    package static var count: UInt8 { 9 }

    package var bit: UInt16 { 1 << UInt16(number) }
    /// nil for all revenue.
    package var kind: RevenueKind? { RevenueKind(rawValue: number % 3) }
    package var scope: RevenueScope { RevenueScope(rawValue: number / 3) ?? .window }
    package var isLifetime: Bool { scope == .lifetime }

    package var kindName: StaticString {
        switch kind {
        case .iap: "iap"
        case .ad: "ad"
        case nil: "all"
        }
    }

    package var scopeName: StaticString { scope.name }
}

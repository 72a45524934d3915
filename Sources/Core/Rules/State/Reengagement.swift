/// Rules, "Re-engagement state": a re-engagement, in which a player tapped an ad and thereby came back into the app,
/// with the conversion that the tap began. The type is a class because its values are large. An object belongs to one
/// state, which is used for one call only.
package final class Reengagement: @unchecked Sendable {
    /// The number of the re-engagement, from 1; a number is never used twice.
    package let number: UInt32
    /// The conversion that the tap began. Its first call is the tap, and it has no previous values.
    package var conversion: Conversion
    package var ended: ReengagementEnd?
    /// The conversion tag in UTF-8. Like the texts below, it is empty if there is none.
    package var tag: [UInt8]
    package let openID: [UInt8]
    package let reference: [UInt8]
    package var sums = ReengagementSums()
    package var counted = CountedEvents()
    /// The earliest time that rules use: the time of the tap, or the first second of the conversion's latest window.
    private var earliest: Int64

    package init(
        number: UInt32, _ conversion: consuming Conversion, tag: [UInt8], openID: [UInt8], reference: [UInt8]
    ) {
        self.number = number
        earliest = Reengagement.earliest(conversion)
        self.conversion = conversion
        self.tag = tag
        self.openID = openID
        self.reference = reference
    }

    package var start: Int64 { conversion.first ?? 0 }
    package var hasTag: Bool { !tag.isEmpty }

    /// The window of the counts.
    package var window: Window { conversion.model?.window ?? .first }

    /// Rules, "Re-engagement windows": the time that rules use when the clock shows `now`. It is neither before the tap
    /// nor before the start of the conversion's latest window.
    package func time(_ now: Int64) -> Int64 { max(now, earliest) }

    private static func earliest(_ conversion: borrowing Conversion) -> Int64 {
        max(conversion.time(.min), conversion.first ?? 0)
    }

    /// Nil if all windows are closed.
    @_optimize(size)
    package func openWindow(at now: Int64) -> Window? { Window.skan4(first: start, now: time(now)) }

    package func isActive(at now: Int64) -> Bool { ended == nil && openWindow(at: now) != nil }

    /// Whether Apple might still accept values for the re-engagement.
    package func isOpenToApple(at now: Int64) -> Bool {
        openWindow(at: now) != nil && ended != .host && ended != .invalidTag
    }

    /// Whether the re-engagement is active and its last update is for the open window.
    package func isReady(at now: Int64) -> Bool {
        isActive(at: now) && conversion.lastUpdate?.window == openWindow(at: now)
    }

    /// Whether this re-engagement began later than the other one, or at the same time but with a greater number.
    package func isNewer(than other: Reengagement) -> Bool { (start, number) > (other.start, other.number) }

    /// If the window is not the current one, the counts and the window's sums start at 0.
    func enter(_ window: Window) {
        guard window != self.window else { return }
        _ = conversion.model?.enter(window, lifetime: 0)
        earliest = Reengagement.earliest(conversion)
        counted = CountedEvents()
        sums.beginWindow()
    }
}

/// The reason why a re-engagement ended. The numbers are part of the record's format.
package enum ReengagementEnd: UInt8, Sendable {
    case superseded = 1
    case host = 2
    case invalidTag = 3
    case tagNotSupported = 4

    package var name: StaticString {
        switch self {
        case .superseded: "superseded"
        case .host: "host"
        case .invalidTag: "invalid tag"
        case .tagNotSupported: "tag not supported"
        }
    }
}

/// Rules, "Re-engagement revenue": four sums in the model's currency: IAP and ad revenue, each since the start and in
/// the window.
package struct ReengagementSums: Sendable {
    private var sums: InlineArray<4, ExactSum> = InlineArray(repeating: .zero)

    package static var all: Range<Int> { 0..<4 }

    /// A sum by its number in the record: 0 and 1 are IAP and ad revenue since the start, 2 and 3 in the window.
    package subscript(number: Int) -> ExactSum {
        get { sums[number] }
        set { sums[number] = newValue }
    }

    package func sum(_ kind: RevenueKind, ofWindow: Bool) -> ExactSum { sums[(ofWindow ? 2 : 0) &+ Int(kind.rawValue)] }

    mutating func add(_ sum: ExactSum, _ kind: RevenueKind) {
        for number in [Int(kind.rawValue), 2 &+ Int(kind.rawValue)] { sums[number] = sums[number].adding(sum) }
    }

    mutating func beginWindow() {
        sums[2] = .zero
        sums[3] = .zero
    }

    /// The rounded sum that the rules of a model see. If `kind` is nil, both kinds are added.
    package func seen(_ kind: RevenueKind?, ofWindow: Bool) -> Money {
        if let kind { return sum(kind, ofWindow: ofWindow).rounded }
        return sum(.iap, ofWindow: ofWindow).adding(sum(.ad, ofWindow: ofWindow)).rounded
    }
}

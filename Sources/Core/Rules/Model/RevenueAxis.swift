/// Rules, "Re-engagement models": the time from which on revenue is counted: the start of the window, the install, or
/// the start of the re-engagement.
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

/// Revenue of one kind (IAP, ad or both) and one scope.
package struct RevenueAxis: Equatable, Sendable {
    package let number: UInt8

    package init(number: UInt8) { self.number = number }

    package init(_ kind: RevenueKind?, _ scope: RevenueScope) {
        let kind: UInt8 = kind.map { $0.rawValue } ?? 2
        number = kind &+ scope.rawValue &* 3
    }

    package init(_ kind: RevenueKind?, lifetime: Bool) { self.init(kind, lifetime ? .lifetime : .window) }

    package static var count: UInt8 { 9 }

    /// The kind of revenue; nil for both kinds together.
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

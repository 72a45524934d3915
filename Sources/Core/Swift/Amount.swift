internal import SKANCore

/// An exact amount of money, in units of its currency: a multiple of 10⁻¹², below 10¹⁸ in magnitude.
///
/// libskan reads, sums, stores and writes money in decimal, never in binary fractions: ten times 0.1 is 1. Rules,
/// "Money is exact". An amount is written as a plain decimal: no exponent, no trailing zeros.
public struct Amount: Hashable, Sendable {
    private let units: Int128

    init(_ money: Money) { units = money.units }

    var money: Money { Money(units: units) }

    public static let zero = Amount(Money.zero)

    /// Reads a `Double` as the shortest decimal that stands for it, as it would be printed: `Amount(0.1)` is exactly
    /// 0.1. The decimal is rounded half-even to 12 places. Returns nil unless the number is finite and below 10¹⁸ in
    /// magnitude.
    public init?(_ number: Double) {
        if let money = Money(exactly: number) {
            self.init(money)
        } else {
            // The core refuses numbers above the limit for one call, but a total may be larger.
            self.init("\(number)")
        }
    }

    /// Creates an amount from a whole number of units of 10^−`decimals`: `Amount(499, decimals: 2)` is 4.99. Use it for
    /// prices in cents, thousandths (Apple's App Store Server API) or millionths (Google Play). Returns nil unless
    /// `decimals` is 0...12 and the amount is below 10¹⁸ in magnitude.
    public init?(_ number: Int, decimals: Int = 0) {
        guard (0...Money.decimals).contains(decimals) else { return nil }
        var scale: Int128 = 1
        for _ in decimals..<Money.decimals { scale *= 10 }
        let money = Money(units: Int128(number) * scale)
        guard money.isWithinLimit else { return nil }
        self.init(money)
    }
}

extension Amount: LosslessStringConvertible {
    /// Reads a decimal number as JSON spells it ("4.99", "-0.5", "1e3"), with any number of digits, and rounds it
    /// half-even to 12 places. Accepts what Foundation's `Decimal` prints. Returns nil if the text is not such a
    /// number, or if its magnitude is 10¹⁸ or more.
    public init?(_ text: String) {
        var text = text
        let money = text.withUTF8 { Money(decimal: UnsafeRawBufferPointer($0)) }
        guard let money, money.isWithinLimit else { return nil }
        self.init(money)
    }

    /// The amount as a plain decimal: "4.99", "-0.5", "1000".
    public var description: String { String { money.write(to: &$0) } }
}

extension Amount: Comparable {
    public static func < (left: Amount, right: Amount) -> Bool { left.units < right.units }
}

/// Encodes an amount as a number wherever possible: a whole amount as an `Int64`, any other as the `Double` whose
/// shortest decimal form is the amount. Such a `Double` exists for every amount of up to 15 significant digits. An
/// amount without one is encoded as text, "123456789012345.678" for instance, rather than rounded.
///
/// Decodes any of these three forms. A decoder rounds a number with more digits than a `Double` holds before this type
/// sees it. If your documents may hold such numbers, read details with ``Details/init(json:protocolVersion:)`` and
/// write them with ``Details/json``, which are exact for all amounts.
extension Amount: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let amount: Amount?
        let found: String
        if let whole = try? value.decode(Int64.self) {
            (amount, found) = (Amount(Int(whole)), "\(whole)")
        } else if let number = try? value.decode(Double.self) {
            (amount, found) = (Amount(number), "\(number)")
        } else {
            found = try value.decode(String.self)
            amount = Amount(found)
        }
        guard let amount else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "expected a decimal number between -1e18 and 1e18, got \(found)")
        }
        self = amount
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        let (whole, rest) = units.quotientAndRemainder(dividingBy: Money.scale)
        let text = description
        if rest == 0, let whole = Int64(exactly: whole) {
            try value.encode(whole)
        } else if let number = Double(text), Amount(number) == self {
            try value.encode(number)
        } else {
            try value.encode(text)
        }
    }
}

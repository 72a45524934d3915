internal import SKANCommandOutput
internal import SKANCore

/// The value of a figure. JSON and CSV show all its decimal places; people see it rounded, with commas.
enum FigureValue {
    case count(UInt64)
    /// A sum.
    case amount(Money)
    /// An extrapolated sum, rounded to hundredths in every form.
    case extrapolated(Money)
    /// An amount per item: the amount and the number of items.
    case perUnit(Int128, Int128)
    /// A share: the part and the whole.
    case share(Int128, Int128)
    case truth(Bool)

    /// The text in JSON and CSV; nil if the divisor is 0.
    var exact: Message? {
        switch self {
        case .count(let count): "\(count)"
        case .amount(let amount): amount.exactText
        case .extrapolated(let amount): amount.text(places: 2)
        case .perUnit(let over, let under), .share(let over, let under): quotientText(over, under, places: 4)
        case .truth(let truth): truth ? "true" : "false"
        }
    }

    /// The text for people, with amounts rounded to hundredths; nil if the divisor is 0.
    var readable: Message? {
        switch self {
        case .count(let count): count.readable
        case .amount(let amount), .extrapolated(let amount): amount.readable(places: 2)
        case .perUnit(let over, let under): quotientText(over, under, places: 2)?.grouped
        case .share(let part, let whole): percentText(part, of: whole).map { "\($0.grouped)%" }
        case .truth: exact
        }
    }

    /// The text in the table, which shows all decimal places of a sum.
    var readableInFull: Message? {
        if case .amount(let amount) = self { amount.exactText.grouped } else { readable }
    }

    /// Whether it is money, which JSON has as a string to keep it exact.
    var isMoney: Bool {
        switch self {
        case .amount, .extrapolated, .perUnit: true
        case .count, .share, .truth: false
        }
    }
}

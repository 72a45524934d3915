internal import SKANCommandOutput
internal import SKANCommandRows
internal import SKANCore

/// The value of a figure. JSON and CSV have it with all its places; people read it rounded, with commas.
enum FigureValue {
    case count(UInt64)
    /// A sum.
    case amount(Money)
    /// An extrapolated sum, which every form rounds to hundredths.
    case extrapolated(Money)
    /// An amount for each of something.
    case perUnit(Int128, Int128)
    /// A part of a whole.
    case share(Int128, Int128)
    case truth(Bool)

    /// The text in JSON and CSV; nil where there is nothing to divide by.
    var exact: Message? {
        switch self {
        case .count(let count): "\(count)"
        case .amount(let amount): amount.exactText
        case .extrapolated(let amount): amount.text(places: 2)
        case .perUnit(let over, let under), .share(let over, let under): quotientText(over, under, places: 4)
        case .truth(let truth): truth ? "true" : "false"
        }
    }

    /// The text for people; nil where there is nothing to divide by. The page shows hundredths of amounts.
    var readable: Message? {
        switch self {
        case .count(let count): count.readable
        case .amount(let amount), .extrapolated(let amount): amount.readable(places: 2)
        case .perUnit(let over, let under): quotientText(over, under, places: 2)?.grouped
        case .share(let part, let whole): percentText(part, of: whole).map { "\($0.grouped)%" }
        case .truth: exact
        }
    }

    /// The same in the table, which shows all places of a sum.
    var readableInFull: Message? {
        if case .amount(let amount) = self { amount.exactText.grouped } else { readable }
    }

    /// Whether it is money, which JSON has as text, since that is exact.
    var isMoney: Bool {
        switch self {
        case .amount, .extrapolated, .perUnit: true
        case .count, .share, .truth: false
        }
    }
}

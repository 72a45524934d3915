internal import SKANCommandOutput
internal import SKANCore

/// The value of a figure. Programs read all its places, and people what they can take in, with commas.
enum FigureValue {
    case count(UInt64)
    /// A sum.
    case amount(Money)
    /// An amount that something was divided by or extrapolated for: hundredths say enough.
    case mean(Money)
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
        case .mean(let amount): amount.text(places: 2)
        case .perUnit(let over, let under), .share(let over, let under): quotientText(over, under, places: 4)
        case .truth(let truth): truth ? "true" : "false"
        }
    }

    /// The text for people; nil where there is nothing to divide by. The page shows hundredths of amounts.
    var readable: Message? {
        switch self {
        case .count(let count): count.readable
        case .amount(let amount), .mean(let amount): amount.readable(places: 2)
        case .perUnit(let over, let under): quotientText(over, under, places: 2)?.grouped
        case .share(let part, let whole): percentText(part, of: whole).map { "\($0.grouped)%" }
        case .truth: exact
        }
    }

    /// The same in the table, which shows all places of a sum.
    var readableInFull: Message? {
        if case .amount(let amount) = self { amount.exactText.grouped } else { readable }
    }

    var isMoney: Bool {
        switch self {
        case .amount, .mean, .perUnit: true
        case .count, .share, .truth: false
        }
    }

    /// Whether JSON has it as a text: amounts are exact decimals.
    var isText: Bool { isMoney }
}

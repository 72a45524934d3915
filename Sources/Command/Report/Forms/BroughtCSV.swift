internal import SKANCommandOutput
internal import SKANCore

extension CSVWriter {
    /// Writes the cells at the end of a row, seven for each horizon. They are empty for nil, in rows of single windows.
    ///
    /// They are followed by the chances that the target is reached, and that the campaign is better than the others.
    mutating func write(_ brought: BroughtLine?, cost: Money?) {
        for horizon in Horizon.allCases {
            write(brought?[horizon].figure, places: 2)
            write(brought?.returnOnAdSpend(horizon, cost), places: 4)
            plain(brought?[horizon].whyNot.map { "\($0.key)" } ?? "")
        }
        for chance in [brought?.targetChance, brought?.comparison?.chance] {
            plain(chance.flatMap { BroughtFigure.text($0, places: 4) } ?? "")
        }
    }

    private mutating func write(_ figure: BroughtFigure?, places: Int) {
        for amount in [figure?.estimate, figure?.low, figure?.high] {
            plain(amount.flatMap { BroughtFigure.text($0, places: places) } ?? "")
        }
    }
}

/// The names of these columns, each after a comma.
var broughtHeader: Message {
    var header: Message = ""
    for horizon in Horizon.allCases {
        for what in ["estimated_revenue", "return_on_ad_spend"] as [StaticString] {
            let name: Message = "\(what)_\(horizon.key)"
            header = "\(header),\(name),\(name)_low,\(name)_high"
        }
        header = "\(header),estimated_revenue_\(horizon.key)_reason"
    }
    return "\(header),target_probability,better_than_the_others"
}

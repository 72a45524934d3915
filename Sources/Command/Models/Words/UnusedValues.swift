import SKANCore

/// The values of a window that neither its rules nor registration give, in ascending order.
struct UnusedValues {
    let fine: [Int]
    let coarse: [Int]

    init(_ model: ConversionModel, window: Int) {
        let rules = model.windows[window].rules
        let coarseRules = model.windows[window].coarseList.map { $0.rules } ?? rules
        let isFirst = window == 0
        fine = (0..<(isFirst ? 64 : 0)).filter { value in
            value != Int(registrationFine) && !rules.contains { $0.fine.map { Int($0) } == value }
        }
        let coarseValues = model.protocolVersion == .skan3 ? 0 : 3
        coarse = (0..<coarseValues).filter { value in !coarseRules.contains { $0.coarse.map { Int($0) } == value } }
    }
}

/// Rules, "Model decode": the fine value that registration alone gives in window 0. Rules may give it, too.
let registrationFine: UInt8 = 0

extension ConversionModel {
    /// The index of window 0's rule that gives the registration value; nil if there is none.
    var registrationRule: Int? { windows.first?.rules.firstIndex { $0.fine == registrationFine } }

    /// Whether a rule with conditions gives the registration value, so that the value has two meanings.
    var sharesRegistrationValue: Bool {
        registrationRule.map { !conditions(ofRule: $0, of: 0).isEverything } ?? false
    }

    /// Whether a rule has a condition on the measure with this index.
    func asks(measure number: Int) -> Bool {
        windows.contains { $0.asks { $0.measure == number } }
    }

    /// Whether a rule has a condition on revenue, or a measure sums or filters amounts.
    var asksRevenue: Bool {
        windows.contains { $0.asksRevenue } || measures.list.contains { $0.counting == .sum || $0.amount != nil }
    }
}

internal import SKANCore

/// Rules, "Model decode": registering alone gives fine 0 in window 0, too.
let registrationFine: UInt8 = 0

extension ConversionModel {
    /// The number of the rule of window 0 that has the value of registering, nil where none has it.
    var registrationRule: Int? { windows.first?.rules.firstIndex { $0.fine == registrationFine } }

    /// Whether a rule has the value of registering and asks for something: the value then means either.
    var sharesRegistrationValue: Bool {
        registrationRule.map { !conditions(ofRule: $0, of: 0).isEverything } ?? false
    }

    /// True if any rule asks for revenue, or any measure counts money.
    var asksRevenue: Bool {
        windows.contains { $0.asksRevenue } || measures.list.contains { $0.counting == .sum || $0.amount != nil }
    }
}

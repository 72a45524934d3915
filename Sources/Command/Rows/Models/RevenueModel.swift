package import SKANCore

/// A conversion model, with a cache of the values looked up so far. Must be used by one thread only.
package final class RevenueModel {
    package let model: ConversionModel
    /// The apps whose postbacks the model decodes: one element for each option that names the model.
    private var apps: [ModelApps] = []
    /// The app whose postbacks the model has decoded, if no apps were named for it; nil before the first one.
    private var onlyApp: Int64?
    private var meanings: [ValueMeaning?]

    /// The number of choices for a fine value: each of 64 values, or none.
    private static var fineChoices: Int { 64 + 1 }
    /// The number of choices for a coarse value: each of three values, or none.
    private static var coarseChoices: Int { 3 + 1 }

    init(_ model: ConversionModel) {
        self.model = model
        meanings = [ValueMeaning?](
            repeating: nil, count: Window.count * RevenueModel.fineChoices * RevenueModel.coarseChoices)
    }

    func add(_ apps: ModelApps) { self.apps.append(apps) }

    /// true if `app` is nil.
    func may(decode app: Int64?) -> Bool { app.map { app in apps.contains { $0.may(decode: app) } } ?? true }

    /// Notes that the model decodes a postback of this app. If no apps were named for it and it has decoded a postback
    /// of another app before, returns that app, because the model must not decode both.
    func other(than app: Int64) -> Int64? {
        guard !apps.contains(where: { !$0.isUnsaid && $0.may(decode: app) }) else { return nil }
        let only = onlyApp ?? app
        onlyApp = only
        return only == app ? nil : only
    }

    /// The revenue that a postback's value stands for. `fine` or `coarse` is nil if it is hidden; at least one is not
    /// nil.
    func worth(_ window: Window, fine: Int?, coarse: Int?) -> ValueWorth {
        meaning(window, fine: fine, coarse: coarse)?.worth ?? .undecodable
    }

    /// The names of the events that, according to the value, happened at least once, separated by commas.
    func events(_ window: Window, fine: Int?, coarse: Int?) -> [UInt8] {
        meaning(window, fine: fine, coarse: coarse)?.events ?? []
    }

    /// Whether a rule of the model, or registration alone, results in this value.
    func isDecodable(_ window: Window, fine: Int?, coarse: Int?) -> Bool {
        meaning(window, fine: fine, coarse: coarse)?.isDecoded ?? false
    }

    private func meaning(_ window: Window, fine: Int?, coarse: Int?) -> ValueMeaning? {
        let (fine, coarse) = (fine ?? -1, coarse ?? -1)
        let row = Int(window.rawValue) * RevenueModel.fineChoices + fine + 1
        let place = row * RevenueModel.coarseChoices + coarse + 1
        guard meanings.indices.contains(place) else { return nil }
        if let known = meanings[place] { return known }
        let found = ask(Int32(window.rawValue), Int32(truncatingIfNeeded: fine), Int32(truncatingIfNeeded: coarse))
        meanings[place] = found
        return found
    }

    private func ask(_ window: Int32, _ fine: Int32, _ coarse: Int32) -> ValueMeaning {
        do throws(Failure) {
            guard let decoded = try model.decode(window: window, fine: fine, coarse: coarse) else { return .none }
            return ValueMeaning(worth: ValueWorth(decoded), events: decoded.eventList, isDecoded: true)
        } catch {
            return .none
        }
    }
}

private struct ValueMeaning {
    let worth: ValueWorth
    let events: [UInt8]
    let isDecoded: Bool

    static var none: ValueMeaning { ValueMeaning(worth: .undecodable, events: [], isDecoded: false) }
}

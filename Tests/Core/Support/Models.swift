import SKANCore

extension ConversionModel {
    /// A model of three windows, each written as the JSON of its rules, in dollars.
    static func of(rules: [String], rates: String = "{}") -> Result<ConversionModel, Failure> {
        let windows = rules.map { #"{"rules":[\#($0)]}"# }.joined(separator: ",")
        let document = #"{"schema":1,"id":"test","currency":"USD","rates":\#(rates),"windows":[\#(windows)]}"#
        return document.withBytes { document in
            outcome { () throws(Failure) in try ConversionModel.read(json: document) }
        }
    }
}

/// An install with a conversion model, and what is done with it one after the other.
struct ModelledInstall {
    let model: ConversionModel
    private(set) var state = InstallState(.skan4)
    /// Whether the last event left anything to be stored.
    private(set) var isChanged = false

    /// An install that is registered at second 0.
    init(_ model: ConversionModel) throws {
        self.model = model
        var registration = Registration(now: 0, model: model)
        _ = try registration.run(on: &state)
    }

    mutating func buys(_ units: Int128, _ name: String, at now: Int64) throws {
        var rule = RevenueUpdate(
            amount: Money(units: units), currency: .of(name), kind: .iap, eventID: nil, now: now)
        _ = try rule.run(on: &state)
    }

    mutating func session(at now: Int64) -> String { sees("__SESSION__", at: now) }

    /// Counts an event and takes the value of the rule that holds; answers the status.
    mutating func sees(_ event: String, at now: Int64) -> String {
        let result = event.withBytes { event in
            var decision = ModelDecision(models: [model], event: event, now: now)
            return outcome { () throws(Failure) in try decision.run(on: &state) }
        }
        isChanged = result.value?.isChanged ?? false
        return result.failedStatus ?? result.value?.status.description ?? ""
    }
}

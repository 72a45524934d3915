/// Rules, "Register", "SKAN 3", "Model versions": once, at the first launch.
package struct Registration: Rule {
    private let now: Int64
    /// The model that new installs get, nil without one.
    private let model: ConversionModel?
    /// SKAN 4 begins with an update; SKAN 3 has none.
    package private(set) var update: ValueUpdate?

    package init(now: Int64, model: ConversionModel? = nil) {
        self.now = now
        self.model = model
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        guard !state.isRegistered else { return .unchanged(.alreadyRegistered) }
        state.first = now
        state.last = now
        if let model { state.model = InstallModel(model) }
        if state.protocolVersion == .skan4 {
            state.fine = 0
            let value = TakenValue(fine: 0, coarse: nil, locksWindow: false)
            state.conversion.giveUpdate(value, in: .first, after: state.lastUpdateNumber, now: now)
            update = state.lastUpdate
        }
        return .changed()
    }
}

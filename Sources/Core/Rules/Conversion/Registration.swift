/// Rules, "Register", "SKAN 3", "Model versions": registers an install once, at the first launch.
package struct Registration: Rule {
    private let now: Int64
    /// The model for new installs; nil if there is none.
    private let model: ConversionModel?
    /// The first update of SKAN 4; SKAN 3 has none.
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

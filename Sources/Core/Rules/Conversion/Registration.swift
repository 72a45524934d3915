/// Rules, "Register", "SKAN 3", "Model versions": registers an install once, at the first launch.
package struct Registration: Rule {
    private let now: Int64
    private let start: UInt64
    /// The model for new installs; nil if there is none.
    private let model: ConversionModel?
    /// The first update of SKAN 4; SKAN 3 has none.
    package private(set) var update: ValueUpdate?

    /// `numbersFrom`: the number before an install's first.
    package init(now: Int64, model: ConversionModel? = nil, numbersFrom start: UInt64 = 0) {
        self.now = now
        self.start = start
        self.model = model
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        guard !state.conversion.isRegistered else { return .unchanged(.alreadyRegistered) }
        state.conversion.first = now
        state.conversion.last = now
        if let model { state.conversion.model = InstallModel(model) }
        if state.conversion.protocolVersion == .skan4 {
            state.conversion.fine = 0
            let value = TakenValue(fine: 0, coarse: nil, locksWindow: false)
            state.conversion.giveUpdate(value, in: .first, after: state.numberBefore(start), now: now)
            update = state.conversion.lastUpdate
        }
        return .changed()
    }
}

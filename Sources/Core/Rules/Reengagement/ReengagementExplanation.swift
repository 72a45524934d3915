/// Rules, "Model explanation": what the model of a re-engagement sees now, and which of its rules hold.
package final class ReengagementExplanation: ReengagementWork {
    private let number: UInt32
    private var settings = ReengagementSettings.none
    private var now: Int64 = 0
    /// The document, after a run that returned OK.
    package private(set) var json: [UInt8] = []

    /// Throws INVALID_ARGUMENT for 0, the install's number.
    package convenience init(number: UInt32) throws(Failure) {
        try checkReengagementNumber(number)
        self.init(checked: number)
    }

    private init(checked number: UInt32) { self.number = number }

    package func begin(_ settings: ReengagementSettings, now: Int64) {
        self.settings = settings
        self.now = now
    }

    @_optimize(size)
    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        for kept in state.reengagements where kept.number == number {
            guard kept.isActive(at: now), let window = kept.openWindow(at: now) else {
                return .unchanged(.windowClosed)
            }
            guard let model = settings.model(of: kept) else {
                throw unknownReengagementModel(number)
            }
            json = state.explanation(of: kept, model, window, at: now)
            return .unchanged(.ok)
        }
        return .unchanged(.notFound)
    }
}

extension InstallState {
    /// The document of an explanation.
    @_optimize(size)
    package func explanation(
        of each: Reengagement, _ model: ConversionModel, _ window: Window, at now: Int64
    ) -> [UInt8] {
        var seen = ModelView(
            progress: each.conversion.model ?? InstallModel(model.version), window: window, hours: each.hours(at: now),
            winners: winners(for: each, model, window, at: now))
        for number in 0..<RevenueAxis.count {
            seen.totals[Int(number)] = each.total(RevenueAxis(number: number), revenue, model, window).units
        }
        return model.explain(seen, revenue).array
    }
}

/// Rules, "Re-engagement details": the stored re-engagements as a JSON array.
package final class ReengagementsDocument: ReengagementWork {
    package private(set) var json: [UInt8] = []

    package init() {}

    package func begin(_ settings: ReengagementSettings, now: Int64) {}

    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        var array = JSONWriter(capacity: 512)
        state.writeReengagements(to: &array)
        json = array.finish().array
        return .unchanged(.ok)
    }
}

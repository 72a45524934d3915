/// Rules, "Model explanation": explains what the model of a re-engagement sees now, and which of its rules wins.
package final class ReengagementExplanation: ReengagementWork {
    private let number: UInt32
    package var moment = ReengagementMoment()
    /// Valid after a run that returned OK.
    package private(set) var json: [UInt8] = []

    package init(number: UInt32) { self.number = number }

    @_optimize(size)
    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        for kept in state.reengagements where kept.number == number {
            guard kept.isActive(at: now), let window = kept.openWindow(at: now) else {
                return .unchanged(.windowClosed)
            }
            guard let model = settings.model(of: kept) else {
                throw unknownReengagementModel(number)
            }
            json = model.explain(kept.conversion, state.revenue, kept, in: window, at: now).array
            return .unchanged(.ok)
        }
        return .unchanged(.notFound)
    }
}

/// Rules, "Re-engagement details": the stored re-engagements as a JSON array.
package final class ReengagementsDocument: ReengagementWork {
    package var moment = ReengagementMoment()
    package private(set) var json: [UInt8] = []

    package init() {}

    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        var array = JSONWriter(capacity: 512)
        state.writeReengagements(to: &array)
        json = array.finish().array
        return .unchanged(.ok)
    }
}

import SKANCore
import SKANSystem

/// Applies a history to one install, and returns what its conversion model decides at each step.
struct ModelTrial {
    let model: ConversionModel
    private(set) var state: InstallState

    init(_ model: ConversionModel) {
        self.model = model
        state = InstallState(model.protocolVersion)
    }

    /// A step that the rules refuse changes nothing.
    mutating func take(_ step: HistoryStep) throws(Failure) -> TrialResult {
        if model.isForReengagements {
            var trial = try ReengagementTrial(model, state)
            let (status, update) = try trial.take(step)
            state = trial.state
            return TrialResult(status: status, update: update, state: state, model: model, now: step.time)
        }
        let (status, update) =
            switch step.action {
            case .register: try register(at: step.time)
            case .reengage:
                throw Failure(.misuse, "reengage: this model decides for installs, which begin with register")
            case .session(let revenue): try updateValues(nil, revenue, step)
            case .event(let name, let revenue): try updateValues(name, revenue, step)
            case .revenue(let revenue): (try add(revenue, step), nil)
            }
        return TrialResult(status: status, update: update, state: state, model: model, now: step.time)
    }

    private mutating func register(at now: Int64) throws(Failure) -> (Status, ValueUpdate?) {
        var rule = Registration(now: now, model: model)
        let status = try perform(&rule)
        return (status, rule.update)
    }

    /// `event`: the name of an event; nil for a session.
    private mutating func updateValues(
        _ event: [UInt8]?, _ revenue: HistoryRevenue?, _ step: HistoryStep
    ) throws(Failure) -> (Status, ValueUpdate?) {
        try step.withChecked(event, revenue, model) { name, id, amount throws(Failure) in
            let decision = ModelDecision(models: [model], event: name, amount: amount, now: step.time)
            var rule = ConversionUpdate(
                eventID: id, decision: decision, revenue: amount.map { RevenueUpdate($0, eventID: id, now: step.time) })
            let status = try perform(&rule)
            return (status, rule.update)
        }
    }

    private mutating func add(_ revenue: HistoryRevenue, _ step: HistoryStep) throws(Failure) -> Status {
        let amount = try eventAmount(revenue, model)
        return try withBytes(step.id) { id throws(Failure) in
            try Arguments.checkEventID(id)
            var rule = RevenueUpdate(amount, eventID: id, now: step.time)
            return try perform(&rule)
        }
    }

    private mutating func perform<R: Rule>(_ rule: inout R) throws(Failure) -> Status {
        var after = state
        let verdict = try rule.run(on: &after)
        if verdict.isChanged { state = after }
        return verdict.status
    }
}

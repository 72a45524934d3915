import SKANCore
import SKANSystem

/// Applies a history to an install whose re-engagements have a model. The install itself has no model; its revenue
/// counts as lifetime revenue.
struct ReengagementTrial {
    private let settings: ReengagementSettings
    private let model: ConversionModel
    private(set) var state: InstallState

    init(_ model: ConversionModel, _ state: InstallState) throws(Failure) {
        self.model = model
        self.state = state
        settings = try ReengagementSettings(models: [model], creditsNewest: false, cooldownHours: 0)
    }

    mutating func take(_ step: HistoryStep) throws(Failure) -> (Status, ValueUpdate?) {
        let before = lastUpdate?.id
        let status =
            switch step.action {
            case .register:
                throw Failure(.misuse, "register: this model decides for re-engagements, which begin with reengage")
            case .reengage(let open): try reengage(open, at: step.time)
            case .session(let revenue): try updateConversions(nil, revenue, step)
            case .event(let name, let revenue): try updateConversions(name, revenue, step)
            case .revenue(let revenue): try add(revenue, step)
            }
        return (status, lastUpdate?.id == before ? nil : lastUpdate)
    }

    private var lastUpdate: ValueUpdate? { state.reengagements.last?.conversion.lastUpdate }

    private mutating func reengage(_ open: HistoryReengagement, at now: Int64) throws(Failure) -> Status {
        let report = try withBytes(open.tag) { tag throws(Failure) in
            try withBytes(open.openID.isEmpty ? nil : open.openID) { openID throws(Failure) in
                try withBytes(open.reference) { reference throws(Failure) in
                    try ReengagementReport(
                        openID: openID, tag: tag, reference: reference, openedAt: 0, isStarted: true,
                        isOverlapping: !open.tag.isEmpty, system: nil)
                }
            }
        }
        return try perform(Reengage(report), at: now)
    }

    /// `event`: the name of an event; nil for a session.
    private mutating func updateConversions(
        _ event: [UInt8]?, _ revenue: HistoryRevenue?, _ step: HistoryStep
    ) throws(Failure) -> Status {
        try step.withChecked(event, revenue, model) { name, id, amount throws(Failure) in
            try perform(ConversionsUpdate(event: name, eventID: id, amount: amount, named: 0), at: step.time)
        }
    }

    private mutating func add(_ revenue: HistoryRevenue, _ step: HistoryStep) throws(Failure) -> Status {
        let amount = try eventAmount(revenue, model)
        return try withBytes(step.id) { id throws(Failure) in
            try Arguments.checkEventID(id)
            var rule = RevenueUpdate(
                amount: amount.amount, currency: amount.currency, kind: amount.kind, eventID: id, now: step.time,
                settings)
            return try rule.run(on: &state).status
        }
    }

    private mutating func perform(_ work: any ReengagementWork, at now: Int64) throws(Failure) -> Status {
        work.moment = ReengagementMoment(settings, now: now, numbersFrom: 0)
        return try work.run(on: &state).status
    }
}

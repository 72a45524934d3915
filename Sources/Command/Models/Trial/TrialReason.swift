import SKANCore

extension TrialResult {
    /// nil if the step gave an update.
    func reason(_ step: HistoryStep) -> Message? { update == nil ? reasonOfStatus(step) : nil }

    private func reasonOfStatus(_ step: HistoryStep) -> Message {
        switch status {
        case .alreadyRegistered: "the install was registered before"
        case .duplicateEvent: reasonOfRepetition(step)
        case .noNewValue: reasonOfNoNewValue
        case .windowLocked: reasonOfLock
        case .windowClosed:
            model.protocolVersion == .skan3
                ? "24 hours passed without a new value" : "the last window closed after day 34"
        case .notRegistered:
            model.isForReengagements ? "no re-engagement is active" : "the install is not registered yet"
        default: reasonOfSuccess(step)
        }
    }

    private func reasonOfRepetition(_ step: HistoryStep) -> Message {
        guard case .reengage = step.action else { return "an earlier line has this id; nothing is counted twice" }
        return "this re-engagement was reported before"
    }

    private func reasonOfSuccess(_ step: HistoryStep) -> Message {
        guard case .revenue = step.action else { return "SKAN 3 gives none at registration" }
        if model.isForReengagements, window == nil { return "no re-engagement is active, only lifetime revenue grows" }
        if !conversion.isRegistered { return "the install is not registered yet, only lifetime revenue grows" }
        if window == nil { return "the last window is closed, only lifetime revenue grows" }
        return "revenue waits for the next session or event"
    }

    private var reasonOfLock: Message {
        guard let window else { return "" }
        let lock = conversion.windows[window].lock.flatMap { day(at: $0) } ?? 0
        return "window \(window.rawValue) was locked on day \(lock)"
    }

    private var reasonOfNoNewValue: Message {
        guard let window, let rules = model.window(window)?.rules else { return "no rule holds" }
        if model.window(window)?.coarseList != nil { return reasonNotTaken(window) }
        if let rule { return reasonNotTaken(rules[rule], window) }
        return rules.isEmpty ? "this window has no rules" : "no rule holds"
    }

    private var whose: StaticString { model.isForReengagements ? "the re-engagement" : "the install" }

    /// The reason why no value is taken, if the fine and the coarse value are decided separately.
    private func reasonNotTaken(_ window: Window) -> Message {
        if rule == nil, coarseRule == nil { return "no rule holds" }
        let has = valueWords(fine: conversion.fine, coarse: conversion.windows[window].coarse, locks: false)
        return "\(whose) has \(has), and no rule gives more"
    }

    private func reasonNotTaken(_ rule: ModelRule, _ window: Window) -> Message {
        if model.protocolVersion == .skan3 {
            let has = conversion.fine ?? 0
            return rule.fine == has
                ? "the install has fine \(has) already" : "SKAN 3 takes only more than the install's fine \(has)"
        }
        let fine = window == .first ? conversion.fine : nil
        let coarse = conversion.windows[window].coarse
        let has = valueWords(fine: fine, coarse: coarse, locks: false)
        let isSame = rule.fine == fine && rule.coarse == coarse
        return isSame ? "\(whose) has \(has) already" : "raise_only: lower than \(whose)'s \(has)"
    }
}

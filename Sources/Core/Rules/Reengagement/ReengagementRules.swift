/// Work on the re-engagements of an install. It is an object rather than a rule, because the code that runs a rule is
/// compiled for each type of rule.
package protocol ReengagementWork: AnyObject {
    /// Called once, before the work runs. `now` is in Unix seconds.
    func begin(_ settings: ReengagementSettings, now: Int64)

    /// Runs the work; runs it again if others changed the record in the meantime.
    func run(on state: inout InstallState) throws(Failure) -> Verdict
}

/// A rule that runs such work.
package struct ReengagementRule: Rule {
    private let work: any ReengagementWork

    package init(_ work: any ReengagementWork) { self.work = work }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict { try work.run(on: &state) }
}

extension [Reengagement] {
    /// Rules, "Credit": whether a re-engagement gets credit. `named` is the number that the call names; 0 for none.
    @_optimize(size)
    func isCredited(_ each: Reengagement, _ named: UInt32, _ settings: ReengagementSettings, at now: Int64) -> Bool {
        if named == 0, settings.creditsNewest { return newest(at: now) === each }
        return (named == 0 || each.number == named) && each.isActive(at: now)
    }
}

/// These functions change objects that belong to the state, not the state itself. They are mutating because Swift would
/// copy a state of this size for every call that only reads it.
extension InstallState {
    /// Rules, "Re-engagement models": gives the first update of a re-engagement's open window, a value without a lock.
    /// Nothing is counted for it.
    @_optimize(size)
    mutating func giveFirstUpdate(_ each: Reengagement, _ model: ConversionModel, at now: Int64) {
        guard let window = each.openWindow(at: now) else { return }
        each.enter(window)
        _ = decide(each, model, window, .any, at: now)
    }

    /// Rules, "Update conversions": counts an event and takes the value of the rule that holds. Returns whether the
    /// value is new.
    @_optimize(size)
    mutating func count(_ event: EventName?, _ each: Reengagement, _ model: ConversionModel, at now: Int64) -> Bool {
        guard let window = each.openWindow(at: now) else { return false }
        each.enter(window)
        if let event, let place = model.place(of: event) {
            _ = each.conversion.model?.add(place)
            if place > 0 { each.counted.add(event, place) }
        }
        return decide(each, model, window, model.raiseOnly ? .greater : .other, at: now)
    }

    /// Takes the value of the rule that holds, as for an install, but for a first update without its lock. The update
    /// gets the next number of all conversions, and carries the conversion's fine value.
    @_optimize(size)
    private mutating func decide(
        _ each: Reengagement, _ model: ConversionModel, _ window: Window, _ standing: TakenValue.Standing,
        at now: Int64
    ) -> Bool {
        // In a model for re-engagements, a rule always holds.
        let winners = each.winners(model, window, revenue, at: now)
        guard let part = model.window(window), winners.rule >= 0 else { return false }
        let rule = part.list.rules[winners.rule]
        var (value, standing) = (
            TakenValue(fine: rule.fine, coarse: rule.coarse, locksWindow: rule.locksWindow), standing
        )
        if let list = part.coarseList {
            let raiseOnly = model.raiseOnly && standing != .any
            let coarse = winners.coarseRule < 0 ? nil : list.rules[winners.coarseRule]
            guard let both = each.conversion.value(rule, coarse, raiseOnly: raiseOnly, in: window) else { return false }
            value = both
            if standing != .any { standing = .other }
        }
        if standing == .any { value = TakenValue(fine: value.fine, coarse: value.coarse, locksWindow: false) }
        let verdict = each.conversion.take(
            value, standing, in: window, after: lastUpdateNumber, now: each.time(now))
        guard verdict.isChanged else { return false }
        let fine = each.conversion.fine
        each.conversion.lastUpdate?.fine = fine
        return true
    }

    package func winners(
        for each: Reengagement, _ model: ConversionModel, _ window: Window, at now: Int64
    ) -> WinningRules {
        each.winners(model, window, revenue, at: now)
    }

    /// Rules, "Re-engagement revenue": adds an amount of the install to each credited re-engagement.
    @inline(never)
    @_optimize(size)
    mutating func credit(
        _ amount: Money, _ currency: Currency, _ kind: RevenueKind, _ named: UInt32, _ settings: ReengagementSettings,
        at now: Int64
    ) {
        for each in reengagements where reengagements.isCredited(each, named, settings, at: now) {
            guard let rate = settings.model(of: each)?.rate(of: currency), let window = each.openWindow(at: now) else {
                continue
            }
            each.enter(window)
            each.sums.add(ExactSum(amount, times: rate), kind)
        }
    }
}

extension Reengagement {
    /// The rules that hold. They see only the revenue of the install, since a closure would copy its whole state.
    @_optimize(size)
    fileprivate func winners(
        _ model: ConversionModel, _ window: Window, _ revenue: RevenueTables, at now: Int64
    ) -> WinningRules {
        let progress = conversion.model ?? InstallModel(model.version)
        return model.winners(window) { axis in
            if let place = axis.place { return Int128(progress.count(place, in: window)) }
            if let seen = axis.revenue { return total(seen, revenue, model, window).units }
            return Int128(hours(at: now))
        }
    }

    /// Revenue as the rules of a re-engagement see it.
    @_optimize(size)
    package func total(
        _ axis: RevenueAxis, _ revenue: RevenueTables, _ model: ConversionModel, _ window: Window
    ) -> Money {
        switch axis.scope {
        case .lifetime: Money(units: model.total(axis, of: revenue, in: window))
        case .conversion: sums.seen(axis.kind, ofWindow: false)
        case .window: window == self.window ? sums.seen(axis.kind, ofWindow: true) : .zero
        }
    }

    func hours(at now: Int64) -> Int64 { (time(now) &- start) / 3600 }
}

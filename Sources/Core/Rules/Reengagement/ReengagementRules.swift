/// Work on the re-engagements of an install. It is an object that one rule runs, and not a rule itself, because the
/// code that runs rules is compiled again for each type of rule.
package protocol ReengagementWork: AnyObject {
    /// Set before the work runs.
    var moment: ReengagementMoment { get set }

    /// Called again on the newer state if the record was changed elsewhere meanwhile.
    func run(on state: inout InstallState) throws(Failure) -> Verdict
}

/// The circumstances in which work on re-engagements runs.
package struct ReengagementMoment {
    fileprivate var settings = ReengagementSettings.none
    fileprivate var now: Int64 = 0
    fileprivate var numbersFrom: UInt64 = 0

    /// Creates a placeholder, for work whose circumstances are not known yet.
    package init() {}

    /// `now`: Unix seconds. `numbersFrom`: the start of the update numbers of an install without updates, whose first
    /// update gets the next number.
    package init(_ settings: ReengagementSettings, now: Int64, numbersFrom: UInt64) {
        self.settings = settings
        self.now = now
        self.numbersFrom = numbersFrom
    }
}

extension ReengagementWork {
    package var now: Int64 { moment.now }
    var settings: ReengagementSettings { moment.settings }
    var numbersFrom: UInt64 { moment.numbersFrom }
}

package struct ReengagementRule: Rule {
    private let work: any ReengagementWork

    package init(_ work: any ReengagementWork) { self.work = work }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict { try work.run(on: &state) }
}

extension [Reengagement] {
    /// Rules, "Credit": whether a re-engagement gets credit. `named` is the number of the re-engagement that the call
    /// names; 0 if it names none.
    @_optimize(size)
    func isCredited(_ each: Reengagement, _ named: UInt32, _ settings: ReengagementSettings, at now: Int64) -> Bool {
        if named == 0, settings.creditsNewest { return newest(at: now) === each }
        return (named == 0 || each.number == named) && each.isActive(at: now)
    }
}

/// These functions change the re-engagement objects of the state, not the state itself. They are mutating only because
/// Swift would otherwise copy the state, which is large, for every call.
extension InstallState {
    /// Rules, "Re-engagement models": gives a re-engagement the first update of its open window. The update does not
    /// lock the window, and nothing is counted.
    @_optimize(size)
    mutating func giveFirstUpdate(
        _ each: Reengagement, _ model: ConversionModel, at now: Int64, numbersFrom start: UInt64
    ) {
        guard let window = each.openWindow(at: now) else { return }
        each.enter(window)
        _ = decide(each, model, window, isFirst: true, at: now, start)
    }

    /// Rules, "Update conversions": counts an event for a re-engagement, and gives the re-engagement the value that its
    /// model then decides. Returns whether the value is new.
    @_optimize(size)
    mutating func count(
        _ event: EventName?, _ each: Reengagement, _ model: ConversionModel, at now: Int64, numbersFrom start: UInt64
    ) -> Bool {
        guard let window = each.openWindow(at: now) else { return false }
        each.enter(window)
        if let event, let place = model.place(of: event) {
            _ = each.conversion.model?.add(place)
            if place > 0 { each.counted.add(event, place) }
        }
        return decide(each, model, window, isFirst: false, at: now, start)
    }

    /// Makes an update of a re-engagement from the value that its model decides, if the value is new. Returns whether
    /// there is an update. The first update of a window (`isFirst`) is made even if the value is not new, and never
    /// locks the window. The update gets the number after the last update of all conversions, and carries the
    /// conversion's fine value.
    @_optimize(size)
    private mutating func decide(
        _ each: Reengagement, _ model: ConversionModel, _ window: Window, isFirst: Bool, at now: Int64, _ start: UInt64
    ) -> Bool {
        let winners = model.winners(each.conversion, revenue, each, in: window, at: now)
        let number = numberBefore(start)
        let verdict = each.conversion.decide(
            model, winners, isFirst: isFirst, in: window, after: number, at: each.time(now))
        guard verdict.isChanged else { return false }
        let fine = each.conversion.fine
        each.conversion.lastUpdate?.fine = fine
        return true
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

internal import SKANCore

extension Brought {
    /// The weeks of one network, or of all if it is nil. Weeks without installs and costs are left out.
    func weeks(_ network: [UInt8]?) -> [BroughtWeek] {
        guard let weeks else { return [] }
        let place = network.map { weeks.place(ofNetwork: $0) }
        if case .some(.none) = place { return [] }
        let networks = (place ?? nil).map { $0..<$0 + 1 } ?? 0..<weeks.networkCount
        return (0..<weeks.count).compactMap { week in
            let cells = networks.map { weeks.cells($0, week) }
            let all = cells.flatMap { $0.all }.filter { weeks.installs[$0] > 0 }
            let paid = cells.map { $0.paid }
            let installs = all.reduce(0) { $0 + weeks.installs[$1] }
            var cost: Money?
            for cell in paid {
                if let more = weeks.costs[cell] { _ = cost.take(in: more) }
            }
            guard installs > 0 || cost != nil else { return nil }
            return BroughtWeek(
                start: weeks.start(week), installs: installs, cost: cost,
                brought: BroughtAnswers(
                    all: answers(cells: all), paid: answers(cells: paid.filter { weeks.installs[$0] > 0 })))
        }
    }
}

/// Estimated revenue of the installs of one week, of one network or of all.
struct BroughtWeek {
    /// The start of the week, a Monday, in Unix seconds.
    let start: Int64
    /// The number of installs and redownloads.
    let installs: UInt64
    /// The cost of that week according to dated rows of campaigns; nil without such rows.
    let cost: Money?
    /// Revenue; the paid part is of campaigns whose costs have dates.
    let brought: BroughtAnswers

    /// The return of campaigns whose costs have dates, or the revenue of all.
    func answer(_ horizon: Horizon, isReturn: Bool) -> BroughtAnswer? {
        isReturn ? brought.returnOnAdSpend(horizon, cost).map { .figure($0) } : brought[horizon]
    }
}

internal import SKANCore

/// What the installs of a week brought, of all networks or of one.
struct BroughtWeek {
    /// Unix seconds: a Monday.
    let start: Int64
    let installs: UInt64
    /// What that week cost, by the rows of campaigns that have dates; nil where there is none.
    let cost: Money?
    /// Paid: of the campaigns whose costs have dates.
    let brought: BroughtAnswers

    /// The return of the campaigns whose costs have dates, or the revenue of all.
    func answer(_ horizon: Horizon, isReturn: Bool) -> BroughtAnswer? {
        isReturn ? brought.returnOnAdSpend(horizon, cost).map { .figure($0) } : brought[horizon]
    }
}

internal import SKANCore

/// The estimates for a line's installs, beside what was counted.
struct BroughtLine {
    let figures: BroughtAnswers
    /// How likely its return on ad spend reaches the report's target; nil where that is not known, or not asked.
    var targetChance: Double?
    /// The comparison with other campaigns; nil where there was none.
    var comparison: CampaignComparison?
    /// The values of windows 1 and 2, beside what was to be expected.
    var later: [LaterCheck] = []
    /// The estimates by week of install, for all lines or for a network.
    var weeks: [BroughtWeek] = []

    init(answers: [BroughtAnswer], paid: [BroughtAnswer]) { figures = BroughtAnswers(all: answers, paid: paid) }

    subscript(horizon: Horizon) -> BroughtAnswer { figures[horizon] }

    func returnOnAdSpend(_ horizon: Horizon, _ cost: Money?) -> BroughtFigure? {
        figures.returnOnAdSpend(horizon, cost)
    }
}

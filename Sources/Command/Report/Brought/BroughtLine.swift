internal import SKANCore

/// What is told of a line's installs beside what was counted.
struct BroughtLine {
    let figures: BroughtAnswers
    /// How likely its return on ad spend reaches the report's target; nil where that is not known, or not asked.
    var targetChance: Double?
    /// The comparison with other campaigns; nil where there was none.
    var comparison: CampaignComparison?
    /// What windows 1 and 2 told, beside what was to be expected.
    var later: [LaterCheck] = []
    /// What is told by week of install, of all lines or of a network.
    var weeks: [BroughtWeek] = []

    init(answers: [BroughtAnswer], paid: [BroughtAnswer]) { figures = BroughtAnswers(all: answers, paid: paid) }

    subscript(horizon: Horizon) -> BroughtAnswer { figures[horizon] }

    func returnOnAdSpend(_ horizon: Horizon, _ cost: Money?) -> BroughtFigure? {
        figures.returnOnAdSpend(horizon, cost)
    }
}

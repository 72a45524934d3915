import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// The verdict on a line by its figures. CampaignTruth.md, "What is decided by".
struct Verdict {
    enum Judgement { case good, open, bad, unknown }

    let judgement: Judgement
    let words: Message
    /// How likely the line is to reach the target and how it compares with other lines, or why there is no estimate.
    let reason: Message
}

extension Report {
    /// The horizon for which campaigns are judged: that of the target, or day 35 without a target.
    var decidedHorizon: Horizon { target?.horizon ?? ReturnTarget.usualHorizon }

    /// Returns the verdict on a line; nil if no estimates were asked for, or if there is nothing to judge the line by.
    func verdict(_ line: ReportLine) -> Verdict? {
        guard let brought = line.brought else { return nil }
        let compared = brought.comparison.map { $0.words }
        if let chance = brought.targetChance {
            let likely: Message = "\(FigureValue.chance(chance).readable ?? "?") likely"
            return Verdict(
                judgement: Verdict.Judgement(chance),
                words: chance.decided("Reaches the target", "Misses the target", else: "Target open"),
                reason: compared.map { "\(likely); \($0)" } ?? likely)
        }
        if let cost = line.paid.cost, let earned = brought.returnOnAdSpend(decidedHorizon, cost) {
            return Verdict(earned, compared ?? "")
        }
        if let comparison = brought.comparison {
            return Verdict(
                judgement: Verdict.Judgement(comparison.chance),
                words: comparison.chance.decided("Better than the others", "Weaker than the others", else: "Open"),
                reason: compared ?? "")
        }
        return brought[decidedHorizon].whyNot.map { why in
            let needed: Message =
                brought[decidedHorizon].needed.map { ": about \($0.readable) more own installs" } ?? ""
            return Verdict(judgement: .unknown, words: "No estimate", reason: "\(why.short)\(needed)")
        }
    }
}

extension Verdict {
    /// Judges a line by whether the interval of its return on ad spend lies above or below 1, where revenue equals
    /// cost.
    fileprivate init(_ earned: BroughtFigure, _ compared: Message) {
        let judgement: Judgement = earned.low >= 1 ? .good : earned.high < 1 ? .bad : .open
        let words: StaticString =
            switch judgement {
            case .good: "Earns its cost"
            case .bad: "Earns less than its cost"
            default: "May earn its cost"
            }
        self.init(judgement: judgement, words: "\(words)", reason: compared)
    }
}

extension Verdict.Judgement {
    fileprivate init(_ chance: Double) { self = chance.decided(.good, .bad, else: .open) }
}

extension Double {
    /// Returns `likely` if this probability is high enough to be sure, `unlikely` if it is low enough, otherwise
    /// `open`.
    fileprivate func decided<Answer>(_ likely: Answer, _ unlikely: Answer, else open: Answer) -> Answer {
        self >= CampaignComparison.sure ? likely : 1 - self >= CampaignComparison.sure ? unlikely : open
    }
}

extension CampaignComparison {
    /// The result in words: "better than the others (93%)".
    fileprivate var words: Message {
        if chance >= CampaignComparison.sure { return "better than the others (\(percent(chance)))" }
        if 1 - chance >= CampaignComparison.sure { return "weaker than the others (\(percent(1 - chance)))" }
        guard let needed else { return "no better or weaker than the others" }
        return "needs about \(roughly(needed).readable) installs to compare"
    }
}

private func percent(_ chance: Double) -> Message { FigureValue.chance(chance).readable ?? "?" }

/// Returns the number rounded down to two significant digits.
private func roughly(_ number: UInt64) -> UInt64 {
    var step: UInt64 = 1
    while number / step >= 100 { step *= 10 }
    return (number / step) * step
}

import SKANCore

/// Estimates of the revenue that campaigns brought. Each of many draws picks at random which of the app's own installs
/// are those of the campaigns. The method is in CampaignTruth.md.
package struct Brought {
    /// Nil if lines cannot have estimates.
    private var draws: BroughtDraws?
    private var thin: ThinGroups?
    private var worst: HiddenWorst?
    /// Windows 1 and 2; nil if nothing can be compared in them.
    package private(set) var later: LaterWindows?

    private let lineCount: Int
    /// Nil if lines can have estimates.
    private let whyNot: NoEstimate?
    /// The number of the app's own installs, and the number of installs that postbacks report.
    private let installs: (own: UInt64, told: UInt64)

    /// `postbacks`: the finished counts, by line number. `cells`: the number of cells, such as weeks, into which
    /// installs are also divided. `cell`: a function that counts installs of one line and day in their cell, and
    /// returns the cell's index, or nil if there is no cell; `line` is an index in `lines`. `isWhole`: whether the
    /// report covers all arrival times. `isByCampaign`: whether the report is by campaign.
    package init(
        _ lines: EstimatedLines, _ postbacks: PostbackValues, _ groups: InstallGroups, cells: Int, isWhole: Bool,
        isByCampaign: Bool, cell: (_ line: Int, _ day: Int64, _ installs: UInt64) -> Int?
    ) {
        lineCount = lines.count
        let values = postbacks.values
        installs = (groups.counted[Horizon.toDate.rawValue], values.reduce(0) { $0 + UInt64($1.count) })
        var lineOf: [Int: Int] = [:]
        for (place, number) in lines.numbers.enumerated() { lineOf[number] = place }
        let told = values.map { value in
            var told = groups.reportedInstalls(value, campaign: lines.campaigns[value.key.line])
            if let place = lineOf[value.key.line], let cell = cell(place, value.key.day, UInt64(value.count)) {
                told.cell = lines.count + cell
            }
            return told
        }
        // Sorted by the order of the report's lines, so that the order in which postbacks were read does not matter.
        .sorted { (lineOf[$0.line] ?? 0) < (lineOf[$1.line] ?? 0) }
        let mixes = groups.models.indices.map { ValueMix(told, groups, $0, networks: lines.networks) }
        later = LaterWindows(postbacks.later, groups, isWhole: isWhole) { line, model, coarse in
            guard mixes.indices.contains(model), lines.campaigns.indices.contains(line) else { return [] }
            return mixes[model].spread(coarse, campaign: lines.campaigns[line])
        }
        whyNot = postbacks.hasSeveralApps ? .severalApps : mixes.contains { $0.hasValues } ? nil : .noValues
        guard whyNot == nil else { return }
        let effects = LaterEffects(
            lines.laterUnits(isByCampaign: isByCampaign), networks: lines.networks, later, groups)
        later?.sendsAfterSilence = effects.sendsAfterSilence
        var drawing = InstallDrawing(told, mixes, groups, effects, lines: lines.count, cells: cells)
        draws = drawing.drawAll()
        thin = drawing.thin
        worst = drawing.worst
    }

    package var hasEstimates: Bool { draws != nil }

    /// Returns the estimated revenue of some lines together, one answer for each horizon. `lines`: the lines' numbers.
    package func answers(_ lines: [Int]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let draws, let thin else { return .none(whyNot ?? .noValues) }
            if let whyNot = thin.whyNot(lines, horizon) { return whyNot }
            var figure = draws.figure(lines, horizon)
            // Records do not have an install's revenue at horizons after the windows, so this interval is not known
            // there.
            if !Horizon.afterWindows.contains(horizon) { figure.worst = worst?.interval(figure, lines, horizon) }
            return .figure(figure)
        }
    }

    /// Returns the estimated revenue of the installs in some cells together, one answer for each horizon.
    package func answers(cells: [Int]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let draws, let thin else { return .none(whyNot ?? .noValues) }
            let lines = cells.map { lineCount + $0 }
            return thin.whyNot(lines, horizon) ?? .figure(draws.figure(lines, horizon))
        }
    }

    /// The probability that some lines together bring at least this amount up to a horizon; nil if there is no
    /// estimate.
    package func chance(_ lines: [Int], _ horizon: Horizon, atLeast amount: Double) -> Double? {
        drawn(lines, horizon).map { drawn in drawnChance(drawn) { $0 >= amount ? 1 : 0 } }
    }

    /// The revenue of some lines together up to a horizon, in each draw; nil if there is no estimate.
    package func drawn(_ lines: [Int], _ horizon: Horizon) -> [Double]? {
        guard let draws, let thin, thin.whyNot(lines, horizon) == nil else { return nil }
        return draws.drawn(lines, horizon)
    }

    /// The organic installs and their revenue. `total`: the answers for all lines together. `areKnown`: whether the
    /// report has all postbacks, so that installs without one are organic.
    package func organic(_ total: [BroughtAnswer], areKnown: Bool) -> OrganicInstalls {
        let store = Horizon.allCases.map { horizon in
            draws.map { .figure($0.storeFigure(horizon)) } ?? BroughtAnswer.none(whyNot ?? .noValues)
        }
        let isTooMuch = installs.told > installs.own
        let answers = draws.map { OrganicInstalls.answers($0, total: total) } ?? total
        let excess = isTooMuch && installs.own > 0 ? Double(installs.told - installs.own) / Double(installs.own) : nil
        return OrganicInstalls(
            storeInstalls: installs.own, reported: installs.told,
            installs: isTooMuch || !areKnown ? nil : installs.own - installs.told,
            answers: !areKnown ? nil : isTooMuch ? answers.map { _ in .none(.moreThanTheStore) } : answers,
            storeAnswers: store,
            excess: (excess, draws.flatMap { OrganicInstalls.excess($0, total: total) }))
    }
}

extension ValueMix {
    fileprivate init(_ told: [ReportedInstalls], _ groups: InstallGroups, _ model: Int, networks: [Int]) {
        self.init(groups, model, networks: networks)
        for installs in told {
            guard case .known(model) = installs.model else { continue }
            switch installs.value {
            case .fine(let fine): add(Double(installs.count), fine: fine, campaign: installs.campaign)
            case .coarse(let coarse): add(Double(installs.count), coarse: coarse, campaign: installs.campaign)
            case .hidden: break
            }
        }
        fit()
    }
}

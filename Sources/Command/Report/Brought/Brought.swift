internal import SKANCore

/// Estimated revenue of campaigns: draws, many times over, which of the app's own installs are theirs.
/// Sources/Command/CampaignTruth.md describes the method.
struct Brought {
    /// The draws, by the number that each line was counted under.
    private var draws: BroughtDraws?
    private var thin: ThinGroups?
    private var worst: HiddenWorst?
    /// What windows 1 and 2 report; nil if nothing can be compared.
    private(set) var later: LaterWindows?
    /// Estimates by week of install, counted in addition to those of the lines; nil if there is no estimate.
    private(set) var weeks: InstallWeeks?
    private let lineCount: Int
    /// The reason why no line has an estimate; nil if lines may have one.
    private let whyNot: NoEstimate?
    /// The number of own installs, and how many installs postbacks report.
    private let installs: (own: UInt64, told: UInt64)

    /// Makes the estimates. `lines` are those of an ended tally, in its order.
    init(
        _ lines: [TallyLine], _ values: [PostbackValueCount], _ groups: InstallGroups, models: Int,
        hasSeveralApps: Bool, _ costs: CountedCosts, _ later: LaterPostbacks, isWhole: Bool, isByCampaign: Bool
    ) {
        lineCount = lines.count
        var weeks = InstallWeeks(lines, values, costs)
        installs = (groups.counted[Horizon.toDate.rawValue], values.reduce(0) { $0 + UInt64($1.count) })
        let names = CampaignNumbers(lines)
        var lineOf: [Int: Int] = [:]
        for (place, line) in lines.enumerated() { lineOf[line.number] = place }
        let told = values.map { value in
            var told = groups.reportedInstalls(value, campaign: names.campaigns[value.key.line], models: models)
            if let place = lineOf[value.key.line],
                let cell = weeks.cell(lines[place].network, lines[place].campaign, day: value.key.day)
            {
                weeks.add(UInt64(value.count), cell: cell)
                told.cell = lines.count + cell
            }
            return told
        }
        // Sorted by line rather than by when the line's first postback was read.
        .sorted { (lineOf[$0.line] ?? 0) < (lineOf[$1.line] ?? 0) }
        let mixes = (0..<models).map { ValueMix(told, groups, $0, networks: names.networks) }
        self.later = LaterWindows(later, groups, isWhole: isWhole) { line, model, coarse in
            guard mixes.indices.contains(model), names.campaigns.indices.contains(line) else { return [] }
            return mixes[model].spread(coarse, campaign: names.campaigns[line])
        }
        whyNot = hasSeveralApps ? .severalApps : mixes.contains { $0.hasValues } ? nil : .noValues
        guard whyNot == nil else { return }
        let effects = LaterEffects(
            names.laterUnits(isByCampaign: isByCampaign), networks: names.networks, self.later, groups)
        self.later?.sendsAfterSilence = effects.sendsAfterSilence
        var drawing = InstallDrawing(told, mixes, groups, effects, lines: lines.count, cells: weeks.cells)
        self.weeks = weeks
        draws = drawing.drawAll()
        thin = drawing.thin
        worst = drawing.worst
    }

    /// Estimated revenue of some lines together, by horizon. `lines`: the numbers of tally lines.
    func answers(_ lines: [Int]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let draws, let thin else { return .none(whyNot ?? .noValues) }
            if let whyNot = thin.whyNot(lines, horizon) { return whyNot }
            var figure = draws.figure(lines, horizon)
            // For horizons after the windows, records do not have the revenue of installs by value.
            if !Horizon.afterWindows.contains(horizon) { figure.worst = worst?.interval(figure, lines, horizon) }
            return .figure(figure)
        }
    }

    /// Estimated revenue of the installs in some cells of weeks, by horizon.
    func answers(cells: [Int]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let draws, let thin else { return .none(whyNot ?? .noValues) }
            let lines = cells.map { lineCount + $0 }
            return thin.whyNot(lines, horizon) ?? .figure(draws.figure(lines, horizon))
        }
    }

    /// The probability that some lines together brought at least this amount; nil if there is no estimate.
    func chance(_ lines: [Int], _ horizon: Horizon, atLeast amount: Double) -> Double? {
        drawn(lines, horizon).map { drawn in drawnChance(drawn) { $0 >= amount ? 1 : 0 } }
    }

    /// Revenue of some lines together in each draw; nil if there is no estimate.
    func drawn(_ lines: [Int], _ horizon: Horizon) -> [Double]? {
        guard let draws, let thin, thin.whyNot(lines, horizon) == nil else { return nil }
        return draws.drawn(lines, horizon)
    }

    /// Organic installs and their revenue, given the answers for all lines together. `areKnown`: the report has all
    /// postbacks, so that installs without one are organic.
    func organic(_ total: [BroughtAnswer], areKnown: Bool) -> OrganicInstalls {
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

/// Numbers the campaigns of a tally's lines.
private struct CampaignNumbers {
    /// Each line's campaign, indexed by the line's number.
    private(set) var campaigns: [Int]
    /// Each campaign's network.
    private(set) var networks: [Int] = []

    init(_ lines: [TallyLine]) {
        campaigns = [Int](repeating: 0, count: lines.count)
        for (index, line) in lines.enumerated() {
            let before = index > 0 ? lines[index - 1] : nil
            if before?.isOfSameCampaign(as: line) != true {
                let isSameNetwork = before?.network == line.network
                networks.append((networks.last ?? 0) + (isSameNetwork || before == nil ? 0 : 1))
            }
            if campaigns.indices.contains(line.number) { campaigns[line.number] = networks.count - 1 }
        }
    }

    /// The lines whose postbacks of later windows describe each campaign. Those postbacks carry neither country nor
    /// source app, so in reports by these every line gets all lines of its network.
    func laterUnits(isByCampaign: Bool) -> [[Int]] {
        var units = [[Int]](repeating: [], count: networks.count)
        for (line, campaign) in campaigns.enumerated() { units[campaign].append(line) }
        guard !isByCampaign else { return units }
        var ofNetworks = [[Int]](repeating: [], count: (networks.last ?? -1) + 1)
        for (campaign, network) in networks.enumerated() { ofNetworks[network] += units[campaign] }
        return networks.map { ofNetworks[$0] }
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

internal import SKANCore

/// What campaigns brought: many draws of which of the app's own installs are theirs. The method is in
/// Sources/Command/CampaignTruth.md.
struct Brought {
    /// The draws of the lines as they were counted.
    private var draws: BroughtDraws?
    private var thin: ThinGroups?
    private var worst: HiddenWorst?
    /// What windows 1 and 2 report; nil if nothing can be compared.
    private(set) var later: LaterWindows?
    /// Estimates by week of install, counted beside those of the lines; nil if there is no estimate.
    private(set) var weeks: InstallWeeks?
    private let lineCount: Int
    /// The reason why no line has an estimate; nil if lines may have one.
    private let whyNot: NoEstimate?
    /// How many own installs there are, and of how many postbacks tell.
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
        // In the order of lines, not in that in which their first postbacks were read.
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

    /// What the installs of these lines brought, by horizon; each line by the number it was counted under.
    func answers(_ lines: [Int]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let draws, let thin else { return .none(whyNot ?? .noValues) }
            if let whyNot = thin.whyNot(lines, horizon) { return whyNot }
            var figure = draws.figure(lines, horizon)
            // After the windows, records do not have what a value's installs brought.
            if !Horizon.afterWindows.contains(horizon) { figure.worst = worst?.interval(figure, lines, horizon) }
            return .figure(figure)
        }
    }

    /// What the installs of cells of weeks brought.
    func answers(cells: [Int]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let draws, let thin else { return .none(whyNot ?? .noValues) }
            let lines = cells.map { lineCount + $0 }
            return thin.whyNot(lines, horizon) ?? .figure(draws.figure(lines, horizon))
        }
    }

    /// How likely some lines together brought so much or more; nil where there is no estimate.
    func chance(_ lines: [Int], _ horizon: Horizon, atLeast amount: Double) -> Double? {
        drawn(lines, horizon).map { drawn in drawnChance(drawn) { $0 >= amount ? 1 : 0 } }
    }

    /// What some lines together brought, in each draw; nil where there is no estimate.
    func drawn(_ lines: [Int], _ horizon: Horizon) -> [Double]? {
        guard let draws, let thin, thin.whyNot(lines, horizon) == nil else { return nil }
        return draws.drawn(lines, horizon)
    }

    /// What no campaign brought, beside what all lines together did. `areKnown`: whether the report has all postbacks,
    /// so that installs without one are organic.
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

/// Numbers for the campaigns of a tally's lines.
private struct CampaignNumbers {
    /// Each line's campaign, by the line's number.
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

    /// The lines of each campaign. Countries and source apps, which postbacks of later windows do not carry, have all
    /// lines of their network.
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

/// Draws which of the app's own installs belong to each line, for all lines together, so that no install is drawn
/// twice.
struct InstallDrawing {
    private let told: [ReportedInstalls]
    private let lines: Int
    /// The number of cells, such as weeks, in which installs are counted in addition to their lines.
    private let cells: Int
    /// The number of draws, 100 to 500: the more installs, the fewer draws.
    private let draws: Int
    private let mixes: [ValueMix]
    private let later: LaterEffects
    /// For each campaign, the odds ratios of its installs in windows 1 and 2, in the current draw.
    private var odds: [LaterOdds] = []
    private var populations: [OwnPopulation]
    private var growth: GrowthForecast
    private var numbers = DrawnNumbers(seed: 0x5EED_0F_5CA4)
    /// The number of the app's own installs for which no postback carried a fine value, by group.
    private let untold: [Int]
    /// The hidden installs in the current draw, grouped by campaign, model, and coarse value or none.
    private var hidden: [HiddenInstalls] = []
    /// The revenue of all of the app's own installs.
    private let store: InstallRevenue
    /// The revenues in the current draw, by line.
    private var revenues: [InstallRevenue]
    /// The revenue so far of the app's own installs that the current draw has assigned to lines.
    private var known = InstallRevenue.zero
    /// The revenue of all of the app's own installs between the end of window 2 and now, by week of age.
    private let afterWindowsOfAll: [Double]
    /// The revenue between the end of window 2 and now of the app's own installs not taken in the current draw, by week
    /// of age.
    private var afterWindowsLeft: [Double] = []
    private(set) var thin: ThinGroups
    private(set) var worst: HiddenWorst

    init(
        _ told: [ReportedInstalls], _ mixes: [ValueMix], _ groups: InstallGroups, _ later: LaterEffects,
        lines: Int, cells: Int
    ) {
        (self.told, self.later) = (told, later)
        draws = min(max(30_000_000 / told.reduce(1) { $0 + $1.count }, 100), 500)
        self.mixes = mixes
        let states = groups.laterOfModels
        populations = (0..<groups.groupCount).map { OwnPopulation(groups[$0], states[$0 / InstallGroup.count]) }
        growth = GrowthForecast(groups, models: mixes.count)
        store = populations.reduce(.zero) { $0 + $1.sum }
        afterWindowsOfAll = populations.reduce(into: [0]) { $1.addAfterWindows(to: &$0) }
        (self.lines, self.cells) = (lines, cells)
        revenues = [InstallRevenue](repeating: .zero, count: lines + cells)
        thin = ThinGroups(populations.map { $0.count }, growth, lines: lines + cells)
        thin.count(told)
        var free = populations.map { $0.count }
        for installs in told {
            guard case .fine(let fine) = installs.value, case .known(let model) = installs.model else { continue }
            free[model * InstallGroup.count + fine] -= installs.count
        }
        untold = free.map { max($0, 0) }
        worst = HiddenWorst(told, groups, untold: untold, lines: lines)
        let campaigns = told.reduce(0) { max($0, $1.campaign + 1) }
        for campaign in 0..<campaigns {
            for model in mixes.indices {
                for coarse: Int? in [0, 1, 2, nil] {
                    hidden.append(HiddenInstalls(campaign: campaign, model: model, coarse: coarse))
                }
            }
        }
    }

    mutating func drawAll() -> BroughtDraws {
        var all = BroughtDraws(lines: lines, cells: cells, draws: draws)
        for draw in 0..<draws {
            thin.isCounting = draw < ThinGroups.countedDraws
            odds = later.draw(&numbers, first: 1 + draw * later.campaigns)
            let organic = drawOnce()
            all.add(revenues, organic: organic)
        }
        thin.endCounting(draws)
        return all
    }

    /// Makes one draw, and returns the revenue of the app's own installs that are left over, which are organic.
    private mutating func drawOnce() -> InstallRevenue {
        for line in revenues.indices { revenues[line] = .zero }
        for group in populations.indices { populations[group].beginDraw() }
        for place in hidden.indices { hidden[place].removeAll() }
        growth.beginDraw(&numbers)
        known = .zero
        afterWindowsLeft = afterWindowsOfAll
        for installs in told {
            for _ in 0..<installs.count { drawReported(installs) }
        }
        for model in mixes.indices { drawHidden(model) }
        return store - known + growthOfOthers()
    }

    /// Draws one of the app's own installs for a reported one with a fine value. If the reported install has no fine
    /// value, or one that none of the app's own installs has, it is added to the hidden installs, which are drawn
    /// later.
    private mutating func drawReported(_ installs: ReportedInstalls) {
        let model = drawModel(installs.model)
        guard mixes.indices.contains(model) else { return }
        if case .fine(let fine) = installs.value, !installs.model.isOther {
            let group = model * InstallGroup.count + fine
            guard populations[group].count == 0 else {
                take(group, HiddenInstalls.Member(installs), campaign: installs.campaign)
                return
            }
            for line in installs.places { thin.add(group, line) }
        }
        var place = (installs.campaign * mixes.count + model) * 4 + 3
        if case .coarse(let coarse) = installs.value, !installs.model.isOther { place += min(coarse, 2) - 3 }
        hidden[place].add(installs)
    }

    private mutating func drawHidden(_ model: Int) {
        let base = mixes[model].drawBase(&numbers)
        var (open, shares) = ([HiddenInstalls](), [[Double]]())
        var mix: (campaign: Int, drawn: DrawnMix)?
        for place in hidden.indices where hidden[place].model == model && !hidden[place].members.isEmpty {
            let campaign = hidden[place].campaign
            if mix?.campaign != campaign {
                mix = (campaign, mixes[model].drawMix(of: campaign, around: base, &numbers))
            }
            guard let mix else { continue }
            let found = mix.drawn.shares(ofClass: hidden[place].coarse, mixes[model].classOf)
            if !found.isOfClass, let coarse = hidden[place].coarse {
                for member in hidden[place].members {
                    thin.add(classOf: coarse, model, member.line)
                    if let cell = member.cell { thin.add(classOf: coarse, model, cell) }
                }
            }
            open.append(hidden[place])
            shares.append(found.shares)
        }
        let groups = model * InstallGroup.count..<(model + 1) * InstallGroup.count
        open.drawValues(shares, left: [Int](untold[groups]), &numbers)
        for place in open.indices {
            for member in open[place].members {
                guard let value = open[place].removeValue(&numbers) else { continue }
                let revenue = take(groups.lowerBound + value, member, campaign: open[place].campaign)
                worst.add(revenue / Double(draws), line: member.line)
            }
        }
    }

    @discardableResult
    private mutating func take(_ group: Int, _ install: HiddenInstalls.Member, campaign: Int) -> InstallRevenue {
        let (soFar, week) = populations[group].draw(week: install.week, &numbers, odds[campaign])
        var revenue = InstallRevenue(soFar)
        known += revenue
        let afterWindows = week >= Horizon.day35.weeks ? soFar.afterWindows : 0
        if afterWindows != 0 { afterWindowsLeft[min(week, afterWindowsLeft.count - 1)] -= afterWindows }
        growth.complete(&revenue, known: afterWindows, group: group, week: week, odds[campaign], &numbers)
        revenues[install.line] += revenue
        thin.add(drawn: group, week: week, install.line)
        if let cell = install.cell {
            revenues[cell] += revenue
            thin.add(drawn: group, week: week, cell)
        }
        return revenue
    }

    private mutating func drawModel(_ model: ReportedModel) -> Int {
        switch model {
        case .known(let model): return model
        case .undecided(let likelihoods), .other(let likelihoods):
            guard likelihoods.count > 1 else { return 0 }
            var wanted = numbers.part() * likelihoods.reduce(0, +)
            for (model, likelihood) in likelihoods.enumerated() {
                wanted -= likelihood
                if wanted < 0 { return model }
            }
            return likelihoods.count - 1
        }
    }

    private mutating func growthOfOthers() -> InstallRevenue {
        var sum = InstallRevenue.zero
        for horizon in Horizon.afterWindows {
            for (week, amount) in afterWindowsLeft.enumerated() where week >= horizon.weeks {
                sum[horizon.rawValue] -= amount * growth.partAfter(horizon, week: week)
            }
        }
        for group in populations.indices {
            var young: [(week: Int, count: Int)] = []
            populations[group].forEachLeft { week, count in
                if week < growth.lastWeeks { young.append((week, count)) }
            }
            for (week, count) in young {
                growth.complete(&sum, count: count, group: group, week: week, &numbers)
            }
        }
        return sum
    }
}

extension ReportedModel {
    fileprivate var isOther: Bool { if case .other = self { true } else { false } }
}

internal import SKANCore

/// What campaigns brought: the app's own installs in groups, and the mixes of values that postbacks tell. The method is
/// in Sources/Command/CampaignTruth.md.
final class Brought {
    private let groups: InstallGroups
    private let models: Int
    private let weeks: Int
    /// By horizon and group: what installs bring until then.
    private let dated: [[RevenueMoments]]
    /// By group and week: what installs of that age brought to date.
    private let toDate: [RevenueMoments]
    private var mixes: [ValueMix] = []
    /// By line as they were counted.
    private let values: [PostbackValueCount]
    private let places: [Range<Int>]
    /// By line: its campaign.
    private var campaigns: [Int]
    private let today: Int64
    /// For all lines, where there is one.
    private var whyNot: NoEstimate?

    /// `lines`: of an ended tally, in its order.
    init(
        _ lines: [TallyLine], _ values: [PostbackValueCount], _ groups: InstallGroups, models: Int,
        hasSeveralApps: Bool
    ) {
        self.groups = groups
        self.models = models
        weeks = groups.weekCount
        today = groups.now / ArrivalDay.seconds
        let weekCount = weeks
        dated = Horizon.dated.map { groups.forecast(until: $0) }
        toDate = (0..<models * InstallGroup.count).flatMap { place in
            groups[place / InstallGroup.count, place % InstallGroup.count].pooledWeeks(weekCount)
        }
        self.values = Brought.decided(values, models)
        places = Brought.places(self.values, lines.count)
        campaigns = [Int](repeating: 0, count: lines.count)
        let networks = nameCampaigns(lines)
        for model in 0..<models { mixes.append(ValueMix(groups, model, networks: networks)) }
        fillMixes()
        whyNot = hasSeveralApps ? .severalApps : mixes.contains { $0.hasValues } ? nil : .noValues
    }

    /// What the installs of these lines brought, by horizon; each line by the number it was counted under, those of a
    /// campaign one after the other.
    func answers(_ lines: [Int]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            if let whyNot { return .none(whyNot) }
            return horizon == .toDate ? answerToDate(lines) : answer(lines, horizon)
        }
    }

    // MARK: Preparing

    /// Gives postbacks without a model that of most which arrived of their day's installs, or of most of all. What their
    /// values are, each of the models tells otherwise: they count as hidden.
    private static func decided(_ values: [PostbackValueCount], _ models: Int) -> [PostbackValueCount] {
        var ofDay: [Int64: [UInt64]] = [:]
        var ofAll = [UInt64](repeating: 0, count: models)
        for value in values where value.key.model < models {
            let (model, count) = (value.key.model, UInt64(value.count))
            ofDay[value.key.day, default: [UInt64](repeating: 0, count: models)][model] &+= count
            ofAll[model] &+= count
        }
        func most(_ counts: [UInt64]) -> Int? {
            var found: Int?
            for (model, count) in counts.enumerated() where count > found.map({ counts[$0] }) ?? 0 { found = model }
            return found
        }
        let usual = most(ofAll) ?? 0
        return values.map { value in
            guard value.key.model == PostbackValueKey.undecidedModel, models > 0 else { return value }
            var value = value
            value.key.model = ofDay[value.key.day].flatMap { most($0) } ?? usual
            if models > 1 { value.key.hideValue() }
            return value
        }
    }

    private static func places(_ values: [PostbackValueCount], _ lines: Int) -> [Range<Int>] {
        var places = [Range<Int>](repeating: 0..<0, count: lines)
        var start = 0
        while start < values.count {
            let line = values[start].key.line
            var end = start
            while end < values.count, values[end].key.line == line { end += 1 }
            if places.indices.contains(line) { places[line] = start..<end }
            start = end
        }
        return places
    }

    /// Numbers the campaigns; answers each one's network.
    private func nameCampaigns(_ lines: [TallyLine]) -> [Int] {
        var networks: [Int] = []
        for (index, line) in lines.enumerated() {
            let before = index > 0 ? lines[index - 1] : nil
            if before?.isOfSameCampaign(as: line) != true {
                let isSameNetwork = before?.network == line.network
                networks.append((networks.last ?? 0) + (isSameNetwork || before == nil ? 0 : 1))
            }
            if campaigns.indices.contains(line.number) { campaigns[line.number] = networks.count - 1 }
        }
        return networks
    }

    private func fillMixes() {
        for value in values where value.key.model < models {
            let campaign = campaigns[value.key.line]
            switch value.key.value {
            case .fine(let fine): mixes[value.key.model].add(Double(value.count), fine: fine, campaign: campaign)
            case .coarse(let coarse):
                mixes[value.key.model].add(Double(value.count), coarse: coarse, campaign: campaign)
            case .hidden: break
            }
        }
        for model in mixes.indices { mixes[model].fit() }
    }

    // MARK: Answering

    private func answer(_ lines: [Int], _ horizon: Horizon) -> BroughtAnswer {
        let days = horizon.seconds / ArrivalDay.seconds
        let moments = dated[horizon.rawValue]
        let means = moments.map { $0.mean }
        var sum = BroughtSum(groups: models * InstallGroup.count)
        forEachCampaign(lines) { campaign, values in
            for model in 0..<models {
                var coarse = InlineArray<3, Double>(repeating: 0)
                var (hidden, old) = (0.0, 0.0)
                for value in values where value.key.model == model {
                    let isOld = today - value.key.day >= days
                    let count = Double(value.count)
                    switch value.key.value {
                    case .fine(let fine): sum.add(count, group: model * InstallGroup.count + fine, isOld: isOld)
                    case .coarse(let told): coarse[min(told, 2)] += count
                    case .hidden: hidden += count
                    }
                    if case .fine = value.key.value { continue }
                    if isOld { old += count }
                }
                let count = coarse[0] + coarse[1] + coarse[2] + hidden
                guard count > 0 else { continue }
                let ofModel = model * InstallGroup.count..<(model + 1) * InstallGroup.count
                let posterior = mixes[model].posterior(campaign)
                let split = Split(posterior, coarse, hidden)
                addDoubt(split, count, hidden, [Double](means[ofModel]), model, to: &sum)
                for value in 0..<InstallGroup.count {
                    sum.add(expected: split.expected(value), group: ofModel.lowerBound + value, oldShare: old / count)
                }
            }
            for value in values where value.key.model >= models { sum.add(ofOtherModel: Double(value.count)) }
        }
        return sum.answer(mayBeNegative: groups.hasLosses) { moments[$0] }
    }

    /// Groups are apart by week of install too.
    private func answerToDate(_ lines: [Int]) -> BroughtAnswer {
        var sum = BroughtSum(groups: toDate.count, perValue: weeks)
        forEachCampaign(lines) { campaign, values in
            for model in 0..<models {
                var byWeek: [Int: [Double]] = [:]
                for value in values where value.key.model == model {
                    let week = self.week(value.key.day)
                    let count = Double(value.count)
                    let code: Int
                    switch value.key.value {
                    case .fine(let fine):
                        let group = (model * InstallGroup.count + fine) * weeks + week
                        sum.add(count, group: group, isOld: true)
                        continue
                    case .coarse(let told): code = min(told, 2)
                    case .hidden: code = 3
                    }
                    byWeek[week, default: [0, 0, 0, 0]][code] += count
                }
                if !byWeek.isEmpty { addToDate(byWeek, campaign, model, to: &sum) }
            }
            for value in values where value.key.model >= models { sum.add(ofOtherModel: Double(value.count)) }
        }
        return sum.answer(mayBeNegative: groups.hasLosses) { toDate[$0] }
    }

    private func addToDate(_ byWeek: [Int: [Double]], _ campaign: Int, _ model: Int, to sum: inout BroughtSum) {
        var coarse = InlineArray<3, Double>(repeating: 0)
        var (hidden, count) = (0.0, 0.0)
        var means = [Double](repeating: 0, count: InstallGroup.count)
        let inOrder = byWeek.keys.sorted().map { ($0, byWeek[$0] ?? []) }
        for (week, counts) in inOrder {
            for coarseValue in coarse.indices { coarse[coarseValue] += counts[coarseValue] }
            hidden += counts[3]
            let ofWeek = counts.reduce(0, +)
            count += ofWeek
            for value in means.indices { means[value] += ofWeek * toDate[group(model, value, week)].mean }
        }
        for value in means.indices { means[value] /= count }
        let posterior = mixes[model].posterior(campaign)
        addDoubt(Split(posterior, coarse, hidden), count, hidden, means, model, to: &sum)
        for (week, counts) in inOrder {
            let split = Split(posterior, [counts[0], counts[1], counts[2]], counts[3])
            for value in means.indices {
                sum.add(expected: split.expected(value), group: group(model, value, week), oldShare: 1)
            }
        }
    }

    private func addDoubt(
        _ split: Split, _ count: Double, _ hidden: Double, _ means: [Double], _ model: Int, to sum: inout BroughtSum
    ) {
        let doubt = split.posterior.doubt(split.unknown, hidden: hidden, means)
        sum.addHidden(count, unknown: split.ofNoGroup, doubt.own)
        for place in doubt.shared.indices {
            sum.add(shared: doubt.shared[place], of: (split.posterior.network * models + model) * 4 + place)
        }
    }

    private func group(_ model: Int, _ value: Int, _ week: Int) -> Int {
        (model * InstallGroup.count + value) * weeks + week
    }

    private func week(_ day: Int64) -> Int { min(Int(max(today - day, 0) / 7), weeks - 1) }

    private func forEachCampaign(_ lines: [Int], _ body: (Int, [PostbackValueCount]) -> Void) {
        var start = 0
        while start < lines.count {
            let campaign = campaigns[lines[start]]
            var end = start
            var ofCampaign: [PostbackValueCount] = []
            while end < lines.count, campaigns[lines[end]] == campaign {
                ofCampaign += values[places[lines[end]]]
                end += 1
            }
            body(campaign, ofCampaign)
            start = end
        }
    }
}

/// Expected values of installs that told none, or a coarse one.
private struct Split {
    let posterior: MixPosterior
    /// By class: those whose fine value is unknown.
    private(set) var unknown: InlineArray<3, Double>
    /// Those of classes that no install is of.
    private(set) var ofNoGroup = 0.0

    init(_ posterior: MixPosterior, _ coarse: InlineArray<3, Double>, _ hidden: Double) {
        self.posterior = posterior
        unknown = coarse
        for coarseValue in unknown.indices {
            unknown[coarseValue] += hidden * posterior.classShare(coarseValue)
            if posterior.isUnknown(coarseValue) { ofNoGroup += unknown[coarseValue] }
        }
    }

    func expected(_ value: Int) -> Double { posterior.share(value) * unknown[posterior.classOf[value]] }
}

import SKANCommandRows
import SKANCore
import SKANTruth

/// Builds the lines of a report from a tally.
struct ReportLines {
    private(set) var lines: [ReportLine] = []
    /// Whether a sum of money exceeded `Money.mostReported`.
    private(set) var isFull = false

    /// The numbers of the tally lines that each line sums up. `all`: all of them. `paid`: those of campaigns with a
    /// cost.
    private var members: [(all: [Int], paid: [Int])] = []

    /// Makes the report's lines from a tally that has ended.
    init(_ tally: Tally, _ campaigns: Campaigns, _ dimension: ReportDimension = .campaign) {
        let counted = tally.lines
        isFull = tally.isFull
        lines.reserveCapacity(counted.count * 3 + 1)
        _ = add(ReportLine(level: .total))
        var (network, campaign) = (0, 0)
        for (index, line) in counted.enumerated() {
            let before = index > 0 ? counted[index - 1] : nil
            let isNewCampaign = before.map { !$0.isOfSameCampaign(as: line) } ?? true
            if before?.network != line.network { network = add(ReportLine(network: line.network, campaigns)) }
            if isNewCampaign { campaign = add(ReportLine(campaign: line, campaigns, dimension)) }
            let isLast = index + 1 == counted.count || !line.isOfSameCampaign(as: counted[index + 1])
            let isAlone = isNewCampaign && isLast
            for above in [0, network, campaign] {
                add(line.counts, to: above)
                members[above].all.append(line.number)
            }
            guard !isAlone || line.row?.adSet.isEmpty == false else { continue }
            let adSet = add(ReportLine(adSet: line, campaigns))
            add(line.counts, to: adSet)
            members[adSet].all.append(line.number)
        }
        compareCosts()
    }

    /// Adds to each line the estimated revenue of its installs, from a tally that has ended. Takes the values for
    /// estimates out of the tally. Returns what the estimates are based on.
    mutating func add(
        what tally: inout Tally, _ groups: InstallGroups, _ target: ReturnTarget? = nil, _ costs: CountedCosts = .none,
        _ filter: ReportFilter = ReportFilter()
    ) -> BroughtBasis {
        var postbacks = tally.installValues ?? PostbackValues()
        tally.installValues = nil
        postbacks.end()
        let counted = tally.lines
        var weeks = InstallWeeks(counted, postbacks.days, costs)
        let brought = Brought(
            EstimatedLines(counted), postbacks, groups, cells: weeks.cells, isWhole: filter.isOfAllTimes,
            isByCampaign: tally.dimension == .campaign
        ) { line, day, installs in weeks.add(installs, of: counted[line], day: day) }
        add(brought, weeks, target)
        if let later = brought.later { add(later) }
        let organic = brought.organic(lines.first?.brought?.figures.all ?? [], areKnown: filter.isOfAllPostbacks)
        return BroughtBasis(groups, postbacks, organic, laterChecks)
    }

    private mutating func add(_ brought: Brought, _ weeks: InstallWeeks, _ target: ReturnTarget?) {
        for index in lines.indices {
            let (all, paid) = members[index]
            let answers = brought.answers(all)
            let isPaidAlone = paid.isEmpty || paid.count == all.count
            var line = BroughtLine(answers: answers, paid: isPaidAlone ? answers : brought.answers(paid))
            if let target, let cost = lines[index].paid.spent {
                line.targetChance = brought.chance(paid, target.horizon, atLeast: target.share * cost)
            }
            if lines[index].level < .campaign { line.weeks = weeks.weeks(lines[index].network, brought) }
            if lines[index].level == .total { line.months = weeks.months(brought) }
            lines[index].brought = line
        }
        compareCampaigns(brought, target?.horizon ?? ReturnTarget.usualHorizon)
    }

    /// Adds to the total, and to each network and campaign, how many values windows 1 and 2 report, compared with how
    /// many are expected.
    private mutating func add(_ later: LaterWindows) {
        for index in lines.indices where lines[index].level < .adSet {
            lines[index].brought?.later = later.checks(members[index].all)
        }
    }

    /// The comparison of reported with expected values of windows 1 and 2, for each network.
    private var laterChecks: [[LaterCheck]] {
        lines.filter { $0.level == .network }.map { $0.brought?.later ?? [] }
    }

    /// Compares the campaigns by revenue per cost or, if no campaign has a cost, by revenue per install or redownload.
    private mutating func compareCampaigns(_ brought: Brought, _ horizon: Horizon) {
        let haveCosts = lines.contains { $0.level == .campaign && $0.paid.spent != nil }
        var compared: [CampaignComparison.Member] = []
        for (index, line) in lines.enumerated() where line.level == .campaign {
            let installs = line.counts.installsWithRedownloads
            let divisor = haveCosts ? line.paid.spent : Double(installs)
            guard let divisor, divisor > 0, let drawn = brought.drawn(members[index].all, horizon) else { continue }
            compared.append(
                CampaignComparison.Member(line: index, installs: installs, drawn: drawn, divisor: divisor))
        }
        for comparison in CampaignComparison.all(compared) {
            lines[comparison.line].brought?.comparison = comparison
        }
    }

    private mutating func add(_ line: ReportLine) -> Int {
        lines.append(line)
        members.append(([], []))
        return lines.count - 1
    }

    private mutating func add(_ counts: LineCounts, to line: Int) {
        if !lines[line].counts.add(counts) { isFull = true }
    }

    /// Adds the counts of each campaign that has a cost to `paid` of its network and of the total.
    private mutating func compareCosts() {
        var network = 0
        for index in lines.indices {
            if lines[index].level == .network { network = index }
            guard lines[index].level == .campaign, lines[index].counts.cost != nil else { continue }
            let counts = lines[index].counts
            for above in [0, network] where !lines[above].paid.add(counts) { isFull = true }
            for line in [0, network, index] { members[line].paid += members[index].all }
        }
    }
}

extension ReportLine {
    fileprivate init(network: [UInt8], _ campaigns: Campaigns) {
        self.init(level: .network)
        self.network = network
        networkName = campaigns.networkName(network)
    }

    fileprivate init(campaign line: TallyLine, _ campaigns: Campaigns, _ dimension: ReportDimension) {
        self.init(level: .campaign)
        self.dimension = dimension
        network = line.network
        networkName = campaigns.networkName(line.network)
        identifier = [UInt8](line.campaign)
        if dimension == .campaign { name = campaigns.name(line.network, line.campaign) }
    }

    fileprivate init(adSet line: TallyLine, _ campaigns: Campaigns) {
        self.init(level: .adSet)
        network = line.network
        networkName = campaigns.networkName(line.network)
        identifier = line.row.map { [UInt8]($0.identifier.text) } ?? []
        name = campaigns.name(line.network, line.campaign)
        adSet = line.row?.adSet ?? []
    }
}

internal import SKANCore

/// The lines of a report, from what was counted.
struct ReportLines {
    private(set) var lines: [ReportLine] = []
    /// A sum of money left the range.
    private(set) var isFull = false

    /// Of a tally that ended.
    init(_ tally: Tally, _ campaigns: Campaigns) {
        let counted = tally.lines
        isFull = tally.isFull
        lines.reserveCapacity(counted.count * 3 + 1)
        lines.append(ReportLine(level: .total))
        var (network, campaign) = (0, 0)
        for (index, line) in counted.enumerated() {
            let before = index > 0 ? counted[index - 1] : nil
            let isNewCampaign = before.map { !$0.isOfSameCampaign(as: line) } ?? true
            if before?.network != line.network { network = add(ReportLine(network: line.network)) }
            if isNewCampaign { campaign = add(ReportLine(campaign: line, campaigns)) }
            let isLast = index + 1 == counted.count || !line.isOfSameCampaign(as: counted[index + 1])
            let isAlone = isNewCampaign && isLast
            add(line.counts, to: 0)
            add(line.counts, to: network)
            add(line.counts, to: campaign)
            guard !isAlone || line.row?.adSet.isEmpty == false else { continue }
            add(line.counts, to: add(ReportLine(adSet: line, campaigns)))
        }
        compareCosts()
    }

    private mutating func add(_ line: ReportLine) -> Int {
        lines.append(line)
        return lines.count - 1
    }

    private mutating func add(_ counts: LineCounts, to line: Int) {
        if !lines[line].counts.add(counts) { isFull = true }
    }

    /// Campaigns with a cost are counted once more for the lines above them.
    private mutating func compareCosts() {
        var network = 0
        for index in lines.indices {
            if lines[index].level == .network { network = index }
            guard lines[index].level == .campaign, lines[index].counts.cost != nil else { continue }
            let counts = lines[index].counts
            for above in [0, network] where !lines[above].paid.add(counts) { isFull = true }
        }
    }
}

extension ReportLine {
    fileprivate init(network: [UInt8]) {
        self.init(level: .network)
        self.network = network
    }

    fileprivate init(campaign line: TallyLine, _ campaigns: Campaigns) {
        self.init(level: .campaign)
        network = line.network
        identifier = [UInt8](line.campaign)
        name = campaigns.name(line.network, line.campaign)
    }

    fileprivate init(adSet line: TallyLine, _ campaigns: Campaigns) {
        self.init(level: .adSet)
        network = line.network
        identifier = line.row.map { [UInt8]($0.identifier.text) } ?? []
        name = campaigns.name(line.network, line.campaign)
        adSet = line.row?.adSet ?? []
    }
}

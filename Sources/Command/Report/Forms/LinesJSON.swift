internal import SKANCore

extension JSONWriter {
    /// The total as an object, each line with those below it.
    mutating func write(_ lines: [ReportLine], by dimension: ReportDimension) {
        let deepest = dimension == .campaign ? ReportLevel.adSet : .campaign
        var open = 0
        for line in lines {
            close(from: open, to: line.level.rawValue, deepest)
            beginObject()
            writeMembers(line, of: lines)
            if line.level < deepest, let below = line.level.below(dimension) {
                key(below)
                beginArray()
            }
            open = line.level.rawValue + 1
        }
        close(from: open, to: 0, deepest)
    }

    /// Ends the last lines of so many levels.
    private mutating func close(from open: Int, to level: Int, _ deepest: ReportLevel) {
        for ended in (0..<open).reversed() where ended >= level {
            if ended < deepest.rawValue { endArray() }
            endObject()
        }
    }

    private mutating func writeMembers(_ line: ReportLine, of lines: [ReportLine]) {
        if line.level == .network {
            member("network", text: line.network)
            member("network_name", text: line.networkName)
        }
        if line.level >= .campaign { member(line.dimension.keys.line, text: line.identifier.known) }
        if line.level == .campaign, line.dimension == .campaign { member("name", text: line.name) }
        if line.level == .adSet { member("ad_set", text: line.adSet.isEmpty ? nil : line.adSet) }
        writeFigures(line)
        if let brought = line.brought { writeBrought(brought, cost: line.paid.cost, lines) }
    }

    /// Writes the figures of installs and redownloads; those of re-engagements are in "reengagement".
    private mutating func writeFigures(_ line: ReportLine) {
        let figures = Figures(line.counts, .installs)
        write("installs", count: figures.conversions[.install])
        write("redownloads", count: figures.conversions[.redownload])
        write("reengagements", count: figures.conversions[.reengagement])
        writeMembers(figures)
        write("cost", money: line.counts.cost)
        member("cost_is_partial", line.isCostPartial)
        member("cost_per_install", text: line.costPerInstall(places: 4)?.utf8)
        key("return_on_ad_spend")
        beginObject()
        write("min", quotient: line.returnOnAdSpendAtLeast(places: 4))
        write("extrapolated", quotient: line.returnOnAdSpendExtrapolated(places: 4))
        endObject()
        key("installed")
        write(line.counts[dates: .installs])
        key("windows")
        writeWindows(line.counts, .installs)
        key("reengagement")
        writeReengagement(line.counts)
    }

    private mutating func writeReengagement(_ counts: LineCounts) {
        beginObject()
        writeMembers(Figures(counts, .reengagements))
        key("reengaged")
        write(counts[dates: .reengagements])
        key("windows")
        writeWindows(counts, .reengagements)
        endObject()
    }

    private mutating func writeWindows(_ counts: LineCounts, _ group: ConversionGroup) {
        beginArray()
        for window in Window.all {
            let figures = Figures(counts, group, window)
            beginObject()
            write("window", count: UInt64(window.rawValue))
            write("winning", count: figures.winning)
            writeMembers(figures)
            endObject()
        }
        endArray()
    }

    private mutating func writeMembers(_ figures: Figures) {
        write("not_winning", count: figures.lost)
        key("values")
        beginObject()
        write("fine", count: figures.fine)
        write("coarse", count: figures.coarse)
        write("hidden", count: figures.hidden)
        write("hidden_share", quotient: figures.hiddenShare(places: 4))
        endObject()
        key("revenue")
        beginObject()
        write("known_values", count: figures.priced)
        write("without_upper_limit", count: figures.open)
        write("min", money: figures.least)
        write("max", money: figures.most)
        write("estimate", money: figures.estimate)
        member("extrapolated", text: figures.extrapolated?.text(places: 2).utf8)
        member("extrapolated_is_partial", figures.extrapolated != nil && figures.isPartial)
        endObject()
    }

    private mutating func write(_ dates: EstimatedDates?) {
        beginObject()
        write("from", moment: dates?.from)
        write("until", moment: dates?.untilUnlocked)
        write("until_if_locked", moment: dates?.until)
        endObject()
    }
}

extension ReportLevel {
    /// What the lines below one of this level are called.
    fileprivate func below(_ dimension: ReportDimension) -> StaticString? {
        switch self {
        case .total: "networks"
        case .network: dimension.keys.lines
        case .campaign: "ad_sets"
        case .adSet: nil
        }
    }
}

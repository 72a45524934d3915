import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension JSONWriter {
    /// Writes the total as an object. The object of each line contains the lines below it.
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

    /// Closes the objects and arrays that are still open at `level` and deeper levels. `open`: the number of open
    /// levels. `deepest`: the deepest level, whose objects contain no array.
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
        if line.brought != nil { writeEstimates(of: line, lines) }
    }

    /// Writes the figures of installs and redownloads and, in the object "reengagement", the figures of re-engagements.
    private mutating func writeFigures(_ line: ReportLine) {
        let figures = ReportFigure.counted.filter { $0 != .winning }
        write(figures, of: line, Figures(line.counts, .installs))
        object("installed") { $0.writeMembers(line.counts[dates: .installs]) }
        writeWindows(line, .installs)
        object("reengagement") {
            let figures = ReportFigure.ofPostbacks.filter { $0 != .winning }
            $0.write(figures, of: line, Figures(line.counts, .reengagements))
            $0.object("reengaged") { $0.writeMembers(line.counts[dates: .reengagements]) }
            $0.writeWindows(line, .reengagements)
        }
    }

    private mutating func writeWindows(_ line: ReportLine, _ group: ConversionGroup) {
        objects("windows", [Window](Window.all)) {
            $0.write("window", count: UInt64($1.rawValue))
            $0.write(ReportFigure.ofPostbacks, of: line, Figures(line.counts, group, $1))
        }
    }

    private mutating func write(_ shown: [ReportFigure], of line: ReportLine, _ figures: Figures) {
        write(shown) { $0.value(line, figures) }
    }

    /// Writes figures as members of the line's object and of objects in it. In `shown`, figures of the same object must
    /// be adjacent.
    mutating func write(_ shown: [ReportFigure], _ value: (ReportFigure) -> FigureValue?) {
        var open = ReportObject.line
        for figure in shown {
            let names = figure.names
            if names.object != open {
                if open != .line { endObject() }
                if let object = names.object.key {
                    key(object)
                    beginObject()
                }
                open = names.object
            }
            let value = value(figure)
            for part in names.parts { write(part.key ?? names.key, value, part) }
        }
        if open != .line { endObject() }
    }

    private mutating func write(_ name: StaticString, _ value: FigureValue?, _ part: FigurePart) {
        let text = value?.exact(part)?.utf8
        if value?.isText == true { return member(name, text: text) }
        key(name)
        if let text { text.withUnsafeBytes { json(utf8: $0) } } else { null() }
    }

    private mutating func writeMembers(_ dates: EstimatedDates?) {
        write("from", moment: dates?.from)
        write("until", moment: dates?.untilUnlocked)
        write("until_if_locked", moment: dates?.until)
    }
}

extension ReportLevel {
    /// Returns the JSON key of the array of lines below a line of this level; nil for ad sets, which have none below.
    fileprivate func below(_ dimension: ReportDimension) -> StaticString? {
        switch self {
        case .total: "networks"
        case .network: dimension.keys.lines
        case .campaign: "ad_sets"
        case .adSet: nil
        }
    }
}

import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// The table of events: the minimum number of each campaign's installs that had an event, and the maximum cost of
    /// one such install. Empty if no value proves an event.
    var eventTable: HTML {
        let campaigns = numberedCampaigns
        let events = EventColumns(tally.events.names, campaigns.map { $0.line })
        guard !events.shown.isEmpty else { return "" }
        let places = 2
        let table = PageTable(
            rowHead: dimension.title, caption: "\(eventCaption)", columns: events.columns, isSortable: true)
        let rows = HTML.each(campaigns) { each in
            table.row(each.line.titleHTML(isAlone: true), network: each.network, events.cells(each.line, places))
        }
        let cost: HTML = hasCosts ? ", and one cost <b>at most</b> this much" : ""
        return """
            <section><h2 id="events">Events</h2>
            <p>Only values that are not hidden tell of events, and a value may stand for more than it proves. So \
            installs had an event <b>at least</b> this often\(cost).</p>
            \(table.head)\(table.row("All", kind: "sum", events.sums(places)))\(table.nextBody)\(rows)\(table.end)\
            \(events.rest)</section>
            """
    }

    private var eventCaption: Message {
        guard hasCosts else { return "Installs with an event, at least" }
        let unit: Message = currency == nil ? "" : " in \(currencyText)"
        return "Installs with an event, at least, and below the cost of one\(unit), at most"
    }
}

/// The events with most installs, each in a column.
private struct EventColumns {
    private let names: [[UInt8]]
    private let lines: [ReportLine]
    /// The numbers of the events, the most frequent first.
    private let ranked: [Int]

    private static var most: Int { 4 }

    init(_ names: [[UInt8]], _ lines: [ReportLine]) {
        (self.names, self.lines) = (names, lines)
        let sums = names.indices.map { event in lines.reduce(0) { $0 + $1.counts.events.installs(with: event) } }
        ranked = names.indices.filter { sums[$0] > 0 }.sorted {
            sums[$0] != sums[$1] ? sums[$0] > sums[$1] : names[$0].lexicographicallyPrecedes(names[$1])
        }
    }

    var shown: ArraySlice<Int> { ranked.prefix(EventColumns.most) }

    var columns: [PageColumn] {
        [PageColumn(name: "Installs"), PageColumn(name: "With a value", help: "Installs whose value is not hidden")]
            + shown.map { PageColumn(name: Message(utf8: names[$0])) }
    }

    func cells(_ line: ReportLine, _ places: Int) -> [PageCell] {
        heads([line])
            + shown.map { event in
                let installs = line.counts.events.installs(with: event)
                return PageCell(installs.readable, below: line.paid.cost.flatMap { each($0, installs, places) })
            }
    }

    /// Returns the cells of all campaigns together. Costs are divided by the installs with the event in campaigns that
    /// have a cost. `places`: the decimal places of costs.
    func sums(_ places: Int) -> [PageCell] {
        heads(lines)
            + shown.map { event in
                var cost: Money?
                var (installs, paid): (UInt64, UInt64) = (0, 0)
                for line in lines {
                    let more = line.counts.events.installs(with: event)
                    installs += more
                    guard let spent = line.paid.cost else { continue }
                    paid += more
                    if !cost.take(in: spent) { return PageCell(installs.readable) }
                }
                return PageCell(installs.readable, below: cost.flatMap { each($0, paid, places) })
            }
    }

    private func heads(_ lines: [ReportLine]) -> [PageCell] {
        var (installs, known): (UInt64, UInt64) = (0, 0)
        for line in lines {
            installs += line.counts.installsWithRedownloads
            let first = line.counts[.installs, .first].carried
            known += first.fine + first.coarse
        }
        return [PageCell(count: installs), PageCell(percentText(known, of: installs).map { "\($0)%" })]
    }

    private func each(_ cost: Money, _ installs: UInt64, _ places: Int) -> Message? {
        quotientText(cost.units, Int128(installs) * Money.scale, places: places).map { "\($0.grouped) each" }
    }

    /// The list of the events without a column; empty if there are none.
    var rest: HTML {
        let left = ranked.dropFirst(EventColumns.most)
        guard !left.isEmpty else { return "" }
        var text: HTML = "<p>Rarer ones:"
        for event in left {
            let installs = lines.reduce(0) { $0 + $1.counts.events.installs(with: event) }
            text += " <bdi>\(names[event])</bdi> \(installs.readable);"
        }
        return "\(text)</p>\n"
    }
}

import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// The table of each campaign's installs by week, which also compares the latest weeks with the weeks before; empty
    /// if there is only one week.
    var campaignWeeks: HTML {
        guard let weeks = ShownWeeks(total.counts.weeks, filter, madeAt: madeAt), weeks.all.count > 1 else { return "" }
        let table = PageTable(
            rowHead: dimension.title, caption: caption(weeks), columns: columns(weeks), isSortable: true)
        let rows = HTML.each(numberedCampaigns) { each in
            table.row(each.line.titleHTML(isAlone: true), network: each.network, cells(each.line, weeks))
        }
        return """
            <section><h2 id="weeks">Week by week</h2>
            \(table.head)\(table.row("All", kind: "sum", cells(total, weeks)))\(table.nextBody)\(rows)\(table.end)\
            </section>

            """
    }

    private func caption(_ weeks: ShownWeeks) -> HTML {
        let what: HTML = "Installs and redownloads by the week in which their postbacks arrived, \(daysText(weeks.all))"
        return weeks.all.allSatisfy(weeks.isWhole) ? what : "\(what); pale columns are incomplete weeks"
    }

    private func columns(_ weeks: ShownWeeks) -> [PageColumn] {
        let compared = weeks.compared
        guard compared > 0 else { return [PageColumn(name: "By week", kind: "bar")] }
        let number: Message = compared == 1 ? "" : "\(compared) "
        let plural: StaticString = compared == 1 ? "" : "s"
        return [
            PageColumn(name: "By week", kind: "bar"),
            PageColumn(name: "Last \(number)whole week\(plural)", help: daysText(weeks.latest)),
            PageColumn(name: "The \(number)week\(plural) before", help: daysText(weeks.before)),
            PageColumn(name: "Change"),
        ]
    }

    private func cells(_ line: ReportLine, _ weeks: ShownWeeks) -> [PageCell] {
        let counts = weeks.all.map { line.counts.weeks[$0] }
        let columns = WeekColumns(counts) { weeks.isWhole(weeks.all.lowerBound + Int64($0)) }
        let (latest, before) = (line.counts.weeks.installs(weeks.latest), line.counts.weeks.installs(weeks.before))
        let order = before > 0 ? Double(latest) / Double(before) : latest > 0 ? 1e9 : -1
        return [
            PageCell("", order: order, drawing: columns.html("Installs by week")), PageCell(count: latest),
            PageCell(count: before), PageCell(changeText(from: before, to: latest), order: order),
        ]
    }
}

/// Returns the change as "+12%", "−3%" or "±0%"; "new" if only the count before is 0, and nil if both counts are 0.
func changeText(from before: UInt64, to latest: UInt64) -> Message? {
    guard before > 0 else { return latest > 0 ? "new" : nil }
    let percent = ((Double(latest) / Double(before) - 1) * 100).rounded()
    let sign: StaticString = percent > 0 ? "+" : percent < 0 ? "\u{2212}" : "±"
    return "\(sign)\(UInt64(percent.magnitude).readable)%"
}

import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// Empty if the report's lines are not campaigns, or if no postback names a country.
    var countryTable: HTML {
        let countries = CountryColumns(total.counts.countries)
        guard dimension == .campaign, !countries.shown.isEmpty else { return "" }
        let table = PageTable(
            rowHead: dimension.title, caption: "Installs and redownloads by country", columns: countries.columns,
            isSortable: true)
        let rows = HTML.each(numberedCampaigns) { each in
            table.row(each.line.titleHTML(isAlone: true), network: each.network, countries.cells(each.line.counts))
        }
        return """
            <section><h2 id="countries">Countries</h2>
            <p>A postback names the country only where the crowd of installs there is large, so small countries are \
            missing more often than large ones.</p>
            \(table.head)\(table.row("All", kind: "sum", countries.cells(total.counts)))\(table.nextBody)\(rows)\
            \(table.end)</section>

            """
    }
}

/// The countries with most installs, each in a column.
private struct CountryColumns {
    let shown: [CountryCode]
    private let hasOthers: Bool

    private static var most: Int { 6 }

    init(_ counts: CountryCounts) {
        let named = counts.countries.filter { $0.name != nil }
        shown = [CountryCode](
            named.sorted { (counts[$0], $1) > (counts[$1], $0) }.prefix(CountryColumns.most))
        hasOthers = counts.countries.contains { $0 == .unknown } || named.count > shown.count
    }

    var columns: [PageColumn] {
        shown.map { PageColumn(name: $0.name ?? "") } + (hasOthers ? [PageColumn(name: "Others")] : [])
            + [PageColumn(name: "Not reported")]
    }

    func cells(_ counts: LineCounts) -> [PageCell] {
        let countries = counts.countries
        let others = countries.countries.filter { $0 != .notReported && !shown.contains($0) }
            .reduce(0) { $0 + countries[$1] }
        let counts = shown.map { countries[$0] } + (hasOthers ? [others] : []) + [countries[.notReported]]
        return counts.map { PageCell(count: $0) }
    }
}

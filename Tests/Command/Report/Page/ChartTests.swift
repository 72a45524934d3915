import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

struct ChartTests {
    private func chart(_ bars: ChartBarForm, _ rows: [[UInt64?]], labelledEach: Int? = nil) -> Chart {
        let series: [StaticString] = ["one", "two", "three"]
        var chart = Chart(
            id: "id", title: "A & B", description: "What it is.", labelHead: "Line",
            series: [StaticString](series.prefix(rows.first?.count ?? 1)), bars: bars, labelledEach: labelledEach)
        for (place, row) in rows.enumerated() {
            let figures = row.map { $0.map { ChartFigure(count: $0) } ?? .unknown }
            chart.rows.append(ChartRow(label: "row \(place)", figures: figures))
        }
        return chart
    }

    /// An attribute of each rectangle of a series.
    private func attribute(_ name: String, of series: String, in html: HTML) -> [String] {
        html.text.components(from: "<rect class=\"\(series)", to: "/>").map { rectangle in
            rectangle.components(from: " \(name)=\"", to: "\"").first ?? ""
        }
    }

    @Test func theLongestOfBarsBesideEachOtherIsWide() {
        let html = chartOfBars(chart(.beside, [[1, 2], [4, 0]]))
        #expect(attribute("width", of: "s0", in: html) == ["25.000%", "100.000%"])
        #expect(attribute("width", of: "s1", in: html) == ["50.000%"])
        #expect(attribute("x", of: "s1", in: html) == ["0.000%"])
        #expect(attribute("y", of: "s0", in: html) == ["20", "80"])
        #expect(attribute("y", of: "s1", in: html) == ["35"])
        #expect(html.text.contains("height=\"120\""))
    }

    @Test func partsOfASumStandOneAfterAnother() {
        let html = chartOfBars(chart(.stacked, [[1, 1, 2], [1, 0, 7]]))
        #expect(attribute("x", of: "s2 g", in: html) == ["25.000%", "12.500%"])
        #expect(attribute("width", of: "s2 g", in: html) == ["25.000%", "87.500%"])
        #expect(attribute("y", of: "s1 g", in: html) == ["20"])
    }

    @Test func aSumCanBeTheWholeOfEachBar() {
        let html = chartOfBars(chart(.whole, [[1, 1, 1], [0, 0, 0], [3, 0, 0]]))
        #expect(attribute("width", of: "s0 g", in: html) == ["33.333%", "100.000%"])
        #expect(attribute("x", of: "s2 g", in: html) == ["66.667%"])
        #expect(attribute("width", of: "b", in: html) == ["100%", "100%", "100%"])
    }

    @Test func whatIsNotKnownIsSaid() {
        let html = chartOfBars(chart(.beside, [[3, nil]]))
        #expect(html.text.contains(">3 / -</text>"))
        #expect(html.text.contains("<td>3</td><td>not known</td>"))
    }

    @Test func longFiguresHaveALineOfTheirOwn() {
        let short = chartOfBars(chart(.beside, [[1_234_567, 123_456]])).text
        let long = chartOfBars(chart(.beside, [[123_456_789, 123_456_789]])).text
        #expect(short.contains("width=\"30.5%\" height=\"20\"") && short.contains("y=\"14\">"))
        #expect(long.contains("width=\"100.0%\" height=\"20\"") && long.contains("y=\"34\">"))
    }

    @Test func titleAndFiguresAreThereForThoseWhoDoNotSeeTheDrawing() {
        let html = chartOfBars(chart(.beside, [[1, 2]])).text
        #expect(html.contains("aria-labelledby=\"id-t\" aria-describedby=\"id-d\""))
        #expect(html.contains("<title id=\"id-t\">A &amp; B</title>"))
        #expect(html.contains("<desc id=\"id-d\">What it is. The figures are in the table below.</desc>"))
        #expect(html.contains("<th scope=\"row\"><bdi>row 0</bdi></th><td>1</td><td>2</td></tr>"))
    }

    @Test func oneSeriesNeedsNoKey() {
        #expect(!chartOfColumns(chart(.beside, [[1]])).text.contains("class=\"key\""))
        #expect(chartOfBars(chart(.beside, [[1, 2]])).text.contains("<span class=\"k1\"></span>two</span>"))
    }

    @Test func columnsStandOnTheLowerLine() {
        let html = chartOfColumns(chart(.beside, [[0], [2], [4]], labelledEach: 8))
        #expect(attribute("height", of: "s0", in: html) == ["0.00", "80.00", "160.00"])
        #expect(attribute("y", of: "s0", in: html) == ["180.00", "100.00", "20.00"])
        #expect(attribute("x", of: "s0", in: html) == ["3.333%", "36.667%", "70.000%"])
        #expect(html.text.contains("<text x=\"0\" y=\"14\">4</text>"))
    }

    @Test func columnsWithoutFiguresAreFlat() {
        let html = chartOfColumns(chart(.beside, [[0], [0]]))
        #expect(attribute("height", of: "s0", in: html) == ["0.00", "0.00"])
    }

    /// A label near the last one would lie over it.
    @Test func labelsOfColumnsKeepApart() {
        func labels(_ count: Int, each step: Int) -> [String] {
            let rows = [[UInt64?]](repeating: [1], count: count)
            let html = chartOfColumns(chart(.beside, rows, labelledEach: step)).text
            return html.components(from: " text-anchor=\"", to: "</text>")
        }
        #expect(labels(1, each: 1) == ["start\">row 0"])
        #expect(labels(9, each: 8) == ["start\">row 0", "end\">row 8"])
        #expect(labels(12, each: 8) == ["start\">row 0", "end\">row 11"])
        #expect(labels(13, each: 8) == ["start\">row 0", "middle\">row 8", "end\">row 12"])
    }

    @Test func chartsOfAboutOneHeightStandBesideEachOtherAndOthersAreWide() {
        let charts = [2, 20, 3, 19, 2].map { chart(.beside, [[UInt64?]](repeating: [1], count: $0)) }
        let placed = paired(charts)
        #expect(placed.map(\.rows.count) == [2, 3, 20, 19, 2])
        #expect(placed.map(\.isWide) == [false, false, false, false, true])
        var text = ""
        writeSection("Title", charts + [chart(.beside, [])]) { text += $0.text }
        #expect(text.components(from: "<figure class=\"w\"", to: ">").count == 1)
        #expect(text.components(from: "<figcaption>", to: "<").count == 5)
    }

    @Test func aColumnSaysUnderThePointerWhatItShows() {
        var values = chart(.beside, [[1200]], labelledEach: 8)
        values.rows[0].note = "2+ sessions"
        #expect(chartOfColumns(values).text.contains("<g><title>row 0: 1,200; 2+ sessions</title><rect"))
    }
}

extension String {
    /// What stands between the two, wherever they are.
    fileprivate func components(from start: String, to end: String) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let opened = rest.firstRange(of: start) {
            rest = rest[opened.upperBound...]
            guard let closed = rest.firstRange(of: end) else { break }
            found.append(String(rest[..<closed.lowerBound]))
            rest = rest[closed.upperBound...]
        }
        return found
    }
}

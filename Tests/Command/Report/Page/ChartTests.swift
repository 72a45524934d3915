import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

private func frame(_ title: Message = "A & B") -> ChartFrame {
    ChartFrame(id: "id", title: title, description: "What it is.")
}

struct ColumnChartTests {
    private func chart(_ counts: [UInt64]) -> ColumnChart {
        var chart = ColumnChart(frame: frame(), labelHead: "Line", noteHead: "Note", what: "postbacks")
        for (place, count) in counts.enumerated() {
            chart.rows.append(ColumnChartRow(label: "row \(place)", count: count))
        }
        return chart
    }

    private func attribute(_ name: String, in html: HTML) -> [String] {
        html.text.pieces(from: "<rect class=\"s0", to: "/>").map {
            $0.pieces(from: " \(name)=\"", to: "\"").first ?? ""
        }
    }

    @Test func columnsStandOnTheLowerLineAndTheHighestReachesTheUpperOne() {
        let html = chart([0, 2, 4]).drawing
        #expect(attribute("height", in: html) == ["0.0", "75.0", "150.0"])
        #expect(attribute("y", in: html) == ["172.0", "97.0", "22.0"])
        #expect(attribute("x", in: html) == ["3.33%", "36.67%", "70.00%"])
        #expect(html.text.contains("<text x=\"0\" y=\"16\">4</text>"))
    }

    @Test func columnsWithoutFiguresAreFlat() {
        #expect(attribute("height", in: chart([0, 0]).drawing) == ["0.0", "0.0"])
    }

    @Test func titleAndFiguresAreThereForThoseWhoDoNotSeeTheDrawing() {
        let html = chart([1]).html.text
        #expect(html.contains("aria-labelledby=\"id-t\" aria-describedby=\"id-d\""))
        #expect(html.contains("<title id=\"id-t\">A &amp; B</title>"))
        #expect(html.contains("<desc id=\"id-d\">What it is. The figures are in the table below.</desc>"))
        #expect(html.contains("<th scope=\"row\">row 0</th><td data-l=\"postbacks\"><span>1</span></td>"))
    }

    @Test func aColumnSaysUnderThePointerWhatItShows() {
        var values = chart([1200])
        values.rows[0].note = "2+ sessions"
        #expect(values.drawing.text.contains("<g><title>row 0: 1,200; 2+ sessions</title><rect"))
    }

    @Test func labelsStayWithinTheDrawing() {
        func label(_ middle: Double) -> String { chartTick("x", at: middle).text }
        #expect(label(1).contains("x=\"0.00%\"") && label(1).contains("text-anchor=\"start\""))
        #expect(label(50).contains("x=\"50.00%\"") && label(50).contains("text-anchor=\"middle\""))
        #expect(label(99).contains("x=\"100.00%\"") && label(99).contains("text-anchor=\"end\""))
    }
}

struct TrendChartTests {
    private func chart(_ figures: [BroughtFigure], marks: [(value: Double, name: Message)] = []) -> TrendChart {
        var series = TrendSeries(name: "all", hasBand: true)
        for (place, figure) in figures.enumerated() {
            let place = Double(place) / Double(max(figures.count - 1, 1))
            series.points.append(TrendPoint(place: place, figure: figure, label: "a point"))
        }
        return TrendChart(frame: frame(), unit: .share, series: [series], marks: marks)
    }

    @Test func theLineGoesThroughTheEstimatesAndTheBandFromLowToHigh() {
        // The highest of what is drawn is 2: the upper end of the band.
        let html = chart([BroughtFigure(1, (0.5, 1.5)), BroughtFigure(1, (0, 2))]).drawing.text
        #expect(html.pieces(from: "<path class=\"l l0\" d=\"", to: "\"") == ["M0 97.0L1000 97.0"])
        #expect(html.pieces(from: "<path class=\"band\" d=\"", to: "\"") == ["M0 59.5L1000 22.0L1000 172.0L0 134.5Z"])
    }

    @Test func anEndlessIntervalDoesNotMakeTheRestSmall() {
        let html = chart([BroughtFigure(1, (0, 100)), BroughtFigure(1, (0, 1))]).drawing.text
        // Cut at twice the highest estimate.
        #expect(html.pieces(from: "<path class=\"l l0\" d=\"", to: "\"") == ["M0 97.0L1000 97.0"])
        #expect(html.contains("M0 22.0L"))
    }

    @Test func marksAreWithinTheDrawingAndNamesOfCloseOnesApart() {
        let html = chart([BroughtFigure(0.1, (0, 0.2))], marks: [(1, "100%"), (0.95, "target 95%")]).drawing.text
        let texts = html.pieces(from: "<text class=\"m\" x=\"100%\" y=\"", to: "\"").compactMap(Double.init)
        #expect(texts.count == 2)
        #expect(texts.allSatisfy { (10...172).contains($0) } && abs(texts[0] - texts[1]) >= 12)
    }

    @Test func oneLineNeedsNoKeyAndSeveralDifferInMoreThanColour() {
        #expect(!chart([BroughtFigure(1, (1, 1))]).html.text.contains("class=\"key\""))
        var two = chart([BroughtFigure(1, (1, 1))])
        two.series.append(TrendSeries(name: "<other>"))
        #expect(two.html.text.contains("class=\"l l1\"") && two.html.text.contains("<bdi>&lt;other&gt;</bdi>"))
    }

    @Test func nothingKnownIsDrawnWithoutNumbersThatAreNone() {
        let html = chart([BroughtFigure(0, (0, 0)), BroughtFigure(.infinity, (0, .infinity))]).drawing.text
        #expect(!html.contains("nan") && !html.contains("inf"))
    }
}

struct WhiskerTests {
    @Test func theScaleHoldsTheMarksAndTheIntervals() {
        let scale = WhiskerScale([BroughtFigure(0.5, (0.4, 0.6))], [(1, "100%")])
        let html = scale.whisker(BroughtFigure(0.575, (0.46, 0.69))).text
        // 1.15 is the end of the scale.
        #expect(html.contains("class=\"m m0\" x1=\"87.0%\""))
        #expect(html.contains("class=\"e\" x1=\"40.0%\" x2=\"60.0%\"") && html.contains("cx=\"50.0%\""))
        #expect(!html.contains("›"))
    }

    @Test func whatIsLongerThanTheScaleIsCutAndSaysSo() {
        let long = BroughtFigure(1, (0, 50))
        let html = WhiskerScale([long], []).whisker(long).text
        #expect(html.contains("x2=\"100.0%\"") && html.contains("›") && html.contains("cx=\"50.0%\""))
    }
}

struct ShareBarTests {
    @Test func partsOfASumStandOneAfterAnother() {
        let parts = shareBar([1, 0, 3]).text.pieces(from: "<rect ", to: "/>")
        #expect(
            parts == [
                #"class="s0" x="0.0%" width="25.0%" height="12""#, #"class="s2" x="25.0%" width="75.0%" height="12""#,
            ])
        #expect(shareBar([0, 0, 0]).text.isEmpty)
    }
}

extension String {
    /// What stands between the two, wherever they are.
    func pieces(from start: String, to end: String) -> [String] {
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

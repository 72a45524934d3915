import SKANCommandOutput
import SKANCore
import SKANTruth

extension TrendChart {
    /// The whole drawing. Lines and bands are in a box that is stretched to the page's width; points and texts are
    /// outside of the box, so that they are not distorted.
    var drawing: HTML {
        let axis = TrendAxis(self)
        var shapes: HTML = ""
        var points: HTML = ""
        for (place, each) in series.enumerated() {
            if each.hasBand { shapes += axis.band(each) }
            shapes += axis.line(each, place)
            points += HTML.each(each.points) { axis.point($0, place) }
        }
        return """
            \(HTML.each(axis.steps) { axis.grid($0, unit) })\
            <svg x="\(TrendAxis.left)%" y="0" width="\(axis.width)%" height="\(plotBottom)" \
            viewBox="0 0 1000 \(plotBottom)" preserveAspectRatio="none">\(shapes)</svg>\
            \(HTML.each(marks) { axis.mark($0.value, $0.name, besides: marks.map { $0.value }) })\(points)\
            \(HTML.each(ticks) { chartTick($0.label, at: axis.percent($0.place)) })
            """
    }
}

/// The scales of a chart, which convert places to percent of the width, and values to pixels.
private struct TrendAxis {
    /// The width of the margin to the left of the plot, in percent of the chart's width.
    static var left: Int { 9 }
    /// The width of the plot, in percent. The names of horizontal lines stand to the right of it.
    let width: Int

    private let highest: Double
    /// The values of the horizontal grid lines.
    let steps: [Double]

    /// Fits the scale to the highest estimate and horizontal line. The upper end of a band extends the scale to at most
    /// twice the highest estimate, so that a wide band does not make everything else small.
    init(_ chart: TrendChart) {
        width = chart.marks.isEmpty ? 88 : 68
        let figures = chart.series.flatMap { $0.points.map { $0.figure } }
        let estimate = figures.reduce(0) { max($0, $1.estimate) }
        let end = chart.series.filter { $0.hasBand }.flatMap { $0.points }.reduce(0) { max($0, $1.figure.high) }
        let marked = chart.marks.reduce(0) { max($0, $1.value) }
        let most = max(estimate * 1.1, min(end, estimate * 2), marked * 1.1)
        highest = most > 0 && most.isFinite ? most : 1
        steps = niceSteps(until: highest)
    }

    func percent(_ place: Double) -> Double { Double(TrendAxis.left) + place * Double(width) }

    private func height(_ value: Double) -> Double {
        Double(plotBottom) - min(max(value / highest, 0), 1) * Double(plotHeight)
    }

    func grid(_ value: Double, _ unit: FigureUnit) -> HTML {
        let y = height(value)
        let text = unit.text(value, places: unit == .amount && highest < 5 ? 2 : 0) ?? ""
        return """
            <line x1="0" x2="100%" y1="\(y, places: 1)" y2="\(y, places: 1)"/>\
            <text class="k" x="0" y="\(y - 3, places: 1)">\(text)</text>
            """
    }

    /// Returns a horizontal line, and its name in the right margin: slightly higher than the line, or slightly lower if
    /// one of `others` is just above the line.
    func mark(_ value: Double, _ name: Message, besides others: [Double]) -> HTML {
        let y = height(value)
        let isBelow = others.contains { $0 > value && y - height($0) < 16 }
        return """
            <line class="m" x1="\(TrendAxis.left)%" x2="100%" y1="\(y, places: 1)" y2="\(y, places: 1)"/>\
            <text class="m" x="100%" y="\(isBelow ? y + 12 : y - 4, places: 1)" text-anchor="end">\(name)</text>
            """
    }

    func band(_ series: TrendSeries) -> HTML {
        var path: HTML = ""
        for (place, point) in series.points.enumerated() {
            path += step(place == 0 ? "M" : "L", point, point.figure.high)
        }
        for point in series.points.reversed() { path += step("L", point, point.figure.low) }
        return "<path class=\"band\" d=\"\(path)Z\"/>"
    }

    func line(_ series: TrendSeries, _ number: Int) -> HTML {
        var path: HTML = ""
        for (place, point) in series.points.enumerated() {
            path += step(place == 0 ? "M" : "L", point, point.figure.estimate)
        }
        return "<path class=\"l l\(number)\" d=\"\(path)\"/>"
    }

    func point(_ point: TrendPoint, _ number: Int) -> HTML {
        let x: Message = "\(fixedText(percent(point.place), places: 2))%"
        let mark = trendMark(number, x: x, y: height(point.figure.estimate), isHollow: point.isForecast)
        return "<g><title>\(point.label)</title>\(mark)</g>"
    }

    private func step(_ letter: StaticString, _ point: TrendPoint, _ value: Double) -> HTML {
        "\(letter)\(point.place * 1000, places: 0) \(height(value), places: 1)"
    }
}

/// Returns up to five round values, evenly spaced from 0 to at most `highest`.
private func niceSteps(until highest: Double) -> [Double] {
    var step = 0.001
    while step * 4 < highest {
        for factor in [2, 2.5, 2] where step * 4 < highest { step *= factor }
    }
    return (0...4).map { Double($0) * step }.filter { $0 <= highest }
}

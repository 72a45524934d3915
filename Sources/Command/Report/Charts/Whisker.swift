import SKANCore
import SKANTruth

/// The scale of one column of a table that draws intervals as whiskers. It starts at 0, and vertical lines mark some
/// values.
struct WhiskerScale {
    let highest: Double
    /// The values at which each row has a vertical line, and their names.
    let marks: [(value: Double, name: Message)]

    /// `figures`: all figures that are drawn. The end of an interval extends the scale to at most twice the highest
    /// estimate, so that one very long interval does not make the others small.
    init(_ figures: [BroughtFigure], _ marks: [(value: Double, name: Message)]) {
        let estimate = figures.reduce(0) { max($0, $1.estimate) }
        let end = figures.reduce(0) { max($0, $1.high) }
        let marked = marks.reduce(0) { max($0, $1.value) }
        let most = max(min(end * 1.05, estimate * 2), estimate * 1.1, marked * 1.15)
        highest = most > 0 && most.isFinite ? most : 1
        self.marks = marks
    }

    /// Returns the drawing of an interval and its estimate, on top of the vertical lines. Screen readers skip the
    /// drawing, because the numbers stand beside it.
    func whisker(_ figure: BroughtFigure) -> HTML {
        let isCut = figure.high > highest
        let arrow: HTML = isCut ? "<text x=\"100%\" y=\"12\" text-anchor=\"end\">›</text>" : ""
        let (low, high) = (percent(figure.low), percent(figure.high))
        return """
            <svg class="w" width="100%" height="16" aria-hidden="true">\(lines)\
            <line class="e" x1="\(low, places: 1)%" x2="\(high, places: 1)%" y1="8" y2="8"/>\
            \(arrow)<circle cx="\(percent(figure.estimate), places: 1)%" cy="8" r="4"/></svg>
            """
    }

    /// The names of the vertical lines, for the column's heading. Each name has a row of its own, since the lines may
    /// be close together.
    var axis: HTML {
        guard !marks.isEmpty else { return "" }
        var names: HTML = ""
        for (line, mark) in marks.enumerated() {
            let x = percent(mark.value)
            let anchor: StaticString = x > 75 ? "end" : x < 25 ? "start" : "middle"
            names +=
                "<text x=\"\(x, places: 1)%\" y=\"\(11 + 13 * line)\" text-anchor=\"\(anchor)\">\(mark.name)</text>"
        }
        return "<svg class=\"w\" width=\"100%\" height=\"\(marks.count * 13 + 2)\" aria-hidden=\"true\">\(names)</svg>"
    }

    private var lines: HTML {
        var lines: HTML = ""
        for (place, mark) in marks.enumerated() {
            let x = percent(mark.value)
            lines += "<line class=\"m m\(place)\" x1=\"\(x, places: 1)%\" x2=\"\(x, places: 1)%\" y2=\"16\"/>"
        }
        return lines
    }

    private func percent(_ value: Double) -> Double { min(max(value / highest, 0), 1) * 100 }
}

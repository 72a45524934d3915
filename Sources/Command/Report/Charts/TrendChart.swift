import SKANCore
import SKANTruth

/// A chart of estimates along time: lines through the estimates, and bands for the intervals of some.
struct TrendChart {
    let frame: ChartFrame
    let unit: FigureUnit
    var series: [TrendSeries] = []
    /// Values that are marked by a horizontal line, each with its name.
    var marks: [(value: Double, name: Message)] = []
    /// Labels below the drawing, each at a place from 0 to 1.
    var ticks: [(place: Double, label: Message)] = []

    var html: HTML { frame.html(key: key, drawing: drawing, table: "") }

    /// What lines mean; empty if there is only one.
    private var key: HTML {
        guard series.count > 1 else { return "" }
        var names: HTML = ""
        for (place, each) in series.enumerated() {
            names += """
                <span><svg aria-hidden="true" width="30" height="12"><line class="l l\(place)" x1="0" x2="30" y1="6" \
                y2="6"/>\(trendMark(place, x: "15", y: 6))</svg><bdi>\(each.name)</bdi></span>

                """
        }
        return "<p class=\"key\">\(names)</p>\n"
    }
}

/// A line of a chart, whose place among the others decides its colour and form.
struct TrendSeries {
    let name: Message
    var hasBand = false
    var points: [TrendPoint] = []
}

struct TrendPoint {
    /// The part of the width before it, from 0 to 1.
    let place: Double
    let figure: BroughtFigure
    /// What the pointer shows.
    let label: Message
    /// Whether most of it is still to come.
    var isForecast = false
}

/// A point of a line. `x`: a length of SVG.
func trendMark(_ place: Int, x: Message, y: Double, isHollow: Bool = false) -> HTML {
    let hollow: StaticString = isHollow ? " o" : ""
    return "<circle class=\"p\(place)\(hollow)\" cx=\"\(x)\" cy=\"\(y, places: 1)\" r=\"\(place == 0 ? 4 : 3)\"/>"
}

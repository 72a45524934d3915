import SKANCore
import SKANTruth

/// A chart of estimates over time. Each series is a line through its estimates; some have a band for their intervals.
struct TrendChart {
    let frame: ChartFrame
    let unit: FigureUnit
    var series: [TrendSeries] = []
    /// Values that are marked by a horizontal line, each with its name.
    var marks: [(value: Double, name: Message)] = []
    /// Labels below the drawing, each at a place from 0 (left) to 1 (right).
    var ticks: [(place: Double, label: Message)] = []

    var html: HTML { frame.html(key: key, drawing: drawing, table: "") }

    /// The legend with the names of the lines; empty if there is only one line.
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

/// A line of a chart. The line's index in the chart decides its colour and dashes.
struct TrendSeries {
    let name: Message
    var hasBand = false
    var points: [TrendPoint] = []
}

struct TrendPoint {
    /// The horizontal position in the plot, from 0 (left) to 1 (right).
    let place: Double
    let figure: BroughtFigure
    /// The text shown while the pointer is over the point.
    let label: Message
    /// Whether the figure is partly a forecast. If so, the point is hollow.
    var isForecast = false
}

/// Returns the circle of a point. `place`: the index of the point's line in the chart. `x`: an SVG length: "15", "40%".
func trendMark(_ place: Int, x: Message, y: Double, isHollow: Bool = false) -> HTML {
    let hollow: StaticString = isHollow ? " o" : ""
    return "<circle class=\"p\(place)\(hollow)\" cx=\"\(x)\" cy=\"\(y, places: 1)\" r=\"\(place == 0 ? 4 : 3)\"/>"
}

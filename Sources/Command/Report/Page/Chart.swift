import SKANCommandRows
import SKANCore

/// A chart of the page: rows of figures, drawn as SVG and repeated in a table below it.
struct Chart {
    /// The chart's id, unique on the page.
    let id: Message
    var title: Message
    /// Describes the form of the chart for readers who cannot see it.
    let description: Message
    /// The heading above the rows' labels in the table.
    let labelHead: StaticString
    /// The heading above the rows' notes; nil if they have none.
    var noteHead: StaticString?
    let series: [StaticString]
    var bars = ChartBarForm.beside
    /// The distance between labelled columns, in columns; nil for a chart of bars.
    var labelledEach: Int?
    var rows: [ChartRow] = []
    /// A remark below the drawing.
    var remark: Message?
    /// Terms and their meanings, below the drawing.
    var meanings: [(term: Message, meaning: Message)] = []
    /// Whether it takes the full width of the page rather than one of two columns.
    var isWide = false

    /// The size of the longest bar.
    var longest: Double {
        var longest = 0.0
        for row in rows { longest = max(longest, bars == .beside ? row.largest : row.sum) }
        return longest
    }
}

/// The arrangement of a row's bars.
enum ChartBarForm {
    /// One bar for each figure, below each other.
    case beside
    /// One bar, in which the figures are parts of their sum.
    case stacked
    /// One bar as wide as the drawing.
    case whole
}

struct ChartRow {
    let label: Message
    /// One figure for each series of the chart.
    let figures: [ChartFigure]
    var note: Message?

    var sum: Double { figures.reduce(0) { $0 + $1.size } }
    var largest: Double { figures.reduce(0) { max($0, $1.size, $1.interval?.high ?? 0) } }
}

struct ChartFigure {
    /// The size, used only for drawing.
    let size: Double
    /// nil if it is not known.
    let text: Message?
    /// The confidence interval, drawn over the bar; only for bars below each other.
    var interval: (low: Double, high: Double)?

    static var unknown: ChartFigure { ChartFigure(size: 0, text: nil) }

    init(size: Double, text: Message?) {
        self.size = size
        self.text = text
    }

    init(count: UInt64) { self.init(size: Double(count), text: count.readable) }
}

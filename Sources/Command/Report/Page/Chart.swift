internal import SKANCommandRows
internal import SKANCore

/// A chart of the page: rows of figures, drawn as SVG and told in a table below it.
struct Chart {
    /// The chart's id, unique on the page.
    let id: Message
    var title: Message
    /// What a reader who does not see it needs to know of its form.
    let description: Message
    /// The heading above the rows' labels in the table.
    let labelHead: StaticString
    /// The heading above their notes; nil: they have none.
    var noteHead: StaticString?
    let series: [StaticString]
    var bars = ChartBarForm.beside
    /// The number of columns of which one has a label; nil: it is a chart of bars.
    var labelledEach: Int?
    var rows: [ChartRow] = []
    /// What a reader has to know beside the drawing; below it.
    var remark: Message?
    /// Terms and what they mean, below the drawing.
    var meanings: [(term: Message, meaning: Message)] = []
    /// Whether it has the page's width, or stands in one of two columns.
    var isWide = false

    /// The longest bar.
    var longest: Double {
        var longest = 0.0
        for row in rows { longest = max(longest, bars == .beside ? row.largest : row.sum) }
        return longest
    }
}

/// How the bars of a row's figures stand.
enum ChartBarForm {
    /// One bar for each figure, one below the other.
    case beside
    /// One bar, with the figures as parts of their sum.
    case stacked
    /// A single bar that is as long as the drawing is wide.
    case whole
}

struct ChartRow {
    let label: Message
    /// One for each series of the chart.
    let figures: [ChartFigure]
    var note: Message?

    var sum: Double { figures.reduce(0) { $0 + $1.size } }
    var largest: Double { figures.reduce(0) { max($0, $1.size, $1.interval?.high ?? 0) } }
}

struct ChartFigure {
    /// The size, for drawing alone.
    let size: Double
    /// nil: not known.
    let text: Message?
    /// The interval that the truth is in, drawn over the bar; bars beside each other alone have it.
    var interval: (low: Double, high: Double)?

    static var unknown: ChartFigure { ChartFigure(size: 0, text: nil) }

    init(size: Double, text: Message?) {
        self.size = size
        self.text = text
    }

    init(count: UInt64) { self.init(size: Double(count), text: count.readable) }
}

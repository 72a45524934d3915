import SKANCommandRows
import SKANCore

/// Small columns in a cell of a table, one for each week. Heights are relative to the row's largest week, so that a row
/// shows how its campaign developed, not how large the campaign is.
struct WeekColumns {
    private(set) var counts: [UInt64] = []
    private var whole: HTML = ""
    private var cut: HTML = ""

    /// `counts`: the count of each week. `isWhole`: returns whether the week at an index is over and wholly in the
    /// period that the report covers.
    init(_ counts: [UInt64], isWhole: (Int) -> Bool) {
        self.counts = counts
        let most = Double(max(counts.max() ?? 0, 1))
        for (place, count) in counts.enumerated() where count > 0 {
            let height = max(Double(count) / most * Double(WeekColumns.height), 1)
            let column: HTML = "M\(place * 4 + 2) \(WeekColumns.height)v-\(height, places: 1)"
            if isWhole(place) { whole += column } else { cut += column }
        }
    }

    private static var height: Int { 22 }

    /// Returns the drawing, with all counts as text for readers who cannot see it.
    func html(_ name: Message) -> HTML {
        var words: HTML = "\(name):"
        for (place, count) in counts.enumerated() {
            let separator: StaticString = place == 0 ? " " : ", "
            words += "\(separator)\(count.readable)"
        }
        return """
            <svg class="v" role="img" width="100%" height="\(WeekColumns.height)" \
            viewBox="0 0 \(counts.count * 4) \(WeekColumns.height)" preserveAspectRatio="none">\
            <title>\(words)</title><path d="\(whole)"/><path class="o" d="\(cut)"/></svg>
            """
    }
}

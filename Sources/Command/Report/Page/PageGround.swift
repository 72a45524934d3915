import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// The paragraph on what the answer is based on, and on why values are hidden.
    var ground: HTML {
        let figures = Figures(total.counts, .installs)
        let (hidden, installs) = figures.withoutValue
        guard installs > 0 else { return "" }
        let missing: HTML =
            hidden == 0
            ? "and all carried a value."
            : """
            but <a href="#values">\(percent(hidden, installs)) carried no value</a>: Apple leaves values out where the \
            crowd of installs is small.
            """
        return
            "<p class=\"ground\">Postbacks report \(installs.readable) installs and redownloads, \(missing)\(own)</p>\n"
    }

    /// The sentence on the app's own installs that the estimates are made from; empty without estimates.
    private var own: HTML {
        guard let basis, total.brought?[.toDate].figure != nil else { return "" }
        return """
             Estimates assume that they bring what the app’s own <a href="#basis">\
            \(basis.installs[Horizon.toDate.rawValue].readable) installs</a> with the same values brought; 95 of 100 \
            intervals in brackets contain the true figure.
            """
    }

    /// The warnings, folded under a line with their number; empty if there are none.
    var care: HTML {
        let estimates = (basis?.warnings ?? []).map { $0.sentence(networkTitles) }
        let data = qualityWarnings
        guard !estimates.isEmpty || !data.isEmpty else { return "" }
        let items = HTML.each(estimates + data) { "<li>\($0)</li>\n" }
        let count = UInt64(estimates.count + data.count)
        let of: StaticString =
            estimates.isEmpty ? "the data" : data.isEmpty ? "the estimates" : "the estimates and the data"
        return """
            <details class="care"><summary><strong>Take care:</strong> \(count.readable) warning\(plural(count)) about \
            \(of)\
            </summary><ul>
            \(items)</ul></details>

            """
    }
}

private func percent(_ part: UInt64, _ whole: UInt64) -> Message { "\(percentText(part, of: whole) ?? "0")%" }

import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// The menus for the horizon and the network. They are hidden unless the page's script runs.
    var controls: HTML {
        let choices = "\(horizonChoice)\(networkChoice)" as HTML
        return choices.utf8.isEmpty ? "" : "<form class=\"controls\" hidden>\(choices)</form>\n"
    }

    private var horizonChoice: HTML {
        guard measure?.isEstimated == true, horizons.count > 1 else { return "" }
        let options = HTML.each(horizons) { horizon in
            let selected: HTML = horizon == shownHorizon ? " selected" : ""
            let by: StaticString = horizon == .toDate ? "" : "by "
            return "<option value=\"\(horizon.key)\"\(selected)>\(by)\(horizon.words)</option>"
        }
        return "<label>Return and revenue <select name=\"horizon\" autocomplete=\"off\">\(options)</select></label>\n"
    }

    private var networkChoice: HTML {
        let networks = networkTitles
        guard networks.count > 1 else { return "" }
        var options: HTML = "<option value=\"\">All networks</option>"
        for (number, title) in networks.enumerated() { options += "<option value=\"\(number)\">\(title)</option>" }
        return "<label>Tables of <select name=\"network\" autocomplete=\"off\">\(options)</select></label>\n"
    }
}

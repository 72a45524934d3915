import SKANCommandRows
import SKANCore

extension ReportLine {
    /// Returns the title of a row: the name, then the id. `isAlone`: whether the network has no row of its own above
    /// this one; the title of a campaign or an ad set then names the network, too.
    func titleHTML(isAlone: Bool) -> HTML {
        let network: HTML = isAlone && level >= .campaign ? "\(pieces(networkTitle))" : ""
        let parts = titleParts
        let id: HTML = parts.id.map { "\(pieces($0))" } ?? ""
        if id.utf8.isEmpty && network.utf8.isEmpty { return "<bdi>\(parts.title)</bdi>" }
        let separator: HTML = id.utf8.isEmpty || network.utf8.isEmpty ? "" : " · "
        return "<bdi>\(parts.title)</bdi> <small>\(id)\(separator)\(network)</small>"
    }
}

/// Returns an id or a network's name as HTML. A short one stays on one line; a longer one may break after dots.
private func pieces(_ id: [UInt8]) -> HTML {
    guard characters(id) > longestWhole else { return "<bdi class=\"id\">\(id)</bdi>" }
    var text: HTML = ""
    for part in id.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
        if !text.utf8.isEmpty { text += ".<wbr>" }
        text += "\([UInt8](part))"
    }
    return "<bdi>\(text)</bdi>"
}

/// The maximum number of characters of an id that stays on one line.
private var longestWhole: Int { 26 }

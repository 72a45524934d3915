import SKANCommandRows
import SKANCore

extension ReportLine {
    /// The title of a row: the name, then the id. `isAlone`: no row of the network stands above, so the title of a
    /// campaign or an ad set names the network, too.
    func titleHTML(isAlone: Bool) -> HTML {
        let network: HTML = isAlone && level >= .campaign ? "\(pieces(networkTitle))" : ""
        let parts = titleParts
        let id: HTML = parts.id.map { "\(pieces($0))" } ?? ""
        if id.utf8.isEmpty && network.utf8.isEmpty { return "<bdi>\(parts.title)</bdi>" }
        let separator: HTML = id.utf8.isEmpty || network.utf8.isEmpty ? "" : " · "
        return "<bdi>\(parts.title)</bdi> <small>\(id)\(separator)\(network)</small>"
    }
}

/// An id or a name of a network. It stays on one line where it fits, and otherwise breaks only after dots.
private func pieces(_ id: [UInt8]) -> HTML {
    guard characters(id) > longestWhole else { return "<bdi class=\"id\">\(id)</bdi>" }
    var text: HTML = ""
    for part in id.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
        if !text.utf8.isEmpty { text += ".<wbr>" }
        text += "\([UInt8](part))"
    }
    return "<bdi>\(text)</bdi>"
}

/// The number of characters of an id that stands on one line in any table.
private var longestWhole: Int { 26 }

import SKANCommandOutput
import SKANCommandRows
import SKANCore

/// The opens of one reference.
struct OpenLine {
    /// The reference that the app gave to these opens; empty if it gave none.
    let reference: [UInt8]
    let counts: OpenCounts
    /// The index of the report's line that the reference names; nil if the reference names no line, or several.
    let line: Int?

    var title: [UInt8] { reference.isEmpty ? [UInt8]("no reference".utf8) : reference }
}

extension ReportedOpens {
    /// Returns a line for each reference, those with most opens first. A reference may name a campaign or an ad set of
    /// the report: by its identifier, by its name, or by the network's id, a slash and the identifier.
    func lines(of report: [ReportLine]) -> [OpenLine] {
        let named = NamedLines(report)
        let found = references.map { OpenLine(reference: $0.key, counts: $0.value, line: named.place(of: $0.key)) }
        return found.sorted {
            $0.counts.opens != $1.counts.opens
                ? $0.counts.opens > $1.counts.opens : $0.reference.lexicographicallyPrecedes($1.reference)
        }
    }
}

/// The names by which references may refer to a report's campaigns and ad sets. Lines of countries and source apps have
/// no such names.
private struct NamedLines {
    private var places: [[UInt8]: Int] = [:]
    /// Names that several lines share.
    private var ambiguous: Set<[UInt8]> = []

    init(_ report: [ReportLine]) {
        for (place, line) in report.enumerated() where line.level >= .campaign && line.dimension == .campaign {
            for name in line.referenceNames {
                guard let known = places[name] else {
                    places[name] = place
                    continue
                }
                // An identifier that a campaign shares with one of its ad sets names the campaign.
                if report[known].level == line.level || report[known].network != line.network { ambiguous.insert(name) }
            }
        }
    }

    /// nil if the reference names no line, or several.
    func place(of reference: [UInt8]) -> Int? { ambiguous.contains(reference) ? nil : places[reference] }
}

extension ReportLine {
    fileprivate var referenceNames: [[UInt8]] {
        guard let identifier = identifier.known else { return [] }
        var names = [identifier]
        if let network = network.known { names.append(network + [UInt8(ascii: "/")] + identifier) }
        let name = level == .adSet ? adSet : name ?? []
        if !name.isEmpty, name != identifier { names.append(name) }
        return names
    }
}

/// A figure of opens: its name in each form, and its value.
struct OpenFigure {
    let key: StaticString
    let head: StaticString
    let title: StaticString
    let count: (OpenCounts) -> UInt64

    static var all: [OpenFigure] {
        [
            OpenFigure(key: "opens", head: "opens", title: "Opens") { $0.opens },
            OpenFigure(key: "tagged", head: "tagged", title: "With a conversion tag") { $0.tagged },
            OpenFigure(key: "superseded", head: "superseded", title: "Superseded by a later one") { $0[.superseded] },
            OpenFigure(key: "ended_by_host", head: "by host", title: "Ended by the host") { $0[.host] },
            OpenFigure(key: "invalid_tag", head: "bad tag", title: "Tag refused by Apple") { $0[.invalidTag] },
            OpenFigure(key: "tag_not_supported", head: "no tags", title: "Tags not supported") {
                $0[.tagNotSupported]
            },
        ]
    }
}

extension Report {
    /// The maximum number of references in the table and on the page; those with most opens are shown.
    static var mostReferences: Int { 100 }

    /// Returns a text with the number of references that are not shown; nil if all are shown. `count`: the number of
    /// all references.
    func opensLeft(_ count: Int) -> Message? {
        count > Report.mostReferences ? "and \((count - Report.mostReferences).readable) more references" : nil
    }

    var opensNote: Message {
        """
        Opens are what the app reported to libskan, as far as installs keep them, six at most each; re-engagements are \
        what Apple reported. Apple leaves out some of them and sends the others days later.
        """
    }

    /// Returns the number of re-engagements that Apple reported for the line that a reference names; nil if the
    /// reference names no line.
    func reengagements(_ open: OpenLine) -> UInt64? {
        open.line.map { Figures(lines[$0].counts, .reengagements).conversions[.reengagement] }
    }
}

package import SKANCommandOutput
package import SKANCore
internal import SKANSystem

/// What `skan model export` is asked for.
package struct ExportRequest {
    package enum Form: Sendable {
        case rows, ga4
    }

    package var form: Form
    package var map = EventMap()
    package var isCSV = false
    /// GA4: Google's SDK sets values too, and the schema goes to linked accounts.
    package var isApplied = false
    /// What can be said is printed although something cannot.
    package var isPartial = false

    package init(_ form: Form) { self.form = form }
}

/// Prints a model in a vendor's form. Answers `found` where that cannot say all of it, which was said.
@export(interface)
package func exportModel(_ file: ModelFile, _ request: ExportRequest) -> ExitCode {
    switch request.form {
    case .rows:
        for note in unusedMeasures(of: file.model) { complain(file.name, "note: \(note)") }
        if request.isCSV {
            for row in rowTable(of: file.model, request.map) { StandardOutput.write(row) }
        } else {
            StandardOutput.line(rowDocument(of: file.model, request.map))
        }
        return .fine
    case .ga4:
        let export = GA4Export(file.model, request.map)
        for note in export.notes { complain(file.name, "note: \(note)") }
        for refusal in export.refusals { complain(file.name, refusal) }
        if export.refusals.isEmpty || request.isPartial {
            StandardOutput.line(export.document(isApplied: request.isApplied))
        }
        return export.refusals.isEmpty ? .fine : .found
    }
}

/// The row form of a model, with one network's names of the events.
@export(interface)
package func rowDocument(of model: ConversionModel, _ map: EventMap) -> Message {
    var json = JSONWriter(capacity: 16_384)
    json.writeRows(of: model, map)
    return Message(utf8: json.finish().array)
}

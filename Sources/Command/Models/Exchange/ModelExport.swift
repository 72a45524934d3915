package import SKANCommandOutput
package import SKANCore
import SKANSystem

/// The options of `skan model export`.
package struct ExportRequest {
    package enum Form: Sendable {
        case rows, ga4, reportingPack
    }

    package var form: Form
    package var map = EventMap()
    package var isCSV = false
    /// Whether Google's SDK also sets values by the GA4 schema, and the schema is passed to linked accounts.
    package var isApplied = false
    /// Whether to print the parts of the model that can be expressed, even if others cannot.
    package var isPartial = false
    /// The app's id in the rows of App Reporting Pack; nil for the model's id.
    package var app: [UInt8]?

    package init(_ form: Form) { self.form = form }
}

/// Prints a model in a vendor's form. Returns `.found`, after reporting the parts at fault, if the form cannot express
/// all of the model.
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
    case .reportingPack:
        let export = ReportingPackExport(file.model, request.map, app: request.app)
        for note in export.notes { complain(file.name, "note: \(note)") }
        for refusal in export.refusals { complain(file.name, refusal) }
        if export.refusals.isEmpty || request.isPartial { for line in export.lines { StandardOutput.write(line) } }
        return export.refusals.isEmpty ? .fine : .found
    }
}

/// Returns a model in row form as JSON. Events have the names that the map gives them.
@export(interface)
package func rowDocument(of model: ConversionModel, _ map: EventMap) -> Message {
    var json = JSONWriter(capacity: 16_384)
    json.writeRows(of: model, map)
    return Message(utf8: json.finish().array)
}

package import SKANCommandOutput
import SKANCore
package import SKANSystem

/// Imports a vendor's document and prints the model. Returns `.found`, after reporting the parts at fault, if a model
/// cannot express all of the document.
@export(interface)
package func importModel(_ path: CText, _ request: ImportRequest) throws(CommandEnd) -> ExitCode {
    let name: Message = path.isStandardInput ? "standard input" : path.message
    var imported: ImportedModel
    switch request.form {
    case .appsFlyer:
        imported = try importAppsFlyer(path, request)
    case .rowTable:
        imported = try importRowTable(path, request)
    case .reportingPack:
        imported = try importReportingPack(path, request)
    default:
        let bytes = try readDocument(path, name)
        imported = try bytes.withBytes { bytes throws(CommandEnd) in
            let root = try VendorObject(document: bytes, name: name)
            return switch request.form {
            case .meta: try importMeta(root, request)
            case .tikTok: try importTikTok(root, request)
            case .rows: try importRows(root, request)
            default: try importGA4(root, request)
            }
        }
    }
    if imported.model.id.isEmpty { imported.model.id = idOfFile(path) }
    imported.model.leaveOutRulesThatNeverWin(&imported)
    imported.model.putInOrder()
    for note in imported.notes { complain(name, "note: \(note)") }
    for refusal in imported.refusals { complain(name, refusal) }
    if imported.refusals.isEmpty || request.isPartial {
        let version = try imported.model.printIfRight()
        if let former = imported.formerVersion, former != version {
            complain(name, "note: the rows are those of the model \(Message(utf8: former)), written in another way")
        }
    }
    return imported.refusals.isEmpty ? .fine : .found
}

private func readDocument(_ path: CText, _ name: Message) throws(CommandEnd) -> [UInt8] {
    let limit = 1_048_576
    do throws(FileTrouble) {
        return try readFile(path, limit: limit, isStandardInput: path.isStandardInput)
    } catch {
        throw .complaint(name, error.words(limit: limit))
    }
}

/// Returns a model id made from the last part of the path.
private func idOfFile(_ path: CText) -> [UInt8] {
    if path.isStandardInput { return [UInt8](StaticString("import").bytes) }
    let name = path.message.utf8.split(separator: UInt8(ascii: "/")).last.map { [UInt8]($0) } ?? []
    let id = name.prefix(Limits.modelIDBytes).map { $0 >= 0x20 && $0 <= 0x7E ? $0 : UInt8(ascii: "-") }
    return id.isEmpty ? [UInt8](StaticString("import").bytes) : id
}

internal import SKANCommandOutput
internal import SKANCore

/// What `skan model check` says of a model that is right.
@export(interface)
package func printModelCheck(_ file: ModelFile) {
    let model = file.model
    StandardOutput.line("OK")
    StandardOutput.line("id        \(Message(utf8: model.id))")
    StandardOutput.line("version   \(Message(writing: model.version.write))")
    StandardOutput.line("protocol  SKAN \(model.protocolVersion.rawValue)")
    let rules: [Message] = model.windows.indices.map { "window \($0): \(model.windows[$0].rules.count)" }
    StandardOutput.line("rules     \(listed(rules))")
    for note in file.notes { StandardOutput.line("note: \(note)") }
}

internal import SKANCommandOutput
internal import SKANCore

/// Rows of a table: a label, and what stands behind it.
enum TableRow { static var labelWidth: Int { 17 } }

func printRow(_ label: StaticString, _ text: Message) {
    StandardOutput.line("\(padded("\(label)", to: TableRow.labelWidth))\(text)")
}

/// The open window of a conversion and its end, or the time at which the last one closed.
func windowText(_ conversion: Conversion, at now: Int64) -> Message {
    guard let first = conversion.first, let end = conversion.closesAt else { return "none: not registered" }
    guard let window = conversion.window(at: now) else { return "closed since \(utcText(end))" }
    let next = Window(rawValue: window.rawValue &+ 1)
    let until = conversion.protocolVersion == .skan3 ? end : next.map { Window.skan4Start($0, first: first) } ?? end
    return "\(window.rawValue), until \(utcText(until))"
}

import SKANCommandOutput
import SKANCore
import SKANSystem

/// The rows that show a re-engagement of an install to people. Its conversion tag is a secret of the device and is not
/// shown.
struct ReengagementRows {
    private let reengagement: Reengagement
    private let now: Int64

    init(_ reengagement: Reengagement, now: Int64) {
        self.reengagement = reengagement
        self.now = now
    }

    private var conversion: Conversion { reengagement.conversion }

    func print() {
        StandardOutput.write("\n")
        printRow("re-engagement", "number \(reengagement.number), since \(utcText(reengagement.start))")
        if !reengagement.reference.isEmpty {
            printRow("reference", reengagement.reference.withUnsafeBytes { escapedForTerminal($0) })
        }
        printRow("window", window)
        printRow("fine value", conversion.fine.map { "\($0)" } ?? "-")
        printRow("coarse value", windows { conversion.windows[$0].coarse.map { "\(coarseName($0))" } })
        printRow("locked", windows { conversion.windows[$0].lock.map { utcText($0) } })
        printRow("update", update)
        printRow("IAP revenue", revenue(.iap))
        printRow("ads revenue", revenue(.ad))
    }

    private var window: Message {
        if let ended = reengagement.ended { return "ended: \(ended.name)" }
        return windowText(conversion, at: now)
    }

    private func windows(_ text: (Window) -> Message?) -> Message {
        joined(Window.all.map { text($0) ?? "-" })
    }

    private var update: Message {
        guard let update = conversion.lastUpdate else { return "none" }
        let delivery: StaticString = conversion.isLastUpdateDelivered ? "delivered" : "not delivered"
        return "number \(update.id), window \(update.window.rawValue), \(delivery)"
    }

    /// Amounts are in the currency of the re-engagement's model.
    private func revenue(_ kind: RevenueKind) -> Message {
        let sums = reengagement.sums
        return """
            \(Message(writing: sums.sum(kind, ofWindow: false).write)) since the tap, \
            \(Message(writing: sums.sum(kind, ofWindow: true).write)) in window \(reengagement.window.rawValue)
            """
    }
}

private func joined(_ texts: [Message]) -> Message {
    texts.dropFirst().reduce(texts.first ?? "") { "\($0), \($1)" }
}

/// The width of the labels of a table's rows, in characters.
enum TableRow { static var labelWidth: Int { 17 } }

func printRow(_ label: StaticString, _ text: Message) {
    StandardOutput.line("\(padded("\(label)", to: TableRow.labelWidth))\(text)")
}

/// Returns the open window of a conversion and its end, or the time at which the last window closed.
func windowText(_ conversion: Conversion, at now: Int64) -> Message {
    guard let first = conversion.first, let end = conversion.closesAt else { return "none: not registered" }
    guard let window = conversion.window(at: now) else { return "closed since \(utcText(end))" }
    let next = Window(rawValue: window.rawValue + 1)
    let until = conversion.protocolVersion == .skan3 ? end : next.map { Window.skan4Start($0, first: first) } ?? end
    return "\(window.rawValue), until \(utcText(until))"
}

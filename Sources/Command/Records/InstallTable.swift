import CSKANSystem
import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

/// A table that shows one install to people. Times are in UTC.
struct InstallTable {
    private let id: Bytes
    private let state: InstallState
    private let now: Int64

    init(_ id: Bytes, _ state: InstallState, now: Int64) {
        self.id = id
        self.state = state
        self.now = now
    }

    func print() {
        printRow("install", escapedForTerminal(id))
        if let user = ServedUser(id) { printServedUser(user) }
        printRow("protocol", "SKAN \(state.conversion.protocolVersion.rawValue)")
        printTimes()
        printRow("window", windowText(state.conversion, at: now))
        printRow("pending update", pendingUpdate)
        printValues()
        RevenueRows(state, .iap).print()
        if state.conversion.protocolVersion == .skan4 { RevenueRows(state, .ad).print() }
        for reengagement in state.reengagements { ReengagementRows(reengagement, now: now).print() }
    }

    /// Prints the app and user id in the key of a user of skan serve.
    private func printServedUser(_ user: ServedUser) {
        let (app, name) = (escapedForTerminal(user.app), escapedForTerminal(user.user))
        printRow("named as", "a user of skan serve, app \(app), \(user.sort) \(name)")
    }

    // MARK: Times

    private func printTimes() {
        guard let first = state.conversion.first, let last = state.conversion.last else {
            return printRow("registered", "no")
        }
        printRow("registered", utcText(first))
        printRow("last call", utcText(last))
    }

    private var pendingUpdate: Message {
        guard let update = state.conversion.pendingUpdate(at: now) else { return "none" }
        var words: Message = "number \(update.id), window \(update.window.rawValue)"
        if let fine = update.fine { words = "\(words), fine value \(fine)" }
        if let coarse = update.coarse { words = "\(words), coarse value \(coarseName(coarse))" }
        if update.locksWindow { words = "\(words), locks the window" }
        return "\(words), of \(utcText(update.timestamp))"
    }

    // MARK: Values

    private func printValues() {
        if state.conversion.protocolVersion == .skan3 { return printRow("value", number(state.conversion.fine)) }
        printRow("fine value", number(state.conversion.fine))
        printRow("fine before", number(state.conversion.previousFine))
        StandardOutput.write("\n")
        printWindows("") { "window \($0.rawValue)" }
        printWindows("coarse value") { state.conversion.windows[$0].coarse.map { "\(coarseName($0))" } }
        printWindows("coarse before") { state.conversion.windows[$0].previousCoarse.map { "\(coarseName($0))" } }
        printWindows("locked") { state.conversion.windows[$0].lock.map { utcText($0) } }
    }

    private func number(_ value: UInt8?) -> Message { value.map { "\($0)" } ?? "-" }

    private func printWindows(_ label: StaticString, _ text: (Window) -> Message?) {
        var row: Message = ""
        for window in Window.all {
            let text = text(window) ?? "-"
            row = "\(row)\(window == .last ? text : padded(text, to: 25))"
        }
        printRow(label, row)
    }
}

import CSKANSystem
import SKANCore
import SKANSystem

/// The progress bar, shown on standard error if that is a terminal. There is only one at a time, used only on the main
/// thread.
package enum Progress {
    private nonisolated(unsafe) static var bar: ProgressBar?
    private nonisolated(unsafe) static var isDrawn = false
    private nonisolated(unsafe) static var drawnAt: Int64 = 0

    /// Returns whether a bar can be shown. `printsData`: whether the command also prints lines to standard output,
    /// which would break a bar on the same terminal.
    package static func isSeen(printsData: Bool) -> Bool {
        isatty(STDERR_FILENO) != 0 && !(printsData && isatty(STDOUT_FILENO) != 0)
    }

    /// Starts the bar, or none if `isSeen` is false. `total`: the amount at which the work is done; 0 if not known.
    package static func begin(_ isSeen: Bool, unit: ProgressUnit, total: UInt64) {
        let now = millisecondsNow()
        isDrawn = false
        bar = isSeen ? ProgressBar(unit: unit, total: total, began: now) : nil
        if let bar { draw(bar, 0, now) }
    }

    package static func step(_ done: UInt64) {
        guard let bar else { return }
        let now = millisecondsNow()
        let isDue = now - drawnAt >= 100
        if !isDrawn || isDue || (bar.total > 0 && done >= bar.total) { draw(bar, done, now) }
    }

    /// Removes the bar from the terminal, to make room for a message. The next step shows it again.
    package static func hide() {
        if !isDrawn { return }
        show("\r\u{1B}[K")
        isDrawn = false
    }

    package static func end() {
        hide()
        bar = nil
    }

    private static func draw(_ bar: ProgressBar, _ done: UInt64, _ now: Int64) {
        let found = system_columns(STDERR_FILENO)
        let columns = found > 0 ? Int(found) : 80
        let line = bar.line(done, at: now, columns: columns)
        show("\r\(Message(utf8: [UInt8](line.utf8.prefix(columns - 1))))\u{1B}[K")
        isDrawn = true
        drawnAt = now
    }

    private static func show(_ text: Message) {
        text.utf8.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, system_errors()) }
        fflush(system_errors())
    }
}

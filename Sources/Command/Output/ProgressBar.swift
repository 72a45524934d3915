import SKANCore

struct ProgressBar {
    let unit: ProgressUnit
    /// The amount at which the work is done; 0 if not known.
    let total: UInt64
    /// The start time on the clock of `millisecondsNow`.
    let began: Int64

    private static var greatestWidth: Int { 40 }

    /// Returns `[####    ]  20%  138 of 669 MB, 21.6 MB/s, 25 s left`, or without a known total `138 MB, 21.6 MB/s`.
    func line(_ done: UInt64, at now: Int64, columns: Int) -> Message {
        let elapsed = Double(now - began) / 1000
        let rate = elapsed > 0 ? Double(done) / elapsed : 0
        if total == 0 { return "\(unit.amount(done)), \(unit.rate(rate))" }
        let share = done >= total ? 1 : Double(done) / Double(total)
        let percent = padded("\(UInt64(share * 100))", to: 3, atRight: true)
        let numbers: Message = "\(percent)%  \(unit.amount(min(done, total), of: total)), \(unit.rate(rate))"
        return addingBar("\(numbers)\(timeLeft(done, rate))", share, columns)
    }

    /// Puts a bar before the numbers. The bar fills the rest of the terminal's width, up to 40 columns.
    private func addingBar(_ numbers: Message, _ share: Double, _ columns: Int) -> Message {
        let width = min(max(columns - numbers.utf8.count - 4, 0), ProgressBar.greatestWidth)
        let full = Int(share * Double(width))
        let marks = [UInt8](repeating: UInt8(ascii: "#"), count: full)
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: width - full)
        return "[\(Message(utf8: marks + blanks))] \(numbers)"
    }

    /// Returns the remaining time as text; empty while the rate is not known.
    private func timeLeft(_ done: UInt64, _ rate: Double) -> Message {
        guard done < total else { return ", 0 s left" }
        guard rate > 0 else { return "" }
        let seconds = Double(total - done) / rate
        let whole = seconds > 359_999 ? 359_999 : UInt64(seconds.rounded(.up))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        if hours > 0 { return ", \(hours) h \(minutes) min left" }
        return minutes > 0 ? ", \(minutes) min \(whole % 60) s left" : ", \(whole) s left"
    }
}

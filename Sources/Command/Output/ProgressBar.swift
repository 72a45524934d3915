internal import SKANCore

/// What the progress bar shows.
struct ProgressBar {
    let unit: StaticString
    /// 0: unknown.
    let total: UInt64
    /// On the clock of `millisecondsNow`.
    let began: Int64

    private static var greatestWidth: Int { 40 }

    func line(_ done: UInt64, at now: Int64, columns: Int) -> Message {
        let elapsed = Double(now - began) / 1000
        let rate = elapsed > 0 ? Double(done) / elapsed : 0
        if total == 0 { return "\(done) \(unit)  \(fixedText(rate, places: 0))/s" }
        let share = done >= total ? 1 : Double(done) / Double(total)
        let percent = padded("\(UInt64(share * 100))", to: 3, atRight: true)
        let left = timeLeft(done, rate)
        let numbers: Message =
            "\(percent)%  \(done)/\(total) \(unit)  \(fixedText(rate, places: 0))/s  \(left) left"
        let width = min(max(columns - numbers.utf8.count - 4, 0), ProgressBar.greatestWidth)
        let full = Int(share * Double(width))
        let marks = [UInt8](repeating: UInt8(ascii: "#"), count: full)
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: width - full)
        return "[\(Message(utf8: marks + blanks))] \(numbers)"
    }

    private func timeLeft(_ done: UInt64, _ rate: Double) -> Message {
        if done == 0 { return "--:--:--" }
        let seconds = done >= total || rate <= 0 ? 0 : Double(total - done) / rate
        let whole = seconds > 359_999 ? 359_999 : UInt64(seconds + 0.5)
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return "\(paddedText(hours, to: 2)):\(paddedText(minutes, to: 2)):\(paddedText(whole % 60, to: 2))"
    }
}

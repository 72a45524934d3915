/// One of the three windows in which a device takes values, by Apple's table of windows and delays.
package struct ConversionWindow {
    /// The postback-sequence-index of its postback.
    package let index: Int
    /// The end of the window, in seconds after the first launch.
    package let end: Int64
    /// The delays between the end, or a lock, and the postback, in seconds.
    package let delays: Range<Int64>

    private init(index: Int, endHour: Int64, delayHours: Range<Int64>) {
        self.index = index
        end = endHour * 3600
        delays = delayHours.lowerBound * 3600..<delayHours.upperBound * 3600
    }

    package static var all: [ConversionWindow] { [first, second, third] }

    /// Windows and delays, row "0" (days 0–2).
    static var first: ConversionWindow { ConversionWindow(index: 0, endHour: 48, delayHours: 24..<48) }
    /// Windows and delays, row "1" (days 3–7).
    private static var second: ConversionWindow { ConversionWindow(index: 1, endHour: 168, delayHours: 24..<144) }
    /// Windows and delays, row "2" (days 8–35).
    private static var third: ConversionWindow { ConversionWindow(index: 2, endHour: 840, delayHours: 24..<144) }

    /// The window of a time in seconds after the first launch; nil after the last one. Apple does not say to which window
    /// the second belongs in which one ends.
    static func at(_ time: Int64, _ readings: Readings) -> ConversionWindow? {
        all.first { time < $0.end || readings.hasItsLastSecond && time == $0.end }
    }
}

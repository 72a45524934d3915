internal import SKANCore
internal import SKANPostbackVerification

/// Rules, "Time of install", "Re-engagements": the earliest and the latest time of the install, or of the tap that led
/// to a re-engagement, in Unix seconds.
package struct ConversionTime: Equatable, Sendable {
    package var from: Int64
    package var until: Int64

    init(from: Int64, until: Int64) {
        self.from = from
        self.until = until
    }

    /// The time of a postback that was not counted.
    static var none: ConversionTime { ConversionTime(from: 0, until: 0) }

    /// Computes when a postback's conversion can have happened, from the time in microseconds at which the postback
    /// arrived.
    ///
    /// In SKAN 4 and AdAttributionKit, a window ends where the next one begins, or earlier if it is locked, but not
    /// before it begins. The device sends the postback 24 to 48 hours later for the first window, 24 to 144 hours later
    /// for the others. Before SKAN 4, a timer of 24 hours restarts with each update. There are at most as many updates
    /// as the conversion value says, since each must have a greater value, and at most 63 if the value is hidden. The
    /// device sends the postback up to 24 hours after the timer ends. (Apple, "Receiving postbacks in multiple
    /// conversion windows", "updateConversionValue(_:)".)
    init(of postback: VerifiedPostback, received: Int64) {
        let arrival = received / 1_000_000
        if postback.hasWindows, let window = Window(rawValue: UInt8(truncatingIfNeeded: postback.window)) {
            let delay: Int64 = window == .first ? 2 : 6
            from = arrival - (window.days.upperBound + delay) * Day.seconds
            until = arrival - (window.days.lowerBound + 1) * Day.seconds
        } else {
            let updates = postback.integer(.conversionValue) ?? 63
            from = arrival - (updates + 2) * Day.seconds
            until = arrival - Day.seconds
        }
    }
}

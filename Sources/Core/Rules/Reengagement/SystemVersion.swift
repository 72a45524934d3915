/// Rules, "Re-engage": the version of a device's system, such as "18.4".
package struct SystemVersion: Comparable, Sendable {
    private let number: UInt64

    package init(_ major: UInt64, _ minor: UInt64) { number = (major &* 10_000 &+ minor) &* 10_000 }

    /// Parses one to three numbers of one to four digits, separated by dots; nil for any other text.
    package init?(_ text: UnsafeRawBufferPointer) {
        var (number, part, digits, parts) = (UInt64(0), UInt64(0), 0, 1)
        for byte in text {
            if byte == UInt8(ascii: ".") {
                guard digits > 0, parts < 3 else { return nil }
                number = number &* 10_000 &+ part
                (part, digits, parts) = (0, 0, parts &+ 1)
            } else {
                guard isDigit(byte), digits < 4 else { return nil }
                (part, digits) = (part &* 10 &+ UInt64(byte &- UInt8(ascii: "0")), digits &+ 1)
            }
        }
        guard digits > 0 else { return nil }
        number = number &* 10_000 &+ part
        for _ in parts..<3 { number &*= 10_000 }
        self.number = number
    }

    package static func < (left: SystemVersion, right: SystemVersion) -> Bool { left.number < right.number }

    /// The first version of iOS that supports fine values.
    package static var fineValues: SystemVersion { SystemVersion(14, 0) }
    /// The first version of iOS that supports coarse values.
    package static var coarseValues: SystemVersion { SystemVersion(16, 1) }
    /// The first version of iOS that supports AdAttributionKit.
    package static var adAttributionKit: SystemVersion { SystemVersion(17, 4) }
    /// The first version of iOS that supports re-engagements.
    package static var reengagements: SystemVersion { SystemVersion(18, 0) }
    /// The first version of iOS that supports conversion tags.
    package static var conversionTags: SystemVersion { SystemVersion(18, 4) }
}

extension SystemVersion? {
    /// False if the device's version is not known.
    func isBelow(_ version: SystemVersion) -> Bool { self.map { $0 < version } ?? false }
}

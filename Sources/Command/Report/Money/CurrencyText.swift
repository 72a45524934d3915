package import SKANCore

extension Message {
    /// Its three letters.
    package init(_ currency: Currency) {
        self.init(utf8: [16, 8, 0].map { UInt8(truncatingIfNeeded: currency.code >> ($0 as UInt32)) })
    }
}

package import SKANSystem
internal import SKANCore

/// What the parts of an outbox entry's key say: outbox/DIGITS/NETWORK/PARTNER, the digits of the postback's own key.
package struct OutboxEntryName: Sendable {
    private let digits: [UInt8]
    package let network: [UInt8]
    package let partner: [UInt8]

    /// Bytes of a network's or a partner's name: keys of stores have 128 at most.
    package static var nameBytes: Int { 24 }

    package static var prefix: StaticString { "outbox/" }

    /// nil where the key is no entry's.
    package init?(_ key: Bytes) {
        let slash = UInt8(ascii: "/")
        guard let rest = key.behind(OutboxEntryName.prefix),
            PostbackDigits.areAll(of: rest.prefix(PostbackDigits.count)),
            let names = rest.behind(PostbackDigits.count).behind("/"), let end = names.firstIndex(of: slash)
        else { return nil }
        let partner = names.behind(end + 1)
        let sizes = 1...OutboxEntryName.nameBytes
        guard sizes.contains(end), sizes.contains(partner.count) else { return nil }
        digits = [UInt8](rest.prefix(PostbackDigits.count))
        network = [UInt8](names.prefix(end))
        self.partner = [UInt8](partner)
    }

    /// Names the entry that notifies a partner of a counted postback; nil if `postback` is no key of one.
    package init?(postback: Bytes, network: [UInt8], partner: [UInt8]) {
        let sizes = 1...OutboxEntryName.nameBytes
        guard let digits = postback.behind(postbackPrefix), digits.count == PostbackDigits.count,
            sizes.contains(network.count), sizes.contains(partner.count)
        else { return nil }
        self.digits = [UInt8](digits)
        self.network = network
        self.partner = partner
    }

    package var key: [UInt8] {
        let slash = UInt8(ascii: "/")
        return [UInt8](OutboxEntryName.prefix.bytes) + digits + [slash] + network + [slash] + partner
    }

    /// The key of the postback's record.
    package var postback: [UInt8] { [UInt8](postbackPrefix.bytes) + digits }

    /// The id that the partner receives, the same in every attempt.
    package var id: [UInt8] { digits + [UInt8(ascii: "-")] + partner }
}

private var postbackPrefix: StaticString { "postback/" }

package import SKANSystem
import SKANCore

/// The parts of an outbox entry's key, outbox/DIGITS/NETWORK/PARTNER. The digits are those of the postback's key.
package struct OutboxEntryName: Sendable {
    private let digits: [UInt8]
    package let network: [UInt8]
    package let partner: [UInt8]

    /// The maximum number of bytes of a network's or partner's name, since stores' keys have at most 128.
    package static var nameBytes: Int { 24 }

    package static var prefix: StaticString { "outbox/" }

    /// Reads a key; nil if it is not the key of an outbox entry.
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

    /// Names the entry that reports a counted postback to a partner; nil if `postback` is not the key of a counted
    /// postback.
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

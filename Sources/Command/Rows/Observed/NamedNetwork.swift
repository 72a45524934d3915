import SKANCore
import SKANPostbackVerification
import SKANSystem

/// The network and the app that a postback names. They are read even from a malformed postback, or one of an unknown
/// version, if its members have the names that Apple gives them.
extension VerifiedPostback {
    /// The id of the ad network; nil if the postback names none.
    package var namedAdNetwork: [UInt8]? {
        if let known = textUntilNUL(.adNetworkID) { return known }
        let named = text(of: "ad-network-id")
        return named.isEmpty ? nil : named
    }

    /// The App Store id of the app; nil if the postback names none.
    package var namedApp: Int64? { integer(.appID) ?? wholeNumber(ofDigits: text(of: "app-id")) }

    /// The value of a member of the postback's JSON object; nil if there is no such member.
    func member(_ name: StaticString) -> JSONValue? {
        guard let document = try? JSONDocument(Bytes(body), allowsDuplicates: true) else { return nil }
        return document.members.last { $0.key.withUTF8 { $0.elementsEqual(name.bytes) } }?.value
    }

    /// The text of a member that is a text or a number; empty if there is no such member.
    private func text(of name: StaticString) -> [UInt8] {
        guard let value = member(name), value.kind == .string || value.kind == .number else { return [] }
        return value.string?.utf8 ?? [UInt8](value.text)
    }
}

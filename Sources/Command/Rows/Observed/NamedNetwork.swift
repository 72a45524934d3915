import SKANCore
import SKANPostbackVerification
import SKANSystem

/// The network and the app that a postback names. One that is malformed, or of a version that is not known, is read as
/// far as it has Apple's names.
extension VerifiedPostback {
    /// The ad network; nil if it names none.
    package var namedAdNetwork: [UInt8]? {
        if let known = textUntilNUL(.adNetworkID) { return known }
        let named = member("ad-network-id")
        return named.isEmpty ? nil : named
    }

    /// The app; nil if it names none.
    package var namedApp: Int64? { integer(.appID) ?? wholeNumber(ofDigits: member("app-id")) }

    /// A member of its object as text; empty if it has none.
    private func member(_ name: StaticString) -> [UInt8] {
        guard let document = try? JSONDocument(Bytes(body), allowsDuplicates: true) else { return [] }
        let value = document.members.last { $0.key.withUTF8 { $0.elementsEqual(name.bytes) } }?.value
        guard let value, value.kind == .string || value.kind == .number else { return [] }
        return value.string?.utf8 ?? [UInt8](value.text)
    }
}

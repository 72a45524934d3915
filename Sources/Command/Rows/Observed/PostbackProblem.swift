package import SKANCore
package import SKANPostbackVerification
import SKANSystem

extension VerifiedPostback {
    /// The problem of a malformed or unverifiable postback: the field, the reason and what was found in the field; nil
    /// if no problem is known.
    package var problemWords: Message? {
        guard let why = problem.map({ Message(utf8: [UInt8]($0)) }) else { return nil }
        guard let field = problemField else { return why }
        guard let found = unverified ?? written(field) else { return "\(field) \(why)" }
        return "\(field): \(why), got \(found)"
    }

    /// The unknown version or key, in quotes, that makes a postback unverifiable; nil for other problems.
    private var unverified: Message? {
        guard result == .unverifiable, let unknown = unknownType else { return nil }
        return "\(quoted: unknown.name)"
    }

    /// A member of the postback's JSON object, as the postback writes it; nil if there is no such member, or if it is a
    /// number of more than 40 characters.
    private func written(_ name: StaticString) -> Message? {
        guard let value = member(name) else { return nil }
        switch value.kind {
        case .number, .true, .false, .null: return value.text.count <= 40 ? Message(utf8: [UInt8](value.text)) : nil
        case .string, .array, .object:
            let text = value.string?.utf8 ?? [UInt8](value.text)
            return text.withUnsafeBytes { "\(quoted: $0)" }
        }
    }
}

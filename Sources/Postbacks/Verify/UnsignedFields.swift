internal import SKANCore

/// Rules, "Unsigned fields": reads the fields that no signature covers. A value with one possible meaning is read,
/// however it is written; a value without a meaning is reported as illegal and counts as absent.
extension PostbackReading {
    @_optimize(size)
    mutating func readUnsignedFields() {
        for field in PostbackField.unsigned {
            guard var value = self[field] else { continue }
            let text = texts[value.place]
            if PostbackSpelling.isAbsent(value.kind, text) { continue }
            let read = UnsignedValue(field, value.kind, text)
            switch read {
            case .number(let number):
                value.integer = number
            case .letters(let letters):
                if !letters.withUnsafeBytes({ isSame($0, text) }) {
                    value = PostbackValue(.string, letters.withUnsafeBytes { texts.add($0) })
                }
                value.isText = true
            case .illegal:
                illegal.insert(field)
            }
            self[field] = value
        }
    }
}

/// The meaning of an unsigned field's value.
enum UnsignedValue {
    /// A fine value 0...63, or a coarse value 0...2.
    case number(Int64)
    /// A country in capital letters or an interaction in small letters, as Apple writes them.
    case letters([UInt8])
    case illegal

    init(_ field: PostbackField, _ kind: JSONKind, _ text: UnsafeRawBufferPointer) {
        switch field {
        case .conversionValue: self = Self.fine(kind, text)
        case .coarseValue: self = kind == .string ? Self.coarse(PostbackSpelling.trimmed(text)) : .illegal
        case .countryCode: self = kind == .string ? Self.country(PostbackSpelling.trimmed(text)) : .illegal
        default: self = kind == .string ? Self.interaction(PostbackSpelling.trimmed(text)) : .illegal
        }
    }

    private static func fine(_ kind: JSONKind, _ text: UnsafeRawBufferPointer) -> UnsignedValue {
        guard let number = PostbackSpelling.integer(kind, text), 0...63 ~= number else { return .illegal }
        return .number(number)
    }

    private static func coarse(_ text: UnsafeRawBufferPointer) -> UnsignedValue {
        if PostbackSpelling.isWord(text, "low") { return .number(0) }
        if PostbackSpelling.isWord(text, "medium") { return .number(1) }
        return PostbackSpelling.isWord(text, "high") ? .number(2) : .illegal
    }

    /// Reads two letters of either case, as in ISO 3166-1.
    private static func country(_ text: UnsafeRawBufferPointer) -> UnsignedValue {
        let capitals = text.map { $0 & ~0x20 }
        let isOne = text.count == 2 && capitals.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        return isOne ? .letters(capitals) : .illegal
    }

    private static func interaction(_ text: UnsafeRawBufferPointer) -> UnsignedValue {
        let isOne = PostbackSpelling.isWord(text, "click") || PostbackSpelling.isWord(text, "view")
        return isOne ? .letters(text.map { $0 | 0x20 }) : .illegal
    }
}

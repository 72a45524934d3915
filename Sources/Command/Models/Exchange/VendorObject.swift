import SKANCommandOutput
import SKANCore
import SKANSystem

/// An object in a vendor's document, and its place. A value of an unexpected type ends the import.
struct VendorObject {
    /// The document's name, for messages.
    let name: Message
    /// Such as data[0].conversion_value_rules[3].
    let place: Message
    private let members: [JSONMember]

    init(document: Bytes, name: Message, place: Message = "") throws(CommandEnd) {
        do throws(JSONFault) {
            members = try JSONDocument(document).members
        } catch {
            throw .complaint(name, place.utf8.isEmpty ? error.description : "\(place): \(error.description)")
        }
        self.name = name
        self.place = place
    }

    private init(_ value: JSONValue, name: Message, place: Message) throws(CommandEnd) {
        guard value.kind == .object else {
            throw .complaint(name, "\(place): expected an object, got \(value.kind.description)")
        }
        self.name = name
        self.place = place
        members = Array(value.members)
    }

    func at(_ key: Message) -> Message { place.utf8.isEmpty ? key : "\(place).\(key)" }

    private func expected(_ key: StaticString, _ what: StaticString) -> CommandEnd {
        .complaint(name, "\(at("\(key)")): expected \(what)")
    }

    /// nil if the key is absent or null.
    private func value(_ key: StaticString) -> JSONValue? {
        members.first { $0.key.isEqual(key) && $0.value.kind != .null }?.value
    }

    func has(_ key: StaticString) -> Bool { value(key) != nil }

    /// Whether the key is present, even if null.
    func hasKey(_ key: StaticString) -> Bool { members.contains { $0.key.isEqual(key) } }

    /// The object's keys that are not in `known`, a list of keys with spaces between them.
    func unknownKeys(_ known: StaticString) -> [Message] {
        let words = [UInt8](known.bytes).split(separator: UInt8(ascii: " ")).map { [UInt8]($0) }
        return members.map { $0.key.utf8 }.filter { !words.contains($0) }.map { at(Message(utf8: $0)) }
    }

    func object(_ key: StaticString) throws(CommandEnd) -> VendorObject? {
        guard let value = value(key) else { return nil }
        return try VendorObject(value, name: name, place: at("\(key)"))
    }

    /// The members of an object of strings; empty if the key is absent.
    func texts(_ key: StaticString) throws(CommandEnd) -> [(key: [UInt8], text: [UInt8])] {
        guard let object = try object(key) else { return [] }
        var texts: [(key: [UInt8], text: [UInt8])] = []
        for member in object.members {
            guard let text = member.value.string?.utf8 else { throw expected(key, "texts") }
            texts.append((member.key.utf8, text))
        }
        return texts
    }

    /// The elements of an array of strings; empty if the key is absent.
    func textList(_ key: StaticString) throws(CommandEnd) -> [[UInt8]] {
        guard let value = value(key) else { return [] }
        guard value.kind == .array else { throw expected(key, "an array") }
        var texts: [[UInt8]] = []
        for element in value.elements {
            guard let text = element.string?.utf8 else { throw expected(key, "texts") }
            texts.append(text)
        }
        return texts
    }

    /// The elements of an array of objects; empty if the key is absent.
    func objects(_ key: StaticString) throws(CommandEnd) -> [VendorObject] {
        guard let value = value(key) else { return [] }
        guard value.kind == .array else { throw expected(key, "an array") }
        var objects: [VendorObject] = []
        for element in value.elements {
            objects.append(try VendorObject(element, name: name, place: at("\(key)[\(objects.count)]")))
        }
        return objects
    }

    func text(_ key: StaticString) throws(CommandEnd) -> [UInt8]? {
        guard let value = value(key) else { return nil }
        guard let string = value.string else { throw expected(key, "text") }
        return string.utf8
    }

    func requiredText(_ key: StaticString) throws(CommandEnd) -> [UInt8] {
        guard let text = try text(key) else { throw expected(key, "text, got nothing") }
        return text
    }

    func flag(_ key: StaticString) throws(CommandEnd) -> Bool {
        guard let value = value(key) else { return false }
        guard value.kind == .true || value.kind == .false else { throw expected(key, "true or false") }
        return value.kind == .true
    }

    /// Reads a whole number, written as a number or as a string; nil if the key is absent.
    func integer(_ key: StaticString, _ range: ClosedRange<Int64>) throws(CommandEnd) -> Int64? {
        guard let value = value(key) else { return nil }
        let text = value.string?.utf8 ?? [UInt8](value.text)
        guard let number = text.withUnsafeBytes({ DecimalNumber($0)?.integer }), range.contains(number) else {
            throw .complaint(
                name, "\(at("\(key)")): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads a number exactly as written; nil if the key is absent.
    func amount(_ key: StaticString) throws(CommandEnd) -> Money? {
        guard let value = value(key) else { return nil }
        let text = value.string?.utf8 ?? [UInt8](value.text)
        guard let amount = exactAmount(text) else { throw expected(key, "a number with at most 12 places") }
        return amount
    }

    /// Reads a coarse value as `coarseNumber` does; nil also if the key is absent.
    func coarse(_ key: StaticString, prefix: StaticString = "") throws(CommandEnd) -> Int? {
        guard let text = try text(key) else { return nil }
        return coarseNumber(text, prefix: prefix)
    }
}

/// Returns the coarse value of "low", "medium" or "high" in any case, after a prefix; nil for any other text.
func coarseNumber(_ text: [UInt8], prefix: StaticString = "") -> Int? {
    let small = text.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 }
    for value in UInt8(0)...2 where small == [UInt8](prefix.bytes) + [UInt8](coarseName(value).bytes) {
        return Int(value)
    }
    return nil
}

/// Reads an amount exactly as written; nil if it has more than 12 decimal places or is no amount.
func exactAmount(_ text: [UInt8]) -> Money? {
    text.withUnsafeBytes { text in
        guard let number = DecimalNumber(text), number.hasAtMost(places: Money.decimals) else { return nil }
        return number.scaledHalfEven(places: Money.decimals, below: Money.limit).map { Money(units: $0) }
    }
}

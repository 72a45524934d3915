import SKANCore

/// The place of a value in a row: a column's name, or names with dots between them that lead into nested objects, as
/// `cv.pb.version` and `$.cv.pb.version` do.
struct ColumnPath: Sendable {
    /// The whole text as the name of one column, since such a name can have dots.
    let name: [UInt8]
    private let steps: [[UInt8]]

    init(_ text: [UInt8]) {
        let isFromRoot = text.starts(with: StaticString("$.").bytes)
        name = isFromRoot ? [UInt8](text.dropFirst(2)) : text
        steps = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { [UInt8]($0) }
    }

    /// Whether the value can be in a column with this name.
    func begins(in column: [UInt8]) -> Bool {
        isSameName(column, name) || (steps.first.map { isSameName(column, $0) } ?? false)
    }

    func value(in row: [JSONMember]) -> ColumnValue? {
        if let found = member(name, of: row) { return ColumnValue(found) }
        return steps.count > 1 ? value(behind: steps[...], in: row) : nil
    }

    private func value(behind steps: ArraySlice<[UInt8]>, in members: [JSONMember]) -> ColumnValue? {
        guard let step = steps.first, let found = member(step, of: members) else { return nil }
        let rest = steps.dropFirst()
        if rest.isEmpty { return ColumnValue(found) }
        if found.kind == .object { return value(behind: rest, in: [JSONMember](found.members)) }
        // A column may have an object as text.
        return found.string?.utf8.withUnsafeBytes { text in
            guard let document = try? JSONDocument(text, allowsDuplicates: true) else { return nil }
            return value(behind: rest, in: document.members)
        }
    }
}

/// Returns the member with this name. If there is none, returns the one whose name differs only in case or separators,
/// because databases change these.
private func member(_ name: [UInt8], of members: [JSONMember]) -> JSONValue? {
    let exact = members.first { $0.key.withUTF8 { $0.elementsEqual(name) } }
    return (exact ?? members.first { isSameName($0.key.utf8, name) })?.value
}

/// Whether names of columns differ by nothing but case, blanks, hyphens and underscores.
private func isSameName(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    func plain(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x41...0x5A: byte | 0x20
        case UInt8(ascii: "-"), UInt8(ascii: " "): UInt8(ascii: "_")
        default: byte
        }
    }
    return one.count == other.count && zip(one, other).allSatisfy { plain($0) == plain($1) }
}

/// A value of a row: a string's text, or any other value as JSON.
struct ColumnValue {
    let kind: JSONKind
    let text: [UInt8]

    init(_ value: JSONValue) {
        kind = value.kind
        text = value.string?.utf8 ?? [UInt8](value.text)
    }

    /// Whether the value is null, or a word that databases and programs write for null.
    var isAbsent: Bool {
        if kind == .null { return true }
        guard kind == .string, text.count <= 9 else { return false }
        let word = text.withUnsafeBytes { Message(utf8: trimmedText($0)) }.lowercased
        return absentWords.contains { word.elementsEqual($0.bytes) }
    }
}

/// The words for a missing value. "na" is not one of them, because it is the code of Namibia.
private var absentWords: [StaticString] {
    ["", "null", "none", "nil", "nan", "undefined", "\\n", "n/a", "#n/a", "<na>", "<null>"]
}

func trimmedText(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    guard let first = text.firstIndex(where: { !isBlank($0) }) else { return [] }
    let last = text.lastIndex { !isBlank($0) } ?? first
    return [UInt8](text[first...last])
}

extension Message {
    /// The bytes with ASCII letters in lower case.
    var lowercased: [UInt8] { utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 } }
}

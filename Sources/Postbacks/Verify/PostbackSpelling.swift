internal import SKANCore

/// Rules, "Respelled postbacks": the meaning of a value that a serializer has written in another form than Apple's.
/// `kind` is the kind of the JSON value; `text` is a string's unescaped text, or any other value as received.
enum PostbackSpelling {
    /// Returns a whole number in any notation, such as 990001234.0 or 9.90001234e+08, also one written as text; nil for
    /// other values.
    static func integer(_ kind: JSONKind, _ text: UnsafeRawBufferPointer) -> Int64? {
        switch kind {
        case .number: wholeNumber(text) ?? DecimalNumber(text)?.integer
        case .string: integer(inText: trimmed(text))
        default: nil
        }
    }

    private static func integer(inText text: UnsafeRawBufferPointer) -> Int64? {
        var digits = text[...]
        if digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        // Leading zeros are dropped, because numbers in JSON have none.
        while digits.count > 1, digits.first == UInt8(ascii: "0"), isDigit(digits[digits.startIndex &+ 1]) {
            digits = digits.dropFirst()
        }
        return integer(.number, UnsafeRawBufferPointer(rebasing: digits))
    }

    /// Returns the value of a field of small numbers, which a database may have turned into true (1) or false (0).
    static func smallNumber(_ kind: JSONKind, _ text: UnsafeRawBufferPointer) -> Int64? {
        integer(kind, text) ?? word(kind, text).map { $0 ? 1 : 0 }
    }

    static func truth(_ kind: JSONKind, _ text: UnsafeRawBufferPointer) -> Bool? {
        if let word = word(kind, text) { return word }
        guard let number = integer(kind, text), 0...1 ~= number else { return nil }
        return number == 1
    }

    private static func word(_ kind: JSONKind, _ text: UnsafeRawBufferPointer) -> Bool? {
        if kind == .true || kind == .false { return kind == .true }
        guard kind == .string else { return nil }
        let text = trimmed(text)
        if isWord(text, "true") || isWord(text, "t") { return true }
        return isWord(text, "false") || isWord(text, "f") ? false : nil
    }

    /// Whether the value means that the field is absent: null, an empty text, or a programming language's word for
    /// null.
    static func isAbsent(_ kind: JSONKind, _ text: UnsafeRawBufferPointer) -> Bool {
        guard kind == .string else { return kind == .null }
        let text = trimmed(text)
        return text.isEmpty || isWord(text, "null") || isWord(text, "none") || isWord(text, "nil")
    }

    static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var rest = text[...]
        while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        return UnsafeRawBufferPointer(rebasing: rest)
    }

    /// Whether the text equals a word, ignoring case. `word` must be in lower case.
    @inline(never)
    static func isWord(_ text: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        guard text.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<text.count where text[index] | 0x20 != word.utf8Start[index] { return false }
        return true
    }
}

/// Whether a byte is JSON white space.
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D }

/// Rules, "JSON": checks that a text is JSON: one RFC 8259 object in UTF-8 with at most 32 levels of arrays and
/// objects, no duplicate keys (after unescaping), no NUL in a key, no trailing bytes and no byte-order mark. Unpaired
/// surrogate escapes are accepted.
///
/// The scanner records only the members of the outermost object; it builds no tree.
package struct JSONScanner {
    private let text: UnsafeRawBufferPointer
    private let allowsDuplicates: Bool
    private var position = 0
    private var depth = 0
    /// The keys read so far of all open objects except the outermost one. The innermost object's keys come last.
    private var keys: [JSONString] = []
    /// The members of the outermost object, valid as long as the text.
    package private(set) var members: [JSONMember] = []
    /// Whether the last string read contains a NUL.
    private var holdsNUL = false

    /// Creates a scanner of a text. `allowsDuplicates`: whether to accept duplicate keys. This is for texts outside the
    /// rules, whose reader decides what a duplicate key means.
    package init(_ text: UnsafeRawBufferPointer, allowsDuplicates: Bool = false) {
        self.text = text
        self.allowsDuplicates = allowsDuplicates
    }

    /// Returns the first error, or nil.
    package mutating func scan() -> JSONFault? {
        guard var fault = read() else { return nil }
        fault.locate(in: text)
        return fault
    }

    private mutating func read() -> JSONFault? {
        members.reserveCapacity(8)
        skipSpace()
        guard byte == UInt8(ascii: "{") else { return fault(position < text.count ? .notAnObject : .unexpectedEnd) }
        if let fault = object() { return fault }
        skipSpace()
        return position == text.count ? nil : fault(.trailingBytes)
    }

    // MARK: Grammar

    private mutating func value() -> JSONFault? {
        switch byte {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "\""):
            var string = JSONString.empty
            return self.string(&string)
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func object() -> JSONFault? {
        depth &+= 1
        guard depth <= Limits.nesting else { return fault(.tooDeep) }
        let firstKey = keys.count
        position &+= 1
        skipSpace()
        if byte == UInt8(ascii: "}") {
            position &+= 1
            depth &-= 1
            return nil
        }
        while true {
            if let fault = member(ofObjectWithKeysFrom: firstKey) { return fault }
            skipSpace()
            guard byte == UInt8(ascii: ",") else { break }
            position &+= 1
            skipSpace()
        }
        guard byte == UInt8(ascii: "}") else { return unexpected() }
        if depth == 1, !allowsDuplicates, members.count > JSONScanner.fewKeys { keys = members.map { $0.key } }
        if repeatsKey(from: firstKey) { return JSONFault(.duplicateKey, position) }
        if keys.count > firstKey { keys.removeSubrange(firstKey...) }
        position &+= 1
        depth &-= 1
        return nil
    }

    @inline(__always)
    private mutating func member(ofObjectWithKeysFrom firstKey: Int) -> JSONFault? {
        guard byte == UInt8(ascii: "\"") else { return unexpected() }
        let keyPosition = position
        var key = JSONString.empty
        if let fault = string(&key) { return fault }
        guard !holdsNUL else { return JSONFault(.nulInKey, keyPosition) }
        if !allowsDuplicates {
            if isKnown(key, from: firstKey) { return JSONFault(.duplicateKey, keyPosition) }
            if depth > 1 { keys.append(key) }
        }
        skipSpace()
        guard byte == UInt8(ascii: ":") else { return unexpected() }
        position &+= 1
        skipSpace()
        let start = position
        let kind = JSONKind(byte)
        if let fault = value() { return fault }
        if depth == 1 {
            let value = JSONValue(kind: kind, text: UnsafeRawBufferPointer(rebasing: text[start..<position]))
            members.append(JSONMember(key: key, value: value))
        }
        return nil
    }

    /// The first 16 keys of an object are compared with each other as they are read. If an object has more, its keys
    /// are sorted when it ends, so that no check takes quadratic time.
    private static var fewKeys: Int { 16 }

    /// Whether an earlier key of the innermost object is equal. Always false once the object has `fewKeys` keys,
    /// because `repeatsKey` then finds the duplicates. `firstKey`: the index in `keys` of the object's first key.
    @inline(__always)
    private func isKnown(_ key: JSONString, from firstKey: Int) -> Bool {
        guard depth > 1 else {
            return members.count < JSONScanner.fewKeys && members.contains { $0.key.isEqual(key) }
        }
        return keys.count &- firstKey < JSONScanner.fewKeys && keys[firstKey...].contains { $0.isEqual(key) }
    }

    /// Whether two keys of the innermost object are equal. False if it has at most `fewKeys` keys, which `isKnown` has
    /// compared.
    @inline(__always)
    private mutating func repeatsKey(from firstKey: Int) -> Bool {
        guard keys.count &- firstKey > JSONScanner.fewKeys else { return false }
        sortKeys(from: firstKey)
        return ((firstKey &+ 1)..<keys.count).contains { keys[$0].isEqual(keys[$0 &- 1]) }
    }

    @_optimize(size)
    private mutating func sortKeys(from first: Int) {
        func sift(_ start: Int, _ count: Int) {
            var parent = start
            while true {
                var child = parent &* 2 &+ 1
                guard child < count else { return }
                if child &+ 1 < count, keys[first &+ child].isOrderedBefore(keys[first &+ child &+ 1]) { child &+= 1 }
                guard keys[first &+ parent].isOrderedBefore(keys[first &+ child]) else { return }
                keys.swapAt(first &+ parent, first &+ child)
                parent = child
            }
        }

        let count = keys.count &- first
        for start in stride(from: count / 2 &- 1, through: 0, by: -1) { sift(start, count) }
        for end in stride(from: count &- 1, to: 0, by: -1) {
            keys.swapAt(first, first &+ end)
            sift(0, end)
        }
    }

    private mutating func array() -> JSONFault? {
        depth &+= 1
        guard depth <= Limits.nesting else { return fault(.tooDeep) }
        position &+= 1
        skipSpace()
        if byte != UInt8(ascii: "]") {
            while true {
                if let fault = value() { return fault }
                skipSpace()
                guard byte == UInt8(ascii: ",") else { break }
                position &+= 1
                skipSpace()
            }
            guard byte == UInt8(ascii: "]") else { return unexpected() }
        }
        position &+= 1
        depth &-= 1
        return nil
    }

    private mutating func string(_ result: inout JSONString) -> JSONFault? {
        position &+= 1
        let start = position
        var isEscaped = false
        holdsNUL = false
        while true {
            skipPlain()
            switch byte {
            case UInt8(ascii: "\""):
                let raw = UnsafeRawBufferPointer(rebasing: text[start..<position])
                result = JSONString(raw: raw, isEscaped: isEscaped)
                position &+= 1
                return nil
            case UInt8(ascii: "\\"):
                isEscaped = true
                position &+= 1
                if let fault = escape() { return fault }
            case 0x20...0x7F:
                position &+= 1
            case 0..<0x20:
                return unexpected()
            default:
                let length = utf8Length(UnsafeRawBufferPointer(rebasing: text[position...]))
                guard length > 0 else { return fault(.notUTF8) }
                position &+= length
            }
        }
    }

    /// Skips plain bytes of a string, eight at a time. Stops before a quote, a backslash, a control byte or a byte
    /// beyond ASCII, or when less than eight bytes of text are left.
    @inline(__always)
    private mutating func skipPlain() {
        guard let base = text.baseAddress else { return }
        while text.count &- position >= 8 {
            let found = notPlain(base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            guard found == 0 else { return position &+= found.trailingZeroBitCount >> 3 }
            position &+= 8
        }
    }

    /// The backslash was already skipped. Returns the error, or nil.
    private mutating func escape() -> JSONFault? {
        switch byte {
        case UInt8(ascii: "u"):
            var unit: UInt32 = 0
            for _ in 0..<4 {
                position &+= 1
                guard let digit = hexValue(byte) else { return unexpected() }
                unit = unit << 4 | digit
            }
            if unit == 0 { holdsNUL = true }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        default:
            return unexpected()
        }
        position &+= 1
        return nil
    }

    private mutating func number() -> JSONFault? {
        if byte == UInt8(ascii: "-") { position &+= 1 }
        if byte == UInt8(ascii: "0") {
            position &+= 1
        } else {
            guard digits() else { return unexpected() }
        }
        if byte == UInt8(ascii: ".") {
            position &+= 1
            guard digits() else { return unexpected() }
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position &+= 1 }
            guard digits() else { return unexpected() }
        }
        return nil
    }

    private mutating func digits() -> Bool {
        guard isDigit(byte) else { return false }
        while isDigit(byte) { position &+= 1 }
        return true
    }

    private mutating func word(_ word: StaticString) -> JSONFault? {
        for index in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[index] else { return unexpected() }
            position &+= 1
        }
        return nil
    }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position &+= 1 }
    }

    /// The next byte; 0 at the end, since no valid text has a byte 0.
    private var byte: UInt8 {
        @inline(__always)
        get { position < text.count ? text[position] : 0 }
    }

    private func fault(_ kind: JSONFault.Kind) -> JSONFault { JSONFault(kind, position) }

    private func unexpected() -> JSONFault { fault(position < text.count ? .unexpectedByte : .unexpectedEnd) }
}

/// Sets the high bit of each of the eight bytes that is not plain: a quote, a backslash, a control byte, or a byte
/// beyond ASCII. Only the lowest bit that is set is reliable, since a subtraction may borrow from the next byte above.
@inline(__always)
private func notPlain(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (quotes, backslashes) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
    return (word | (word &- ones &* 0x20) | (quotes &- ones) | (backslashes &- ones)) & (ones &* 0x80)
}

/// A JSON object whose text was checked completely. Valid only as long as the text.
package struct JSONDocument {
    package let members: [JSONMember]

    package init(_ text: UnsafeRawBufferPointer, allowsDuplicates: Bool = false) throws(JSONFault) {
        var scanner = JSONScanner(text, allowsDuplicates: allowsDuplicates)
        if let fault = scanner.scan() { throw fault }
        members = scanner.members
    }

    package func value(_ name: StaticString) -> JSONValue? {
        members.value(name)
    }
}

/// A value in a conversion model's document, and its place there. Valid only as long as the document's text.
package final class DocumentNode {
    private let kind: JSONKind
    /// The value as written: a number, or a text without its quotes.
    private let raw: JSONString
    /// The members of an object, or the elements of an array.
    package fileprivate(set) var children: [DocumentNode] = []
    /// Outlives this node.
    private unowned(unsafe) let parent: DocumentNode?
    /// The node's key, if its parent is an object.
    private let name: JSONString
    /// The node's index, if its parent is an array.
    private let index: Int

    private init(_ kind: JSONKind, _ raw: JSONString, in parent: DocumentNode?, key: JSONString, index: Int) {
        self.kind = kind
        self.raw = raw
        self.parent = parent
        name = key
        self.index = index
    }

    /// Reads a checked document, which is an object, in one pass.
    convenience init(checked text: UnsafeRawBufferPointer) {
        var reader = JSONReader(text)
        self.init(&reader, in: nil, key: .empty, index: -1)
    }

    /// Reads the next value with everything in it. The depth of the document was checked before.
    private convenience init(_ reader: inout JSONReader, in parent: DocumentNode?, key: JSONString, index: Int) {
        let (kind, raw) = reader.opening()
        self.init(kind, raw, in: parent, key: key, index: index)
        guard kind == .array || kind == .object else { return }
        while !reader.closes() {
            if kind == .array {
                children.append(DocumentNode(&reader, in: self, key: .empty, index: children.count))
            } else {
                guard let key = reader.string() else { break }
                children.append(DocumentNode(&reader, in: self, key: key, index: -1))
            }
        }
    }

    /// A number as written, or the content of a string.
    private var text: [UInt8] { raw.withUTF8 { [UInt8]($0) } }

    var key: [UInt8] { name.withUTF8 { [UInt8]($0) } }

    // MARK: What it is

    /// Throws unless the value is an array.
    func elements() throws(Failure) -> [DocumentNode] {
        guard kind == .array else { throw expected("an array") }
        return children
    }

    var isObject: Bool { kind == .object }
    var isTrue: Bool { kind == .true }

    /// Whether the value is an element of an array and has the index `number` there.
    func isElement(_ number: Int) -> Bool { index == number }

    /// The elements of an array; any other value counts as an array of one.
    var listed: [DocumentNode] { kind == .array ? children : [self] }

    /// Throws unless the value is an object whose keys are all among `keys`, a list separated by spaces.
    func requireObject(_ keys: StaticString) throws(Failure) {
        try requireObject()
        for child in children where child.name.withUTF8({ word($0, in: keys) }) == nil {
            throw child.refuse("unknown key; known here: \(keys)")
        }
    }

    func requireObject() throws(Failure) {
        guard kind == .object else { throw expected("an object") }
    }

    /// A member of the object; nil if it is missing or null.
    func member(_ key: StaticString) -> DocumentNode? {
        for child in children where child.kind != .null && child.name.isEqual(key) { return child }
        return nil
    }

    func required(_ key: StaticString) throws(Failure) -> DocumentNode {
        guard let member = member(key) else { throw refuse(member: key, "missing") }
        return member
    }

    /// The content of a text; nil for other values.
    var content: [UInt8]? { kind == .string ? text : nil }

    // MARK: Members of one sort

    /// Reads a member that is a whole number, without fraction and exponent; -1 if it is missing.
    func integer(_ key: StaticString, max: Int64, min: Int64 = 0) throws(Failure) -> Int64 {
        guard let member = member(key) else { return -1 }
        if let number = member.wholeNumber, number >= min, number <= max { return number }
        throw member.expected("a whole number from \(min) to \(max)")
    }

    /// The whole number; nil for other values, and for a number with a fraction or an exponent.
    var wholeNumber: Int64? {
        guard kind == .number else { return nil }
        return raw.withUTF8 { text in
            text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == 0x65 } ? nil : DecimalNumber(text)?.integer
        }
    }

    /// Reads a member that is a coarse value, as a number or a name; -1 if it is missing.
    func coarse(_ key: StaticString) throws(Failure) -> Int64 {
        guard let member = member(key) else { return -1 }
        if member.kind == .string, let number = member.number(in: coarseNames) { return Int64(number) }
        if let number = member.wholeNumber, number >= 0, number <= 2 { return number }
        throw member.expected("a whole number from 0 to 2 or one of the words \(coarseNames)")
    }

    func boolean(_ key: StaticString, otherwise: Bool) throws(Failure) -> Bool {
        guard let member = member(key) else { return otherwise }
        guard member.kind == .true || member.kind == .false else { throw member.expected("true or false") }
        return member.kind == .true
    }

    /// Reads a member that is one of `words`, which are separated by spaces. Returns the word's index, or 0 if the
    /// member is missing.
    func word(_ key: StaticString, of words: StaticString) throws(Failure) -> Int {
        guard let member = member(key) else { return 0 }
        guard member.kind == .string, let number = member.number(in: words) else {
            throw member.expected("one of the words \(words)")
        }
        return number
    }

    private func number(in words: StaticString) -> Int? { raw.withUTF8 { word($0, in: words) } }

    private func word(_ text: UnsafeRawBufferPointer, in words: StaticString) -> Int? {
        var number = 0
        var position = 0
        while position < words.utf8CodeUnitCount {
            var end = position
            while end < words.utf8CodeUnitCount, words.utf8Start[end] != 0x20 { end &+= 1 }
            if end &- position == text.count {
                var same = 0
                while same < text.count, text[same] == words.utf8Start[position &+ same] { same &+= 1 }
                if same == text.count { return number }
            }
            number &+= 1
            position = end &+ 1
        }
        return nil
    }

    /// Reads a member that is an amount, in units of money, exactly as written; `otherwise` if it is missing.
    func money(_ key: StaticString, otherwise: Int128) throws(Failure) -> Int128 {
        guard let member = member(key) else { return otherwise }
        return try member.amount()
    }

    /// The amount in units of money.
    func amount() throws(Failure) -> Int128 {
        guard kind == .number, let units = exactUnits() else {
            throw expected("a number between -1e18 and 1e18 with at most 12 places")
        }
        return units
    }

    /// The number in units of money; nil if it has more than 12 decimal places or is not below 10¹⁸.
    func exactUnits() -> Int128? {
        raw.withUTF8 { text in
            guard let number = DecimalNumber(text), number.hasAtMost(places: Money.decimals) else { return nil }
            return number.scaledHalfEven(places: Money.decimals, below: Money.limit)
        }
    }

    // MARK: What is wrong with it

    @inline(never)
    func refuse(_ reason: Message) -> Failure {
        Failure(.invalidDocument, "model at \(plain: pointer()): \(reason)")
    }

    /// `key`: the key of a member, which can be missing.
    @inline(never)
    func refuse(member key: StaticString, _ reason: Message) -> Failure {
        if let member = member(key) { return member.refuse(reason) }
        let name = JSONString(raw: key.bytes, isEscaped: false)
        return DocumentNode(.null, .empty, in: self, key: name, index: -1).refuse(reason)
    }

    @inline(never)
    func expected(_ what: Message) -> Failure { refuse("expected \(what), got \(description)") }

    private var description: Message {
        switch kind {
        case .number: "the number \(plain: text)"
        case .string: "the text \(plain: text)"
        default: "\(kind.description)"
        }
    }

    /// The node's place in the document, as a JSON pointer (RFC 6901).
    private func pointer() -> [UInt8] {
        guard let parent else { return [] }
        var pointer = parent.pointer()
        pointer.append(UInt8(ascii: "/"))
        if index >= 0 {
            let number: Message = "\(index)"
            pointer.append(contentsOf: number.utf8)
        }
        for byte in key {
            let isSpecial = byte == UInt8(ascii: "~") || byte == UInt8(ascii: "/")
            pointer.append(isSpecial ? UInt8(ascii: "~") : byte)
            if isSpecial { pointer.append(byte == UInt8(ascii: "~") ? UInt8(ascii: "0") : UInt8(ascii: "1")) }
        }
        return pointer
    }
}

extension Message.StringInterpolation {
    /// Appends a part of the document as a text in quotes.
    @inline(never)
    mutating func appendInterpolation(plain text: [UInt8]) {
        text.withUnsafeBytes { appendInterpolation(quoted: $0) }
    }
}

/// The words for the coarse values 0, 1 and 2.
private var coarseNames: StaticString { "low medium high" }

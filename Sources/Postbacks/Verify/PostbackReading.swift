internal import SKANCore

/// The state of reading a postback: the fields read so far, and the result.
struct PostbackReading: ~Copyable {
    var texts: PostbackTexts
    let body: TextPlace
    /// The body as it was received, if `body` is a copy of it in Apple's spelling; nil if `body` is the received one.
    var received: TextPlace?
    var framework = PostbackFramework.skAdNetwork
    var result = PostbackResult.malformed
    var omitsSourceApp = false
    var isRespelled = false
    var signatureChecks = 0
    var problem: PostbackWords?
    var problemField: StaticString?
    /// The version of SKAdNetwork; nil for AdAttributionKit.
    var version: PostbackWords?
    var key: TextPlace?
    var signed: PostbackFieldSet = []
    var illegal: PostbackFieldSet = []
    /// All members of AdAttributionKit's payload, if it was read.
    var payload: [PayloadMember] = []
    private var values = [PostbackValue?](repeating: nil, count: PostbackField.count)

    @_optimize(size)
    init(_ bytes: UnsafeRawBufferPointer) {
        texts = PostbackTexts(capacity: 2 &* bytes.count &+ 256)
        body = texts.add(bytes)
    }

    subscript(field: PostbackField) -> PostbackValue? {
        get { values[Int(field.rawValue)] }
        set { values[Int(field.rawValue)] = newValue }
    }

    /// nil if the field is absent or not a string.
    func string(_ field: PostbackField) -> UnsafeRawBufferPointer? {
        guard let value = self[field], value.kind == .string else { return nil }
        return texts[value.place]
    }

    /// Stores the JSON value of a member. A string is unescaped; any other value is kept as received.
    mutating func add(_ value: JSONValue) -> PostbackValue {
        guard let string = value.string else { return PostbackValue(value.kind, texts.add(value.text)) }
        return PostbackValue(.string, add(string))
    }

    mutating func add(_ string: JSONString) -> TextPlace {
        var place = TextPlace(start: 0, count: 0)
        string.withExactUTF8 { place = texts.add($0) }
        return place
    }

    /// Checks that a field is present and has the given type. An optional field may be absent.
    mutating func require(
        _ field: PostbackField, _ name: StaticString, _ type: PostbackType, isOptional: Bool = false
    ) throws(PostbackRefusal) {
        guard var value = self[field] else {
            if isOptional { return }
            throw .malformed(name, "is missing")
        }
        if let fault = type.fault(&value, texts[value.place]) { throw .malformed(name, fault) }
        self[field] = value
    }
}

/// A member of AdAttributionKit's payload.
struct PayloadMember: Sendable {
    let name: TextPlace
    let value: PostbackValue
}

/// The reason why a postback is malformed or unverifiable, and the field at fault.
struct PostbackRefusal: Error {
    let result: PostbackResult
    let field: StaticString
    let problem: StaticString

    static func malformed(_ field: StaticString, _ problem: StaticString) -> PostbackRefusal {
        PostbackRefusal(result: .malformed, field: field, problem: problem)
    }

    static func unverifiable(_ field: StaticString, _ problem: StaticString) -> PostbackRefusal {
        PostbackRefusal(result: .unverifiable, field: field, problem: problem)
    }
}

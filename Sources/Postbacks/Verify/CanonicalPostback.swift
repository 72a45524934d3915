internal import SKANCore

/// Rules, "Respelled postbacks": a postback as Apple would have written it, made from one that a serializer has
/// rewritten.
struct CanonicalPostback: ~Copyable {
    private var writer = JSONWriter(capacity: 1024)
    /// Whether a signed field, or the signature, was not written as Apple writes it.
    private(set) var isRespelled = false
    /// Whether a value has no meaning in its field, so that no signature of Apple's can cover it.
    private(set) var isUnreadable = false

    init() { writer.beginObject() }

    consuming func finish() -> ByteBuffer {
        writer.endObject()
        return writer.finish()
    }

    // MARK: Signed fields

    /// Notes that a field is left out because its value, such as null, means that the field is absent.
    mutating func leaveOut() { isRespelled = true }

    mutating func refuse() { isUnreadable = true }

    mutating func write(_ name: StaticString, text: UnsafeRawBufferPointer, isRespelled: Bool = false) {
        writer.key(name)
        writer.string(utf8: text)
        if isRespelled { self.isRespelled = true }
    }

    mutating func write(_ name: StaticString, number: Int64?, isRespelled: Bool) {
        guard let number else { return refuse() }
        writer.key(name)
        writer.integer(number)
        if isRespelled { self.isRespelled = true }
    }

    mutating func write(_ name: StaticString, truth: Bool?, isRespelled: Bool) {
        guard let truth else { return refuse() }
        writer.key(name)
        writer.bool(truth)
        if isRespelled { self.isRespelled = true }
    }

    // MARK: Unsigned fields

    /// Writes an unsigned value, in Apple's form if the value has a meaning, otherwise unchanged. Leaves out a value,
    /// such as null, which means that the field is absent.
    mutating func write(_ field: PostbackField, unsigned value: PostbackValue, _ text: UnsafeRawBufferPointer) {
        guard let name = field.unsignedName, !PostbackSpelling.isAbsent(value.kind, text) else { return }
        writer.key(name)
        switch UnsignedValue(field, value.kind, text) {
        case .number(let number) where field == .coarseValue:
            writer.string(number == 0 ? "low" : number == 1 ? "medium" : "high")
        case .number(let number): writer.integer(number)
        case .letters(let letters): letters.withUnsafeBytes { writer.string(utf8: $0) }
        case .illegal:
            if value.kind == .string { writer.string(utf8: text) } else { writer.json(utf8: text) }
        }
    }
}

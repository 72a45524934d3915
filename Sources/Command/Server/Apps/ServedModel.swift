import SKANCore

/// A model of an app, and the JSON document that it was read from.
struct ServedModel: Sendable {
    let model: ConversionModel
    let document: [UInt8]

    /// The model's id with the first digits of its version: "mixed (3f2a1b0c4d5e)".
    var name: Message { "\(Message(utf8: model.id)) (\(shortVersion(model.version)))" }
}

/// The first twelve digits of a model's version.
func shortVersion(_ version: SHA256) -> Message {
    var digits = ByteBuffer(capacity: 64)
    version.write(to: &digits)
    return Message(utf8: [UInt8](digits.array.prefix(12)))
}

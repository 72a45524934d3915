internal import SKANCore
internal import SKANSystem

/// A rate as a model's document writes it.
struct WrittenRate: Sendable {
    /// Three capital letters.
    let currency: Message
    /// What one of it counts in the model's currency: decimal text.
    let rate: Message

    /// The rates in the order of the document, which the library has checked. The model's own currency may be among
    /// them.
    static func all(inModel document: Bytes) -> [WrittenRate] {
        guard let rates = try? JSONDocument(document).value("rates") else { return [] }
        return rates.members.map { member in
            WrittenRate(
                currency: Message(utf8: member.key.utf8), rate: Message(utf8: member.value.string?.utf8 ?? []))
        }
    }

    func isOf(_ currency: Currency) -> Bool { self.currency.utf8 == Message(writing: currency.write).utf8 }
}

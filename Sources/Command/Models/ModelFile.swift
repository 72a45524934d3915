package import SKANCommandOutput
package import SKANCore
package import SKANSystem

/// The file of a conversion model: the model, and how its document spells what the model itself keeps as numbers.
package struct ModelFile: Sendable {
    /// What it is called where something is said of it.
    package let name: Message
    package let model: ConversionModel
    let rates: [WrittenRate]

    @export(interface)
    package init(name: Message, document: Bytes) throws(Failure) {
        self.name = name
        model = try ConversionModel.read(json: document)
        rates = WrittenRate.all(inModel: document)
    }
}

extension ModelFile {
    /// Reads a file; "-" is standard input, but for a server, which reads a regular file again and again.
    @export(interface)
    package static func read(_ path: CText, forServer: Bool = false) throws(CommandEnd) -> ModelFile {
        let isInput = !forServer && path.isStandardInput
        let name: Message = isInput ? "standard input" : path.message
        let bytes: [UInt8]
        do throws(FileTrouble) {
            bytes = try readFile(path, limit: Limits.modelBytes, isStandardInput: isInput, isRegular: forServer)
        } catch {
            throw .complaint(name, words(error))
        }
        do throws(Failure) {
            return try bytes.withBytes { bytes throws(Failure) in try ModelFile(name: name, document: bytes) }
        } catch {
            throw .complaint(name, error.message)
        }
    }

    /// No more is read of a file that is too large.
    private static func words(_ trouble: FileTrouble) -> Message {
        guard case .tooLarge = trouble else { return trouble.words(limit: 0) }
        return "model at \"\": \(Limits.modelBytes + 1) bytes, the limit is \(Limits.modelBytes)"
    }
}

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

package import SKANCommandOutput
package import SKANCore
package import SKANSystem

/// The file of a conversion model: the model, its document, and the document's rates as text, which the model itself
/// keeps only as numbers.
package struct ModelFile: Sendable {
    package let name: Message
    package let model: ConversionModel
    package let document: [UInt8]
    let rates: [WrittenRate]

    @export(interface)
    package init(name: Message, document: Bytes) throws(Failure) {
        self.name = name
        model = try ConversionModel.read(json: document)
        self.document = [UInt8](document)
        rates = WrittenRate.all(inModel: document)
    }
}

extension ModelFile {
    /// Reads a file. "-" is standard input, except for a server, which accepts only regular files because it reads them
    /// again.
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

    /// Returns the message for a file that could not be read. For a file that is too large, the message gives the
    /// number of bytes that were read.
    private static func words(_ trouble: FileTrouble) -> Message {
        guard case .tooLarge = trouble else { return trouble.words(limit: 0) }
        return "model at \"\": \(Limits.modelBytes + 1) bytes, the limit is \(Limits.modelBytes)"
    }
}

/// An exchange rate as written in a model's document.
struct WrittenRate: Sendable {
    /// The currency's code: three capital letters.
    let currency: Message
    /// The value of one unit in the model's currency, as decimal text.
    let rate: Message

    /// Returns the rates in the order of the document, which must be a valid model. They may include the model's own
    /// currency.
    static func all(inModel document: Bytes) -> [WrittenRate] {
        guard let rates = try? JSONDocument(document).value("rates") else { return [] }
        return rates.members.map { member in
            WrittenRate(
                currency: Message(utf8: member.key.utf8), rate: Message(utf8: member.value.string?.utf8 ?? []))
        }
    }

    func isOf(_ currency: Currency) -> Bool { self.currency.utf8 == Message(writing: currency.write).utf8 }
}

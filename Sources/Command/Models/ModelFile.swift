internal import CSKANSystem
internal import SKANCommandOutput
package import SKANCore
package import SKANSystem

/// The file of a conversion model: the model, and how its document spells what the model itself keeps as numbers.
package struct ModelFile: Sendable {
    /// What it is called where something is said of it.
    package let name: Message
    package let model: ConversionModel
    let rates: [WrittenRate]

    package init(name: Message, document: Bytes) throws(Failure) {
        self.name = name
        model = try ConversionModel.read(json: document)
        rates = WrittenRate.all(inModel: document)
    }
}

/// Why there is no model: of which file, and what is wrong.
package struct ModelFileTrouble: Error {
    package let name: Message
    package let why: Message
}

extension ModelFile {
    /// Reads a file; `dashIsInput`: "-" is standard input.
    package static func read(_ path: CText, dashIsInput: Bool = true) throws(ModelFileTrouble) -> ModelFile {
        let isInput = dashIsInput && isStandardInput(path)
        let name: Message = isInput ? "standard input" : path.message
        let bytes: [UInt8]
        do throws(FileTrouble) {
            bytes = try readFile(path, limit: Limits.modelBytes, isStandardInput: isInput)
        } catch {
            throw ModelFileTrouble(name: name, why: reason(error))
        }
        do throws(Failure) {
            return try bytes.withBytes { bytes throws(Failure) in try ModelFile(name: name, document: bytes) }
        } catch {
            throw ModelFileTrouble(name: name, why: error.message)
        }
    }

    /// Whether the path stands for standard input.
    package static func isStandardInput(_ path: CText) -> Bool { path.message.utf8 == [UInt8(ascii: "-")] }

    private static func reason(_ trouble: FileTrouble) -> Message {
        switch trouble {
        case .system(0): "could not be read"
        case .system(let number): Message(systemError: number)
        // No more of it is read.
        case .tooLarge: "model at \"\": \(Limits.modelBytes + 1) bytes, the limit is \(Limits.modelBytes)"
        }
    }
}

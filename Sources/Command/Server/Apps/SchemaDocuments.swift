import SKANCommandModels
import SKANCore
import SKANSystem

/// A model in row form, with the names that one network uses for events.
struct SchemaDocument: Sendable {
    /// The ETag with quotation marks: the model's version and the SHA-256 of the network's map.
    let etag: Message
    let rows: [UInt8]
}

/// The documents of a configuration's models. Each is made when a network first reads it, and kept as long as the
/// configuration, because making the rows of a large model takes tens of milliseconds. Thread-safe.
final class SchemaDocuments: @unchecked Sendable {
    private struct Entry {
        let model: ConversionModel
        let network: [UInt8]
        let document: SchemaDocument
    }

    private var entries: [Entry] = []
    private let lock = Lock()
    private let makeRows: @Sendable (ConversionModel, EventMap) -> [UInt8]

    init(makeRows: @escaping @Sendable (ConversionModel, EventMap) -> [UInt8] = { rowDocument(of: $0, $1).utf8 }) {
        self.makeRows = makeRows
    }

    /// `map` must be the network's map, the same in every call, because documents are found by model and network only.
    func document(of model: ConversionModel, for network: [UInt8], _ map: EventMap) -> SchemaDocument {
        lock.hold {
            if let found = entries.first(where: { $0.model === model && $0.network == network }) {
                return found.document
            }
            let made = SchemaDocument(etag: etag(model, map), rows: makeRows(model, map))
            entries.append(Entry(model: model, network: network, document: made))
            return made
        }
    }
}

private func etag(_ model: ConversionModel, _ map: EventMap) -> Message {
    var text = ByteBuffer(capacity: 4 * SHA256.byteCount + 3)
    text.append("\"")
    model.version.write(to: &text)
    text.append("-")
    digest(of: map).write(to: &text)
    text.append("\"")
    return Message(utf8: text.array)
}

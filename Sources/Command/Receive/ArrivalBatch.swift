import SKANCore
import SKANSystem

/// A batch of texts from files. One thread reads and verifies the texts; the main thread then stores the postbacks of
/// several batches together.
final class ArrivalBatch: @unchecked Sendable {
    struct Item {
        let file: Message
        let line: UInt64
        fileprivate let text: Range<Int>
        /// nil until the text has been read.
        fileprivate(set) var read: ReadPostback?
    }

    private(set) var items: [Item] = []
    private var texts = ByteBuffer(capacity: 65_536)

    /// The maximum number of texts in a batch: a quarter of what a store accepts in one call.
    private static var most: Int { Limits.batchItems / ArrivalBatch.storedTogether }
    /// The maximum total number of bytes of a batch's texts.
    private static var mostBytes: Int { 1 << 18 }
    /// The maximum number of batches stored in one call.
    static var storedTogether: Int { 4 }

    var isFull: Bool { items.count >= ArrivalBatch.most || texts.count >= ArrivalBatch.mostBytes }

    func add(_ text: Bytes, of file: Message, line: UInt64) {
        let start = texts.count
        texts.append(text)
        items.append(Item(file: file, line: line, text: start..<texts.count))
    }

    /// Adds a text that is not a postback, so that it is reported in the order of the file.
    func add(wrong: Message, of file: Message, line: UInt64) {
        items.append(Item(file: file, line: line, text: 0..<0, read: .wrong(wrong)))
    }

    func read(by reader: ArrivalReader) {
        for index in items.indices where items[index].read == nil {
            items[index].read = reader.read(texts.lent(items[index].text))
        }
    }

    func removeAll() {
        items.removeAll(keepingCapacity: true)
        texts.removeAll()
    }
}

import SKANCore
import SKANSystem

/// Texts from files that one thread reads and another then stores together.
final class ArrivalBatch: @unchecked Sendable {
    struct Item {
        let file: Message
        let line: UInt64
        fileprivate let text: Range<Int>
        /// The result of reading the text; nil until then.
        fileprivate(set) var read: ReadPostback?
    }

    private(set) var items: [Item] = []
    private var texts = ByteBuffer(capacity: 65_536)

    /// A quarter of what a store accepts in one call.
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

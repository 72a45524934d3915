import SKANCore
import SKANSystem

/// The postbacks in a body: a single one, the elements of an array, or several objects one after the other on lines.
struct PostbackList {
    struct Item {
        /// The text, cut to the maximum size of a postback. It need not be a valid postback.
        let text: [UInt8]
        let isTooLong: Bool
    }

    private(set) var items: [Item] = []
    private let isArray: Bool
    /// Whether at least one of the texts is an object.
    private var hasObject = false

    /// The maximum number of postbacks in a list.
    private static var most: Int { 1000 }

    init(_ body: Bytes) {
        isArray = body.first { !isBeforeValues($0) } == UInt8(ascii: "[")
        let written = WrittenPostbacks(BodyBlocks(body))
        while items.count <= PostbackList.most {
            switch written.next() {
            case .postback(let text):
                hasObject = true
                items.append(Item(text: [UInt8](text), isTooLong: false))
            case .wrong: items.append(Item(text: [UInt8](written.kept), isTooLong: written.isTooLong))
            case .over, .failed: return
            }
        }
    }

    /// Whether the body is read and answered as one postback. This includes a body without any object, however many
    /// lines it has.
    var isSingle: Bool { !isArray && (items.count <= 1 || !hasObject) }

    /// Whether the body has more postbacks than a list may have. `items` then lacks some of them.
    var hasTooMany: Bool { items.count > PostbackList.most }
}

/// Whether the byte is white space or part of a byte-order mark.
private func isBeforeValues(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, 0xEF, 0xBB, 0xBF: true
    default: false
    }
}

/// A request's body, as one block.
private final class BodyBlocks: WrittenBlocks {
    private var rest: Bytes

    init(_ body: Bytes) { rest = body }

    var position: UInt64 { 0 }

    func next() -> Bytes {
        defer { rest = Bytes(start: nil, count: 0) }
        return rest
    }
}

internal import SKANCore

/// The position of a text among the texts of a postback.
struct TextPlace: Sendable {
    let start: Int
    let count: Int
}

/// A fixed text of this library, or one of a postback's texts.
enum PostbackWords: Sendable {
    case fixed(StaticString)
    case told(TextPlace)
}

/// The texts of a postback in one block of memory, each followed by a NUL. Positions stay valid when texts are added.
struct PostbackTexts: ~Copyable {
    private var memory: ByteBuffer

    init(capacity: Int) { memory = ByteBuffer(capacity: max(capacity, 64)) }

    mutating func add(_ text: UnsafeRawBufferPointer) -> TextPlace {
        let start = memory.count
        memory.append(text)
        memory.append(0)
        return TextPlace(start: start, count: text.count)
    }

    /// The text at a position, followed by a NUL. Valid until texts are added or freed.
    subscript(place: TextPlace) -> UnsafeRawBufferPointer {
        guard place.start >= 0, place.count >= 0, place.start &+ place.count < memory.count else {
            return UnsafeRawBufferPointer(start: memory.base, count: 0)
        }
        return UnsafeRawBufferPointer(start: memory.base + place.start, count: place.count)
    }

    subscript(words: PostbackWords) -> UnsafeRawBufferPointer {
        switch words {
        case .fixed(let text): text.bytes
        case .told(let place): self[place]
        }
    }

    /// Replaces unpaired surrogates, of three bytes each, by U+FFFD in the texts added after `first`. No signature of
    /// Apple's covers such texts.
    mutating func mend(behind first: TextPlace) {
        let bytes = UnsafeMutableRawBufferPointer(start: memory.base, count: memory.count)
        var position = first.start &+ first.count
        while position &+ 2 < bytes.count {
            if bytes[position] == 0xED, bytes[position &+ 1] >= 0xA0 {
                bytes[position] = 0xEF
                bytes[position &+ 1] = 0xBF
                bytes[position &+ 2] = 0xBD
            }
            position &+= 1
        }
    }
}

/// Whether the bytes equal a text.
@inline(never)
package func isText(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
    return true
}

/// Whether two texts have the same bytes.
@inline(never)
package func isSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    for index in 0..<one.count where one[index] != other[index] { return false }
    return true
}

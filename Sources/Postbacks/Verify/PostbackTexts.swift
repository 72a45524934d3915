internal import SKANCore

/// The place of a text among the texts of a postback.
struct TextPlace: Sendable {
    let start: Int
    let count: Int
}

/// Words of this library, or of a postback's texts.
enum PostbackWords: Sendable {
    case fixed(StaticString)
    case told(TextPlace)
}

/// The texts of a postback in one piece of memory, each ended by a NUL. Where they stand holds while they grow.
struct PostbackTexts: ~Copyable {
    private var memory: ByteBuffer

    init(capacity: Int) { memory = ByteBuffer(capacity: max(capacity, 64)) }

    mutating func add(_ text: UnsafeRawBufferPointer) -> TextPlace {
        let start = memory.count
        memory.append(text)
        memory.append(0)
        return TextPlace(start: start, count: text.count)
    }

    /// Valid until the texts grow or end; a NUL follows it.
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

    /// Unpaired surrogates, three bytes each, become U+FFFD in the texts that were added after one of them. No
    /// signature of Apple's is on them.
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

/// Whether bytes are those of a text.
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

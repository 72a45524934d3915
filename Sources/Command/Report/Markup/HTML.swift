import SKANCommandOutput
import SKANCore
import SKANSystem

/// A piece of the page. Literals in the source are markup; interpolated values are escaped as text, for use between
/// tags and in attributes. Interpolated pieces are inserted as they are.
struct HTML: ExpressibleByStringInterpolation {
    private(set) var utf8: [UInt8]

    @inline(never)
    init(stringLiteral markup: StaticString) { utf8 = [UInt8](markup.bytes) }

    init(stringInterpolation pieces: StringInterpolation) { utf8 = pieces.utf8 }

    /// Returns the joined pieces of all items, in order.
    @inline(never)
    static func each<Item>(_ items: [Item], _ piece: (Item) -> HTML) -> HTML {
        var all: HTML = ""
        for item in items { all += piece(item) }
        return all
    }

    @inline(never)
    static func += (all: inout HTML, more: HTML) { all.utf8.append(contentsOf: more.utf8) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var utf8: [UInt8] = []

        @inline(never)
        init(literalCapacity: Int, interpolationCount: Int) {
            utf8.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        @inline(never)
        mutating func appendLiteral(_ markup: StaticString) { utf8.append(contentsOf: markup.bytes) }

        @inline(never)
        mutating func appendInterpolation(_ piece: HTML) { utf8.append(contentsOf: piece.utf8) }

        mutating func appendInterpolation(_ text: StaticString) { append(text: text.bytes) }

        mutating func appendInterpolation(_ text: [UInt8]) { text.withUnsafeBytes { append(text: $0) } }
        mutating func appendInterpolation(_ text: Message) { appendInterpolation(text.utf8) }

        mutating func appendInterpolation(_ number: UInt64) { appendInterpolation("\(number)" as Message) }
        mutating func appendInterpolation(_ number: Int) { appendInterpolation("\(number)" as Message) }

        mutating func appendInterpolation(_ number: Double, places: Int32) {
            appendInterpolation(fixedText(number, places: places))
        }

        /// Appends a text, escaped. Control characters, marks of the writing direction and invalid UTF-8 become U+FFFD.
        @inline(never)
        private mutating func append(text: Bytes) {
            var place = 0
            while place < text.count {
                let found = nextScalar(text, at: place)
                let length = found?.length ?? 1
                switch found?.scalar {
                case nil: appendLiteral("\u{FFFD}")
                case let scalar? where isObeyedByTerminals(scalar): appendLiteral("\u{FFFD}")
                case 0x22: appendLiteral("&quot;")
                case 0x26: appendLiteral("&amp;")
                case 0x27: appendLiteral("&#39;")
                case 0x3C: appendLiteral("&lt;")
                case 0x3E: appendLiteral("&gt;")
                default: utf8.append(contentsOf: text[place..<(place + length)])
                }
                place += length
            }
        }
    }
}

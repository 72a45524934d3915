/// A key of the details, or of any other document or query. Keys of a window include its number: "p0_coarse".
package struct DocumentKey: ExpressibleByStringLiteral, Sendable {
    /// The window whose number precedes the name, as in "p0_coarse"; nil for a key that has none.
    private let window: Window?
    private let name: StaticString

    @inline(__always)
    private init(_ window: Window?, _ name: StaticString) {
        self.window = window
        self.name = name
    }

    @inline(__always)
    package init(stringLiteral name: StaticString) { self.init(nil, name) }

    @inline(__always)
    package static func coarse(_ window: Window) -> DocumentKey { DocumentKey(window, "_coarse") }
    @inline(__always)
    package static func previousCoarse(_ window: Window) -> DocumentKey { DocumentKey(window, "_prev_coarse_value") }
    @inline(__always)
    package static func lock(_ window: Window) -> DocumentKey { DocumentKey(window, "_window_lock") }

    @inline(__always)
    package static func revenue(_ window: Window, _ kind: RevenueKind) -> DocumentKey {
        DocumentKey(window, kind == .iap ? "_total_iap_revenue" : "_total_admon_revenue")
    }

    package func isEqual(_ text: UnsafeRawBufferPointer) -> Bool {
        // A request looks for about thirty names among its items, and most already differ in length.
        guard text.count == name.utf8CodeUnitCount &+ (window == nil ? 0 : 2) else { return false }
        var end = text[...]
        if let window {
            guard end.popFirst() == UInt8(ascii: "p"), end.popFirst() == window.digit else { return false }
        }
        return end.elementsEqual(name.bytes)
    }

    @inline(__always)
    package func write(to text: inout ByteBuffer) {
        if let window {
            text.append(UInt8(ascii: "p"))
            text.append(window.digit)
        }
        text.append(name)
    }
}

extension Window {
    fileprivate var digit: UInt8 {
        assert(Window.count <= 10)
        return UInt8(ascii: "0") &+ rawValue
    }
}

extension Message.StringInterpolation {
    @inline(never)
    package mutating func appendInterpolation(_ key: DocumentKey) {
        var text = ByteBuffer(capacity: 48)
        key.write(to: &text)
        appendInterpolation(Message(utf8: text.array))
    }
}

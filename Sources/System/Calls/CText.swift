internal import CSKANSystem
package import SKANCore

extension StaticString {
    package var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

extension Message {
    /// Empty for NULL.
    package init(_ text: UnsafePointer<CChar>?) {
        self.init(utf8: text.map { [UInt8](Bytes(start: $0, count: strlen($0))) } ?? [])
    }

    package init(systemError: Int32) { self.init(strerror(systemError)) }
}

/// A text for C, which ends with a NUL.
package struct CText: Sendable {
    package let characters: [CChar]

    package init(_ utf8: some Sequence<UInt8>) {
        var characters = utf8.map { CChar(bitPattern: $0) }
        characters.append(0)
        self.characters = characters
    }

    package init(copying text: UnsafePointer<CChar>) {
        characters = [CChar](UnsafeBufferPointer(start: text, count: strlen(text) + 1))
    }

    package var message: Message { characters.withUnsafeBufferPointer { Message($0.baseAddress) } }
}

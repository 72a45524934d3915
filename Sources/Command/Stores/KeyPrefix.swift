package import SKANSystem
internal import SKANCore

extension Bytes {
    /// Whether these letters are the first of them.
    package func begins(with letters: StaticString) -> Bool { starts(with: letters.bytes) }

    /// The bytes after these letters; nil if they do not begin with them.
    package func behind(_ letters: StaticString) -> Bytes? {
        begins(with: letters) ? behind(letters.utf8CodeUnitCount) : nil
    }

    /// The bytes behind the first so many.
    package func behind(_ first: Int) -> Bytes { Bytes(rebasing: dropFirst(first)) }
}

/// 64 lower-case hexadecimal digits of SHA-256: what postbacks' keys end with.
package enum PostbackDigits {
    package static var count: Int { 64 }

    package static func areAll(of text: some Sequence<UInt8>) -> Bool {
        var count = 0
        for letter in text {
            guard isDigit(letter) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= letter else { return false }
            count += 1
        }
        return count == PostbackDigits.count
    }
}

package import SKANSystem
import SKANCore

extension Bytes {
    package func begins(with letters: StaticString) -> Bool { starts(with: letters.bytes) }

    /// nil if the bytes do not begin with these letters.
    package func behind(_ letters: StaticString) -> Bytes? {
        begins(with: letters) ? behind(letters.utf8CodeUnitCount) : nil
    }

    /// The bytes after the first `first` ones.
    package func behind(_ first: Int) -> Bytes { Bytes(rebasing: dropFirst(first)) }
}

/// The digits at the end of the keys of postbacks: 64 lower-case hexadecimal digits of a SHA-256.
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

package import CSKANSystem
package import SKANSystem

/// Reads the lines of a file, each into the same memory.
package final class FileLines {
    package enum Line {
        /// A line without its line feed, valid until the next one is read.
        case whole(Bytes)
        /// A line that was too long and was skipped.
        case tooLong
        case over
        /// Reading failed with this errno. EINTR means that the command is ending, so the rest of a long line was not
        /// read.
        case failed(Int32)
    }

    /// The length in bytes above which a line is skipped. It is longer than any line of skan export, which has a record
    /// of 32 KiB in base64, details of 64 KiB, and an install id.
    package static var greatestLength: Int { 256 * 1024 }

    /// The number of the most recently read line, from 1.
    package private(set) var number: UInt64 = 0
    /// The number of bytes read so far.
    package private(set) var bytes: UInt64 = 0
    private let file: UnsafeMutablePointer<FILE>
    private let text = UnsafeMutableRawBufferPointer.allocate(byteCount: greatestLength, alignment: 1)

    package init(_ file: UnsafeMutablePointer<FILE>) { self.file = file }

    deinit { text.deallocate() }

    package func next() -> Line {
        number += 1
        var length = 0
        var byte = system_next_byte(file)
        while byte != EOF && byte != Int32(UInt8(ascii: "\n")) {
            if length < text.count { text[length] = UInt8(truncatingIfNeeded: byte) }
            length += 1
            if length % FileLines.greatestLength == 0 && Ending.isEnding { return .failed(EINTR) }
            byte = system_next_byte(file)
        }
        let isEnd = byte == EOF
        bytes += UInt64(length + (isEnd ? 0 : 1))
        if isEnd && ferror(file) != 0 { return .failed(systemError) }
        if isEnd && length == 0 { return .over }
        return length > text.count ? .tooLong : .whole(Bytes(rebasing: Bytes(text)[..<length]))
    }
}

package import SKANCore
import SKANPostbackReceiving
package import SKANSystem

/// The bytes of a file or of a request, block by block.
package protocol WrittenBlocks: AnyObject {
    /// The number of bytes read so far.
    var position: UInt64 { get }

    /// The next bytes, valid until the next call; empty at the end.
    func next() throws(Failure) -> Bytes
}

/// The postbacks in a file or in a request: JSON objects on one or more lines each, one after the other or as the
/// elements of an array. Only braces are matched to find the objects; the code that reads an object checks whether it
/// is valid JSON.
///
/// A truncated postback does not affect the next ones: a string never continues beyond the end of a line, and a brace
/// at the start of a line begins a postback.
package final class WrittenPostbacks {
    package enum Next {
        /// A postback; valid until the next one is read.
        case postback(Bytes)
        /// Something other than a postback, which was skipped. The message says what was expected and what was found.
        case wrong(Message)
        case over
        /// The bytes cannot be read further, for the reason in the message.
        case failed(Message)
    }

    /// The number of the line in which the last result of `next` begins, counted from 1.
    package private(set) var firstLine: UInt64 = 1
    /// The position in the file after the last block that was read, in bytes.
    package private(set) var position: UInt64 = 0
    private var line: UInt64 = 1
    private let file: any WrittenBlocks
    private var block = Bytes(start: nil, count: 0)
    private var place = 0
    private var isAtLineStart = true
    /// Whether nothing but a byte-order mark was read so far.
    private var isAtStart = true
    private var isOver = false
    private var failure: Message?
    /// The line in which the current array begins; nil outside an array.
    private var arrayLine: UInt64?
    private let text: UnsafeMutableRawBufferPointer
    /// The length of the current text in bytes. It can exceed the size of the buffer `text`, which then has only the
    /// first bytes.
    private var length = 0

    /// `mostBytes`: the maximum size in bytes of a postback or, if the file contains other objects, of such an object.
    package init(_ file: any WrittenBlocks, mostBytes: Int = PostbackRecord.bodyBytes) {
        self.file = file
        text = UnsafeMutableRawBufferPointer.allocate(byteCount: mostBytes, alignment: 1)
    }

    deinit { text.deallocate() }

    @export(interface)
    package func next() -> Next {
        length = 0
        passBetween()
        firstLine = line
        guard let first = peek() else { return end() }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? nested() : other()
    }

    // MARK: Bytes

    private func peek() -> UInt8? {
        if place == block.count && !fill() { return nil }
        return block[place]
    }

    private func fill() -> Bool {
        if isOver { return false }
        do throws(Failure) {
            block = try file.next()
        } catch {
            block = Bytes(start: nil, count: 0)
            failure = error.message
        }
        position = file.position
        place = 0
        isOver = block.isEmpty
        return !isOver
    }

    /// Skips the byte that `peek` returned.
    private func pass(_ byte: UInt8) {
        isAtLineStart = byte == UInt8(ascii: "\n")
        if isAtLineStart { line += 1 }
        place += 1
    }

    private func keep(_ byte: UInt8) {
        if length < text.count { text[length] = byte }
        length += 1
        pass(byte)
    }

    /// The text of the last result of `next`, cut to the maximum size of a postback. Valid until `next` is called
    /// again.
    package var kept: Bytes { Bytes(rebasing: Bytes(text)[..<min(length, text.count)]) }

    /// Whether the text of the last result is longer than a postback may be.
    package var isTooLong: Bool { length > text.count }

    // MARK: Values

    /// Skips the bytes between postbacks: white space, a byte-order mark, and the brackets and commas of an array.
    private func passBetween() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
            case 0xEF where isAtStart, 0xBB where isAtStart, 0xBF where isAtStart:
                pass(byte)
                continue
            case UInt8(ascii: "[") where arrayLine == nil: arrayLine = line
            case UInt8(ascii: "]") where arrayLine != nil: arrayLine = nil
            case UInt8(ascii: ",") where arrayLine != nil: break
            default:
                isAtStart = false
                return
            }
            isAtStart = false
            pass(byte)
        }
    }

    private func end() -> Next {
        if let reason = failure {
            (failure, arrayLine) = (nil, nil)
            return .failed(reason)
        }
        guard let begun = arrayLine else { return .over }
        arrayLine = nil
        return .wrong("expected the end of the array that begins in line \(begun), got the end of the file")
    }

    /// Reads an object or array, up to its closing bracket.
    private func nested() -> Next {
        var depth = 0
        var isInText = false
        var isEscaped = false
        while let byte = peek() {
            let isCut =
                isInText && byte == UInt8(ascii: "\n") || length > 0 && isAtLineStart && byte == UInt8(ascii: "{")
            if isCut { return cut() }
            keep(byte)
            if isEscaped {
                isEscaped = false
            } else if isInText {
                isEscaped = byte == UInt8(ascii: "\\")
                isInText = byte != UInt8(ascii: "\"")
            } else if byte == UInt8(ascii: "\"") {
                isInText = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
                if depth == 0 { return whole() }
            }
        }
        if failure != nil { return end() }
        arrayLine = nil
        return cut()
    }

    private func whole() -> Next {
        if kept.first == UInt8(ascii: "[") { return .wrong("expected a postback, got an array inside an array") }
        if isTooLong {
            return .wrong("expected a postback of at most \(text.count) bytes, got an object of \(length)")
        }
        return .postback(kept)
    }

    private func cut() -> Next {
        let end = kept.suffix(48)
        return .wrong("expected a postback, got one that ends early, after \(quoted: Bytes(rebasing: end))")
    }

    /// Skips something other than an object, up to the end of the line or, in an array, of the element.
    private func other() -> Next {
        var isInText = false
        while let byte = peek(), byte != UInt8(ascii: "\n") {
            let isBetween = byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
            if arrayLine != nil && !isInText && isBetween { break }
            if byte == UInt8(ascii: "\"") { isInText.toggle() }
            keep(byte)
        }
        // If reading failed, the text is incomplete, so it is not reported as wrong.
        if failure != nil { return end() }
        return .wrong("expected a postback, which is a JSON object, got \(quoted: kept)")
    }
}

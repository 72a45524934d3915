/// An error in a JSON text, and its position.
package struct JSONFault: Error, Equatable {
    package enum Kind {
        case notAnObject, unexpectedByte, unexpectedEnd, trailingBytes, duplicateKey, nulInKey, tooDeep, notUTF8
    }

    package let kind: Kind
    /// The index of the faulty byte, from 0.
    package let position: Int
    /// Counted from 1. LF, CR or CR LF ends a line.
    package private(set) var line = 1
    /// Counted from 1, in code points.
    package private(set) var column = 1

    init(_ kind: Kind, _ position: Int) {
        self.kind = kind
        self.position = position
    }

    /// Sets `line` and `column`. The text before `position` must be UTF-8.
    @inline(never)
    mutating func locate(in text: UnsafeRawBufferPointer) {
        var before: UInt8 = 0
        for byte in text.prefix(position) {
            switch byte {
            case 0x0A where before == 0x0D:
                break
            case 0x0A, 0x0D:
                line &+= 1
                column = 1
            case 0x80..<0xC0:
                break
            default:
                column &+= 1
            }
            before = byte
        }
    }

    package var description: Message { "\(what) at byte \(position) (line \(line), column \(column))" }

    package var what: StaticString {
        switch kind {
        case .notAnObject: "not a JSON object"
        case .unexpectedByte: "unexpected byte"
        case .unexpectedEnd: "the text ends early"
        case .trailingBytes: "bytes after the object"
        case .duplicateKey: "duplicate key"
        case .nulInKey: "NUL in a key"
        case .tooDeep: "more than 32 nested arrays and objects"
        case .notUTF8: "not UTF-8"
        }
    }
}

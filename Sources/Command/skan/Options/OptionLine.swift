import SKANCore

/// A line of a file of options: "name = value", "name", or empty. A "#" at the start or after a blank begins a comment.
struct OptionLine {
    private let line: ArraySlice<UInt8>
    /// "FILE:LINE".
    private let place: Message
    let name: ArraySlice<UInt8>
    /// nil if there is no "=".
    let value: ArraySlice<UInt8>?

    init(_ line: ArraySlice<UInt8>, _ place: Message) {
        self.line = line
        self.place = place
        let comment = line.indices.first { index in
            line[index] == UInt8(ascii: "#") && (index == line.startIndex || isBlank(line[index - 1]))
        }
        let text = line[..<(comment ?? line.endIndex)]
        let equals = text.firstIndex(of: UInt8(ascii: "="))
        name = trimmed(text[..<(equals ?? text.endIndex)])
        value = equals.map { trimmed(text[($0 + 1)...]) }
    }

    /// "FILE:LINE:COLUMN"; columns count bytes from 1.
    func place(of part: ArraySlice<UInt8>) -> Message { "\(place):\(part.startIndex - line.startIndex + 1)" }

    /// The place of a control character, which no option may contain; nil if there is none.
    var illegalPlace: Message? {
        trimmed(line).firstIndex { $0 < 0x20 && !isBlank($0) || $0 == 0x7F }.map { place(of: line[$0...]) }
    }
}

private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = text.firstIndex { !isBlank($0) } ?? text.endIndex
    let end = text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    return text[start..<end]
}

/// Whether a byte is a blank, a tab, or the CR of a Windows line ending.
private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

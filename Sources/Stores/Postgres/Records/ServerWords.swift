internal import SKANCore
internal import SKANSystem

/// Returns a text of the server or of libpq as a message shows it: one line of UTF-8, at most `room` bytes, with the
/// password hidden.
func singleLine(_ words: some Collection<UInt8>, hiding password: [UInt8], room: Int) -> Message {
    var line: [UInt8] = []
    let words = [UInt8](words)
    words.withUnsafeBytes { words in
        var rest = words[...]
        while let first = rest.first, line.count + 4 <= room {
            let length = utf8Length(Bytes(rebasing: rest))
            if password.count >= 4 && rest.starts(with: password) {
                line.append(contentsOf: [UInt8](repeating: UInt8(ascii: "*"), count: 3))
                rest = rest.dropFirst(password.count)
            } else if length == 0 || first < 0x20 {
                let isSpace = first == UInt8(ascii: "\n") || first == UInt8(ascii: "\t") || first == UInt8(ascii: "\r")
                let follows = line.last.map { $0 != UInt8(ascii: " ") } ?? false
                if !isSpace || follows { line.append(UInt8(ascii: isSpace ? " " : "?")) }
                rest = rest.dropFirst()
            } else {
                line.append(contentsOf: rest.prefix(length))
                rest = rest.dropFirst(length)
            }
        }
    }
    while line.last == UInt8(ascii: " ") { line.removeLast() }
    return Message(utf8: line)
}

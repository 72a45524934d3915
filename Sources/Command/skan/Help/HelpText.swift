import SKANCore

/// A part of a help text. In the sources, consecutive lines form a paragraph, which an empty line ends. A line that
/// begins with two blanks is kept as it is.
enum HelpBlock {
    case paragraph([UInt8])
    case verbatim([[UInt8]])

    static func blocks(of text: some Sequence<UInt8>) -> [HelpBlock] {
        var blocks: [HelpBlock] = []
        var isNew = true
        for line in [UInt8](text).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = [UInt8](line)
            if line.isEmpty {
                isNew = true
            } else if line.starts(with: ("  " as StaticString).bytes) {
                if case .verbatim(let lines)? = blocks.last {
                    blocks[blocks.count - 1] = .verbatim(lines + (isNew ? [[]] : []) + [line])
                } else {
                    blocks.append(.verbatim([line]))
                }
                isNew = false
            } else {
                if !isNew, case .paragraph(let before)? = blocks.last {
                    blocks[blocks.count - 1] = .paragraph(before + [UInt8(ascii: " ")] + line)
                } else {
                    blocks.append(.paragraph(line))
                }
                isNew = false
            }
        }
        return blocks
    }
}

/// Returns the text in lines of at most `width` bytes. A longer word has a line of its own.
func wrapped(_ text: [UInt8], to width: Int) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for word in text.split(separator: UInt8(ascii: " ")) {
        if let last = lines.last, last.count + 1 + word.count <= width {
            lines[lines.count - 1] = last + [UInt8(ascii: " ")] + word
        } else {
            lines.append([UInt8](word))
        }
    }
    return lines
}

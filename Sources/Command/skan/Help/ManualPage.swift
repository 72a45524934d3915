import SKANCore

extension CommandPage {
    /// The manual page in the format of man.
    var manual: Message {
        let title = Message(utf8: fullName.utf8.map { $0 == 0x20 ? UInt8(ascii: "-") : $0 })
        var page = ManualText()
        page.line(".TH \(page.title(title)) 1 \"\(changed)\" \"libskan \(libraryVersion)\" \"libskan\"")
        page.heading("Name")
        page.line("\(page.escaped(title)) \\- \(page.escaped("\(summary)"))")
        page.heading("Synopsis")
        page.words(usage.utf8)
        for section in allSections { page.add(section) }
        page.heading("See also")
        let isOverview = name.bytes.isEmpty
        page.line(isOverview ? ".BR skan\\-serve (1)" : ".BR skan (1)")
        return page.text
    }

    /// The date of the last change to the pages' texts.
    private var changed: StaticString { "2026-11-25" }
}

/// The source of a manual page, in the macros of man(7).
private struct ManualText {
    private var source: [UInt8] = []
    private var isAfterHeading = false

    var text: Message { Message(utf8: source) }

    mutating func line(_ line: Message) {
        source += line.utf8 + [UInt8(ascii: "\n")]
        isAfterHeading = false
    }

    mutating func heading(_ title: StaticString) {
        line(".SH \(self.title("\(title)"))")
        isAfterHeading = true
    }

    mutating func add(_ section: HelpSection) {
        heading(section.title)
        for block in HelpBlock.blocks(of: section.text.bytes) {
            if !isAfterHeading { line(".PP") }
            switch block {
            case .paragraph(let text): words(text)
            case .verbatim(let lines):
                line(".nf")
                for text in lines { line(guarded(escaped(Message(utf8: text)))) }
                line(".fi")
            }
        }
        for entry in section.list {
            line(".TP")
            line(".B \(escaped(entry.label))")
            words(entry.text.utf8)
        }
    }

    /// Adds text that man wraps.
    mutating func words(_ text: [UInt8]) {
        for text in wrapped(escaped(Message(utf8: text)).utf8, to: 78) { line(guarded(Message(utf8: text))) }
    }

    /// Returns the line, escaped so that roff does not treat it as a request.
    func guarded(_ line: Message) -> Message {
        line.utf8.first == UInt8(ascii: ".") || line.utf8.first == UInt8(ascii: "'") ? "\\&\(line)" : line
    }

    /// Returns the text with backslashes and dashes escaped.
    func escaped(_ text: Message) -> Message {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "-") { escaped.append(UInt8(ascii: "\\")) }
            escaped.append(byte == UInt8(ascii: "\\") ? UInt8(ascii: "e") : byte)
        }
        return Message(utf8: escaped)
    }

    /// Returns the text in capital letters, escaped.
    func title(_ text: Message) -> Message {
        escaped(Message(utf8: text.utf8.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 ? $0 - 32 : $0 }))
    }
}

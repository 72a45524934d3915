import SKANCommandOutput
import SKANCommandServer
import SKANCore
import SKANSystem

/// The help and manual page of a command.
struct CommandPage: Sendable {
    let name: StaticString
    /// The arguments after the name. "[FILE]" is optional, and "FILE..." may be repeated.
    let arguments: [StaticString]
    /// A one-line description for the list of commands.
    let summary: StaticString
    /// What the command does. `HelpBlock` defines the text's format.
    let text: StaticString
    let sections: [HelpSection]
    /// Returns new option groups, which hold the option values of one command line.
    var groups: @Sendable () -> [CommandOptionGroup] = { [] }

    var options: [CommandOption] { groups().flatMap { $0.options } }
    /// The groups of options, including those that every command with options has.
    var shownGroups: [CommandOptionGroup] { options.isEmpty ? [] : groups() + [.common] }

    /// "skan show STORE INSTALL [--json]".
    var usage: Message {
        let options = options
        let shown = options.count > 4 ? ["[OPTION]..."] : options.map { "[\($0.label)]" as Message }
        return joined([fullName] + arguments.map { "\($0)" } + shown, " ")
    }

    /// "model" and "check" for skan model check.
    var words: [[UInt8]] { name.bytes.split(separator: 0x20).map { [UInt8]($0) } }

    /// "skan" for the page of skan itself, otherwise such as "skan show".
    var fullName: Message { name.bytes.isEmpty ? "skan" : "skan \(name)" }

    var entry: HelpEntry { HelpEntry(label: fullName, text: "\(summary)") }

    /// Returns the error if the number of arguments is wrong; nil if it is right.
    func problem(of given: [CText]) -> CommandEnd? {
        let least = arguments.count { $0.bytes.first != UInt8(ascii: "[") }
        let isOpen = arguments.last.map { $0.bytes.suffix(3).elementsEqual(("..." as StaticString).bytes) } ?? false
        if given.count < least {
            let what: StaticString = given.isEmpty ? "no arguments" : "an argument is missing"
            return .usage(what: "\(name)", why: "\(what), expected: \(usage)")
        }
        guard given.count > arguments.count, !isOpen else { return nil }
        return .usage(what: given[arguments.count].message, why: "one argument too many, expected: \(usage)")
    }

    /// The sections of the page: the text, the options, and `sections`.
    var allSections: [HelpSection] {
        var parts = [HelpSection(title: "Description", text: text)]
        parts += shownGroups.map { group in
            HelpSection(title: group.title, list: group.options.map { HelpEntry(label: $0.label, text: $0.text) })
        }
        return parts + sections
    }

    /// Lines have at most 80 columns.
    var help: Message {
        var help: [UInt8] = []
        for line in wrapped(usage.utf8, to: 72).enumerated() {
            let before: StaticString = line.offset == 0 ? "usage: " : "         "
            help += before.bytes + line.element + newline
        }
        for (index, section) in allSections.enumerated() {
            help += newline
            if index > 0 { help += ("\(section.title):\n" as Message).utf8 }
            help += section.help
        }
        return Message(utf8: help)
    }
}

/// A section of a page: a text followed by a list.
struct HelpSection: Sendable {
    let title: StaticString
    var text: StaticString = ""
    var list: [HelpEntry] = []

    var help: [UInt8] {
        var help: [UInt8] = []
        for (index, block) in HelpBlock.blocks(of: text.bytes).enumerated() {
            switch block {
            case .paragraph(let text):
                if index > 0 { help += newline }
                for line in wrapped(text, to: 80) { help += line + newline }
            case .verbatim(let lines):
                for line in lines { help += line + newline }
            }
        }
        for entry in list { help += entry.help }
        return help
    }
}

/// An option or a command, with its description.
struct HelpEntry: Sendable {
    let label: Message
    let text: Message

    fileprivate var help: [UInt8] {
        var help: [UInt8] = ("  \(label)" as Message).utf8
        var column = help.count
        for line in wrapped(text.utf8, to: 80 - textColumn) {
            if column + 1 > textColumn {
                help += newline
                column = 0
            }
            help += padded("", to: textColumn - column).utf8 + line
            column = textColumn + line.count
        }
        return help + newline
    }
}

/// The column in which the texts of a list begin.
private var textColumn: Int { 24 }

private var newline: [UInt8] { [UInt8(ascii: "\n")] }

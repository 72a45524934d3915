import SKANCore

/// The possible completions of a command line's last word.
enum Completion {
    /// Words, each with its meaning.
    case words([HelpEntry])
    /// A file name, or a text that only the user knows.
    case file

    /// Completes the last of the words after "skan".
    init(of words: [Message], _ commands: [Subcommand]) {
        var before = words.map { $0.utf8 }
        let last = Message(utf8: before.popLast() ?? [])
        if before.first?.elementsEqual(("help" as StaticString).bytes) == true { before.removeFirst() }
        if let command = Subcommand.find(before, among: commands) {
            self.init(last, behind: before.last, command.page)
            return
        }
        var entries: [HelpEntry] = []
        for page in commands.map({ $0.page }) where page.words.starts(with: before) {
            let word = page.words[before.count]
            if entries.last?.label.utf8 == word { continue }
            entries.append(HelpEntry(label: Message(utf8: word), text: "\(page.summary)"))
        }
        self = .words(fitting(last, entries))
    }

    /// Completes `last`: the value of an option, the name of an option, or an argument. `before`: the word before it.
    private init(_ last: Message, behind before: [UInt8]?, _ page: CommandPage) {
        let options = page.shownGroups.flatMap { $0.options }
        if let option = options.first(where: { before == ("--\($0.name)" as Message).utf8 }), option.takesValue {
            self.init(last, of: option)
        } else if let option = options.first(where: { last.utf8.starts(with: ("--\($0.name)=" as Message).utf8) }) {
            self.init(last, of: option, behind: "--\(option.name)=")
        } else if last.utf8.first == UInt8(ascii: "-") {
            self = .words(fitting(last, options.map { HelpEntry(label: "--\($0.name)", text: $0.text) }))
        } else {
            self = .file
        }
    }

    private init(_ last: Message, of option: CommandOption, behind name: Message = "") {
        let words = option.words.map { HelpEntry(label: "\(name)\($0)", text: "") }
        self = words.isEmpty && option.takesFile ? .file : .words(fitting(last, words))
    }
}

private func fitting(_ start: Message, _ entries: [HelpEntry]) -> [HelpEntry] {
    entries.filter { $0.label.utf8.starts(with: start.utf8) }
}

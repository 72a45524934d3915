import CSKANSupport
import SKANCommandOutput
import SKANCore
import SKANSystem

/// Runs the command with the process's arguments, the first of which is its own name. Returns the exit code.
@export(interface)
package func runCommand(_ words: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
    returnFreedMemory()
    Ending.watchSignals()
    return Ending.finish(run(words.dropFirst().compactMap { $0.map { CText(copying: $0) } }))
}

private func run(_ words: [CText]) -> ExitCode {
    guard let word = words.first?.message else { return refuse("skan", "expected a command") }
    if asksForHelp(word) { return runHelp([CText](words.dropFirst())) }
    if word.utf8.elementsEqual(StaticString("--version").bytes) {
        StandardOutput.line(versionLine)
        return .fine
    }
    let names = words.map { $0.message.utf8 }
    guard let subcommand = Subcommand.find(names, among: Subcommand.all) else { return runFamily(names) }
    return subcommand.run([CText](words.dropFirst(subcommand.page.words.count)))
}

/// "skan 1.0.0 (3f2a1b0)": the library's version, and the commit that the program was linked at, if it is known.
private var versionLine: Message {
    let commit = CText(copying: support_commit_text())
    return commit.message.utf8.isEmpty ? "skan \(libraryVersion)" : "skan \(libraryVersion) (\(commit.message))"
}

/// Handles words that are not a whole command, such as "skan model". If help is asked for, lists the commands that
/// begin with the first word; otherwise prints an error.
private func runFamily(_ names: [[UInt8]]) -> ExitCode {
    let name = Message(utf8: names[0])
    let family = Subcommand.all.map { $0.page }.filter { $0.words.first == names[0] }
    if family.isEmpty { return refuse(name, "no such command\(suggested([name], 0))") }
    guard let word = names.dropFirst().first.map({ Message(utf8: $0) }) else {
        let next = joined(family.compactMap { $0.words.last.map { Message(utf8: $0) } }, "|")
        return refuse(name, "expected skan \(name) \(next)")
    }
    if !asksForHelp(word) { return refuse("\(name) \(word)", "no such command\(suggested([name, word], 1))") }
    StandardOutput.line("usage: skan \(name) COMMAND ...\n")
    StandardOutput.write(Message(utf8: HelpSection(title: "Commands", list: family.map { $0.entry }).help))
    return .fine
}

/// Returns a suggestion of commands whose word at index `place` is similar to the given one, such as ", did you mean
/// model check?"; empty if there are none.
private func suggested(_ words: [Message], _ place: Int) -> Message {
    let before = words.prefix(place).map { $0.utf8 }
    let names = Subcommand.all.map { $0.page.words }.filter { $0.count > place && $0.starts(with: before) }
    return suggestion(
        nearest(to: words[place].utf8, among: names.map { $0[place] }).map { name in
            joined((before + [name]).map { Message(utf8: $0) }, " ")
        })
}

private func refuse(_ what: Message, _ why: Message) -> ExitCode {
    let code = CommandEnd.usage(what: what, why: why).say()
    complainPlainly("Try: skan --help")
    return code
}

/// Runs skan help [COMMAND]. Packages use skan help --man [COMMAND] for manual pages, and shells use skan help
/// --complete WORD... for completion.
private func runHelp(_ words: [CText]) -> ExitCode {
    let first = words.first?.message ?? "help"
    if first.utf8.elementsEqual(("--complete" as StaticString).bytes) { return complete(words.dropFirst()) }
    let isManual = first.utf8.elementsEqual(("--man" as StaticString).bytes)
    let names = words.dropFirst(isManual ? 1 : 0).map { $0.message }.filter { !asksForHelp($0) }.map { $0.utf8 }
    if names.isEmpty { return show(.overview(Subcommand.all), isManual) }
    guard let page = Subcommand.find(names, among: Subcommand.all)?.page else {
        return runFamily(names.count == 1 ? names + [("help" as Message).utf8] : names)
    }
    if names.count > page.words.count {
        let extra = Message(utf8: names[page.words.count])
        return refuse(extra, "one argument too many, expected: skan help [COMMAND]")
    }
    return show(page, isManual)
}

private func show(_ page: CommandPage, _ isManual: Bool) -> ExitCode {
    StandardOutput.write(isManual ? page.manual : page.help)
    return .fine
}

/// Prints each possible last word of a command line, with a tab and its meaning. The exit code is 1 if a file name is
/// expected.
private func complete(_ words: ArraySlice<CText>) -> ExitCode {
    guard case .words(let entries) = Completion(of: words.map { $0.message }, Subcommand.all) else { return .found }
    for entry in entries { StandardOutput.line("\(entry.label)\t\(entry.text)") }
    return .fine
}

func asksForHelp(_ word: Message) -> Bool {
    (["--help", "-h", "help"] as [StaticString]).contains { word.utf8.elementsEqual($0.bytes) }
}

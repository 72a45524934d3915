internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

/// Runs the command with the words that the process was given, the first of which is its own name; answers the
/// process's exit code.
package func runCommand(_ words: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
    returnFreedMemory()
    Ending.watchSignals()
    return Ending.finish(run(words.compactMap { $0.map { CText(copying: $0) } }))
}

private func run(_ words: [CText]) -> ExitCode {
    guard words.count > 1 else { return refuse("skan", "expected a command") }
    let given = [CText](words.dropFirst())
    let word = given[0].message
    if asksForHelp(word) { return runHelp(given) }
    if word.utf8.elementsEqual(StaticString("--version").bytes) {
        StandardOutput.line("skan \(libraryVersion)")
        return .fine
    }
    return runSubcommand(given)
}

private func runSubcommand(_ words: [CText]) -> ExitCode {
    let name = words[0].message
    guard let subcommand = find(name) else { return refuse(name, "no such command") }
    return subcommand.run(words)
}

private func find(_ name: Message) -> Subcommand? {
    Subcommand.all.first { name.utf8.elementsEqual($0.usage.name.bytes) }
}

private func refuse(_ what: Message, _ why: Message) -> ExitCode {
    let code = CommandEnd.usage(what: what, why: why).say()
    complainPlainly("Try: skan --help")
    return code
}

/// skan help [COMMAND], or of a command's part: skan help model check.
private func runHelp(_ words: [CText]) -> ExitCode {
    let hasParts = words.count > 1 && find(words[1].message)?.parts.isEmpty == false
    let most = hasParts ? 3 : 2
    if words.count > most {
        return refuse(words[most].message, "one argument too many, expected: skan help [COMMAND]")
    }
    if words.count == 1 || asksForHelp(words[1].message) {
        printAllHelp()
        return .fine
    }
    let part = words.count == 3 && !asksForHelp(words[2].message) ? [words[2]] : []
    return runSubcommand([words[1]] + part + [CText(StaticString("--help").bytes)])
}

private func printAllHelp() {
    StandardOutput.write(
        """
        usage: skan COMMAND ...

        Looks after the stores of libskan, serves conversion values, tries
        conversion models, and reports what postbacks tell.


        """)
    for subcommand in Subcommand.all {
        StandardOutput.line("  \(padded("\(subcommand.usage.name)", to: 8)) \(subcommand.usage.summary)")
    }
    StandardOutput.write(
        """

        skan COMMAND --help or skan help COMMAND tells more; skan --version, the
        version.
        Exit codes: 0 all is well; 1 something was found or failed, and was named;
        2 the command line is wrong. A signal ends the command as signals do, after
        what it was doing.

        """)
}

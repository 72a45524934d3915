import Foundation
import SKANCommandOutput
import SKANCommandServer
import SKANCore
import SKANSystem
import Testing

@testable import SKANCommand

/// What one row more gives a command.
private func command(_ rows: OptionRow<Int64?>...) -> Subcommand {
    Subcommand(
        "probe", ["STORE"], summary: "probes a store", "Probes a store.", values: nil as Int64?,
        options: rows.isEmpty ? OptionGroup() : OptionGroup(rows[0])
    ) { given throws(CommandEnd) in given.values == 7 ? .fine : .found }
}

private let depth = OptionRow<Int64?>.number("depth", "N", 1...9, { $1(&$0) }, "How deep the probe goes.")

@Test func anOptionOfOneRowIsParsed() {
    let words = ["--depth", "7", "sqlite:x"].map { CText($0.utf8) }
    #expect(command(depth).run(words) == .fine)
    #expect(command(depth).run([CText("--depth=7".utf8), words[2]]) == .fine)
    #expect(command(depth).run([words[2]]) == .found)
    #expect(command().run(words) == .usage && command(depth).run([CText("--depth=10".utf8), words[2]]) == .usage)
}

@Test func anOptionOfOneRowIsInHelpAndManual() {
    let help = string(command(depth).page.help)
    #expect(help.hasPrefix("usage: skan probe STORE [--depth N]\n\nProbes a store.\n"))
    #expect(help.contains("\nOptions:\n  --depth N             How deep the probe goes. (1 to 9)\n"))
    #expect(string(command(depth).page.manual).contains(".B \\-\\-depth N\nHow deep the probe goes. (1 to 9)\n"))
    #expect(!string(command().page.help).contains("--depth"))
}

@Test func anOptionOfOneRowIsCompleted() {
    func completed(_ words: String...) -> [String]? {
        guard case .words(let entries) = Completion(of: words.map { message($0) }, [command(depth)]) else { return nil }
        return entries.map { string($0.label) }
    }
    #expect(completed("probe", "--d") == ["--depth"])
    #expect(completed("probe", "--depth", "") == [] && completed("probe", "") == nil && completed("") == ["probe"])
}

@Test func anOptionOfOneRowIsReadFromAFile() {
    #expect(refusals(of: "# A comment.\n\n  depth = 7 # Another.\r\n") == [])
    #expect(
        refusals(of: "depth = 7\n  dept = 8\ndepth =   10\ndepth\ndepth = \u{1}") == [
            "FILE:2:3: \"dept\": no such option, did you mean --depth?",
            "FILE:3:11: --depth: expected a whole number from 1 to 9, got \"10\"",
            "FILE:4:1: depth: expected \"=\" and a value after this option",
            "FILE:5:9: expected text, got a control character",
        ])
}

/// A value may be secret, and so may a text that only looks like an option's name.
@Test func aFilesSecretsAreNotShown() {
    let secrets = [
        "store redis://u:s3cret@host", "s3cret", "partner-key: s3cret", "redis://u:s3cret@host?a=1", "czNjcmV0s3cret==",
        "depth = redis://u:s3cret@host", "depth redis://u:s3cret@host",
    ]
    for line in secrets {
        let found = refusals(of: line)
        #expect(found.count == 1 && !found.joined().contains("s3cret"), "\(found)")
    }
    let refusal = "FILE:1:1: no such option; expected NAME = VALUE, or the name of an option without one"
    #expect(refusals(of: "dept") == [refusal])
}

@Test func aFileCountsWhereItStands() throws {
    try withFile("depth = 8\ndepth = 7\n") { path in
        let file = ["--options", path].map { CText($0.utf8) }
        let (three, store) = (CText("--depth=3".utf8), CText("sqlite:x".utf8))
        #expect(command(depth).run(file + [store]) == .fine && command(depth).run([three] + file + [store]) == .fine)
        #expect(command(depth).run(file + [three, store]) == .found)
    }
}

@Test func aFileThatCannotBeReadIsNamed() {
    #expect(problems(of: "/none") == ["/none: No such file or directory"])
}

private func refusals(of text: String) -> [String] {
    var found: [String] = []
    try? withFile(text) { path in
        found = problems(of: path).map { $0.replacingOccurrences(of: path, with: "FILE") }
    }
    return found
}

private func problems(of path: String) -> [String] {
    var reading = OptionReading(command(depth).page.groups())
    reading.read(["--options", path].map { CText($0.utf8) })
    return reading.problems.list.map { string($0.said) }
}

private func withFile(_ text: String, _ body: (String) -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    body(file.path)
}

import SKANCommandServer
import SKANCore
import SKANSystem
import Testing

@testable import SKANCommand

/// Every row of every table is given a legal, the lowest, the highest and an illegal value. An option keeps its value
/// in its own place, so nothing else may change.
private struct GivenRow: CustomTestStringConvertible, Sendable {
    let page: CommandPage
    let option: CommandOption

    static var all: [GivenRow] {
        Subcommand.all.flatMap { command in command.page.options.map { GivenRow(page: command.page, option: $0) } }
    }

    var testDescription: String { string("\(page.fullName) \(option.label)") }

    private func read(_ value: String?) -> (options: [CommandOption], problems: [String]) {
        let name = "--" + string("\(option.name)")
        let words = [CText(name.utf8)] + (value.map { [CText($0.utf8)] } ?? [])
        let (groups, problems) = page.read(words)
        return (groups.flatMap { $0.options }, problems.list.map { string($0.said) })
    }

    /// The value is taken, and only this option's place has changed.
    func takes(_ value: String?) {
        let (options, problems) = read(value)
        #expect(problems.isEmpty)
        let kept = value ?? "on"
        for (before, after) in zip(page.options, options) {
            let isThis = same(before.name, option.name)
            let isShown = isThis && (option.range != nil || !option.words.isEmpty)
            if isShown { #expect(after.byDefault.map(string) == kept) }
            if !isThis { #expect(after.byDefault.map(string) == before.byDefault.map(string)) }
        }
    }

    /// The value is refused, and the refusal names the option.
    func refuses(_ value: String?) {
        let problems = read(value).problems
        #expect(
            problems.count == 1 && problems.allSatisfy { $0.hasPrefix("--" + string("\(option.name)")) }, "\(problems)")
    }

    /// A legal and an illegal value of each sort; nil: there is no illegal one.
    private static let sorts: [(sort: String, legal: [String], illegal: [String])] = [
        ("FILE", [], []), ("STORE", ["sqlite:x"], []), ("NETWORKS", ["networks.json"], []),
        ("TIME", ["2026-01-31", "2026-01-31T10:00:00Z"], ["", "x", "2026-02-30", "2026-01-31T10:00:00"]),
        ("FROM=FILE", ["0=x", "2026-01-31T10:00:00Z=x"], ["", "x", "=x", "0=", "x=x"]),
        ("[FROM=]FILE", ["x", "0=x", "2026-01-31=x"], []),
        ("BUNDLE=FILE", ["com.example.game=x"], ["", "x", "=x"]),
        ("[BUNDLE=]SOURCE", ["env:X", "com.example.game=file:x"], []),
        ("ADDR:PORT", ["127.0.0.1:0", "[::1]:65535", "8080"], ["", "127.0.0.1:65536", "x:y"]),
        ("ADDR[/BITS]", ["127.0.0.1", "10.0.0.0/8", "::/0"], ["", "x", "10.0.0.0/33"]),
        ("low|medium|high", ["low", "high", "0", "2"], ["", "3", "lo"]),
        ("ID", ["1", "9223372036854775807"], [""]), ("NAME", ["received_at"], [""]),
    ]

    func check() throws {
        if !option.takesValue {
            takes(nil)
            let (_, problems) = page.read([CText("--\(string("\(option.name)"))=1".utf8)])
            #expect(problems.list.count == 1)
            return
        }
        let (_, problems) = page.read([CText("--\(string("\(option.name)"))".utf8)])
        #expect(problems.list.count == 1)
        if let range = option.range {
            for number in Set([range.lowerBound, range.upperBound, range.lowerBound + 1]) { takes("\(number)") }
            if range.lowerBound > 0 { refuses("\(range.lowerBound - 1)") }
            refuses(range.upperBound < .max ? "\(range.upperBound + 1)" : "9223372036854775808")
            for text in ["", "x", "-1", "+1", " 1", "1.5", "0x1"] { refuses(text) }
        } else if !option.words.isEmpty {
            for word in option.words { takes(string("\(word)")) }
            refuses("")
            refuses("x")
        } else {
            let sort = try #require(GivenRow.sorts.first { $0.sort == string(option.value) }, "a sort without values")
            for value in sort.legal { takes(value) }
            for value in sort.illegal { refuses(value) }
        }
    }
}

@Test(arguments: GivenRow.all)
private func everyRowTakesLegalValuesAndRefusesOthers(_ row: GivenRow) throws { try row.check() }

@Test func thereAreTablesWithManyRows() { #expect(GivenRow.all.count >= 70) }

@Test func noTableHasANameTwice() {
    for command in Subcommand.all {
        let names = command.page.options.map { string("\($0.name)") }
        #expect(Set(names).count == names.count && !names.contains("help") && !names.contains("options"))
    }
}

private func same(_ one: StaticString, _ other: StaticString) -> Bool { string("\(one)") == string("\(other)") }

import SKANCommandServer
import SKANCore
import SKANSystem
import Testing

@testable import SKANCommand

/// Every row of every table is given a legal, the lowest, the highest and an illegal value. An option keeps its value
/// in its own place, so nothing else may change.
private struct GivenRow: CustomTestStringConvertible, Sendable {
    let page: CommandPage
    let index: Int

    static var all: [GivenRow] {
        Subcommand.all.flatMap { command in
            command.page.options.indices.map { GivenRow(page: command.page, index: $0) }
        }
    }

    var option: CommandOption { page.options[index] }
    var name: String { "--" + string("\(option.name)") }
    var testDescription: String { string("\(page.fullName) \(option.label)") }

    private func read(_ words: [String]) -> (options: [CommandOption], problems: [String]) {
        let groups = page.groups()
        var reading = OptionReading(groups)
        reading.read(words.map { CText($0.utf8) })
        return (groups.flatMap { $0.options }, reading.problems.list.map { string($0.said) })
    }

    /// The value is taken, and only this option's place has changed.
    func takes(_ value: String?) {
        let (options, problems) = read([name] + (value.map { [$0] } ?? []))
        #expect(problems.isEmpty)
        for (before, after) in zip(page.options, options) {
            let isThis = before.name.utf8Start == option.name.utf8Start
            if !isThis {
                #expect(after.read().map(string) == before.read().map(string))
            } else if option.range != nil || !option.words.isEmpty {
                #expect(after.read().map(string) == value)
            }
        }
    }

    /// The words are refused, and the refusal names the option.
    func refuses(_ words: String...) {
        let problems = read(words).problems
        #expect(problems.count == 1 && problems.allSatisfy { $0.hasPrefix(name) }, "\(problems)")
    }

    /// Legal and illegal values of each sort.
    private static let sorts: [(sort: String, legal: [String], illegal: [String])] = [
        ("FILE", [], [""]), ("STORE", ["sqlite:x"], [""]),
        ("NETWORKS", ["networks.json"], [""]),
        ("TIME", ["2026-01-31", "2026-01-31T10:00:00Z"], ["", "x", "2026-02-30", "2026-01-31T10:00:00"]),
        (
            "[APP:]FROM=FILE", ["0=x", "2026-01-31T10:00:00Z=x", "1:0=x", "1,2:0=x", "any:2026-01-31=x"],
            ["", "x", "=x", "0=", "x=x", "1=", "x:0=x", "1:x=x", "0:0=x"]
        ),
        ("[APP:][FROM=]FILE", ["x", "0=x", "2026-01-31=x", "1=x", "any=x", "1,2:2026-01-31=x"], [""]),
        ("[APP=]FILE", ["x", "1=x", "1,2=x", "any=x"], [""]), ("REASON", ["malformed", "other_app"], ["", "x"]),
        ("BUNDLE=FILE", ["com.example.game=x"], ["", "x", "=x", "x="]),
        ("[BUNDLE=]SOURCE", ["env:X", "com.example.game=file:x"], [""]),
        ("NETWORK=SOURCE", ["example=env:X", "example=file:x"], ["", "x", "=x", "x="]),
        ("NETWORK=FILE", ["example=x"], ["", "x", "=x", "x="]),
        ("ADDR:PORT", ["127.0.0.1:0", "[::1]:65535", "8080", "unix:/x"], ["", "127.0.0.1:65536", "x:y", "unix:"]),
        ("MODE", ["660", "0600"], ["", "x", "66", "888"]),
        ("ADDR[/BITS]", ["127.0.0.1", "10.0.0.0/8", "::/0", "unix:"], ["", "x", "10.0.0.0/33"]),
        ("low|medium|high", ["low", "high", "0", "2"], ["", "3", "lo"]),
        ("KIND:A,B,...", ["iap:1", "all:lifetime:0.5,2"], ["", "1,2", "both:1", "iap:ever:1", "iap:window:x:1"]),
        ("EVENT", ["purchase"], [""]), ("EVENT:A,B,...", ["a:1", "a:b:1,3"], ["", "a", ":1"]),
        ("A,B,...", ["1", "1,3"], [""]), ("CODE", ["EUR"], [""]),
        ("CODE=RATE", ["EUR=1.09"], ["", "EUR", "=1", "EUR="]),
        ("ID", ["1", "9223372036854775807"], [""]), ("NAME", ["received_at"], [""]),
        ("120%@D35", ["120%@D35", "50%@D7", "1%@D2"], ["", "x", "120", "120%", "120%@", "120%@D3", "%@D35"]),
    ]

    func check() throws {
        if !option.takesValue {
            takes(nil)
            refuses("\(name)=1")
            return
        }
        refuses(name)
        if let range = option.range {
            for number in Set([range.lowerBound, range.upperBound, range.lowerBound + 1]) { takes("\(number)") }
            if range.lowerBound > 0 { refuses(name, "\(range.lowerBound - 1)") }
            refuses(name, range.upperBound < .max ? "\(range.upperBound + 1)" : "9223372036854775808")
            for text in ["", "x", "-1", "+1", " 1", "1.5", "0x1"] { refuses(name, text) }
        } else if !option.words.isEmpty {
            for word in option.words { takes(string("\(word)")) }
            refuses(name, "")
            refuses(name, "x")
        } else {
            let sort = try #require(GivenRow.sorts.first { $0.sort == string(option.value) }, "a sort without values")
            for value in sort.legal { takes(value) }
            for value in sort.illegal { refuses(name, value) }
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

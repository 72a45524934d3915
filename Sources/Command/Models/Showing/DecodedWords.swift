package import SKANCommandOutput
internal import SKANCore

/// What `skan model decode` asks: what the values of a postback mean. nil is none.
package struct DecodeQuestion {
    package let window: Int64
    package let fine: Int64?
    package let coarse: Int64?

    package init(window: Int64, fine: Int64?, coarse: Int64?) {
        self.window = window
        self.fine = fine
        self.coarse = coarse
    }
}

/// Prints the answer, in words or as the library's document.
package func printDecoded(
    _ question: DecodeQuestion, by file: ModelFile, asDocument: Bool
) throws(CommandEnd) {
    let value: DecodedValue?
    do throws(Failure) {
        value = try file.model.decode(
            window: number(question.window), fine: number(question.fine), coarse: number(question.coarse))
    } catch {
        throw .usage(what: file.name, why: error.message)
    }
    guard let value else {
        throw .complaint(file.name, "no rule of window \(question.window) has this value: it cannot be decoded")
    }
    if asDocument { return StandardOutput.line(value.json()) }
    printWords(value, question)
}

private func number(_ value: Int64?) -> Int32 { value.map { Int32(clamping: $0) } ?? -1 }

private func printWords(_ value: DecodedValue, _ question: DecodeQuestion) {
    let model = value.model
    let asked = valueWords(fine: question.fine, coarse: question.coarse, locks: false)
    let count = value.rules.count
    let found: Message =
        count == 0 ? "no rule" : "\(count) rule\(plural(UInt64(count))), the last that holds wins"
    StandardOutput.line("window \(value.window), \(asked): \(found)")
    for number in value.rules {
        let rule = model.windows[value.window].rules[number].valueWords
        let meaning = model.words(of: model.conditions(ofRule: number, of: value.window))
        StandardOutput.line("  rule \(paddedBehind("\(number)", to: 4))\(rule): \(meaning)")
    }
    if value.isRegistration {
        StandardOutput.line("  registering alone gives this value too, before any rule holds")
    }
    let only = count == 1 ? value.rules.first : nil
    let isNarrowed = only.map { !model.conditions(ofRule: $0, of: value.window).isEverything } ?? false
    if count > 1 || (value.isRegistration && isNarrowed) {
        let words = model.words(of: value.envelope, nothing: "nothing that holds for all")
        StandardOutput.line("  of all:  \(words)")
    }
}

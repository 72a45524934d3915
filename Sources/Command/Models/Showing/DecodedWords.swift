package import SKANCommandOutput
import SKANCore

/// Prints the meaning of a postback's values, in words or as the library's JSON. A value that is nil is absent.
@export(interface)
package func printDecoded(
    window: Int64, fine: UInt8?, coarse: UInt8?, by file: ModelFile, asDocument: Bool
) throws(CommandEnd) {
    let value: DecodedValue?
    do throws(Failure) {
        value = try file.model.decode(
            window: Int32(clamping: window), fine: fine.map { Int32($0) } ?? -1, coarse: coarse.map { Int32($0) } ?? -1)
    } catch {
        throw .usage(what: file.name, why: error.message)
    }
    guard let value else {
        throw .complaint(file.name, "no rule of window \(window) has this value: it cannot be decoded")
    }
    if asDocument { return StandardOutput.line(value.json()) }
    printWords(value, asked: valueWords(fine: fine, coarse: coarse, locks: false))
}

private func printWords(_ value: DecodedValue, asked: Message) {
    let model = value.model
    let count = value.rules.count + (value.coarse?.rules.count ?? 0)
    let found: Message =
        count == 0 ? "no rule" : "\(count) rule\(plural(UInt64(count))), the last that holds wins"
    StandardOutput.line("window \(value.window), \(asked): \(found)")
    for number in value.rules {
        let rule = model.windows[value.window].rules[number].valueWords
        let meaning = model.words(of: model.conditions(ofRule: number, of: value.window))
        StandardOutput.line("  rule \(padded("\(number)", to: 4))\(rule): \(meaning)")
    }
    if value.isRegistration {
        StandardOutput.line("  registering alone gives this value too, before any rule holds")
    }
    let only = value.rules.count == 1 ? value.rules.first : nil
    let isNarrowed = only.map { !model.conditions(ofRule: $0, of: value.window).isEverything } ?? false
    if value.rules.count > 1 || (value.isRegistration && isNarrowed) {
        let words = model.words(of: value.envelope, nothing: "nothing that holds for all")
        StandardOutput.line("  of all:  \(words)")
    }
    if let coarse = value.coarse { printWords(coarse, of: model) }
}

private func printWords(_ coarse: DecodedRules, of model: ConversionModel) {
    for number in coarse.rules {
        let rule = model.windows[0].coarseRules[number].valueWords
        let meaning = model.words(of: model.conditions(ofCoarseRule: number))
        StandardOutput.line("  coarse rule \(padded("\(number)", to: 4))\(rule): \(meaning)")
    }
    if coarse.rules.count > 1 {
        let words = model.words(of: coarse.envelope, nothing: "nothing that holds for all")
        StandardOutput.line("  of all coarse rules:  \(words)")
    }
}

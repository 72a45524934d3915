import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

extension Subcommand {
    static let modelDecode = Subcommand(
        "model decode", ["FILE"],
        summary: "says what the values of a postback mean",
        """
        Prints which rules have the value, and if there are several, the ranges that hold for all of them. --window is \
        needed, and --fine, --coarse or both. The exit code is 1 if no rule has the value.

        Fine value 0 in window 0, without a coarse value, is also what registering alone gives, so what holds for all \
        then has no lower ends. Apple hides a value that a postback does not carry: do not take it for 0.
        """,
        [.modelFile], values: DecodedValue(),
        options: OptionGroup(
            .number("window", "N", 0...2, { $1(&$0.window) }, "The postback's sequence index, 0 in SKAN 3."),
            .number("fine", "N", 0...63, { $1(&$0.fine) }, "The fine value."),
            .value("coarse", "low|medium|high", "The coarse value, by name or as 0, 1 or 2.") {
                values, given throws(CommandEnd) in values.coarse = try coarseValue(given)
            },
            .flag("json", { $1(&$0.isDocument) }, "Prints the library's document, in one line."))
    ) { given throws(CommandEnd) in
        let asked = given.values
        guard let window = asked.window else { throw .usage(what: "model decode", why: "expected --window N") }
        if asked.fine == nil && asked.coarse == nil {
            throw .usage(what: "model decode", why: "expected --fine N, --coarse N, or both")
        }
        let file = try ModelFile.read(given.arguments[0])
        try printDecoded(
            window: window, fine: asked.fine, coarse: asked.coarse, by: file, asDocument: asked.isDocument)
        return .fine
    }
}

private struct DecodedValue {
    var window: Int64?
    var fine, coarse: UInt8?
    var isDocument = false
}

private func coarseValue(_ given: GivenValue) throws(CommandEnd) -> UInt8 {
    let text = given.utf8
    for value in UInt8(0)...2 {
        if text == [UInt8(ascii: "0") + value] || text.elementsEqual(coarseName(value).bytes) { return value }
    }
    throw given.refused(expected: "low, medium or high, or 0 to 2")
}

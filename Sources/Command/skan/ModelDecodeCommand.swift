internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let modelDecode = Subcommand(
        "model decode", arguments: "FILE --window N [--fine N] [--coarse N] [--json]",
        summary: "what the values of a postback mean",
        help: """
            Tells which rules have a value, and the ranges that hold for all of them where
            there are several. Exit code 1 where no rule has it. Fine 0 in window 0, without
            a coarse value, is also what registering alone gives: what holds for all then
            has no lower ends. A value that a postback does not carry is hidden by Apple: do
            not take it for 0.
              --window N  the postback's sequence index: 0 to 2, 0 in SKAN 3
              --fine N    the fine value, 0 to 63
              --coarse N  the coarse value, 0 to 2 or by name; with --fine, rules with both
              --json      the library's document, in one line

            \(modelFileHelp)
            """,
        options: [.value("window"), .value("fine"), .value("coarse"), .flag("json")]
    ) { line throws(CommandEnd) in
        var window: Int64?
        var (fine, coarse): (UInt8?, UInt8?)
        var asDocument = false
        while let option = try line.nextOption() {
            if option.is("window") {
                window = try line.number(option.name, option.value, 0...2)
            } else if option.is("fine") {
                fine = UInt8(truncatingIfNeeded: try line.number(option.name, option.value, 0...63))
            } else if option.is("coarse") {
                coarse = try coarseValue(option.value)
            } else {
                asDocument = true
            }
        }
        let paths = try line.arguments(1)
        guard let window else { throw .usage(what: "model decode", why: "expected --window N") }
        if fine == nil && coarse == nil {
            throw .usage(what: "model decode", why: "expected --fine N, --coarse N, or both")
        }
        let file = try ModelFile.read(paths[0])
        try printDecoded(window: window, fine: fine, coarse: coarse, by: file, asDocument: asDocument)
        return .fine
    }
}

/// By its number, or by its name.
private func coarseValue(_ text: CText) throws(CommandEnd) -> UInt8 {
    let given = text.message.utf8
    for value in UInt8(0)...2 {
        if given == [UInt8(ascii: "0") + value] || given.elementsEqual(coarseName(value).bytes) { return value }
    }
    throw .usage(what: "--coarse", why: "expected low, medium or high, or 0 to 2, got \"\(text.message)\"")
}

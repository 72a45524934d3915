internal import SKANCommandOutput
internal import SKANCore

/// What became of the lines of an import.
struct ImportCounts {
    var lines: UInt64 = 0
    var imported: UInt64 = 0
    /// The store had a record of the install.
    var there: UInt64 = 0
    /// The number of these with other contents.
    var other: UInt64 = 0
    var refused: UInt64 = 0
    var failed: UInt64 = 0

    func summary(isWhole: Bool) -> Message {
        let not: StaticString = isWhole ? "" : "not all: "
        var line: Message = "\(not)\(lines) line\(plural(lines)) read, \(imported) imported, \(there) already there"
        if other > 0 { line = "\(line) (\(other) of them with other contents)" }
        line = "\(line), \(refused) refused"
        return failed > 0 ? "\(line), \(failed) could not be saved" : line
    }
}

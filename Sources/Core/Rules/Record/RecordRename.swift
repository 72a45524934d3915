/// Rules, "Rename": the mark of a rename, which few records have. It precedes the re-engagements, and consists of its
/// stage (u8) and the other install id (u8 length, then the bytes).
enum RenamePart: RecordPart {
    static func byteBound(_ state: borrowing InstallState) -> Int {
        state.rename.map { 2 &+ $0.other.count } ?? 0
    }

    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        if let mark = state.rename { record = written(mark, behind: record) }
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        if record.has(RecordFlag.rename) { record = try readMark(record, into: &state) }
    }

    @inline(never)
    @_optimize(size)
    private static func written(_ mark: RenameMark, behind record: RecordWriter) -> RecordWriter {
        var record = record
        record.flags |= RecordFlag.rename
        record.append(mark.stage.rawValue)
        record.append(UInt8(truncatingIfNeeded: mark.other.count))
        record.append(mark.other[...])
        return record
    }

    @inline(never)
    @_optimize(size)
    private static func readMark(_ record: RecordReader, into state: inout InstallState) throws(Failure) -> RecordReader
    {
        var record = record
        guard record.end &- record.position >= 2 else { throw outOfRange(record) }
        let head = record.take(2)
        let count = Int(head[1])
        guard let stage = RenameMark.Stage(rawValue: head[0]), count >= 1, count <= Limits.installIDBytes,
            count <= record.end &- record.position
        else { throw outOfRange(record) }
        state.rename = RenameMark(stage, [UInt8](record.take(count)))
        return record
    }

    private static func outOfRange(_ record: RecordReader) -> Failure { record.corrupt("a rename out of range") }
}

internal import SKANCore
internal import SKANSystem

/// The progress of SCAN on a server. It names the server's process, because a cursor means nothing to another process.
/// Its text is "17:run", with the run_id of the process, or "17:" if the server does not tell its run_id.
struct RedisScan {
    private static var longestRun: Int { 64 }

    /// The server's own cursor.
    private(set) var cursor: [UInt8] = [UInt8(ascii: "0")]
    /// The run_id of the server's process; empty if it is not known, nil if SCAN has not begun.
    private(set) var run: [UInt8]?

    init() {}

    init(_ cursor: Bytes, of run: [UInt8]) {
        self.cursor = [UInt8](cursor)
        self.run = run
    }

    /// Parses the text of a scan, such as "17:run". Returns nil for any other text.
    init?(_ text: Slice<Bytes>) {
        let digits = text.prefix { $0 != UInt8(ascii: ":") }
        if digits.elementsEqual(cursor) && digits.endIndex == text.endIndex { return }
        guard isCursor(Bytes(rebasing: digits)), digits.endIndex < text.endIndex else { return nil }
        let name = text[digits.endIndex...].dropFirst()
        guard name.count <= RedisScan.longestRun, name.allSatisfy(isLetterOrDigit) else { return nil }
        cursor = [UInt8](digits)
        run = [UInt8](name)
    }

    /// Whether a page continues the scan. `page` is the run_id of the server process that returned the page.
    func goesOn(in page: [UInt8]) -> Bool { run == nil || run == page }

    func write(to out: inout ByteBuffer) {
        cursor.withUnsafeBytes { out.append($0) }
        guard let run else { return }
        out.append(":")
        run.withUnsafeBytes { out.append($0) }
    }

    /// The run_id in the reply to INFO; empty if the user may not send INFO, or a proxy does not know it.
    static func run(in reply: RedisReply) -> [UInt8] {
        let name: StaticString = "\nrun_id:"
        guard let facts = reply.string, let start = facts.firstIndex(of: name) else { return [] }
        return [UInt8](facts[(start + name.utf8CodeUnitCount)...].prefix(while: isLetterOrDigit).prefix(longestRun))
    }
}

/// The result of one call of SCAN.
struct RedisPage {
    /// Keys of this store, each ended by a NUL.
    var keys: [UInt8] = []
    /// Nil after the last page.
    var next: RedisScan?
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
}

/// Whether a text is a cursor of the server: a decimal number of up to 64 bits, not 0, without leading zeros.
func isCursor(_ text: Bytes) -> Bool {
    guard 1...20 ~= text.count, text[0] != UInt8(ascii: "0") else { return false }
    var value: UInt64 = 0
    for byte in text {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return false }
        let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
        let (sum, isStillTooLarge) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        if isTooLarge || isStillTooLarge { return false }
        value = sum
    }
    return true
}

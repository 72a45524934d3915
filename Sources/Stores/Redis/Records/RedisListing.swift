package import SKANCore
package import SKANSystem

extension RedisConnection {
    private static var keysOfPage: UInt64 { 1000 }

    /// A page of SCAN, for which the server looks through all of its keys. A cursor is the server's own.
    package func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        if let cluster = settings.cluster {
            return try list(cluster, beginningWith: prefix, after: cursor, take)
        }
        guard let server = settings.server, cursor.isEmpty || isCursor(cursor) else {
            throw failure(.store, "list", "the cursor was not made by this store")
        }
        var fits = true
        try askPage(
            server, "list", cursor.isEmpty ? [UInt8(ascii: "0")] : [UInt8](cursor), beginningWith: prefix
        ) { keys, next in
            fits = keys.count <= Limits.bufferBytes && take(keys, next)
        }
        if !fits { throw failure(.store, "list", "the keys of a page do not fit into their buffer") }
    }

    /// Shows `take` a page of a node's keys, each ended by a NUL, and the cursor behind it, which is empty at the end.
    func askPage(
        _ node: RedisNode, _ doing: StaticString, _ cursor: [UInt8], beginningWith prefix: Bytes,
        _ take: (_ keys: Bytes, _ cursor: Bytes) -> Void
    ) throws(Failure) {
        try ask(node, doing) { out in
            out.begin(6)
            out.add("SCAN")
            out.add(cursor)
            out.add("MATCH")
            out.add(RedisLayout.pattern(settings.prefix, keysBeginningWith: prefix))
            out.add("COUNT")
            out.add(RedisConnection.keysOfPage)
        } _: { reply throws(Failure) in
            guard reply.count == 2, let next = reply[0]?.string, let found = reply[1], let count = found.count else {
                throw failure(.store, doing, reply.words(atMost: 255))
            }
            let isLast = next.elementsEqual([UInt8(ascii: "0")])
            guard isLast || isCursor(next) else {
                throw failure(.store, doing, reply.words(atMost: 255))
            }
            let keys = keys(of: found, count)
            take(keys.bytes, isLast ? Bytes(rebasing: next[..<0]) : next)
        }
    }

    /// Those of this store, each ended by a NUL.
    private func keys(of found: RedisReply, _ count: Int) -> ByteBuffer {
        var keys = ByteBuffer(capacity: 4096)
        for index in 0..<count {
            guard let full = found[index]?.string, let key = RedisLayout.key(in: full, settings.prefix) else {
                continue
            }
            keys.append(key)
            keys.append(0)
        }
        return keys
    }
}

/// A cursor of the server's: a number of 64 bits, not 0, as it was given.
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

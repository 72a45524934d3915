package import SKANCore
package import SKANSystem

extension RedisConnection {
    private static var keysOfPage: UInt64 { 1000 }

    /// Lists a page of keys with SCAN. For a whole listing, the server looks at every key that it has.
    package func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        if let cluster = settings.cluster {
            return try list(cluster, beginningWith: prefix, after: cursor, take)
        }
        let begun = cursor.isEmpty ? RedisScan() : RedisScan(cursor[...])
        guard let server = settings.server, let begun, cursor.isEmpty || begun.run != nil else {
            throw failure(.store, "list", "the cursor was not made by this store")
        }
        let page = try page(of: server, "list", begun, beginningWith: prefix)
        var behind = ByteBuffer(capacity: 128)
        page.next?.write(to: &behind)
        let fits = page.keys.withUnsafeBytes { keys in
            keys.count <= Limits.bufferBytes && behind.withBytes { take(keys, $0) }
        }
        guard fits else {
            throw failure(.store, "list", "the keys of a page do not fit into their buffer")
        }
    }

    /// Returns a page of a node's keys. If the server was restarted since the last page, SCAN begins anew, because a
    /// cursor is valid only in the server process that gave it and would skip keys in another one.
    func page(
        of node: RedisNode, _ doing: StaticString, _ scan: RedisScan, beginningWith prefix: Bytes
    ) throws(Failure) -> RedisPage {
        if let page = try scanOnce(node, doing, scan, beginningWith: prefix) { return page }
        while millisecondsNow() < deadline {
            if let page = try scanOnce(node, doing, RedisScan(), beginningWith: prefix) { return page }
        }
        throw failure(.store, doing, "the server was restarted again and again")
    }

    /// Calls SCAN once. Returns nil if the answer came from another server process than the last page, or if the
    /// process changed meanwhile. The process is determined before and after SCAN, because a lost connection may be
    /// made again between two commands.
    private func scanOnce(
        _ node: RedisNode, _ doing: StaticString, _ scan: RedisScan, beginningWith prefix: Bytes
    ) throws(Failure) -> RedisPage? {
        var failed = FirstFailure()
        var (before, after): ([UInt8], [UInt8]) = ([], [])
        var page = RedisPage()
        run([0, 1, 2], on: node, reads: true) { number, out in
            if number == 1 {
                writeScan(scan, beginningWith: prefix, to: &out)
            } else {
                out.begin(2)
                out.add("INFO")
                out.add("server")
            }
        } _: { _, number, reply in
            switch number {
            case 0: before = RedisScan.run(in: reply)
            case 2: after = RedisScan.run(in: reply)
            default: do throws(Failure) { page = try read(reply, doing, of: before) } catch { failed.note(error) }
            }
        } _: { _, _, trouble in
            failed.note(failure(.store, doing, words(of: trouble, on: node)))
        }
        try failed.throwIfAny()
        return before == after && scan.goesOn(in: after) ? page : nil
    }

    private func words(of trouble: RedisTrouble, on node: RedisNode) -> Message {
        settings.cluster == nil ? trouble.words : "\(node.place.name): \(trouble.words)"
    }

    private func writeScan(_ scan: RedisScan, beginningWith prefix: Bytes, to out: inout RedisCommands) {
        out.begin(6)
        out.add("SCAN")
        out.add(scan.cursor)
        out.add("MATCH")
        out.add(RedisLayout.pattern(settings.prefix, keysBeginningWith: prefix))
        out.add("COUNT")
        out.add(RedisConnection.keysOfPage)
    }

    private func read(_ reply: RedisReply, _ doing: StaticString, of run: [UInt8]) throws(Failure) -> RedisPage {
        guard reply.count == 2, let next = reply[0]?.string, let found = reply[1], let count = found.count else {
            throw failure(.store, doing, reply.words(atMost: 255))
        }
        let isLast = next.elementsEqual([UInt8(ascii: "0")])
        guard isLast || isCursor(next) else { throw failure(.store, doing, reply.words(atMost: 255)) }
        var page = RedisPage()
        if !isLast { page.next = RedisScan(next, of: run) }
        for index in 0..<count {
            guard let full = found[index]?.string, let key = RedisLayout.key(in: full, settings.prefix) else {
                continue
            }
            page.keys += key
            page.keys.append(0)
        }
        return page
    }
}

internal import CSKANSystem
package import SKANCore
package import SKANStorePool
package import SKANSystem

/// A change of one record, and its result.
struct RedisChange {
    let key: Bytes
    /// The new record; nil to remove the old one.
    let record: Bytes?
    /// The version of the record to replace; 0 if there must be no record.
    let expected: UInt64
    var version: UInt64 = 0
    var status = Status.store

    init(key: Bytes, record: Bytes?, expected: UInt64) {
        self.key = key
        self.record = record
        self.expected = expected
    }
}

extension RedisConnection {
    package func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? {
        let saved = try change(RedisChange(key: key, record: record, expected: expected), "save")
        return saved.status == .ok ? saved.version : nil
    }

    package func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool {
        try change(RedisChange(key: key, record: nil, expected: expected), "remove").status == .ok
    }

    private func change(_ change: RedisChange, _ doing: StaticString) throws(Failure) -> RedisChange {
        var change = change
        try withUnsafeMutablePointer(to: &change) { change throws(Failure) in
            try make(UnsafeMutableBufferPointer(start: change, count: 1), doing)
        }
        return change
    }

    /// Saves many records with all commands sent at once; each record succeeds or fails by itself.
    package func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {
        var changes = items.map { RedisChange(key: $0.key, record: $0.record, expected: $0.expected) }
        try changes.withUnsafeMutableBufferPointer { changes throws(Failure) in
            defer {
                for index in items.indices {
                    items[index].status = changes[index].status
                    items[index].version = changes[index].version
                }
            }
            try make(changes, "save")
        }
    }

    /// Makes the changes with the script, which is called by its name. A change whose server does not know the script
    /// is sent again with the script's text. Sets the status of every change, and throws the first failure.
    private func make(
        _ changes: UnsafeMutableBufferPointer<RedisChange>, _ doing: StaticString
    ) throws(Failure) {
        var first = FirstFailure()
        var numbers: [Int] = []
        numbers.reserveCapacity(changes.count)
        for index in changes.indices {
            do throws(Failure) {
                if try prepare(&changes[index], doing) { numbers.append(index) }
            } catch {
                changes[index].status = first.note(error)
            }
        }
        if !numbers.isEmpty {
            let again = exchange(changes, numbers, sendsScript: false, doing, &first)
            if !again.isEmpty { _ = exchange(changes, again, sendsScript: true, doing, &first) }
        }
        try first.throwIfAny()
    }

    /// Returns false if the change's result is known without asking the server.
    private func prepare(_ change: inout RedisChange, _ doing: StaticString) throws(Failure) -> Bool {
        change.status = .storeConflict
        if change.expected > greatestVersion { return false }  // no version of this store
        if RedisLayout.isTooLong(change.key) { throw tooLong(change.key, doing) }
        guard let record = change.record else { return change.expected != 0 }
        let bytes = UInt(bitPattern: record.count)  // a C caller may pass any length
        if bytes > Limits.bufferBytes {
            throw failure(.store, doing, "a record of \(bytes) bytes; expected at most \(Limits.bufferBytes)")
        }
        do throws(Failure) {
            change.version = try drawVersion(otherThan: change.expected)
        } catch {
            throw failure(.store, doing, error.message)
        }
        return true
    }

    /// Returns the numbers of the changes whose server needs the script's text.
    private func exchange(
        _ changes: UnsafeMutableBufferPointer<RedisChange>, _ numbers: [Int], sendsScript: Bool, _ doing: StaticString,
        _ first: inout FirstFailure
    ) -> [Int] {
        var again: [Int] = []
        run(numbers.count, reads: false, key: { changes[numbers[$0]].key }) { index, out in
            write(changes[numbers[index]], sendsScript: sendsScript, to: &out)
        } _: { _, index, reply in
            let number = numbers[index]
            if !sendsScript && RedisScript.isMissing(reply) { return again.append(number) }
            do throws(Failure) {
                changes[number].status = try outcome(reply, doing)
            } catch {
                changes[number].status = first.note(error)
            }
        } _: { index, mayBeDone, trouble in
            changes[numbers[index]].status = mayBeDone ? .storeUnknown : .store
            guard first.isNone else { return }
            first.note(
                mayBeDone
                    ? failure(
                        .storeUnknown, doing, "\(trouble.words), after the change was sent: it may have been made")
                    : failure(.store, doing, trouble.words))
        }
        return again
    }

    private func write(_ change: RedisChange, sendsScript: Bool, to out: inout RedisCommands) {
        let expiry = expiry(change)
        out.begin(expiry == nil ? 6 : 8)
        out.add(sendsScript ? "EVAL" : "EVALSHA")
        out.add(sendsScript ? RedisScript.text : RedisScript.name)
        out.add("1")
        out.add(bytes: RedisLayout.keyBytes(settings.prefix, change.key)) {
            RedisLayout.writeKey(settings.prefix, change.key, to: &$0)
        }
        if change.expected == 0 {
            out.add("")
        } else {
            out.add(bytes: RedisLayout.headerBytes) { RedisLayout.writeHeader(change.expected, to: &$0) }
        }
        if let record = change.record {
            out.add(bytes: RedisLayout.headerBytes + record.count) {
                RedisLayout.writeHeader(change.version, to: &$0)
                $0.append(record)
            }
        } else {
            out.add("")
        }
        if let expiry {
            out.add("PXAT")
            out.add(expiry)
        }
    }

    /// The time at which the server is to delete the record, in Unix milliseconds; nil if the record is kept. It is at
    /// least a day away, whatever clock the install was registered by, so that a record that was just saved can be
    /// loaded.
    private func expiry(_ change: RedisChange) -> UInt64? {
        guard settings.expireDays > 0, let record = change.record else { return nil }
        var state = InstallState(.skan4)  // the record says which protocol it is of
        do throws(Failure) { try Record.read(record, isOwn: false, into: &state) } catch { return nil }
        guard let closes = state.closesAt, closes <= 100_000_000_000 else { return nil }
        let seconds = max(closes + Int64(settings.expireDays) * Day.seconds, Int64(time(nil)) + Day.seconds)
        return UInt64(max(seconds, 0)) * 1000
    }

    private func outcome(_ reply: RedisReply, _ doing: StaticString) throws(Failure) -> Status {
        if reply.integer == 1 { return .ok }
        if reply.integer == 0 { return .storeConflict }
        if let found = reply.string {
            switch RedisLayout.read(found) {
            case .record: return .storeConflict
            case .foreign(let words): throw failure(.store, doing, words)
            case .none:
                throw failure(
                    .store, doing, "the value under an install's key is an empty string, which libskan never writes")
            }
        }
        dropWhereStale(reply)
        throw failure(RedisScript.isRefusal(reply) ? .store : .storeUnknown, doing, reply)
    }
}

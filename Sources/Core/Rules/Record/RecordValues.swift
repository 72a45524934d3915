/// The parts of a record that have their places in the header, and the windows, of which only locks have not.

enum RegistrationPart: RecordPart {
    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        if state.first != nil { record.flags |= RecordFlag.registered }
        record.put(state.first ?? 0, RecordLayout.first)
        record.put(state.last ?? 0, RecordLayout.last)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        guard record.has(RecordFlag.registered) else { return }
        let (first, last) = (record.get(RecordLayout.first), record.get(RecordLayout.last))
        guard isTime(first), isTime(last) else { throw record.corrupt("a time out of range") }
        state.first = first
        state.last = last
    }
}

enum FinePart: RecordPart {
    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        if state.fine != nil { record.flags |= RecordFlag.fine }
        if state.previousFine != nil { record.flags |= RecordFlag.previousFine }
        record.put(state.fine ?? 0, RecordLayout.fine)
        record.put(state.previousFine ?? 0, RecordLayout.previousFine)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        if record.has(RecordFlag.fine) { state.fine = record.get(RecordLayout.fine) }
        if record.has(RecordFlag.previousFine) { state.previousFine = record.get(RecordLayout.previousFine) }
        guard state.fine ?? 0 < 64, state.previousFine ?? 0 < 64 else {
            throw record.corrupt("a fine value above 63")
        }
    }
}

enum UpdatePart: RecordPart {
    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        if state.isLastUpdateDelivered { record.flags |= RecordFlag.delivered }
        if let update = state.lastUpdate {
            record.flags |= RecordFlag.update | UInt16(update.window.rawValue) << RecordFlag.updateWindow
            if update.locksWindow { record.flags |= RecordFlag.updateLocks }
        }
        record.put(state.lastUpdate?.id ?? 0, RecordLayout.updateID)
        record.put(state.lastUpdate?.timestamp ?? 0, RecordLayout.updateTime)
        record.put(stored(state.lastUpdate?.fine), RecordLayout.updateFine)
        record.put(stored(state.lastUpdate?.coarse), RecordLayout.updateCoarse)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        state.isLastUpdateDelivered = record.has(RecordFlag.delivered)
        guard record.has(RecordFlag.update) else { return }
        let time = record.get(RecordLayout.updateTime)
        let (fine, coarse) = (record.get(RecordLayout.updateFine), record.get(RecordLayout.updateCoarse))
        let number = UInt8(truncatingIfNeeded: record.flags >> RecordFlag.updateWindow & 3)
        guard let window = Window(rawValue: number), fine <= 64, coarse <= 3, isTime(time) else {
            throw record.corrupt("an update out of range")
        }
        state.lastUpdate = ValueUpdate(
            id: record.get(RecordLayout.updateID), window: window, fine: value(fine), coarse: value(coarse),
            locksWindow: record.has(RecordFlag.updateLocks), timestamp: time)
    }
}

enum WindowsPart: RecordPart {
    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        var coarse: UInt16 = 0
        for window in Window.all {
            let values = state.windows[window]
            let bits = UInt16(stored(values.coarse)) | UInt16(stored(values.previousCoarse)) << 2
            coarse |= bits << (UInt16(window.rawValue) &* 4)
            guard let lock = values.lock else { continue }
            record.flags |= lockFlag(window)
            record.append(lock)
        }
        record.put(coarse, RecordLayout.coarse)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        let coarse = record.get(RecordLayout.coarse)
        // None, as in most installs.
        guard coarse != 0 || record.flags >> RecordFlag.lock != 0 else { return }
        for window in Window.all {
            let bits = UInt8(truncatingIfNeeded: coarse >> (UInt16(window.rawValue) &* 4))
            var values = WindowState()
            values.coarse = value(bits & 3)
            values.previousCoarse = value(bits >> 2 & 3)
            if record.has(lockFlag(window)) {
                guard record.position &+ 8 <= record.end, isTime(record.get(Int64.self, at: record.position)) else {
                    throw record.corrupt("a lock time out of range")
                }
                values.lock = record.get(Int64.self, at: record.position)
                record.position &+= 8
            }
            state.windows[window] = values
        }
    }

    @inline(__always)
    private static func lockFlag(_ window: Window) -> UInt16 { 1 << (RecordFlag.lock &+ UInt16(window.rawValue)) }
}

/// What no rule but the order of calls and writes looks at.
enum CountersPart: RecordPart {
    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        record.put(state.newestTicket, RecordLayout.newestTicket)
        record.put(state.writes.count, RecordLayout.writeCount)
        let ids = state.writes.ids
        for index in ids.indices { record.put(ids[index], RecordLayout.writeIDs(index)) }
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) {
        state.newestTicket = record.get(RecordLayout.newestTicket)
        let reader = record
        state.writes = WriteHistory(
            count: reader.get(RecordLayout.writeCount),
            ids: InlineArray { reader.get(RecordLayout.writeIDs($0)) })
    }
}

// MARK: Numbers

/// A small value that may be none.
@inline(__always)
private func stored(_ value: UInt8?) -> UInt8 { value.map { $0 &+ 1 } ?? 0 }

@inline(__always)
private func value(_ stored: UInt8) -> UInt8? { stored == 0 ? nil : stored &- 1 }

@inline(__always)
private func isTime(_ seconds: Int64) -> Bool { Limits.timestamps.contains(seconds) }

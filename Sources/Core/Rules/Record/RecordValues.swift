// The parts of a record with fixed positions in the header. Only the lock times of windows stand behind the header.

enum RegistrationPart: ConversionPart {
    @inline(__always)
    static func write(_ conversion: inout Conversion, to record: inout RecordWriter) {
        if conversion.first != nil { record.flags |= RecordFlag.registered }
        record.put(conversion.first ?? 0, RecordLayout.first)
        record.put(conversion.last ?? conversion.changed ?? 0, RecordLayout.last)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into conversion: inout Conversion) throws(Failure) {
        let (first, last) = (record.get(RecordLayout.first), record.get(RecordLayout.last))
        guard isTime(first), isTime(last) else { throw record.corrupt("a time out of range") }
        guard record.has(RecordFlag.registered) else {
            if last != 0 { conversion.changed = last }
            return
        }
        conversion.first = first
        conversion.last = last
    }
}

enum FinePart: ConversionPart {
    @inline(__always)
    static func write(_ conversion: inout Conversion, to record: inout RecordWriter) {
        if conversion.fine != nil { record.flags |= RecordFlag.fine }
        if conversion.previousFine != nil { record.flags |= RecordFlag.previousFine }
        record.put(conversion.fine ?? 0, RecordLayout.fine)
        record.put(conversion.previousFine ?? 0, RecordLayout.previousFine)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into conversion: inout Conversion) throws(Failure) {
        if record.has(RecordFlag.fine) { conversion.fine = record.get(RecordLayout.fine) }
        if record.has(RecordFlag.previousFine) { conversion.previousFine = record.get(RecordLayout.previousFine) }
        guard conversion.fine ?? 0 < 64, conversion.previousFine ?? 0 < 64 else {
            throw record.corrupt("a fine value above 63")
        }
    }
}

enum UpdatePart: ConversionPart {
    @inline(__always)
    static func write(_ conversion: inout Conversion, to record: inout RecordWriter) {
        if conversion.isLastUpdateDelivered { record.flags |= RecordFlag.delivered }
        if let update = conversion.lastUpdate {
            record.flags |= RecordFlag.update | UInt16(update.window.rawValue) << RecordFlag.updateWindow
            if update.locksWindow { record.flags |= RecordFlag.updateLocks }
        }
        record.put(conversion.lastUpdate?.id ?? conversion.olderNumber, RecordLayout.updateID)
        record.put(conversion.lastUpdate?.timestamp ?? 0, RecordLayout.updateTime)
        record.put(stored(conversion.lastUpdate?.fine), RecordLayout.updateFine)
        record.put(stored(conversion.lastUpdate?.coarse), RecordLayout.updateCoarse)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into conversion: inout Conversion) throws(Failure) {
        conversion.isLastUpdateDelivered = record.has(RecordFlag.delivered)
        guard record.has(RecordFlag.update) else {
            conversion.olderNumber = record.get(RecordLayout.updateID)
            return
        }
        let time = record.get(RecordLayout.updateTime)
        let (fine, coarse) = (record.get(RecordLayout.updateFine), record.get(RecordLayout.updateCoarse))
        let number = UInt8(truncatingIfNeeded: record.flags >> RecordFlag.updateWindow & 3)
        guard let window = Window(rawValue: number), fine <= 64, coarse <= 3, isTime(time) else {
            throw record.corrupt("an update out of range")
        }
        conversion.lastUpdate = ValueUpdate(
            id: record.get(RecordLayout.updateID), window: window, fine: value(fine), coarse: value(coarse),
            locksWindow: record.has(RecordFlag.updateLocks), timestamp: time)
    }
}

enum WindowsPart: ConversionPart {
    @inline(__always)
    static func write(_ conversion: inout Conversion, to record: inout RecordWriter) {
        var coarse: UInt16 = 0
        for window in Window.all {
            let values = conversion.windows[window]
            let bits = UInt16(stored(values.coarse)) | UInt16(stored(values.previousCoarse)) << 2
            coarse |= bits << (UInt16(window.rawValue) &* 4)
            guard let lock = values.lock else { continue }
            record.flags |= lockFlag(window)
            record.append(lock)
        }
        record.put(coarse, RecordLayout.coarse)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into conversion: inout Conversion) throws(Failure) {
        let coarse = record.get(RecordLayout.coarse)
        // Most installs have neither coarse values nor locks.
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
            conversion.windows[window] = values
        }
    }

    @inline(__always)
    private static func lockFlag(_ window: Window) -> UInt16 { 1 << (RecordFlag.lock &+ UInt16(window.rawValue)) }
}

/// The newest ticket and the history of writes.
enum CountersPart: RecordPart {
    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        record.put(state.conversion.newestTicket, RecordLayout.newestTicket)
        record.put(state.writes.count, RecordLayout.writeCount)
        let ids = state.writes.ids
        for index in ids.indices { record.put(ids[index], RecordLayout.writeIDs(index)) }
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) {
        state.conversion.newestTicket = record.get(RecordLayout.newestTicket)
        let reader = record
        state.writes = WriteHistory(
            count: reader.get(RecordLayout.writeCount),
            ids: InlineArray { reader.get(RecordLayout.writeIDs($0)) })
    }
}

// MARK: Numbers

/// The value plus 1; 0 for nil.
@inline(__always)
private func stored(_ value: UInt8?) -> UInt8 { value.map { $0 &+ 1 } ?? 0 }

@inline(__always)
private func value(_ stored: UInt8) -> UInt8? { stored == 0 ? nil : stored &- 1 }

@inline(__always)
private func isTime(_ seconds: Int64) -> Bool { Limits.timestamps.contains(seconds) }

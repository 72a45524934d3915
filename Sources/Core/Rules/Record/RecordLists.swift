// The parts of a record with variable length: event ids and the conversion model. Totals have their own file.

enum EventsPart: RecordPart {
    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        // The size fits into 16 bits, because there are three lists of at most 64 keys of 65 bytes each.
        let bytes = state.events.byteCount
        record.put(UInt16(truncatingIfNeeded: bytes), RecordLayout.eventBytes)
        guard bytes > 0 else { return }
        state.events.write(to: record.next)
        record.position &+= bytes
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        let bytes = Int(record.get(RecordLayout.eventBytes))
        // A record that never left this process's memory needs no check.
        guard record.isOwn || record.end &- record.position &- bytes &- Int(record.get(RecordLayout.modelBytes)) >= 0
        else {
            throw record.corrupt("the lengths of its parts do not add up")
        }
        // Most installs have no ids.
        guard bytes > 0 else { return }
        let stored = record.take(bytes)
        if record.isOwn {
            state.events = EventMemory(borrowed: stored)
        } else {
            guard let events = EventMemory(stored: stored) else { throw record.corrupt("event ids out of range") }
            state.events = events
        }
    }
}

enum ModelPart: ConversionPart {
    @inline(__always)
    static func write(_ conversion: inout Conversion, to record: inout RecordWriter) {
        var bytes = 0
        if let model = conversion.model {
            if model.hasMeasures { record.flags |= RecordFlag.measures }
            bytes = model.write(to: record.next)
            record.position &+= bytes
        }
        record.put(UInt16(truncatingIfNeeded: bytes), RecordLayout.modelBytes)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into conversion: inout Conversion) throws(Failure) {
        let bytes = Int(record.get(RecordLayout.modelBytes))
        guard bytes > 0 else { return }
        let model = InstallModel(stored: record.take(bytes), hasMeasures: record.has(RecordFlag.measures))
        guard conversion.isRegistered, let model else { throw record.corrupt("a conversion model out of range") }
        conversion.model = model
    }
}

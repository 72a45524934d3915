/// The parts of a record with variable length: event ids and the conversion model. Totals have their own file.

enum EventsPart: RecordPart {
    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        let (revenueBytes, conversionBytes) = (state.revenueEvents.byteCount, state.conversionEvents.byteCount)
        // There are at most 64 ids of 128 bytes each.
        assert(revenueBytes <= UInt16.max && conversionBytes <= UInt16.max)
        record.put(UInt16(truncatingIfNeeded: revenueBytes), RecordLayout.revenueEventBytes)
        record.put(UInt16(truncatingIfNeeded: conversionBytes), RecordLayout.conversionEventBytes)
        record.put(UInt8(truncatingIfNeeded: state.revenueEvents.count), RecordLayout.revenueEventCount)
        record.put(UInt8(truncatingIfNeeded: state.conversionEvents.count), RecordLayout.conversionEventCount)
        guard revenueBytes &+ conversionBytes > 0 else { return }
        state.revenueEvents.write(to: record.next)
        record.position &+= revenueBytes
        state.conversionEvents.write(to: record.next)
        record.position &+= conversionBytes
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        let revenueBytes = Int(record.get(RecordLayout.revenueEventBytes))
        let conversionBytes = Int(record.get(RecordLayout.conversionEventBytes))
        let modelBytes = Int(record.get(RecordLayout.modelBytes))
        let rest = record.end &- record.position &- revenueBytes &- conversionBytes &- modelBytes
        // A record that this process wrote need not be checked.
        guard record.isOwn || (record.hasReengagements ? rest > 0 : rest == 0) else {
            throw record.corrupt("the lengths of its parts do not add up")
        }
        let revenueCount = Int(record.get(RecordLayout.revenueEventCount))
        let conversionCount = Int(record.get(RecordLayout.conversionEventCount))
        if revenueBytes &+ conversionBytes == 0 {
            // Most installs have no ids.
            guard revenueCount &+ conversionCount == 0 else { throw record.corrupt("event ids out of range") }
            return
        }
        let revenueEvents = record.take(revenueBytes)
        let conversionEvents = record.take(conversionBytes)
        if record.isOwn {
            state.revenueEvents = EventIDs(borrowed: revenueEvents, count: revenueCount)
            state.conversionEvents = EventIDs(borrowed: conversionEvents, count: conversionCount)
        } else {
            guard let revenueEvents = EventIDs(stored: revenueEvents, count: revenueCount),
                let conversionEvents = EventIDs(stored: conversionEvents, count: conversionCount)
            else { throw record.corrupt("event ids out of range") }
            state.revenueEvents = revenueEvents
            state.conversionEvents = conversionEvents
        }
    }
}

enum ModelPart: ConversionPart {
    @inline(__always)
    static func write(_ conversion: inout Conversion, to record: inout RecordWriter) {
        var format = RecordFormat.plain
        var bytes = 0
        if let model = conversion.model {
            format = model.hasMeasures ? RecordFormat.withMeasures : RecordFormat.withModel
            bytes = model.write(to: record.next)
            record.position &+= bytes
        }
        record.put(format, RecordLayout.format)
        record.put(UInt16(truncatingIfNeeded: bytes), RecordLayout.modelBytes)
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into conversion: inout Conversion) throws(Failure) {
        let bytes = Int(record.get(RecordLayout.modelBytes))
        guard bytes > 0 else { return }
        let hasMeasures = record.get(RecordLayout.format) == RecordFormat.withMeasures
        let stored = record.take(bytes)
        var model = InstallModel(stored: stored, hasMeasures: hasMeasures)
        // If re-engagements follow, the model's length shows whether it has measures.
        if model == nil, record.hasReengagements { model = InstallModel(stored: stored, hasMeasures: true) }
        guard conversion.isRegistered, let model else {
            throw record.corrupt("a conversion model out of range")
        }
        conversion.model = model
    }
}

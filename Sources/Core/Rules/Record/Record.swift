/// Rules, "Records": the stored form of an install's state, compact, versioned, checksummed. All numbers are
/// little-endian.
///
///     0  u8  format, 1 or 2                    40 i64 time of the last update
///     1  u8  protocol, 3 or 4                  48 u16 bytes of revenue event ids
///     2  u16 flags, below                      50 u16 bytes of conversion event ids
///     4  u8  fine                              52 u16 number of revenue totals
///     5  u8  previous fine                     54 u8  number of revenue event ids
///     6  u16 coarse and previous coarse of     55 u8  number of conversion event ids
///            each window, 2 bits each, +1      56 u8  fine of the last update, +1
///     8  i64 first                             57 u8  coarse of the last update, +1
///     16 i64 last                              58 u16 0
///     24 u64 newest ticket                     60 u32 length of the whole record
///     32 u64 number of the last update         64 u64 count of writes
///                                              72 8 × u32 ids of the last writes, by n mod 8
///
/// and from 104 on: the lock times that the flags announce (i64), the revenue totals (u32 key, u8 length, the amount's
/// units as a little-endian integer of that length), both lists of event ids, in format 2 the install's conversion
/// model, the checksum of everything before it (u64). Only records of installs with a model are of format 2.
package enum Record {
    package static var format: UInt8 { 1 }
    private static var modelFormat: UInt8 { 2 }
    private static var headerBytes: Int { 104 }
    private static var checksumBytes: Int { 8 }

    private enum Flag {
        static var registered: UInt16 { 1 << 0 }
        static var fine: UInt16 { 1 << 1 }
        static var previousFine: UInt16 { 1 << 2 }
        static var update: UInt16 { 1 << 3 }
        static var delivered: UInt16 { 1 << 4 }
        static var updateLocks: UInt16 { 1 << 5 }
        static var updateWindow: UInt16 { 6 }  // 2 bits from here on
        static var lock: UInt16 { 8 }  // 3 bits from here on
        static var known: UInt16 { 0x7FF }
    }

    // MARK: Writing

    /// How many bytes `write` will take, at most.
    @inline(__always)
    package static func sizeBound(_ state: InstallState) -> Int {
        headerBytes &+ 3 &* 8 &+ state.revenue.count &* 21 &+ state.revenueEvents.byteCount
            &+ state.conversionEvents.byteCount &+ (state.model?.byteBound ?? 0) &+ checksumBytes
    }

    /// Writes the record into memory of at least `sizeBound` bytes; answers its length. An own record, which never
    /// leaves this process' memory, has no checksum yet: `seal` adds it.
    ///
    /// Takes the state as a variable, only to read it in place.
    package static func write(_ state: inout InstallState, isOwn: Bool, to base: UnsafeMutableRawPointer) -> Int {
        func put<T: FixedWidthInteger>(_ value: T, _ offset: Int) {
            base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
        }

        var flags: UInt16 = 0
        if state.first != nil { flags |= Flag.registered }
        if state.fine != nil { flags |= Flag.fine }
        if state.previousFine != nil { flags |= Flag.previousFine }
        if state.isLastUpdateDelivered { flags |= Flag.delivered }
        if let update = state.lastUpdate {
            flags |= Flag.update | UInt16(update.window.rawValue) << Flag.updateWindow
            if update.locksWindow { flags |= Flag.updateLocks }
        }

        var coarse: UInt16 = 0
        var offset = headerBytes
        for number in UInt8(0)..<3 {
            guard let window = Window(rawValue: number) else { continue }
            let values = state.windows[window]
            let bits = UInt16(stored(values.coarse)) | UInt16(stored(values.previousCoarse)) << 2
            coarse |= bits << (UInt16(number) * 4)
            if let lock = values.lock {
                flags |= 1 << (Flag.lock + UInt16(number))
                put(lock, offset)
                offset &+= 8
            }
        }

        put(state.model == nil ? format : modelFormat, 0)
        put(state.protocolVersion.rawValue, 1)
        put(flags, 2)
        put(state.fine ?? 0, 4)
        put(state.previousFine ?? 0, 5)
        put(coarse, 6)
        put(state.first ?? 0, 8)
        put(state.last ?? 0, 16)
        put(state.newestTicket, 24)
        put(state.lastUpdate?.id ?? 0, 32)
        put(state.lastUpdate?.timestamp ?? 0, 40)
        put(UInt16(truncatingIfNeeded: state.revenueEvents.byteCount), 48)
        put(UInt16(truncatingIfNeeded: state.conversionEvents.byteCount), 50)
        put(UInt16(truncatingIfNeeded: state.revenue.count), 52)
        put(UInt8(truncatingIfNeeded: state.revenueEvents.count), 54)
        put(UInt8(truncatingIfNeeded: state.conversionEvents.count), 55)
        put(stored(state.lastUpdate?.fine), 56)
        put(stored(state.lastUpdate?.coarse), 57)
        put(state.writes.count, 64)
        let ids = state.writes.ids
        for index in ids.indices { put(ids[index], 72 &+ index &* 8) }

        state.revenue.forEachInPlace { total in
            let units = total.total.units
            let length = bytesNeeded(units)
            put(total.key, offset)
            put(UInt8(truncatingIfNeeded: length), offset &+ 4)
            put(Int64(truncatingIfNeeded: units), offset &+ 5)
            if length > 8 { put(Int64(truncatingIfNeeded: units >> 64), offset &+ 13) }
            offset &+= 5 &+ length
        }
        if state.revenueEvents.count &+ state.conversionEvents.count > 0 {
            state.revenueEvents.write(to: base + offset)
            offset &+= state.revenueEvents.byteCount
            state.conversionEvents.write(to: base + offset)
            offset &+= state.conversionEvents.byteCount
        }
        var modelBytes = 0
        if let model = state.model {
            modelBytes = model.write(to: base + offset)
            offset &+= modelBytes
        }
        put(UInt16(truncatingIfNeeded: modelBytes), 58)
        put(UInt32(truncatingIfNeeded: offset &+ checksumBytes), 60)
        let record = UnsafeMutableRawBufferPointer(start: base, count: offset &+ checksumBytes)
        if !isOwn { seal(record) }
        return record.count
    }

    /// Puts the checksum at the end of a record.
    package static func seal(_ record: UnsafeMutableRawBufferPointer) {
        let end = record.count &- checksumBytes
        guard end >= 0 else { return }
        let sum = checksum(UnsafeRawBufferPointer(rebasing: record[..<end]))
        record.storeBytes(of: sum.littleEndian, toByteOffset: end, as: UInt64.self)
    }

    private static func stored(_ value: UInt8?) -> UInt8 { value.map { $0 &+ 1 } ?? 0 }

    /// How many bytes a signed integer needs, at least 1.
    @inline(__always)
    private static func bytesNeeded(_ units: Int128) -> Int {
        let low = Int64(truncatingIfNeeded: units)
        if Int128(low) == units {
            let significant = 64 &- (low < 0 ? ~low : low).leadingZeroBitCount
            return significant / 8 &+ 1
        }
        let significant = 128 &- (units < 0 ? ~units : units).leadingZeroBitCount
        return significant / 8 &+ 1
    }

    // MARK: Reading

    /// Reads a record. RECORD_TOO_NEW for a newer format, CORRUPT_RECORD for one that is damaged or that no libskan
    /// wrote.
    ///
    /// The state has to be empty before. `isOwn` says that the record never left this process' memory: it has no
    /// checksum, and has to stay where it is as long as the state is used, which borrows its event ids.
    package static func read(
        _ bytes: UnsafeRawBufferPointer, isOwn: Bool, into state: inout InstallState
    ) throws(Failure) {
        guard let base = bytes.baseAddress, bytes.count >= 1 else { throw corrupt("it is empty", bytes.count) }
        let format = base.load(as: UInt8.self)
        guard format <= modelFormat else {
            throw Failure(.recordTooNew, "record: format \(format), this libskan knows up to \(modelFormat)")
        }
        guard format >= self.format, bytes.count >= headerBytes + checksumBytes, bytes.count <= Limits.recordBytes
        else {
            throw corrupt("format \(format) with a length out of range", bytes.count)
        }
        let end = bytes.count &- checksumBytes
        func get<T: FixedWidthInteger>(_ type: T.Type, _ offset: Int) -> T {
            T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
        }
        guard get(UInt32.self, 60) == UInt32(truncatingIfNeeded: bytes.count),
            isOwn || checksum(UnsafeRawBufferPointer(start: base, count: end)) == get(UInt64.self, end)
        else { throw corrupt("the checksum does not fit", bytes.count) }

        guard let version = ProtocolVersion(rawValue: get(UInt8.self, 1)) else {
            throw corrupt("protocol \(get(UInt8.self, 1))", bytes.count)
        }
        state.protocolVersion = version
        state.isStored = true
        let flags = get(UInt16.self, 2)
        let modelBytes = Int(get(UInt16.self, 58))
        guard flags & ~Flag.known == 0, (modelBytes > 0) == (format == modelFormat) else {
            throw corrupt("unknown flags", bytes.count)
        }

        if flags & Flag.registered != 0 {
            let first = get(Int64.self, 8)
            let last = get(Int64.self, 16)
            guard isTime(first), isTime(last) else { throw corrupt("a time out of range", bytes.count) }
            state.first = first
            state.last = last
        }
        if flags & Flag.fine != 0 { state.fine = get(UInt8.self, 4) }
        if flags & Flag.previousFine != 0 { state.previousFine = get(UInt8.self, 5) }
        guard state.fine ?? 0 < 64, state.previousFine ?? 0 < 64 else {
            throw corrupt("a fine value above 63", bytes.count)
        }
        state.newestTicket = get(UInt64.self, 24)
        state.isLastUpdateDelivered = flags & Flag.delivered != 0

        if flags & Flag.update != 0 {
            let fine = get(UInt8.self, 56)
            let coarse = get(UInt8.self, 57)
            guard let window = Window(rawValue: UInt8(truncatingIfNeeded: flags >> Flag.updateWindow & 3)), fine <= 64,
                coarse <= 3, isTime(get(Int64.self, 40))
            else { throw corrupt("an update out of range", bytes.count) }
            state.lastUpdate = Update(
                id: get(UInt64.self, 32), window: window, fine: value(fine), coarse: value(coarse),
                locksWindow: flags & Flag.updateLocks != 0, timestamp: get(Int64.self, 40))
        }

        var offset = headerBytes
        let coarse = get(UInt16.self, 6)
        let hasWindows = coarse != 0 || flags >> Flag.lock != 0
        for number in UInt8(0)..<3 where hasWindows {
            guard let window = Window(rawValue: number) else { continue }
            let bits = UInt8(truncatingIfNeeded: coarse >> (UInt16(number) * 4))
            var values = WindowState()
            values.coarse = value(bits & 3)
            values.previousCoarse = value(bits >> 2 & 3)
            if flags & (1 << (Flag.lock + UInt16(number))) != 0 {
                guard offset &+ 8 <= end, isTime(get(Int64.self, offset)) else {
                    throw corrupt("a lock time out of range", bytes.count)
                }
                values.lock = get(Int64.self, offset)
                offset &+= 8
            }
            state.windows[window] = values
        }

        let totalCount = Int(get(UInt16.self, 52))
        if totalCount > 0 {
            let isRead =
                isOwn
                ? readOwnTotals(base, &offset, totalCount, into: &state.revenue)
                : readTotals(base, &offset, totalCount, end, into: &state.revenue)
            guard isRead else { throw corrupt("revenue out of order or range", bytes.count) }
        }

        let revenueBytes = Int(get(UInt16.self, 48))
        let conversionBytes = Int(get(UInt16.self, 50))
        guard offset &+ revenueBytes &+ conversionBytes &+ modelBytes == end else {
            throw corrupt("parts of another length", bytes.count)
        }
        let revenueEvents = UnsafeRawBufferPointer(start: base + offset, count: revenueBytes)
        let conversionEvents = UnsafeRawBufferPointer(start: base + offset + revenueBytes, count: conversionBytes)
        if revenueBytes &+ conversionBytes == 0 {
            // No ids, as in most installs.
            guard get(UInt16.self, 54) == 0 else { throw corrupt("event ids out of range", bytes.count) }
        } else if isOwn {
            state.revenueEvents = EventIDs(borrowed: revenueEvents, count: Int(get(UInt8.self, 54)))
            state.conversionEvents = EventIDs(borrowed: conversionEvents, count: Int(get(UInt8.self, 55)))
        } else {
            guard let revenueEvents = EventIDs(stored: revenueEvents, count: Int(get(UInt8.self, 54))),
                let conversionEvents = EventIDs(stored: conversionEvents, count: Int(get(UInt8.self, 55)))
            else { throw corrupt("event ids out of range", bytes.count) }
            state.revenueEvents = revenueEvents
            state.conversionEvents = conversionEvents
        }

        if modelBytes > 0 {
            let part = UnsafeRawBufferPointer(start: base + end - modelBytes, count: modelBytes)
            guard state.isRegistered, let model = InstallModel(stored: part) else {
                throw corrupt("a conversion model out of range", bytes.count)
            }
            state.model = model
        }

        state.writes = WriteHistory(
            count: get(UInt64.self, 64),
            ids: InlineArray { get(UInt64.self, 72 &+ $0 &* 8) })
    }

    /// Totals that this process wrote, which need no check.
    @inline(__always)
    private static func readOwnTotals(
        _ base: UnsafeRawPointer, _ offset: inout Int, _ count: Int, into tables: inout RevenueTables
    ) -> Bool {
        for _ in 0..<count {
            let key = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let length = Int(base.load(fromByteOffset: offset &+ 4, as: UInt8.self))
            tables.append(RevenueTotal(key: key, total: readAmount(base, offset &+ 5, length)))
            offset &+= 5 &+ length
        }
        return true
    }

    /// An amount of 1...16 bytes. At least eight more follow it, the checksum's.
    @inline(__always)
    private static func readAmount(_ base: UnsafeRawPointer, _ offset: Int, _ length: Int) -> Money {
        let low = Int64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: Int64.self))
        if length <= 8 {
            let unused = Int64(truncatingIfNeeded: 64 &- length &* 8)
            return Money(units: Int128((low &<< unused) &>> unused))
        }
        let last = Int64(littleEndian: base.loadUnaligned(fromByteOffset: offset &+ length &- 8, as: Int64.self))
        let high = last &>> Int64(truncatingIfNeeded: 128 &- length &* 8)
        return Money(units: Int128(high) << 64 | Int128(UInt64(bitPattern: low)))
    }

    @inline(__always)
    private static func readTotals(
        _ base: UnsafeRawPointer, _ offset: inout Int, _ count: Int, _ end: Int, into tables: inout RevenueTables
    ) -> Bool {
        guard count <= Limits.currencies * Int(RevenueTable.count) else { return false }
        var previous: UInt32 = 0
        var inTable = 0
        for _ in 0..<count {
            guard offset &+ 5 <= end else { return false }
            let key = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let length = Int(base.load(fromByteOffset: offset &+ 4, as: UInt8.self))
            guard length >= 1, length <= 16, offset &+ 5 &+ length <= end else { return false }
            inTable = key >> 24 == previous >> 24 ? inTable &+ 1 : 1
            guard key > previous, key >> 24 < UInt32(RevenueTable.count), Currency(code: key & 0xFF_FFFF) != nil,
                inTable <= Limits.currencies
            else { return false }
            previous = key
            let total = readAmount(base, offset &+ 5, length)
            guard total.isWithinLimit else { return false }
            tables.append(RevenueTotal(key: key, total: total))
            offset &+= 5 &+ length
        }
        return true
    }

    @inline(__always)
    private static func value(_ stored: UInt8) -> UInt8? { stored == 0 ? nil : stored &- 1 }

    @inline(__always)
    private static func isTime(_ seconds: Int64) -> Bool { Limits.timestamps.contains(seconds) }

    @inline(never)
    private static func corrupt(_ what: Message, _ count: Int) -> Failure {
        Failure(.corruptRecord, "record of \(count) bytes: \(what)")
    }
}

/// The last part of a record, with the re-engagements of an install: a count (u8), followed by each of them.
///
/// Each has: number (u32), start (i64), flags (u16), fine (u8), coarse of each window (2 bits, +1), the lock times of
/// the windows that the flags mark as locked (i64), the last update's number and time, the model's length (u16) and
/// bytes, four sums, tag (u16 length), open id and reference (u8), and the names of the counted events (u16). A sum
/// begins with the length of its whole units of 10⁻¹², whose high bit says that it also has parts of a unit (u40); the
/// units and the parts follow.
enum ReengagementsPart: RecordPart {
    /// The maximum size of one re-engagement in bytes. Names of counted events that would exceed it are left out.
    static var mostBytes: Int { 960 }

    /// An upper bound, which adds the byte of the count for each re-engagement, though the part has it only once.
    @inline(__always)
    static func byteBound(_ state: borrowing InstallState) -> Int { state.reengagements.count &* (mostBytes &+ 1) }

    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        if !state.reengagements.isEmpty { record = written(state.reengagements, behind: record) }
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        guard record.position < record.end else { return }
        try readAll(record, into: &state)
        record.position = record.end
    }

    /// Takes the writer by value and returns it. If the writer were passed by address, the compiler would keep it in
    /// memory instead of registers, even for installs without re-engagements.
    @inline(never)
    @_optimize(size)
    private static func written(_ reengagements: [Reengagement], behind record: RecordWriter) -> RecordWriter {
        var record = record
        record.append(UInt8(truncatingIfNeeded: reengagements.count))
        for reengagement in reengagements { write(reengagement, to: &record) }
        return record
    }

    private static func write(_ reengagement: Reengagement, to record: inout RecordWriter) {
        let start = record.position
        let conversion = reengagement.conversion
        record.append(reengagement.number)
        record.append(reengagement.start)
        record.append(ReengagementFlag.flags(of: reengagement))
        record.append(conversion.fine ?? 0)
        var coarse: UInt8 = 0
        for window in Window.all {
            coarse |= (conversion.windows[window].coarse.map { $0 &+ 1 } ?? 0) << (window.rawValue &* 2)
        }
        record.append(coarse)
        for window in Window.all {
            if let lock = conversion.windows[window].lock { record.append(lock) }
        }
        record.append(conversion.lastUpdate?.id ?? 0)
        record.append(conversion.lastUpdate?.timestamp ?? 0)
        let place = record.position
        record.position &+= 2
        if let model = conversion.model { record.position &+= model.write(to: record.next) }
        record.put(UInt16(truncatingIfNeeded: record.position &- place &- 2), at: place)
        for number in ReengagementSums.all { write(reengagement.sums[number], to: &record) }
        record.append(UInt16(truncatingIfNeeded: reengagement.tag.count))
        record.append(reengagement.tag[...])
        record.append(UInt8(truncatingIfNeeded: reengagement.openID.count))
        record.append(reengagement.openID[...])
        record.append(UInt8(truncatingIfNeeded: reengagement.reference.count))
        record.append(reengagement.reference[...])
        let names = reengagement.counted.prefix(start &+ mostBytes &- record.position &- 2)
        record.append(UInt16(truncatingIfNeeded: names))
        record.append(reengagement.counted.bytes[..<names])
        assert(record.position &- start <= mostBytes)
    }

    private static func write(_ sum: ExactSum, to record: inout RecordWriter) {
        let place = record.position
        record.position &+= 1 &+ record.putAmount(sum.units, at: place &+ 1)
        let length = UInt8(truncatingIfNeeded: record.position &- place &- 1)
        record.put(length | (sum.rest == 0 ? 0 : 0x80), at: place)
        guard sum.rest != 0 else { return }
        record.append(UInt32(truncatingIfNeeded: sum.rest))
        record.append(UInt8(truncatingIfNeeded: sum.rest >> 32))
    }

    @inline(never)
    @_optimize(size)
    private static func readAll(_ record: RecordReader, into state: inout InstallState) throws(Failure) {
        var parts = PartReader(record)
        guard record.protocolVersion == .skan4, let count = parts.number(UInt8.self), count >= 1,
            count <= Limits.reengagements
        else { throw record.corrupt("re-engagements out of range") }
        state.reengagements.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let reengagement = read(&parts), reengagement.number > state.reengagements.last?.number ?? 0 else {
                throw record.corrupt("a re-engagement out of range")
            }
            state.reengagements.append(reengagement)
        }
        guard parts.isAtEnd else { throw record.corrupt("the lengths of its parts do not add up") }
    }

    private static func read(_ parts: inout PartReader) -> Reengagement? {
        guard let number = parts.number(UInt32.self), let start = parts.time(), let flags = parts.number(UInt16.self),
            flags & ~ReengagementFlag.known == 0, let fine = parts.number(UInt8.self), fine < 64,
            let coarse = parts.number(UInt8.self), coarse < 64
        else { return nil }
        var conversion = Conversion(.skan4)
        conversion.first = start
        conversion.last = start
        conversion.fine = fine
        for window in Window.all {
            let height = coarse >> (window.rawValue &* 2) & 3
            if height > 0 { conversion.windows[window].coarse = height &- 1 }
            guard flags & ReengagementFlag.lock(window) != 0 else { continue }
            guard let lock = parts.time() else { return nil }
            conversion.windows[window].lock = lock
        }
        guard readUpdate(&parts, flags, &conversion), let bytes = parts.number(UInt16.self),
            let stored = parts.take(Int(bytes)), let model = InstallModel(stored: stored)
        else { return nil }
        conversion.model = model
        var sums = ReengagementSums()
        for number in ReengagementSums.all {
            guard let sum = readSum(&parts) else { return nil }
            sums[number] = sum
        }
        guard let tag = parts.text(parts.number(UInt16.self).map { Int($0) }, Limits.tagBytes),
            let openID = parts.text(parts.number(UInt8.self).map { Int($0) }, Limits.eventIDBytes),
            let reference = parts.text(parts.number(UInt8.self).map { Int($0) }, Limits.referenceBytes),
            let length = parts.number(UInt16.self), let names = parts.take(Int(length)),
            let counted = CountedEvents(stored: names)
        else { return nil }
        let end = UInt8(truncatingIfNeeded: flags & ReengagementFlag.end)
        guard end == 0 || ReengagementEnd(rawValue: end) != nil else { return nil }
        let read = Reengagement(number: number, conversion, tag: tag, openID: openID, reference: reference)
        read.ended = ReengagementEnd(rawValue: end)
        read.sums = sums
        read.counted = counted
        return read
    }

    /// The values of the last update are not stored: they are those of the conversion and the window.
    private static func readUpdate(
        _ parts: inout PartReader, _ flags: UInt16, _ conversion: inout Conversion
    ) -> Bool {
        guard let id = parts.number(UInt64.self), let time = parts.time(),
            let window = Window(rawValue: UInt8(truncatingIfNeeded: flags >> ReengagementFlag.updateWindow & 3))
        else { return false }
        conversion.isLastUpdateDelivered = flags & ReengagementFlag.delivered != 0
        conversion.lastUpdate = ValueUpdate(
            id: id, window: window, fine: conversion.fine, coarse: conversion.windows[window].coarse,
            locksWindow: flags & ReengagementFlag.updateLocks != 0, timestamp: time)
        return true
    }

    @inline(__always)
    private static func readSum(_ parts: inout PartReader) -> ExactSum? {
        parts.skip(zeroSum) ? .zero : readSumThatIsNotZero(&parts)
    }

    /// The stored form of the sum 0, which is the most frequent one: the length 1, and one byte of units.
    private static var zeroSum: UInt16 { 0x0001 }

    @inline(never)
    private static func readSumThatIsNotZero(_ parts: inout PartReader) -> ExactSum? {
        guard let length = parts.number(UInt8.self), length & 0x7F >= 1, length & 0x7F <= 16,
            let units = parts.amount(Int(length & 0x7F))
        else { return nil }
        guard length & 0x80 != 0 else { return ExactSum(units: units, rest: 0) }
        guard let low = parts.number(UInt32.self), let high = parts.number(UInt8.self) else { return nil }
        return ExactSum(units: units, rest: UInt64(high) << 32 | UInt64(low))
    }
}

private enum ReengagementFlag {
    /// The mask of the bits with the reason why the re-engagement ended. They are 0 if it has not ended.
    static var end: UInt16 { 7 }
    static var delivered: UInt16 { 1 << 3 }
    static var updateLocks: UInt16 { 1 << 4 }
    /// A shift, not a mask: the 2 bits from this one on are the number of the update's window.
    static var updateWindow: UInt16 { 5 }
    static var known: UInt16 { 0x3FF }

    static func lock(_ window: Window) -> UInt16 { 1 << (7 &+ UInt16(window.rawValue)) }

    static func flags(of reengagement: Reengagement) -> UInt16 {
        let conversion = reengagement.conversion
        var flags = UInt16(reengagement.ended?.rawValue ?? 0)
        if conversion.isLastUpdateDelivered { flags |= delivered }
        if let update = conversion.lastUpdate {
            flags |= UInt16(update.window.rawValue) << updateWindow
            if update.locksWindow { flags |= updateLocks }
        }
        for window in Window.all where conversion.windows[window].lock != nil { flags |= lock(window) }
        return flags
    }
}

/// Reads numbers and texts one after the other. Its functions return nil if the record ends too early.
private struct PartReader {
    private let record: RecordReader
    private var position: Int

    init(_ record: RecordReader) {
        self.record = record
        position = record.position
    }

    var isAtEnd: Bool { position == record.end }

    @inline(__always)
    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
        guard record.end &- position >= MemoryLayout<Number>.size else { return nil }
        defer { position &+= MemoryLayout<Number>.size }
        return record.get(Number.self, at: position)
    }

    /// Skips the next two bytes if they equal `bytes`; returns whether they do.
    @inline(__always)
    mutating func skip(_ bytes: UInt16) -> Bool {
        guard record.end &- position >= 2, record.get(UInt16.self, at: position) == bytes else { return false }
        position &+= 2
        return true
    }

    mutating func time() -> Int64? { number(Int64.self).flatMap { Limits.timestamps.contains($0) ? $0 : nil } }

    mutating func amount(_ length: Int) -> Int128? {
        guard record.end &- position >= length else { return nil }
        defer { position &+= length }
        return record.amount(at: position, length)
    }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard record.end &- position >= count else { return nil }
        defer { position &+= count }
        return UnsafeRawBufferPointer(start: record.base + position, count: count)
    }

    mutating func text(_ count: Int?, _ most: Int) -> [UInt8]? {
        guard let count, count <= most, let bytes = take(count), record.isOwn || isPlainText(bytes) else { return nil }
        return [UInt8](bytes)
    }
}

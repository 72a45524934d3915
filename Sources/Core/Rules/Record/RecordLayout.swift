/// Rules, "Records": the fields at fixed positions of a record, followed by the parts of variable length in order. All
/// numbers are little-endian.
///
/// The parts of variable length follow the header: the times of the locks that the flags announce (i64); the revenue
/// totals (u32 key, u8 length, the amount's units as an integer of that length); the event ids (`EventMemory`); the
/// conversion model, if there is one, with or without measures; the re-engagements. The checksum of everything before
/// it ends the record (u64).
struct RecordField<Number: FixedWidthInteger> {
    let offset: Int

    @inline(__always)
    fileprivate init(_ offset: Int) { self.offset = offset }
}

/// The header, whose fields have no gaps between them.
enum RecordLayout {
    static var format: RecordField<UInt8> { RecordField(0) }
    /// 3 or 4.
    static var protocolVersion: RecordField<UInt8> { RecordField(1) }
    static var flags: RecordField<UInt16> { RecordField(2) }
    static var fine: RecordField<UInt8> { RecordField(4) }
    static var previousFine: RecordField<UInt8> { RecordField(5) }
    /// The coarse value and the previous coarse value of each window, each stored plus 1 in 2 bits; those of window 0
    /// are lowest.
    static var coarse: RecordField<UInt16> { RecordField(6) }
    static var first: RecordField<Int64> { RecordField(8) }
    static var last: RecordField<Int64> { RecordField(16) }
    static var newestTicket: RecordField<UInt64> { RecordField(24) }
    /// The last update's number, or that of the last one before the install began again; its time, fine and coarse
    /// value follow, the values plus 1.
    static var updateID: RecordField<UInt64> { RecordField(32) }
    static var updateTime: RecordField<Int64> { RecordField(40) }
    /// The size of the event ids' part.
    static var eventBytes: RecordField<UInt16> { RecordField(48) }
    static var totalCount: RecordField<UInt16> { RecordField(50) }
    static var updateFine: RecordField<UInt8> { RecordField(52) }
    static var updateCoarse: RecordField<UInt8> { RecordField(53) }
    /// The size of the model's part.
    static var modelBytes: RecordField<UInt16> { RecordField(54) }
    /// The size of the whole record.
    static var byteCount: RecordField<UInt32> { RecordField(56) }
    static var writeCount: RecordField<UInt64> { RecordField(60) }
    /// The ids of the last 8 writes, two in each word, at their numbers modulo 8.
    static func writeIDs(_ index: Int) -> RecordField<UInt64> { RecordField(68 &+ index &* 8) }

    static var headerBytes: Int { 100 }
    static var checksumBytes: Int { 8 }
}

package enum RecordFormat {
    /// The format that is written and read.
    package static var current: UInt8 { 1 }
}

enum RecordFlag {
    static var registered: UInt16 { 1 << 0 }
    static var fine: UInt16 { 1 << 1 }
    static var previousFine: UInt16 { 1 << 2 }
    static var update: UInt16 { 1 << 3 }
    static var delivered: UInt16 { 1 << 4 }
    static var updateLocks: UInt16 { 1 << 5 }
    /// The first of 2 bits with the update's window.
    static var updateWindow: UInt16 { 6 }
    /// The first of 3 bits that say which windows are locked.
    static var lock: UInt16 { 8 }
    /// The install's model has measures.
    static var measures: UInt16 { 1 << 11 }
    /// The record belongs to a rename that has not ended.
    static var rename: UInt16 { 1 << 12 }
    static var known: UInt16 { 0x1FFF }
}

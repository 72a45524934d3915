/// Rules, "Records": a field at a fixed position of a record. All numbers are little-endian.
///
/// A record begins with a header of such fields. The parts of variable length follow in this order: the lock times of
/// the windows that the flags mark as locked (i64); the revenue totals (u32 key, u8 length, the amount's units as an
/// integer of that length); the event ids (`EventMemory`); the conversion model, if there is one, with or without
/// measures; the rename mark, if there is one; the re-engagements. The record ends with the checksum of everything
/// before it (u64).
struct RecordField<Number: FixedWidthInteger> {
    let offset: Int

    @inline(__always)
    fileprivate init(_ offset: Int) { self.offset = offset }
}

/// The fields of the header, which have no gaps between them.
enum RecordLayout {
    static var format: RecordField<UInt8> { RecordField(0) }
    /// 3 or 4.
    static var protocolVersion: RecordField<UInt8> { RecordField(1) }
    static var flags: RecordField<UInt16> { RecordField(2) }
    static var fine: RecordField<UInt8> { RecordField(4) }
    static var previousFine: RecordField<UInt8> { RecordField(5) }
    /// The coarse value and the previous coarse value of each window, each stored plus 1 in 2 bits, from window 0 in
    /// the lowest bits on.
    static var coarse: RecordField<UInt16> { RecordField(6) }
    static var first: RecordField<Int64> { RecordField(8) }
    static var last: RecordField<Int64> { RecordField(16) }
    static var newestTicket: RecordField<UInt64> { RecordField(24) }
    /// The number of the last update. If there was no update since the install was registered anew, it is the number of
    /// the last update before that.
    static var updateID: RecordField<UInt64> { RecordField(32) }
    static var updateTime: RecordField<Int64> { RecordField(40) }
    static var eventBytes: RecordField<UInt16> { RecordField(48) }
    static var totalCount: RecordField<UInt16> { RecordField(50) }
    /// The value plus 1; 0 if the update has none. This is the same for `updateCoarse`.
    static var updateFine: RecordField<UInt8> { RecordField(52) }
    static var updateCoarse: RecordField<UInt8> { RecordField(53) }
    static var modelBytes: RecordField<UInt16> { RecordField(54) }
    /// The size of the whole record.
    static var byteCount: RecordField<UInt32> { RecordField(56) }
    static var writeCount: RecordField<UInt64> { RecordField(60) }
    /// The ids of the last 8 writes, two in each word, of which `index` is 0...3. The id of write number n is at place
    /// n modulo 8.
    static func writeIDs(_ index: Int) -> RecordField<UInt64> { RecordField(68 &+ index &* 8) }

    static var headerBytes: Int { 100 }
    static var checksumBytes: Int { 8 }
}

package enum RecordFormat {
    /// The only format that this libskan writes and reads.
    package static var current: UInt8 { 1 }
}

enum RecordFlag {
    static var registered: UInt16 { 1 << 0 }
    static var fine: UInt16 { 1 << 1 }
    static var previousFine: UInt16 { 1 << 2 }
    static var update: UInt16 { 1 << 3 }
    static var delivered: UInt16 { 1 << 4 }
    static var updateLocks: UInt16 { 1 << 5 }
    /// A shift, not a mask: the 2 bits from this one on are the number of the update's window.
    static var updateWindow: UInt16 { 6 }
    /// A shift, not a mask: the 3 bits from this one on say which windows are locked.
    static var lock: UInt16 { 8 }
    /// Set if the install's model has measures.
    static var measures: UInt16 { 1 << 11 }
    /// Set if the record belongs to a rename that has not ended.
    static var rename: UInt16 { 1 << 12 }
    static var known: UInt16 { 0x1FFF }
}

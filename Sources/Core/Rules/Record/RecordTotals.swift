/// The totals of all revenue tables, sorted by key, each amount in as few bytes as possible.
enum TotalsPart: RecordPart {
    /// 4 bytes for the key, 1 for the length, and up to 16 for the amount.
    static var mostBytes: Int { 21 }

    @inline(__always)
    static func write(_ state: inout InstallState, to record: inout RecordWriter) {
        record.put(UInt16(truncatingIfNeeded: state.revenue.count), RecordLayout.totalCount)
        var position = record.position
        let writer = record
        state.revenue.forEachInPlace { total in
            writer.put(total.key, at: position)
            let length = writer.putAmount(total.total.units, at: position &+ 5)
            writer.put(UInt8(truncatingIfNeeded: length), at: position &+ 4)
            position &+= 5 &+ length
        }
        record.position = position
    }

    @inline(__always)
    static func read(_ record: inout RecordReader, into state: inout InstallState) throws(Failure) {
        let count = Int(record.get(RecordLayout.totalCount))
        guard count > 0 else { return }
        if record.isOwn {
            for _ in 0..<count { state.revenue.append(readTotal(&record)) }
        } else {
            guard readChecked(&record, count, into: &state.revenue) else {
                throw record.corrupt("revenue out of order or range")
            }
        }
    }

    @inline(__always)
    private static func readChecked(
        _ record: inout RecordReader, _ count: Int, into tables: inout RevenueTables
    ) -> Bool {
        guard count <= Limits.currencies * Int(RevenueTable.count) else { return false }
        var previous: UInt32 = 0
        var inTable = 0
        for _ in 0..<count {
            guard record.position &+ 5 <= record.end else { return false }
            let length = Int(record.get(UInt8.self, at: record.position &+ 4))
            guard length >= 1, length <= 16, record.position &+ 5 &+ length <= record.end else { return false }
            let total = readTotal(&record)
            inTable = total.key >> 24 == previous >> 24 ? inTable &+ 1 : 1
            guard total.key > previous, total.key >> 24 < UInt32(RevenueTable.count), total.currency != nil,
                inTable <= Limits.currencies, total.total.isWithinLimit
            else { return false }
            previous = total.key
            tables.append(total)
        }
        return true
    }

    @inline(__always)
    private static func readTotal(_ record: inout RecordReader) -> RevenueTotal {
        let (start, length) = (record.position, Int(record.get(UInt8.self, at: record.position &+ 4)))
        record.position &+= 5 &+ length
        return RevenueTotal(
            key: record.get(UInt32.self, at: start), total: Money(units: record.amount(at: start &+ 5, length)))
    }
}

extension RecordReader {
    /// Reads an amount of 1...16 bytes. It can read up to 7 bytes beyond the amount, since the checksum follows.
    @inline(__always)
    func amount(at offset: Int, _ length: Int) -> Int128 {
        let low = get(Int64.self, at: offset)
        if length <= 8 {
            let unused = Int64(truncatingIfNeeded: 64 &- length &* 8)
            return Int128((low &<< unused) &>> unused)
        }
        let last = get(Int64.self, at: offset &+ length &- 8)
        let high = last &>> Int64(truncatingIfNeeded: 128 &- length &* 8)
        return Int128(high) << 64 | Int128(UInt64(bitPattern: low))
    }
}

extension RecordWriter {
    /// Writes an amount in as few bytes as possible, 1 to 16, and returns their number.
    @inline(__always)
    func putAmount(_ units: Int128, at offset: Int) -> Int {
        put(Int64(truncatingIfNeeded: units), at: offset)
        let length = bytesNeeded(units)
        if length > 8 { put(Int64(truncatingIfNeeded: units >> 64), at: offset &+ 8) }
        return length
    }

    @inline(__always)
    private func bytesNeeded(_ units: Int128) -> Int {
        let low = Int64(truncatingIfNeeded: units)
        if Int128(low) == units {
            let significant = 64 &- (low < 0 ? ~low : low).leadingZeroBitCount
            return significant / 8 &+ 1
        }
        let significant = 128 &- (units < 0 ? ~units : units).leadingZeroBitCount
        return significant / 8 &+ 1
    }
}

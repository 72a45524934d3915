import SKANCore
import Testing

/// Rules, "Records": a record is compact, versioned and checksummed. A vector's details show a part of a state. These
/// tests alone compare all of it, with any part there or not, in both forms of a record, and count the bytes of an
/// amount.
struct RecordTests {
    /// The in-memory store writes and reads its own records in another way.
    @Test(arguments: [false, true])
    func aRecordIsReadAsItWasWritten(isOwn: Bool) {
        var chance = Chance(41)
        for round in 0..<500 {
            var state = chance.state()
            var memory = [UInt8](repeating: 0xEE, count: Record.sizeBound(state))
            memory.withUnsafeMutableBytes { memory in
                guard let base = memory.baseAddress else { return }
                let count = Record.write(&state, isOwn: isOwn, to: base)
                let record = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
                var read = InstallState(.skan4)
                let outcome = outcome { () throws(Failure) in
                    try Record.read(UnsafeRawBufferPointer(record), isOwn: isOwn, into: &read)
                }
                expect(outcome.failedStatus == nil, "round \(round): \(outcome)")
                expect(read.contents == state.contents, "round \(round):\n\(read.contents)\nis not\n\(state.contents)")
                // Sealed, it is what goes to any store.
                if isOwn { Record.seal(record) }
                expect(Array(record) == Record.bytes(state), "round \(round)")
                expect(Array(record) == Record.bytes(read), "round \(round) is written in other bytes")
            }
        }
    }

    @Test(
        arguments: [
            (0, 1), (127, 1), (-128, 1), (128, 2), (-129, 2), (1 << 63 - 1, 8), (-1 << 63, 8), (1 << 63, 9),
            (Money.limit - 1, 13), (1 - Money.limit, 13),
        ] as [(Int128, Int)])
    func anAmountTakesAsFewBytesAsItNeeds(units: Int128, bytes: Int) throws {
        var state = InstallState(.skan4)
        let without = Record.bytes(state).count
        _ = state.revenue.add(Money(units: units), .dollar, to: .lifetime(.iap))
        // Beside its key and its length.
        #expect(Record.bytes(state).count == without + 5 + bytes)
        let read = Record.state(Record.bytes(state)).value
        #expect(read?.revenue.total(.lifetime(.iap), .dollar)?.units == units)
    }
}

/// A damaged record is CORRUPT_RECORD, never trusted. Tests/Hosts/C/contract_records.c and Tests/Trouble/Core/faults.c
/// damage a record in a few ways, and the fuzzer of records asks only that nothing breaks. These tests alone judge
/// every bit, every cut, every newer format, and each field of a record that has a fitting checksum.
struct DamagedRecordTests {
    private static func samples() -> [[UInt8]] {
        var chance = Chance(43)
        return [
            Record.bytes(InstallState(.skan4)), Record.bytes(chance.state(mostTotals: 3, mostEvents: 0)),
            Record.bytes(chance.state(mostTotals: 12, mostEvents: 4)),
            Record.bytes(chance.state(mostTotals: 30, mostEvents: 9)),
            Record.bytes(chance.modelState(mostTotals: 3, mostEvents: 2)),
        ]
    }

    @Test func everyFlippedBitIsSeen() {
        for (number, sample) in DamagedRecordTests.samples().enumerated() {
            #expect(Record.state(sample).value != nil)
            var record = sample
            for bit in 0..<record.count * 8 {
                record[bit / 8] ^= 1 << (bit % 8)
                let status = Record.state(record).failedStatus
                let isFormat = bit < 8 && record[0] > 1
                expect(
                    status == (isFormat ? "SKAN_ERROR_RECORD_TOO_NEW" : "SKAN_ERROR_CORRUPT_RECORD"),
                    "bit \(bit) of sample \(number): \(status ?? "taken")")
                record[bit / 8] ^= 1 << (bit % 8)
            }
        }
    }

    @Test func everyTruncationAndEveryTailIsSeen() {
        for (number, sample) in DamagedRecordTests.samples().enumerated() {
            for count in 0..<sample.count {
                let status = Record.state(Array(sample[..<count])).failedStatus
                expect(
                    status == "SKAN_ERROR_CORRUPT_RECORD", "\(count) bytes of sample \(number): \(status ?? "taken")")
            }
            for tail in [[0], [1], [UInt8](repeating: 0, count: 8), sample] {
                #expect(Record.state(sample + tail).failedStatus == "SKAN_ERROR_CORRUPT_RECORD")
                #expect(Record.state(Record.sealed(sample + tail)).failedStatus == "SKAN_ERROR_CORRUPT_RECORD")
            }
        }
    }

    @Test func aNewerFormatIsTooNewWhateverFollows() {
        for format in UInt8(2)...255 {
            var record = Record.bytes(InstallState(.skan4))
            record[0] = format
            #expect(Record.state(record).failedStatus == "SKAN_ERROR_RECORD_TOO_NEW")
            #expect(Record.state(Record.sealed(record)).failedStatus == "SKAN_ERROR_RECORD_TOO_NEW")
            #expect(Record.state([format]).failedStatus == "SKAN_ERROR_RECORD_TOO_NEW")
        }
        #expect(Record.state([0]).failedStatus == "SKAN_ERROR_CORRUPT_RECORD")
    }

    @Test func otherBytesAreNoRecord() {
        var chance = Chance(44)
        for count in [0, 1, 7, 8, 107, 108, 109, 200, 32_768, 32_769, 100_000] {
            for filling in [
                [UInt8](repeating: 0, count: count), [UInt8](repeating: 1, count: count), [1] + chance.bytes(count),
            ] {
                #expect(Record.state(filling).failedStatus == "SKAN_ERROR_CORRUPT_RECORD", "\(count) bytes")
            }
        }
    }

    // MARK: Records with a fitting checksum that no libskan wrote

    /// A state whose parts stand at known places: 100 the first lock, 108 two totals, 120 the event ids: the
    /// marks of two lists, the shape at 136, one purchase at 144, one event at 146.
    private func sample() throws -> [UInt8] {
        var state = InstallState(.skan4)
        (state.conversion.first, state.conversion.last, state.conversion.fine, state.conversion.previousFine) = (
            1000, 2000, 3, 2
        )
        state.conversion.windows[.first].lock = 1500
        state.conversion.lastUpdate = ValueUpdate(id: 4, window: .second, fine: 3, coarse: 1, timestamp: 1500)
        _ = state.revenue.add(Money(units: 1), .dollar, to: .lifetime(.iap))
        _ = state.revenue.add(Money(units: 1), .euro, to: .lifetime(.ad))
        state.events.countAmount([UInt8]("a"), .iap)
        state.events.countEvent([UInt8]("b"))
        let record = Record.bytes(state)
        #expect(record.count == 156)
        return record
    }

    private static func little(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    /// What is written over a sound record, and where. Its type is told, which saves the compiler a second.
    private static let forgeries: [(what: String, offset: Int, bytes: [UInt8])] = [
        ("a protocol that is none", 1, [5]), ("protocol 0", 1, [0]), ("an unknown flag", 3, [0x11]),
        ("another unknown flag", 3, [0x81]), ("measures without a model", 3, [0x09]),
        ("a fine value of 64", 4, [64]), ("a previous fine value of 255", 5, [255]), ("a model of one byte", 54, [1]),
        ("a model of 256 bytes", 55, [1]), ("the first call after the last second", 8, little(9_223_372_036_855)),
        ("the first call long ago", 8, little(.min)), ("the last call after the last second", 16, little(.max)),
        ("the update's time after the last second", 40, little(.max)), ("an update for window 3", 2, [0xCF]),
        ("an update of fine 64", 52, [65]), ("an update of coarse 3", 53, [4]),
        ("a lock after the last second", 100, little(.max)),
        ("three totals", 50, [3]), ("one total", 50, [1]), ("no totals", 50, [0]), ("513 totals", 50, [1, 2]),
        ("more bytes of event ids", 48, [29]), ("fewer bytes of event ids", 48, [27]), ("no event ids", 48, [0]),
        ("the marks and the shape alone", 48, [24]), ("a mark of a purchase that is not there", 120, [2]),
        ("a mark of an impression that is not there", 128, [1]),
        ("bytes moved between the lists", 136, little(1 | 1 << 7 | (1 | 3 << 7) << 40)),
        ("two purchases", 136, little(2 | 2 << 7 | (1 | 2 << 7) << 40)),
        ("no purchase", 136, little(2 << 7 | (1 | 2 << 7) << 40)),
        ("an impression of no bytes", 136, little(1 | 2 << 7 | 1 << 20 | (1 | 2 << 7) << 40)),
        ("two events", 136, little(1 | 2 << 7 | (2 | 2 << 7) << 40)),
        ("65 events", 136, little(1 | 2 << 7 | (65 | 2 << 7) << 40)), ("an unknown bit of the shape", 143, [0x10]),
        ("an empty event id", 144, [0]), ("an event id over the end", 146, [2]), ("an event id of 66 bytes", 146, [66]),
        ("table 8", 117, [8]), ("the same total twice", 114, Array("DSU\0".utf8)),
        ("totals in another order", 111, [2]), ("a currency in lower case", 108, [0x64]),
        ("a currency with a digit", 110, [0x31]),
        ("an amount of no bytes", 112, [0]), ("an amount of 17 bytes", 112, [17]),
        ("an amount over the end", 118, [16]),
        ("a length that is not its own", 56, [155]), ("a length over 16 bits", 58, [1]),
    ]

    @Test(arguments: forgeries)
    func aForgedRecordIsCorrupt(what: String, offset: Int, bytes: [UInt8]) throws {
        let sample = try sample()
        var record = sample
        record.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        #expect(record != sample)
        #expect(Record.state(Record.sealed(record)).failedStatus == "SKAN_ERROR_CORRUPT_RECORD", "\(what)")
        #expect(Record.state(Record.sealed(sample)).value != nil)
    }

    /// An install gets its model when it is registered.
    @Test func aModelWithoutARegistrationIsCorrupt() {
        var chance = Chance(45)
        for round in 0..<20 {
            var state = chance.modelState(mostTotals: 3, mostEvents: 2)
            expect(Record.state(Record.bytes(state)).value?.conversion.model != nil, "round \(round)")
            (state.conversion.first, state.conversion.last) = (nil, nil)
            let status = Record.state(Record.bytes(state)).failedStatus
            expect(status == "SKAN_ERROR_CORRUPT_RECORD", "round \(round): \(status ?? "taken")")
        }
    }

    @Test func amountsAndTablesStayWithinTheirLimits() throws {
        /// A record of so many totals in one table, each of the amount.
        func record(_ count: Int, _ units: Int128) throws -> [UInt8] {
            var state = InstallState(.skan4)
            let one = Money(units: units)
            for number in 0..<count {
                let key = RevenueTotal.key(.lifetime(.iap), .number(number))
                state.revenue.append(RevenueTotal(key: key, total: one))
            }
            return Record.bytes(state)
        }
        #expect(Record.state(try record(64, 1)).value != nil)
        #expect(Record.state(try record(65, 1)).failedStatus == "SKAN_ERROR_CORRUPT_RECORD")
        #expect(Record.state(try record(1, Money.limit - 1)).value != nil)
        for units in [Money.limit, -Money.limit, Int128.max, Int128.min] {
            #expect(Record.state(try record(1, units)).failedStatus == "SKAN_ERROR_CORRUPT_RECORD", "\(units)")
        }
    }
}

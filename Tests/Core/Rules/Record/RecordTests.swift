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
        for count in [0, 1, 7, 8, 111, 112, 113, 200, 32_768, 32_769, 100_000] {
            for filling in [
                [UInt8](repeating: 0, count: count), [UInt8](repeating: 1, count: count), [1] + chance.bytes(count),
            ] {
                #expect(Record.state(filling).failedStatus == "SKAN_ERROR_CORRUPT_RECORD", "\(count) bytes")
            }
        }
    }

    // MARK: Records with a fitting checksum that no libskan wrote

    /// A state whose parts stand at known places: 104 the first lock, 112 two totals, 124 one revenue event id, 126 one
    /// conversion event id.
    private func sample() throws -> [UInt8] {
        var state = InstallState(.skan4)
        (state.conversion.first, state.conversion.last, state.conversion.fine, state.conversion.previousFine) = (
            1000, 2000, 3, 2
        )
        state.conversion.windows[.first].lock = 1500
        state.conversion.lastUpdate = ValueUpdate(id: 4, window: .second, fine: 3, coarse: 1, timestamp: 1500)
        _ = state.revenue.add(Money(units: 1), .dollar, to: .lifetime(.iap))
        _ = state.revenue.add(Money(units: 1), .euro, to: .lifetime(.ad))
        [UInt8]("a").withUnsafeBytes { state.revenueEvents.remember($0) }
        [UInt8]("b").withUnsafeBytes { state.conversionEvents.remember($0) }
        let record = Record.bytes(state)
        #expect(record.count == 136)
        return record
    }

    private static func little(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    @Test(arguments: [
        ("a protocol that is none", 1, [5]), ("protocol 0", 1, [0]), ("an unknown flag", 3, [0x11]),
        ("another unknown flag", 3, [0x81]), ("measures without a model", 3, [0x09]),
        ("a fine value of 64", 4, [64]), ("a previous fine value of 255", 5, [255]), ("a reserved byte", 58, [1]),
        ("another reserved byte", 59, [1]), ("the first call after the last second", 8, little(9_223_372_036_855)),
        ("the first call long ago", 8, little(.min)), ("the last call after the last second", 16, little(.max)),
        ("the update's time after the last second", 40, little(.max)), ("an update for window 3", 2, [0xCF]),
        ("an update of fine 64", 56, [65]), ("an update of coarse 3", 57, [4]),
        ("a lock after the last second", 104, little(.max)),
        ("three totals", 52, [3]), ("one total", 52, [1]), ("no totals", 52, [0]), ("513 totals", 52, [1, 2]),
        ("more bytes of revenue event ids", 48, [3]), ("fewer bytes of conversion event ids", 50, [1]),
        ("bytes moved between the lists", 48, [1, 0, 3, 0]), ("two revenue event ids", 54, [2]),
        ("no revenue event id", 54, [0]),
        ("two conversion event ids", 55, [2]), ("65 conversion event ids", 55, [65]), ("an empty event id", 124, [0]),
        ("an event id over the end", 126, [2]), ("table 8", 121, [8]),
        ("the same total twice", 118, Array("DSU\0".utf8)),
        ("totals in another order", 115, [2]), ("a currency in lower case", 112, [0x64]),
        ("a currency with a digit", 114, [0x31]),
        ("an amount of no bytes", 116, [0]), ("an amount of 17 bytes", 116, [17]),
        ("an amount over the end", 122, [16]),
        ("a length that is not its own", 60, [135]), ("a length over 16 bits", 62, [1]),
    ])
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

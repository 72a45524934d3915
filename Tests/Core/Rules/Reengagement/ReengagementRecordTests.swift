import SKANCore
import Testing

/// Rules, "Re-engagement details": re-engagements in an install's record. These tests alone measure the greatest record
/// that there can be, and judge which format a record has and what comes of each byte that is changed in a
/// re-engagement.
struct ReengagementRecordTests {
    private var tables: [RevenueTable] {
        [.lifetime(.iap), .lifetime(.ad)] + Window.all.flatMap { [.window($0, .iap), .window($0, .ad)] }
    }

    /// The greatest install that there can be, with six of the greatest re-engagements.
    private func greatest() throws -> InstallState {
        var state = InstallState(.skan4)
        state.isStored = true
        (state.conversion.first, state.conversion.last) = (Limits.timestamps.lowerBound, Limits.timestamps.upperBound)
        (state.conversion.fine, state.conversion.previousFine) = (63, 63)
        for window in Window.all { state.conversion.windows[window].lock = Limits.timestamps.lowerBound }
        for table in tables {
            for number in 0..<Limits.currencies {
                let letters = [65, 65 + UInt8(number / 26), 65 + UInt8(number % 26)]
                let currency = try #require(letters.withUnsafeBytes { Currency($0) })
                #expect(
                    state.revenue.add(
                        Money(units: 1 - Money.limit), currency, to: table) == nil)
            }
        }
        for number in 0..<Limits.eventIDs {
            let id =
                [UInt8](repeating: UInt8(65 + number % 26), count: Limits.eventIDBytes - 3)
                + [48 + UInt8(number / 10), 48 + UInt8(number % 10)]
            state.events.countAmount(id, .iap)
            state.events.countAmount(id + [1], .ad)
            state.events.countEvent(id + [2])
        }
        state.conversion.model = try counted()
        for number in UInt32(1)...6 { state.reengagements.append(try greatest(number)) }
        return state
    }

    /// As many counts as a model may have, each as long as it may be.
    private func counted() throws -> InstallModel {
        var bytes = [UInt8](repeating: 0xFF, count: 32) + [2, UInt8(Limits.modelCounts)]
        for _ in 0..<Limits.modelCounts { bytes += [0xFF, 0xFF, 0xFF, 0xFF, 0x0F] }
        return try #require(bytes.withUnsafeBytes { InstallModel(stored: $0) })
    }

    private func greatest(_ number: UInt32) throws -> Reengagement {
        var conversion = Conversion(.skan4)
        (conversion.first, conversion.last, conversion.fine) = (
            Limits.timestamps.upperBound, Limits.timestamps.upperBound, 63
        )
        for window in Window.all {
            conversion.windows[window].coarse = 2
            conversion.windows[window].lock = Limits.timestamps.upperBound
        }
        conversion.model = try counted()
        conversion.lastUpdate = ValueUpdate(
            id: UInt64.max - UInt64(number), window: .third, fine: 63, coarse: 2, locksWindow: true,
            timestamp: Limits.timestamps.upperBound)
        conversion.isLastUpdateDelivered = true
        let text = { (count: Int) in [UInt8](repeating: 97, count: count) }
        let each = Reengagement(
            number: UInt32.max - 6 + number, conversion, tag: text(Limits.tagBytes), openID: text(Limits.eventIDBytes),
            reference: text(Limits.referenceBytes))
        each.ended = .tagNotSupported
        let limit = Money.scale * Money.scale * Money.scale
        for sum in ReengagementSums.all { each.sums[sum] = try #require(ExactSum(units: -limit, rest: 1)) }
        return each
    }

    private func record(_ state: InstallState) -> [UInt8] {
        var state = state
        var bytes = [UInt8](repeating: 0, count: Record.sizeBound(state))
        let count = bytes.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { Record.write(&state, isOwn: false, to: $0) } ?? 0
        }
        return Array(bytes.prefix(count))
    }

    private func read(_ bytes: [UInt8]) throws -> InstallState {
        var state = InstallState(.skan4)
        try bytes.withUnsafeBytes { try Record.read($0, isOwn: false, into: &state) }
        return state
    }

    private func document(_ state: InstallState) -> String {
        var json = JSONWriter(capacity: 512)
        state.writeReengagements(to: &json)
        return String(decoding: json.finish().array, as: UTF8.self)
    }

    @Test func theGreatestRecordFits() throws {
        let state = try greatest()
        let record = record(state)
        print("greatest record: \(record.count) bytes")
        #expect(record.count <= Limits.recordBytes)
        let again = try read(record)
        #expect(again.reengagements.count == 6)
        #expect(document(again) == document(state))
        #expect(self.record(again) == record)
    }

    @Test func theGreatestRecordWithMeasuresFits() throws {
        var state = try greatest()
        let counts = record(state).count
        let known = try #require(state.conversion.model)
        // The greatest sum has 16 bytes; a number of days has 8, of which the last day takes four.
        var model = [UInt8](repeating: 0xFF, count: 32) + [2, UInt8(Limits.modelCounts)]
        for _ in 0..<Limits.modelCounts { model += [0xFF, 0xFF, 0xFF, 0xFF, 0x0F] }
        model += [UInt8(Limits.modelMeasures)]
        let sum = -Money.scale * Money.scale * Money.scale
        for _ in 0..<Limits.modelMeasures { model += [16] + withUnsafeBytes(of: sum.littleEndian) { Array($0) } }
        state.conversion.model = model.withUnsafeBytes { InstallModel(stored: $0, hasMeasures: true) }
        let record = record(state)
        print("greatest record with 32 measures: \(record.count) bytes")
        #expect(known.countNumber == state.conversion.model?.countNumber)
        #expect(record.count == counts + 1 + 17 * Limits.modelMeasures)
        #expect(record.count < Limits.recordBytes)
        #expect(self.record(try read(record)) == record)
        // Without re-engagements it is the greatest install on a model with measures.
        state.reengagements = []
        #expect(self.record(state).count < 24_600)
    }

    /// Every cut, and every byte of the re-engagements changed, with a checksum that fits.
    @Test func aDamagedRecordIsRefusedOrReadAsItWasWritten() throws {
        var state = InstallState(.skan4)
        state.reengagements = [try greatest(1)]
        let whole = record(state)
        for place in 100..<(whole.count - 8) {
            var damaged = whole
            damaged[place] ^= 0xA5
            damaged.withUnsafeMutableBytes { Record.seal($0) }
            if let read = try? read(damaged) { #expect(record(read).count <= Limits.recordBytes) }
        }
    }
}

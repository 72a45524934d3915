import SKANCore
import Testing

/// Records that were stored once must be read for ever. These were put together by hand from the format's description,
/// not by this library; what format 1 means never changes. All other tests read what the same code wrote: these alone
/// notice a change of the format that is made in reading and writing alike.
struct GoldenRecordTests {
    /// SKAN 4, with one of everything.
    private static let full = [UInt8](
        hex: """
            01047f012d0c8700b831f46100000000b7d4f6610000000041ed4f18b1d605000700000000000000b7d4f66100000000
            310005002e020000e1000000010000000000000022222222333333330000000000000000000000000000000000000000
            111111114dc4f461000000005255450001ff4453550007003cdd4a52dc2b59504a010100445355020d00f05a6b01ed74
            46d09c2c9f0c504247070d010000c015128bb92f63d360f3020000000000000000000000000000000206102800010400
            076f726465722d3103ff00010461642031076c6576656c2035e5f4d13eac413f55
            """)

    /// SKAN 3, registered, one purchase.
    private static let small = [UInt8](
        hex: """
            0103010000000000b831f46100000000b831f46100000000000000000000000000000000000000000000000000000000
            0000010000000000770000000300000000000000000000000000000000000000efbeadde000000000000000000000000
            000000004453550006006c2dd38904d7105510c7c59821
            """)

    /// What an install on a model without measures has behind everything else: the version, window 0, three counts, of
    /// which the last takes two bytes.
    private static let model = [UInt8](repeating: 0xAB, count: 32) + [0, 3, 2, 0, 0xAC, 0x02]

    private func currency(_ name: String) throws -> Currency { try #require(name.withBytes { Currency($0) }) }

    private func fullState() throws -> InstallState {
        var state = InstallState(.skan4)
        state.isStored = true
        (state.conversion.first, state.conversion.last) = (1_643_393_464, 1_643_566_263)
        (state.conversion.fine, state.conversion.previousFine) = (45, 12)
        state.conversion.windows[.first].coarse = 2
        state.conversion.windows[.first].previousCoarse = 0
        state.conversion.windows[.first].lock = 1_643_430_989
        state.conversion.windows[.second].previousCoarse = 1
        let whole = Money.limit - Money.scale
        for (table, name, units) in [
            (RevenueTable.lifetime(.iap), "EUR", -1), (.lifetime(.iap), "USD", 12_345_670_000_000_000),
            (.lifetime(.ad), "JPY", 0),
            (.window(.first, .iap), "USD", whole), (.window(.third, .ad), "GBP", 1 - Money.limit),
        ] as [(RevenueTable, String, Int128)] {
            #expect(state.revenue.add(Money(units: units), try currency(name), to: table) == nil)
        }
        state.events.countAmount([UInt8]("order-1"), .iap)
        state.events.countAmount([0xFF, 0x00, 0x01], .iap)
        state.events.countEvent([0xFF, 0x00, 0x01])
        state.events.countAmount([UInt8]("ad 1"), .ad)
        state.events.countEvent([UInt8]("level 5"))
        state.conversion.newestTicket = 1_643_430_989_000_001
        state.conversion.lastUpdate = ValueUpdate(
            id: 7, window: .second, fine: 45, coarse: 1, locksWindow: true, timestamp: 1_643_566_263)
        state.conversion.isLastUpdateDelivered = true
        // The count goes on from 2⁶⁴ − 1 at 0.
        state.writes = .new(startingAt: .max - 1)
        for id: UInt32 in [0x1111_1111, 0x2222_2222, 0x3333_3333] { state.writes.add(id) }
        return state
    }

    private func smallState() throws -> InstallState {
        var state = InstallState(.skan3)
        state.isStored = true
        (state.conversion.first, state.conversion.last) = (1_643_393_464, 1_643_393_464)
        #expect(state.revenue.add(Money(units: 4_990_000_000_000), try currency("USD"), to: .lifetime(.iap)) == nil)
        state.writes = .new(startingAt: 2)
        for id: UInt32 in [0xDEAD_BEEF] { state.writes.add(id) }
        return state
    }

    /// The model stands before the checksum, and the length of the whole record is that of its parts.
    @Test func aModelStandsBehindTheOtherParts() throws {
        var state = try smallState()
        let version = SHA256(words: InlineArray { _ in 0xABAB_ABAB })
        var model = InstallModel(version)
        for (place, count) in [(0, 2), (2, 300)] { for _ in 0..<count { _ = model.add(place) } }
        state.conversion.model = model
        let small = GoldenRecordTests.small
        var expected = small[..<(small.count - 8)] + GoldenRecordTests.model + small.suffix(8)
        expected[54] = UInt8(GoldenRecordTests.model.count)
        expected[56] = UInt8(expected.count)
        #expect(Record.bytes(state).hex == Record.sealed(Array(expected)).hex)
        // A model whose measures have counted nothing takes one byte more, their number, and a flag says so.
        var measured = InstallModel(version, hasMeasures: true)
        for (place, count) in [(0, 2), (2, 300)] { for _ in 0..<count { _ = measured.add(place) } }
        state.conversion.model = measured
        expected.insert(0, at: expected.count - 8)
        expected[3] |= 0x08
        expected[54] += 1
        expected[56] += 1
        #expect(Record.bytes(state).hex == Record.sealed(Array(expected)).hex)
    }

    @Test func theyAreReadAsTheFormatSays() throws {
        #expect(Record.state(GoldenRecordTests.full).value?.contents == (try fullState()).contents)
        #expect(Record.state(GoldenRecordTests.small).value?.contents == (try smallState()).contents)
    }

    @Test func theyAreWrittenInTheSameBytes() throws {
        #expect(Record.bytes(try fullState()).hex == GoldenRecordTests.full.hex)
        #expect(Record.bytes(try smallState()).hex == GoldenRecordTests.small.hex)
    }
}

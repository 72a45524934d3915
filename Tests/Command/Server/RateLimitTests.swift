import SKANSystem
import Testing

@testable import SKANCommandServer

@Suite struct RateLimitTests {
    private func address(_ number: Int) throws -> ClientAddress {
        let text = "2001:db8:\(String(number & 0xFFFF, radix: 16)):\(String(number >> 16, radix: 16))::"
        return try #require(Array(text.utf8).withUnsafeBytes { ClientAddress($0) })
    }

    @Test func aSecondsRequestsMayComeAtOnce() throws {
        let limit = try #require(RateLimit(perSecond: 10))
        let client = try address(1)
        let start: UInt64 = 5_000_000
        #expect((0..<30).count { _ in limit.admits(client, at: start) } == 10)
        #expect(limit.admits(try address(2), at: start))
        #expect(!limit.admits(client, at: start + 99_999))
        #expect(limit.admits(client, at: start + 100_000))
        #expect((0..<30).count { _ in limit.admits(client, at: start + 600_000) } == 5)
        #expect((0..<30).count { _ in limit.admits(client, at: start + 9_000_000) } == 10)
    }

    @Test func onceASecondIsOnceASecond() throws {
        let limit = try #require(RateLimit(perSecond: 1))
        let client = try address(1)
        #expect(limit.admits(client, at: 1))
        #expect(!limit.admits(client, at: 1_000_000))
        #expect(limit.admits(client, at: 1_000_001))
    }

    @Test func whoAsksForMuchIsRememberedAmongManyOthers() throws {
        let limit = try #require(RateLimit(perSecond: 100))
        let client = try address(0)
        for _ in 0..<100 { #expect(limit.admits(client, at: 1)) }
        for number in 1..<100_000 { _ = limit.admits(try address(number), at: 1) }
        #expect(!limit.admits(client, at: 1))
    }
}
